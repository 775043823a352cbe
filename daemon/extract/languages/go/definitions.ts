import type { SymbolKind, Visibility } from '../../../model/symbol.ts';
import { documentationOf, headOf } from './text.ts';
import { bindTypeParameters, embeddedName, resultOf, typeOf } from './types.ts';
import { valuesFor } from './values.ts';
import type { Walk } from './walk.ts';

/** Defines everything at the top of a file. Types come first, so that methods find the one that they belong to. */
export function defineFile(walk: Walk): void {
  const { tree } = walk;
  const declarations = tree.namedChildren(0);
  for (const one of declarations) if (tree.kind(one) === 'type_declaration') defineTypes(walk, one, -1);
  for (const one of declarations) {
    const kind = tree.kind(one);
    if (kind === 'function_declaration') defineFunction(walk, one);
    else if (kind === 'method_declaration') defineMethod(walk, one);
    else if (kind === 'const_declaration' || kind === 'var_declaration') defineValues(walk, one);
  }
}

/** Names are exported by a capital letter; the others are the package's own. */
function access(name: string): { exported: boolean; visibility: Visibility } {
  const exported = /^\p{Lu}/u.test(name);
  return { exported, visibility: exported ? 'public' : 'internal' };
}

/** `container` is -1 for the package, else the function that declares the type. */
export function defineTypes(walk: Walk, declaration: number, container: number): void {
  const { tree, facts } = walk;
  for (const spec of specsOf(walk, declaration)) {
    const nameNode = tree.child(spec, 'name');
    const type = tree.child(spec, 'type');
    const name = tree.text(nameNode);
    if (nameNode < 0 || name === '_') continue;
    const kind = typeKind(tree.kind(type));
    const slot = facts.define({
      name,
      kind,
      suffix: 'type',
      nameNode,
      node: spec,
      container,
      signature: kind === 'type' ? `type ${tree.text(spec)}` : `type ${headOf(tree, spec, type)} ${kind}`,
      documentation: documentationOf(tree, spec, declaration),
      hasBody: true,
      ...access(name),
    });
    walk.slots.set(spec, slot);
    walk.sites.add(nameNode);
    if (container >= 0) walk.scopes.declare(name, facts.slot(slot), 'global');
    walk.scopes.inside('block', () => {
      bindTypeParameters(walk, tree.child(spec, 'type_parameters'), slot);
      defineMembers(walk, type, slot);
      if (kind === 'type') setType(walk, slot, facts.instance(typeOf(walk, type)));
    });
  }
}

function typeKind(kind: string): SymbolKind {
  if (kind === 'struct_type') return 'struct';
  return kind === 'interface_type' ? 'interface' : 'type';
}

/**
 * Fields and interface methods of a type written out, through pointers, slices, maps and channels of one: a type without
 * a name goes by its owner's.
 */
function defineMembers(walk: Walk, type: number, owner: number): void {
  const { tree } = walk;
  if (type < 0 || tree.depth[type]! > 500) return;
  switch (tree.kind(type)) {
    case 'struct_type':
      walk.slots.set(type, owner);
      for (const field of tree.namedChildren(tree.childOfKind(type, 'field_declaration_list'))) {
        if (tree.kind(field) === 'field_declaration') defineField(walk, field, owner);
      }
      return;
    case 'interface_type':
      walk.slots.set(type, owner);
      for (const element of tree.namedChildren(type)) defineElement(walk, element, owner);
      return;
    case 'pointer_type':
      defineMembers(walk, tree.namedChildren(type)[0] ?? -1, owner);
      return;
    case 'slice_type':
    case 'array_type':
    case 'implicit_length_array_type':
      defineMembers(walk, tree.child(type, 'element'), owner);
      return;
    case 'map_type':
    case 'channel_type':
      defineMembers(walk, tree.child(type, 'value'), owner);
      return;
    default:
  }
}

function defineField(walk: Walk, field: number, owner: number): void {
  const { tree, facts } = walk;
  const type = tree.child(field, 'type');
  const names = tree.childrenIn(field, 'name').filter(name => tree.isNamed(name));
  if (names.length === 0) embed(walk, type, owner);
  const embedded = names.length === 0 ? embeddedName(walk, type) : -1;
  for (const nameNode of embedded >= 0 ? [embedded] : names) {
    const name = tree.text(nameNode);
    if (name === '_') continue;
    const slot = facts.define({
      name,
      kind: 'field',
      suffix: 'term',
      nameNode,
      node: field,
      container: owner,
      signature: tree.text(field),
      documentation: documentationOf(tree, field, -1),
      ...access(name),
    });
    if (embedded < 0) walk.sites.add(nameNode);
    if (embedded < 0) defineMembers(walk, type, slot);
    setType(walk, slot, facts.instance(typeOf(walk, type)));
  }
}

/** What has a struct of its own is known by its members. */
function setType({ facts }: Walk, slot: number, value: number): void {
  if (value !== facts.instance(facts.slot(slot))) facts.setType(slot, value);
}

/** A variable's or a field's own struct has what it embeds as a type of the variable. */
function embed(walk: Walk, type: number, owner: number): void {
  const { facts } = walk;
  const embedded = typeOf(walk, type);
  if (/^(?:struct|interface|type)$/.test(facts.definition(owner).kind)) facts.addSuper(owner, embedded);
  else facts.setType(owner, facts.instance(embedded));
}

function defineElement(walk: Walk, element: number, owner: number): void {
  const { tree, facts } = walk;
  if (tree.kind(element) === 'type_elem') {
    const types = tree.namedChildren(element);
    if (types.length === 1 && /^(?:type_identifier|qualified_type|generic_type)$/.test(tree.kind(types[0]!))) {
      embed(walk, types[0]!, owner);
    }
    return;
  }
  const nameNode = tree.child(element, 'name');
  if (tree.kind(element) !== 'method_elem' || nameNode < 0) return;
  const name = tree.text(nameNode);
  const slot = facts.define({
    name,
    kind: 'method',
    suffix: 'method',
    nameNode,
    node: element,
    container: owner,
    signature: tree.text(element),
    documentation: documentationOf(tree, element, -1),
    ...access(name),
  });
  walk.sites.add(nameNode);
  facts.setType(slot, resultOf(walk, element));
}

function defineFunction(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const nameNode = tree.child(node, 'name');
  const name = tree.text(nameNode);
  walk.sites.add(nameNode);
  if (nameNode < 0 || name === '_') return;
  const slot = facts.define({
    name,
    kind: 'function',
    suffix: 'method',
    nameNode,
    node,
    ...(name === 'init' ? initialiser(walk) : {}),
    ...described(walk, node, name),
  });
  walk.slots.set(node, slot);
}

/**
 * Each `func init()` is one of its own, told apart by file and ordinal: nothing can refer to it, and a package and even
 * a file may have several. `static/` marks what is private to a file (see `scopeOfTail`).
 */
function initialiser({ facts }: Walk) {
  const before = facts.slotsNamed(-1, 'init').filter(slot => facts.definition(slot).tail.startsWith('static/')).length;
  return { between: 'static/', disambiguator: before === 0 ? '' : `+${before}` };
}

/** A method stands inside its receiver's type, wherever in the package that is declared. */
function defineMethod(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const nameNode = tree.child(node, 'name');
  const name = tree.text(nameNode);
  walk.sites.add(nameNode);
  if (nameNode < 0 || name === '_') return;
  const receiver = receiverType(walk, node);
  const [container = -1] = facts.slotsNamed(-1, receiver);
  const slot = facts.define({
    name,
    kind: 'method',
    suffix: 'method',
    nameNode,
    node,
    container,
    between: container >= 0 || receiver === '' ? '' : `${receiver}#`,
    ...described(walk, node, name),
    exported: access(name).exported && access(receiver).exported,
  });
  walk.slots.set(node, slot);
}

function described({ tree }: Walk, node: number, name: string) {
  const body = tree.child(node, 'body');
  return {
    signature: headOf(tree, node, body),
    documentation: documentationOf(tree, node, -1),
    hasBody: body >= 0,
    ...access(name),
  };
}

/** Name of the type that a method belongs to, '' where the receiver is broken. */
function receiverType(walk: Walk, method: number): string {
  const { tree } = walk;
  const [parameter = -1] = tree.namedChildren(tree.child(method, 'receiver'));
  return tree.text(embeddedName(walk, tree.child(parameter, 'type')));
}

function defineValues(walk: Walk, declaration: number): void {
  const { tree, facts } = walk;
  const kind: SymbolKind = tree.kind(declaration) === 'const_declaration' ? 'constant' : 'variable';
  let lastType = -1;
  for (const spec of specsOf(walk, declaration)) {
    const names = tree.childrenIn(spec, 'name').filter(name => tree.isNamed(name));
    const type = tree.child(spec, 'type');
    const right = tree.namedChildren(tree.child(spec, 'value'));
    // In a group of constants, a line without a value repeats the one above.
    const declared = type < 0 && right.length === 0 ? lastType : type;
    lastType = declared;
    const values = valuesFor(walk, names.length, right);
    names.forEach((nameNode, index) => {
      const name = tree.text(nameNode);
      walk.sites.add(nameNode);
      if (name === '_') return;
      const slot = facts.define({
        name,
        kind,
        suffix: 'term',
        nameNode,
        node: spec,
        signature: `${kind === 'constant' ? 'const' : 'var'} ${tree.text(spec)}`,
        documentation: documentationOf(tree, spec, declaration),
        hasBody: right.length > 0,
        ...access(name),
      });
      walk.slots.set(nameNode, slot);
      defineMembers(walk, type < 0 ? writtenType(walk, right[index] ?? -1) : type, slot);
      setType(walk, slot, declared < 0 ? values[index]!() : facts.instance(typeOf(walk, declared)));
    });
  }
}

/** The type that a value begins with: `[]struct{ name string }{…}`, or the address of such. */
function writtenType({ tree }: Walk, value: number): number {
  const literal = tree.kind(value) === 'unary_expression' ? tree.child(value, 'operand') : value;
  return tree.kind(literal) === 'composite_literal' ? tree.child(literal, 'type') : -1;
}

/** The specs of a declaration, grouped or not. */
function specsOf({ tree }: Walk, declaration: number): readonly number[] {
  return tree
    .namedChildren(declaration)
    .flatMap(child => (/_list$/.test(tree.kind(child)) ? tree.namedChildren(child) : [child]))
    .filter(child => /_(?:spec|alias)$/.test(tree.kind(child)));
}

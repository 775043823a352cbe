import { type DescriptorSuffix, typeSegment } from '../../../model/identity.ts';
import type { SymbolKind, Visibility } from '../../../model/symbol.ts';
import { defineAssignedFields } from './assigned-fields.ts';
import { expect, isFunction, isTooDeep, propertyName, unwrap, visitComputedKey, type Walk } from './context.ts';
import { documentationAbove, signatureOf } from './documentation.ts';
import { visitFunction, visitFunctionValue } from './functions.ts';
import { isAccessor, visitObjectMembers } from './objects.ts';
import { declareTypeParameters, signatureType, typeName, typeValue } from './types.ts';
import { annotated, evidentValue, withTypeArguments } from './values.ts';

/** A class declaration, or a class expression that is the value of a definition. */
export function visitClass(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const slot = walk.slotOf.get(node) ?? anonymousClass(walk, node);
  for (const child of tree.namedChildren(node)) if (tree.kind(child) === 'decorator') walk.visit(child);
  facts.within(slot, () =>
    walk.scopes.inside('class', () => {
      const outer = { thisValue: walk.thisValue, classSlot: walk.classSlot, isTop: walk.isTop };
      declareTypeParameters(walk, node, slot);
      visitIfPresent(walk, tree.child(node, 'type_parameters'));
      visitHeritage(walk, tree.childOfKind(node, 'class_heritage'), slot);
      walk.thisValue = facts.instance(facts.slot(slot));
      walk.classSlot = slot;
      walk.isTop = false;
      if (walk.assignsFields) defineAssignedFields(walk, tree.child(node, 'body'), slot);
      for (const member of tree.namedChildren(tree.child(node, 'body'))) visitMember(walk, member, slot);
      Object.assign(walk, outer);
    }),
  );
}

/** A class expression in the middle of code: a named one is a definition, one without a name is called `class`. */
function anonymousClass(walk: Walk, node: number): number {
  const { tree, facts } = walk;
  const name = tree.child(node, 'name');
  const slot = facts.define({
    name: name < 0 ? 'class' : tree.text(name),
    kind: 'class',
    suffix: 'type',
    nameNode: name < 0 ? tree.firstChild(node) : name,
    node,
    signature: signatureOf(tree, node, tree.child(node, 'body')),
    hasBody: true,
  });
  if (name >= 0) walk.scopes.declare(tree.text(name), facts.slot(slot), 'global');
  return slot;
}

function visitIfPresent(walk: Walk, node: number): void {
  if (node >= 0) walk.visit(node);
}

function visitHeritage(walk: Walk, heritage: number, slot: number): void {
  const { tree, facts } = walk;
  if (heritage < 0) return;
  for (const clause of tree.namedChildren(heritage)) {
    if (tree.kind(clause) === 'extends_clause') {
      const value = tree.child(clause, 'value');
      facts.addSuper(slot, withTypeArguments(walk, evidentValue(walk, value), clause));
      referToBase(walk, value);
      visitIfPresent(walk, tree.child(clause, 'type_arguments'));
    } else if (tree.kind(clause) === 'implements_clause') {
      for (const type of tree.namedChildren(clause)) visitBaseType(walk, type, slot);
    } else {
      facts.addSuper(slot, evidentValue(walk, clause));
      referToBase(walk, clause);
    }
  }
}

function visitBaseType(walk: Walk, type: number, slot: number): void {
  const { tree, facts } = walk;
  if (tree.kind(type) === 'comment') return;
  facts.addSuper(slot, typeValue(walk, type));
  const isGeneric = tree.kind(type) === 'generic_type';
  referToBase(walk, isGeneric ? tree.child(type, 'name') : type);
  if (isGeneric) visitIfPresent(walk, tree.child(type, 'type_arguments'));
}

/** The name of a base class or interface; a call (`extends mixin(A)`) is walked as code. */
function referToBase(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  switch (tree.kind(node)) {
    case 'identifier':
    case 'type_identifier':
      facts.refer(node, 'implementation', typeName(walk, node));
      return;
    case 'member_expression':
      walk.visit(tree.child(node, 'object'));
      facts.refer(tree.child(node, 'property'), 'implementation', evidentValue(walk, node));
      return;
    case 'nested_type_identifier':
      walk.visit(tree.child(node, 'module'));
      facts.refer(tree.child(node, 'name'), 'implementation', typeName(walk, node));
      return;
    default:
      walk.visit(node);
  }
}

/** A member of a class body; what stands in a static one is about the class. */
function visitMember(walk: Walk, node: number, container: number): void {
  const { tree, facts } = walk;
  const outer = walk.thisValue;
  if (isStatic(walk, node)) walk.thisValue = facts.slot(container);
  visitMemberAs(walk, node, container, tree.kind(node));
  walk.thisValue = outer;
}

function isStatic({ tree }: Walk, node: number): boolean {
  if (tree.kind(node) === 'class_static_block') return true;
  for (let child = tree.firstChild(node); child >= 0; child = tree.nextSibling(child)) {
    if (tree.kind(child) === 'static') return true;
    if (/^(?:name|property|parameters)$/.test(tree.field(child))) return false;
  }
  return false;
}

function visitMemberAs(walk: Walk, node: number, container: number, kind: string): void {
  const { tree, facts } = walk;
  switch (kind) {
    case 'method_definition':
    case 'method_signature':
    case 'abstract_method_signature': {
      for (const child of tree.namedChildren(node)) if (tree.kind(child) === 'decorator') walk.visit(child);
      const name = tree.child(node, 'name');
      const slot = defineMethod(walk, node, container);
      visitComputedKey(walk, name);
      facts.within(slot < 0 ? container : slot, () => visitFunction(walk, node, slot, -1));
      if (slot >= 0 && facts.definition(slot).kind === 'constructor') defineParameterProperties(walk, node, container);
      return;
    }
    case 'public_field_definition':
    case 'field_definition':
      visitField(walk, node, container);
      return;
    case 'class_static_block':
      visitIfPresent(walk, tree.child(node, 'body'));
      return;
    default:
      walk.visit(node);
  }
}

function defineMethod(walk: Walk, node: number, container: number): number {
  const name = propertyName(walk, walk.tree.child(node, 'name'));
  if (name === undefined) return -1;
  if (isAccessor(walk, node)) return defineMember(walk, node, container, 'property', 'term');
  if (name === 'constructor') return defineMember(walk, node, container, 'constructor', 'method');
  return defineMember(walk, node, container, 'method', 'method');
}

function defineMember(
  walk: Walk,
  node: number,
  container: number,
  kind: SymbolKind,
  suffix: DescriptorSuffix,
  nameField: 'name' | 'pattern' = 'name',
): number {
  const { tree, facts } = walk;
  const nameNode = tree.child(node, nameField);
  const name = propertyName(walk, nameNode);
  if (name === undefined) return -1;
  const visibility = memberVisibility(walk, node, nameNode, container);
  const body = tree.child(node, 'body');
  return facts.define({
    name,
    kind,
    suffix,
    nameNode,
    node,
    ...(container < 0 ? {} : { container }),
    ...(kind === 'constructor' ? { tailName: '<constructor>' } : {}),
    signature: signatureOf(tree, node, body >= 0 ? body : functionBody(walk, tree.child(node, 'value'))),
    documentation: documentationAbove(tree, node),
    visibility,
    exported: container >= 0 && facts.definition(container).exported && visibility === 'public',
    hasBody: body >= 0 || tree.child(node, 'value') >= 0,
    isStatic: isStatic(walk, node),
  });
}

function functionBody(walk: Walk, value: number): number {
  return isFunction(walk.tree.kind(value)) ? walk.tree.child(value, 'body') : -1;
}

function memberVisibility(walk: Walk, node: number, nameNode: number, container: number): Visibility {
  const { tree, facts } = walk;
  if (tree.kind(nameNode) === 'private_property_identifier') return 'private';
  const modifier = tree.text(tree.childOfKind(node, 'accessibility_modifier'));
  if (modifier === 'private') return 'private';
  if (modifier === 'protected') return 'internal';
  return container < 0 ? 'internal' : facts.definition(container).visibility;
}

/** `constructor(private readonly x: T)` defines a field. */
function defineParameterProperties(walk: Walk, node: number, container: number): void {
  const { tree, facts } = walk;
  for (const parameter of tree.namedChildren(tree.child(node, 'parameters'))) {
    const isProperty =
      tree.childOfKind(parameter, 'accessibility_modifier') >= 0 || tree.childOfKind(parameter, 'readonly') >= 0;
    if (!isProperty) continue;
    const slot = defineMember(walk, parameter, container, 'field', 'term', 'pattern');
    if (slot < 0) continue;
    const declared = typeValue(walk, annotated(walk, parameter, 'type'));
    facts.setType(slot, declared >= 0 ? declared : evidentValue(walk, tree.child(parameter, 'value')));
  }
}

function visitField(walk: Walk, node: number, container: number): void {
  const { tree, facts } = walk;
  const value = tree.child(node, 'value');
  const bare = unwrap(walk, value);
  for (const child of tree.namedChildren(node)) {
    if (tree.kind(child) === 'decorator' || tree.kind(child) === 'computed_property_name') walk.visit(child);
  }
  const type = annotated(walk, node, 'type');
  const nameField = tree.child(node, 'name') >= 0 ? 'name' : 'property';
  const isCallable = isFunction(tree.kind(bare));
  const slot = defineField(walk, node, container, isCallable ? 'method' : 'field', nameField);
  if (slot < 0) {
    visitIfPresent(walk, type);
    visitIfPresent(walk, value);
    return;
  }
  facts.within(slot, () => {
    const documented = walk.docs.type(node);
    const declared = type < 0 ? documented : declaredType(walk, slot, type);
    if (isCallable) expect(walk, bare, declared);
    if (isCallable) visitFunctionValue(walk, bare, slot, declared);
    else {
      const isObject = tree.kind(bare) === 'object';
      facts.setType(slot, declared >= 0 ? declared : isObject ? -1 : evidentValue(walk, value));
      expect(walk, value, declared);
      if (isObject) visitObjectMembers(walk, bare, slot);
      else visitIfPresent(walk, value);
    }
  });
}

function defineField(
  walk: Walk,
  node: number,
  container: number,
  kind: SymbolKind,
  nameField: 'name' | 'property',
): number {
  return defineMember(walk, node, container, kind, 'term', nameField as 'name');
}

export function visitInterface(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const slot = walk.slotOf.get(node);
  if (slot === undefined) return;
  facts.within(slot, () =>
    walk.scopes.inside('class', () => {
      const outer = { thisValue: walk.thisValue, classSlot: walk.classSlot };
      declareTypeParameters(walk, node, slot);
      visitIfPresent(walk, tree.child(node, 'type_parameters'));
      const bases = tree.childOfKind(node, 'extends_type_clause');
      for (const type of bases < 0 ? [] : tree.namedChildren(bases)) visitBaseType(walk, type, slot);
      walk.thisValue = facts.instance(facts.slot(slot));
      walk.classSlot = slot;
      visitTypeMembers(walk, tree.child(node, 'body'), slot);
      Object.assign(walk, outer);
    }),
  );
}

/** Members of an object type that no definition stands for (of a parameter, a local, an assertion) belong to what encloses it. */
export function visitObjectType(walk: Walk, node: number): void {
  walk.facts.between(typeSegment, () => visitTypeMembers(walk, node, -1));
}

/** Members of an interface or of an object type that a definition stands for; without a container, of the enclosing one. */
function visitTypeMembers(walk: Walk, body: number, container: number): void {
  const { tree, facts } = walk;
  for (const member of tree.namedChildren(body)) {
    const kind = tree.kind(member);
    const isMethod = kind === 'method_signature' && !isAccessor(walk, member);
    if (kind !== 'property_signature' && kind !== 'method_signature') {
      if (kind === 'call_signature' && container >= 0) facts.setType(container, signatureType(walk, member));
      walk.visit(member);
      continue;
    }
    const slot = defineMember(walk, member, container, isMethod ? 'method' : 'property', isMethod ? 'method' : 'term');
    if (slot < 0) {
      walk.visit(member);
      continue;
    }
    walk.slotOf.set(member, slot);
    visitComputedKey(walk, tree.child(member, 'name'));
    facts.within(slot, () => visitTypeMember(walk, member, slot));
  }
}

function visitTypeMember(walk: Walk, member: number, slot: number): void {
  const { tree, facts } = walk;
  if (tree.kind(member) === 'method_signature') {
    visitFunction(walk, member, slot, -1);
    return;
  }
  facts.setType(slot, declaredType(walk, slot, annotated(walk, member, 'type')));
}

/** What a definition is declared to be; members of object types in it become members of the definition. */
export function declaredType(walk: Walk, slot: number, type: number): number {
  const outer = walk.typeHolder;
  walk.typeHolder = slot;
  const declared = typeValue(walk, type);
  walk.typeHolder = outer;
  visitDefinedType(walk, type, slot);
  return declared;
}

/** Walks a type; the members of object types in it are definitions of `slot`, also through unions, arrays and intersections. */
function visitDefinedType(walk: Walk, type: number, slot: number): void {
  const { tree } = walk;
  if (isTooDeep(walk, type)) {
    walk.visit(type);
    return;
  }
  switch (tree.kind(type)) {
    case 'object_type':
      visitTypeMembers(walk, type, slot);
      return;
    case 'union_type':
    case 'intersection_type':
    case 'parenthesized_type':
    case 'array_type':
    case 'readonly_type':
    case 'tuple_type':
      for (const part of tree.namedChildren(type)) visitDefinedType(walk, part, slot);
      return;
    case 'generic_type': {
      const list = tree.child(type, 'type_arguments');
      visitIfPresent(walk, tree.child(type, 'name'));
      for (const part of tree.namedChildren(list)) visitDefinedType(walk, part, slot);
      return;
    }
    default:
      visitIfPresent(walk, type);
  }
}

export function visitTypeAlias(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const slot = walk.slotOf.get(node);
  if (slot === undefined) return;
  facts.within(slot, () =>
    walk.scopes.inside('class', () => {
      declareTypeParameters(walk, node, slot);
      visitIfPresent(walk, tree.child(node, 'type_parameters'));
      facts.setType(slot, declaredType(walk, slot, tree.child(node, 'value')));
    }),
  );
}

export function visitEnum(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const slot = walk.slotOf.get(node);
  if (slot === undefined) return;
  const { exported, visibility } = facts.definition(slot);
  facts.within(slot, () => {
    for (const member of tree.namedChildren(tree.child(node, 'body'))) {
      const nameNode = tree.kind(member) === 'enum_assignment' ? tree.child(member, 'name') : member;
      const name = propertyName(walk, nameNode);
      if (name === undefined) continue;
      const site = { name, kind: 'enum-member', suffix: 'term', nameNode, node: member } as const;
      const defined = facts.define({
        ...site,
        signature: tree.text(member),
        exported,
        visibility,
        hasBody: true,
        documentation: documentationAbove(tree, member),
      });
      facts.setType(defined, facts.instance(facts.slot(slot)));
      visitIfPresent(walk, tree.kind(member) === 'enum_assignment' ? tree.child(member, 'value') : -1);
    }
  });
}

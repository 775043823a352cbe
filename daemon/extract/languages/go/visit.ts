import type { ReferenceKind } from '../../../model/facts.ts';
import { maxDepth } from '../../builder.ts';
import { defineTypes } from './definitions.ts';
import { partOfInstantiation } from './type-arguments.ts';
import { bindReceiverParameters, bindTypeParameters, listOf, resultOf, typeOf } from './types.ts';
import { isInstantiation, valueAt, valuesFor } from './values.ts';
import { nameValue, type Walk } from './walk.ts';

/** Emits the references below a node in order, opening and closing blocks on the way. */
export function visit(walk: Walk, node: number): void {
  const { tree } = walk;
  if (node < 0 || tree.depth[node]! > maxDepth) return;
  switch (tree.kind(node)) {
    case 'function_declaration':
    case 'method_declaration':
      visitFunction(walk, node);
      return;
    case 'func_literal':
      walk.scopes.inside('function', () => {
        visitSignatureAndBody(walk, node);
      });
      return;
    case 'block':
    case 'if_statement':
    case 'for_statement':
    case 'expression_switch_statement':
    case 'expression_case':
    case 'default_case':
    case 'select_statement':
    case 'communication_case':
      walk.scopes.inside('block', () => visitChildren(walk, node));
      return;
    case 'type_switch_statement':
      visitTypeSwitch(walk, node);
      return;
    case 'short_var_declaration':
    case 'receive_statement':
    case 'range_clause':
      visitBinding(walk, node);
      return;
    case 'var_spec':
    case 'const_spec':
      visitSpec(walk, node);
      return;
    case 'type_spec':
    case 'type_alias':
      visitType(walk, node);
      return;
    case 'type_declaration':
      if (walk.facts.enclosing >= 0) defineTypes(walk, node, walk.facts.enclosing);
      visitChildren(walk, node);
      return;
    default:
      visitLeaf(walk, node);
      return;
  }
}

function visitLeaf(walk: Walk, node: number): void {
  const { tree } = walk;
  switch (tree.kind(node)) {
    case 'identifier':
    case 'type_identifier':
      referName(walk, node);
      return;
    case 'selector_expression':
      visitSelector(walk, node);
      return;
    case 'qualified_type':
      refer(walk, tree.child(node, 'name'), typeKindOf(walk, node), typeOf(walk, node));
      return;
    case 'composite_literal': {
      visit(walk, tree.child(node, 'type'));
      visitLiteral(walk, tree.child(node, 'body'), typeOf(walk, tree.child(node, 'type')), isKeyed(walk, node));
      return;
    }
    case 'parameter_declaration':
    case 'variadic_parameter_declaration':
    case 'field_declaration':
    case 'type_parameter_declaration':
      visit(walk, tree.child(node, 'type'));
      return;
    case 'method_elem':
      for (const part of ['parameters', 'result']) visit(walk, tree.child(node, part));
      return;
    case 'package_clause':
    case 'import_declaration':
    case 'label_name':
      return;
    default:
      visitChildren(walk, node);
      return;
  }
}

function visitChildren(walk: Walk, node: number): void {
  for (const child of walk.tree.namedChildren(node)) visit(walk, child);
}

function visitFunction(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  const slot = walk.slots.get(node) ?? -1;
  const visitParts = (): void =>
    scopes.inside('function', () => {
      bindTypeParameters(walk, tree.child(node, 'type_parameters'), slot);
      bindReceiverParameters(walk, tree.child(node, 'receiver'), slot);
      if (slot >= 0) facts.setType(slot, resultOf(walk, node));
      if (slot >= 0 && tree.child(node, 'type_parameters') >= 0) describeParameters(walk, node, slot);
      visitSignatureAndBody(walk, node);
    });
  if (slot < 0) visitParts();
  else facts.within(slot, visitParts);
}

/** Parameters are seen in the body alone: their types may bear the same names. */
function visitSignatureAndBody(walk: Walk, node: number): void {
  const { tree } = walk;
  for (const part of ['receiver', 'type_parameters', 'parameters', 'result']) visit(walk, tree.child(node, part));
  bindParameters(walk, node);
  visit(walk, tree.child(node, 'body'));
}

/** What a function takes tells what its type parameters stand for. */
function describeParameters(walk: Walk, node: number, slot: number): void {
  const { tree, facts } = walk;
  for (const one of tree.namedChildren(tree.child(node, 'parameters'))) {
    if (!/^(?:variadic_)?parameter_declaration$/.test(tree.kind(one))) continue;
    const type = facts.instance(typeOf(walk, tree.child(one, 'type')));
    const names = tree.childrenIn(one, 'name').filter(name => tree.isNamed(name)).length;
    for (let count = Math.max(1, names); count > 0; count--) facts.addSuper(slot, type < 0 ? facts.unknown() : type);
  }
}

function bindParameters(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  const found: (readonly [name: string, value: number])[] = [];
  for (const list of ['receiver', 'parameters', 'result']) {
    for (const one of tree.namedChildren(tree.child(node, list))) {
      if (!/^(?:variadic_)?parameter_declaration$/.test(tree.kind(one))) continue;
      const type = typeOf(walk, tree.child(one, 'type'));
      const value = facts.instance(tree.kind(one) === 'parameter_declaration' ? type : listOf(walk, type));
      for (const name of tree.childrenIn(one, 'name')) if (tree.isNamed(name)) found.push([tree.text(name), value]);
    }
  }
  for (const [name, value] of found) scopes.declare(name, value);
}

/** `a, b := …`, `case v := <-c`, `for k, v := range …`: the right side is looked at before the names exist. */
function visitBinding(walk: Walk, node: number): void {
  const { tree } = walk;
  const left = tree.child(node, 'left');
  const right = tree.child(node, 'right');
  visit(walk, right);
  const names = left < 0 ? [] : tree.namedChildren(left);
  const declares = tree.children(node).some(child => tree.kind(child) === ':=');
  if (!declares) {
    visit(walk, left);
    return;
  }
  const values = bindingValues(walk, node, names.length, right);
  names.forEach((name, index) => {
    if (tree.kind(name) !== 'identifier' || tree.text(name) === '_') return;
    walk.scopes.declare(tree.text(name), values[index]!());
  });
}

function bindingValues(walk: Walk, node: number, count: number, right: number): readonly (() => number)[] {
  const { tree, facts } = walk;
  if (tree.kind(node) !== 'range_clause') {
    const isList = tree.kind(right) === 'expression_list';
    return valuesFor(walk, count, isList ? tree.namedChildren(right) : [right]);
  }
  const element = (): number => facts.element(valueAt(walk, right));
  return count === 1 ? [element] : [() => -1, element];
}

function visitSpec(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  const names = tree.childrenIn(node, 'name').filter(name => tree.isNamed(name));
  const slot = walk.slots.get(names[0] ?? -1);
  const visitParts = (): void => {
    visit(walk, tree.child(node, 'type'));
    visit(walk, tree.child(node, 'value'));
  };
  if (facts.enclosing < 0) {
    if (slot !== undefined) facts.within(slot, visitParts);
    else if (!visitAssertion(walk, node)) visitParts();
    return;
  }
  visitParts();
  const type = tree.child(node, 'type');
  const values = valuesFor(walk, names.length, tree.namedChildren(tree.child(node, 'value')));
  names.forEach((name, index) => {
    scopes.declare(tree.text(name), type < 0 ? values[index]!() : facts.instance(typeOf(walk, type)));
  });
}

/** `var _ I = (*T)(nil)` has the compiler see to it that a type implements an interface: it is the type that does. */
function visitAssertion(walk: Walk, spec: number): boolean {
  const { tree, facts } = walk;
  const type = tree.child(spec, 'type');
  const value = tree.namedChildren(tree.child(spec, 'value'));
  const name = tree.kind(type) === 'qualified_type' ? tree.child(type, 'name') : type;
  const isName = tree.kind(name) === 'type_identifier';
  if (tree.text(tree.child(spec, 'name')) !== '_' || !isName || value.length !== 1) return false;
  const [slot] = facts.slotsNamed(-1, tree.text(typeMade(walk, value[0]!)));
  if (slot === undefined || !/^(?:struct|type)$/.test(facts.definition(slot).kind)) return false;
  facts.within(slot, () => refer(walk, name, 'implementation', typeOf(walk, type)));
  visit(walk, value[0]!);
  return true;
}

/** What names the type of a value that nobody looks at: `T{}`, `&T{}`, `new(T)`, `(*T)(nil)`, `T(0)`. */
function typeMade(walk: Walk, node: number): number {
  const { tree } = walk;
  switch (tree.kind(node)) {
    case 'parenthesized_expression':
    case 'parenthesized_type':
    case 'pointer_type':
      return typeMade(walk, tree.namedChildren(node)[0] ?? -1);
    case 'unary_expression':
      return typeMade(walk, tree.child(node, 'operand'));
    case 'composite_literal':
    case 'type_conversion_expression':
    case 'generic_type':
      return typeMade(walk, tree.child(node, 'type'));
    case 'call_expression': {
      const called = tree.child(node, 'function');
      const [given = -1] = tree.namedChildren(tree.child(node, 'arguments'));
      return typeMade(walk, tree.text(called) === 'new' ? given : called);
    }
    case 'identifier':
    case 'type_identifier':
      return node;
    default:
      return -1;
  }
}

function visitType(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  const slot = walk.slots.get(node) ?? -1;
  const visitParts = (): void =>
    scopes.inside('block', () => {
      bindTypeParameters(walk, tree.child(node, 'type_parameters'), slot);
      visit(walk, tree.child(node, 'type_parameters'));
      visit(walk, tree.child(node, 'type'));
    });
  if (slot < 0) visitParts();
  else facts.within(slot, visitParts);
}

/** In a case of one type, the switch's name has that type. */
function visitTypeSwitch(walk: Walk, node: number): void {
  const { tree, facts, scopes } = walk;
  scopes.inside('block', () => {
    const alias = tree.namedChildren(tree.child(node, 'alias'))[0] ?? -1;
    const value = tree.child(node, 'value');
    visit(walk, tree.child(node, 'initializer'));
    visit(walk, value);
    for (const one of tree.namedChildren(node)) {
      if (tree.kind(one) !== 'type_case' && tree.kind(one) !== 'default_case') continue;
      const types = tree.childrenIn(one, 'type').filter(type => tree.isNamed(type));
      scopes.inside('block', () => {
        const narrowed = types.length === 1 ? facts.instance(typeOf(walk, types[0]!)) : valueAt(walk, value);
        if (alias >= 0) scopes.declare(tree.text(alias), narrowed);
        visitChildren(walk, one);
      });
    }
  });
}

function visitSelector(walk: Walk, node: number): void {
  const { tree } = walk;
  visit(walk, tree.child(node, 'operand'));
  refer(walk, tree.child(node, 'field'), kindOf(walk, node), valueAt(walk, node));
}

/** Keys of a struct literal are its fields; elements without a type have that of the list around them. */
function visitLiteral(walk: Walk, body: number, type: number, keyed: 'fields' | 'values'): void {
  const { tree, facts } = walk;
  if (body < 0 || tree.depth[body]! > maxDepth) return;
  const element = facts.element(facts.instance(type));
  const visitElement = (one: number): void => {
    const inner = tree.firstChild(one);
    if (tree.kind(inner) === 'literal_value') visitLiteral(walk, inner, element, 'fields');
    else visit(walk, inner);
  };
  for (const one of tree.namedChildren(body)) {
    if (tree.kind(one) === 'literal_element') visitElement(one);
    if (tree.kind(one) !== 'keyed_element') continue;
    const key = tree.child(one, 'key');
    const name = tree.firstChild(key);
    if (keyed === 'fields' && tree.kind(name) === 'identifier') {
      refer(walk, name, 'write', facts.member(facts.instance(type), tree.text(name)));
    } else visitElement(key);
    visitElement(tree.child(one, 'value'));
  }
}

function isKeyed({ tree }: Walk, literal: number): 'fields' | 'values' {
  return /^(?:map|slice|array|implicit_length_array)_type$/.test(tree.kind(tree.child(literal, 'type')))
    ? 'values'
    : 'fields';
}

const constants = new Set(['nil', 'true', 'false', 'iota', '_']);

function referName(walk: Walk, node: number): void {
  const { tree, scopes } = walk;
  const name = tree.text(node);
  if (walk.sites.has(node) || constants.has(name)) return;
  const found = scopes.resolve(name);
  if (found?.kind === 'local' || (found !== undefined && walk.packages.has(name))) return;
  const kind = tree.kind(node) === 'type_identifier' ? typeKindOf(walk, node) : kindOf(walk, node);
  refer(walk, node, kind, nameValue(walk, node));
}

function refer(walk: Walk, node: number, kind: ReferenceKind, expression: number): void {
  if (node >= 0) walk.facts.refer(node, kind, expression);
}

/** The use of what looks like a type's name. */
function typeKindOf(walk: Walk, node: number): ReferenceKind {
  const { tree } = walk;
  const generic = tree.parent[node]!;
  if (isEmbedded(walk, node)) return 'implementation';
  return tree.field(node) === 'type' && isInstantiation(walk, tree.parent[generic] ?? -1) ? 'call' : 'type';
}

/** Whether it names what the type around it embeds: a field without a name, an interface among what another asks for. */
function isEmbedded({ tree, facts, slots }: Walk, node: number): boolean {
  let at = node;
  while (/^(?:qualified_type|generic_type|pointer_type)$/.test(tree.kind(tree.parent[at]!))) at = tree.parent[at]!;
  const holder = tree.parent[at]!;
  const isField = tree.kind(holder) === 'field_declaration' && tree.child(holder, 'name') < 0;
  const isElement = tree.kind(holder) === 'type_elem' && tree.namedChildren(holder).length === 1;
  if (!isField && !isElement) return false;
  const type = isField ? tree.parent[tree.parent[holder]!]! : tree.parent[holder]!;
  return (
    facts.enclosing >= 0 &&
    slots.get(type) === facts.enclosing &&
    /^(?:struct|interface)$/.test(facts.definition(facts.enclosing).kind)
  );
}

function kindOf(walk: Walk, node: number): ReferenceKind {
  const { tree } = walk;
  const holder = tree.parent[node]!;
  switch (tree.kind(holder)) {
    case 'call_expression':
      return tree.field(node) === 'function' ? 'call' : 'read';
    case 'index_expression':
    case 'unary_expression': {
      const part = partOfInstantiation(walk, node);
      return part === 'function' ? 'call' : (part ?? 'read');
    }
    case 'inc_statement':
    case 'dec_statement':
      return 'write';
    case 'expression_list':
      return tree.field(holder) === 'left' && tree.kind(tree.parent[holder]!) === 'assignment_statement'
        ? 'write'
        : 'read';
    default:
      return 'read';
  }
}

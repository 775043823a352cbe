import type { ReferenceKind } from '../../../model/facts.ts';
import { visitAssignedField } from './assigned-fields.ts';
import { visitAssignedFunction } from './assigned-functions.ts';
import { calleeOf, operandsBefore } from './callee.ts';
import { expect, isFunction, literalText, named, propertyName, type Walk } from './context.ts';
import { noteModuleValue } from './escapes.ts';
import { visitCommonExport } from './exports.ts';
import { visitFunction } from './functions.ts';
import { noteNamedModule } from './named-modules.ts';
import { importedModule, requiredModule, visitRequire } from './required-modules.ts';
import { evidentValue } from './values.ts';

/** Methods whose callback gets the receiver's elements, by the position of that parameter. */
const elementCallbacks: Readonly<Record<string, readonly number[]>> = {
  forEach: [0],
  map: [0],
  filter: [0],
  find: [0],
  findIndex: [0],
  findLast: [0],
  findLastIndex: [0],
  some: [0],
  every: [0],
  flatMap: [0],
  sort: [0, 1],
  toSorted: [0, 1],
  reduce: [1],
  reduceRight: [1],
};

export function visitCall(walk: Walk, node: number): void {
  const { tree } = walk;
  const callee = calleeOf(tree, node);
  for (const operand of operandsBefore(tree, node)) walk.visit(operand);
  const specifier = requiredModule(walk, node);
  if (specifier !== undefined) {
    noteModuleValue(walk, node, walk.facts.imported(importedModule(walk, specifier, node)));
    visitRequire(walk, node);
  } else if (tree.kind(callee) === 'super') referToBase(walk, callee);
  else refer(walk, callee, 'call');
  const types = tree.child(node, 'type_arguments');
  if (types >= 0) walk.visit(types);
  const list = tree.child(node, 'arguments');
  if (list < 0) return;
  noteNamedModule(walk, node, callee);
  tellCallbacks(walk, callee, list);
  tellArguments(walk, callee, list);
  walk.visit(list);
}

/** `super(…)` is a call of the base, under the name that `extends` gives it. */
function referToBase({ tree, facts, classSlot }: Walk, node: number): void {
  let type = node;
  while (type >= 0 && !/^(?:abstract_)?class(?:_declaration)?$/.test(tree.kind(type))) type = tree.parent[type]!;
  const heritage = tree.childOfKind(type, 'class_heritage');
  const clause = tree.childOfKind(heritage, 'extends_clause');
  const base = clause < 0 ? (tree.namedChildren(heritage)[0] ?? -1) : tree.child(clause, 'value');
  const name = tree.kind(base) === 'member_expression' ? tree.child(base, 'property') : base;
  const isNamed = /identifier$/.test(tree.kind(name));
  facts.refer(node, 'call', facts.superOf(classSlot), isNamed ? tree.text(name) : 'super');
}

/** Gives object, array and function arguments what the callee's parameters take. */
function tellArguments(walk: Walk, callee: number, list: number): void {
  const { tree, facts } = walk;
  let position = 0;
  for (const argument of tree.namedChildren(list)) {
    const kind = tree.kind(argument);
    if (kind === 'comment') continue;
    const isOpen =
      isFunction(kind) || /^(?:object|array|ternary_expression|as_expression|satisfies_expression)$/.test(kind);
    if (isOpen) expect(walk, argument, facts.parameter(calledValue(walk, callee), position));
    position++;
  }
}

/** `super(…)` takes what the base's constructor takes. */
function calledValue(walk: Walk, callee: number): number {
  const isBase = walk.tree.kind(callee) === 'super';
  return isBase ? walk.facts.superOf(walk.classSlot) : evidentValue(walk, callee);
}

export function visitNew(walk: Walk, node: number): void {
  const { tree } = walk;
  const callee = tree.child(node, 'constructor');
  refer(walk, callee, 'call');
  noteNamedModule(walk, node, callee);
  tellArguments(walk, callee, tree.child(node, 'arguments'));
  for (const child of tree.namedChildren(node)) if (child !== callee) walk.visit(child);
}

/** `new this()`, where that is the class itself, makes a value of it: under the class's name, for what is called `this` makes none. */
function referToOwnClass({ facts, classSlot, thisValue }: Walk, node: number): void {
  if (classSlot < 0 || thisValue !== facts.slot(classSlot)) return;
  facts.refer(node, 'call', thisValue, facts.definition(classSlot).name);
}

/** Gives the parameters of callbacks the type that the call around them makes evident. */
function tellCallbacks(walk: Walk, callee: number, list: number): void {
  const { tree, facts } = walk;
  if (tree.kind(callee) !== 'member_expression') return;
  const method = tree.text(tree.child(callee, 'property'));
  const callback = tree.namedChildren(list).find(argument => isFunction(tree.kind(argument)));
  if (callback === undefined) return;
  const receiver = tree.child(callee, 'object');
  if (method === 'then') walk.parameterTypes.set(callback, [facts.awaited(evidentValue(walk, receiver))]);
  else if (Object.hasOwn(elementCallbacks, method)) {
    // A map gives its values there, and pairs where it is iterated over.
    const of = evidentValue(walk, receiver);
    const iterated = facts.element(of);
    const values = facts.element(facts.call(facts.member(of, 'values')));
    const element = method === 'forEach' ? facts.either(values, iterated) : iterated;
    const types: number[] = [];
    for (const position of elementCallbacks[method]!) types[position] = element;
    walk.parameterTypes.set(callback, types);
  }
}

export function visitMemberAccess(walk: Walk, node: number): void {
  refer(walk, node, 'read');
}

/** `@name`, without brackets, calls what it names as `@name()` does. */
export function visitDecorator(walk: Walk, node: number): void {
  refer(walk, walk.tree.namedChildren(node).at(-1) ?? -1, 'call');
}

/** Refers to what a callee, a tag or an assignment target names, in the given role, and walks the rest of it. */
export function refer(walk: Walk, node: number, kind: ReferenceKind): void {
  const { tree, facts } = walk;
  switch (tree.kind(node)) {
    case 'identifier': {
      const name = tree.text(node);
      const found = walk.scopes.resolve(name);
      if (found?.kind !== 'local') facts.refer(node, kind, named(walk, name));
      return;
    }
    case 'member_expression':
    case 'nested_identifier': {
      walk.visit(tree.child(node, 'object'));
      const property = tree.child(node, 'property');
      if (property >= 0) facts.refer(property, kind, evidentValue(walk, node));
      return;
    }
    case 'subscript_expression': {
      walk.visit(tree.child(node, 'object'));
      const index = tree.child(node, 'index');
      const name = literalText(walk, index);
      if (name === undefined) walk.visit(index);
      else facts.refer(index, kind, evidentValue(walk, node), name);
      return;
    }
    case 'non_null_expression':
    case 'parenthesized_expression':
    case 'as_expression':
    case 'satisfies_expression':
    case 'type_assertion':
    case 'sequence_expression':
      referInside(walk, node, kind);
      return;
    case 'this':
      if (kind === 'call') referToOwnClass(walk, node);
      return;
    default:
      if (node >= 0) walk.visit(node);
  }
}

/** Of what is asserted to be of a type, or given behind a comma, the value plays the role: `(f as T)()`, `(0, f)()`. */
function referInside(walk: Walk, node: number, kind: ReferenceKind): void {
  const { tree } = walk;
  const parts = tree.namedChildren(node).filter(child => tree.kind(child) !== 'comment');
  const isLast = /^(?:sequence_expression|type_assertion)$/.test(tree.kind(node));
  const value = parts.at(isLast ? -1 : 0);
  for (const part of parts) {
    if (part === value) refer(walk, part, kind);
    else walk.visit(part);
  }
}

/** `a = b`, `a += b`, `a++`; and in CommonJS what the file exports. */
export function visitAssignment(walk: Walk, node: number): void {
  const { tree } = walk;
  const isAssigned = tree.kind(node) === 'assignment_expression';
  if (isAssigned && [visitCommonExport, visitAssignedField, visitAssignedFunction].some(visit => visit(walk, node)))
    return;
  if (tree.kind(node) === 'update_expression') {
    refer(walk, tree.child(node, 'argument'), 'write');
    return;
  }
  const left = tree.child(node, 'left');
  if (/_pattern$/.test(tree.kind(left))) walk.visitChildren(left);
  else refer(walk, left, 'write');
  const right = tree.child(node, 'right');
  if (/^(?:object|array|arrow_function|function_expression)$/.test(tree.kind(right))) {
    expect(walk, right, evidentValue(walk, left));
  }
  walk.visit(right);
}

/** An object in the middle of code: its keys are no definitions, but refer to the members of what is expected there. */
export function visitObject(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const expected = walk.expected.get(node) ?? -1;
  for (const child of tree.namedChildren(node)) {
    const kind = tree.kind(child);
    const isPair = kind === 'pair';
    const key = isPair ? tree.child(child, 'key') : kind === 'method_definition' ? tree.child(child, 'name') : child;
    const name = propertyName(walk, key);
    const member = name === undefined ? -1 : facts.member(expected, name);
    if (tree.kind(key) === 'computed_property_name') walk.visit(key);
    else if (member >= 0) facts.refer(key, 'write', member, name);
    if (isPair) {
      expect(walk, tree.child(child, 'value'), member);
      walk.visit(tree.child(child, 'value'));
    } else {
      if (kind === 'method_definition' && member >= 0) walk.expected.set(child, member);
      if (kind === 'method_definition') visitFunction(walk, child, -1, -1);
      else walk.visit(child);
    }
  }
}

export function visitArray(walk: Walk, node: number): void {
  const expected = walk.expected.get(node) ?? -1;
  for (const child of walk.tree.namedChildren(node)) {
    expect(walk, child, walk.facts.element(expected));
    walk.visit(child);
  }
}

/** `x as T`, `x satisfies T` */
export function visitAsserted(walk: Walk, node: number): void {
  const { tree } = walk;
  const [value = -1, type = -1] = tree.namedChildren(node);
  expect(walk, value, walk.typeValue(type));
  walk.visitChildren(node);
}

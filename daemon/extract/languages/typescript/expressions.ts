import type { ReferenceKind } from '../../../model/facts.ts';
import { isFunction, literalText, named, type Walk } from './context.ts';
import { visitCommonExport } from './modules.ts';
import { evidentValue, importedModule, requiredModule } from './values.ts';

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
  const callee = tree.child(node, 'function');
  const specifier = requiredModule(walk, node);
  if (specifier !== undefined) importedModule(walk, specifier, node);
  else refer(walk, callee, 'call');
  const types = tree.child(node, 'type_arguments');
  if (types >= 0) walk.visit(types);
  const list = tree.child(node, 'arguments');
  if (list < 0) return;
  tellCallbacks(walk, callee, list);
  walk.visit(list);
}

export function visitNew(walk: Walk, node: number): void {
  const { tree } = walk;
  const callee = tree.child(node, 'constructor');
  refer(walk, callee, 'call');
  for (const child of tree.namedChildren(node)) if (child !== callee) walk.visit(child);
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
    const element = facts.element(evidentValue(walk, receiver));
    const types: number[] = [];
    for (const position of elementCallbacks[method]!) types[position] = element;
    walk.parameterTypes.set(callback, types);
  }
}

export function visitMemberAccess(walk: Walk, node: number): void {
  refer(walk, node, 'read');
}

/** Refers to what a callee or assignment target names, in the given role, and walks the rest of it. */
function refer(walk: Walk, node: number, kind: ReferenceKind): void {
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
    case 'parenthesized_expression': {
      const [inner = -1] = tree.namedChildren(node);
      if (inner >= 0) refer(walk, inner, kind);
      return;
    }
    default:
      if (node >= 0) walk.visit(node);
  }
}

/** `a = b`, `a += b`, `a++`; and in CommonJS what the file exports. */
export function visitAssignment(walk: Walk, node: number): void {
  const { tree } = walk;
  if (tree.kind(node) === 'assignment_expression' && visitCommonExport(walk, node)) return;
  if (tree.kind(node) === 'update_expression') {
    refer(walk, tree.child(node, 'argument'), 'write');
    return;
  }
  const left = tree.child(node, 'left');
  if (/_pattern$/.test(tree.kind(left))) walk.visitChildren(left);
  else refer(walk, left, 'write');
  walk.visit(tree.child(node, 'right'));
}

/** An object in the middle of code: its keys are no definitions. */
export function visitObject(walk: Walk, node: number): void {
  const { tree } = walk;
  for (const child of tree.namedChildren(node)) {
    if (tree.kind(child) === 'pair') {
      const key = tree.child(child, 'key');
      if (tree.kind(key) === 'computed_property_name') walk.visit(key);
      walk.visit(tree.child(child, 'value'));
    } else walk.visit(child);
  }
}

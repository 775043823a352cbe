import { referOperator } from '../../operators.ts';
import { valueAt } from './values.ts';
import { calledLocal, nameOf, type Walk } from './walk.ts';

/** Functions that stand for operators between two values, by their signs. */
const functions: ReadonlyMap<string, string> = new Map([
  ...[['+', 'plus'] as const, ['-', 'minus'] as const, ['*', 'times'] as const, ['/', 'div'] as const],
  ...[['%', 'rem'] as const, ['..', 'rangeTo'] as const, ['..<', 'rangeUntil'] as const],
  ...['<', '>', '<=', '>='].map(sign => [sign, 'compareTo'] as const),
]);

/** `a + b` calls `a.plus(b)`. */
export function referBinary(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const sign = tree.children(node)[1] ?? -1;
  const name = functions.get(tree.text(sign));
  if (name === undefined) return;
  const [left, right] = ['left', 'right'].map(side => valueAt(walk, tree.child(node, side)));
  referOperator(facts, sign, name, left!, [right!]);
}

/** `a[i]` calls `a.get(i)`, `a[i] = v` calls `a.set(i, v)`. */
export function referIndex(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const [of = -1, ...indexes] = tree.namedChildren(node);
  const sign = tree.children(node).find(child => tree.kind(child) === '[') ?? -1;
  const holder = tree.parent[node]!;
  const isSet = tree.kind(holder) === 'assignment' && tree.field(node) === 'left';
  const passed = indexes.map(one => valueAt(walk, one));
  const value = isSet ? [valueAt(walk, tree.child(holder, 'right'))] : [];
  referOperator(facts, sign, isSet ? 'set' : 'get', valueAt(walk, of), [...passed, ...value]);
}

/** `a(b)` of a local calls `a.invoke(b)`, where the file has its class: another type may be a function's. */
export function referInvoked(walk: Walk, nameNode: number, passed: () => readonly number[]): void {
  const { facts } = walk;
  const local = calledLocal(walk, nameOf(walk, nameNode));
  const value = local?.kind === 'local' ? facts.expressions[local.expression] : undefined;
  const type = value?.op === 'instance' ? facts.expressions[value.of] : undefined;
  if (local === undefined || type?.op !== 'slot' || facts.definition(type.slot).kind === 'type') return;
  referOperator(facts, nameNode, 'invoke', local.expression, passed());
}

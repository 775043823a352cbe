import { type Call, passedValues } from './calls.ts';
import { isOfCertainClass, isOfClass } from './class-values.ts';
import { valueAt } from './values.ts';
import { calledLocal, nameOf, type Walk } from './walk.ts';

/** Functions that stand for operators between two values, by their signs. */
const between: ReadonlyMap<string, string> = new Map([
  ...[['+', 'plus'] as const, ['-', 'minus'] as const, ['*', 'times'] as const, ['/', 'div'] as const],
  ...[['%', 'rem'] as const, ['..', 'rangeTo'] as const, ['..<', 'rangeUntil'] as const],
  ...['<', '>', '<=', '>='].map(sign => [sign, 'compareTo'] as const),
]);

const beside: ReadonlyMap<string, string> = new Map([
  ...[['+', 'unaryPlus'] as const, ['-', 'unaryMinus'] as const, ['!', 'not'] as const],
  ...[['++', 'inc'] as const, ['--', 'dec'] as const],
]);

/**
 * A call of the function that a class has for an operator, at `sign`: where the file tells which class the value is of. Of
 * any other value, and of the language's own types, nothing is said.
 */
function referOperator({ facts }: Walk, sign: number, name: string, receiver: number, passed: readonly number[]): void {
  if (sign < 0 || !isOfClass(facts, receiver)) return;
  facts.refer(sign, 'call', facts.overload(facts.member(receiver, name), passed), name);
}

/** `a + b` calls `a.plus(b)`. */
export function referBinary(walk: Walk, node: number): void {
  const { tree } = walk;
  const [left = -1, sign = -1, right = -1] = tree.children(node);
  const name = between.get(tree.text(sign));
  if (name !== undefined) referOperator(walk, sign, name, valueAt(walk, left), [valueAt(walk, right)]);
}

/** `-a` calls `a.unaryMinus()`, `a++` calls `a.inc()`. */
export function referUnary(walk: Walk, node: number): void {
  const { tree } = walk;
  const sign = tree.child(node, 'operator');
  const name = beside.get(tree.text(sign));
  if (name !== undefined) referOperator(walk, sign, name, valueAt(walk, tree.child(node, 'argument')), []);
}

/** `a in b` calls `b.contains(a)`, as `in b` does where `a` is what is looked at. */
export function referContains(walk: Walk, node: number): void {
  const { tree } = walk;
  const sign = tree.children(node).find(child => /^!?in$/.test(tree.kind(child))) ?? -1;
  const parts = tree.namedChildren(node);
  const passed = parts.length > 1 ? valueAt(walk, parts[0]!) : -1;
  referOperator(walk, sign, 'contains', valueAt(walk, parts.at(-1) ?? -1), [passed]);
}

/** `a += b` calls `a.plusAssign(b)`, or `a.plus(b)`: no value may have both. */
export function referAssignment(walk: Walk, node: number): void {
  const { tree } = walk;
  const sign = tree.child(node, 'operator');
  const name = between.get(tree.text(sign).replace(/=$/, ''));
  if (name === undefined) return;
  const [left, right] = ['left', 'right'].map(side => valueAt(walk, tree.child(node, side)));
  for (const one of [`${name}Assign`, name]) referOperator(walk, sign, one, left!, [right!]);
}

/** `a[i]` calls `a.get(i)`, `a[i] = v` calls `a.set(i, v)`, and `a[i] += v` both. */
export function referIndex(walk: Walk, node: number): void {
  const { tree } = walk;
  const [of = -1, ...indexes] = tree.namedChildren(node);
  const sign = tree.children(node).find(child => tree.kind(child) === '[') ?? -1;
  const holder = tree.parent[node]!;
  const receiver = valueAt(walk, of);
  const passed = indexes.map(one => valueAt(walk, one));
  const operator = tree.field(node) === 'left' ? tree.text(tree.child(holder, 'operator')) : '';
  const isAssigned = tree.kind(holder) === 'assignment' && operator !== '';
  if (!isAssigned || operator !== '=') referOperator(walk, sign, 'get', receiver, passed);
  const value = operator === '=' ? valueAt(walk, tree.child(holder, 'right')) : -1;
  if (isAssigned) referOperator(walk, sign, 'set', receiver, [...passed, value]);
}

/** `for (a in b)` calls `b.iterator()`. */
export function referIterator(walk: Walk, loop: number, value: number): void {
  referOperator(walk, walk.tree.childOfKind(loop, 'in'), 'iterator', value, []);
}

/** `val (a, b) = c` calls `c.component1()` and `c.component2()`. */
export function referPart(walk: Walk, variable: number, name: string, value: number): void {
  const nameNode = walk.tree.childOfKind(variable, 'identifier');
  if (nameOf(walk, nameNode) !== '_') referOperator(walk, nameNode, name, value, []);
}

/** `a(b)` of a local calls `a.invoke(b)`, where its class is known: another type may be a function's. */
export function referInvoked(walk: Walk, nameNode: number, call: Call): void {
  const { facts } = walk;
  const local = calledLocal(walk, nameOf(walk, nameNode));
  if (local?.kind !== 'local' || !isOfCertainClass(facts, local.expression)) return;
  referOperator(walk, nameNode, 'invoke', local.expression, passedValues(walk, call));
}

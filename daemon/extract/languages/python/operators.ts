import { isOfClass, referOperator } from '../../operators.ts';
import type { Scope } from './scopes.ts';
import type { Walk } from './walk.ts';

/** Methods that stand for operators, by their signs. */
const methods: ReadonlyMap<string, string> = new Map(
  '+ add,- sub,* mul,/ truediv,// floordiv,% mod,** pow,@ matmul,& and,| or,^ xor,<< lshift,>> rshift'
    .split(',')
    .map(one => one.split(' ') as [string, string]),
);

/** `a + b` calls `a.__add__(b)`. */
export function referBinary({ tree, facts, values }: Walk, node: number, scope: Scope): void {
  const sign = tree.child(node, 'operator');
  const method = methods.get(tree.text(sign));
  if (method === undefined) return;
  const [left, right] = ['left', 'right'].map(side => values.valueAt(tree.child(node, side), scope));
  referOperator(facts, sign, `__${method}__`, left!, [right!]);
}

/** `a[i]` calls `a.__getitem__(i)`, or what sets or deletes an item. */
export function referSubscript({ tree, facts, values }: Walk, node: number, scope: Scope): void {
  const receiver = values.valueAt(tree.child(node, 'value'), scope);
  if (!isOfClass(facts.expressions, receiver)) return;
  const sign = tree.children(node).find(child => tree.kind(child) === '[') ?? -1;
  const holder = tree.parent[node]!;
  const isSet = /assignment$/.test(tree.kind(holder)) && tree.field(node) === 'left';
  const name = tree.kind(holder) === 'delete_statement' ? 'delitem' : isSet ? 'setitem' : 'getitem';
  referOperator(facts, sign, `__${name}__`, receiver, []);
}

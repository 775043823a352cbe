import type { FactsBuilder } from '../../builder.ts';
import { isOfClass, referOperator } from '../../operators.ts';
import { managersCalls } from './managers.ts';
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

/** `with a:` calls `a.__enter__()` and `a.__exit__()`, both said to be where the statement begins. */
export function referManager({ tree, facts, values }: Walk, item: number, scope: Scope): void {
  const calls = managersCalls(tree, item);
  if (calls === undefined) return;
  const inner = tree.firstChild(item);
  const value = tree.kind(inner) === 'as_pattern' ? tree.firstChild(inner) : inner;
  const manager = values.valueAt(value, scope);
  if (!isOfClass(facts.expressions, manager) && !isMadeByClass(facts, manager)) return;
  for (const name of [calls.enter, calls.exit]) facts.refer(calls.sign, 'call', facts.member(manager, name), name);
}

/** Whether a class is called for a value, or a method of one, as far as the file and the custom of names tell. */
function isMadeByClass(facts: FactsBuilder, value: number): boolean {
  const { expressions } = facts;
  const one = expressions[value];
  const called = one?.op === 'call' ? expressions[one.of] : undefined;
  if (one?.op !== 'call' || called === undefined) return false;
  switch (called.op) {
    case 'slot':
      return true;
    case 'import':
      return isClassName(facts.importAt(one.of)?.name ?? '');
    case 'free':
      return isClassName(called.name);
    case 'member':
      return isClassName(called.name) || isOfClass(expressions, called.of);
    default:
      return false;
  }
}

function isClassName(name: string): boolean {
  return /^_{0,2}[A-Z]/.test(name);
}

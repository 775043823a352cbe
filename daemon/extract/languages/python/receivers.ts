import { ofReceiverPosition, receiverPosition } from '../../../model/facts.ts';
import type { Scope } from './scopes.ts';
import type { Walk } from './walk.ts';

/** A chain of calls is followed to its begin over at most so many nodes. */
const maxChain = 30;

/**
 * What a method returns, where that depends on what it is called on: `self`, `cls(…)`, `self.other()`, or a local that
 * holds one of them. Anything else is what it is.
 */
export function returnedValue(walk: Walk, slot: number, value: number, scope: Scope): number {
  const { facts, values } = walk;
  const own = values.valueAt(value, scope);
  if (scope.receiver === undefined) return own;
  const { container, kind } = facts.definition(slot);
  if (container !== scope.receiver.classSlot || kind !== 'method') return own;
  const found = fromReceiver(walk, value, scope, scope.receiver, 0);
  return found < 0 ? own : facts.either(found, own);
}

function fromReceiver(walk: Walk, node: number, scope: Scope, receiver: Receiver, steps: number): number {
  const { tree, facts, values } = walk;
  if (steps > maxChain) return -1;
  const inner = (child: number): number => fromReceiver(walk, child, scope, receiver, steps + 1);
  switch (tree.kind(node)) {
    case 'identifier':
      if (tree.text(node) === receiver.name) return facts.argument(receiver.classSlot, receiverPosition);
      return inner(assignedOnce(walk, tree.text(node), scope));
    case 'call': {
      const callee = tree.child(node, 'function');
      if (isClassOfReceiver(walk, callee, receiver)) return facts.argument(receiver.classSlot, ofReceiverPosition);
      if (tree.kind(callee) !== 'attribute') return -1;
      const object = tree.child(callee, 'object');
      const on = inner(object);
      if (on < 0) return -1;
      const method = facts.member(
        facts.either(on, values.valueAt(object, scope)),
        tree.text(tree.child(callee, 'attribute')),
      );
      return facts.call(method);
    }
    default:
      return -1;
  }
}

type Receiver = NonNullable<Scope['receiver']>;

/** `self.__class__`, `type(self)`, and what a class method takes. */
function isClassOfReceiver({ tree }: Walk, callee: number, { name }: Receiver): boolean {
  const text = tree.text(callee).slice(0, 80);
  return text === name || text === `${name}.__class__` || text === `type(${name})`;
}

/** What a local is given that is given one value alone. */
function assignedOnce({ tree }: Walk, name: string, scope: Scope): number {
  const [binding, another] = scope.names.get(name) ?? [];
  if (binding === undefined || another !== undefined) return -1;
  const holder = tree.parent[binding.node]!;
  if (holder < 0 || tree.kind(holder) !== 'assignment' || tree.child(holder, 'type') >= 0) return -1;
  return tree.child(holder, 'left') === binding.node ? tree.child(holder, 'right') : -1;
}

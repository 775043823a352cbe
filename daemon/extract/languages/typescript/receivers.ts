import { ofReceiverPosition, receiverPosition } from '../../../model/facts.ts';
import { calleeOf } from './callee.ts';
import type { Walk } from './context.ts';
import { evidentValue } from './values.ts';

/** A chain of calls is followed to its begin over at most so many nodes. */
const maxChain = 60;

/** `this` as a type: in a class an instance of whatever class the receiver is of. */
export function thisType(walk: Walk): number {
  const { facts, classSlot, thisValue } = walk;
  if (classSlot < 0 || thisValue !== facts.instance(facts.slot(classSlot))) return thisValue;
  return facts.either(facts.argument(classSlot, ofReceiverPosition), thisValue);
}

/** What a function returns: in a method what begins with `this` depends on what the method is called on. */
export function returnedValue(walk: Walk, value: number): number {
  const { tree, facts, classSlot } = walk;
  const own = evidentValue(walk, value);
  if (!isMethodOfClass(walk)) return own;
  if (tree.kind(value) === 'new_expression' && tree.kind(tree.child(value, 'constructor')) === 'this') {
    return facts.either(facts.argument(classSlot, ofReceiverPosition), own);
  }
  if (!beginsWithThis(walk, value)) return own;
  const outer = walk.thisValue;
  walk.thisValue = facts.either(facts.argument(classSlot, receiverPosition), outer);
  const found = evidentValue(walk, value);
  walk.thisValue = outer;
  return found;
}

function isMethodOfClass({ facts, classSlot, thisValue, returning }: Walk): boolean {
  if (classSlot < 0 || returning.slot < 0) return false;
  const { container, kind } = facts.definition(returning.slot);
  const self = facts.slot(classSlot);
  return container === classSlot && kind === 'method' && (thisValue === self || thisValue === facts.instance(self));
}

function beginsWithThis({ tree }: Walk, value: number): boolean {
  let at = value;
  for (let step = 0; step < maxChain && at >= 0; step++) {
    switch (tree.kind(at)) {
      case 'this':
        return true;
      case 'call_expression':
        at = calleeOf(tree, at);
        break;
      case 'member_expression':
        at = tree.child(at, 'object');
        break;
      case 'await_expression':
      case 'parenthesized_expression':
      case 'non_null_expression':
        at = tree.namedChildren(at)[0] ?? -1;
        break;
      default:
        return false;
    }
  }
  return false;
}

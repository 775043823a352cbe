import { ofReceiverPosition, receiverPosition } from '../model/facts.ts';
import { either } from './options.ts';
import { isType, roleOf } from './roles.ts';
import type { DefinitionValue, Value } from './values.ts';

/** A value of a type; a value stays what it is. */
export function instance(of: Value): Value {
  switch (of.kind) {
    case 'instance':
    case 'function':
    case 'method':
      return of;
    case 'variable':
      if (of.position === receiverPosition) return { ...of, position: ofReceiverPosition };
      return isReceiver(of) ? of : { kind: 'instance', of };
    case 'either': {
      const types = of.options.filter(one => isType(one) || one.kind === 'variable');
      const options = (types.some(isType) ? types : of.options).map(instance);
      return options.length === 1 ? options[0]! : { kind: 'either', options };
    }
    case 'definition':
      return roleOf(of) === 'value' ? of : { kind: 'instance', of };
    case 'applied':
      return of.of.kind === 'function' ? of : { kind: 'instance', of };
    case 'external':
    case 'module':
    case 'scope':
      return { kind: 'instance', of };
  }
}

/** A type that has members of its own besides what it is built from mentions itself. */
export function isSelf(of: DefinitionValue, value: Value): boolean {
  const inner = value.kind === 'instance' ? value.of : value;
  return inner.kind === 'definition' && inner.tail === of.tail && inner.scope === of.scope;
}

/** Does a value stand for what a method is called on, whatever that is? */
export function isReceiver(value: Value): boolean {
  return value.kind === 'variable' && (value.position === receiverPosition || value.position === ofReceiverPosition);
}

/** What bounds a type parameter, where the parameter stands beside it and nothing says what it is; else the value itself. */
export function bounded(value: Value): Value {
  if (value.kind !== 'either') return value;
  const isOpen = (one: Value): boolean =>
    (one.kind === 'instance' ? one.of : one).kind === 'variable' && !isReceiver(one);
  return either(value.options.filter(one => !isOpen(one))) ?? value;
}

export function apply(of: Value, argument: Value | undefined): Value {
  if (of.kind === 'either') return apply(of.options.find(isType) ?? of.options[0]!, argument);
  if (of.kind === 'applied') return { kind: 'applied', of: of.of, arguments: [...of.arguments, argument] };
  return { kind: 'applied', of, arguments: [argument] };
}

/** The type of a value, without its arguments; a type is its own. */
export function bareType(value: Value | undefined): Value | undefined {
  const type = value?.kind === 'instance' ? value.of : value;
  return type?.kind === 'applied' ? type.of : type;
}

import type { MountedDocument } from '../model/document.ts';
import { receiverPosition } from '../model/facts.ts';
import type { Definitions } from './definitions.ts';
import { ownerOf } from './environments.ts';
import { instance, isReceiver } from './instances.ts';
import { either, isKnown, then } from './options.ts';
import type { Value } from './values.ts';

/** What a method gives is looked into no deeper than this: `Promise<Map<string, this>>`. */
const maxNesting = 4;

/** What a method gives, called on what `receiver` tells: `this` and `Self` are of the receiver's own class. */
export function received(value: Value | undefined, receiver: () => Value | undefined): Value | undefined {
  if (value === undefined || !mentionsReceiver(value, 0)) return value;
  const on = receiver();
  return on === undefined ? value : putIn(value, on);
}

interface Sources {
  evaluate(document: MountedDocument, index: number): Value | undefined;
  readonly definitions: Definitions;
  /** Of what a method is that a name alone denotes. */
  ofName(document: MountedDocument, name: string): Value | undefined;
}

/** What the method that an expression denotes is called on; by way of `super` it is the class that says so. */
export function receiverOf(document: MountedDocument, index: number, sources: Sources): Value | undefined {
  const { evaluate, definitions } = sources;
  const { expressions } = document.facts;
  const one = expressions[index]!;
  switch (one.op) {
    case 'generic':
    case 'overload':
      return receiverOf(document, one.of, sources);
    case 'otherwise': {
      const isFirst = isKnown(evaluate(document, one.of));
      return receiverOf(document, isFirst ? one.of : one.other, sources);
    }
    case 'free':
      return sources.ofName(document, one.name);
    case 'member': {
      const of = expressions[one.of]!;
      const above = of.op === 'instance' ? expressions[of.of]! : of;
      if (above.op !== 'super') return evaluate(document, one.of);
      return then(definitions.at(document, above.slot), own => (above === of ? own : instance(own)));
    }
    default:
      return undefined;
  }
}

function mentionsReceiver(value: Value, nesting: number): boolean {
  if (nesting > maxNesting) return false;
  const inside = (one: Value | undefined): boolean => one !== undefined && mentionsReceiver(one, nesting + 1);
  switch (value.kind) {
    case 'either':
      return value.options.some(inside);
    case 'applied':
      return inside(value.of) || value.arguments.some(inside);
    case 'instance':
    case 'function':
      return inside(value.of);
    default:
      return isReceiver(value);
  }
}

function putIn(value: Value, on: Value, nesting = 0): Value | undefined {
  if (nesting > maxNesting) return value;
  const inside = (one: Value | undefined): Value | undefined => one && putIn(one, on, nesting + 1);
  switch (value.kind) {
    case 'either':
      return either(withoutDeclaring(value.options).map(inside));
    case 'applied':
      return { kind: 'applied', of: inside(value.of) ?? value.of, arguments: value.arguments.map(inside) };
    case 'instance':
      return instance(inside(value.of) ?? value.of);
    case 'function':
      return { kind: 'function', of: inside(value.of) };
    default:
      if (value.kind !== 'variable' || !isReceiver(value)) return value;
      return value.position === receiverPosition ? on : instance(on);
  }
}

/** The class that declares the method stands beside the receiver for calls of which no receiver is known. */
function withoutDeclaring(options: readonly Value[]): readonly Value[] {
  const declaring = new Set(options.flatMap(one => (one.kind === 'variable' && isReceiver(one) ? one.owner : [])));
  return options.filter(one => {
    const type = one.kind === 'instance' ? one.of : one;
    return type.kind !== 'definition' || !declaring.has(ownerOf(type.scope, type.tail));
  });
}

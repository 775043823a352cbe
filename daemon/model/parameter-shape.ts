import type { Expression } from './facts.ts';
import { lastDescriptorAt } from './identity.ts';

/**
 * What a function takes stands among its `supers`; how, in languages that overload, in the form of the expression:
 *
 * - `either(type, unknown)`: the call may leave it out
 * - `either(unknown, array)`: it takes all further arguments
 * - `otherwise(type, unknown)`: what an extension is called on, and no argument
 */
export type ParameterShape = 'plain' | 'optional' | 'rest' | 'receiver';

export function shapeOf(expressionAt: (index: number) => Expression, index: number): ParameterShape {
  const one = expressionAt(index);
  if (one.op !== 'either' && one.op !== 'otherwise') return 'plain';
  const isUnknown = (at: number): boolean => expressionAt(at).op === 'unknown';
  if (one.op === 'otherwise') return isUnknown(one.other) ? 'receiver' : 'plain';
  if (isUnknown(one.other)) return 'optional';
  return isUnknown(one.of) ? 'rest' : 'plain';
}

/** Whether a function of such parameters takes so many arguments; what it is called on is none. */
export function takesSoMany(parameters: readonly ParameterShape[], count: number): boolean {
  const own = parameters.filter(shape => shape !== 'receiver');
  const needed = own.filter(shape => shape === 'plain').length;
  return count >= needed && (count <= own.length || own.includes('rest'));
}

/** How many arguments the call passes that an expression is of; undefined where it doesn't say. */
export function argumentCount(expressionAt: (index: number) => Expression, index: number): number | undefined {
  const one = expressionAt(index);
  if (one.op === 'overload') return one.arguments.length;
  return one.op === 'otherwise' ? argumentCount(expressionAt, one.of) : undefined;
}

/** Erased types of a function's parameters, as its tail has them. */
export function parameterTypes(tail: string): readonly string[] {
  if (tail.endsWith('().')) return [];
  const last = tail.slice(lastDescriptorAt(tail));
  const list = last.slice(last.lastIndexOf('`') + 1).replace(/^[^(]*\(|\)\.$/g, '');
  const types: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= list.length; at++) {
    if (at < list.length && '([<'.includes(list[at]!)) depth++;
    else if (at < list.length && ')]>'.includes(list[at]!)) depth--;
    else if (at === list.length || (list[at] === ',' && depth === 0)) {
      types.push(list.slice(from, at));
      from = at + 1;
    }
  }
  return types.filter(one => one !== '' && one !== 'static' && !/^\+\d+$/.test(one));
}

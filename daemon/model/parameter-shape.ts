import type { DocumentFacts } from './facts.ts';

/**
 * What a function takes stands among its `supers`; how, in languages that overload, in the form of the expression:
 *
 * - `either(type, unknown)`: the call may leave it out
 * - `either(unknown, array)`: it takes all further arguments
 * - `otherwise(type, unknown)`: what an extension is called on, and no argument
 */
export type ParameterShape = 'plain' | 'optional' | 'rest' | 'receiver';

export function shapeOf({ expressions }: Pick<DocumentFacts, 'expressions'>, index: number): ParameterShape {
  const one = expressions[index]!;
  if (one.op !== 'either' && one.op !== 'otherwise') return 'plain';
  const isUnknown = (at: number): boolean => expressions[at]!.op === 'unknown';
  if (one.op === 'otherwise') return isUnknown(one.other) ? 'receiver' : 'plain';
  if (isUnknown(one.other)) return 'optional';
  return isUnknown(one.of) ? 'rest' : 'plain';
}

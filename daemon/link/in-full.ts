import type { Expression } from '../model/facts.ts';

/**
 * What a path is if it is no name in full (Java, Kotlin): extraction writes `a.b.C` as what is known of it, else what is
 * named so, else this. Of any other expression itself.
 */
export function besidesInFull(expressions: readonly Expression[], index: number): number {
  let at = index;
  for (let one = expressions[at]!; one.op === 'otherwise'; one = expressions[at]!) {
    const tried = expressions[one.of]!;
    const written = tried.op === 'otherwise' ? expressions[tried.other]! : tried;
    if (written.op !== 'free' || !/\w\.\w/.test(written.name)) break;
    at = one.other;
  }
  return at;
}

import type { Expression } from './facts.ts';

/**
 * References of a document come in groups, each a bit of a number. What is asked is recorded by group, so that where an
 * answer changes only the references that rest on it are linked anew. What begins at the same name is one group: it
 * mostly rests on the same.
 */
export type ReferenceGroups = number;

/** What a document asks for where its imports lead. */
export const asImporter: ReferenceGroups = 1 << 29;

/** What a document asks because others look through it, in place of any reference. */
export const asHander: ReferenceGroups = 1 << 30;

export const allGroups: ReferenceGroups = 0x7fff_ffff;

const groupCount = 29;

/** The group of an expression: by the one that it begins with. */
export function groupOf(expressions: readonly Expression[], index: number): ReferenceGroups {
  let at = index;
  for (let one = expressions[at]!; 'of' in one; one = expressions[at]!) at = one.of;
  return 1 << (at % groupCount);
}

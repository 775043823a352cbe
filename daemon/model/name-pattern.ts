import { fits } from './fits-glob.ts';

/** Characters one by one, and what stands for others. */
export type NamePattern = readonly string[];

/** Of these, more than one: no character is written so. */
export const anyText = '/text';
export const anyCharacter = '/character';

/** Whether a name, character by character, fits a pattern. */
export function fitsName(pattern: NamePattern, characters: readonly string[]): boolean {
  return fits(pattern, characters, anyText, (one, other) => one === other || one === anyCharacter);
}

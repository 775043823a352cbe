import { hash } from 'node:crypto';

const bytes = 6;
/** Texts have numbers below this: two of a million have the same with a chance of one in five hundred. */
export const textNumbers = 2 ** (8 * bytes);

/** A number of 48 bits that stands for a text. */
export function textNumber(text: string): number {
  return hash('sha256', text, 'buffer').readUIntBE(0, bytes);
}

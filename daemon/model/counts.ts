/** Of counts, which stop at the largest number that is exact. */
export function sum(one: number, other: number): number {
  return Math.min(one + other, Number.MAX_SAFE_INTEGER);
}

import type { GraphDocument } from '../../model/graph.ts';

/** Where the uses of a definition's code begin among those by user. */
export function firstBy({ uses: { byUser, users } }: GraphDocument, user: number): number {
  let low = 0;
  let high = byUser.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (users[byUser[middle]!]! < user) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the last of some ascending numbers that is not larger. */
export function lastAtMost(numbers: Uint32Array, most: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (numbers[middle]! <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

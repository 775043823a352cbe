import type { Units } from './name-table.ts';

/**
 * How many edits lead from one text to others: insertions, deletions, changes, and neighbours swapped, no character edited
 * twice (optimal string alignment). Anything past `limit` is `limit + 1`.
 */
export function editsFrom(a: Units, limit: number): Edits {
  if (a.length > 0 && a.length <= wordBits) return editsByBits(a, limit);
  return (text, from, to) => editsByRows(a, text.subarray(from, to), limit);
}

/** The distance to what stands in a text from one character to before another. */
type Edits = (text: Units, from: number, to: number) => number;

/** Bits of a small integer that take part in arithmetic without a sign. */
const wordBits = 31;

/**
 * A column of the table in two words: where it rises by one and where it falls, Hyyrö's form of Myers' algorithm ("A
 * Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances", 2003).
 */
function editsByBits(a: Units, limit: number): Edits {
  const past = limit + 1;
  const bitsOf = new Map<number, number>();
  const bitsOfAscii = new Int32Array(128);
  for (let row = 0; row < a.length; row++) {
    const unit = a[row]!;
    if (unit < 128) bitsOfAscii[unit]! |= 1 << row;
    else bitsOf.set(unit, (bitsOf.get(unit) ?? 0) | (1 << row));
  }
  const last = 1 << (a.length - 1);
  return (text, from, to) => {
    if (Math.abs(a.length - (to - from)) > limit) return past;
    let rises = -1;
    let falls = 0;
    let straight = 0;
    let before = 0;
    let distance = a.length;
    for (let column = from; column < to; column++) {
      const unit = text[column]!;
      const equal = unit < 128 ? bitsOfAscii[unit]! : (bitsOf.get(unit) ?? 0);
      const swapped = ((~straight & equal) << 1) & before;
      straight = ((((equal & rises) + rises) | 0) ^ rises) | equal | falls | swapped;
      const up = falls | ~(straight | rises);
      const down = straight & rises;
      if ((up & last) !== 0) distance++;
      else if ((down & last) !== 0) distance--;
      // Each column that is left takes away one at most.
      if (distance - (to - column - 1) > limit) return past;
      const shifted = (up << 1) | 1;
      rises = (down << 1) | ~(straight | shifted);
      falls = shifted & straight;
      before = equal;
    }
    return Math.min(distance, past);
  };
}

/** As the table has it, row by row; only the band of cells that can stay below the limit is filled. */
function editsByRows(a: Units, b: Units, limit: number): number {
  const past = limit + 1;
  if (Math.abs(a.length - b.length) > limit) return past;
  let [earlier, before, now] = [0, 1, 2].map(() => new Uint16Array(b.length + 2)) as [
    Uint16Array,
    Uint16Array,
    Uint16Array,
  ];
  for (let column = 0; column <= b.length; column++) before[column] = column;
  for (let row = 1; row <= a.length; row++) {
    const first = Math.max(1, row - limit);
    const last = Math.min(b.length, row + limit);
    let least = first === 1 ? row : past;
    now[first - 1] = least;
    // The row before ended one column earlier; what lies past its band is out of reach.
    if (last === row + limit) before[last] = past;
    const unit = a[row - 1]!;
    for (let column = first; column <= last; column++) {
      const other = b[column - 1]!;
      let cost = Math.min(before[column]! + 1, now[column - 1]! + 1, before[column - 1]! + (unit === other ? 0 : 1));
      if (row > 1 && column > 1 && unit === b[column - 2] && a[row - 2] === other) {
        cost = Math.min(cost, earlier[column - 2]! + 1);
      }
      now[column] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return past;
    [earlier, before, now] = [before, now, earlier];
  }
  return Math.min(before[b.length]!, past);
}

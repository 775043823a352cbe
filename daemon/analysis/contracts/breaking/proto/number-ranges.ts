interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/** Both ends of each belong to it; in order, and apart from each other. */
export type ApartRanges = readonly NumberRange[];

export function apart(ranges: readonly NumberRange[]): ApartRanges {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/** Whether all numbers from one to another are in them. Takes time in the logarithm of their count. */
export function holdAll(ranges: ApartRanges, from: number, to: number): boolean {
  const around = ranges[lastAt(ranges, from)];
  return around !== undefined && to <= around.to;
}

/** Numbers from one to another that are in none of them, in order. Takes time in what is found, and in the logarithm of the rest. */
export function* gapsIn(ranges: ApartRanges, from: number, to: number): Iterable<NumberRange> {
  let next = from;
  for (let at = Math.max(0, lastAt(ranges, from)); next <= to; at++) {
    const range = ranges[at];
    const end = Math.min(to, (range?.from ?? Number.POSITIVE_INFINITY) - 1);
    if (next <= end) yield { from: next, to: end };
    if (range === undefined) return;
    next = Math.max(next, range.to + 1);
  }
}

/** The place of the last that begins at a number or before; -1 where none does. */
function lastAt(ranges: ApartRanges, from: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle]!.from <= from) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

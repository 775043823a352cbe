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
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle]!.from <= from) low = middle + 1;
    else high = middle;
  }
  // The last that begins there or before.
  const around = ranges[low - 1];
  return around !== undefined && to <= around.to;
}

/**
 * Drops what is not needed for a failure: halves first, then ever smaller pieces, as long as `fails` says that what is
 * left still does. Ends after `attempts` trials at the latest. (Zeller, delta debugging.)
 */
export async function shrink<T>(
  items: readonly T[],
  fails: (items: readonly T[]) => Promise<boolean>,
  attempts: number,
): Promise<readonly T[]> {
  let kept = items;
  let left = attempts;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < kept.length && left > 0; ) {
      const fewer = [...kept.slice(0, start), ...kept.slice(start + size)];
      left--;
      if (fewer.length > 0 && (await fails(fewer))) kept = fewer;
      else start += size;
    }
  }
  return kept;
}

/** Works through items with at most `width` under way. Stops taking new ones at the first failure or abort, and rejects when those under way have settled. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const lane = async (): Promise<void> => {
    while (next < items.length && !failed) {
      signal.throwIfAborted();
      const item = items[next++]!;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(width, items.length) }, lane));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Turns of this long, so that cancellation and other repositories get through. */
const usualSliceMs = 10;

/** Works on one item after the other; `check` is asked at the end of each turn and throws when the work is called off. */
export async function inSlices<T>(
  items: Iterable<T>,
  check: () => void,
  work: (item: T) => void,
  sliceMs = usualSliceMs,
): Promise<void> {
  let sliceStart = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - sliceStart < sliceMs) continue;
    await nextTurn();
    check();
    sliceStart = performance.now();
  }
}

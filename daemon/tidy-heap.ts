import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Clock, every } from './clock.ts';

/** A thread that worked for less than this share of the time between two looks has come to rest. */
const restShare = 0.02;
const betweenLooksMs = 5000;
/** What a heap may grow by before it is worth a collection, which takes about a millisecond for each megabyte in use. */
const slackBytes = 6 * 2 ** 20;

/**
 * Collects garbage when the calling thread has come to rest after its heap grew. V8 gives memory back while it allocates: the
 * heap of a thread that falls silent would stay as large as at its fullest. The returned function ends it.
 */
export function tidyHeapAtRest(clock: Clock): () => void {
  let before = performance.eventLoopUtilization();
  let tidyBytes = 0;
  return every(clock, betweenLooksMs, () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const bytes = heapBytes();
    if (utilization > restShare || bytes < tidyBytes + slackBytes) return;
    collectGarbage();
    const left = heapBytes();
    // One collection may free what only the next gives back.
    tidyBytes = bytes - left < slackBytes ? left : 0;
    before = performance.eventLoopUtilization();
  });
}

/** To be asked now and then by a thread that works for long: V8 lets its heap grow to a multiple of what is in use before it collects. */
export function heapTidier(slackBytes: number): () => void {
  let tidyBytes = heapBytes();
  return () => {
    if (heapBytes() < tidyBytes + slackBytes) return;
    collectGarbage();
    tidyBytes = heapBytes();
  };
}

/** By how much of what was in use after a collection, in percent, a heap may grow until the next; V8 itself allows up to 300. */
const tightGrowth = 40;
let tightRuns = 0;
/** What a thread may have that takes an index of 40 MB in. */
export const roomyHeapBytes = 96 * 2 ** 20;

export interface HeapLimiter {
  /** To be asked now and then. */
  look(): void;
  /** To be called in the end. */
  release(): void;
}

/**
 * For a thread that makes far more garbage than it keeps, for long: once its heap has so many bytes, V8 collects the heaps
 * of this process as soon as they have grown by some two fifths of what is in use, at the price of a tenth more work.
 */
export function heapLimiter(bytes: number): HeapLimiter {
  let isTight = false;
  return {
    look: () => {
      if (isTight || heapBytes() < bytes) return;
      isTight = true;
      if (tightRuns++ === 0) setFlagsFromString(`--heap-growing-percent=${tightGrowth}`);
    },
    release: () => {
      if (!isTight) return;
      isTight = false;
      if (--tightRuns === 0) setFlagsFromString('--heap-growing-percent=0');
    },
  };
}

function heapBytes(): number {
  return getHeapStatistics().total_heap_size;
}

/** Takes about a millisecond for each megabyte in use. V8 lends `gc` to contexts that are made while the flag is up: none of ours. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof gc === 'function') gc();
}

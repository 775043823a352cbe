import assert from 'node:assert/strict';
import { constants, type NodeGCPerformanceDetail, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { tidyHeapAtRest } from '../../daemon/tidy-heap.ts';
import { until } from '../support/daemon.ts';
import { fakeClock } from '../support/fake-clock.ts';

type Collection = PerformanceEntry & { readonly detail: NodeGCPerformanceDetail };

/** Counts the collections that were asked for: V8 has its own whenever it likes. */
function countAsked(): { readonly asked: () => number; readonly stop: () => void } {
  let asked = 0;
  const count = (entries: readonly PerformanceEntry[]): void => {
    for (const { detail } of entries as Collection[]) {
      if ((detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0) asked++;
    }
  };
  const observer = new PerformanceObserver(list => count(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return {
    asked: () => {
      count(observer.takeRecords());
      return asked;
    },
    stop: () => observer.disconnect(),
  };
}

const heapMb = (): number => getHeapStatistics().total_heap_size / 2 ** 20;

test('a heap that has grown is collected when its thread rests, not while it works', async () => {
  const clock = fakeClock();
  const collections = countAsked();
  const stop = tidyHeapAtRest(clock);
  const beforeMb = heapMb();
  const grown = Array.from({ length: 3_000_000 }, (_, at) => ({ at }));
  const grownMb = heapMb();
  assert.ok(grownMb > beforeMb + 100 && grown.length > 0);
  grown.length = 0;
  await clock.advance(5000);
  await pause(0);
  assert.equal(collections.asked(), 0, 'the thread has worked all the time');
  await until('the heap has shrunk', async () => {
    await pause(300);
    await clock.advance(5000);
    return collections.asked() > 0 && heapMb() < beforeMb + 50;
  });
  stop();
  collections.stop();
});

test('scripts of ours get no gc', () => {
  assert.equal('gc' in globalThis, false);
});

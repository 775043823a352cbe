import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { tidyHeapAtRest } from '../../daemon/tidy-heap.ts';
import { until } from '../support/daemon.ts';
import { fakeClock } from '../support/fake-clock.ts';

const heapMb = (): number => getHeapStatistics().total_heap_size / 2 ** 20;

test('a heap that has grown is collected when its thread rests, not while it works', async () => {
  const clock = fakeClock();
  const stop = tidyHeapAtRest(clock);
  const beforeMb = heapMb();
  const grown = Array.from({ length: 3_000_000 }, (_, at) => ({ at }));
  const grownMb = heapMb();
  assert.ok(grownMb > beforeMb + 100 && grown.length > 0);
  grown.length = 0;
  await clock.advance(5000);
  assert.ok(heapMb() > beforeMb + 100, 'the thread has worked all the time');
  await until('the heap has shrunk', async () => {
    await pause(300);
    await clock.advance(5000);
    return heapMb() < beforeMb + 50;
  });
  stop();
});

test('scripts of ours get no gc', () => {
  assert.equal('gc' in globalThis, false);
});

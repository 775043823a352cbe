import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stopwatch, unhurried } from '../../daemon/clock.ts';
import { fakeClock } from '../support/fake-clock.ts';

const tenYearsMs = 10 * 365 * 86_400_000;

test('what is old goes by a time of day that is never ahead of what has passed (P18)', async () => {
  const clock = fakeClock();
  const began = clock.now().getTime();
  const [nowMs, passedMs] = [unhurried(clock), stopwatch(clock)];
  clock.set(tenYearsMs);
  await clock.advance(1000);
  assert.deepEqual([nowMs() - began, passedMs()], [1000, 1000]);
  clock.set(-2 * tenYearsMs);
  assert.deepEqual([nowMs() - began, passedMs()], [1000 - tenYearsMs, 1000]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopDelay } from '../../../daemon/server/loop-delay.ts';
import { until } from '../../support/daemon.ts';
import { fakeClock } from '../../support/fake-clock.ts';

test('the delay of the event loop is measured while something happens, and an idle daemon sleeps', async () => {
  const clock = fakeClock();
  const delay = loopDelay(clock);
  const work = { kind: 'search.answered', repo: 'app', type: 'names' } as const;
  assert.deepEqual([delay.isMeasuring(), delay.percentile99Ms()], [false, 0]);
  delay.observe(work);
  assert.equal(delay.isMeasuring(), true);
  await until('a held loop shows', () => {
    const endsAt = performance.now() + 100;
    while (performance.now() < endsAt);
    return delay.percentile99Ms() > 50;
  });
  await clock.advance(4000);
  delay.observe(work);
  await clock.advance(4000);
  assert.equal(delay.isMeasuring(), true);
  await clock.advance(10_000);
  assert.equal(delay.isMeasuring(), false);
  assert.ok(delay.percentile99Ms() > 50, 'what was measured stays');
  delay.observe(work);
  assert.equal(delay.isMeasuring(), true);
});

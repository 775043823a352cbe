import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLaterTries } from '../../../daemon/jobs/later-tries.ts';
import { fakeClock } from '../../support/fake-clock.ts';

test('what fails is named again three times, ever later', async () => {
  const clock = fakeClock();
  const named: string[] = [];
  const tries = createLaterTries(clock, paths => {
    named.push(`${clock.monotonicMs() / 60_000} ${[...paths]}`);
    tries.failed([...paths].filter(path => path !== 'heals'));
  });
  tries.failed(['stuck', 'heals']);
  tries.failed(['stuck']);
  await clock.advance(24 * 3_600_000);
  assert.deepEqual(named, ['1 stuck,heals', '6 stuck', '31 stuck']);
  tries.failed(['stuck', 'other']);
  await clock.advance(60_000);
  assert.equal(named.at(-1), '1441 other');
});

test('of many files some are tried again, and after the close none', async () => {
  const clock = fakeClock();
  let named = 0;
  const tries = createLaterTries(clock, paths => {
    named += paths.size;
  });
  const paths = Array.from({ length: 5000 }, (_, index) => `${index}`);
  tries.failed(paths);
  await clock.advance(60_000);
  assert.equal(named, 1000);
  tries.failed(paths);
  tries.close();
  await clock.advance(24 * 3_600_000);
  assert.equal(named, 1000);
});

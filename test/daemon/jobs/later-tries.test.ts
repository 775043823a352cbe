import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLaterTries, type LaterTries } from '../../../daemon/jobs/follow/later-tries.ts';
import { fakeClock } from '../../support/fake-clock.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Tells when which paths were named; the run over them fails for those that `fails` picks. */
function bench(fails: (path: string) => boolean) {
  const clock = fakeClock();
  const named: string[] = [];
  const tries = createLaterTries(clock, paths => {
    named.push(`${clock.monotonicMs() / minuteMs} ${[...paths]}`);
    run(tries, [...paths], fails);
  });
  return { clock, named, tries, run: (paths: readonly string[]) => run(tries, paths, fails) };
}

function run(tries: LaterTries, paths: readonly string[], fails: (path: string) => boolean): void {
  tries.ran({ kind: 'paths', paths: new Set(paths) }, paths.filter(fails));
}

test('what fails is named again three times, ever later', async () => {
  let isHealed = false;
  const { clock, named, run } = bench(path => path !== 'heals' || !isHealed);
  run(['stuck', 'heals']);
  run(['stuck']);
  isHealed = true;
  await clock.advance(dayMs);
  assert.deepEqual(named, ['1 stuck,heals', '6 stuck', '31 stuck']);
  run(['stuck', 'other']);
  await clock.advance(minuteMs);
  assert.equal(named.at(-1), '1441 other');
});

test('each waits its own time, whatever else waits', async () => {
  const { clock, named, run } = bench(() => true);
  run(['first']);
  await clock.advance(2 * minuteMs);
  run(['second']);
  await clock.advance(dayMs);
  assert.deepEqual(named, ['1 first', '3 second', '6 first', '8 second', '31 first', '33 second']);
});

test('what was read well or written to begins anew, whatever it has failed', async () => {
  let isBad = true;
  const { clock, named, tries, run } = bench(() => isBad);
  run(['a', 'b']);
  await clock.advance(dayMs);
  assert.equal(named.length, 3);
  isBad = false;
  run(['a']);
  tries.changed(['b']);
  isBad = true;
  run(['a', 'b', 'c']);
  tries.changed(['c']);
  await clock.advance(minuteMs);
  assert.deepEqual(named.slice(3), ['1441 a,b']);
});

test('of many files some are tried again; once they are given up, others are; after the close none', async () => {
  let count = 0;
  const clock = fakeClock();
  const tries = createLaterTries(clock, paths => {
    count += paths.size;
    run(tries, [...paths], () => true);
  });
  const paths = Array.from({ length: 5000 }, (_, index) => `${index}`);
  run(tries, paths, () => true);
  await clock.advance(minuteMs);
  assert.equal(count, 1000);
  await clock.advance(dayMs);
  assert.equal(count, 3000);
  run(tries, ['new'], () => true);
  await clock.advance(minuteMs);
  assert.equal(count, 3001);
  tries.close();
  run(tries, paths, () => true);
  await clock.advance(dayMs);
  assert.equal(count, 3001);
});

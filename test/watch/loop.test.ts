import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RecrawlReason } from '../../watch/change-set.ts';
import { createWatchLoop } from '../../watch/loop.ts';
import { handClock } from './hand-clock.ts';

test('a loop that stands still has its trees crawled, and seldom where that keeps it standing still (P12)', t => {
  const cookieFolder = mkdtempSync(join(tmpdir(), 'svc-loop-'));
  const clock = handClock();
  const loop = createWatchLoop({ cookieFolder, clock });
  t.after(() => {
    loop.close();
    rmSync(cookieFolder, { recursive: true });
  });
  const recrawls: [second: number, RecrawlReason][] = [];
  const member = { relieve: () => {}, inspect: () => {} };
  loop.join({ ...member, recrawl: reason => void recrawls.push([clock.now() / 1000, reason]) });
  const pass = (seconds: number, step: number): void => {
    for (const end = clock.now() + seconds * 1000; clock.now() < end; ) clock.move(step);
  };

  pass(10, 500);
  assert.equal(recrawls.length, 0, 'in time');
  pass(600, 2000);
  const seconds = recrawls.map(([second]) => second);
  assert.deepEqual(seconds, [12, 42, 102, 222, 462], 'late at every tick');
  assert.ok(recrawls.every(([, reason]) => reason === 'loop_stalled'));

  pass(400, 500);
  assert.equal(recrawls.length, 6, 'what happened last is made good once the wait is over');
  pass(1000, 500);
  clock.move(2000);
  clock.move(500);
  pass(29, 500);
  clock.move(2000);
  pass(10, 500);
  assert.equal(recrawls.length, 8, 'after a calm the waits are short again');
});

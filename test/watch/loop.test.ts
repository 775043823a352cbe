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

test('half of what the kernel’s queue holds in one drain is taken for an overflow, in every tree; in many it is nothing (P12)', async t => {
  const cookieFolder = mkdtempSync(join(tmpdir(), 'svc-loop-'));
  const loop = createWatchLoop({ cookieFolder, clock: handClock() });
  t.after(() => {
    loop.close();
    rmSync(cookieFolder, { recursive: true });
  });
  const recrawls: string[] = [];
  for (const tree of ['one', 'other'])
    loop.join({ relieve: () => {}, inspect: () => {}, recrawl: reason => void recrawls.push(`${tree}: ${reason}`) });
  const drain = async (events: number) => {
    for (let n = 0; n < events; n++) loop.countEvent();
    await new Promise(resolve => setImmediate(resolve));
  };
  for (let drains = 0; drains < 20; drains++) await drain(8191);
  assert.deepEqual(recrawls, []);
  await drain(8192);
  assert.deepEqual(recrawls, ['one: overflow', 'other: overflow']);
  await drain(40_000);
  assert.equal(recrawls.length, 4, 'once in a drain');
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Clock, systemClock } from '../../../daemon/clock.ts';
import { createWatcher, type WatchedRoot } from '../../../daemon/jobs/watcher.ts';
import { longestBeatMs } from '../../../watch/loop.ts';
import { temporaryFolder } from '../../support/repository.ts';

function watchedRoot(t: TestContext, clock: Clock): WatchedRoot {
  let close = async () => {};
  t.after(() => close()); // before the folders go that the watcher writes to
  const runtime = temporaryFolder(t);
  const watcher = createWatcher({ cookieFolder: runtime.path('cookies'), shadowFolder: runtime.path('shadow'), clock });
  close = () => watcher.close();
  return watcher.open(temporaryFolder(t, '-- a.ts --').root, { onChange() {}, onGit() {}, onStatus() {} });
}

test('a watcher of which nothing was heard for a while vouches for nothing, until it is asked', async t => {
  let stoodStillMs = 0;
  const root = watchedRoot(t, { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + stoodStillMs });
  assert.equal(root.isHeard(), false, 'before it has begun');
  for (const round of [1, 2]) {
    assert.equal(await root.sync(30_000), 'synced');
    assert.equal(root.isHeard(), true, `synced ${round} times`);
    stoodStillMs += longestBeatMs + 1;
    assert.equal(root.isHeard(), false, `stood still ${round} times`);
  }
});

test('a watcher that goes on is heard without being asked', async t => {
  const root = watchedRoot(t, systemClock);
  while (!root.isHeard()) await new Promise(resolve => setImmediate(resolve));
});

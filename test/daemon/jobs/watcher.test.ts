import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWatcher } from '../../../daemon/jobs/follow/watcher.ts';
import { temporaryFolder } from '../../support/repository.ts';

test('a watcher is heard out for as long as it lives', async t => {
  let close = async () => {};
  t.after(() => close()); // before the folders go that the watcher writes to
  const runtime = temporaryFolder(t);
  const watcher = createWatcher({ cookieFolder: runtime.path('cookies'), shadowFolder: runtime.path('shadow') });
  close = () => watcher.close();
  const root = watcher.open(temporaryFolder(t, '-- a.ts --').root, { onChange() {}, onGit() {}, onStatus() {} });
  assert.equal(await root.sync(60_000), 'synced');
  assert.equal(await root.hearOut(60_000), true);
  await close();
  assert.equal(await root.hearOut(60_000), false);
});

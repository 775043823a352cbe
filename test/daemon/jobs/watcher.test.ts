import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWatchService } from '../../../daemon/jobs/follow/watch-service.ts';
import { createWatcher } from '../../../daemon/jobs/follow/watcher.ts';
import { createWatchLoop } from '../../../watch/loop.ts';
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

test('a tree that is closed before it is open is watched by nobody', async t => {
  const runtime = temporaryFolder(t);
  const { root } = temporaryFolder(t, '-- a.ts --');
  const cookieFolder = runtime.path('cookies');
  const loop = createWatchLoop({ cookieFolder });
  t.after(() => loop.close());
  const service = createWatchService(
    {
      ...{ cookieFolder, shadowFolder: runtime.path('shadow'), ownFolders: [] },
      ...{ backend: 'auto', watchLimit: undefined, fileSystemOverride: undefined },
    },
    { changes() {}, status() {}, git() {} },
    loop,
  );
  const { signal } = new AbortController();
  const opened = service.open({ tree: 1, root }, { signal });
  await service.close(1, { signal });
  await opened;
  assert.equal(service.status(1, { signal }), undefined);
  await service.open({ tree: 2, root }, { signal });
  assert.notEqual(service.status(2, { signal }), undefined);
  await service.close(2, { signal });
});

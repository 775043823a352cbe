import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Observation } from '../../../daemon/events.ts';
import { type KeepHostedOptions, keepHosted } from '../../../daemon/server/keep-hosted.ts';
import { type KeepMirrorsOptions, keepMirrors } from '../../../daemon/server/keep-mirrors.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { withoutRights } from '../../support/without-rights.ts';

/** One uploaded repository with an older index beside its own, kept by somebody to whom modes apply. */
function bench(t: TestContext) {
  const folder = temporaryFolder(t);
  chmodSync(folder.root, 0o777);
  const fileOf = (epoch: string) => folder.path(`repos/app/index-${epoch}.db`);
  const older = fileOf('a'.repeat(24));
  withoutRights(() => {
    mkdirSync(folder.path('repos/app/quarantine'), { recursive: true });
    writeFileSync(older, '');
  });
  const told: string[] = [];
  const registered = { id: 'app', uid: 'u', source: 'upload' };
  const repositories = {
    list: () => [{ registered, record: { id: 'app', indexFile: fileOf('b'.repeat(24)) } }],
    get: () => repositories.list()[0],
    hostedFile: () => fileOf(''),
  };
  const start = () =>
    withoutRights(() =>
      keepHosted({
        repositories,
        database: { lastSync: () => undefined },
        uploadsFolder: folder.path('uploads'),
        clock: fakeClock(),
        observe: (seen: Observation) => told.push(seen.kind === 'daemon.fault' ? seen.what : seen.kind),
        forgetFile: async () => true,
      } as unknown as KeepHostedOptions),
    );
  return { folder, older, told, start };
}

test('what can’t be swept is told, once, and ends neither a start nor the daemon', async t => {
  const { folder, older, told, start } = bench(t);
  chmodSync(folder.path('repos/app/quarantine'), 0);
  const hosted = start();
  for (const _ of [1, 2]) withoutRights(() => hosted.sweep());
  assert.deepEqual(told, ['the index of app could not be looked for', 'what app no longer needs could not be removed']);
  // It removes on the next turn, with the rights of that.
  await new Promise(setImmediate);
  assert.equal(existsSync(older), false);
  chmodSync(folder.path('repos/app/quarantine'), 0o777);
  withoutRights(() => hosted.sweep());
  assert.equal(told.length, 2);
});

test('bodies that a daemon left are removed though their folder was closed; where it is somebody else’s, that is told', t => {
  const { folder, told, start } = bench(t);
  const uploads = folder.path('uploads');
  withoutRights(() => mkdirSync(join(uploads, 'body'), { recursive: true }));
  chmodSync(uploads, 0);
  start();
  assert.deepEqual([existsSync(uploads), told], [false, []]);
  mkdirSync(uploads, { mode: 0o700 });
  start();
  assert.deepEqual(told, ['what uploads left could not be removed']);
});

test('a mirror whose folder was closed fails no start', t => {
  const { folder } = bench(t);
  const mirror = { registered: { source: 'mirror', uid: 'u' }, record: { id: 'app' }, snapshot: {} };
  const options = {
    repositories: { list: () => [mirror], get: () => mirror, hostedFile: () => folder.path('repos/app/index-.db') },
    database: { remote: () => ({}), hosted: () => undefined },
  } as unknown as KeepMirrorsOptions;
  chmodSync(folder.path('repos/app'), 0);
  withoutRights(() => keepMirrors(options).start());
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canUnshare, setLimit, withLimit } from '../fault/limits.ts';
import { ready } from '../oracle/stored.ts';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { gitRepository } from '../support/repository.ts';

test('kernel watches that ran out are had again within a minute of relief, unasked', { skip: !canUnshare }, async t => {
  const tree = gitRepository(t, Array.from({ length: 20 }, (_, n) => `-- d${n}/a.ts --`).join('\n'));
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const { client, process: daemon } = await startDaemon(t, home, withLimit('max_inotify_watches=10'));
  await client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready({ client });
  const watch = async () => (await client.system.doctor({ repo: 'app' })).checks.find(({ name }) => name === 'watch')!;
  await until('folders are polled', async () => (await watch()).status === 'warn');
  setLimit(daemon.pid!, 'max_inotify_watches=1000');
  await until('all are watched', async () => (await watch()).status === 'pass', 60_000);
  assert.match((await watch()).message, /^native/);
  tree.write('d19/a.ts', 'export function relieved() {}\n');
  assert.equal((await client.symbols.search({ q: 'relieved', repo: 'app', sync: true })).total, 1);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limiters } from '../fault/limits.ts';
import { ready } from '../oracle/stored.ts';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { gitRepository } from '../support/repository.ts';

for (const { name, limited } of limiters) {
  test(`kernel watches that ran out are had again within a minute of relief, unasked (${name}) (P13)`, async t => {
    const tree = gitRepository(t, Array.from({ length: 20 }, (_, n) => `-- d${n}/a.ts --`).join('\n'));
    const limit = limited(t, 'max_inotify_watches=10');
    const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false', ...limit.env });
    const { client, process: daemon } = await startDaemon(t, home, limit.through);
    await client.daemon.addRepo({ root: tree.root, id: 'app' });
    await ready({ client });
    const watch = async () =>
      (await client.system.doctor({ repo: 'app' })).checks.find(({ name }) => name === 'watch')!;
    await until('folders are polled', async () => (await watch()).status === 'warn');
    limit.set(daemon.pid!, 'max_inotify_watches=1000');
    await until('all are watched', async () => (await watch()).status === 'pass', 60_000);
    assert.match((await watch()).message, /^native/);
    tree.write('d19/a.ts', 'export function relieved() {}\n');
    assert.equal((await client.symbols.search({ q: 'relieved', repo: 'app', sync: true })).total, 1);
  });
}

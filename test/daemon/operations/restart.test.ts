import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { startDaemon, until } from '../../support/daemon.ts';
import { rejects } from './expected-faults.ts';
import { indexedBy } from './indexed-repository.ts';

test('a restart answers from what is there and parses nothing; default and trust are kept', async context => {
  const first = await startDaemon(context);
  await indexedBy(context, first.client, 'a');
  await indexedBy(context, first.client, 'b');
  await rejects(first.client.indexing.status({}), 'invalidParameter');
  await first.client.daemon.defaultRepo({ id: 'b' });
  await first.client.daemon.trustRepo({ id: 'a' });
  const before = await first.client.system.status({});
  assert.equal(await first.stop(), 0);
  const second = await startDaemon(context, first.home);
  const after = await second.client.system.status({});
  assert.deepEqual([after.repository.id, after.index.snapshotId], ['b', before.index.snapshotId]);
  assert.equal((await second.client.symbols.search({ q: 'alpha' })).total, 1);
  await until('it is followed again', async () => (await second.client.indexing.status({})).fresh);
  assert.equal((await second.client.indexing.status({})).lastIndexed, before.index.lastIndexed);
  const published = second.home.log().filter(({ msg }) => msg === 'snapshot.published');
  assert.deepEqual(published.map(({ repo }) => repo).sort(), ['a', 'b'], 'the first indexes alone');
  const { repos } = await second.client.daemon.listRepos({});
  const told = repos.map(({ id, isDefault, trusted }) => [id, isDefault, trusted]);
  assert.deepEqual(told.sort(), [
    ['a', false, true],
    ['b', true, false],
  ]);
  assert.equal((await second.client.daemon.trustRepo({ id: 'a', revoke: true })).trusted, false);
});

const damages: readonly { readonly what: string; readonly damage: (file: string) => void }[] = [
  { what: 'garbage in its head', damage: file => writeFileSync(file, 'garbage '.repeat(2000)) },
  { what: 'no bytes', damage: file => writeFileSync(file, '') },
  { what: 'gone', damage: file => rmSync(file) },
  {
    what: 'a folder in its place',
    damage: file => {
      rmSync(file);
      mkdirSync(file);
    },
  },
];
test('daemon.db damaged while the daemon was away is restored from its copy, and doctor says so', async context => {
  const first = await startDaemon(context);
  const root = await indexedBy(context, first.client, 'app');
  await first.client.daemon.trustRepo({ id: 'app' });
  await until('the copy is made, while the daemon leads', () => existsSync(`${first.home.places.daemonDb}.backup`));
  assert.equal(await first.stop(), 0);
  for (const { what, damage } of damages) {
    damage(first.home.places.daemonDb);
    const { client, stop } = await startDaemon(context, first.home);
    const { repos } = await client.daemon.listRepos({});
    assert.deepEqual(
      repos.map(repo => [repo.id, repo.root, repo.trusted]),
      [['app', root, true]],
      what,
    );
    const { checks } = await client.system.doctor({});
    const statusOf = (check: string) => checks.find(({ name }) => name === check)?.status;
    assert.equal(statusOf('database'), 'warn', what);
    assert.equal(statusOf('daemon.crashes'), 'info', 'nobody was killed');
    assert.equal((await client.symbols.search({ q: 'alpha' })).total, 1, what);
    assert.equal(await stop(), 0);
  }
  const { checks } = await (await startDaemon(context, first.home)).client.system.doctor({});
  assert.equal(checks.find(({ name }) => name === 'database')?.status, 'pass', 'the next one opens it as it is');
});

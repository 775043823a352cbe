import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { addRepo, startDaemon, svc } from '../../support/daemon.ts';
import { hostedDaemon } from '../../support/hosted-daemon.ts';
import { afterAll, gitRepository, temporaryFolder } from '../../support/repository.ts';
import { scipBytes } from '../../support/scip.ts';
import { indexed, overHttp } from '../../support/shop.ts';
import { documents, metadata } from '../jobs/uploads.ts';
import { rejects } from './expected-faults.ts';
import { serving } from './mirroring.ts';

const daemon = await startDaemon(afterAll);
const { client, home } = daemon;
const http = await overHttp(afterAll, daemon);

const source = '-- src/a.ts --\nexport const a = 1;\n';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('federations are made, renamed, listed and deleted, over the socket and on the command line', async () => {
  assert.deepEqual(await client.federation.list({}), { federations: [], count: 0 });
  const made = await client.federation.create({ name: 'shop', description: 'All of "it"' });
  assert.deepEqual([made.name, made.description, made.status], ['shop', 'All of "it"', 'created']);
  const other = await svc(home, ['federation', 'create', 'bank', '--json']);
  assert.deepEqual([other.code, JSON.parse(other.stdout).status], [0, 'created']);
  await rejects(client.federation.create({ name: 'shop' }), 'preconditionFailed');
  assert.deepEqual(await client.federation.list({}), { federations: ['bank', 'shop'], count: 2 });
  await rejects(client.federation.rename({ name: 'bank', newName: 'shop' }), 'preconditionFailed');
  await rejects(client.federation.rename({ name: 'none', newName: 'some' }), 'resourceNotFound');
  assert.equal((await client.federation.rename({ name: 'bank', newName: 'bank' })).status, 'renamed');
  const { createdAt } = await client.federation.status({ name: 'bank' });
  const renamed = await svc(home, ['federation', 'rename', 'bank', 'Bank.2_x']);
  assert.deepEqual([renamed.code, renamed.stdout], [0, 'bank is called Bank.2_x now\n']);
  assert.equal((await client.federation.status({ name: 'Bank.2_x' })).createdAt, createdAt);
  await rejects(client.federation.status({ name: 'bank' }), 'resourceNotFound');
  assert.equal((await svc(home, ['federation', 'delete', 'Bank.2_x'])).code, 0);
  assert.equal((await svc(home, ['federation', 'delete', 'Bank.2_x'])).code, 4);
  await client.federation.delete({ name: 'shop' });
  assert.equal((await client.federation.list({})).count, 0);
});

test('who errs in a name is told the one that is meant', async t => {
  await client.federation.create({ name: 'payments' });
  t.after(() => client.federation.delete({ name: 'payments' }));
  const { status, body } = await http.send('GET', '/federations/paymets/status');
  assert.equal(status, 404);
  assert.match((body as { error: string }).error, /did you mean payments\?/);
});

const badNames = [
  ...[
    '',
    '.',
    '..',
    '.x',
    '-x',
    '../x',
    'a/b',
    'a\\b',
    '/etc/passwd',
    'a b',
    'a\0b',
    'a\nb',
    'ä',
    'a…',
    'a%2Fb',
    'x'.repeat(101),
  ],
  ...[' a', 'a ', 'a;b', "a'", '"', '$(id)', '‮a', 'a:b', 'a?b', 'a#b', '~', '*'],
];

test('no name leads out of where names belong', async t => {
  for (const name of badNames) {
    const label = JSON.stringify(name);
    await rejects(client.federation.create({ name }), 'invalidParameter').catch(() =>
      rejects(client.federation.create({ name }), 'invalidBody'),
    );
    await assert.rejects(client.federation.rename({ name: 'x', newName: name }), Fault, label);
    if (name === '') continue;
    for (const spelt of new Set([encodeURIComponent(name), encodeURIComponent(encodeURIComponent(name))])) {
      const { status } = await http.send('GET', `/federations/${spelt}/status`);
      assert.ok(status === 400 || status === 404, `${label} as ${spelt}: ${status}`);
    }
  }
  for (const target of ['/federations/%2e%2e/status', '/federations/%2e%2e%2fx/status', '/federations/a%00b/status']) {
    assert.equal((await http.send('GET', target)).status, 400, target);
  }
  for (const name of ['__proto__', 'constructor', 'toString', 'CON', '0', 'a.b', 'x'.repeat(100)]) {
    await rejects(client.federation.status({ name }), 'resourceNotFound');
    await client.federation.create({ name });
    t.after(() => client.federation.delete({ name }));
    assert.equal((await client.federation.status({ name })).repoCount, 0, name);
  }
});

test('repositories are added by id, by folder registered or not, and told as what they are', async t => {
  await client.federation.create({ name: 'kinds' });
  t.after(() => client.federation.delete({ name: 'kinds' }));
  const { root } = gitRepository(t, source);
  const loose = gitRepository(t, source);
  await addRepo(t, daemon, { root, id: 'kept' });
  const kept = await client.federation.add({ name: 'kinds', repoId: 'kept', tags: ['a', 'b c'] });
  assert.deepEqual([kept.repoId, kept.path, kept.tags, kept.source], ['kept', root, ['a', 'b c'], 'registered']);
  assert.match(kept.repoUid, uuid);
  const added = await client.federation.add({ name: 'kinds', path: loose.root });
  assert.deepEqual([added.repoId, added.path, added.source], [basename(loose.root).toLowerCase(), loose.root, 'path']);
  assert.match(added.repoUid, uuid);
  const { repos, count } = await client.federation.repos({ name: 'kinds', includeCompatibility: true });
  assert.equal(count, 2);
  assert.deepEqual(
    repos.map(one => [one.repoId, one.source, one.lastSynced]).sort(),
    [
      [added.repoId, 'path', null],
      ['kept', 'registered', null],
    ].sort(),
  );
  await indexed(client, 'kept');
  const after = await client.federation.repos({ name: 'kinds', includeCompatibility: true });
  const told = Object.fromEntries(after.repos.map(one => [one.repoId, one.compatibility]));
  assert.equal(told['kept']?.status, 'ok');
  assert.equal(told['kept']?.schemaVersion, told['kept']?.requiredVersion);
  assert.deepEqual([told[added.repoId]?.status, told[added.repoId]?.schemaVersion], ['needs_refresh', null]);
  const without = await client.federation.repos({ name: 'kinds' });
  assert.ok(without.repos.every(one => one.compatibility === undefined));
  const { compatibility, staleness, repoCount } = await client.federation.status({ name: 'kinds' });
  assert.deepEqual([repoCount, compatibility], [2, { compatible: 1, incompatible: 1 }]);
  assert.equal(staleness.overallStaleness, 'never-synced');
});

test('nothing is a member twice, and no id means two', async t => {
  for (const name of ['twice', 'other']) {
    await client.federation.create({ name });
    t.after(() => client.federation.delete({ name }));
  }
  const [one, two] = [gitRepository(t, source), gitRepository(t, source)];
  await addRepo(t, daemon, { root: one.root, id: 'one' });
  await client.federation.add({ name: 'twice', repoId: 'one' });
  for (const again of [
    { repoId: 'one' },
    { path: one.root },
    { path: `${one.root}/.` },
    { path: one.root, repoId: 'x' },
  ]) {
    await rejects(client.federation.add({ name: 'twice', ...again }), 'preconditionFailed');
  }
  await rejects(client.federation.add({ name: 'twice', path: two.root, repoId: 'one' }), 'preconditionFailed');
  assert.equal((await client.federation.add({ name: 'twice', path: two.root, repoId: 'acme/two' })).repoId, 'acme/two');
  assert.equal((await client.federation.add({ name: 'other', repoId: 'one' })).repoId, 'one');
  await rejects(client.federation.add({ name: 'twice', repoId: 'unheard-of' }), 'resourceNotFound');
  await rejects(client.federation.add({ name: 'none', repoId: 'one' }), 'resourceNotFound');
});

test('a member that is removed and added again is the same', async t => {
  await client.federation.create({ name: 'again' });
  t.after(() => client.federation.delete({ name: 'again' }));
  const [one, two] = [gitRepository(t, source), gitRepository(t, source)];
  await addRepo(t, daemon, { root: one.root, id: 'again-one' });
  for (const how of [{ repoId: 'again-one' }, { path: two.root, repoId: 'loose' }]) {
    const { repoUid, repoId } = await client.federation.add({ name: 'again', ...how });
    const removed = await client.federation.remove({ name: 'again', repoId });
    assert.equal(removed.status, 'removed');
    await rejects(client.federation.remove({ name: 'again', repoId }), 'resourceNotFound');
    assert.equal((await client.federation.add({ name: 'again', ...how })).repoUid, repoUid);
  }
  const { repoUid } = (await client.federation.repos({ name: 'again' })).repos.find(one => one.repoId === 'loose')!;
  await client.federation.remove({ name: 'again', repoId: 'loose' });
  await addRepo(t, daemon, { root: two.root, id: 'loose' });
  const registered = await client.federation.add({ name: 'again', repoId: 'loose' });
  assert.ok(registered.repoUid !== repoUid, 'it is another repository now');
  assert.equal(
    (await client.daemon.listRepos({})).repos.some(({ id }) => id === 'again-one'),
    true,
    'it stays what it is',
  );
});

test('what can be no member is refused by name', async t => {
  await client.federation.create({ name: 'strict' });
  t.after(() => client.federation.delete({ name: 'strict' }));
  const folder = temporaryFolder(t, '-- file --\nx\n');
  const repository = gitRepository(t, source);
  const bad: readonly Readonly<Record<string, unknown>>[] = [
    {},
    { tags: ['a'] },
    { path: 'relative' },
    { path: '' },
    { path: folder.path('none') },
    { path: folder.path('file') },
    { path: '/' },
    { path: `${folder.root}\0x` },
    { path: home.places.state },
    { path: `${repository.root}/.git` },
    ...['../x', '/x', 'a//b', 'a/../b', '.a', 'a b', '', 'a/', 'x'.repeat(513)].map(repoId => ({
      path: repository.root,
      repoId,
    })),
    ...[[''], ['a,b'], [' a'], ['x'.repeat(101)]].map(tags => ({ path: repository.root, tags })),
  ];
  for (const input of bad) {
    await assert.rejects(
      client.federation.add({ name: 'strict', ...input } as never),
      (error: unknown) => error instanceof Fault && /^invalid/.test(error.reason),
      JSON.stringify(input),
    );
  }
  assert.equal((await client.federation.repos({ name: 'strict' })).count, 0);
});

test('a repository that is removed, and a folder that goes, are missing, and come back with what they were', async t => {
  await client.federation.create({ name: 'gone' });
  t.after(() => client.federation.delete({ name: 'gone' }));
  const [one, two] = [gitRepository(t, source), gitRepository(t, source)];
  await addRepo(t, daemon, { root: one.root, id: 'gone-one' });
  await indexed(client, 'gone-one');
  await client.federation.add({ name: 'gone', repoId: 'gone-one' });
  await client.federation.add({ name: 'gone', path: two.root, repoId: 'gone-two' });
  await client.federation.sync({ name: 'gone' });
  const before = await client.federation.modules({ name: 'gone' });
  assert.ok(before.total >= 2);
  await client.daemon.removeRepo({ id: 'gone-one' });
  rmSync(two.root, { recursive: true });
  const { repos } = await client.federation.repos({ name: 'gone', includeCompatibility: true });
  assert.deepEqual(
    repos.map(({ repoId, compatibility }) => [repoId, compatibility?.status]),
    [
      ['gone-one', 'missing'],
      ['gone-two', 'missing'],
    ],
  );
  const { results, summary } = await client.federation.sync({ name: 'gone' });
  assert.deepEqual(summary, { success: 0, failed: 2, skipped: 0, total: 2 });
  assert.deepEqual(
    results.map(({ repoId, reason }) => [repoId, reason]),
    [
      ['gone-one', 'It is not registered here any more'],
      ['gone-two', 'Its folder is gone'],
    ],
  );
  const told = await client.federation.repos({ name: 'gone' });
  assert.deepEqual(
    told.repos.map(({ problem }) => problem),
    results.map(({ reason }) => reason),
  );
  const after = await client.federation.modules({ name: 'gone' });
  assert.deepEqual(after.modules, before.modules, 'what is known stays');
  assert.deepEqual(await checked(), ['warn', true], 'doctor says so');
  for (const repoId of ['gone-one', 'gone-two']) await client.federation.remove({ name: 'gone', repoId });
  assert.deepEqual(await checked(), ['pass', false]);
});

/** What doctor says of federations, and whether it names the repository whose folder is gone. */
async function checked(): Promise<readonly [status: string | undefined, isNamed: boolean]> {
  const { checks } = await client.system.doctor({});
  const found = checks.find(({ name }) => name === 'federations');
  return [found?.status, found?.message.includes('gone-two of gone: Its folder is gone') === true];
}

test('uploads and mirrors are members too, without a folder', async t => {
  const hosted = await hostedDaemon(t);
  await hosted.upload('acme/x', scipBytes({ metadata, documents }));
  await hosted.ask('federation.create', { name: 'far' });
  const uploaded = await hosted.ask('federation.add', { name: 'far', repoId: 'acme/x' });
  assert.deepEqual([uploaded.repoId, uploaded.path, uploaded.source], ['acme/x', '', 'upload']);
  const { results } = await hosted.ask('federation.sync', { name: 'far' });
  assert.deepEqual([results[0]?.status, results[0]?.modulesSynced], ['success', 2]);
  const { modules } = await hosted.ask('federation.modules', { name: 'far', limit: 50 });
  assert.deepEqual(
    modules.map(({ repoId, moduleId }) => [repoId, moduleId]),
    [
      ['acme/x', '@root'],
      ['acme/x', 'src'],
    ],
  );
  await hosted.close();

  const { server } = await serving(t);
  await client.remote.add({ id: 'acme/billing', url: server.url, remoteRepo: 'acme/app' });
  t.after(() => client.remote.remove({ id: 'acme/billing' }));
  await client.federation.create({ name: 'mirrors' });
  t.after(() => client.federation.delete({ name: 'mirrors' }));
  const mirrored = await client.federation.add({ name: 'mirrors', repoId: 'acme/billing', tags: ['far'] });
  assert.deepEqual([mirrored.path, mirrored.source], ['', 'mirror']);
  const { summary } = await client.federation.sync({ name: 'mirrors' });
  assert.equal(summary.success, 1);
  const { total } = await client.federation.modules({ name: 'mirrors', repos: ['acme/billing'], tags: ['far'] });
  assert.ok(total > 0);
  const { repos } = await client.federation.repos({ name: 'mirrors', includeCompatibility: true });
  assert.equal(repos[0]?.compatibility?.status, 'ok');
});

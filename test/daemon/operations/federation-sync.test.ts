import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { addRepo, startDaemon, until } from '../../support/daemon.ts';
import { afterAll, gitRepository } from '../../support/repository.ts';
import { indexed, overHttp, shopNames, shopOf, shopRepository } from '../../support/shop.ts';
import { rejects } from './expected-faults.ts';

const daemon = await startDaemon(afterAll);
const { client } = daemon;
const http = await overHttp(afterAll, daemon);
const shop = await shopOf(afterAll, daemon);
const name = 'shop';

const statusesOf = ({
  results,
}: {
  readonly results: readonly { repoId: string; status: string; reason: string | null }[];
}) => results.map(({ repoId, status, reason }) => [repoId, status, reason]);
const unchanged = (repoId: string) => [repoId, 'skipped', 'unchanged'];
const success = (repoId: string) => [repoId, 'success', null];
const syncedAt = async (): Promise<Readonly<Record<string, string | null>>> =>
  Object.fromEntries((await client.federation.repos({ name })).repos.map(one => [one.repoId, one.lastSynced]));

test('what has not changed is skipped, unless it is forced', async () => {
  const settled = await client.federation.sync({ name });
  assert.deepEqual(statusesOf(settled), shopNames.map(unchanged));
  assert.deepEqual(settled.summary, { success: 0, failed: 0, skipped: 3, total: 3 });
  const before = await syncedAt();
  const forced = await client.federation.sync({ name, force: true, repoIds: ['web', 'cart'] });
  assert.deepEqual(statusesOf(forced), [success('cart'), success('web')]);
  const after = await syncedAt();
  assert.equal(after['checkout'], before['checkout']);
  for (const repoId of ['cart', 'web']) assert.ok(after[repoId]! > before[repoId]!, repoId);
});

test('counts are those of the lists, and the job tells of itself', async () => {
  const { results, jobId } = await client.federation.sync({ name, force: true });
  const job = await client.jobs.get({ id: jobId });
  assert.deepEqual([job.type, job.status, job.progress], ['sync-federation', 'completed', 100]);
  for (const { repoId, ...synced } of results) {
    const repos = [repoId];
    const lists = [
      [synced.modulesSynced, await client.federation.modules({ name, repos })],
      [synced.ownershipSynced, await client.federation.ownership({ name, repos })],
      [synced.hotspotsSynced, await client.federation.hotspots({ name, repos, minScore: 0 })],
      [synced.decisionsSynced, await client.federation.decisions({ name, repos })],
      [synced.contractsSynced, await client.contracts.list({ name, repoId })],
    ] as const;
    for (const [count, { total }] of lists) assert.equal(count, total, repoId);
    assert.match(synced.duration, /^[\d.]+m?s$/);
  }
});

test('a dry run tells what would be known, and keeps nothing', async t => {
  const repository = gitRepository(t, '-- src/a.ts --\nexport const a = 1;\n');
  await client.federation.create({ name: 'dry' });
  t.after(() => client.federation.delete({ name: 'dry' }));
  await client.federation.add({ name: 'dry', path: repository.root, repoId: 'a' });
  for (const dryRun of [true, true, false]) {
    const told = await client.federation.sync({ name: 'dry', dryRun });
    assert.deepEqual([statusesOf(told), told.dryRun], [[success('a')], dryRun]);
    assert.ok(told.results[0]!.modulesSynced > 0);
    const { repos } = await client.federation.repos({ name: 'dry' });
    assert.equal(repos[0]!.lastSynced === null, dryRun);
    assert.equal((await client.federation.modules({ name: 'dry' })).total > 0, !dryRun);
  }
  rmSync(repository.root, { recursive: true });
  assert.equal((await client.federation.sync({ name: 'dry', dryRun: true })).summary.failed, 1);
  assert.equal((await client.federation.repos({ name: 'dry' })).repos[0]?.problem, null);
  assert.equal((await client.federation.sync({ name: 'dry' })).summary.failed, 1);
  assert.equal((await client.federation.repos({ name: 'dry' })).repos[0]?.problem, 'Its folder is gone');
});

test('one that fails leaves the others, and is tried again each time', async t => {
  const [sound, broken] = [gitRepository(t, '-- a.ts --\nexport const a = 1;\n'), gitRepository(t, '-- b.ts --\n')];
  await client.federation.create({ name: 'half' });
  t.after(() => client.federation.delete({ name: 'half' }));
  await client.federation.add({ name: 'half', path: broken.root, repoId: 'a-broken' });
  await client.federation.add({ name: 'half', path: sound.root, repoId: 'b-sound' });
  broken.git('init', '--quiet');
  rmSync(broken.root, { recursive: true });
  const failed = ['a-broken', 'failed', 'Its folder is gone'];
  const first = await client.federation.sync({ name: 'half' });
  assert.deepEqual(statusesOf(first), [failed, success('b-sound')]);
  assert.deepEqual(first.summary, { success: 1, failed: 1, skipped: 0, total: 2 });
  assert.deepEqual(statusesOf(await client.federation.sync({ name: 'half' })), [failed, unchanged('b-sound')]);
  const { staleness } = await client.federation.modules({ name: 'half' });
  assert.deepEqual(
    [staleness.overallStaleness, staleness.refreshRecommended, staleness.repos.map(({ repoId }) => repoId)],
    ['never-synced', true, ['a-broken']],
  );
  const { staleness: ofOne } = await client.federation.modules({ name: 'half', repos: ['b-sound'] });
  assert.equal(ofOne.overallStaleness, 'fresh');
});

test('a commit alone is a change, and so is an edit; other members stay as they are', async () => {
  shop.cart.git('commit', '--quiet', '--allow-empty', '-m', 'nothing');
  assert.deepEqual(statusesOf(await client.federation.sync({ name })), [
    success('cart'),
    unchanged('checkout'),
    unchanged('web'),
  ]);
  shop.web.write('gifts/gift.ts', 'export const gift = 1;\n');
  await until('the edit is synchronised by itself', async () => {
    const { modules } = await client.federation.modules({ name, q: 'gifts', repos: ['web'] });
    return modules.length > 0;
  });
  const settled = await client.federation.sync({ name });
  assert.deepEqual(statusesOf(settled)[2], unchanged('web'));
  const { jobs } = await client.jobs.list({ type: 'sync-federation', limit: 1000 });
  assert.ok(jobs.length > 3);
});

test('a folder that is registered after it was added is synchronised by itself from then on', async t => {
  const repository = gitRepository(t, '-- src/a.ts --\nexport const a = 1;\n');
  await client.federation.create({ name: 'later' });
  t.after(() => client.federation.delete({ name: 'later' }));
  const { repoUid } = await client.federation.add({ name: 'later', path: repository.root, repoId: 'later' });
  await addRepo(t, daemon, { root: repository.root, id: 'later-kept' });
  await indexed(client, 'later-kept');
  await until('it is synchronised', async () => (await client.federation.modules({ name: 'later' })).total > 0);
  repository.write('proto/a.proto', 'syntax = "proto3";\nservice A {}\n');
  await until('so is what is written', async () => (await client.contracts.list({ name: 'later' })).total === 1);
  const [member] = (await client.federation.repos({ name: 'later' })).repos;
  assert.deepEqual([member?.repoUid, member?.source], [repoUid, 'registered']);
});

test('several synchronisations at once come to the same', async t => {
  await client.federation.create({ name: 'both' });
  t.after(() => client.federation.delete({ name: 'both' }));
  for (const repoId of shopNames) await client.federation.add({ name: 'both', repoId });
  const before = await client.contracts.edges({ name });
  const all = await Promise.all(
    [name, 'both', name, 'both', name].map(one => client.federation.sync({ name: one, force: true })),
  );
  for (const told of all) assert.deepEqual(statusesOf(told), shopNames.map(success));
  const { timestamp: _, ...after } = await client.contracts.edges({ name });
  assert.deepEqual(after, { edges: before.edges, total: before.total });
  assert.deepEqual((await client.contracts.edges({ name: 'both' })).edges, after.edges);
});

test('a federation without repositories, one that there is not, and repositories that are none of it', async t => {
  await client.federation.create({ name: 'empty' });
  t.after(() => client.federation.delete({ name: 'empty' }));
  const { results, summary } = await client.federation.sync({ name: 'empty' });
  assert.deepEqual([results, summary], [[], { success: 0, failed: 0, skipped: 0, total: 0 }]);
  await rejects(client.federation.sync({ name: 'none' }), 'resourceNotFound');
  await rejects(client.federation.sync({ name, repoIds: ['cart', 'none'] }), 'resourceNotFound');
  for (const [body, status] of [
    [{}, 200],
    [undefined, 200],
    [{ repoIds: ['cart'], dryRun: true, force: false }, 200],
    [{ repoIds: ['none'] }, 404],
    [{ force: 'true' }, 422],
    [{ repoIds: [null] }, 422],
    [{ repoIds: 'cart' }, 422],
    [{ repoIds: [] }, 422],
    [{ repoIds: ['cart', 'cart'] }, 200],
    [{ unknown: 1 }, 422],
    ['[]', 422],
    ['null', 422],
    ['{', 400],
  ] as const) {
    const answer = await http.send('POST', '/federations/shop/sync', body);
    assert.equal(answer.status, status, `${JSON.stringify(body)}: ${answer.text}`);
  }
});

test('a folder that is removed and added again is known anew', async t => {
  const repository = shopRepository(t, 'checkout');
  await client.federation.create({ name: 'twice' });
  t.after(() => client.federation.delete({ name: 'twice' }));
  const told: unknown[] = [];
  for (let times = 0; times < 3; times++) {
    const { repoUid } = await client.federation.add({ name: 'twice', path: repository.root, repoId: 'a' });
    assert.equal((await client.federation.modules({ name: 'twice' })).total, 0);
    assert.deepEqual(statusesOf(await client.federation.sync({ name: 'twice' })), [success('a')]);
    const { hotspots } = await client.federation.hotspots({ name: 'twice', minScore: 0 });
    told.push([repoUid, hotspots.map(({ targetId }) => targetId)]);
    await client.federation.remove({ name: 'twice', repoId: 'a' });
  }
  assert.deepEqual(told.slice(1), [told[0], told[0]]);
});

test('a member that is asked for while it is indexed for the first time waits for that', async t => {
  await client.federation.create({ name: 'first' });
  t.after(() => client.federation.delete({ name: 'first' }));
  const repository = shopRepository(t, 'cart');
  await addRepo(t, daemon, { root: repository.root, id: 'first-cart' });
  await client.federation.add({ name: 'first', repoId: 'first-cart' });
  assert.deepEqual(statusesOf(await client.federation.sync({ name: 'first' })), [success('first-cart')]);
});

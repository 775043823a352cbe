import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addRepo, startDaemon, type TestDaemon, temporaryHome, until } from '../../support/daemon.ts';
import { commitAs } from '../../support/dated-history.ts';
import { afterAll, gitRepository, temporaryFolder, type Workspace } from '../../support/repository.ts';
import { rejects } from '../operations/expected-faults.ts';

async function registered(t: TestContext, daemon: TestDaemon, { root }: Workspace, id: string): Promise<void> {
  await addRepo(t, daemon, { root, id });
  const isIndexed = async () => (await daemon.client.system.status({ repo: id })).index.snapshotId !== null;
  await until('the tree is indexed', isIndexed);
}

/** That of all tests but those that kill one. */
const daemon = await startDaemon(afterAll);

/** Files in two folders, each committed by itself. */
function manyFiles(t: TestContext, count: number): Workspace {
  const repository = gitRepository(t);
  for (let at = 0; at < count; at++) {
    repository.write(`d${at % 2}/f${at}.ts`, `export const f${at} = ${at};\n`);
    if (at % 10 === 9) commitAs(repository, { by: at % 20 === 9 ? 'Ann' : 'Ben', daysAgo: 100 - at / 10 });
  }
  commitAs(repository, { by: 'Ann', daysAgo: 1 });
  return repository;
}

test('a refresh tells what has changed since the last one, and a dry run what would', async t => {
  const { client } = daemon;
  const repository = manyFiles(t, 10);
  await registered(t, daemon, repository, 'app');
  const none = { modules: 0, ownership: 0, hotspots: 0, responsibilities: 0 };
  const would = await client.refresh.run({ repo: 'app', dryRun: true });
  assert.deepEqual([would.status, would.dryRun], ['dry-run', true]);
  assert.equal(would.changes?.ownership, 10);
  const first = await client.refresh.run({ repo: 'app' });
  assert.equal(first.status, 'completed');
  assert.deepEqual(first.changes, would.changes);
  assert.deepEqual((await client.refresh.run({ repo: 'app' })).changes, none);
  repository.write('d0/f0.ts', 'export const f0 = 1;\n');
  commitAs(repository, { by: 'Cay', daysAgo: 0 });
  const dry = await client.refresh.run({ repo: 'app', scope: 'ownership', dryRun: true });
  assert.deepEqual(dry.changes, { ...none, ownership: 1 });
  const second = await client.refresh.run({ repo: 'app', scope: 'ownership' });
  assert.deepEqual(second.changes, { ...none, ownership: 1 });
  const forced = await client.refresh.run({ repo: 'app', scope: 'ownership', force: true });
  assert.deepEqual(forced.changes, { ...none, ownership: 10 });
});

test('a refresh that nobody waits for is a job of its scope’s type', async t => {
  const { client } = daemon;
  await registered(t, daemon, manyFiles(t, 4), 'app');
  const queued = await client.refresh.run({ repo: 'app', scope: 'hotspots', async: true });
  assert.deepEqual([queued.status, queued.changes], ['queued', undefined]);
  const job = await client.jobs.get({ id: queued.jobId, wait: true });
  assert.deepEqual([job.type, job.status, job.progress], ['refresh-hotspots', 'completed', 100]);
  assert.ok(job.result !== undefined && 'changes' in job.result);
  assert.equal((await client.jobs.list({ type: 'refresh-hotspots' })).total, 1);
});

test('who asks for a refresh that runs already is told of its job', async t => {
  const { client } = daemon;
  await registered(t, daemon, manyFiles(t, 60), 'app');
  const asked = { repo: 'app', scope: 'ownership', async: true } as const;
  const first = await client.refresh.run(asked);
  await until('it runs', async () => (await client.jobs.get({ id: first.jobId })).status === 'running');
  const second = await client.refresh.run(asked);
  assert.deepEqual([first.status, second.status, second.jobId], ['queued', 'queued', first.jobId]);
  await client.jobs.cancel({ id: first.jobId });
});

test('a refresh tells of each file that git has been asked about', async t => {
  await registered(t, daemon, manyFiles(t, 50), 'app');
  const told: unknown[] = [];
  await daemon.caller.subscribe(({ type, body }) => {
    if (type === 'job.changed') told.push(body['message']);
  });
  await daemon.client.refresh.run({ repo: 'app', scope: 'ownership' });
  const counted = told.filter(message => /^Asking git who wrote what: /.test(String(message)));
  assert.deepEqual(
    [...new Set(counted)],
    Array.from({ length: 50 }, (_, at) => `Asking git who wrote what: ${at + 1} of 50`),
  );
});

test('a dry run that nobody waits for is told apart from a refresh', async t => {
  const { client } = daemon;
  await registered(t, daemon, manyFiles(t, 4), 'app');
  const asked = { repo: 'app', scope: 'modules', async: true } as const;
  const [dry, real] = await Promise.all([client.refresh.run({ ...asked, dryRun: true }), client.refresh.run(asked)]);
  assert.deepEqual([dry.dryRun, real.dryRun], [true, undefined]);
  const { jobs } = await client.jobs.list({ type: 'refresh-modules' });
  for (const [jobId, isDry] of [
    [dry.jobId, true],
    [real.jobId, undefined],
  ]) {
    assert.equal(jobs.find(({ id }) => id === jobId)?.dryRun, isDry);
  }
  assert.equal((await client.jobs.get({ id: dry.jobId, wait: true })).dryRun, true);
});

test('owners of many files are found out as far as there is time, whose progress is told, and the rest afterwards', async t => {
  const { client } = daemon;
  await registered(t, daemon, manyFiles(t, 45), 'app');
  const seen: number[] = [];
  const asked = { onProgress: ({ fraction = 0 }: { readonly fraction?: number }) => seen.push(fraction) };
  const { coverage, warnings } = await client.ownership.get({ repo: 'app' }, asked);
  assert.equal(coverage.blamedFiles + coverage.pendingFiles, 45);
  // On a slow machine the answer comes before that has ended, and says so.
  assert.equal(coverage.pendingFiles === 0, warnings === undefined);
  assert.ok(seen.length > 0);
  await until('all are known', async () => (await client.ownership.get({ repo: 'app' })).coverage.blamedFiles === 45);
});

test('without git modules are refreshed, and what has no history is said', async t => {
  const { client } = daemon;
  const folder = temporaryFolder(t, '-- a.ts --\nexport const a = 1;\n');
  await registered(t, daemon, folder, 'plain');
  const all = await client.refresh.run({ repo: 'plain' });
  assert.equal(all.changes?.modules, 1);
  assert.deepEqual(all.problems, ['The repository is not under git, so it has no history']);
  await rejects(client.refresh.run({ repo: 'plain', scope: 'hotspots' }), 'preconditionFailed');
  await rejects(client.hotspots.list({ repo: 'plain' }), 'preconditionFailed');
  const { history } = await client.system.status({ repo: 'plain' });
  assert.equal(history.status, 'none');
});

test('a refresh that is cancelled ends, and nothing of it stays', async t => {
  const { client } = daemon;
  await registered(t, daemon, manyFiles(t, 60), 'app');
  const { jobId } = await client.refresh.run({ repo: 'app', scope: 'ownership', async: true });
  await until('it is at work', async () => (await client.jobs.get({ id: jobId })).progress > 0);
  await client.jobs.cancel({ id: jobId });
  assert.equal((await client.jobs.get({ id: jobId })).status, 'cancelled');
  const after = await client.refresh.run({ repo: 'app', scope: 'ownership', dryRun: true });
  assert.equal(after.changes?.ownership, 60);
});

test('a daemon that is killed in a refresh leaves a failed job and nothing half written', async t => {
  const home = temporaryHome(t);
  const first = await startDaemon(t, home);
  await registered(t, first, manyFiles(t, 40), 'app');
  const { jobId } = await first.client.refresh.run({ repo: 'app', scope: 'ownership', async: true });
  await until('it is at work', async () => (await first.client.jobs.get({ id: jobId })).progress > 0);
  first.process.kill('SIGKILL');
  await first.ended;
  const { client } = await startDaemon(t, home);
  const job = await client.jobs.get({ id: jobId });
  assert.deepEqual([job.status, job.error?.code], ['failed', 'interrupted']);
  const after = await client.refresh.run({ repo: 'app', scope: 'ownership', dryRun: true });
  assert.equal(after.changes?.ownership, 40);
  const again = await client.refresh.run({ repo: 'app', scope: 'ownership' });
  assert.deepEqual(again.changes, { modules: 0, ownership: 40, hotspots: 0, responsibilities: 0 });
});

test('a refresh by force that is cut short takes nothing away that was known', async t => {
  const home = temporaryHome(t);
  const first = await startDaemon(t, home);
  await registered(t, first, manyFiles(t, 50), 'app');
  await first.client.refresh.run({ repo: 'app', scope: 'ownership' });
  const { jobId } = await first.client.refresh.run({ repo: 'app', scope: 'ownership', force: true, async: true });
  await until('it is at work', async () => (await first.client.jobs.get({ id: jobId })).progress > 0);
  first.process.kill('SIGKILL');
  await first.ended;
  const { client } = await startDaemon(t, home);
  const { coverage } = await client.ownership.get({ repo: 'app' });
  assert.deepEqual([coverage.blamedFiles, coverage.pendingFiles], [50, 0]);
});

test('a commit is in the answers as soon as it is there, whatever moved HEAD', async t => {
  const { client } = daemon;
  const repository = manyFiles(t, 4);
  await registered(t, daemon, repository, 'app');
  const churn = async () => {
    const { hotspots, commit } = await client.hotspots.list({ repo: 'app', limit: 100 });
    assert.equal(commit, repository.git('rev-parse', 'HEAD'));
    return hotspots.find(({ targetId }) => targetId === 'd0/f0.ts')!.metrics.churnCommits30d;
  };
  const before = await churn();
  repository.write('d0/f0.ts', 'export const f0 = 10;\n');
  commitAs(repository, { by: 'Ann', daysAgo: 0 });
  const next = repository.git('rev-parse', 'HEAD');
  assert.equal(await churn(), before + 1);
  repository.git('update-ref', 'refs/heads/main', `${next}~1`);
  assert.equal(await churn(), before);
  repository.git('update-ref', 'refs/heads/main', next);
  assert.equal(await churn(), before + 1);
});

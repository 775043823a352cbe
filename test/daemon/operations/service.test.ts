import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '../../../client/client.ts';
import { httpCaller } from '../../../client/http.ts';
import { readDaemonRecord } from '../../../client/paths.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { startDaemon, svc, temporaryHome, until } from '../../support/daemon.ts';
import { afterAll, type Cleanup, gitRepository, temporaryFolder } from '../../support/repository.ts';
import { commandsOf, rejects } from './expected-faults.ts';
import { indexedBy, largeTree, tree } from './indexed-repository.ts';

/** Most tests share a daemon: each leaves it without a repository. */
const shared = await startDaemon(afterAll);

function indexed(context: Cleanup, id: string): Promise<string> {
  removedAfter(context, id);
  return indexedBy(context, shared.client, id);
}

function removedAfter(context: Cleanup, id: string): void {
  context.after(() => shared.client.daemon.removeRepo({ id }).catch(() => {}));
}

test('a repository is registered, indexed by a job, asked, and removed with its files', async context => {
  const { client, home } = shared;
  removedAfter(context, 'app');
  const { root } = gitRepository(context, tree);
  const { repo, created, jobId } = await client.daemon.addRepo({ root, id: 'app' });
  assert.deepEqual([repo.id, repo.root, created], ['app', root, true]);
  await until('the job ends', async () => (await client.jobs.get({ id: jobId! })).status === 'completed');
  const job = await client.jobs.get({ id: jobId! });
  assert.deepEqual([job.type, job.repo, job.progress], ['index-repository', 'app', 100]);
  assert.equal((await client.daemon.addRepo({ root })).created, false);
  const { indexPath } = (await client.indexing.index({ force: true })) as { indexPath: string };
  assert.ok(readFileSync(indexPath).length > 0);
  assert.equal((await client.symbols.search({ q: 'alpha' })).total, 1);
  await client.daemon.removeRepo({ id: 'app' });
  assert.deepEqual((await client.daemon.listRepos({})).repos, []);
  assert.throws(() => readFileSync(indexPath));
  await rejects(client.daemon.removeRepo({ id: 'app' }), 'resourceNotFound');
  assert.ok(home.log().some(({ msg, change }) => msg === 'repository.changed' && change === 'removed'));
});

test('index skips what is fresh, runs when told to, and knows the repository’s languages', async context => {
  const { client } = shared;
  const root = await indexed(context, 'app');
  const skipped = await client.indexing.index({});
  assert.equal(skipped.status, 'skipped');
  const forced = await client.indexing.index({ force: true });
  assert.equal(forced.status, 'completed');
  await rejects(client.indexing.index({ language: 'go', force: true }), 'invalidBody');
  writeFileSync(join(root, 'c.ts'), 'export const gamma = 1;\n');
  assert.equal((await client.symbols.search({ q: 'gamma', sync: true })).total, 1);
  const status = await client.indexing.status({});
  assert.deepEqual([status.exists, status.fresh, status.fileCount], [true, true, 3]);
});

test('which repository answers where none is named is shown, chosen and cleared, over each surface alike', async context => {
  const { client, home } = shared;
  await indexed(context, 'a');
  await indexed(context, 'b');
  await until('HTTP is open', () => typeof readDaemonRecord(home.places)?.url === 'string');
  const { url, tokenFile } = readDaemonRecord(home.places)!;
  const http = httpCaller({ url: url!, token: readFileSync(tokenFile, 'utf8').trim() });
  context.after(() => http.close());
  const overHttp = createClient(http);
  const atShell = async (...words: string[]) => svc(home, ['repo', 'default', ...words], home.path);

  assert.equal((await client.daemon.defaultRepo({})).id, null);
  assert.equal((await atShell()).stdout, 'none\n');
  const chosen = await atShell('a', '--json');
  assert.deepEqual([JSON.parse(chosen.stdout).id, JSON.parse(chosen.stdout).configured], ['a', false]);
  assert.equal((await overHttp.daemon.defaultRepo({})).id, 'a');
  assert.equal((await overHttp.daemon.defaultRepo({ id: 'b' })).id, 'b');
  assert.equal((await atShell()).stdout, 'b\n');
  assert.equal((await client.system.status({})).repository.id, 'b');
  assert.equal((await atShell('--clear')).stdout, 'none\n');
  await rejects(client.system.status({}), 'invalidParameter');
  assert.equal((await client.daemon.defaultRepo({ clear: true })).id, null, 'cleared already');
  assert.equal((await atShell('a', '--clear')).code, 2);
  await rejects(client.daemon.defaultRepo({ id: 'none' }), 'resourceNotFound');
});

test('the API names its paths as the specification writes them', async () => {
  const { client } = shared;
  const { endpoints } = await client.system.root({});
  const named = new Set(endpoints.map(({ method, path }) => `${method} ${path}`));
  for (const path of ['GET /search', 'GET /symbol/:id', 'POST /jobs/:id/cancel', 'POST /daemon/repos/:id/trust']) {
    assert.ok(named.has(path), path);
  }
  assert.ok(![...named].some(path => path.includes('*')));
});

test('health, readiness, metrics and doctor tell the same story', async context => {
  const { client } = shared;
  assert.equal((await client.system.ready({})).status, 'ready');
  await indexed(context, 'counted');
  await client.symbols.search({ q: 'alpha' });
  await client.indexing.index({ force: true });
  const health = await client.system.healthDetailed({});
  assert.equal(health.status, 'healthy');
  assert.equal(health.repos['counted']?.symbolCount, (await client.system.status({})).index.symbolCount);
  assert.ok(health.storage.databaseSize > 0 && health.storage.snapshotCount >= 1);
  const metrics = await client.system.metrics({});
  for (const line of [
    'svc_ingestion_total{repo="counted",type="full"} 2',
    'svc_ingestion_duration_seconds_count{repo="counted",type="full"} 2',
    'svc_search_total{repo="counted",type="names"} 1',
    `svc_symbols_total{repo="counted"} ${health.repos['counted']?.symbolCount}`,
  ]) {
    assert.ok(metrics.includes(`${line}\n`), `${line} in\n${metrics}`);
  }
  const families = [...metrics.matchAll(/^# TYPE (svc_\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
  for (const family of [
    'svc_ingestion_total counter',
    'svc_ingestion_duration_seconds histogram',
    'svc_search_total counter',
    'svc_storage_bytes gauge',
    'svc_symbols_total gauge',
    'svc_goroutines gauge',
    'svc_memory_alloc_bytes gauge',
    'svc_uptime_seconds counter',
  ]) {
    assert.ok(families.includes(family), family);
  }
  const bytes = (type: string) =>
    Number(metrics.match(new RegExp(`svc_storage_bytes\\{repo="counted",type="${type}"\\} (\\d+)`))?.[1]);
  assert.ok(bytes('snapshots') > 0 && bytes('snapshots') < bytes('database'), 'the log is no part of what is in use');
  const buckets = [...metrics.matchAll(/svc_ingestion_duration_seconds_bucket\{le="([^"]+)",repo="counted"/g)].map(
    ([, le]) => le,
  );
  const expected = '0.001 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 30 60 +Inf'.split(' ');
  assert.deepEqual(buckets, expected);
  const { summary, checks, issues } = await client.system.doctor({});
  assert.equal(summary.failed, 0, JSON.stringify(issues));
  assert.equal(new Set(checks.map(({ name }) => name)).size, checks.length);
  assert.equal(
    (await client.system.doctor({ tier: 'full' })).checks.find(({ name }) => name === 'tier.full')?.status,
    'fail',
  );
  await client.daemon.removeRepo({ id: 'counted' });
  assert.doesNotMatch(await client.system.metrics({}), /"counted"/, 'nobody’s series are kept for ever');
});

test('doctor names what is wrong, and its script quotes what it says', async context => {
  const { client, home } = shared;
  const root = await indexed(context, 'app');
  const status = async (check: string) =>
    (await client.system.doctor({})).checks.find(({ name }) => name === check)?.status;
  assert.equal(await status('token'), 'pass');
  renameSync(home.places.tokenFile, `${home.places.tokenFile}.away`);
  context.after(() => renameSync(`${home.places.tokenFile}.away`, home.places.tokenFile));
  assert.equal(await status('token'), 'fail');
  assert.equal(await status('repository.root'), 'pass');
  rmSync(root, { recursive: true });
  await until('the root’s absence is noticed', async () => (await status('repository.root')) === 'fail');
  const { script, commands, safe } = await client.system.doctorFix({});
  assert.ok(commands.some(({ command }) => command === 'svc repo remove app'));
  assert.equal(safe, false);
  assert.match(script, /^#!\/bin\/sh\n/);
  assert.ok(!script.split('\n').includes('svc repo remove app'), 'what loses something is commented out');
});

test('a cancelled job says so, and cannot be cancelled again', async context => {
  const { client } = shared;
  await rejects(client.jobs.cancel({ id: 'none' }), 'resourceNotFound');
  await indexed(context, 'app');
  const [job] = (await client.jobs.list({})).jobs;
  await rejects(client.jobs.cancel({ id: job!.id }), 'preconditionFailed');
  assert.equal((await client.jobs.list({ status: 'failed' })).total, 0);
});

test('a job that runs is cancelled at once: its work ends, nothing of it is published, and it can be done again', async context => {
  const { client } = shared;
  removedAfter(context, 'app');
  const { root } = temporaryFolder(context, largeTree);
  const { jobId } = await client.daemon.addRepo({ root, id: 'app' });
  const id = jobId!;
  await until('it has begun', async () => (await client.jobs.get({ id })).progress > 0);
  await client.jobs.cancel({ id });
  assert.equal((await client.jobs.get({ id })).status, 'cancelled');
  const repo = async () => (await client.daemon.listRepos({})).repos[0]!;
  await until('its work has ended', async () => (await repo()).status !== 'indexing');
  assert.equal((await repo()).snapshotId, null);
  assert.equal((await repo()).status, 'failed');
  await assert.rejects(client.jobs.cancel({ id }), (error: unknown) => {
    assert.ok(error instanceof Fault);
    assert.deepEqual([error.row.status, error.extras.details], [412, { status: 'cancelled' }]);
    return true;
  });
  assert.equal((await client.indexing.index({})).status, 'completed');
  assert.equal((await client.jobs.get({ id })).status, 'cancelled');
});

test('what is not there, or not any more, comes with a way on that works', async context => {
  const { client, home } = shared;
  await indexed(context, 'app');
  const [job] = (await client.jobs.list({})).jobs;
  await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
  const { url, tokenFile } = readDaemonRecord(home.places)!;
  const headers = { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` };
  const asked = [
    () => client.symbols.get({ id: `svc:app:sym:${'0'.repeat(32)}` }),
    () => client.symbols.refs({ id: `svc:app:sym:${'0'.repeat(32)}` }),
    () => client.symbols.get({ id: 'nowhere' }),
    () => client.symbols.get({ id: `svc:none:sym:${'0'.repeat(32)}` }),
    () => client.jobs.get({ id: 'none' }),
    () => client.jobs.cancel({ id: 'none' }),
    () => client.jobs.cancel({ id: job!.id }),
    () => client.daemon.trustRepo({ id: 'none' }),
    () => client.system.status({ repo: 'none' }),
    () => client.analysis.complexity({ path: 'none.ts' }),
    () => client.analysis.affected({ files: ['none.ts'] }),
    () => client.analysis.architecture({ targetPath: 'none' }),
  ];
  for (const ask of asked) {
    const fault = await ask().then(
      () => assert.fail(String(ask)),
      (error: Fault) => error,
    );
    const { suggestedFixes = [], drilldowns = [] } = fault.extras;
    assert.ok(suggestedFixes.length > 0, String(ask));
    for (const { command } of suggestedFixes) {
      const { code, stderr } = await svc(home, command.split(' ').slice(1));
      assert.equal(code, 0, `${command}: ${stderr}`);
    }
    for (const { query } of drilldowns) assert.equal((await fetch(`${url}${query}`, { headers })).status, 200, query);
  }
});

test('a home of ours is no repository', async context => {
  const { client, home } = shared;
  await rejects(client.daemon.addRepo({ root: home.places.state }), 'invalidBody');
  const { root } = temporaryFolder(context, tree);
  execFileSync('mkfifo', [join(root, 'pipe')]);
  for (const path of [join(root, 'a.ts'), join(root, 'pipe'), join(root, 'absent'), '/', '/dev/null', 'C:\\src']) {
    await rejects(client.daemon.addRepo({ root: path }), 'invalidBody');
  }
});

test('a root that went away is missing, not empty, wherever one asks; it is followed on when it comes back', async context => {
  const { client } = shared;
  const root = await indexed(context, 'app');
  renameSync(root, `${root}-away`);
  context.after(() => rmSync(`${root}-away`, { recursive: true, force: true }));
  const status = async () => (await client.daemon.listRepos({})).repos[0]?.status;
  await until('the watcher has seen it', async () => (await status()) === 'missing');
  const { status: state, index } = await client.system.status({});
  assert.deepEqual([state, index.status, index.fileCount], ['degraded', 'stale', 2]);
  assert.equal((await client.system.healthDetailed({})).status, 'degraded');
  await rejects(client.indexing.index({}), 'preconditionFailed');
  await rejects(client.indexing.index({ force: true }), 'preconditionFailed');
  const { checks, issues } = await client.system.doctor({});
  const failing = checks.filter(one => one.status === 'fail').map(one => one.name);
  assert.ok(failing.includes('repository.root') && failing.includes('watch'), failing.join());
  const commands = issues.flatMap(one => one.suggestedFixes.map(({ command }) => command));
  assert.ok(commands.includes('svc repo remove app') && !commands.some(one => one.startsWith('svc index')));
  assert.equal((await client.symbols.search({ q: 'alpha' })).total, 1);
  await assert.rejects(client.symbols.search({ q: 'alpha', sync: true }), (error: unknown) => {
    assert.ok(error instanceof Fault && error.reason === 'indexStale');
    assert.deepEqual(commandsOf(error), ['svc repo remove app']);
    return true;
  });
  renameSync(`${root}-away`, root);
  await until('it is followed on', async () => (await client.system.status({})).status === 'healthy');
  writeFileSync(join(root, 'c.ts'), 'export const gamma = 1;\n');
  assert.equal((await client.symbols.search({ q: 'gamma', sync: true })).total, 1);
});

test('caches are filled and dropped for one repository, and each says what it did', async context => {
  const { client } = shared;
  await indexed(context, 'a');
  await indexed(context, 'b');
  const clear = async (repo: string) => (await client.system.clearCache({ repo })).message;
  const warm = async (repo: string) => (await client.system.warmCache({ repo })).message;
  for (const repo of ['a', 'b']) await clear(repo);
  assert.equal(await clear('a'), 'nothing of a was in memory');
  assert.match(await warm('a'), /^a is in memory: [1-9]\d* definitions? under [1-9]\d* names?$/);
  assert.equal(await clear('b'), 'nothing of b was in memory');
  assert.equal(await clear('a'), 'a was dropped from memory');
  assert.equal(await clear('a'), 'nothing of a was in memory');
  assert.equal((await client.symbols.search({ q: 'alpha', repo: 'a' })).total, 1);
  assert.equal(await clear('a'), 'a was dropped from memory');
});

test('limits of source files, of a parse and of path parameters come from the configuration', async context => {
  const home = temporaryHome(context);
  home.configure('[limits]\nsource_bytes = 2000\nsource_line_characters = 100\npath_parameter_bytes = 1024\n');
  const { client, record } = await startDaemon(context, home);
  const long = `export const long = "${'x'.repeat(150)}";`;
  const large = 'export const large = 1;\n'.repeat(100);
  const { root } = gitRepository(context, `-- a.ts --\nexport const a = 1;\n-- b.ts --\n${long}\n-- c.ts --\n${large}`);
  await client.daemon.addRepo({ root, id: 'app' });
  await until('it is indexed', async () => (await client.daemon.listRepos({})).repos[0]?.status === 'ready');
  assert.equal((await client.symbols.search({ q: 'a', sync: true })).total, 1);
  for (const q of ['long', 'large']) assert.equal((await client.symbols.search({ q })).total, 0, q);
  await until('HTTP listens', async () => (await client.daemon.status({})).http !== null);
  const { url } = readDaemonRecord(home.places)!;
  const headers = { authorization: `Bearer ${readFileSync(record.tokenFile, 'utf8').trim()}` };
  const answered = async (length: number) => (await fetch(`${url}/symbol/${'x'.repeat(length)}`, { headers })).text();
  assert.doesNotMatch(await answered(1024), /at most 1024 bytes/);
  assert.match(await answered(1025), /must have at most 1024 bytes/);
});

test('health tells which snapshots can be read and what the log of deltas holds', async context => {
  const { client } = shared;
  assert.deepEqual((await client.system.healthDetailed({})).journal, {
    entryCount: 0,
    oldestEntry: null,
    pendingCompaction: false,
  });
  const root = await indexed(context, 'app');
  const first = (await client.system.healthDetailed({})).journal;
  assert.equal(first.entryCount, 1);
  assert.equal((await client.delta.status({})).lastDeltaIngested, null, 'the first index was no delta');
  writeFileSync(join(root, 'c.ts'), 'export const gamma = 1;\n');
  assert.equal((await client.symbols.search({ q: 'gamma', sync: true })).total, 1);
  const { journal, storage } = await client.system.healthDetailed({});
  assert.deepEqual(journal, { ...first, entryCount: 2 });
  assert.deepEqual([storage.snapshotCount, storage.oldestSnapshot], [2, first.oldestEntry]);
  const { lastDeltaIngested, pendingDeltas } = await client.delta.status({});
  assert.ok(lastDeltaIngested! > first.oldestEntry!);
  assert.equal(pendingDeltas, 0);
});

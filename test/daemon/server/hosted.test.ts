import assert from 'node:assert/strict';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { inputFields, type Operation } from '../../../client/protocol/operation.ts';
import { type OperationName, operations } from '../../../client/protocol/registry.ts';
import { symbolId } from '../../../daemon/model/identity.ts';
import { isSealed } from '../../../daemon/store/seal.ts';
import { openListener, sendRequest, token } from '../../http/listener.ts';
import { type Home, temporaryHome, until } from '../../support/daemon.ts';
import { type HostedDaemon, hostedDaemon } from '../../support/hosted-daemon.ts';
import { gitRepository } from '../../support/repository.ts';
import { scipBytes } from '../../support/scip.ts';
import { documents, hashOf, metadata } from '../jobs/uploads.ts';
import { rejects } from '../operations/expected-faults.ts';

const repo = 'acme/x';
const index = scipBytes({ metadata, documents });
const helper = symbolId(repo, hashOf('src/lib.ts', 'helper().'));
const store = symbolId(repo, hashOf('src/lib.ts', 'Store#'));

async function withUpload(context: TestContext, home?: Home): Promise<HostedDaemon> {
  const at = await hostedDaemon(context, home === undefined ? {} : { home });
  await at.upload(repo, index, { commit: 'cd'.repeat(20) });
  return at;
}

/** What operations about a repository are asked, where they take more than nothing. */
const inputs: Readonly<Partial<Record<OperationName, Readonly<Record<string, unknown>>>>> = {
  'symbols.get': { id: helper },
  'symbols.search': { q: 'helper' },
  'symbols.refs': { id: helper, merge: 'union' },
  'analysis.impact': { id: helper },
  'analysis.callgraph': { id: helper },
  'analysis.trace': { from: helper, to: store },
  'analysis.complexity': { path: 'src/lib.ts' },
  'analysis.affected': { files: ['src/lib.ts'] },
  'responsibilities.get': { moduleId: '@root' },
  'decisions.get': { id: 'ADR-001' },
  'decisions.create': { title: 't', context: 'c', decision: 'd' },
  'delta.validate': { artifact: '{}' },
  'delta.ingest': { artifact: '{}' },
  'delta.build': { base: 'a', head: 'b', output: '/tmp/x' },
  'ownership.get': { path: 'src/lib.ts' },
  'hotspots.coupling': { path: 'src/lib.ts' },
  'pr.summary': { baseBranch: 'main', headBranch: 'dev' },
  'docs.symbol': { name: 'helper' },
  'docs.file': { path: 'README.md' },
  'docs.module': { moduleId: '@root' },
  'telemetry.usage': { symbolId: helper },
  'telemetry.ingestCalls': { body: '{"calls":[]}' },
};
/** Where an index says nothing of it. */
const unanswered: ReadonlySet<string> = new Set<OperationName>(['analysis.complexity']);

/** Their bodies come as streams. */
const overHttpAlone: ReadonlySet<string> = new Set<OperationName>(['telemetry.ingestMetrics']);

test('each operation about a repository is answered from an uploaded index, or says that it needs a work tree', async context => {
  const at = await withUpload(context);
  const scoped = (Object.entries(operations) as [OperationName, Operation][]).filter(
    ([name, { scope }]) => scope === 'repository' && !overHttpAlone.has(name),
  );
  assert.ok(scoped.length > 25);
  for (const [name, operation] of scoped) {
    const needs = operation.needs;
    assert.ok(needs !== undefined, name);
    const input = { repo, ...inputs[name] };
    const told = await at.ask(name, input).catch((error: unknown) => error);
    if (needs === 'work tree') {
      assert.ok(told instanceof Fault && told.reason === 'preconditionFailed', `${name}: ${told}`);
      assert.deepEqual([told.reason, told.extras.details?.['reason']], ['preconditionFailed', 'no_work_tree'], name);
      assert.ok(operation.faults.includes('preconditionFailed'), name);
    } else if (unanswered.has(name)) {
      assert.equal((told as Fault).reason, 'preconditionFailed', name);
    } else {
      assert.ok(!(told instanceof Error), `${name}: ${told}`);
      assert.ok(!((await at.ask(name, { ...input, sync: true })) instanceof Error), name);
    }
    if (!('repoStateMode' in inputFields(operation))) continue;
    const ofHead = await at.ask(name, { ...input, repoStateMode: 'head' }).catch((error: unknown) => error);
    assert.equal((ofHead as Fault).extras.details?.['reason'], 'no_work_tree', name);
  }
});

test('an artifact about an uploaded repository is read, and none is good where there is no tree', async context => {
  const at = await withUpload(context);
  const { activeSnapshotId, enabled, schemaVersion } = await at.ask('delta.status', { repo });
  assert.equal(enabled, false);
  for (const [artifact, isActive] of [
    ['{}', false],
    [JSON.stringify({ delta_schema_version: schemaVersion, base_snapshot_id: activeSnapshotId }), true],
  ] as const) {
    const told = await at.ask('delta.validate', { repo, artifact });
    assert.ok(!told.valid && told.errors.length > 2);
    assert.match(told.errors.at(-1)!, /^deltas: not checked: .* has no work tree here: its index was uploaded/);
    assert.deepEqual([told.baseSnapshotMatch, told.base], isActive ? [true, 'active'] : [false, undefined]);
  }
  await rejects(at.ask('delta.validate', { repo, artifact: '{' }), 'invalidParameter');
});

test('what is told of an uploaded repository is told of its index', async context => {
  const at = await withUpload(context);
  const status = await at.ask('system.status', { repo });
  assert.deepEqual(status.repository, { root: '', name: repo, id: repo });
  assert.deepEqual([status.status, status.index.status, status.tier.current], ['healthy', 'fresh', 'standard']);
  assert.deepEqual([status.history.status, status.history.commit], ['none', null]);
  assert.equal((await at.ask('indexing.status', { repo })).fresh, true);
  const health = await at.ask('system.healthDetailed', {});
  assert.deepEqual(
    [health.status, health.repos[repo]?.status, health.repos[repo]?.symbolCount],
    ['healthy', 'ready', 5],
  );
  assert.ok(health.storage.databaseSize > 0 && health.storage.snapshotCount === 1);
  const doctor = await at.ask('system.doctor', { repo, tier: 'standard' });
  const of = (name: string) => doctor.checks.find(one => one.name === name)?.status;
  assert.deepEqual(
    ['repository.source', 'index.integrity', 'repositories.hosted', 'tier.standard', 'repository.root'].map(of),
    ['info', 'pass', 'pass', 'pass', undefined],
  );
  const { languages, completeness } = await at.ask('environment.languages', { repo });
  assert.deepEqual(
    Object.entries(languages).map(([language, one]) => [language, one.tier, one.tierName, one.preciseFileCount]),
    [['typescript', 1, 'precise', 2]],
  );
  assert.deepEqual([languages['typescript']?.quality, languages['typescript']?.recommendations], ['good', []]);
  assert.deepEqual(completeness.languagesWithoutIndexer, []);
  const metrics = await at.text('system.metrics');
  for (const line of [
    'svc_ingestion_total{repo="acme/x",type="full"} 1',
    'svc_ingestion_duration_seconds_count{repo="acme/x",type="full"} 1',
    'svc_symbols_total{repo="acme/x"} 5',
  ])
    assert.ok(metrics.includes(`${line}\n`), metrics);
  await rejects(at.ask('daemon.trustRepo', { id: repo }), 'preconditionFailed');
});

test('the architecture of an upload is made of what its files surely use of one another, in any language', async context => {
  const at = await hostedDaemon(context);
  const symbol = (path: string, rest: string) => {
    const at = path.lastIndexOf('/') + 1;
    return `scip-typescript npm pkg 1.0.0 ${path.slice(0, at)}\`${path.slice(at)}\`/${rest}`;
  };
  const [lib, use, side] = ['packages/core/src/lib.ts', 'packages/app/src/use.ts', 'packages/app/src/side.ts'] as const;
  const crate = (rest: string) => `rust-analyzer cargo x 1.0.0 ${rest}`;
  const mixed = [
    {
      relativePath: lib,
      occurrences: [
        { range: [0, 0, 0], symbol: symbol(lib, ''), symbolRoles: 1 },
        { range: [1, 6, 11], symbol: symbol(lib, 'Store#'), symbolRoles: 1 },
      ],
    },
    {
      relativePath: use,
      occurrences: [
        { range: [0, 0, 0], symbol: symbol(use, ''), symbolRoles: 1 },
        { range: [2, 0, 5], symbol: symbol(lib, 'Store#') },
        { range: [3, 0, 5], symbol: symbol(lib, 'Store#') },
      ],
    },
    { relativePath: side, occurrences: [{ range: [0, 7, 14], symbol: symbol(use, '') }] },
    {
      relativePath: 'one/src/lib.rs',
      occurrences: [{ range: [0, 3, 6], symbol: crate('one/run().'), symbolRoles: 1 }],
    },
    { relativePath: 'two/src/lib.rs', occurrences: [{ range: [4, 3, 6], symbol: crate('one/run().') }] },
  ];
  await at.upload(repo, scipBytes({ metadata, documents: mixed }));
  const files = await at.ask('analysis.architecture', { repo, granularity: 'file' });
  assert.ok(typeof files === 'object' && files.granularity === 'file');
  assert.deepEqual(
    files.fileDependencies.map(({ from, to, line, implicit }) => [from, to, line, implicit]),
    [
      [side, use, 1, true],
      [use, lib, 3, true],
      ['two/src/lib.rs', 'one/src/lib.rs', 5, true],
    ],
  );
  const directories = await at.ask('analysis.architecture', { repo, granularity: 'directory', depth: 3 });
  assert.ok(typeof directories === 'object' && directories.granularity === 'directory');
  assert.deepEqual(
    directories.directoryDependencies.map(({ from, to }) => [from, to]),
    [
      ['packages/app/src', 'packages/core/src'],
      ['two/src', 'one/src'],
    ],
  );
  const modules = await at.ask('analysis.architecture', { repo });
  assert.ok(typeof modules === 'object' && modules.granularity === 'module');
  assert.deepEqual(
    modules.dependencies.map(({ from, to, strength }) => [from, to, strength]),
    [
      ['packages/app/src', 'packages/core/src', 1],
      ['two/src', 'one/src', 1],
    ],
  );
});

test('no folder lies in an uploaded repository, and a work tree beside it is asked as ever', async context => {
  const at = await withUpload(context);
  const { root } = gitRepository(context, '-- src/a.ts --\nexport const alpha = 1;\n');
  const { repositories } = at.indexing;
  for (const path of ['/', '', '.', root, join(root, 'src')])
    assert.equal(repositories.containing(path), undefined, path);
  assert.equal(repositories.at(''), undefined);
  await at.ask('daemon.addRepo', { root, id: 'app' });
  await until('it is indexed', () => repositories.get('app')?.snapshot !== undefined);
  assert.equal(repositories.containing(join(root, 'src'))?.record.id, 'app');
  assert.equal((await at.ask('symbols.search', { q: 'alpha' }, { directory: root })).total, 1);
  await rejects(at.ask('symbols.search', { q: 'alpha' }, { directory: '/' }), 'resourceNotFound');
});

test('symbol ids with a slash are taken raw and encoded in every path', async context => {
  const at = await withUpload(context);
  const listener = await openListener(context, at.door);
  const headers = { Authorization: `Bearer ${token}` };
  for (const path of ['symbol', 'refs', 'impact', 'callgraph']) {
    for (const id of [helper, encodeURIComponent(helper), helper.replace('/', '%2F')]) {
      const { status, body } = await sendRequest(listener, 'GET', `/${path}/${id}`, headers);
      assert.equal(status, 200, `/${path}/${id}: ${body}`);
    }
  }
  const { status, body } = await sendRequest(listener, 'GET', '/hotspots?repo=acme%2Fx', headers);
  assert.equal(status, 412);
  assert.deepEqual(JSON.parse(body).details, { reason: 'no_work_tree', source: 'upload' });
});

test('an uploaded repository is there after a restart, with its index as it was', async context => {
  const home = temporaryHome(context);
  const before = await withUpload(context, home);
  const told = await before.ask('symbols.refs', { id: helper });
  const { seq } = before.state.database.lastSync(before.indexing.repositories.get(repo)!.registered.uid)!;
  await before.close();
  const after = await hostedDaemon(context, { home });
  const { timestamp: _, ...same } = told;
  const { timestamp: __, ...again } = await after.ask('symbols.refs', { id: helper });
  assert.deepEqual(again, same);
  const kept = after.indexing.repositories.get(repo)!;
  assert.equal(after.state.database.lastSync(kept.registered.uid)?.seq, seq);
  assert.equal(after.state.database.hosted(kept.registered.uid)?.commit, 'cd'.repeat(20));
  assert.equal((await after.upload(repo, index)).meta.sync_seq, seq);
});

test('what a killed daemon left of an upload goes with the next start', async context => {
  const home = temporaryHome(context);
  const before = await withUpload(context, home);
  const [current, unborn] = [
    before.indexing.repositories.get(repo)!.record.indexFile,
    before.indexing.repositories.hostedFile('acme/new', 'ab'.repeat(12)),
  ];
  await before.close();
  const uploads = join(home.places.data, 'uploads');
  mkdirSync(uploads, { recursive: true });
  mkdirSync(dirname(unborn));
  writeFileSync(unborn, '');
  for (const file of [current, unborn]) writeFileSync(join(uploads, `${dirname(file).split('/').pop()}-0a`), index);
  const stray = join(dirname(current), `index-${'cd'.repeat(12)}.db`);
  for (const part of ['', '.new', '.new-journal', '.seal', '.scratch']) writeFileSync(stray + part, 'x');
  const after = await hostedDaemon(context, { home });
  await until('strays are gone', () => after.filesOf(repo)?.length === 2);
  assert.deepEqual([after.uploads(), existsSync(dirname(unborn))], [[], false]);
  assert.equal((await after.ask('symbols.get', { id: helper })).name, 'helper');
});

/** Some bytes in the midst of a file are others, under the seal that it has. */
function damage(file: string): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(8192, 0xa5), 0, 8192, Math.floor(statSync(file).size / 8192 / 2) * 8192);
  closeSync(descriptor);
}

test('a damaged index is put aside and told of, answers nothing, and is whole again with the next upload', async context => {
  const home = temporaryHome(context);
  const before = await withUpload(context, home);
  const { indexFile } = before.indexing.repositories.get(repo)!.record;
  await before.close();
  assert.ok(isSealed(indexFile));
  damage(indexFile);
  const after = await hostedDaemon(context, { home });
  await isLost(after);
  await until('it is put aside', () => existsSync(join(dirname(indexFile), 'quarantine')) && !existsSync(indexFile));
  await after.close();
  const later = await hostedDaemon(context, { home });
  await isLost(later);
  assert.equal((await later.upload(repo, index)).meta.sync_seq, 2);
  assert.equal((await later.ask('symbols.get', { id: helper })).name, 'helper');
  assert.equal((await later.ask('system.healthDetailed', {})).status, 'healthy');
});

async function isLost(at: HostedDaemon): Promise<void> {
  const told = (await at.ask('symbols.get', { id: helper }).catch((error: unknown) => error)) as Fault;
  assert.equal(told.reason, 'notReady');
  assert.match(
    told.message,
    /^acme\/x has no index: it was damaged and put aside; upload it again \(POST \/index\/repos\/acme\/x\/upload\)$/,
  );
  assert.deepEqual(told.extras.suggestedFixes, []);
  const doctor = await at.ask('system.doctor', { repo });
  const failed = doctor.checks.filter(({ status }) => status === 'fail').map(({ name }) => name);
  assert.ok(failed.includes('index.integrity') && failed.includes('repositories.hosted'), failed.join());
  const health = await at.ask('system.healthDetailed', {});
  assert.deepEqual([health.status, health.repos[repo]?.status], ['degraded', 'failed']);
  // No tree is waited for: nobody else is kept from asking.
  assert.equal((await at.ask('system.ready', {})).status, 'ready');
}

test('an index that is damaged while it answers is lost as well', async context => {
  const at = await withUpload(context);
  const { indexFile } = at.indexing.repositories.get(repo)!.record;
  await at.ask('system.clearCache', { repo });
  const { size } = statSync(indexFile);
  const descriptor = openSync(indexFile, 'r+');
  for (let from = 4096; from < size; from += 4096) writeSync(descriptor, Buffer.alloc(4096, 0xa5), 0, 4096, from);
  closeSync(descriptor);
  await at.ask('symbols.search', { q: 'helper' }).catch(() => {});
  await until('it is lost', () => at.indexing.repositories.get(repo)?.failure !== undefined);
  await isLost(at);
  await until('it is logged', () => readFileSync(at.home.places.logFile, 'utf8').includes('index.corrupt'));
  assert.equal((await at.upload(repo, index)).meta.sync_seq, 2);
  assert.equal((await at.ask('symbols.get', { id: helper })).name, 'helper');
  const { checks } = await at.ask('system.doctor', { repo });
  const mended = checks.filter(({ name }) => name === 'repositories.hosted' || name === 'index.integrity');
  assert.deepEqual(
    mended.map(({ status }) => status),
    ['pass', 'pass'],
  );
});

test('a file that is gone is told as such', async context => {
  const home = temporaryHome(context);
  const before = await withUpload(context, home);
  const { indexFile } = before.indexing.repositories.get(repo)!.record;
  await before.close();
  rmSync(indexFile);
  const after = await hostedDaemon(context, { home });
  const told = (await after.ask('symbols.get', { id: helper }).catch((error: unknown) => error)) as Fault;
  assert.match(told.message, /its file is gone; upload it again/);
});

test('a daemon.db of an earlier time finds the newest index that is there', async context => {
  const home = temporaryHome(context);
  const before = await withUpload(context, home);
  before.state.database.backup();
  const { indexFile } = before.indexing.repositories.get(repo)!.record;
  await before.upload(repo, scipBytes({ metadata, documents: documents.slice(0, 1) }));
  const { snapshotId } = before.indexing.repositories.get(repo)!.snapshot!;
  await before.close();
  for (const part of ['', '-wal', '-shm']) rmSync(home.places.daemonDb + part, { force: true });
  rmSync(indexFile);
  const after = await hostedDaemon(context, { home });
  const { snapshot, registered, epoch } = after.indexing.repositories.get(repo)!;
  assert.equal(snapshot?.snapshotId, snapshotId);
  assert.equal(after.state.database.lastSync(registered.uid)?.epoch, epoch);
  assert.equal((await after.ask('symbols.get', { id: helper })).name, 'helper');
});

test('removing an uploaded repository as any other leaves nothing of it', async context => {
  const at = await withUpload(context);
  await at.ask('daemon.removeRepo', { id: repo });
  assert.equal(at.filesOf(repo), undefined);
  await rejects(at.ask('symbols.get', { id: helper }), 'resourceNotFound');
  assert.equal(
    (await at.upload(repo, index)).meta.sync_seq,
    2,
    'no sequence of its first life means something else now',
  );
});

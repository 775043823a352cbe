import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { placesOf } from '../../../client/paths.ts';
import { loadConfig } from '../../../daemon/config.ts';
import type { Observation } from '../../../daemon/events.ts';
import { createJobQueue, type JobQueue } from '../../../daemon/jobs/queue.ts';
import { preciseJobType } from '../../../daemon/jobs/scip/index-precise.ts';
import { type KeepPreciseOptions, keepPrecise } from '../../../daemon/server/keep-precise.ts';
import type { KeptRepository } from '../../../daemon/server/repositories.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { withoutRights } from '../../support/without-rights.ts';

/** One repository of a language, scip-python on PATH, and a clock that stands still. */
function bench(t: TestContext, settings: Readonly<Record<string, string>> = {}, language = 'python') {
  const folder = temporaryFolder(t, '-- bin/scip-python --\n#!/bin/sh\n-- bin/scip-go --\n#!/bin/sh\n');
  for (const name of ['scip-python', 'scip-go']) chmodSync(folder.path(`bin/${name}`), 0o755);
  const database = openDaemonDatabase(folder.path('daemon.db'));
  t.after(() => database.close());
  const clock = fakeClock();
  const repository = {
    record: { id: 'app', root: folder.root, indexFile: folder.path('index.db'), worktreeKey: 'main', trusted: false },
    snapshot: { snapshotId: 'first', evidenceId: 'said', counts: { languages: { [language]: {} } } },
  };
  const { values } = loadConfig({ file: '', environment: settings });
  const options: KeepPreciseOptions = {
    repositories: {
      list: () => [repository as unknown as KeptRepository],
      get: (id: string) => (id === 'app' ? (repository as unknown as KeptRepository) : undefined),
    },
    places: placesOf({ env: { SVC_HOME: folder.root }, uid: 0, home: folder.root, temporary: '/tmp' }),
    config: () => values,
    environment: { PATH: folder.path('bin') },
    clock,
    observe: () => {},
    ingest: () => assert.fail('no indexer writes an index'),
  };
  const precise = keepPrecise(options);
  const jobs: JobQueue = createJobQueue({
    store: database,
    runs: { [preciseJobType]: context => precise.run(context) },
    clock,
    newId: () => `${Math.random()}`,
    maxQueued: () => 10,
    width: 1,
    isLarge: () => false,
    isBackground: () => true,
    nameOf: ({ type }) => type,
    observe: () => {},
  });
  const total = () => jobs.list({ limit: 10 }).total;
  const published = (snapshotId: string) => {
    repository.snapshot.snapshotId = snapshotId;
    precise.hear({
      ...{ kind: 'snapshot.published', repo: 'app', snapshotId, seq: 1, symbolCount: 0, fileCount: 0 },
      ...{ filesParsed: 0, type: 'delta', durationMs: 0 },
    });
  };
  return { precise, jobs, total, published, pass: clock.advance, repository };
}

test('indexers run once a repository has been quiet, and not again for what they made of it', async t => {
  const { precise, jobs, total, published, pass } = bench(t, { SVC_INDEX_QUIET_SECONDS: '20' });
  precise.start(jobs);
  await pass(19_000);
  published('second');
  await pass(19_000);
  published('third');
  await pass(19_999);
  assert.equal(total(), 0);
  await pass(1);
  assert.equal(total(), 1);
  assert.deepEqual(jobs.list({ limit: 1 }).jobs[0]?.input, { language: 'auto', force: false });
  published('third');
  await pass(60_000);
  assert.equal(total(), 1, 'the same tree, with precise facts');
  published('fourth');
  await pass(20_000);
  assert.equal(total(), 2);
});

test('nothing is queued where it is switched off or no indexer could run', async t => {
  const cases = [
    bench(t, { SVC_INDEX_BACKGROUND_INDEXERS: 'false' }),
    bench(t, { SVC_INDEX_USE_INDEXERS: 'scip-go' }),
    bench(t, {}, 'rust'),
    bench(t, {}, 'go'),
  ];
  for (const { precise, jobs, total, pass } of cases) {
    precise.start(jobs);
    await pass(60_000);
    assert.equal(total(), 0);
  }
});

test('a run that somebody asked for leaves nothing to do by itself', async t => {
  const { precise, jobs, total, published, pass } = bench(t);
  precise.start(jobs);
  published('second');
  const { id } = jobs.add(preciseJobType, { repo: 'app', input: { language: 'auto', force: true } });
  await jobs.ended(id, new AbortController().signal);
  await pass(60_000);
  assert.equal(total(), 1);
  published('second');
  await pass(60_000);
  assert.equal(total(), 1);
});

test('an index that was lost is a tree of which nothing is said any more, the same though it is', async t => {
  const { precise, jobs, total, published, pass, repository } = bench(t);
  precise.start(jobs);
  await pass(60_000);
  published('first');
  await pass(60_000);
  assert.equal(total(), 1);
  repository.snapshot.evidenceId = '';
  published('first');
  await pass(60_000);
  assert.equal(total(), 2);
});

test('trust is news', async t => {
  const { precise, jobs, total, pass, repository } = bench(t, {}, 'go');
  precise.start(jobs);
  await pass(60_000);
  assert.equal(total(), 0);
  repository.record.trusted = true;
  precise.hear({ kind: 'repository.changed', repo: 'app', change: 'trusted' });
  await pass(60_000);
  assert.equal(total(), 1);
});

test('where nothing but a run changes the tree, the next waits longer each time, and that is told', async t => {
  const { precise, jobs, total, published, pass } = bench(t, { SVC_INDEX_QUIET_SECONDS: '20' });
  let tree = 0;
  const runsIn = async (seconds: number, changes: () => void): Promise<number> => {
    const before = total();
    let queued = before;
    for (let second = 0; second < seconds; second++) {
      await pass(1000);
      const now = total();
      if (now > queued) changes();
      queued = now;
    }
    return total() - before;
  };
  const itself = () => published(`its own ${++tree}`);
  precise.start(jobs);
  assert.equal(await runsIn(45, itself), 2);
  assert.equal(precise.trouble('app'), undefined);
  assert.equal(await runsIn(600, itself), 4);
  assert.match(precise.trouble('app') ?? '', /^files changed while indexers ran, 5 times in a row, .*svc index/);
  published('somebody else’s');
  assert.equal(await runsIn(25, itself), 1, 'what others change is not kept waiting');
  assert.equal(precise.trouble('app'), undefined);
  assert.equal(await runsIn(30_000, itself), 14, 'once an hour in the end');
  assert.equal(await runsIn(3600, () => {}), 1);
  assert.equal(precise.trouble('app'), undefined);
  published('again');
  assert.equal(await runsIn(25, () => {}), 1);
});

test('what an indexer left is removed at a start, closed folders too; what can’t be removed is told, and holds no start up', t => {
  const { root, path } = temporaryFolder(t);
  chmodSync(root, 0o777);
  const told: Observation[] = [];
  const start = () =>
    withoutRights(() =>
      keepPrecise({
        places: placesOf({ env: { SVC_HOME: root }, uid: 0, home: root, temporary: '/tmp' }),
        observe: (seen: Observation) => told.push(seen),
        clock: fakeClock(),
      } as unknown as KeepPreciseOptions),
    );
  withoutRights(() => mkdirSync(path('data/indexing/scip-go-1/cache'), { recursive: true }));
  for (const folder of ['cache', '.']) chmodSync(path(`data/indexing/scip-go-1/${folder}`), 0o555);
  start();
  assert.deepEqual([existsSync(path('data/indexing')), told], [false, []]);
  mkdirSync(path('data/indexing/somebody’s'), { recursive: true });
  start();
  assert.deepEqual(
    told.map(seen => seen.kind === 'daemon.fault' && seen.what),
    ['what an indexer left could not be removed'],
  );
});

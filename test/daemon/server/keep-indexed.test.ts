import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, renameSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import type { Observation } from '../../../daemon/events.ts';
import type { Published } from '../../../daemon/jobs/engine.ts';
import type { JobContext, JobQueue } from '../../../daemon/jobs/queue.ts';
import { type KeepIndexedOptions, keepIndexed } from '../../../daemon/server/keep-indexed.ts';
import { newestIn } from '../../../daemon/server/newest-in.ts';
import type { KeptRepository } from '../../../daemon/server/repositories.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { StoreError } from '../../../daemon/store/store-faults.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { whileWithoutRights, withoutRights } from '../../support/without-rights.ts';
import { indexedTree } from '../jobs/indexed-tree.ts';

test('an index file is mended once, however often and by whomever its damage is told meanwhile', async () => {
  const snapshot = { seq: 3, snapshotId: 'sha256:3' };
  const kept = (id: string) => ({ record: { id, indexFile: '/none/index.db' }, snapshot }) as unknown as KeptRepository;
  const [app, twin] = [kept('app'), kept('twin')];
  const all = new Map([app, twin].map(one => [one.record.id, one]));
  const mends: { readonly what: string; readonly end: (isMended: boolean) => void }[] = [];
  const seen: Observation[] = [];
  const keep = keepIndexed({
    repositories: { list: () => [...all.values()], get: (id: string) => all.get(id) },
    engine: { mend: (_repo: unknown, what: string) => new Promise(end => mends.push({ what, end })) },
    clock: fakeClock(),
    observe: (one: Observation) => seen.push(one),
    forgetFile: async () => true,
  } as unknown as KeepIndexedOptions);
  const tell = (id: string, what: string) => keep.damagedAt(id, new StoreError('corrupt', what));

  tell('app', 'facts 2 are damaged');
  assert.equal(app.snapshot, undefined);
  keep.published('app', { seq: 3, snapshotId: 'sha256:3' } as Published);
  assert.deepEqual([app.snapshot, seen], [undefined, []], 'a run that found nothing new is no news');
  app.snapshot = snapshot as KeptRepository['snapshot'];
  tell('app', 'facts 2 are damaged');
  tell('twin', 'facts 2 are damaged');
  assert.deepEqual(
    mends.map(({ what }) => what),
    ['facts 2 are damaged'],
  );
  mends[0]!.end(true);
  await new Promise(setImmediate);
  tell('twin', 'facts 5 are damaged');
  assert.equal(mends[1]?.what, 'facts 5 are damaged');
});

test('the look at an index whose folder may not be entered says so, and which', t => {
  const { root, path } = temporaryFolder(t);
  const record = { indexFile: path('x/index.db'), worktreeKey: '' };
  chmodSync(root, 0o600);
  const refused = { name: 'StoreError', trouble: 'unreadable', file: record.indexFile };
  withoutRights(() => assert.throws(() => newestIn(record), refused));
});

test('a root that was closed before its first index is followed, for whoever follows it sees it opened', t =>
  whileWithoutRights(async () => {
    const { path } = temporaryFolder(t, '-- app/a.ts --\n');
    const record = { id: 'app', root: path('app'), indexFile: path('indexes/index.db') };
    const app = { record, follow: undefined } as unknown as KeptRepository;
    const followed: string[] = [];
    const keep = keepIndexed({
      repositories: { list: () => [app], get: () => app },
      engine: { index: () => Promise.reject(new Error('it is closed')) },
      follow: ({ root }: typeof record) => {
        followed.push(root);
        return { close: async () => {} };
      },
      clock: fakeClock(),
      observe: () => {},
      forgetFile: async () => true,
    } as unknown as KeepIndexedOptions);
    const run = () =>
      keep.run({
        job: { repo: 'app', input: { force: false } },
        signal: new AbortController().signal,
        report: () => {},
      } as unknown as JobContext);
    await assert.rejects(run(), /it is closed/);
    assert.deepEqual(followed, [], 'what failed over something else is tried by whoever asks');
    chmodSync(record.root, 0o000);
    await assert.rejects(run(), /it is closed/);
    assert.deepEqual(followed, [record.root]);
  }));

test('a first index that storage failed is followed, for whoever follows it tries again (P22)', async t => {
  const { root, path } = temporaryFolder(t);
  const record = { id: 'app', root, indexFile: path('indexes/x/index.db') };
  const app = { record, follow: undefined } as unknown as KeptRepository;
  let followed = 0;
  const keep = keepIndexed({
    repositories: { list: () => [app], get: () => app },
    engine: { index: () => Promise.reject(new Fault('storageFailed', 'the disk is full')) },
    follow: () => {
      followed++;
      return { close: async () => {} };
    },
    clock: fakeClock(),
    observe: () => {},
    forgetFile: async () => true,
  } as unknown as KeepIndexedOptions);
  const job = { repo: 'app', input: { force: false } };
  const context = { job, signal: new AbortController().signal, report: () => {} } as unknown as JobContext;
  await assert.rejects(keep.run(context), { reason: 'storageFailed' });
  assert.deepEqual([followed, app.failure], [1, 'the disk is full']);
});

test('an index file that was removed, or whose place another has, is let go at a look, and made anew (P11)', async t => {
  const { root, write } = temporaryFolder(t, '-- a.ts --\nexport const a = 1;\n');
  const tree = indexedTree(t, root);
  const { indexFile } = tree.repo;
  const app = {
    record: { ...tree.repo, id: 'app' },
    registered: { uid: 'app' },
    unlisted: [],
  } as unknown as KeptRepository;
  const done: unknown[] = [];
  const keep = keepIndexed({
    repositories: { list: () => [app], get: () => app },
    engine: { discard: async (_repo: unknown, what: string) => void done.push(what) },
    clock: fakeClock(),
    database: { appendSync: () => {}, recordGone: () => new Map(), recordDefinitions: () => {} },
    observe: () => {},
    forgetFile: async () => done.push('forgotten'),
  } as unknown as KeepIndexedOptions);
  const started = async (): Promise<Published> => {
    const published = await tree.crawl();
    keep.published('app', published);
    assert.equal(app.snapshot?.snapshotId, published.snapshotId);
    return published;
  };
  const jobs = { addOnce: (type: string) => done.push(type) } as unknown as JobQueue;
  await tree.crawl();
  keep.start(jobs, 1);
  await started();
  const anew = ['the file was removed, or another was put in its place', 'index-repository'];
  for (const isAnother of [false, true]) {
    keep.lookAt('app');
    assert.deepEqual(done, [], 'it is where it was');
    copyFileSync(indexFile, `${indexFile}.other`);
    if (isAnother) renameSync(`${indexFile}.other`, indexFile);
    else rmSync(indexFile);
    keep.lookAt('app');
    keep.lookAt('app');
    assert.deepEqual([app.snapshot, done.splice(0)], [undefined, anew]);
    await started();
    done.length = 0;
  }
  // The writer may have found none and begun another: what readers have open is not what was published.
  const reader = openIndexReader(indexFile);
  t.after(() => reader.close());
  await tree.engine.release(indexFile);
  rmSync(indexFile);
  write('a.ts', 'export const b = 1;\n');
  const { seq } = await started();
  assert.deepEqual([seq, app.snapshot?.seq, done], [1, 1, ['forgotten']]);
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { type BlameCall, mostChangedPaths } from '../../../daemon/jobs/history/history-calls.ts';
import type { HistoryEngine } from '../../../daemon/jobs/history/history-engine.ts';
import { createHistoryService } from '../../../daemon/jobs/history/history-service.ts';
import type { RepositoryRecord } from '../../../daemon/model/repository.ts';
import { type KeepHistory, type KeepHistoryOptions, keepHistory } from '../../../daemon/server/keep-history.ts';
import type { KeptRepository } from '../../../daemon/server/repositories.ts';
import { historyFileOf } from '../../../daemon/store/history/history-file.ts';
import { openHistoryReader } from '../../../daemon/store/history/history-reader.ts';
import { until } from '../../support/daemon.ts';
import { type FakeClock, fakeClock } from '../../support/fake-clock.ts';
import { gitRepository, temporaryFolder, type Workspace } from '../../support/repository.ts';

interface Kept {
  readonly keep: KeepHistory;
  readonly clock: FakeClock;
  /** Calls of the history worker, by name. */
  readonly calls: string[];
  readonly record: (id: string) => RepositoryRecord;
  /** Whether its first index is being made. */
  readonly indexing: (id: string, isBeingMade: boolean) => void;
  readonly remove: (id: string) => void;
  /** How many commits the file holds of a worktree's HEAD; undefined where it has none. */
  readonly commits: (id: string) => number | undefined;
}

/** Histories of work trees, by id, over the worker's service in this thread. Worktrees with the same file share it. */
function kept(
  t: TestContext,
  trees: Readonly<Record<string, { readonly root: string; readonly file: string }>>,
  instead: Partial<HistoryEngine> = {},
  blameChanged: KeepHistoryOptions['blameChanged'] = async () => {},
): Kept {
  const home = temporaryFolder(t);
  const served = createHistoryService({ shadowFolder: home.path('shadow') }, () => {});
  const never = { signal: new AbortController().signal };
  t.after(() => served.close(null, never));
  const calls: string[] = [];
  const noted =
    <Call extends readonly unknown[], Answer>(name: string, work: (...call: Call) => Answer) =>
    (...call: Call): Answer => {
      calls.push(name);
      return work(...call);
    };
  const real = {
    update: async (call: never, signal: AbortSignal) => served.update(call, { signal }),
    include: async (call: never, signal: AbortSignal) => served.include(call, { signal }),
    countLines: async (call: never, signal: AbortSignal) => served.countLines(call, { signal }),
    blame: async (call: BlameCall, { signal }: { readonly signal: AbortSignal }) =>
      served.blame({ ...call, run: 1 }, { signal }),
    refreshed: async () => 0,
    speedUp: async (call: never, signal: AbortSignal) => served.speedUp(call, { signal }),
    discard: async (file: string) => served.discard(file, never),
    release: async (file: string) => served.release(file, never),
    close: async () => {},
  } as unknown as HistoryEngine;
  const all = { ...real, ...instead };
  const engine = Object.fromEntries(
    Object.entries(all).map(([name, work]) => [name, noted(name, work as (...call: readonly unknown[]) => unknown)]),
  ) as unknown as HistoryEngine;
  const repositories = new Map(
    Object.entries(trees).map(([id, { root, file }]) => {
      const indexFile = home.path(`repos/${file}/index.db`);
      const record: RepositoryRecord = { id, root, indexFile, worktreeKey: id, trusted: false };
      return [id, { record } as KeptRepository];
    }),
  );
  const clock = fakeClock();
  const keep = keepHistory({
    repositories: {
      list: () => [...repositories.values()],
      get: id => repositories.get(id),
    },
    engine,
    config: () => ({ history: { most_commits: 1_000_000, background_blame: true, bots: [] } }),
    clock,
    observe: () => {},
    blameChanged,
  });
  t.after(() => keep.close());
  const record = (id: string): RepositoryRecord => repositories.get(id)!.record;
  return {
    ...{ keep, clock, calls, record },
    indexing: (id, isBeingMade) => {
      repositories.get(id)!.progress = isBeingMade ? { phase: 'parsing', fraction: 0.5 } : undefined;
    },
    remove: id => {
      repositories.delete(id);
      keep.hear({ kind: 'repository.changed', repo: id, change: 'removed' });
    },
    commits: id => {
      const reader = openHistoryReader(historyFileOf(record(id).indexFile));
      try {
        return reader.head(id)?.commits;
      } finally {
        reader.close();
      }
    },
  };
}

function committed(t: TestContext, commits = 3): Workspace {
  const repository = gitRepository(t);
  for (let at = 0; at < commits; at++) {
    repository.write('a.ts', `${at}\n`);
    repository.commit(`${at}`);
  }
  return repository;
}

test('a history that is made anew is so for all its worktrees', async t => {
  const repository = committed(t);
  const folder = temporaryFolder(t);
  repository.git('worktree', 'add', '--quiet', '--detach', folder.path('beside'));
  const { keep, record, commits } = kept(t, {
    one: { root: repository.root, file: 'a' },
    two: { root: folder.path('beside'), file: 'a' },
  });
  const [one, two] = [await keep.at(record('one')), await keep.at(record('two'))];
  assert.deepEqual(['one', 'two'].map(commits), [3, 3]);
  await keep.damaged(one);
  const anew = await keep.at(record('one'));
  assert.notEqual(anew.epoch, one.epoch);
  await keep.damaged(two);
  assert.equal((await keep.at(record('one'))).epoch, anew.epoch, 'who met the same damage later ends nothing');
  await keep.at(record('two'));
  assert.deepEqual(['one', 'two'].map(commits), [3, 3]);
});

test('a clone that gets the rest of its history is seen', async t => {
  const repository = committed(t, 6);
  const folder = temporaryFolder(t);
  folder.git('clone', '--quiet', '--depth', '2', `file://${repository.root}`, 'clone');
  const { keep, record } = kept(t, { clone: { root: folder.path('clone'), file: 'a' } });
  const cut = await keep.at(record('clone'));
  assert.deepEqual([cut.commits, cut.cut], [2, 'shallow']);
  folder.git('-C', folder.path('clone'), 'fetch', '--quiet', '--unshallow');
  const whole = await keep.at(record('clone'));
  assert.deepEqual([whole.commits, whole.cut], [6, undefined]);
});

test('lines are counted where git can’t be made quick', async t => {
  const repository = committed(t);
  const speedUp = async () => Promise.reject(new Fault('backendUnavailable', 'an older git'));
  const { keep, record } = kept(t, { one: { root: repository.root, file: 'a' } }, { speedUp });
  await keep.at(record('one'));
  await until('lines are counted', () => keep.state('one').stored?.uncounted === 0);
});

test('lines wait for the first index, the history does not', async t => {
  const repository = committed(t);
  const { keep, clock, record, indexing, calls } = kept(t, { one: { root: repository.root, file: 'a' } });
  indexing('one', true);
  assert.equal((await keep.at(record('one'))).commits, 3);
  await clock.advance(60_000);
  assert.deepEqual(calls, ['update']);
  indexing('one', false);
  await clock.advance(1000);
  await until('lines are counted', () => keep.state('one').stored?.uncounted === 0);
  assert.deepEqual(calls.slice(0, 3), ['update', 'speedUp', 'countLines']);
});

test('nothing is made of a repository that has been removed', async t => {
  const repository = committed(t);
  let end = (): void => {};
  const speedUp = () => new Promise<void>(resolve => (end = resolve));
  const { keep, record, remove, calls } = kept(t, { one: { root: repository.root, file: 'a' } }, { speedUp });
  const file = historyFileOf(record('one').indexFile);
  await keep.at(record('one'));
  await until('it is at work', () => calls.includes('speedUp'));
  remove('one');
  renameSync(file, `${file}-removed`);
  end();
  await new Promise(resolve => setImmediate(resolve));
  assert.deepEqual([calls, existsSync(file)], [['update', 'speedUp'], false]);
});

test('nobody is asked who wrote what in a repository that has been removed', async t => {
  const repository = committed(t);
  const { keep, record, remove, calls } = kept(t, { one: { root: repository.root, file: 'a' } });
  const at = await keep.at(record('one'));
  const blob = repository.git('rev-parse', 'HEAD:a.ts').trim();
  const ask = () =>
    keep.blame(at, [{ path: 'a.ts', blob, basis: '' }], [], { signal: new AbortController().signal, isAwaited: false });
  assert.deepEqual((await ask()).failed, []);
  remove('one');
  await assert.rejects(ask(), { reason: 'cancelled' });
  assert.equal(calls.filter(name => name === 'blame').length, 1);
});

test('blame of a repository that is removed is given up, and the next one’s lines are counted', async t => {
  let begun = false;
  const forEver: KeepHistoryOptions['blameChanged'] = ({ id }, _, __, signal) =>
    new Promise((resolve, reject) => {
      if (id !== 'one') return resolve();
      begun = true;
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const trees = {
    one: { root: committed(t).root, file: 'a' },
    two: { root: committed(t).root, file: 'b' },
  };
  const { keep, record, remove } = kept(t, trees, {}, forEver);
  await keep.at(record('one'));
  await until('it is at work', () => begun);
  await keep.at(record('two'));
  remove('one');
  await until('the other’s lines are counted', () => keep.state('two').stored?.uncounted === 0);
});

test('however often a repository grows while others have their turn, it is caught up with once, in all that changed', async t => {
  const repositories = { first: committed(t), busy: gitRepository(t) };
  const trees = {
    first: { root: repositories.first.root, file: 'a' },
    busy: { root: repositories.busy.root, file: 'b' },
  };
  const blamed: (readonly [string, readonly string[]])[] = [];
  let end = (): void => {};
  const atFirst: KeepHistoryOptions['blameChanged'] = ({ id }, _, paths) => {
    blamed.push([id, [...paths].sort()]);
    return id === 'first' ? new Promise(resolve => (end = resolve)) : Promise.resolve();
  };
  const { keep, record, calls } = kept(t, trees, {}, atFirst);
  const grow = async (...paths: readonly string[]): Promise<void> => {
    for (const path of paths) repositories.busy.write(path, `${path}\n`);
    repositories.busy.commit(paths[0]!);
    await keep.at(record('busy'));
  };
  await keep.at(record('first'));
  await until('it is at work', () => blamed.length === 1);
  const before = calls.filter(name => name === 'speedUp').length;
  for (const name of ['a', 'b', 'c']) await grow(`${name}.ts`, 'both.ts');
  end();
  await until('it is caught up with', () => blamed.length === 2);
  await grow('later.ts');
  await until('what comes after is a turn of its own', () => blamed.length === 3);
  assert.deepEqual(blamed.slice(1), [
    ['busy', ['a.ts', 'b.ts', 'both.ts', 'c.ts']],
    ['busy', ['later.ts']],
  ]);
  assert.equal(calls.filter(name => name === 'speedUp').length - before, 2);
});

test('a repository that grows while its first index is made is caught up with once', async t => {
  const repository = committed(t);
  const { keep, clock, record, indexing, calls } = kept(t, { one: { root: repository.root, file: 'a' } });
  indexing('one', true);
  for (const text of ['x', 'y', 'z']) {
    repository.write('a.ts', text);
    repository.commit(text);
    await keep.at(record('one'));
    await clock.advance(1000);
  }
  indexing('one', false);
  await clock.advance(1000);
  await until('lines are counted', () => keep.state('one').stored?.uncounted === 0);
  assert.deepEqual(calls, ['update', 'update', 'update', 'speedUp', 'countLines']);
});

test('more paths than are worth it are looked at one by one by nobody, from one update or from many', async t => {
  const busy = gitRepository(t);
  const other = committed(t);
  const trees = { other: { root: other.root, file: 'a' }, busy: { root: busy.root, file: 'b' } };
  const blamed: (readonly [string, number])[] = [];
  let end = (): void => {};
  const counted: KeepHistoryOptions['blameChanged'] = ({ id }, _, paths) => {
    blamed.push([id, paths.length]);
    return id === 'other' ? new Promise(resolve => (end = resolve)) : Promise.resolve();
  };
  const { keep, record } = kept(t, trees, {}, counted);
  await keep.at(record('other'));
  await until('it is at work', () => blamed.length === 1);
  for (const part of ['a', 'b']) {
    for (let n = 0; n < mostChangedPaths / 2 + 1; n++) busy.write(`${part}${n}.ts`, `${n}\n`);
    busy.commit(part);
    await keep.at(record('busy'));
  }
  end();
  await until('it is caught up with', () => blamed.length === 2);
  assert.deepEqual(blamed[1], ['busy', 0]);
});

test('a HEAD that names nothing is told from a branch without commits, and ends with what was wrong', async t => {
  const repository = committed(t);
  const trees = { one: { root: repository.root, file: 'a' }, unborn: { root: gitRepository(t).root, file: 'b' } };
  const { keep, record, commits } = kept(t, trees);
  assert.equal((await keep.at(record('unborn'))).head, undefined);
  const known = await keep.at(record('one'));
  const damages = { '.git/HEAD': 'HEAD is empty', '.git/refs/heads/main': 'refs/heads/main is empty' };
  for (const [file, trouble] of Object.entries(damages)) {
    const before = readFileSync(repository.path(file), 'utf8');
    repository.write(file, '');
    const message = `HEAD can’t be read: ${trouble}`;
    await assert.rejects(keep.at(record('one')), { reason: 'preconditionFailed', message });
    assert.deepEqual(keep.state('one').failure, { message, isWant: false });
    assert.equal(commits('one'), 3, 'what is stored is kept');
    repository.write(file, before);
    assert.deepEqual(await keep.at(record('one')), { ...known, uncounted: keep.state('one').stored?.uncounted });
    assert.equal(keep.state('one').failure, undefined);
  }
});

test('a HEAD that can’t be read is tried ever more seldom, but for whoever asks', async t => {
  const repository = committed(t);
  const update = async () => Promise.reject(new Fault('backendUnavailable', 'git can’t tell'));
  const { keep, record, clock, calls } = kept(t, { one: { root: repository.root, file: 'a' } }, { update });
  keep.start();
  // First answers come first.
  await clock.advance(2000);
  await until('it is tried', () => calls.length === 1);
  for (let seconds = 0; seconds < 3600; seconds += 5) {
    await clock.advance(5000);
    for (let turns = 0; turns < 10; turns++) await new Promise(resolve => setImmediate(resolve));
  }
  assert.ok(calls.length < 20, `${calls.length} times in an hour`);
  const before = calls.length;
  await assert.rejects(keep.at(record('one')), { reason: 'backendUnavailable' });
  assert.ok(calls.length > before);
});

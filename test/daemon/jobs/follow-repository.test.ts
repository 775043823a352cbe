import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { createGit } from '../../../daemon/backends/git.ts';
import { type Clock, systemClock } from '../../../daemon/clock.ts';
import type { Observation } from '../../../daemon/events.ts';
import { noEvidence } from '../../../daemon/jobs/aliases/rename-evidence.ts';
import { lookAt } from '../../../daemon/jobs/discover.ts';
import type { IndexEngine, Published } from '../../../daemon/jobs/engine.ts';
import { type FollowedRepository, followRepository } from '../../../daemon/jobs/follow/follow-repository.ts';
import { createWatcher } from '../../../daemon/jobs/follow/watcher.ts';
import type { ChangeSet } from '../../../watch/change-set.ts';
import { patienceMs, until } from '../../support/daemon.ts';
import { gitRepository, temporaryFolder, type Workspace } from '../../support/repository.ts';

interface Followed {
  readonly tree: Workspace;
  readonly follow: FollowedRepository;
  /** One entry for each publication: path → content of every file. */
  readonly published: ReadonlyMap<string, string>[];
  readonly runs: readonly ChangeSet[];
  readonly observed: readonly Observation[];
  /** Makes the next runs do something else before they publish. */
  before: (signal: AbortSignal) => Promise<void>;
  /** What the parser fails at. */
  unlucky: readonly string[];
}

/** Follows a real tree with the real watcher; the engine is the question "what stands there now?", published as read. */
async function followed(t: TestContext, tree: Workspace, clock?: Clock): Promise<Followed> {
  let close = async () => {};
  t.after(() => close()); // before the folders go that the watcher writes to
  const runtime = temporaryFolder(t);
  const shadowFolder = runtime.path('shadow');
  const git = createGit({ shadowFolder });
  const published: Map<string, string>[] = [];
  const runs: ChangeSet[] = [];
  const observed: Observation[] = [];
  const engine: Pick<IndexEngine, 'index'> = {
    async index(repo, changes, request = {}) {
      runs.push(changes);
      const signal = request.signal ?? AbortSignal.any([]);
      const snapshot = new Map(changes.kind === 'recrawl' ? [] : published.at(-1));
      const paths = changes.kind === 'recrawl' ? [''] : [...changes.paths];
      const { files } = await lookAt(repo.root, paths, { git });
      for (const known of [...snapshot.keys()]) {
        if (paths.some(path => known === path || known.startsWith(`${path}/`))) snapshot.delete(known);
      }
      for (const file of files) snapshot.set(file.path, readFileSync(tree.path(file.path), 'utf8'));
      await state.before(signal);
      if (signal.aborted) throw new Fault('cancelled', 'Cancelled');
      const same = JSON.stringify([...snapshot].sort()) === JSON.stringify([...(published.at(-1) ?? [])].sort());
      if (!same) published.push(snapshot);
      return outcome(published.length, state.unlucky);
    },
  };
  const watcher = createWatcher({ cookieFolder: runtime.path('cookies'), shadowFolder });
  const follow = followRepository({
    repo: { id: 'r', root: tree.root, indexFile: '', worktreeKey: '', trusted: false },
    engine,
    watcher,
    observe: one => observed.push(one),
    ...(clock === undefined ? {} : { clock }),
  });
  close = async () => {
    await follow.close();
    await watcher.close();
  };
  const state: Followed = { tree, follow, published, runs, observed, before: async () => {}, unlucky: [] };
  return state;
}

function outcome(seq: number, toRetry: readonly string[]): Published {
  return {
    seq,
    snapshotId: '',
    evidenceId: '',
    symbolCount: 0,
    fileCount: 0,
    filesParsed: 0,
    changedPaths: 0,
    documentsLinked: 0,
    unsettled: [],
    toRetry,
    gone: [],
    moved: new Map(),
    evidence: noEvidence,
    type: 'delta',
    durationMs: 0,
  };
}

test('a sync sees every write before it (P11)', async t => {
  const { tree, follow, published, observed, runs } = await followed(t, gitRepository(t, '-- a.ts --\n0'));
  await follow.sync(patienceMs);
  assert.deepEqual(runs[0], { kind: 'recrawl', reason: 'start' });
  assert.ok(observed.some(one => one.kind === 'watch.recrawl' && one.reason === 'start'));
  for (let round = 1; round <= 50; round++) {
    tree.write('a.ts', `${round}`);
    if (round % 10 === 0) tree.write(`deep/${round}/b.ts`, '');
    await follow.sync(patienceMs);
    assert.equal(published.at(-1)?.get('a.ts'), `${round}`);
    assert.equal(published.at(-1)?.has(`deep/${round}/b.ts`), round % 10 === 0);
  }
  assert.equal(follow.status().pendingChanges, 0);
  assert.equal(follow.status().watching, process.platform === 'linux' ? 'native' : 'chokidar');
});

test('changes are published without being asked for, many as one', async t => {
  const { tree, follow, published } = await followed(t, gitRepository(t, '-- a.ts --'));
  await follow.sync(patienceMs);
  const before = published.length;
  for (let n = 0; n < 500; n++) tree.write(`src/${n}.ts`, '');
  await until('all are published', () => published.at(-1)?.size === 501);
  assert.ok(published.length - before <= 3, `${published.length - before} publications`);
});

test('what a parser failed at is named again after a while, and nobody waits for it', async t => {
  let skippedMs = 0;
  const skippedFromMs = 50_000;
  const hasty: Clock = {
    ...systemClock,
    monotonicMs: () => systemClock.monotonicMs() + skippedMs,
    after(ms, callback) {
      if (ms < skippedFromMs) return systemClock.after(ms, callback);
      return systemClock.after(1, () => {
        skippedMs += ms;
        callback();
      });
    },
  };
  const one = await followed(t, gitRepository(t, '-- a.ts --\n-- b.ts --'), hasty);
  one.unlucky = ['a.ts'];
  // Time that is skipped while somebody waits is time that he has waited.
  const isSynced = () =>
    one.follow.sync(skippedFromMs - 1).then(
      () => true,
      () => false,
    );
  await until('it is indexed', isSynced);
  const named = () => one.runs.filter(run => run.kind === 'paths' && [...run.paths].join() === 'a.ts').length;
  await until('it is named for the third time', () => named() === 3);
  await until('all is seen', isSynced);
  assert.equal(one.follow.status().pendingChanges, 0);
});

test('what git tracks is followed although it is ignored, from the moment that git does', async t => {
  const { tree, follow, published } = await followed(t, gitRepository(t, '-- .gitignore --\nout/\n-- a.ts --'));
  tree.write('out/kept.ts', '1');
  await follow.sync(patienceMs);
  assert.equal(published.at(-1)?.has('out/kept.ts'), false);
  tree.git('add', '--force', 'out/kept.ts');
  await follow.sync(patienceMs);
  assert.equal(published.at(-1)?.get('out/kept.ts'), '1');
  tree.write('out/kept.ts', '2');
  await follow.sync(patienceMs);
  assert.equal(published.at(-1)?.get('out/kept.ts'), '2');
  tree.git('rm', '--quiet', '--cached', '--force', 'out/kept.ts');
  await follow.sync(patienceMs);
  assert.equal(published.at(-1)?.has('out/kept.ts'), false);
});

test('a tree that becomes a repository late is followed as one', async t => {
  const { tree, follow, published } = await followed(t, temporaryFolder(t, '-- .gitignore --\nout/\n-- a.ts --'));
  tree.write('out/kept.ts', '1');
  await follow.sync(patienceMs);
  tree.git('init', '--quiet');
  tree.git('add', '--force', 'out/kept.ts');
  await until('what git tracks is published', () => published.at(-1)?.get('out/kept.ts') === '1');
  tree.write('out/other.ts', '2');
  tree.git('add', '--force', 'out/other.ts'); // nothing but git's own state tells
  await until('what git tracks now is published too', () => published.at(-1)?.get('out/other.ts') === '2');
  tree.write('.git/index.lock', '');
  tree.write('a.ts', '1');
  await until('the lock is seen', () => follow.status().heldBy === 'index_lock');
  tree.remove('.git/index.lock');
  await follow.sync(patienceMs);
  assert.equal(published.at(-1)?.get('a.ts'), '1');
});

test('a branch switch is published at most twice, and never half (P15)', async t => {
  const count = 1000;
  const tree = gitRepository(t, '-- .gitattributes --');
  const write = (content: string) => {
    for (let n = 0; n < count; n++) tree.write(`d${n % 40}/${n}.ts`, content);
  };
  write('one');
  tree.commit();
  tree.git('switch', '--quiet', '-c', 'other');
  write('two');
  tree.commit();
  const { follow, published } = await followed(t, tree);
  await follow.sync(patienceMs);
  for (const [branch, content] of [
    ['main', 'one'],
    ['other', 'two'],
    ['main', 'one'],
  ] as const) {
    const before = published.length;
    tree.git('switch', '--quiet', branch);
    await follow.sync(patienceMs);
    const since = published.slice(before);
    assert.ok(since.length >= 1 && since.length <= 2, `${since.length} publications`);
    for (const snapshot of since) {
      const contents = new Set([...snapshot].filter(([path]) => path.startsWith('d')).map(([, text]) => text));
      assert.deepEqual([...contents], [content], 'a mixed tree');
    }
  }
});

test('while git holds its lock nothing is published; after half a minute it is (P15)', async t => {
  const tree = gitRepository(t, '-- a.ts --\n0');
  const clock = steppedClock();
  const { follow, published } = await followed(t, tree, clock);
  await follow.sync(1_000_000);
  tree.write('.git/index.lock', '');
  tree.write('a.ts', '1');
  await until('the change is seen', () => follow.status().pendingChanges > 0);
  const waiting = follow.sync(20_000);
  const late = assert.rejects(waiting, (fault: Fault) => {
    assert.equal(fault.reason, 'indexStale');
    assert.deepEqual(fault.extras.details, { reason: 'git_operation' });
    return true;
  });
  assert.equal(follow.status().heldBy, 'index_lock');
  const before = published.length;
  await clock.advance(25_000);
  await late;
  assert.equal(published.length, before);
  await clock.advance(6_000);
  await until('the change is published', () => published.at(-1)?.get('a.ts') === '1');
  tree.remove('.git/index.lock');
});

test('a run that git overtakes is given up and done again', async t => {
  const tree = gitRepository(t, '-- a.ts --\n0');
  const state = await followed(t, tree);
  await state.follow.sync(patienceMs);
  let caught = false;
  state.before = signal =>
    new Promise(resolve => {
      signal.addEventListener('abort', () => {
        caught = true;
        state.before = async () => {};
        tree.write('a.ts', '2');
        tree.remove('.git/index.lock');
        resolve();
      });
      tree.write('.git/index.lock', '');
    });
  tree.write('a.ts', '1');
  await until('what git left is published', () => state.published.at(-1)?.get('a.ts') === '2');
  assert.ok(caught);
  assert.ok(!state.published.some(snapshot => snapshot.get('a.ts') === '1'));
});

test('a run that fails says so to who waits, and is tried again', async t => {
  const tree = gitRepository(t, '-- a.ts --\n0');
  const state = await followed(t, tree);
  await state.follow.sync(patienceMs);
  state.before = async () => {
    throw new Error('broken');
  };
  tree.write('a.ts', '1');
  await assert.rejects(state.follow.sync(patienceMs), {
    reason: 'indexStale',
    extras: {
      details: { reason: 'index_failed' },
      retryAfterSeconds: 1,
      suggestedFixes: [
        {
          type: 'run-command',
          command: `svc index --repo ${state.follow.repo.id}`,
          safe: true,
          description: 'Bring the index up to date',
        },
      ],
    },
  });
  assert.equal(state.follow.status().failing, true);
  state.before = async () => {};
  await until('the change is published', () => state.published.at(-1)?.get('a.ts') === '1');
  assert.equal(state.follow.status().failing, false);
});

test('no promise without a root, or after the end', async t => {
  const tree = gitRepository(t, '-- a.ts --');
  const { follow } = await followed(t, tree);
  await follow.sync(patienceMs);
  rmSync(tree.root, { recursive: true });
  const reasonOf = (reason: string) => (fault: Fault) => fault.extras.details?.['reason'] === reason;
  await assert.rejects(follow.sync(patienceMs), reasonOf('root_missing'));
  await follow.close();
  await assert.rejects(follow.sync(patienceMs), reasonOf('closed'));
});

/** Real time, and jumps: what waits longer than a second waits for `advance`. */
function steppedClock(): Clock & { advance(ms: number): Promise<void> } {
  let skippedMs = 0;
  const waiting = new Set<{ readonly atMs: number; readonly act: () => void }>();
  const monotonicMs = () => performance.now() + skippedMs;
  return {
    now: () => new Date(),
    monotonicMs,
    after(ms, act) {
      if (ms <= 1000) {
        const timer = setTimeout(act, ms);
        return () => clearTimeout(timer);
      }
      const entry = { atMs: monotonicMs() + ms, act };
      waiting.add(entry);
      return () => waiting.delete(entry);
    },
    async advance(ms) {
      skippedMs += ms;
      for (const entry of [...waiting]) {
        if (entry.atMs > monotonicMs()) continue;
        waiting.delete(entry);
        entry.act();
      }
      await new Promise(resolve => setImmediate(resolve));
    },
  };
}

test('a command of git that is over is heard out before any of its changes is published (P15)', async t => {
  const tree = gitRepository(t, '-- a.ts --\n-- b.ts --');
  const runs: ChangeSet[] = [];
  let tell: ((changes: ChangeSet) => void) | undefined;
  const named = (path: string): ChangeSet => ({ kind: 'paths', paths: new Set([path]) });
  const watcher: Parameters<typeof followRepository>[0]['watcher'] = {
    cookieFolder: '',
    open(_root, { onChange }) {
      tell = onChange;
      return {
        // The kernel held the second change back; a cookie does not overtake it.
        async sync() {
          if (runs.length === 0) onChange(named('b.ts'));
          return 'synced';
        },
        hearOut: async () => true,
        async close() {},
      };
    },
  };
  const follow = followRepository({
    repo: { id: 'r', root: tree.root, indexFile: '', worktreeKey: '', trusted: false },
    engine: {
      async index(_repo, changes) {
        runs.push(changes);
        return outcome(runs.length, []);
      },
    },
    watcher,
  });
  t.after(() => follow.close());
  tell?.(named('a.ts'));
  await until('a run begins', () => runs.length > 0);
  assert.deepEqual(runs[0], { kind: 'paths', paths: new Set(['a.ts', 'b.ts']) });
});

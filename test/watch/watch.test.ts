import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ChangeSet } from '../../watch/change-set.ts';
import { type Clock, monotonicClock } from '../../watch/clock.ts';
import { createWatchLoop, type LoopOptions } from '../../watch/loop.ts';
import { openWatch, SyncFailed, type Watch, type WatchBackend, type WatchOptions } from '../../watch/watch.ts';
import { temporaryFolder, type Workspace } from '../support/repository.ts';

interface Watched {
  readonly tree: Workspace;
  readonly watch: Watch;
  /** ChangeSets since the last call. */
  take(): readonly ChangeSet[];
  /** Syncs, and returns the paths named since the last call; `*` stands for a recrawl. */
  changes(): Promise<readonly string[]>;
}

async function watched(
  t: TestContext,
  text = '',
  options: Partial<WatchOptions> = {},
  loopOptions: Partial<LoopOptions> = {},
): Promise<Watched> {
  const tree = temporaryFolder(t, text);
  const runtime = temporaryFolder(t);
  const loop = createWatchLoop({ cookieFolder: runtime.path('cookies'), ...loopOptions });
  let sets: ChangeSet[] = [];
  const watch = openWatch(tree.root, { loop, onChange: one => sets.push(one), ...options });
  t.after(async () => {
    await watch.close();
    loop.close();
  });
  const take = () => {
    const taken = sets;
    sets = [];
    return taken;
  };
  const changes = async () => {
    await watch.sync(8000);
    return take()
      .flatMap(set => (set.kind === 'recrawl' ? ['*'] : [...set.paths]))
      .sort();
  };
  await watch.sync(8000);
  assert.deepEqual(take()[0], { kind: 'recrawl', reason: 'start' });
  await quiet(async () => (await changes()).length === 0); // files just written are compared twice where they are compared
  return { tree, watch, take, changes };
}

const backends: readonly WatchBackend[] = ['native', 'chokidar', 'polling'];

interface Scenario {
  readonly name: string;
  readonly files: string;
  readonly act: (tree: Workspace) => void;
  /** Each must be named, itself or by a folder above. */
  readonly named: readonly string[];
  readonly unnamed?: readonly string[];
}

const scenarios: readonly Scenario[] = [
  {
    name: 'a file is written',
    files: '-- a.ts --',
    act: tree => tree.write('a.ts', 'changed'),
    named: ['a.ts'],
  },
  {
    name: 'files come and go',
    files: '-- src/old.ts --\n-- src/still.ts --',
    act: tree => {
      tree.write('src/new.ts', '');
      tree.remove('src/old.ts');
    },
    named: ['src/new.ts', 'src/old.ts'],
    unnamed: ['src/still.ts'],
  },
  {
    name: 'folders are made and filled at once',
    files: '-- a.ts --',
    act: tree => {
      for (let n = 0; n < 30; n++) tree.write(`deep/${n}/x/y/z.ts`, '');
    },
    named: Array.from({ length: 30 }, (_, n) => `deep/${n}/x/y/z.ts`),
    unnamed: ['a.ts'],
  },
  {
    name: 'two folders swap names',
    files: '-- a/in-a.ts --\n-- b/in-b.ts --',
    act: tree => {
      renameSync(tree.path('a'), tree.path('t'));
      renameSync(tree.path('b'), tree.path('a'));
      renameSync(tree.path('t'), tree.path('b'));
    },
    named: ['a/in-a.ts', 'a/in-b.ts', 'b/in-a.ts', 'b/in-b.ts'],
  },
  {
    name: 'a folder becomes a file',
    files: '-- a/x.ts --',
    act: tree => {
      tree.remove('a');
      tree.write('a', '');
    },
    named: ['a/x.ts', 'a'],
  },
  {
    name: 'a file becomes a folder',
    files: '-- a --',
    act: tree => {
      tree.remove('a');
      tree.write('a/x.ts', '');
    },
    named: ['a/x.ts', 'a'],
  },
  {
    name: 'a link goes elsewhere',
    files: '-- one.ts --\n-- two.ts --\n-- link -> one.ts --',
    act: tree => {
      tree.remove('link');
      symlinkSync('two.ts', tree.path('link'));
    },
    named: ['link'],
    unnamed: ['one.ts'],
  },
  {
    name: 'what is ignored makes no noise',
    files: '-- .gitignore --\nout/\n*.log\n-- out/a.ts --\n-- src/a.ts --',
    act: tree => {
      tree.write('out/b.ts', '');
      tree.write('src/x.log', '');
      tree.write('src/b.ts', '');
    },
    named: ['src/b.ts'],
    unnamed: ['out/b.ts', 'src/x.log'],
  },
  {
    name: 'an ignore file below the root changes',
    files: '-- src/.gitignore --\n*.log\n-- src/deep/a.log --\n-- b.ts --',
    act: tree => tree.write('src/.gitignore', ''),
    named: ['src/deep/a.log'],
    unnamed: ['b.ts'],
  },
];

for (const backend of backends) {
  for (const { name, files, act, named, unnamed = [] } of scenarios) {
    test(`${backend}: ${name}`, async t => {
      const { tree, changes } = await watched(t, files, { backend });
      act(tree);
      const seen = await changes();
      for (const path of named) assert.ok(isNamed(seen, path), `${path} is not in ${seen.join(' ')}`);
      for (const path of unnamed) assert.ok(!isNamed(seen, path), `${path} is in ${seen.join(' ')}`);
      tree.write('later.ts', '');
      assert.ok(isNamed(await changes(), 'later.ts'));
    });
  }
}

test('a folder that was swapped in is watched under its new name', async t => {
  const { tree, changes } = await watched(t, '-- a/in-a.ts --\n-- b/in-b.ts --');
  renameSync(tree.path('a'), tree.path('t'));
  renameSync(tree.path('b'), tree.path('a'));
  renameSync(tree.path('t'), tree.path('b'));
  await changes();
  tree.write('a/in-b.ts', 'changed');
  assert.deepEqual(await changes(), ['a/in-b.ts']);
});

test('every change is handed over without being asked for', async t => {
  const { tree, take } = await watched(t, '-- src/a.ts --');
  tree.write('src/a.ts', 'changed');
  await until(() => take().some(set => set.kind === 'paths' && set.paths.has('src/a.ts')));
});

test('another folder in the place of the root is found by the next sync', async t => {
  const { tree, watch, take, changes } = await watched(t, '-- a.ts --');
  renameSync(tree.root, `${tree.root}-old`);
  t.after(() => rmSync(`${tree.root}-old`, { recursive: true }));
  await assert.rejects(watch.sync(2000), new SyncFailed('root_missing'));
  assert.equal(watch.status().watching, 'off');
  assert.deepEqual(take(), []);
  tree.write('b.ts', '');
  await watch.sync(5000);
  assert.deepEqual(take(), [{ kind: 'recrawl', reason: 'root_replaced' }]);
  tree.write('b.ts', 'changed');
  assert.deepEqual(await changes(), ['b.ts']);
});

test('a root that goes in the middle of a crawl, with another due, is found when it comes back', async t => {
  const tree = temporaryFolder(t, '-- a.ts --');
  const loop = createWatchLoop({ cookieFolder: temporaryFolder(t).path('cookies') });
  const sets: ChangeSet[] = [];
  const watch = openWatch(tree.root, { loop, onChange: one => sets.push(one) });
  t.after(async () => {
    await watch.close();
    loop.close();
  });
  watch.setIgnore({});
  renameSync(tree.root, `${tree.root}-away`);
  await assert.rejects(watch.sync(2000), new SyncFailed('root_missing'));
  renameSync(`${tree.root}-away`, tree.root);
  await watch.sync(5000);
  assert.deepEqual(sets, [{ kind: 'recrawl', reason: 'root_replaced' }]);
});

test('the root’s ignore file is a reason to compare the trees', async t => {
  const { tree, watch, take } = await watched(t, '-- .gitignore --\nout/\n-- out/a.ts --');
  tree.write('.gitignore', '');
  await watch.sync(8000);
  assert.ok(take().some(set => set.kind === 'recrawl' && set.reason === 'ignore_rules_changed'));
  tree.write('out/a.ts', 'changed');
  await watch.sync(8000);
  assert.deepEqual(take(), [{ kind: 'paths', paths: new Set(['out/a.ts']) }]);
});

test('a tracked file in an ignored folder is watched once the watcher is told', async t => {
  const { tree, watch, changes } = await watched(
    t,
    '-- .gitignore --\nout/\n-- out/deep/kept.ts --\n-- out/other.ts --',
  );
  watch.setExceptions(['out/deep/kept.ts']);
  await changes();
  tree.write('out/deep/kept.ts', 'changed');
  tree.write('out/other.ts', 'changed');
  assert.deepEqual(await changes(), ['out/deep/kept.ts']);
});

test('a folder that becomes a repository is left alone for as long as it is one', async t => {
  const { tree, changes } = await watched(t, '-- inner/a.ts --');
  execFileSync('git', ['init', '--quiet', tree.path('inner')]);
  assert.ok((await changes()).includes('inner'));
  tree.write('inner/a.ts', 'changed');
  assert.deepEqual(await changes(), []);
  tree.remove('inner/.git');
  assert.ok((await changes()).includes('inner'), 'it is none any more');
  tree.write('inner/a.ts', 'changed again');
  assert.deepEqual(await changes(), ['inner/a.ts']);
});

test('a folder that stops being a repository is looked at whole, also where something in it was tracked all the while', async t => {
  const { tree, watch, changes } = await watched(t, '-- inner/kept.ts --\n-- inner/other.ts --');
  execFileSync('git', ['init', '--quiet', tree.path('inner')]);
  watch.setExceptions(['inner/kept.ts']);
  await changes();
  tree.write('inner/other.ts', 'changed');
  assert.deepEqual(await changes(), []);
  tree.remove('inner/.git');
  await changes();
  tree.write('inner/other.ts', 'changed again');
  assert.deepEqual(await changes(), ['inner/other.ts']);
});

test('a file in whose place an ignored folder stands is named', async t => {
  const { tree, changes } = await watched(t, '-- .gitignore --\nout/\n-- out --\n-- kept/a.ts --');
  tree.remove('out');
  tree.write('out/a.ts', '');
  assert.ok((await changes()).includes('out'));
});

test('a folder that becomes a repository is told of: what is tracked in it from outside counts still', async t => {
  let told = 0;
  const { tree, changes } = await watched(t, '-- inner/a.ts --', { onRepositoryInside: () => told++ });
  assert.equal(told, 0);
  execFileSync('git', ['init', '--quiet', tree.path('inner')]);
  await changes();
  assert.ok(told > 0);
});

test('a hundred overflows in a row are a few comparisons of the tree', async t => {
  const tree = temporaryFolder(t, '-- a.ts --');
  const loop = createWatchLoop({ cookieFolder: join(temporaryFolder(t).root, 'cookies') });
  const sets: ChangeSet[] = [];
  const watch = openWatch(tree.root, { loop, onChange: one => sets.push(one) });
  t.after(async () => {
    await watch.close();
    loop.close();
  });
  await watch.sync(8000);
  for (let overflow = 0; overflow < 100; overflow++) {
    loop.recrawlAll('overflow');
    await new Promise(resolve => setImmediate(resolve));
  }
  await watch.sync(8000);
  const recrawls = sets.filter(({ kind }) => kind === 'recrawl').length;
  assert.ok(recrawls >= 2 && recrawls < 10, `${recrawls} recrawls`);
});

test('one kernel watch per folder, none for what is ignored', { skip: process.platform !== 'linux' }, async t => {
  const tree = temporaryFolder(t, '-- .gitignore --\nnode_modules/\n');
  for (let d = 0; d < 1000; d++) {
    mkdirSync(tree.path(`d${d}`));
    for (let f = 0; f < 20; f++) writeFileSync(tree.path(`d${d}/${f}.ts`), '');
    mkdirSync(tree.path(`node_modules/p${d}`), { recursive: true });
  }
  tree.git('init', '--quiet');
  const before = kernelWatches();
  const loop = createWatchLoop({ cookieFolder: join(temporaryFolder(t).root, 'cookies') });
  const watch = openWatch(tree.root, { loop, onChange: () => {} });
  await watch.sync(8000);
  const used = kernelWatches() - before;
  assert.equal(watch.status().watches, 1001);
  assert.ok(used >= 1001 && used <= 1001 + 5, `${used} watches`);
  await watch.close();
  loop.close();
  assert.equal(kernelWatches(), before);
});

for (const backend of backends) {
  test(`${backend}: after any mixture of operations the watcher’s view is the tree`, async t => {
    for (const seed of [1, 2]) {
      const { tree, watch, take } = await watched(t, '-- a/b/c.ts --\n-- d/e.ts --', { backend });
      const random = generator(seed);
      const view = new Map<string, string>();
      refreshView(tree, view, '');
      for (let round = 0; round < 8; round++) {
        for (let n = 0; n < 25; n++) operate(tree, random);
        await watch.sync(8000);
        for (const set of take()) {
          if (set.kind === 'recrawl') refreshView(tree, view, '');
          else for (const path of set.paths) refreshView(tree, view, path);
        }
        const truth = new Map<string, string>();
        refreshView(tree, truth, '');
        assert.deepEqual([...view].sort(), [...truth].sort(), `seed ${seed}, round ${round}`);
      }
    }
  });
}

test('cookies that can’t be written make a sync fail with a reason', async t => {
  const runtime = temporaryFolder(t);
  const cookieFolder = runtime.path('cookies');
  const { tree, watch, changes } = await watched(t, '-- a.ts --', {}, { cookieFolder });
  rmSync(cookieFolder, { recursive: true });
  tree.write('a.ts', '1');
  assert.deepEqual(await changes(), ['a.ts'], 'a deleted folder is made again');
  rmSync(cookieFolder, { recursive: true });
  writeFileSync(cookieFolder, 'in the way');
  await assert.rejects(watch.sync(2000), new SyncFailed('cookie_unwritable'));
  rmSync(cookieFolder);
  tree.write('a.ts', '2');
  assert.deepEqual(await changes(), ['a.ts']);
});

test('a sync past its deadline says so', async t => {
  const clock: Clock = {
    ...monotonicClock,
    after(ms, act) {
      if (ms !== 1234) return monotonicClock.after(ms, act);
      queueMicrotask(act);
      return () => {};
    },
  };
  const { watch } = await watched(t, '-- a.ts --', {}, { clock });
  await assert.rejects(watch.sync(1234), new SyncFailed('deadline'));
});

test('without kernel watches folders are polled, and say why', async t => {
  const { tree, watch, changes } = await watched(t, '-- a/x.ts --\n-- b/y.ts --', {}, { watchLimit: 2 });
  const status = watch.status();
  assert.equal(status.watching, 'polling');
  assert.equal(status.polledReason, 'watch_limit');
  assert.equal(status.polledCount, 2);
  tree.write('a/x.ts', 'changed');
  tree.write('b/new/z.ts', '');
  const seen = await changes();
  for (const path of ['a/x.ts', 'b/new/z.ts']) assert.ok(isNamed(seen, path), seen.join(' '));
});

test('network file systems are polled', async t => {
  const { tree, watch, changes } = await watched(t, '-- a.ts --', {}, { fileSystemType: () => 0x6969 });
  assert.deepEqual([watch.status().watching, watch.status().polledReason], ['polling', 'network_file_system']);
  assert.equal(watch.status().watches, 0);
  tree.write('a.ts', 'changed');
  assert.deepEqual(await changes(), ['a.ts']);
});

function isNamed(seen: readonly string[], path: string): boolean {
  for (let at = path; at !== '.'; at = dirname(at)) if (seen.includes(at)) return true;
  return seen.includes('*');
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = process.hrtime.bigint() + 5_000_000_000n;
  while (!holds()) {
    assert.ok(process.hrtime.bigint() < deadline, 'it never came to be');
    await new Promise(resolve => setImmediate(resolve));
  }
}

async function quiet(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) assert.ok(tries < 1000, 'it never came to rest');
}

function kernelWatches(): number {
  let count = 0;
  for (const descriptor of readdirSync('/proc/self/fdinfo')) {
    try {
      count += readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8').split('\ninotify ').length - 1;
    } catch {}
  }
  return count;
}

/** What a reader of ChangeSets does: looks at the disk at a path and below it. */
function refreshView(tree: Workspace, view: Map<string, string>, path: string): void {
  for (const known of [...view.keys()])
    if (path === '' || known === path || known.startsWith(`${path}/`)) view.delete(known);
  const walk = (at: string): void => {
    let entries: readonly string[] | undefined;
    try {
      entries = readdirSync(tree.path(at));
    } catch {}
    if (entries === undefined) {
      try {
        view.set(at, readFileSync(tree.path(at), 'utf8'));
      } catch {}
    } else for (const name of entries) walk(at === '' ? name : `${at}/${name}`);
  };
  walk(path);
}

function operate(tree: Workspace, random: () => number): void {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const folder = () => Array.from({ length: Math.floor(random() * 3) }, () => pick(['a', 'b', 'd', 'f'])).join('/');
  const file = () => join(folder(), pick(['c.ts', 'e.ts', 'x.ts']));
  const acts: readonly (() => void)[] = [
    () => tree.write(file(), String(random())),
    () => tree.write(file(), String(random())),
    () => tree.remove(file()),
    () => tree.remove(join(folder(), pick(['a', 'b', 'f']))),
    () => renameSync(tree.path(file()), tree.path(file())),
    () => renameSync(tree.path(join(folder(), 'a')), tree.path(join(folder(), 'b'))),
    () => swap(tree, join(folder(), 'a'), join(folder(), 'd')),
    () => mkdirSync(tree.path(join(folder(), pick(['a', 'f']), 'd')), { recursive: true }),
    () => chmodSync(tree.path(file()), pick([0o600, 0o644, 0o755])),
  ];
  try {
    pick(acts)();
  } catch {} // what can't be done is not done
}

function swap(tree: Workspace, one: string, other: string): void {
  const aside = tree.path(`${basename(one)}-aside`);
  renameSync(tree.path(one), aside);
  try {
    renameSync(tree.path(other), tree.path(one));
  } finally {
    renameSync(aside, tree.path(other));
  }
}

/** mulberry32 */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

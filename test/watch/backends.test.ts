import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import type { WatchBackend } from '../../watch/watch.ts';
import { patienceMs } from '../support/daemon.ts';
import type { Workspace } from '../support/repository.ts';
import { randomFrom } from '../support/synthetic.ts';
import { isNamed, watched } from './watched.ts';

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

for (const backend of backends) {
  test(`${backend}: after any mixture of operations the watcher’s view is the tree`, async t => {
    for (const seed of [1, 2]) {
      const { tree, watch, take } = await watched(t, '-- a/b/c.ts --\n-- d/e.ts --', { backend });
      const random = randomFrom(seed);
      const view = new Map<string, string>();
      refreshView(tree, view, '');
      for (let round = 0; round < 8; round++) {
        for (let n = 0; n < 25; n++) operate(tree, random);
        await watch.sync(patienceMs);
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

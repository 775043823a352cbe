import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gitRepository, type Workspace } from '../../support/repository.ts';
import { dumpDifference, freshDump, type IndexedTree, indexedTree } from './indexed-tree.ts';

/**
 * The oracle: whatever happened to a tree, its index equals a fresh one, row for row. Seeds are printed; one that fails
 * is run again by `ORACLE_SEEDS=<n>`; `ORACLE_SEEDS=100-200` runs many.
 */
const steps = 40;
const [firstSeed = 1, lastSeed = firstSeed] = (process.env['ORACLE_SEEDS'] ?? '1-4').split('-').map(Number);
const seeds = Array.from({ length: lastSeed - firstSeed + 1 }, (_, index) => firstSeed + index);

for (const seed of seeds) {
  test(`after ${steps} random operations the index equals a fresh one (seed ${seed})`, async t => {
    const random = randomFrom(seed);
    const workspace = gitRepository(t, start);
    const tree = indexedTree(t, workspace.root);
    await tree.crawl();
    const history: string[] = [];
    for (let step = 1; step <= steps; step++) {
      const touched: string[] = [];
      for (let count = random(3); count >= 0; count--) history.push(operate(workspace, random, touched));
      await publish(tree, touched, random, history);
      if (step % 10 !== 0) continue;
      const fresh = await freshDump(t, workspace.root);
      const own = tree.dump();
      assert.equal(
        own.hash,
        fresh.hash,
        `seed ${seed}, step ${step}: - incremental, + fresh\n${dumpDifference(own, fresh)}\n${history.slice(-12).join('\n')}`,
      );
    }
  });
}

/** By the paths that changed, as the watcher names them, or by comparing trees, now and then after a restart. */
async function publish(
  tree: IndexedTree,
  touched: readonly string[],
  random: Random,
  history: string[],
): Promise<void> {
  const how = random(10);
  if (how === 0) {
    history.push('restart');
    await tree.restart();
    await tree.crawl();
  } else if (how === 1) await tree.crawl({}, 'overflow');
  else await tree.changed(...touched);
}

const start = `
  -- tsconfig.json --
  { "compilerOptions": { "baseUrl": ".", "paths": { "@lib/*": ["lib/*"] } } }
  -- package.json --
  { "name": "oracle", "exports": "./src/index.ts" }
  -- src/index.ts --
  export * from './a';
  export { b as renamed } from './b';
  -- src/a.ts --
  import { b } from './b';
  export function a() { return b(); }
  -- src/b.ts --
  export function b() { return 1; }
  export class Widget { draw() { return this.size; } size = 1; }
  -- lib/tool.ts --
  import { Widget } from '../src/b';
  export function tool(widget: Widget) { return widget.draw(); }
  -- lib/index.js --
  export { tool } from './tool';
  -- app/main.tsx --
  import { tool } from '@lib/tool';
  import { a, renamed } from '../src';
  tool(a()); renamed();
  -- py/pkg/__init__.py --
  from .mod import thing
  -- py/pkg/mod.py --
  def thing(): return 1
  -- go/go.mod --
  module example.com/o
  -- go/p/p.go --
  package p
  func P() int { return q() }
  -- go/p/q.go --
  package p
  func q() int { return 1 }
  -- java/A.java --
  package x;
  class A { int f() { return B.g(); } }
`;

type Random = (below: number) => number;

const places = [
  'src/a.ts',
  'src/b.ts',
  'src/c.ts',
  'src/index.ts',
  'lib/tool.ts',
  'lib/index.js',
  'lib/b.ts',
  'app/main.tsx',
];
const more = [
  'py/pkg/mod.py',
  'py/pkg/__init__.py',
  'go/p/p.go',
  'go/p/q.go',
  'java/A.java',
  'src/a/index.ts',
  'src/b.d.ts',
];
const folders = ['src', 'lib', 'app', 'py/pkg', 'go/p', 'src/deep'];

/** Does one thing to the tree and says what; `touched` gets the paths that a watcher would name. */
function operate(workspace: Workspace, random: Random, touched: string[]): string {
  const { path } = workspace;
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;
  const file = pick([...places, ...more]);
  const put = (name: string, content: string): void => {
    clearTheWay(workspace, name, touched);
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
    touched.push(name);
  };
  switch (random(14)) {
    case 0:
    case 1:
    case 2:
    case 3:
      put(file, contentOf(file, random));
      return `write ${file}`;
    case 4: {
      const text = contentOf(file, random);
      put(file, text.slice(0, random(text.length)));
      return `torn write ${file}`;
    }
    case 5:
      rmSync(path(file), { recursive: true, force: true });
      touched.push(file);
      return `delete ${file}`;
    case 6: {
      const to = pick(places);
      if (!existsSync(path(file)) || file === to) return 'nothing';
      clearTheWay(workspace, to, touched);
      rmSync(path(to), { recursive: true, force: true });
      mkdirSync(dirname(path(to)), { recursive: true });
      touched.push(to);
      if (!existsSync(path(file))) return `delete ${to}`;
      renameSync(path(file), path(to));
      touched.push(file, to);
      return `rename ${file} to ${to}`;
    }
    case 7:
      return moveFolder(workspace, pick(folders), pick(folders), touched);
    case 8: {
      if (!isFile(path(file))) return 'nothing';
      const before = lstatSync(path(file));
      writeFileSync(path(file), 'x'.repeat(before.size));
      utimesSync(path(file), before.atime, before.mtime);
      touched.push(file);
      return `same size, same time ${file}`;
    }
    case 9: {
      const paths = pick(['lib/*', 'src/*', 'nowhere/*']);
      put('tsconfig.json', JSON.stringify({ compilerOptions: { baseUrl: '.', paths: { '@lib/*': [paths] } } }));
      return `tsconfig paths ${paths}`;
    }
    case 10:
      rmSync(path(file), { recursive: true, force: true });
      mkdirSync(dirname(path(file)), { recursive: true });
      symlinkSync(pick(['../lib', 'b.ts', 'nowhere']), path(file));
      touched.push(file);
      return `link ${file}`;
    case 11:
      put('.gitignore', pick(['', 'lib/\n', '*.js\n', 'src/c.ts\n', 'app\n!app/main.tsx\n']));
      // As the watcher does when the rules of a tree change.
      touched.push('');
      return 'ignore rules';
    case 12:
      if (!isFile(path(file))) return 'nothing';
      chmodSync(path(file), 0o755);
      touched.push(file);
      return `chmod ${file}`;
    default: {
      put(`${file}/below.ts`, 'export const below = 1;\n');
      return `a folder where a file was: ${file}`;
    }
  }
}

/** Removes files that stand where folders must be, folders that stand where the file must be, and links, which a write would go through. */
function clearTheWay({ path }: Workspace, name: string, touched: string[]): void {
  const segments = name.split('/');
  for (let depth = 1; depth <= segments.length; depth++) {
    const part = segments.slice(0, depth).join('/');
    const stats = lstatSync(path(part), { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isSymbolicLink() && stats.isDirectory() === depth < segments.length) continue;
    rmSync(path(part), { recursive: true });
    touched.push(part);
    return;
  }
}

/** Swaps two folders, or moves one where the other is not there. */
function moveFolder({ path }: Workspace, from: string, to: string, touched: string[]): string {
  if (from === to || from.startsWith(`${to}/`) || to.startsWith(`${from}/`) || !isFolder(path(from))) return 'nothing';
  touched.push(from, to);
  if (!isFolder(path(to))) {
    if (existsSync(path(to)) || !isFolder(dirname(path(to)))) return 'nothing';
    renameSync(path(from), path(to));
    return `move ${from} to ${to}`;
  }
  const aside = join(path('.'), '.git', 'aside');
  renameSync(path(from), aside);
  renameSync(path(to), path(from));
  renameSync(aside, path(to));
  return `swap ${from} and ${to} (${readdirSync(path(to)).length})`;
}

function isFile(absolute: string): boolean {
  return lstatSync(absolute, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isFolder(absolute: string): boolean {
  return lstatSync(absolute, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function contentOf(file: string, random: Random): string {
  const names = ['a', 'b', 'tool', 'Widget', 'thing', 'q'];
  const name = () => names[random(names.length)]!;
  if (file.endsWith('.py')) return `from .mod import ${name()}\ndef ${name()}():\n    return ${name()}()\n`;
  if (file.endsWith('.go')) return `package p\nfunc ${name()}() int { return ${name()}() }\n`;
  if (file.endsWith('.java')) return `package x;\nclass A { int ${name()}() { return ${name()}(); } }\n`;
  const specifiers = ['./a', './b', '../src', '../lib/tool', '@lib/tool', '@lib/b', './index', 'react'];
  const specifier = () => specifiers[random(specifiers.length)]!;
  const pieces = [
    () => `import { ${name()} as one } from '${specifier()}';\nexport const two = one();\n`,
    () => `export * from '${specifier()}';\n`,
    () => `export { ${name()} } from '${specifier()}';\n`,
    () => `export function ${name()}() { return ${name()}(); }\n`,
    () => `export class ${name()} { draw() { return 1; } }\n`,
    () => `import * as all from '${specifier()}';\nall.${name()}();\n`,
  ];
  return Array.from({ length: 1 + random(3) }, () => pieces[random(pieces.length)]!()).join('');
}

/** mulberry32: a small generator whose seed is all its state. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return below => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

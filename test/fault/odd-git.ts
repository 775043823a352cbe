import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { Workspace } from '../support/repository.ts';

/** What is done to a repository; gives a path, where that is its root then. */
export type Make = (tree: Workspace, outside: Workspace) => unknown;

export const fifo = (path: string): void => void execFileSync('mkfifo', [path]);
export const file = (path: string, content: string | Uint8Array) => (tree: Workspace) => tree.write(path, content);
export const without = (path: string) => (tree: Workspace) => tree.remove(path);
export const pipe = (path: string) => (tree: Workspace) => {
  tree.remove(path);
  fifo(tree.path(path));
};
export const link =
  (path: string, target: string | ((outside: Workspace) => string)) => (tree: Workspace, out: Workspace) => {
    tree.remove(path);
    symlinkSync(typeof target === 'string' ? target : target(out), tree.path(path));
  };
export const folder = (path: string) => (tree: Workspace) => {
  tree.remove(path);
  mkdirSync(tree.path(path), { recursive: true });
};
export const hole = (path: string, bytes: number) => (tree: Workspace) => {
  const made = openSync(tree.path(path), 'w');
  ftruncateSync(made, bytes);
  closeSync(made);
};
export const more = (path: string, text: string) => (tree: Workspace) => appendFileSync(tree.path(path), text);
export const garbage = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 167 + (at >> 4)) & 0xff));
export const secrets = (outside: Workspace): string => outside.path('secret.ts');

/** The git folder elsewhere. */
export function movedGit(tree: Workspace, outside: Workspace): string {
  renameSync(tree.path('.git'), outside.path('moved.git'));
  return outside.path('moved.git');
}

export function gitFile(text: (path: string, outside: Workspace) => string): Make {
  return (tree, outside) => tree.write('.git', text(movedGit(tree, outside), outside));
}

export function branchNamed(name: string | Uint8Array): Make {
  return tree => {
    const commit = tree.git('rev-parse', 'HEAD');
    const bytes = Buffer.from(name);
    writeFileSync(Buffer.concat([Buffer.from(tree.path('.git/refs/heads/')), bytes]), `${commit}\n`);
    tree.write('.git/HEAD', Buffer.concat([Buffer.from('ref: refs/heads/'), bytes, Buffer.from('\n')]));
  };
}

function objectFile(tree: Workspace, name: string): string {
  const hash = tree.git('rev-parse', name);
  return `.git/objects/${hash.slice(0, 2)}/${hash.slice(2)}`;
}

export function gone(tree: Workspace, name: string): void {
  tree.remove(objectFile(tree, name));
}

export function damaged(tree: Workspace, name: string): void {
  const place = objectFile(tree, name);
  tree.remove(place);
  tree.write(place, garbage);
}

/** As reftable leaves the files that others look at. */
export function reftable(tree: Workspace): void {
  more('.git/config', '[extensions]\n\trefStorage = reftable\n')(tree);
  tree.write('.git/HEAD', 'ref: refs/heads/.invalid\n');
  tree.remove('.git/refs/heads');
  tree.write('.git/refs/heads', 'this repository uses the reftable format\n');
}

/** Puts paths in the index that git itself would not: each replaces one of the same length. */
export function indexNaming(tree: Workspace, paths: readonly string[]): void {
  const names = paths.map(path => path.replaceAll(/[./]/g, '_'));
  const blob = tree.git('rev-parse', 'HEAD:a.ts');
  for (const name of names) tree.git('update-index', '--add', '--cacheinfo', `100644,${blob},${name}`);
  tree.git('-c', 'index.skipHash=true', 'update-index', '--force-write-index');
  const bytes = readFileSync(tree.path('.git/index'));
  for (const [at, path] of paths.entries()) bytes.write(path, bytes.indexOf(names[at]!), 'latin1');
  writeFileSync(tree.path('.git/index'), bytes);
}

/** Commits a tree object that git itself would not make. */
export function committedTree(tree: Workspace, names: readonly string[]): void {
  const blob = tree.git('rev-parse', 'HEAD:a.ts');
  const entries = names.map(name => Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')]));
  const made = execFileSync('git', ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], {
    cwd: tree.root,
    input: Buffer.concat(entries),
    encoding: 'utf8',
  }).trim();
  const commit = tree.git('commit-tree', '-p', 'HEAD', '-m', 'odd', made);
  tree.git('update-ref', 'HEAD', commit);
}

import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Workspace } from '../support/repository.ts';
import { randomFrom } from '../support/synthetic.ts';
import { contentOf, files, folders, settings } from './project.ts';

/**
 * One thing that happens. All of it is in the value, nothing hangs on what happened before, so that a history from which
 * operations were dropped is a history still: one that finds nothing to act on does nothing.
 */
export type Operation = Happening & {
  /** In the second worktree of the repository, not in the first. */
  readonly isBeside?: true;
};

type Happening =
  | { readonly kind: 'write' | 'torn' | 'append'; readonly path: string; readonly seed: number }
  | { readonly kind: 'set'; readonly path: string; readonly text: string }
  | { readonly kind: 'remove' | 'sameStamp' | 'caseOnly' | 'folderInPlace' | 'addIgnored'; readonly path: string }
  | { readonly kind: 'rename' | 'moveFolder' | 'hardlink'; readonly path: string; readonly to: string }
  | { readonly kind: 'symlink'; readonly path: string; readonly to: string }
  | { readonly kind: 'chmod'; readonly path: string; readonly mode: number }
  | { readonly kind: 'git'; readonly args: readonly string[] }
  | { readonly kind: 'commit' }
  | { readonly kind: 'inside' | 'outside'; readonly path: string }
  | { readonly kind: 'pause'; readonly ms: number }
  /** An indexer has run; `isLate`: what the one before it wrote comes in once more. `harm`: 0 to 1, where a damaged one is. */
  | {
      readonly kind: 'scip';
      readonly seed: number;
      readonly way: 'run' | 'tree' | 'commit' | 'damaged';
      readonly harm: number;
      readonly isLate: boolean;
      readonly isKilled: boolean;
    }
  /** An artifact is asked about and taken in: one built now, or one that lies about. `harm` changes it. */
  | {
      readonly kind: 'delta';
      readonly base: string;
      readonly isLate: boolean;
      /** Whether the index is up to date by then. */
      readonly isSynced: boolean;
      readonly isKilled: boolean;
      readonly harm: number | undefined;
    }
  /** A function of that number is written, and asked for at once. */
  | { readonly kind: 'ask'; readonly number: number }
  /** From now on no sync to the device succeeds, no write finds room, or no further kernel watch is to be had. */
  | { readonly kind: 'fault'; readonly of: 'sync' | 'room' | 'watches' }
  | { readonly kind: 'freeze' | 'thaw' | 'mend' | 'kill' | 'restart' | 'barrier' };

/** The history of a seed; ends with a barrier. */
export function plan(seed: number, count: number): readonly Operation[] {
  const random = randomFrom(seed);
  const operations = Array.from({ length: count }, (): Operation => {
    const happening = next(random);
    return random() < 0.2 ? { ...happening, isBeside: true } : happening;
  });
  return [...operations, { kind: 'thaw' }, { kind: 'mend' }, { kind: 'barrier' }, { kind: 'barrier', isBeside: true }];
}

function next(random: () => number): Happening {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const seed = () => Math.floor(random() * 2 ** 31);
  const path = pick(files);
  const makers: readonly (readonly [number, () => Happening])[] = [
    [13, () => ({ kind: 'write', path, seed: seed() })],
    // Few texts, so that what a file had comes back.
    [5, () => ({ kind: 'write', path, seed: Math.floor(random() * 3) })],
    [4, () => ({ kind: 'torn', path, seed: seed() })],
    [3, () => ({ kind: 'append', path, seed: seed() })],
    [6, () => ({ kind: 'remove', path })],
    [2, () => ({ kind: 'remove', path: pick(folders) })],
    [6, () => ({ kind: 'rename', path, to: pick(files) })],
    [6, () => ({ kind: 'moveFolder', path: pick(folders), to: pick(folders) })],
    [
      4,
      () => ({
        kind: 'symlink',
        path: pick([path, pick(folders)]),
        to: pick(['../lib', 'b.ts', 'nowhere', '.', '../src']),
      }),
    ],
    [3, () => ({ kind: 'chmod', path: pick([path, pick(folders)]), mode: pick([0o000, 0o644, 0o755, 0o755]) })],
    [2, () => ({ kind: 'caseOnly', path })],
    [4, () => ({ kind: 'sameStamp', path })],
    [3, () => ({ kind: 'hardlink', path, to: pick(files) })],
    [2, () => ({ kind: 'folderInPlace', path })],
    [
      9,
      () => {
        const name = pick(Object.keys(settings));
        return { kind: 'set', path: name, text: pick(settings[name]!) };
      },
    ],
    [2, () => ({ kind: 'addIgnored', path: pick(['out/kept.ts', 'src/generated/made.ts', 'debug.log']) })],
    [2, () => ({ kind: 'inside', path: pick(['nested', 'packages/part', 'lib']) })],
    [2, () => ({ kind: 'outside', path: pick(['nested', 'packages/part', 'lib', 'vendor/module']) })],
    [4, () => ({ kind: 'commit' })],
    [
      6,
      () => ({
        kind: 'git',
        args: pick([
          ['checkout', '--quiet', '--force', 'other'],
          ['checkout', '--quiet', '--force', 'main'],
          // Of two worktrees one alone can be on a branch.
          ['checkout', '--quiet', '--force', '--detach', 'other'],
          ['checkout', '--quiet', '--force', '--detach', 'main'],
          ['stash', '--quiet', '--include-untracked'],
          ['stash', 'pop', '--quiet'],
          ['clean', '-ffdxq'],
          ['reset', '--quiet', '--hard'],
          ['rm', '--quiet', '-r', '--cached', '--ignore-unmatch', 'out', 'src/generated', 'debug.log'],
        ]),
      }),
    ],
    [5, () => ({ kind: 'pause', ms: Math.floor(random() * 120) })],
    [2, () => ({ kind: 'freeze' })],
    [3, () => ({ kind: 'thaw' })],
    [5, () => ({ kind: 'fault', of: pick(['sync', 'room', 'watches']) })],
    [2, () => ({ kind: 'mend' })],
    [1.5, () => ({ kind: 'kill' })],
    [0.5, () => ({ kind: 'restart' })],
    [3, () => ({ kind: 'ask', number: seed() })],
    [
      5,
      () => ({
        kind: 'scip',
        seed: Math.floor(random() * 3),
        way: pick(['run', 'run', 'run', 'tree', 'tree', 'commit', 'commit', 'damaged']),
        harm: random(),
        isLate: random() < 0.2,
        isKilled: random() < 0.2,
      }),
    ],
    [
      4,
      () => ({
        kind: 'delta',
        base: pick(['HEAD~1', 'HEAD~1', 'HEAD~2', 'main', 'other', 'indexed']),
        isLate: random() < 0.4,
        isSynced: random() < 0.5,
        isKilled: random() < 0.1,
        harm: random() < 0.3 ? seed() : undefined,
      }),
    ],
    [9, () => ({ kind: 'barrier' })],
  ];
  let at = random() * makers.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, make] of makers) {
    at -= weight;
    if (at < 0) return make();
  }
  return { kind: 'barrier' };
}

/**
 * Does to the tree what an operation says; what acts on the daemon is for the caller. What the file system refuses (a path
 * below what is a file by now) has happened as far as it went.
 */
export function operate(workspace: Workspace, operation: Operation): void {
  // The table has for each kind a function of its operations; that they meet is more than the compiler follows.
  const act = acts[operation.kind] as Act<Operation> | undefined;
  try {
    act?.(workspace, operation);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
  }
}

type Act<O> = (workspace: Workspace, operation: O) => void;
type Of<Kind> = Extract<Operation, { readonly kind: Kind }>;

const write: Act<Of<'write'>> = (workspace, { kind, path, seed }) => {
  const text = contentOf(path, randomFrom(seed));
  if (kind === 'write') put(workspace, path, text);
  else if (kind === 'torn') put(workspace, path, text.slice(0, seed % text.length));
  else if (isFile(workspace, path)) {
    partFromTree(workspace, path);
    writeFileSync(workspace.path(path), text, { flag: 'a' });
  }
};

const acts: { readonly [Kind in Operation['kind']]?: Act<Of<Kind>> } = {
  write,
  torn: write,
  append: write,
  set: (workspace, { path, text }) => put(workspace, path, text),
  ask: (workspace, { number }) => put(workspace, askedFile, textAsked(number)),
  remove: (workspace, { path }) => workspace.remove(path),
  rename: (workspace, { path, to }) => rename(workspace, path, to),
  moveFolder: (workspace, { path, to }) => moveFolder(workspace, path, to),
  hardlink: (workspace, { path, to }) => hardlink(workspace, path, to),
  symlink(workspace, { path, to }) {
    workspace.remove(path);
    clearTheWay(workspace, path);
    symlinkSync(to, workspace.path(path));
  },
  chmod(workspace, { path, mode }) {
    if (isFile(workspace, path) || isFolder(workspace, path)) chmodSync(workspace.path(path), mode);
  },
  caseOnly: (workspace, { path }) => rename(workspace, path, otherCase(path)),
  sameStamp: (workspace, { path }) => rewriteInPlace(workspace, path),
  folderInPlace: (workspace, { path }) => put(workspace, `${path}/below.ts`, 'export const below = 1;\n'),
  addIgnored(workspace, { path }) {
    if (!isFile(workspace, path)) put(workspace, path, 'export const kept = 1;\n');
    git(workspace, ['add', '--force', path]);
  },
  inside(workspace, { path }) {
    mkdirIfFree(workspace, path);
    git(workspace, ['-C', path, 'init', '--quiet']);
    // Without a commit inside, git refuses to add anything of the tree around it.
    git(workspace, ['-C', path, 'commit', '--quiet', '--allow-empty', '-m', 'inside']);
  },
  outside(workspace, { path }) {
    // Through a link it would be the outermost repository's.
    if (isFolder(workspace, path)) workspace.remove(`${path}/.git`);
  },
  commit(workspace) {
    git(workspace, ['add', '--all']);
    git(workspace, ['commit', '--quiet', '--allow-empty', '-m', 'change']);
  },
  git: (workspace, { args }) => git(workspace, args),
};

/** No setting ignores it, and no other operation writes it. */
export const askedFile = 'asked/now.ts';

/** The function of an `ask`, used in line 2. */
function textAsked(number: number): string {
  return `export function asked${number}() { return 1; }\nexport const value = asked${number}();\n`;
}

export function describe(operation: Operation): string {
  return JSON.stringify(operation);
}

/** git may refuse (a conflict, nothing to pop): then that is what happened. */
function git(workspace: Workspace, args: readonly string[]): void {
  try {
    workspace.git(...args);
  } catch {
    rmSync(join(gitFolder(workspace), 'index.lock'), { force: true });
  }
}

function put(workspace: Workspace, path: string, text: string): void {
  clearTheWay(workspace, path);
  partFromTree(workspace, path);
  writeFileSync(workspace.path(path), text);
}

/**
 * A name that is ignored, or lies in a repository inside, may be another name of a file of the tree; nobody watches it, and
 * a write through it shows at the next comparison alone. Here such a name gets a file of its own first.
 */
function partFromTree(workspace: Workspace, path: string): void {
  const absolute = workspace.path(path);
  if ((looked(absolute)?.nlink ?? 1) < 2) return;
  const listed = workspace.git('ls-files', '--cached', '--others', '--exclude-standard');
  const above = path
    .split('/')
    .slice(0, -1)
    .map((_, index, names) => names.slice(0, index + 1).join('/'));
  const isInside = above.some(folder => existsSync(workspace.path(`${folder}/.git`)));
  if (!isInside && listed.split('\n').includes(path)) return;
  const bytes = readFileSync(absolute);
  unlinkSync(absolute);
  writeFileSync(absolute, bytes);
}

/** Other bytes, with size and modification time kept: what `stat` tells of it is the change time alone. */
function rewriteInPlace(workspace: Workspace, path: string): void {
  const { path: absolute } = workspace;
  const stats = looked(absolute(path));
  if (stats?.isFile() !== true) return;
  partFromTree(workspace, path);
  const text = 'export function same() { return b(); }\n'.repeat(20).slice(0, stats.size).padEnd(stats.size, '\n');
  writeFileSync(absolute(path), text);
  utimesSync(absolute(path), stats.atime, stats.mtime);
}

function hardlink(workspace: Workspace, from: string, to: string): void {
  if (!isFile(workspace, from) || from === to) return;
  clearTheWay(workspace, to);
  if (!isFile(workspace, from)) return;
  rmSync(workspace.path(to), { force: true });
  linkSync(workspace.path(from), workspace.path(to));
}

function rename(workspace: Workspace, from: string, to: string): void {
  if (from === to || looked(workspace.path(from)) === undefined) return;
  if (to.startsWith(`${from}/`)) return;
  clearTheWay(workspace, to);
  if (looked(workspace.path(from)) === undefined) return;
  if (isFile(workspace, to)) unlinkSync(workspace.path(to));
  renameSync(workspace.path(from), workspace.path(to));
}

/** Moves a folder, or swaps two. */
function moveFolder(workspace: Workspace, from: string, to: string): void {
  const { path } = workspace;
  if (from === to || from.startsWith(`${to}/`) || to.startsWith(`${from}/`) || !isFolder(workspace, from)) return;
  if (!isFolder(workspace, to)) {
    clearTheWay(workspace, to);
    if (isFolder(workspace, from) && !existsSync(path(to))) renameSync(path(from), path(to));
    return;
  }
  const aside = join(gitFolder(workspace), 'aside');
  renameSync(path(from), aside);
  renameSync(path(to), path(from));
  renameSync(aside, path(to));
}

/** Where git keeps what is of this worktree alone. */
function gitFolder({ path }: Workspace): string {
  const place = path('.git');
  return lstatSync(place).isFile() ? readFileSync(place, 'utf8').replace(/^gitdir: |\n$/g, '') : place;
}

/** Makes the folders above a path; what stands in their place goes, and a folder or link in the path's own place. */
function clearTheWay(workspace: Workspace, path: string): void {
  const segments = path.split('/');
  for (let depth = 1; depth <= segments.length; depth++) {
    const part = workspace.path(segments.slice(0, depth).join('/'));
    const stats = looked(part);
    if (stats === undefined) break;
    if (stats.isDirectory() !== depth < segments.length || stats.isSymbolicLink()) rmSync(part, { recursive: true });
  }
  mkdirSync(dirname(workspace.path(path)), { recursive: true });
}

function mkdirIfFree(workspace: Workspace, path: string): void {
  if (!isFolder(workspace, path)) {
    clearTheWay(workspace, path);
    mkdirSync(workspace.path(path), { recursive: true });
  }
}

function otherCase(path: string): string {
  const at = path.lastIndexOf('/') + 1;
  const first = path.charAt(at);
  return (
    path.slice(0, at) + (first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()) + path.slice(at + 1)
  );
}

function isFile({ path: absolute }: Workspace, path: string): boolean {
  return looked(absolute(path))?.isFile() ?? false;
}

function isFolder({ path: absolute }: Workspace, path: string): boolean {
  return looked(absolute(path))?.isDirectory() ?? false;
}

/** Undefined also where a file stands in the way. */
function looked(absolute: string): Stats | undefined {
  try {
    return lstatSync(absolute);
  } catch {
    return undefined;
  }
}

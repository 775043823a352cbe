import { type Blob, blobOf, type GitObject, type ReadObjects } from './git-objects.ts';
import { GitFailed, type RunOverObjects, wholeOutput } from './git-process.ts';
import type { GitRepository } from './git-repository.ts';

/** A file of a commit's tree. */
export interface TreeFile {
  /** Octal mode as git writes it: `100644`, `100755`, `120000`; `160000` is a submodule's place. */
  readonly mode: string;
  /** Of the blob. */
  readonly hash: string;
}

/** The files of a commit's tree by path. */
export async function treeOf(
  run: RunOverObjects,
  repository: GitRepository,
  commit: string,
): Promise<ReadonlyMap<string, TreeFile>> {
  const lines = await run(repository, ['ls-tree', '-r', '-z', '--full-tree', commit], wholeOutput);
  const files = new Map<string, TreeFile>();
  for (const line of lines.split('\0')) {
    const tab = line.indexOf('\t');
    const [mode = '', type = '', hash = ''] = line.slice(0, Math.max(0, tab)).split(' ');
    if (tab >= 0 && type !== 'tree') files.set(line.slice(tab + 1), { mode, hash });
  }
  return files;
}

/** A folder with more in it is not looked into. */
const treeLimits = { eachBytes: 64 * 1024 * 1024, allBytes: 256 * 1024 * 1024 };

/**
 * The files that a commit has at some paths, by path; folders and what is not there are left out. Reads the folders on the
 * way, each once. Rejects with `GitFailed` where one of them is not here.
 */
export async function filesAt(
  read: ReadObjects,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, TreeFile>> {
  const files = new Map<string, TreeFile>();
  /** What is looked for in each folder of the level that is read next. */
  let level: readonly Wanted[] = [{ tree: `${commit}^{tree}`, at: 0, paths }];
  while (level.length > 0) {
    const trees = await entriesOf(read, [...new Set(level.map(({ tree }) => tree))]);
    level = level.flatMap(wanted => enter(trees.get(wanted.tree)!, wanted, files));
  }
  return files;
}

/** What tells which files are wanted, and where. */
export interface WantedBelow {
  /** From the top of the tree, '' or ending in `/`. */
  readonly folder: string;
  /** Ends the names of those that are wanted. */
  readonly suffix: string;
  readonly mostFiles: number;
}

/** Of each file, and of all. */
export interface ContentLimits {
  /** A longer one is told by its size. */
  readonly eachBytes: number;
  readonly allBytes: number;
}

/** Of a tree of few bytes each folder may be the same one: past so many folders it is not looked at. */
const mostFolders = 500_000;

/**
 * What the files of a commit say that are in a folder, or below, by path; links and submodules are left out, as are blobs that
 * are not here. Reads each object once, and the blobs of one level together with the trees of the next. Rejects as `filesAt`,
 * and as `output_too_large` past half a million folders, `mostFiles`, or `allBytes` in all.
 */
export async function contentsBelow(
  read: ReadObjects,
  commit: string,
  { folder: below, suffix, mostFiles }: WantedBelow,
  { eachBytes, allBytes }: ContentLimits,
): Promise<ReadonlyMap<string, Blob>> {
  const limits = { eachBytes: (type: string) => (type === 'tree' ? treeLimits.eachBytes : eachBytes), allBytes };
  const files = new Map<string, string>();
  const blobs = new Map<string, GitObject | undefined>();
  let unread: readonly string[] = [];
  let left = allBytes;
  let level: readonly Folder[] = [{ tree: `${commit}^{tree}`, path: '' }];
  for (let count = level.length; level.length + unread.length > 0; count += level.length) {
    if (count > mostFolders) throw new GitFailed('output_too_large', 'A tree has too many folders');
    const names = [...new Set(level.map(({ tree }) => tree))];
    const found = await read([...names, ...unread], limits);
    for (const [at, hash] of unread.entries()) {
      const blob = found[names.length + at];
      left -= blob?.bytes?.length ?? 0;
      blobs.set(hash, blob);
    }
    if (left < 0) throw new GitFailed('output_too_large', 'A commit has too much in its files');
    const trees = new Map(names.map((name, at) => [name, treeIn(found[at])]));
    const next: Folder[] = [];
    const wanted = new Set<string>();
    for (const { tree, path } of level) {
      for (const [name, { mode, hash }] of trees.get(tree)!) {
        const at = `${path}${name}`;
        if (mode === folder) {
          if (below.startsWith(`${at}/`) || at.startsWith(below)) next.push({ tree: hash, path: `${at}/` });
        } else if (mode.startsWith('100') && at.endsWith(suffix) && at.startsWith(below)) {
          files.set(at, hash);
          if (!blobs.has(hash)) wanted.add(hash);
        }
      }
    }
    if (files.size > mostFiles) throw new GitFailed('output_too_large', 'A commit has too many files');
    [level, unread] = [next, [...wanted]];
  }
  return new Map(
    [...files].flatMap(([path, hash]) => {
      const blob = blobs.get(hash);
      return blob?.type === 'blob' ? [[path, blobOf(blob)]] : [];
    }),
  );
}

/** A tree, by its hash, with the path that leads to it: '' or ending in `/`. */
interface Folder {
  readonly tree: string;
  readonly path: string;
}

async function entriesOf(
  read: ReadObjects,
  names: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, TreeFile>>> {
  const found = await read(names, treeLimits);
  return new Map(names.map((name, at) => [name, treeIn(found[at])]));
}

/** Paths in one folder: `at` is where the name begins that they have there. */
interface Wanted {
  readonly tree: string;
  readonly at: number;
  readonly paths: readonly string[];
}

/** Takes what a folder has of the paths, and tells which folders in it are to be entered. */
function enter(
  entries: ReadonlyMap<string, TreeFile>,
  { at, paths }: Wanted,
  files: Map<string, TreeFile>,
): readonly Wanted[] {
  const inside = new Map<string, string[]>();
  for (const path of paths) {
    const end = path.indexOf('/', at);
    const name = end < 0 ? path.slice(at) : path.slice(at, end);
    const entry = entries.get(name);
    if (entry === undefined || (entry.mode === folder) !== end >= 0) continue;
    if (end < 0) files.set(path, entry);
    else inside.set(name, [...(inside.get(name) ?? []), path]);
  }
  return [...inside].map(([name, below]) => ({
    tree: entries.get(name)!.hash,
    at: at + name.length + 1,
    paths: below,
  }));
}

const folder = '40000';

/** `<mode> <name>`, NUL and the hash's bytes, one after the other. */
function treeIn(tree: GitObject | undefined): ReadonlyMap<string, TreeFile> {
  if (tree?.type !== 'tree' || tree.bytes === undefined) throw new GitFailed('failed', 'git has not all of the tree');
  const { bytes } = tree;
  const hashBytes = tree.hash.length / 2;
  const entries = new Map<string, TreeFile>();
  for (let from = 0; from < bytes.length; ) {
    const space = bytes.indexOf(32, from);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0) throw new GitFailed('failed', 'git has a tree that is not understood');
    const hash = bytes.toString('hex', end + 1, end + 1 + hashBytes);
    entries.set(bytes.toString('utf8', space + 1, end), { mode: bytes.toString('latin1', from, space), hash });
    from = end + 1 + hashBytes;
  }
  return entries;
}

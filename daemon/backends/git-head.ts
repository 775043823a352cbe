import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from '../model/history.ts';
import type { GitObject, ObjectLimits } from './git-objects.ts';
import { GitFailed, type GitRun, streamGit } from './git-process.ts';
import type { GitRepository } from './git-repository.ts';

/** A file of a commit's tree. */
export interface TreeFile {
  /** Octal mode as git writes it: `100644`, `100755`, `120000`; `160000` is a submodule's place. */
  readonly mode: string;
  /** Of the blob. */
  readonly hash: string;
}

/** A file that git's index holds, with what git noted of it when it last saw its content to be this blob. */
export interface IndexedFile {
  readonly hash: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** The lower 32 bits. */
  readonly ino: number;
  /** Written so late that the note proves nothing: git compares contents then. */
  readonly isRacy: boolean;
}

/** Runs git over a repository's objects and index; rejects with `GitFailed`. */
export type RunOverObjects = <T>(
  repository: GitRepository,
  args: readonly string[],
  shape: (run: GitRun) => Promise<T>,
) => Promise<T>;

/** The files of a commit's tree by path. */
export async function treeOf(
  run: RunOverObjects,
  repository: GitRepository,
  commit: string,
): Promise<ReadonlyMap<string, TreeFile>> {
  const lines = await run(repository, ['ls-tree', '-r', '-z', '--full-tree', commit], wholeText);
  const files = new Map<string, TreeFile>();
  for (const line of lines.split('\0')) {
    const tab = line.indexOf('\t');
    const [mode = '', type = '', hash = ''] = line.slice(0, Math.max(0, tab)).split(' ');
    if (tab >= 0 && type !== 'tree') files.set(line.slice(tab + 1), { mode, hash });
  }
  return files;
}

/** Asks for objects by name, as `ObjectReader` does. */
export type ReadObjects = (
  names: readonly string[],
  limits: ObjectLimits,
) => Promise<readonly (GitObject | undefined)[]>;

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
    const names = [...new Set(level.map(({ tree }) => tree))];
    const found = await read(names, treeLimits);
    const trees = new Map(names.map((name, index) => [name, found[index]]));
    level = level.flatMap(wanted => enter(trees.get(wanted.tree), wanted, files));
  }
  return files;
}

/** So many commits are read at most, and so much of each. */
const mostAbove = 64;
const commitLimits = { eachBytes: 64 * 1024, allBytes: 4 * 1024 * 1024 };

/** Whether a commit is among the nearest that another came from; the other is one of them. */
export async function isJustAbove(read: ReadObjects, above: string, commit: string): Promise<boolean> {
  const seen = new Set([commit]);
  let level: readonly string[] = [commit];
  while (level.length > 0 && seen.size <= mostAbove) {
    if (level.includes(above)) return true;
    const parents = (await read(level, commitLimits)).flatMap(parentsOf);
    level = [...new Set(parents)].filter(one => !seen.has(one));
    for (const one of level) seen.add(one);
  }
  return false;
}

function parentsOf(commit: GitObject | undefined): readonly string[] {
  const text = commit?.type === 'commit' ? (commit.bytes?.toString('latin1') ?? '') : '';
  const head = text.slice(0, text.indexOf('\n\n') + 1);
  return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent]) => parent!);
}

/** Whom commits name as authors beside their own, in trailers as hosts read them. What is not here names nobody. */
export async function coAuthorsOf(read: ReadObjects, commits: readonly string[]): Promise<readonly Person[]> {
  const found = await read(commits, commitLimits);
  return found.flatMap(commit => {
    const text = commit?.type === 'commit' ? (commit.bytes?.toString('utf8') ?? '') : '';
    const message = text.slice(text.indexOf('\n\n') + 2);
    return [...message.matchAll(coAuthor)].map(([, name, email]) => ({ name: name!, email: email! }));
  });
}

const coAuthor = /^co-authored-by:[ \t]*([^<>\n]*[^<>\s])[ \t]*<([^<>\s]+)>[ \t]*\r?$/gim;

/** Paths in one folder: `at` is where the name begins that they have there. */
interface Wanted {
  readonly tree: string;
  readonly at: number;
  readonly paths: readonly string[];
}

/** Takes what a folder has of the paths, and tells which folders in it are to be entered. */
function enter(tree: GitObject | undefined, { at, paths }: Wanted, files: Map<string, TreeFile>): readonly Wanted[] {
  if (tree?.type !== 'tree' || tree.bytes === undefined) throw new GitFailed('failed', 'git has not all of the tree');
  const entries = treeEntries(tree.bytes, tree.hash.length / 2);
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
function treeEntries(bytes: Buffer, hashBytes: number): ReadonlyMap<string, TreeFile> {
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

/** What changes whenever git's index does; '' where there is none. */
export function indexStamp({ gitDir }: GitRepository): string {
  const stat = lstatSync(join(gitDir, 'index'), { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

/** The entries of git's index by path. One in conflict, or with a note that git itself would not trust, is left out. */
export async function indexedFiles(
  run: RunOverObjects,
  repository: GitRepository,
): Promise<ReadonlyMap<string, IndexedFile>> {
  const index = lstatSync(join(repository.gitDir, 'index'), { bigint: true, throwIfNoEntry: false });
  if (index === undefined) return new Map();
  const text = await run(repository, ['ls-files', '--cached', '--stage', '--debug', '-z'], wholeText);
  return parseIndex(text, index.mtimeNs);
}

const note =
  / {2}ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n {2}dev: \d+\tino: (\d+)\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: [0-9a-f]+\n/y;

/** `<mode> <hash> <stage>\t<path>`, NUL, and five lines of what `--debug` tells. */
function parseIndex(text: string, writtenNs: bigint): ReadonlyMap<string, IndexedFile> {
  const files = new Map<string, IndexedFile>();
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\0', from);
    const tab = text.indexOf('\t', from);
    note.lastIndex = end + 1;
    const told = end < 0 ? null : note.exec(text);
    if (told === null) throw new GitFailed('failed', 'git lists its index in a way that is not understood');
    const [, hash = '', stage = ''] = text.slice(from, tab).split(' ');
    const [ctime, ctimeNs, mtime, mtimeRest, ino, size] = told.slice(1) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const mtimeNs = nanoseconds(mtime, mtimeRest);
    if (stage === '0') {
      files.set(text.slice(tab + 1, end), {
        hash,
        size: Number(size),
        mtimeNs,
        ctimeNs: nanoseconds(ctime, ctimeNs),
        ino: Number(ino),
        isRacy: mtimeNs >= writtenNs,
      });
    }
    from = note.lastIndex;
  }
  return files;
}

function nanoseconds(seconds: string, rest: string): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(rest);
}

export type Blob =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'large'; readonly size: number };

/** Blobs by hash, those that are not there left out. Rejects with `GitFailed` `output_too_large` past `allBytes`. */
export async function blobsOf(
  read: ReadObjects,
  hashes: readonly string[],
  limits: ObjectLimits,
): Promise<ReadonlyMap<string, Blob>> {
  const found = new Map<string, Blob>();
  for (const object of await read(hashes, limits)) {
    if (object?.type !== 'blob') continue;
    const { hash, bytes, size } = object;
    found.set(hash, bytes === undefined ? { kind: 'large', size } : { kind: 'bytes', bytes });
  }
  return found;
}

/** The hash that a blob of these bytes has, in the manner of another one's. */
export function blobHash(bytes: Uint8Array, like: string): string {
  const algorithm = like.length === 64 ? 'sha256' : 'sha1';
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

async function wholeText(run: GitRun): Promise<string> {
  const chunks: Buffer[] = [];
  await streamGit(run, chunk => chunks.push(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
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
  return treeFiles(lines);
}

/** `<mode> <type> <hash>\t<path>`, NUL. */
function treeFiles(lines: string): Map<string, TreeFile> {
  const files = new Map<string, TreeFile>();
  for (const line of lines.split('\0')) {
    const tab = line.indexOf('\t');
    const [mode = '', type = '', hash = ''] = line.slice(0, Math.max(0, tab)).split(' ');
    if (tab >= 0 && type !== 'tree') files.set(line.slice(tab + 1), { mode, hash });
  }
  return files;
}

/** The files that a commit has at some paths, by path; folders and what is not there are left out. */
export async function filesAt(
  run: RunOverObjects,
  repository: GitRepository,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, TreeFile>> {
  // Paths are taken literally here; without -r a folder is told as itself.
  const words = ['ls-tree', '-z', '--full-tree', `${commit}^{commit}`, '--', ...paths];
  const files = treeFiles(await run(repository, words, wholeText));
  return new Map(paths.flatMap(path => (files.has(path) ? [[path, files.get(path)!]] : [])));
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

export interface BlobLimits {
  /** A longer one is not read: its size is told. */
  readonly eachBytes: number;
  readonly allBytes: number;
}

export type Blob =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'large'; readonly size: number };

/** Blobs by hash, those that are not there left out. Rejects with `GitFailed` `output_too_large` past `allBytes`. */
export async function blobsOf(
  run: RunOverObjects,
  repository: GitRepository,
  hashes: readonly string[],
  limits: BlobLimits,
): Promise<ReadonlyMap<string, Blob>> {
  const found = new Map<string, Blob>();
  if (hashes.length === 0) return found;
  const ask = (args: readonly string[], wanted: readonly string[], maxBytes?: number): Promise<Buffer> =>
    run(repository, ['cat-file', ...args], bounded =>
      wholeBytes({ ...bounded, input: `${wanted.join('\n')}\n`, ...(maxBytes === undefined ? {} : { maxBytes }) }),
    );
  const small: string[] = [];
  for (const line of (await ask(['--batch-check'], hashes)).toString('latin1').split('\n')) {
    const [hash = '', type, size] = line.split(' ');
    if (type !== 'blob') continue;
    if (Number(size) <= limits.eachBytes) small.push(hash);
    else found.set(hash, { kind: 'large', size: Number(size) });
  }
  if (small.length === 0) return found;
  const bytes = await ask(['--batch'], small, limits.allBytes);
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    const [hash = '', , size] = bytes.toString('latin1', from, end).split(' ');
    from = end + 1 + Number(size) + 1;
    found.set(hash, { kind: 'bytes', bytes: bytes.subarray(end + 1, from - 1) });
  }
  return found;
}

/** The hash that a blob of these bytes has, in the manner of another one's. */
export function blobHash(bytes: Uint8Array, like: string): string {
  const algorithm = like.length === 64 ? 'sha256' : 'sha1';
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

async function wholeBytes(run: GitRun): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await streamGit(run, chunk => chunks.push(chunk));
  return Buffer.concat(chunks);
}

async function wholeText(run: GitRun): Promise<string> {
  return (await wholeBytes(run)).toString('utf8');
}

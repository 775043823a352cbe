import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from '../model/history.ts';
import type { GitObject, ReadObjects } from './git-objects.ts';
import { GitFailed, type GitRun, wholeOutput } from './git-process.ts';
import type { GitRepository } from './git-repository.ts';

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

/** What changes whenever git's index does; '' where there is none. */
export function indexStamp({ gitDir }: GitRepository): string {
  const stat = lstatSync(join(gitDir, 'index'), { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

/** The entries of git's index by path. One in conflict, or with a note that git itself would not trust, is left out. */
export async function indexedFiles(
  run: (args: readonly string[], shape: (run: GitRun) => Promise<string>) => Promise<string>,
  repository: GitRepository,
): Promise<ReadonlyMap<string, IndexedFile>> {
  const index = lstatSync(join(repository.gitDir, 'index'), { bigint: true, throwIfNoEntry: false });
  if (index === undefined) return new Map();
  const text = await run(['ls-files', '--cached', '--stage', '--debug', '-z'], wholeOutput);
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

/** The hash that a blob of these bytes has, in the manner of another one's. */
export function blobHash(bytes: Uint8Array, like: string): string {
  const algorithm = like.length === 64 ? 'sha256' : 'sha1';
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

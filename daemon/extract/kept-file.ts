import { lstatSync } from 'node:fs';
import { isClosed } from '../model/closed.ts';
import { type FileStat, fileStatOf, sameFileStat } from '../model/file-stat.ts';
import type { RepoPath } from '../model/paths.ts';
import { isShortage } from '../model/shortage.ts';
import { type FileRead, type ReadingClock, readRepositoryFile } from './read-file.ts';

/** A file that people write for tools, as it is now. */
export type KeptFile<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | { readonly kind: 'absent' }
  /** What lies there is no file of the tree, and nothing is read of it. */
  | { readonly kind: 'no-file'; readonly reason: 'link' | 'behind-link' | 'folder' | 'special' }
  /** A file that can't be read now, or is too large. */
  | { readonly kind: 'unread'; readonly reason: 'too_large' | 'unreadable' | 'changing' };

export interface KeptFiles<Value> {
  /** `root` is absolute and real. Throws where descriptors ran out, and nothing else. */
  at(root: string, path: RepoPath): KeptFile<Value>;
}

/** Why a file does not count, to be read behind its name; undefined where it does, or there is none. */
export function whyNotRead(file: KeptFile<unknown>, mostBytes: number): string | undefined {
  switch (file.kind) {
    case 'read':
    case 'absent':
      return undefined;
    case 'no-file':
      return noFile[file.reason];
    case 'unread':
      return file.reason === 'too_large' ? `is larger than ${mostBytes} bytes` : unread[file.reason];
  }
}

const noFile = {
  link: 'is a symbolic link',
  'behind-link': 'lies behind a symbolic link',
  folder: 'is a folder',
  special: 'is no regular file',
} as const;
const unread = { unreadable: 'can’t be read', changing: 'is being written' } as const;

/** As many trees as are asked about by turns. */
const usuallyKept = 32;

/**
 * Single files of work trees and what is made of them, for those who answer from the disk. Stat data is looked at each time, and
 * what was made stays for as long as it is the same: a file that nobody touches costs a few stats, and an edit is in the next answer.
 */
export function keptFiles<Value>(
  parse: (bytes: Uint8Array, path: RepoPath) => Value,
  mostBytes: number,
  { clock, mostKept = usuallyKept }: { readonly clock?: ReadingClock | undefined; readonly mostKept?: number } = {},
): KeptFiles<Value> {
  const known = new Map<string, Kept<Value>>();
  const limits = { bytes: mostBytes, lineCharacters: Number.POSITIVE_INFINITY };
  return {
    at(root, path) {
      const found = look(root, path);
      if (found.kind !== 'file') return found;
      const place = `${root}/${path}`;
      const before = known.get(place);
      known.delete(place);
      const kept = sameFileStat(before?.stat, found.stat)
        ? before!
        : made(readRepositoryFile(root, path, clock, limits), bytes => parse(bytes, path));
      if (kept.stat !== undefined) known.set(place, kept);
      if (known.size > mostKept) for (const oldest of [...known.keys()].slice(0, 1)) known.delete(oldest);
      return kept.file;
    },
  };
}

interface Kept<Value> {
  /** Undefined of what is worth another look. */
  readonly stat: FileStat | undefined;
  readonly file: KeptFile<Value>;
}

function made<Value>(read: FileRead, parse: (bytes: Uint8Array) => Value): Kept<Value> {
  switch (read.kind) {
    case 'text':
      return { stat: read.stat, file: { kind: 'read', value: parse(read.bytes) } };
    case 'skipped':
      // Binary is for those who parse to say.
      if (read.bytes !== undefined) return { stat: read.stat, file: { kind: 'read', value: parse(read.bytes) } };
      return {
        stat: read.stat,
        file: { kind: 'unread', reason: read.reason === 'too_large' ? 'too_large' : 'unreadable' },
      };
    case 'gone':
      return { stat: undefined, file: { kind: 'absent' } };
    case 'changing':
      return { stat: undefined, file: { kind: 'unread', reason: 'changing' } };
  }
}

type Found = { readonly kind: 'file'; readonly stat: FileStat } | Exclude<KeptFile<never>, { kind: 'read' }>;

/** Through no link at any level; a folder on the way that is a file leads nowhere, and of a closed one nobody knows where. */
function look(root: string, path: RepoPath): Found {
  const names = path.split('/');
  let place = root;
  for (const [at, name] of names.entries()) {
    place = `${place}/${name}`;
    const isLast = at === names.length - 1;
    const stat = statOf(place);
    if (stat === 'closed') return { kind: 'unread', reason: 'unreadable' };
    if (stat === undefined) return { kind: 'absent' };
    if (stat.isSymbolicLink()) return { kind: 'no-file', reason: isLast ? 'link' : 'behind-link' };
    if (!isLast && !stat.isDirectory()) return { kind: 'absent' };
    if (!isLast) continue;
    if (stat.isDirectory()) return { kind: 'no-file', reason: 'folder' };
    return stat.isFile() ? { kind: 'file', stat: fileStatOf(stat) } : { kind: 'no-file', reason: 'special' };
  }
  return { kind: 'absent' };
}

function statOf(place: string) {
  try {
    return lstatSync(place, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (isShortage(error)) throw error;
    return isClosed(error) ? 'closed' : undefined;
  }
}

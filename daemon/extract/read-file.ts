import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { ContentHash, SkipReason } from '../model/document.ts';
import { type FileStat, fileStatOf, sameFileStat } from '../model/file-stat.ts';
import type { RepoPath } from '../model/paths.ts';
import { isShortage } from '../model/shortage.ts';

export type FileRead =
  /** Bytes that stood in the file at one moment: no writer touched it while it was read. */
  | { readonly kind: 'text'; readonly hash: ContentHash; readonly stat: FileStat; readonly bytes: Uint8Array }
  /**
   * Listed, not parsed. `hash` is '' where there are no bytes to speak of; `stat` is absent where there was no file to
   * look at, `bytes` where they were not read.
   */
  | {
      readonly kind: 'skipped';
      readonly reason: SkipReason;
      readonly hash: ContentHash | '';
      readonly stat: FileStat | undefined;
      readonly bytes?: Uint8Array;
    }
  | { readonly kind: 'gone' }
  /** Somebody kept writing for as long as we looked; ask again later. */
  | { readonly kind: 'changing' };

/** What the reader asks of the world besides the file system. */
export interface ReadingClock {
  nowMs(): number;
  /** Blocks the thread. */
  sleep(ms: number): void;
}

/** Past these a file is listed and not parsed. */
export interface SourceLimits {
  readonly bytes: number;
  readonly lineCharacters: number;
}

export const defaultSourceLimits: SourceLimits = { bytes: 2 * 1024 * 1024, lineCharacters: 20_000 };
const binaryProbeBytes = 8 * 1024;
const attempts = 4;
/**
 * The kernel stamps writes with the time of its last tick, 10 ms at the longest. A file last written longer ago than
 * this can't be written again without its stamp telling; before that, two writes may share one stamp.
 */
const tickMs = 12;

/**
 * Reads one file of a working tree, trusting nothing: only a regular file that really lies at `path` under `root` (an
 * absolute, real path) is read, through no symbolic link and without ever waiting for a writer or a device.
 *
 * A file over the limit (2 MiB) is not read: its hash stands for its size alone, so that a manifest is a function of the tree even
 * for files that nobody wants to read; such a file changed in place to the same size keeps its hash. Other skipped
 * files (NUL in the first 8 KiB, a line over 20,000 characters) are hashed like the rest. Never throws for what the
 * tree holds.
 */
export function readRepositoryFile(
  root: string,
  path: RepoPath,
  clock: ReadingClock = systemClock,
  limits: SourceLimits = defaultSourceLimits,
): FileRead {
  const absolute = `${root}/${path}`;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const read = readOnce(absolute, root, clock, limits);
    if (read.kind !== 'changing') return read;
    clock.sleep(tickMs);
  }
  return { kind: 'changing' };
}

function readOnce(absolute: string, root: string, clock: ReadingClock, limits: SourceLimits): FileRead {
  let descriptor: number;
  try {
    const seen = lstatSync(absolute, { bigint: true });
    if (!seen.isFile()) return notRegular(seen);
    descriptor = openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return unopenable(error);
  }
  try {
    return readOpen(descriptor, absolute, root, clock, limits);
  } catch (error) {
    return unopenable(error);
  } finally {
    closeSync(descriptor);
  }
}

function readOpen(
  descriptor: number,
  absolute: string,
  root: string,
  clock: ReadingClock,
  limits: SourceLimits,
): FileRead {
  const startedMs = clock.nowMs();
  const before = fstatSync(descriptor, { bigint: true });
  if (!before.isFile()) return notRegular(before);
  if (!liesAt(absolute, root, descriptor, before)) return { kind: linkOnTheWay(absolute, root) ? 'gone' : 'changing' };
  const stat = fileStatOf(before);
  if (stat.size > limits.bytes) return { kind: 'skipped', reason: 'too_large', hash: sizeHash(stat.size), stat };

  const bytes = readWhole(descriptor, stat.size);
  if (bytes === undefined || !sameFileStat(stat, fileStatOf(fstatSync(descriptor, { bigint: true })))) {
    return { kind: 'changing' };
  }
  const hash = contentHash(bytes);
  if (mayBeMidWrite(stat, startedMs)) {
    clock.sleep(tickMs);
    if (!sameFileStat(stat, fileStatOf(fstatSync(descriptor, { bigint: true })))) return { kind: 'changing' };
    const again = readWhole(descriptor, stat.size);
    if (again === undefined || contentHash(again) !== hash) return { kind: 'changing' };
    if (!sameFileStat(stat, fileStatOf(fstatSync(descriptor, { bigint: true })))) return { kind: 'changing' };
  }
  const reason = unreadableText(bytes, limits);
  return reason === undefined ? { kind: 'text', hash, stat, bytes } : { kind: 'skipped', reason, hash, stat, bytes };
}

export function contentHash(bytes: Uint8Array): ContentHash {
  return createHash('sha256').update(bytes).digest('hex') as ContentHash;
}

const systemClock: ReadingClock = {
  nowMs: () => Date.now(),
  sleep: ms => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};

/** A stamp of the last tick, or of a future that only a moved clock explains, does not prove that the file was left alone. */
function mayBeMidWrite(stat: FileStat, startedMs: number): boolean {
  return startedMs - stat.ctimeMs <= tickMs;
}

/**
 * Whether what was opened is what the path names, through no link. Linux tells the true path of a descriptor, so no swap
 * of a directory for a link between the look and the open leads outside unseen. Elsewhere the path is walked after the
 * open: every directory on it is one, and what lies at its end is what was opened.
 */
function liesAt(absolute: string, root: string, descriptor: number, opened: BigIntStats): boolean {
  const truth = truePath(descriptor);
  if (truth !== undefined) return truth === absolute;
  if (linkOnTheWay(absolute, root)) return false;
  const named = lstatSync(absolute, { bigint: true });
  return named.dev === opened.dev && named.ino === opened.ino;
}

/** What lies behind a link is no part of the tree, as git sees it. */
function linkOnTheWay(absolute: string, root: string): boolean {
  for (let directory = dirname(absolute); directory.length > root.length; directory = dirname(directory)) {
    if (!lstatSync(directory).isDirectory()) return true;
  }
  return false;
}

function truePath(descriptor: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}

/** So many bytes of the file, or undefined where it has fewer. That it has no more, a later stamp tells. */
function readWhole(descriptor: number, size: number): Uint8Array | undefined {
  const bytes = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(descriptor, bytes, filled, size - filled, filled);
    if (count === 0) return undefined;
    filled += count;
  }
  return bytes;
}

/** Why bytes are not to be parsed, whatever their dialect. */
export function unreadableText(
  bytes: Uint8Array,
  { lineCharacters }: SourceLimits = defaultSourceLimits,
): SkipReason | undefined {
  if (bytes.subarray(0, binaryProbeBytes).includes(0)) return 'binary';
  return longestLineExceeds(bytes, lineCharacters) ? 'long_line' : undefined;
}

function longestLineExceeds(bytes: Uint8Array, characters: number): boolean {
  for (let start = 0; start + characters < bytes.length; ) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    if (end - start > characters && new TextDecoder().decode(bytes.subarray(start, end)).length > characters)
      return true;
    start = end + 1;
  }
  return false;
}

/** What stands for the hash of a file that is too large to be read. */
export function sizeHash(size: number): ContentHash {
  return contentHash(new TextEncoder().encode(`svc:size:${size}`));
}

function notRegular(stats: BigIntStats): FileRead {
  if (stats.isDirectory()) return { kind: 'gone' };
  return { kind: 'skipped', reason: 'not_regular', hash: '', stat: fileStatOf(stats) };
}

function unopenable(error: unknown): FileRead {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return { kind: 'gone' };
  if (code === 'ELOOP' || code === 'ENXIO' || isShortage(error)) return { kind: 'changing' };
  return { kind: 'skipped', reason: 'unreadable', hash: '', stat: undefined };
}

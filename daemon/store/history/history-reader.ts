import type { CommitColumns } from '../../model/history.ts';
import { openForReading, translated } from '../connection.ts';
import { digestOf, preparer } from '../rows.ts';
import { StoreError } from '../store-faults.ts';
import { decodeRuns } from './commit-codec.ts';
import { createCommitTable } from './commit-table.ts';
import { epochIn, historyFile, requireDigest } from './history-file.ts';
import { decodeTree } from './tree-codec.ts';

/** A read-only connection to a history file. Every method throws `StoreError`; `corrupt` where a digest doesn't hold. */
export interface HistoryReader {
  /** Made with the file: numbers of one with another are others. */
  readonly epoch: string;
  /** Where a worktree's HEAD was when its history was last stored; undefined before the first time. */
  head(worktree: string): StoredHead | undefined;
  /** All commits that are stored now. The same object each time, which grows. */
  columns(): CommitColumns;
  /** Another whenever anything was stored since. */
  version(): string;
  /** Who wrote the lines of a content; undefined where that is not stored. */
  blame(path: string, blob: string, basis: string): Blame | undefined;
  /** What to throw where rows hold and yet don't fit together. */
  damaged(): StoreError;
  close(): void;
}

export interface StoredHead {
  readonly hash: string;
  /** All that it came from, itself as well. */
  readonly commits: number;
  /** Regular files, blob by path. */
  tree(): ReadonlyMap<string, string>;
}

/** Numbers of commits, as `CommitColumns` has them, and how many lines in a row each wrote; 0 where that is not known. */
export interface Blame {
  readonly commits: Int32Array;
  readonly counts: Int32Array;
}

/** Opens an existing history file. Throws `StoreError`. */
export function openHistoryReader(file: string): HistoryReader {
  const connection = openForReading(file, historyFile);
  const prepare = preparer(connection);
  const table = createCommitTable(prepare);
  const load = connection.transaction(() => table.loaded());
  return {
    epoch: translated(() => epochIn(prepare)),
    head: worktree =>
      translated(() => {
        const row = prepare<[string], HeadRow>('SELECT * FROM head WHERE worktree = ?').get(worktree);
        if (row === undefined) return undefined;
        requireDigest(row.digest, digestOf(worktree, row.hash, row.boundary, row.commits, row.tree));
        return {
          hash: row.hash.toString('hex'),
          commits: row.commits,
          tree: () => {
            const { paths } = load();
            const files = new Map<string, string>();
            decodeTree(row.tree, (path, hash) => files.set(paths[path] ?? '', hash.toString('hex')));
            return files;
          },
        };
      }),
    columns: () => translated(load),
    version: () => translated(() => String(connection.pragma('data_version', { simple: true }))),
    blame: (path, blob, basis) =>
      translated(() => {
        // Whoever asks may be the first, or know of a path that came later.
        const number = table.columns.pathNumber(path) ?? load().pathNumber(path);
        if (number === undefined) return undefined;
        const key = [number, Buffer.from(blob, 'hex'), Buffer.from(basis)] as const;
        const sql = 'SELECT * FROM blame WHERE path = ? AND blob = ? AND basis = ?';
        const row = prepare<[number, Buffer, Buffer], BlameRow>(sql).get(...key);
        if (row === undefined) return undefined;
        requireDigest(row.digest, digestOf(row.path, row.blob, row.basis, row.runs));
        return blameOf(row.runs);
      }),
    damaged: () => new StoreError('corrupt', 'commits of a history are not stored'),
    close: () => connection.close(),
  };
}

interface HeadRow {
  readonly hash: Buffer;
  readonly boundary: string;
  readonly commits: number;
  readonly tree: Buffer;
  readonly digest: Buffer;
}

interface BlameRow {
  readonly path: number;
  readonly blob: Buffer;
  readonly basis: Buffer;
  readonly runs: Buffer;
  readonly digest: Buffer;
}

function blameOf(runs: Buffer): Blame {
  const commits: number[] = [];
  const counts: number[] = [];
  decodeRuns(runs, (commit, count) => {
    commits.push(commit);
    counts.push(count);
  });
  return { commits: Int32Array.from(commits), counts: Int32Array.from(counts) };
}

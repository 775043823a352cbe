import type { CommitColumns } from '../../model/history.ts';
import { digestOf, type Prepare } from '../rows.ts';
import { type BatchCounts, decodeCommits, decodeLines } from './commit-codec.ts';
import { GrowingColumns } from './growing-columns.ts';
import { requireDigest } from './history-file.ts';

/** What is stored of commits, in memory: read once, then what has come since. */
export interface CommitTable {
  /** As they were loaded last. */
  readonly columns: CommitColumns;
  /** To be called in a transaction. The same object each time, which grows. */
  loaded(): CommitColumns;
}

const nothing: BatchCounts = { paths: 0, people: 0, commits: 0 };

export function createCommitTable(prepare: Prepare): CommitTable {
  const columns = new GrowingColumns();
  /** The batch that was read last: the next may begin where it does, and hold more. */
  let last = { id: 0, first: 0, counts: nothing };
  let lastLines = 0;
  const readCommits = (): void => {
    const rows = prepare<[number], CommitsRow>('SELECT * FROM commits WHERE id > ? ORDER BY id').all(last.id);
    for (const { id, first, body, digest } of rows) {
      requireDigest(digest, digestOf(first, body));
      const counts = decodeCommits(body, first === last.first ? last.counts : nothing, columns);
      // The next commits begin where paths alone do, and are no more of the same.
      last = { id, first: counts.commits === 0 ? 0 : first, counts };
    }
    columns.findParents();
  };
  const readLines = (): void => {
    const rows = prepare<[number], LinesRow>('SELECT * FROM lines WHERE id > ? ORDER BY id').all(lastLines);
    for (const { id, body, digest } of rows) {
      requireDigest(digest, digestOf(body));
      decodeLines(body, (commit, change, added, deleted) => columns.setLines(commit, change, added, deleted));
      lastLines = id;
    }
  };
  return {
    columns,
    loaded: () => {
      readCommits();
      readLines();
      return columns;
    },
  };
}

interface CommitsRow {
  readonly id: number;
  readonly first: number;
  readonly body: Buffer;
  readonly digest: Buffer;
}

interface LinesRow {
  readonly id: number;
  readonly body: Buffer;
  readonly digest: Buffer;
}

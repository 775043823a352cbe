import type { SnapshotCounts, StoredSnapshot } from './publication.ts';
import type { Prepare } from './rows.ts';
import { StoreError } from './store-faults.ts';

interface SnapshotRow {
  readonly seq: number;
  readonly id: string;
  readonly evidence: string;
  readonly published_at: number;
  readonly counts: string;
}

export function repoRow(key: string, prepare: Prepare): number | undefined {
  return prepare<[string], { id: number }>('SELECT id FROM repo WHERE key = ?').get(key)?.id;
}

export function latestSnapshot(repo: number, prepare: Prepare): StoredSnapshot | undefined {
  return stored(
    prepare<[number], SnapshotRow>('SELECT * FROM snapshot WHERE repo = ? ORDER BY seq DESC LIMIT 1').get(repo),
  );
}

export function snapshotOf(repo: number, seq: number, prepare: Prepare): StoredSnapshot | undefined {
  return stored(
    prepare<[number, number], SnapshotRow>('SELECT * FROM snapshot WHERE repo = ? AND seq = ?').get(repo, seq),
  );
}

/** The sequence of a snapshot with that id before the newest one, where it is still kept. */
export function earlierSequence(repo: number, id: string, prepare: Prepare): number | undefined {
  return (
    prepare<[number, string, number], { seq: number | null }>(
      'SELECT max(seq) AS seq FROM snapshot WHERE repo = ? AND id = ? AND seq < (SELECT max(seq) FROM snapshot WHERE repo = ?)',
    ).get(repo, id, repo)?.seq ?? undefined
  );
}

/** Made when the file was created: tells a rebuilt file from the one that a cursor was made over. */
export function epochOf(prepare: Prepare): string {
  return prepare<[], { value: string }>(`SELECT value FROM meta WHERE name = 'epoch'`).get()?.value ?? '';
}

function stored(row: SnapshotRow | undefined): StoredSnapshot | undefined {
  if (row === undefined) return undefined;
  return {
    seq: row.seq,
    snapshotId: row.id,
    evidenceId: row.evidence,
    publishedAt: row.published_at,
    counts: countsOf(row.counts),
  };
}

function countsOf(text: string): SnapshotCounts {
  try {
    return JSON.parse(text) as SnapshotCounts;
  } catch (error) {
    throw new StoreError('corrupt', 'the counts of a snapshot are damaged', error);
  }
}

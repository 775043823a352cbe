import type { SnapshotCounts, StoredSnapshot } from './publication.ts';
import { digestOf, isDigest, type Prepare } from './rows.ts';
import { StoreError } from './store-faults.ts';

interface SnapshotRow {
  readonly repo: number;
  readonly seq: number;
  readonly id: string;
  readonly evidence: string;
  readonly published_at: number;
  readonly counts: string;
  readonly digest: Buffer;
}

export function repoRow(key: string, prepare: Prepare): number | undefined {
  return prepare<[string], { id: number }>('SELECT id FROM repo WHERE key = ?').get(key)?.id;
}

/** The key of a repository that is in the file. */
export function keyOf(repo: number, prepare: Prepare): string | undefined {
  return prepare<[number], { key: string }>('SELECT key FROM repo WHERE id = ?').get(repo)?.key;
}

/** What tells a snapshot from any other that had its sequence, hex; undefined where it is no longer kept. */
export function snapshotDigest(repo: number, seq: number, prepare: Prepare): string | undefined {
  return prepare<[number, number], { digest: Buffer }>('SELECT digest FROM snapshot WHERE repo = ? AND seq = ?')
    .get(repo, seq)
    ?.digest.toString('hex');
}

export function addSnapshot(repo: number, snapshot: StoredSnapshot, prepare: Prepare): void {
  const { seq, snapshotId: id, evidenceId: evidence, publishedAt: published_at } = snapshot;
  const row = { repo, seq, id, evidence, published_at, counts: JSON.stringify(snapshot.counts) };
  prepare<unknown[]>(
    'INSERT INTO snapshot (repo, seq, id, evidence, published_at, counts, digest) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ).run(repo, seq, id, evidence, published_at, row.counts, rowDigest(row));
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

/** What tells symbols apart: an upload without source has nothing but the descriptors of its indexer. */
export function identityOf(prepare: Prepare): 'syntax' | 'descriptor' {
  const row = prepare<[], { value: string }>(`SELECT value FROM meta WHERE name = 'identity'`).get();
  return row?.value === 'descriptor' ? 'descriptor' : 'syntax';
}

function stored(row: SnapshotRow | undefined): StoredSnapshot | undefined {
  if (row === undefined) return undefined;
  if (!isDigest(row.digest, rowDigest(row))) {
    throw new StoreError('corrupt', `snapshot ${row.seq} is damaged`);
  }
  return {
    seq: row.seq,
    snapshotId: row.id,
    evidenceId: row.evidence,
    publishedAt: row.published_at,
    counts: JSON.parse(row.counts) as SnapshotCounts,
  };
}

function rowDigest({ repo, seq, id, evidence, published_at, counts }: Omit<SnapshotRow, 'digest'>): Buffer {
  return digestOf(repo, seq, id, evidence, published_at, counts);
}

import type { StoredSnapshot } from './publication.ts';

/** A read-only connection to an index file. Every answer is of one snapshot: no reader sees half a publication. */
export interface IndexReader {
  readonly epoch: string;
  /** The newest snapshot of a repository; undefined before its first. */
  snapshot(key: string): StoredSnapshot | undefined;
  /** The snapshot of a sequence, while it can still be read. */
  snapshotAt(key: string, seq: number): StoredSnapshot | undefined;
  /** How many snapshots can be read, and when the oldest of them was published (milliseconds). */
  retained(key: string): { readonly count: number; readonly oldestAt: number | undefined };
  close(): void;
}

/** Opens an index file for reading. Throws `StoreError`. */
export function openIndexReader(file: string): IndexReader {
  throw new Error(`not built yet: ${file}`);
}

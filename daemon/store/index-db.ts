import type { QuestionKey } from '../model/links.ts';
import type { RepoPath } from '../model/paths.ts';
import type { FactKey, FactRow, FileStat, Publication, StoredEntry, StoredSnapshot } from './publication.ts';

/**
 * The one writer of an index file. A file serves one git common folder; each worktree is a repository of its own in it
 * (`key`: any stable text, e.g. the worktree key), over shared facts. Every method throws `StoreError` where the file
 * fails it, with nothing half applied.
 */
export interface IndexWriter {
  /** Made when the file was created; cursors and caches from before a rebuild carry another. */
  readonly epoch: string;
  /** The newest snapshot of a repository; undefined before its first. */
  snapshot(key: string): StoredSnapshot | undefined;
  /** The manifest of the newest snapshot, in path order. */
  manifest(key: string): IterableIterator<StoredEntry>;
  /** Those of the keys whose facts are not stored. */
  missingFacts(keys: Iterable<FactKey>): readonly FactKey[];
  /** Stores facts ahead of their publication, so that a crash between need not parse them again. */
  putFacts(rows: Iterable<FactRow>): void;
  /** The encoded `DocumentFacts`, checked against its digest on first read; undefined where there are none. */
  facts(key: FactKey): Uint8Array | undefined;
  /** Paths, sorted, of the documents that asked one of the questions when they were linked. */
  askersOf(key: string, questions: Iterable<QuestionKey>): readonly RepoPath[];
  /** Makes the next snapshot visible in one transaction. Returns it. */
  publish(key: string, publication: Publication): StoredSnapshot;
  /** Notes new stat data of files whose content is as published (undefined: look at the bytes again). Makes no snapshot. */
  touch(key: string, stats: Iterable<{ readonly path: RepoPath; readonly stat: FileStat | undefined }>): void;
  /** Repositories in the file. */
  repositories(): readonly string[];
  removeRepository(key: string): void;
  /**
   * Idle work, one bounded batch: versions that no cursor may ask for any more, facts that no manifest names (by last
   * use, once they exceed the active ones or 256 MB), names and symbols without rows. True while there is more.
   */
  collect(nowMs: number): boolean;
  /** Idle: moves the log into the file; truncates it past 32 MB. */
  checkpoint(): void;
  close(): void;
}

export interface IndexWriterOptions {
  /** Random text for the epoch of a file that is created. */
  readonly newEpoch?: () => string;
}

/** Opens or creates an index file (0600). Throws `StoreError`. */
export function openIndexWriter(file: string, options: IndexWriterOptions = {}): IndexWriter {
  throw new Error(`not built yet: ${file} ${typeof options}`);
}

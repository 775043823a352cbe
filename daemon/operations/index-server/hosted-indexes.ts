import type { StoredJob } from '../../store/daemon-db.ts';
import type { IndexStats } from './index-stats.ts';

/** Who keeps the indexes that are uploaded. */
export interface HostedIndexes {
  /**
   * Begins an upload: until its end nobody else may begin one of that id. Throws `busy` where somebody has, `configRepo` where
   * something that is no upload bears the id, `rateLimited` where there are too many repositories.
   */
  begin(id: string): UploadBegun;
  /** Ends the upload that is under way and deletes all that there is. Throws `repoNotFound` for what was not uploaded. */
  delete(id: string): Promise<void>;
  /** How many indexes are being sent or taken in, or deleted. */
  underWay(): number;
}

export interface UploadBegun {
  /** Where its bytes go: a file that is not there yet, and goes with the upload. */
  readonly file: string;
  /** Fires with a fault when nobody wants it any more. */
  readonly signal: AbortSignal;
  /** All bytes are there: queues the job that takes them in, which ends the upload. Throws what `JobQueue.add` throws. */
  takeIn(commit: string): StoredJob;
  /** What the job threw; undefined before, and where it did not. */
  failure(): unknown;
  /** Nothing of its bytes is left, and the next may begin. */
  readonly ended: Promise<void>;
  /** It came to nothing. */
  end(): Promise<void>;
}

/** What the job tells of an upload that it took in. */
export interface TakenIn {
  readonly commit: string;
  /** The one with most symbols first. */
  readonly languages: readonly string[];
  readonly stats: IndexStats;
  /** What of the index was not taken in, in public words. */
  readonly warnings: readonly string[];
  readonly durationMs: number;
  /** The sequence of the snapshot in the sync log. */
  readonly syncSeq: number;
  readonly snapshotId: string;
}

import type { ChangeSet } from '../../watch/change-set.ts';
import type { RepositoryRecord } from '../model/repository.ts';

export type IndexPhase = 'discover' | 'hash' | 'extract' | 'link' | 'publish';

/** How far a run has come. `fraction` is of the whole run, 0 to 1, never falling. */
export interface IndexProgress {
  readonly phase: IndexPhase;
  readonly fraction: number;
}

/** What a run left behind: the active snapshot, and what it took to reach it. */
export interface Published {
  /** Sequence of the active snapshot; the same as before where nothing had changed. */
  readonly seq: number;
  readonly snapshotId: string;
  readonly symbolCount: number;
  readonly fileCount: number;
  /** Files whose facts were not known yet. */
  readonly filesParsed: number;
  /** Paths whose entry in the manifest changed; 0 means that nothing was published. */
  readonly changedPaths: number;
  readonly documentsLinked: number;
  readonly durationMs: number;
}

export interface IndexRequest {
  /** Reads, extracts and links everything anew, trusting neither stat data nor stored facts. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: IndexProgress) => void;
}

/** What the engine tells of itself, for log and metrics. */
export type EngineNotice =
  | { readonly kind: 'published'; readonly repo: string; readonly published: Published }
  | { readonly kind: 'file_skipped'; readonly repo: string; readonly path: string; readonly reason: string }
  | { readonly kind: 'worker_started'; readonly worker: 'write' }
  | { readonly kind: 'worker_ended'; readonly worker: 'write'; readonly reason: 'idle' | 'closed' | 'crashed' };

export interface EngineOptions {
  /** Extract workers at most; default one per core, at most 4. */
  readonly extractWorkers?: number;
  /** The write worker ends after this long without work; default 30 s. */
  readonly idleMs?: number;
  /** Where the note of inputs in flight lives, so that a crash names them after a restart; default: none is kept. */
  readonly inFlightFolder?: string;
  /** Content hashes not to be parsed, because parsing them was in flight in too many deaths. Asked at the start of each run. */
  readonly quarantined?: () => ReadonlySet<string>;
  readonly onNotice?: (notice: EngineNotice) => void;
}

/** The one way in which an index changes, seen from the main thread. */
export interface IndexEngine {
  /**
   * Brings the index of `repo` to the state of its tree and resolves when the snapshot is published. Runs of one
   * repository happen one after the other. Rejects with Fault `cancelled` when the signal fired before the publication,
   * `storageFailed` when the index file can't be written, `shuttingDown` after `close`.
   */
  index(repo: RepositoryRecord, changes: ChangeSet, request?: IndexRequest): Promise<Published>;
  /** Drops what is held in memory of the repository and removes its rows from the index file. */
  forget(repo: RepositoryRecord): Promise<void>;
  /** Cancels what runs, ends the workers. */
  close(): Promise<void>;
}

export function createIndexEngine(_options: EngineOptions = {}): IndexEngine {
  throw new Error('not written yet');
}

import type { AccessKeys } from './access-keys.ts';
import type { ExposureMethods } from './exposures.ts';
import type { FederationMethods } from './federations.ts';
import type { GoneDefinitionMethods } from './gone-definitions.ts';
import type { RemoteMethods } from './remotes.ts';
import type { StoreTrouble } from './store-faults.ts';
import type { CallReader } from './telemetry/call-reader.ts';

export type RepositorySource = 'tree' | 'upload' | 'mirror';

/** A repository that the user registered, or that was put here. */
export interface RegisteredRepository {
  readonly id: string;
  /** Stays the same when the id is reused: names the index folder together with the root. */
  readonly uid: string;
  /** Where its index comes from: its work tree, a SCIP file that somebody uploaded, or another machine's index server. */
  readonly source: RepositorySource;
  /** '' where there is no work tree. */
  readonly root: string;
  /** The git common folder as it was when the root was last looked at; '' outside git. */
  readonly commonFolder: string;
  readonly trusted: boolean;
  readonly isDefault: boolean;
  /** Milliseconds. */
  readonly addedAt: number;
}

export type StoredJobState = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

/** Why a job failed, in public words. `reason` tells apart what has the same code. */
export interface JobError {
  readonly code: string;
  readonly message: string;
  readonly reason?: string;
}

export interface StoredJob {
  readonly id: string;
  readonly type: string;
  readonly repo: string | undefined;
  readonly state: StoredJobState;
  /** 0 to 100. */
  readonly progress: number;
  readonly message: string | undefined;
  /** JSON values; `input` is what a restart needs to run it again. */
  readonly input: unknown;
  readonly result: unknown;
  readonly error: JobError | undefined;
  readonly createdAt: number;
  readonly startedAt: number | undefined;
  readonly completedAt: number | undefined;
}

/** A symbol that was there once. `replacedBy` is the hash of what took its place, where that is clear, and is there still. */
export interface Tombstone {
  /** 32 hex digits. */
  readonly symbolHash: string;
  readonly replacedBy: string | undefined;
  readonly goneAt: number;
}

/** An input that ended a worker again and again; `hash` is the sha256 of its bytes. */
export interface QuarantinedInput {
  readonly hash: string;
  readonly repo: string;
  readonly path: string;
  readonly reason: string;
  readonly since: number;
}

/** One published snapshot of a repository, as the sync log keeps it. `seq` goes on after the index is rebuilt. */
export interface SyncEntry {
  readonly seq: number;
  readonly snapshotId: string;
  readonly evidenceId: string;
  readonly publishedAt: number;
  /** The index file that it was published in, and its sequence there. */
  readonly epoch: string;
  readonly fileSeq: number;
}

/** The index of a repository without a work tree. */
export interface HostedIndex {
  /** Which file of its folder holds it; '' for `index.db`. */
  readonly epoch: string;
  /** Of the indexed source; '' where nobody said. */
  readonly commit: string;
  /** The tool with its version; '' where nobody said. */
  readonly indexer: string;
  /** Milliseconds. */
  readonly updatedAt: number;
}

/** So long after one symbol went another that it had taken the place of may come back for it, or the other way round. */
export const exchangeMs = 60_000;

/**
 * What cannot be computed again. Synchronous: rows are few and small. Every method throws `StoreError` where the file
 * fails it.
 */
export interface DaemonDatabase
  extends AccessKeys,
    RemoteMethods,
    ExposureMethods,
    FederationMethods,
    GoneDefinitionMethods {
  readonly file: string;
  /** What production told of calls. */
  readonly calls: CallReader;
  /** Whether a batch of calls has been taken and not counted to its end. */
  hasUnfinishedBatch(): boolean;
  /** How the file came to be what it is: for `doctor`. */
  readonly origin: 'existing' | 'created' | 'restored';
  repositories(): readonly RegisteredRepository[];
  /** Adds or replaces by id. */
  saveRepository(repository: RegisteredRepository): void;
  /** Another that is added under its id goes on in the sync log where it ended. */
  removeRepository(id: string): void;
  /** Makes one the default, or none. */
  setDefaultRepository(id: string | undefined): void;
  setTrusted(id: string, trusted: boolean): void;
  /** Newest first. */
  jobs(filter: { readonly state?: StoredJobState; readonly type?: string; readonly limit: number }): {
    readonly jobs: readonly StoredJob[];
    readonly total: number;
  };
  job(id: string): StoredJob | undefined;
  /** Adds or replaces by id. Of those that have ended the last 1,000 are kept, however long they waited. */
  saveJob(job: StoredJob): void;
  /** Of a job that is there; a power cut may take it back. */
  noteProgress(job: Pick<StoredJob, 'id' | 'progress' | 'message'>): void;
  setting(name: string): string | undefined;
  setSetting(name: string, value: string): void;
  /** A secret of 32 bytes as hex, made at first use, e.g. `cursor_secret`. */
  secret(name: string, random: (bytes: number) => Uint8Array): string;
  /** Appends to the sync log of a repository; returns the sequence given, one above the last of its id. */
  appendSync(repoUid: string, entry: Omit<SyncEntry, 'seq'>): number;
  lastSync(repoUid: string): SyncEntry | undefined;
  /** The oldest entry that is still known. */
  oldestSync(repoUid: string): SyncEntry | undefined;
  /** The entry of a sequence, while it is known. */
  syncAt(repoUid: string, seq: number): SyncEntry | undefined;
  hosted(repoUid: string): HostedIndex | undefined;
  /**
   * Makes an index that of a repository without a work tree, which is registered where it was not, and notes the publication
   * where it is one: in one transaction.
   */
  publishHosted(
    repository: RegisteredRepository,
    hosted: HostedIndex,
    published: Omit<SyncEntry, 'seq'> | undefined,
  ): void;
  tombstone(repoUid: string, symbolHash: string): Tombstone | undefined;
  /**
   * Adds tombstones, drops those of `revived` hashes and those older than 90 days at `forgettingMs`. What had taken the place
   * of one that is back, and went less than `exchangeMs` before with nothing in its own place, leads back. Returns what had and is there
   * so far: hash → the one that is back.
   */
  recordGone(
    repoUid: string,
    gone: readonly Tombstone[],
    revived: readonly string[],
    nowMs: number,
    forgettingMs?: number,
  ): ReadonlyMap<string, string>;
  quarantined(): readonly QuarantinedInput[];
  quarantine(input: QuarantinedInput): void;
  /** Notes that an input was in flight when the process died. */
  inFlight(hash: string, repo: string, path: string): void;
  /** An input was read to its end: what it was in flight at counts no more. */
  landed(hash: string): void;
  /** At a start: inputs that were in flight when the process died, with the number of deaths so far. Clears the marks, keeps the counts. */
  takeCasualties(): readonly {
    readonly hash: string;
    readonly repo: string;
    readonly path: string;
    readonly deaths: number;
  }[];
  /** Why the last write failed, if the next would too: one is tried. */
  writeTrouble(): StoreTrouble | undefined;
  /** Throws where the file is no longer the one that is open, or its beginning not what was written. */
  readHeads(): void;
  /** Writes a copy beside the file (`VACUUM INTO`, fsync, rename), in this thread: of a large file it takes a while. */
  backup(): void;
  close(): void;
}

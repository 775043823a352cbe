import type { ChangeSet } from '../../watch/change-set.ts';
import type { ScipLimits } from '../extract/scip/limits.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import type { DeltaOutcome, DeltaRequest } from './delta/run-delta.ts';
import type { EngineNotice, IndexPhase, Published } from './engine.ts';
import type { ExtractLimitsPerWorker } from './extract-service.ts';
import type { ScipIngested, ScipSource } from './scip/scip-source.ts';

/** What the write worker does for the main thread. */
export type WriteCalls = {
  readonly index: (input: IndexInput) => Published;
  readonly delta: (input: DeltaInput) => DeltaOutcome;
  readonly ingestScip: (input: ScipInput) => ScipIngested;
  readonly forget: (repo: RepositoryRecord) => void;
  readonly release: (indexFile: string) => void;
  readonly discard: (input: { readonly repo: RepositoryRecord; readonly what: string }) => void;
  /** False where the file had to be put aside. */
  readonly mend: (input: MendInput) => boolean;
  /** Ends the extract workers and closes the index files. */
  readonly close: (input: null) => void;
};

export interface IndexInput {
  readonly run: number;
  readonly repo: RepositoryRecord;
  readonly changes: ChangeSet;
  readonly force: boolean;
  readonly evenIfHeld: boolean;
  readonly quarantined: ReadonlySet<string>;
  readonly suspects: ReadonlySet<string>;
  /** One Int32; not 0: cancelled. Seen where no message gets through. */
  readonly cancelFlag: SharedArrayBuffer;
}

/** An index run that a delta artifact asks for, or no run at all. */
export interface DeltaInput extends Omit<IndexInput, 'changes' | 'force'> {
  readonly request: DeltaRequest;
}

export interface ScipInput extends Pick<IndexInput, 'run' | 'repo' | 'quarantined'> {
  readonly index: ScipSource;
  readonly limits: ScipLimits;
}

export interface MendInput extends Pick<IndexInput, 'repo' | 'quarantined' | 'suspects'> {
  readonly what: string;
}

/** What the write worker tells the main thread. */
export type MainCalls = { readonly notice: (notice: WriteNotice) => void };

export type WriteNotice =
  | { readonly kind: 'progress'; readonly run: number; readonly phase: IndexPhase; readonly fraction: number }
  | Exclude<EngineNotice, { kind: 'worker_crashed' | 'published' | 'write_failed' }>;

export interface WriteOptions extends ExtractLimitsPerWorker {
  readonly extractWorkers: number;
  readonly extractIdleMs: number;
  readonly extractEntry: string;
  readonly linkEntry: string;
  readonly linkedAlone: number;
  readonly stuckAfterMs: number;
  readonly decodedFactsBytes: number;
  readonly shadowFolder: string | undefined;
  readonly ownFolders: readonly string[];
  readonly inFlightFolder: string | undefined;
}

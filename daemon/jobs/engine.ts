import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Fault } from '../../client/protocol/faults.ts';
import type { ChangeSet } from '../../watch/change-set.ts';
import { defaultParseSteps, stuckAfterMs } from '../extract/budget.ts';
import { defaultSourceLimits, type SourceLimits } from '../extract/read-file.ts';
import { defaultScipLimits, type ScipLimits } from '../extract/scip/limits.ts';
import type { SkipReason } from '../model/document.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import { eitherSignal } from '../workers/either-signal.ts';
import { entryOf } from '../workers/entry.ts';
import { type Calls, openPort, type Port } from '../workers/port.ts';
import type { PublishedEvidence } from './aliases/rename-evidence.ts';
import type { GivenArtifact } from './delta/given-artifact.ts';
import type { TreelessDelta } from './delta/read-treeless.ts';
import type { DeltaOutcome, DeltaRequest } from './delta/run-delta.ts';
import type { HostedCalls } from './hosted-service.ts';
import type { MirrorInput } from './mirror/service.ts';
import { PassingWorker } from './passing-worker.ts';
import type { ScipIngested, ScipSource } from './scip/scip-source.ts';
import { notWrittenWords } from './storage-fault.ts';
import type { UnlistedLook } from './unlisted.ts';
import type { HostedRepository, Uploaded } from './upload/service.ts';
import type { MainCalls, WriteCalls, WriteNotice, WriteOptions } from './write-calls.ts';

export type IndexPhase = 'scip' | 'rows' | 'discover' | 'hash' | 'extract' | 'link' | 'publish';

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
  readonly evidenceId: string;
  readonly symbolCount: number;
  readonly fileCount: number;
  /** Files whose facts were not known yet. */
  readonly filesParsed: number;
  /** Paths whose entry in the manifest changed; 0 means that nothing was published (unless it was forced or the first run). */
  readonly changedPaths: number;
  readonly documentsLinked: number;
  /** Paths that kept changing while they were read: what is published of them is older, and they must be named again. */
  readonly unsettled: readonly string[];
  /** Paths whose parser failed, which may be luck: they are listed without facts, and must be named again later. */
  readonly toRetry: readonly string[];
  /** What looks at the tree, or at paths in it, could not list; the last says the most. */
  readonly unlisted?: readonly UnlistedLook[];
  /** Hashes of symbols that no document defines any more, for tombstones. */
  readonly gone: readonly string[];
  /** Where those of them went whose file was moved: old hash → new, for aliases. */
  readonly moved: ReadonlyMap<string, string>;
  /** Of what vanished and appeared: by what it may be known again. */
  readonly evidence: PublishedEvidence;
  /** `full`: from nothing or forced. */
  readonly type: 'full' | 'delta';
  readonly durationMs: number;
}

/** What every run may be given. */
interface RunRequest {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
}

export interface IndexRequest extends RunRequest {
  /** Reads, extracts and links everything anew, trusting neither stat data nor stored facts. */
  readonly force?: boolean | undefined;
  /**
   * Publishes though git is at work in the tree. Without it such a run rejects with a Fault that `isOvertaken` knows, and
   * must be done again.
   */
  readonly evenIfHeld?: boolean | undefined;
}

/** What the engine tells of itself, for log, metrics and whoever has index files open. */
export type EngineNotice =
  /** Comes before the promise of `index` resolves. */
  | { readonly kind: 'published'; readonly repo: string; readonly published: Published }
  /** A file could not be parsed. `detail` is for the log alone. */
  | {
      readonly kind: 'file_skipped';
      readonly repo: string;
      readonly path: string;
      readonly reason: SkipReason;
      readonly detail: string;
    }
  /** An input that was in flight in a death was read to its end now. */
  | { readonly kind: 'suspect_landed'; readonly hash: string }
  /** The index file was damaged and has been put aside; a new one takes its place. Readers must open it anew. */
  | { readonly kind: 'index_quarantined'; readonly repo: string; readonly indexFile: string; readonly what: string }
  /** Something in the index file was damaged and has been made anew; readers must open it anew. */
  | {
      readonly kind: 'index_mended';
      readonly repo: string;
      readonly indexFile: string;
      readonly what: string;
      readonly documents: readonly string[];
    }
  /** A run could not write; `why` is for people. A later run of the repository that succeeds tells of its end. */
  | { readonly kind: 'write_failed'; readonly repo: string; readonly why: string }
  /** The write worker died in the midst of its work; the next call starts another. */
  | { readonly kind: 'worker_crashed' };

/** Inputs that parsers died of. Content hashes. */
export interface DangerousInputs {
  /** Not to be parsed: listed as `quarantined`. */
  readonly quarantined: ReadonlySet<string>;
  /** Were in flight in a death: each is parsed with nothing else in flight, so that the next death names one. */
  readonly suspects: ReadonlySet<string>;
}

export interface EngineOptions {
  /** Extract workers at most; default one per core, at most 4. */
  readonly extractWorkers?: number;
  /** Trees of more documents are linked by as many threads as extract; default 4,000, which take seconds. */
  readonly linkedAlone?: number;
  /** Extract workers end after this long without work (default 20 s), the write worker at the latest after twice that. */
  readonly idleMs?: number;
  /** For git's shadow folders; without it ignored files that git tracks are not found. */
  readonly shadowFolder?: string;
  /** The daemon's own folders, as real paths: nothing in them is anybody's source. Default none. */
  readonly ownFolders?: readonly string[];
  /** Where inputs in flight are noted, for `takeInFlight` after a crash; without it none are. */
  readonly inFlightFolder?: string;
  /** Asked at the start of each run. */
  readonly dangerousInputs?: () => DangerousInputs;
  readonly onNotice?: (notice: EngineNotice) => void;
  /** Steps of the parser that one file may take; default `defaultParseSteps`. */
  readonly parseSteps?: number;
  /** Past these a file is listed and not parsed; default 2 MiB, lines of 20,000 characters. */
  readonly sourceLimits?: SourceLimits;
  /** Asked at the start of each run; default `defaultScipLimits`. */
  readonly scipLimits?: () => ScipLimits;
  /** A worker that takes so much processor time over one file is ended; default `stuckAfterMs(parseSteps)`. */
  readonly stuckAfterMs?: number;
  /** An extract worker renews its parsers, and the memory that they share, after so many files; default 500. */
  readonly filesPerParser?: number;
  /** The module that extract workers run; default the real one. */
  readonly extractEntry?: URL;
}

/** The one way in which an index changes, seen from the main thread. */
export interface IndexEngine {
  /**
   * Brings the index of `repo` to the state of its tree and resolves when the snapshot is published. Runs over one
   * index file happen one after the other. Rejects with Fault `cancelled` when the signal fired before the publication,
   * `storageFailed` when the index file can't be written, `shuttingDown` after `close`, `operationFailed` when the
   * write worker crashed.
   */
  index(repo: RepositoryRecord, changes: ChangeSet, request?: IndexRequest): Promise<Published>;
  /**
   * Makes the index of a repository without source from a SCIP file and puts it in the place of the one before; readers
   * of that one go on with it, and must open the file anew for the other. Rejects as `index` does, and with `invalidParameter`, `tooLarge` or `invalidBody` for a
   * file that can't be taken in: then all is as it was.
   */
  ingestUpload(repo: HostedRepository, file: string, request?: RunRequest): Promise<Uploaded>;
  /**
   * Puts an index made of a mirror's rows, which lie in `file`, in the place of the one before, as `ingestUpload` does.
   * `isDoubted`: after damage, when that file is looked at as well.
   */
  ingestMirror(
    repo: HostedRepository,
    mirror: Pick<MirrorInput, 'file' | 'isDoubted'>,
    request?: RunRequest,
  ): Promise<Uploaded>;
  /** Checks, takes in or builds a delta artifact, in the turn of the repository's index file. Rejects as `index` does. */
  delta(
    repo: RepositoryRecord,
    request: DeltaRequest,
    more?: Pick<IndexRequest, 'evenIfHeld' | 'signal'>,
  ): Promise<DeltaOutcome>;
  /** Reads an artifact about a repository without a work tree. Rejects with `invalidParameter` for what is no JSON, with `tooLarge`. */
  readDelta(artifact: GivenArtifact, more?: Pick<IndexRequest, 'signal'>): Promise<TreelessDelta>;
  /**
   * Takes in a SCIP index: says of the documents whose content the indexer saw where their references point. Publishes
   * where that says anything new. Rejects as `index` does, with `invalidBody` or `tooLarge` for an index that can't be taken in,
   * with `notReady` before the first snapshot.
   */
  ingestScip(repo: RepositoryRecord, index: ScipSource, request?: RunRequest): Promise<ScipIngested>;
  /** Drops what is held in memory of the repository and removes its rows from the index file. */
  forget(repo: RepositoryRecord): Promise<void>;
  /** Closes an index file, so that it can be moved or removed. Waits for the runs over it. */
  release(indexFile: string): Promise<void>;
  /** Puts a damaged index file aside; the next run of each of its repositories builds it anew. */
  discard(repo: RepositoryRecord, what: string): Promise<void>;
  /** Makes anew what does not hold in an index file, document by document; false where it had to be put aside instead. */
  mend(repo: RepositoryRecord, what: string): Promise<boolean>;
  /** Cancels what runs, ends the workers. */
  close(): Promise<void>;
}

/** Starts nothing yet: the write worker comes with the first call and goes when nothing has happened for a while. */
export function createIndexEngine(options: EngineOptions = {}): IndexEngine {
  return new Engine(options);
}

type AskRun<All extends Calls, T> = (
  port: Port<All>,
  given: { readonly run: number; readonly cancelFlag: SharedArrayBuffer },
  options: { readonly signal: AbortSignal; readonly settles: 'answered' },
) => Promise<T>;

class Engine implements IndexEngine {
  readonly #options: EngineOptions;
  readonly #listeners = new Map<number, (progress: IndexProgress) => void>();
  readonly #closing = new AbortController();
  /** The one writer of the indexes of work trees. */
  readonly #write: PassingWorker<WriteCalls>;
  /** Indexes of what has no work tree are made beside it: to take in a large one takes a minute, and a save none. */
  readonly #hosted: PassingWorker<HostedCalls>;
  #lastRun = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
    const common = {
      work: 'Indexing',
      idleMs: this.#idleMs(),
      onCrash: () => options.onNotice?.({ kind: 'worker_crashed' }),
    };
    this.#write = new PassingWorker({
      ...common,
      start: () => this.#start<WriteCalls>('write', this.#workerOptions()),
      close: port => port.ask('close', null),
    });
    this.#hosted = new PassingWorker({
      ...common,
      start: () => this.#start<HostedCalls>('hosted', undefined),
      close: () => Promise.resolve(),
    });
  }

  async index(repo: RepositoryRecord, changes: ChangeSet, request: IndexRequest = {}): Promise<Published> {
    const { quarantined, suspects } = this.#options.dangerousInputs?.() ?? noDanger;
    const { force = false, evenIfHeld = false } = request;
    const input = { repo, changes, force, evenIfHeld, quarantined, suspects };
    const published = await this.#run(this.#write, repo.id, request, (port, given, options) =>
      port.ask('index', { ...input, ...given }, options),
    );
    this.#options.onNotice?.({ kind: 'published', repo: repo.id, published });
    return published;
  }

  async delta(repo: RepositoryRecord, request: DeltaRequest, more: IndexRequest = {}): Promise<DeltaOutcome> {
    const { quarantined, suspects } = this.#options.dangerousInputs?.() ?? noDanger;
    const input = { repo, request, evenIfHeld: more.evenIfHeld ?? false, quarantined, suspects };
    const outcome = await this.#run(this.#write, repo.id, more, (port, given, options) =>
      port.ask('delta', { ...input, ...given }, options),
    );
    const published = outcome.kind === 'checked' ? outcome.published : undefined;
    if (published !== undefined) this.#options.onNotice?.({ kind: 'published', repo: repo.id, published });
    return outcome;
  }

  readDelta(artifact: GivenArtifact, { signal }: Pick<IndexRequest, 'signal'> = {}): Promise<TreelessDelta> {
    return this.#hosted.call(port => port.ask('readDelta', artifact, { signal }), this.#check);
  }

  ingestUpload(repo: HostedRepository, file: string, request: RunRequest = {}): Promise<Uploaded> {
    const limits = this.#scipLimits();
    return this.#run(this.#hosted, repo.id, request, (port, given, options) =>
      port.ask('upload', { repo, file, limits, ...given }, options),
    );
  }

  ingestMirror(
    repo: HostedRepository,
    mirror: Pick<MirrorInput, 'file' | 'isDoubted'>,
    request: RunRequest = {},
  ): Promise<Uploaded> {
    return this.#run(this.#hosted, repo.id, request, (port, given, options) =>
      port.ask('mirror', { repo, ...mirror, ...given }, options),
    );
  }

  async ingestScip(repo: RepositoryRecord, index: ScipSource, request: RunRequest = {}): Promise<ScipIngested> {
    const { quarantined } = this.#options.dangerousInputs?.() ?? noDanger;
    const input = { repo, index, quarantined, limits: this.#scipLimits() };
    const ingested = await this.#run(this.#write, repo.id, request, (port, { run }, options) =>
      port.ask('ingestScip', { run, ...input }, options),
    );
    this.#options.onNotice?.({ kind: 'published', repo: repo.id, published: ingested.published });
    return ingested;
  }

  #scipLimits(): ScipLimits {
    return this.#options.scipLimits?.() ?? defaultScipLimits;
  }

  /** A run that can be cancelled and tells of its progress. */
  async #run<All extends Calls, T>(
    by: PassingWorker<All>,
    repo: string,
    { signal: wanted, onProgress }: RunRequest,
    ask: AskRun<All, T>,
  ): Promise<T> {
    const run = ++this.#lastRun;
    const cancelFlag = new SharedArrayBuffer(4);
    const { signal, release } = eitherSignal(this.#closing.signal, wanted);
    const cancel = (): void => void Atomics.store(new Int32Array(cancelFlag), 0, 1);
    signal.addEventListener('abort', cancel, { once: true });
    if (onProgress !== undefined) this.#listeners.set(run, onProgress);
    try {
      if (signal.aborted) throw this.#cancelled();
      return await by.call(port => ask(port, { run, cancelFlag }, { signal, settles: 'answered' }), this.#check);
    } catch (error) {
      if (signal.aborted) throw this.#cancelled();
      if (error instanceof Fault && error.reason === 'storageFailed') {
        this.#options.onNotice?.({ kind: 'write_failed', repo, why: notWrittenWords(error) });
      }
      throw error;
    } finally {
      this.#listeners.delete(run);
      release();
    }
  }

  forget(repo: RepositoryRecord): Promise<void> {
    return this.#write.call(port => port.ask('forget', repo), this.#check);
  }

  async release(indexFile: string): Promise<void> {
    if (this.#write.isRunning) await this.#write.call(port => port.ask('release', indexFile), this.#check);
  }

  discard(repo: RepositoryRecord, what: string): Promise<void> {
    return this.#write.call(port => port.ask('discard', { repo, what }), this.#check);
  }

  mend(repo: RepositoryRecord, what: string): Promise<boolean> {
    const input = { repo, what, ...(this.#options.dangerousInputs?.() ?? noDanger) };
    return this.#write.call(port => port.ask('mend', input, { signal: this.#closing.signal }), this.#check);
  }

  async close(): Promise<void> {
    this.#closing.abort(new Fault('shuttingDown', 'The daemon is shutting down'));
    await Promise.all([this.#write.end(), this.#hosted.end()]);
  }

  readonly #check = (): void => {
    if (this.#closing.signal.aborted) throw this.#cancelled();
  };

  #cancelled(): Fault {
    if (this.#closing.signal.aborted) return new Fault('shuttingDown', 'The daemon is shutting down');
    return new Fault('cancelled', 'Cancelled');
  }

  #idleMs(): number {
    return this.#options.idleMs ?? 20_000;
  }

  #start<All extends Calls>(entry: 'write' | 'hosted', workerData: WriteOptions | undefined) {
    const worker = new Worker(entryOf(entry), { workerData, resourceLimits: writeHeap });
    return { worker, port: openPort<MainCalls, All>(worker, { notice: notice => this.#hear(notice) }) };
  }

  #workerOptions(): WriteOptions {
    const options = this.#options;
    const { parseSteps = defaultParseSteps } = options;
    return {
      extractWorkers: options.extractWorkers ?? Math.min(4, availableParallelism()),
      extractIdleMs: this.#idleMs(),
      extractEntry: (options.extractEntry ?? entryOf('extract')).href,
      linkEntry: entryOf('link').href,
      linkedAlone: options.linkedAlone ?? 4_000,
      stuckAfterMs: options.stuckAfterMs ?? stuckAfterMs(parseSteps),
      decodedFactsBytes: 32 * 1024 * 1024,
      filesPerParser: options.filesPerParser ?? 500,
      maxMemoryBytes: 512 * 1024 * 1024,
      parseSteps,
      sourceLimits: options.sourceLimits ?? defaultSourceLimits,
      shadowFolder: options.shadowFolder,
      ownFolders: options.ownFolders ?? [],
      inFlightFolder: options.inFlightFolder,
    };
  }

  #hear(notice: WriteNotice): void {
    if (notice.kind !== 'progress') this.#options.onNotice?.(notice);
    else this.#listeners.get(notice.run)?.({ phase: notice.phase, fraction: notice.fraction });
  }
}

/**
 * Below 2 GB V8 lets a heap grow to twice what is in use before it collects, above to four times. A tree of 10,000 files
 * and 100,000 symbols takes 110 MB.
 */
const writeHeap = { maxOldGenerationSizeMb: 2000, maxYoungGenerationSizeMb: 24 } as const;

const noDanger: DangerousInputs = { quarantined: new Set(), suspects: new Set() };

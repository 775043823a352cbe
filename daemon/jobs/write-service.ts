import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChangeSet } from '../../watch/change-set.ts';
import { createGit } from '../backends/git.ts';
import { systemClock } from '../clock.ts';
import { TreeManifest } from '../model/manifest.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import { replacedWords } from '../store/in-place.ts';
import { type IndexWriter, openIndexWriter } from '../store/index-db.ts';
import { isBeyondRepair, makeFolderOf, quarantineFile } from '../store/quarantine.ts';
import { retentionClock } from '../store/retention.ts';
import { StoreError } from '../store/store-faults.ts';
import { createWorkerPool, type WorkerPool } from '../workers/pool.ts';
import type { Handlers } from '../workers/port.ts';
import type { CommitTools } from './commit-desk.ts';
import { settleDeltas } from './delta/awaited-deltas.ts';
import { LastFound } from './delta/last-found.ts';
import { type DeltaOutcome, runDelta } from './delta/run-delta.ts';
import type { Published } from './engine.ts';
import type { ExtractCalls, ExtractLimitsPerWorker } from './extract-service.ts';
import { watchForGit } from './follow/git-hold.ts';
import type { Sources } from './gather-changes.ts';
import { type InFlightNote, openInFlightNote } from './in-flight.ts';
import { indexRepository, type PreparedLinks } from './index-repository.ts';
import { startLinkHelpers } from './link-service.ts';
import { createFactShelf, type FactShelf } from './linking-manifest.ts';
import { mendIndex } from './mend-index.ts';
import { type PatientGit, patientGit } from './patient-git.ts';
import { progressOf } from './run-progress.ts';
import { ingestScip } from './scip/ingest-scip.ts';
import type { ScipIngested } from './scip/scip-source.ts';
import { sourcesFor } from './sources.ts';
import { watchRoot } from './standing-root.ts';
import { failWriting, storageFault } from './storage-fault.ts';
import { createTurns } from './turns.ts';
import type { UnlistedLook } from './unlisted.ts';
import type {
  DeltaInput,
  IndexInput,
  MendInput,
  ScipInput,
  WriteCalls,
  WriteNotice,
  WriteOptions,
} from './write-calls.ts';

/** One index file, its writer and the trees of the repositories in it. Runs in one file happen one after the other. */
interface OpenIndex {
  readonly writer: IndexWriter;
  readonly shelf: FactShelf;
  readonly trees: Map<string, TreeManifest>;
  readonly lastFound: LastFound;
}

/** So many index files are worked on at once; runs of further ones wait for their turn. */
const filesAtOnce = 4;
const openFiles = 16;
const restAfterMs = 1000;
/** Where runs leave no second free for so long, idle work takes the first moment that they do. */
const restOverdueMs = 30_000;
const ignoreFilesForMs = 60_000;

export function createWriteService(options: WriteOptions, tell: (notice: WriteNotice) => void): Handlers<WriteCalls> {
  const service = new WriteService(options, tell);
  return {
    index: (input, { signal }) => service.index(input, signal),
    delta: (input, { signal }) => service.delta(input, signal),
    ingestScip: (input, { signal }) => service.ingestScip(input, signal),
    forget: repo => service.forget(repo),
    release: indexFile => service.release(indexFile),
    discard: ({ repo, what }) => service.discard(repo, what),
    mend: (input, { signal }) => service.mend(input, signal),
    close: () => service.close(),
  };
}

class WriteService {
  readonly #options: WriteOptions;
  readonly #tell: (notice: WriteNotice) => void;
  readonly #pool: WorkerPool<ExtractCalls>;
  readonly #git: PatientGit | undefined;
  readonly #note: InFlightNote | undefined;
  readonly #open = new Map<string, OpenIndex>();
  /** The last run of each file; the next one waits for it. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #turns = createTurns(filesAtOnce);
  #restTimer: NodeJS.Timeout | undefined;
  #restedAtMs = performance.now();
  readonly #retentionClock = retentionClock(systemClock);

  constructor(options: WriteOptions, tell: (notice: WriteNotice) => void) {
    this.#options = options;
    this.#tell = tell;
    const { filesPerParser, maxMemoryBytes, parseSteps, sourceLimits } = options;
    this.#pool = createWorkerPool<ExtractCalls>({
      entry: new URL(options.extractEntry),
      size: options.extractWorkers,
      workerData: { filesPerParser, maxMemoryBytes, parseSteps, sourceLimits } satisfies ExtractLimitsPerWorker,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(maxMemoryBytes / 2 ** 20) },
      idleMs: options.extractIdleMs,
      stuckAfterMs: options.stuckAfterMs,
    });
    const { shadowFolder } = options;
    this.#git =
      shadowFolder === undefined
        ? undefined
        : patientGit(createGit({ shadowFolder }), ignoreFilesForMs, () => performance.now());
    this.#note = options.inFlightFolder === undefined ? undefined : openInFlightNote(options.inFlightFolder);
  }

  index(input: IndexInput, signal: AbortSignal): Promise<Published> {
    return this.#inTurn(input.repo.indexFile, async () => {
      signal.throwIfAborted();
      try {
        return await this.#run(input, signal);
      } catch (error) {
        const isBeyond = error instanceof StoreError && isBeyondRepair(error, input.repo.indexFile);
        if (!isBeyond) return this.#fail(error, input.repo);
        const isMended = await this.#mendOrPutAside({ ...input, what: error.message }, signal);
        if (isMended === undefined) throw storageFault(error);
        const changes: ChangeSet = isMended ? input.changes : { kind: 'recrawl', reason: 'start' };
        return await this.#run({ ...input, changes }, signal).catch(error => this.#failWriting(error));
      }
    });
  }

  delta(input: DeltaInput, signal: AbortSignal): Promise<DeltaOutcome> {
    const { repo, request } = input;
    return this.#inTurn(repo.indexFile, async () => {
      signal.throwIfAborted();
      try {
        return await runDelta(request, {
          ...this.#commitTools(input, signal),
          lastFound: this.#opened(repo.indexFile).lastFound,
          takeIn: (paths, prepared) =>
            this.#run({ ...input, changes: { kind: 'paths', paths }, force: false }, signal, prepared),
        });
      } catch (error) {
        return this.#fail(error, repo);
      }
    });
  }

  ingestScip(input: ScipInput, signal: AbortSignal): Promise<ScipIngested> {
    const { repo } = input;
    return this.#inTurn(repo.indexFile, async () => {
      signal.throwIfAborted();
      const onProgress = progressOf(input.run, this.#tell);
      try {
        return await ingestScip({ ...input, ...this.#commitTools(input, signal), onProgress });
      } catch (error) {
        return this.#fail(error, repo);
      }
    });
  }

  #commitTools({ repo, quarantined }: Pick<IndexInput, 'repo' | 'quarantined'>, signal: AbortSignal): CommitTools {
    const { writer, shelf, tree } = this.#treeOf(repo);
    const { sourceLimits, parseSteps, decodedFactsBytes, extractWorkers } = this.#options;
    return {
      ...{ repo, quarantined, writer, shelf, tree, sourceLimits, parseSteps, decodedFactsBytes, signal },
      ...{ pool: this.#pool, git: this.#git, parallel: extractWorkers * 3 },
    };
  }

  forget(repo: RepositoryRecord): Promise<void> {
    return this.#inTurn(repo.indexFile, async () => {
      const { writer, trees } = this.#opened(repo.indexFile);
      trees.delete(repo.worktreeKey);
      writer.removeRepository(repo.worktreeKey);
      // With its last repository the file may go too, and must not be held open.
      if (writer.repositories().length === 0) this.#drop(repo.indexFile);
    });
  }

  release(indexFile: string): Promise<void> {
    return this.#inTurn(indexFile, async () => this.#drop(indexFile));
  }

  discard(repo: RepositoryRecord, what: string): Promise<void> {
    return this.#inTurn(repo.indexFile, async () => {
      this.#drop(repo.indexFile);
      this.#letGo(repo, what);
    });
  }

  mend(input: MendInput, signal: AbortSignal): Promise<boolean> {
    return this.#inTurn(input.repo.indexFile, async () => (await this.#mendOrPutAside(input, signal)) ?? false);
  }

  /** Lets go of an index file that failed, so that the next run opens it anew. */
  #fail(error: unknown, { indexFile }: RepositoryRecord): never {
    if (error instanceof StoreError) this.#drop(indexFile);
    return this.#failWriting(error);
  }

  #failWriting(error: unknown): never {
    const { ownFolders, shadowFolder } = this.#options;
    return failWriting(error, [...ownFolders, ...(shadowFolder === undefined ? [] : [shadowFolder])]);
  }

  /** Whether what was damaged is as it was; if not, the file is put aside. Undefined where there is nothing to put aside. */
  async #mendOrPutAside(input: MendInput, signal: AbortSignal): Promise<boolean | undefined> {
    const { repo, what } = input;
    const { id, indexFile } = repo;
    const isReplaced = this.#open.get(indexFile)?.writer.isInPlace() === false;
    this.#drop(indexFile); // what a connection remembers of the file may be sounder than the file
    if (isReplaced) {
      this.#letGo(repo, what);
      return false;
    }
    const documents = await this.#mended(input, signal).catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
      // A full disk says nothing about the file.
      if (error.trouble !== 'corrupt' && error.trouble !== 'unreadable') throw storageFault(error);
      return undefined;
    });
    if (documents !== undefined) {
      this.#tell({ kind: 'index_mended', repo: id, indexFile, what, documents });
      return true;
    }
    this.#drop(indexFile);
    return this.#putAside(repo, what) ? false : undefined;
  }

  async #mended(input: MendInput, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const { writer, shelf, trees } = this.#opened(input.repo.indexFile);
    const key = input.repo.worktreeKey;
    const tree = new TreeManifest(writer.manifest(key));
    trees.set(key, tree);
    return mendIndex({ key, tree, writer, shelf, sources: this.#sources(input, writer, signal, () => {}) });
  }

  /** Where it has gone of itself, whoever shared it must hear of it all the same. */
  #letGo(repo: RepositoryRecord, what: string): void {
    const { id, indexFile } = repo;
    if (!this.#putAside(repo, what)) this.#tell({ kind: 'index_quarantined', repo: id, indexFile, what });
  }

  /** False where there is nothing to put aside: then no new file will do better. */
  #putAside({ id, indexFile }: RepositoryRecord, what: string): boolean {
    try {
      if (quarantineFile(indexFile, Date.now()) === undefined) return false;
    } catch (error) {
      throw error instanceof StoreError ? storageFault(error) : error;
    }
    this.#tell({ kind: 'index_quarantined', repo: id, indexFile, what });
    return true;
  }

  async close(): Promise<void> {
    clearTimeout(this.#restTimer);
    await this.#pool.close();
    await Promise.allSettled(this.#last.values());
    await this.#git?.close();
    for (const file of [...this.#open.keys()]) this.#drop(file);
    this.#note?.close();
  }

  async #run(input: IndexInput, signal: AbortSignal, prepared?: PreparedLinks): Promise<Published> {
    const startedMs = performance.now();
    const { repo, force } = input;
    const checkRoot = watchRoot(repo);
    const checkGit = input.evenIfHeld ? () => {} : watchForGit(repo.root);
    const beforePublishing = (): void => {
      checkRoot();
      checkGit();
    };
    const { writer, shelf, tree } = this.#treeOf(repo);
    if (!writer.isInPlace()) throw new StoreError('corrupt', replacedWords);
    // Decoded facts are for the runs under way: first indexes that follow one another would leave them all.
    for (const [file, other] of this.#open) if (!this.#last.has(file)) other.shelf.clear();
    const key = repo.worktreeKey;
    const whole = force || writer.snapshot(key) === undefined;
    const changes: ChangeSet = whole ? { kind: 'recrawl', reason: 'requested' } : input.changes;
    if (force) shelf.clear();
    if (changes.kind === 'recrawl') this.#git?.forget();
    const flag = new Int32Array(input.cancelFlag);
    const isCancelled = (): boolean => Atomics.load(flag, 0) !== 0;
    const unlisted: UnlistedLook[] = [];
    const sources = this.#sources(input, writer, signal, look => unlisted.push(look));
    const outcome = await indexRepository(
      { key, tree, changes, force, prepared, signal, isCancelled, onProgress: progressOf(input.run, this.#tell) },
      {
        sources,
        writer,
        shelf,
        linkHelpers: (tree, documents) => startLinkHelpers(this.#options, repo.indexFile, tree, documents),
        beforePublishing,
        now: () => Date.now(),
      },
    );
    await settleDeltas(this.#commitTools(input, signal));
    const { snapshot, ...rest } = outcome;
    const { counts, seq, snapshotId, evidenceId } = snapshot;
    return {
      seq,
      snapshotId,
      evidenceId,
      symbolCount: counts.symbols,
      fileCount: counts.files,
      ...rest,
      unlisted,
      type: whole ? 'full' : 'delta',
      durationMs: performance.now() - startedMs,
    };
  }

  #sources(
    input: MendInput | IndexInput,
    writer: IndexWriter,
    signal: AbortSignal,
    onUnlisted: (look: UnlistedLook) => void,
  ): Sources {
    const { id } = input.repo;
    // Each file in work listens for the end of the run, and Node warns from the eleventh on.
    setMaxListeners(0, signal);
    return sourcesFor(input, writer, {
      pool: this.#pool,
      git: this.#git,
      closed: this.#options.ownFolders,
      note: this.#note,
      signal,
      parallel: this.#options.extractWorkers * 3,
      parseSteps: this.#options.parseSteps,
      sourceLimits: this.#options.sourceLimits,
      onUnlisted,
      onLanded: hash => this.#tell({ kind: 'suspect_landed', hash }),
      onSkipped: (path, reason, detail) => this.#tell({ kind: 'file_skipped', repo: id, path, reason, detail }),
    });
  }

  #treeOf({ indexFile, worktreeKey }: RepositoryRecord): OpenIndex & { readonly tree: TreeManifest } {
    const opened = this.#opened(indexFile);
    const tree = opened.trees.get(worktreeKey) ?? new TreeManifest(opened.writer.manifest(worktreeKey));
    opened.trees.set(worktreeKey, tree);
    return { ...opened, tree };
  }

  #opened(file: string): OpenIndex {
    const known = this.#open.get(file);
    if (known !== undefined) {
      this.#open.delete(file);
      this.#open.set(file, known);
      return known;
    }
    for (const other of this.#open.keys()) {
      if (this.#open.size < openFiles) break;
      if (!this.#last.has(other)) this.#drop(other);
    }
    makeFolderOf(file);
    const writer = openIndexWriter(file, { retentionClock: this.#retentionClock });
    const shelf = createFactShelf(key => writer.facts(key), this.#options.decodedFactsBytes);
    const opened = { writer, shelf, trees: new Map<string, TreeManifest>(), lastFound: new LastFound() };
    this.#open.set(file, opened);
    return opened;
  }

  #drop(file: string): void {
    const opened = this.#open.get(file);
    this.#open.delete(file);
    try {
      opened?.writer.close();
    } catch {
      // A file that fails to close fails to open next time, and is dealt with there.
    }
  }

  /** One run per file at a time, few files at once, and idle work when nothing runs. */
  #inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
    clearTimeout(this.#restTimer);
    const before = this.#last.get(file) ?? Promise.resolve();
    const mine = before
      .catch(() => {})
      .then(() => this.#turns(work))
      .finally(() => {
        if (this.#last.get(file) === mine) this.#last.delete(file);
        if (this.#last.size > 0) return;
        const isOverdue = performance.now() - this.#restedAtMs > restOverdueMs;
        this.#restTimer = setTimeout(() => void this.#rest(), isOverdue ? 0 : restAfterMs);
      });
    this.#last.set(file, mine);
    return mine;
  }

  /** Old versions and unused facts go while nobody waits, a bounded batch at a time. */
  async #rest(): Promise<void> {
    this.#restedAtMs = performance.now();
    for (const [file, { writer, shelf }] of [...this.#open]) {
      shelf.clear();
      try {
        while (this.#last.size === 0 && this.#open.has(file) && writer.collect(Date.now())) await nextTurn();
        if (this.#last.size === 0 && this.#open.has(file)) writer.checkpoint();
      } catch {
        if (this.#last.size === 0) this.#drop(file);
      }
    }
  }
}

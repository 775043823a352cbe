import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../../client/protocol/faults.ts';
import { inodeOf } from '../../watch/file-system.ts';
import { type Clock, stopwatch, unhurried } from '../clock.ts';
import type { Observation, Observe } from '../events.ts';
import type { IndexEngine, Published } from '../jobs/engine.ts';
import type { FollowedRepository } from '../jobs/follow/follow-repository.ts';
import { indexAtRest } from '../jobs/index-at-rest.ts';
import { type IndexJobInput, indexJobType, queueIndexJob, resultOf } from '../jobs/index-job.ts';
import type { JobContext, JobQueue } from '../jobs/queue.ts';
import { afterLook } from '../jobs/unlisted.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import type { Keeper } from '../operations/daemon.ts';
import { dropDocuments } from '../operations/docs/parsed-documents.ts';
import { wayBack } from '../operations/repository-faults.ts';
import { isHosted, stillRegistered } from '../operations/served-repository.ts';
import { dropCatalogue } from '../store/catalogue/file.ts';
import type { DaemonDatabase, StoredJob } from '../store/daemon-db.ts';
import { inPlace, replacedWords } from '../store/in-place.ts';
import type { StoredSnapshot } from '../store/publication.ts';
import { isBeyondRepair, quarantined } from '../store/quarantine.ts';
import { holdsSoFar } from '../store/scrub.ts';
import { isSound } from '../store/seal.ts';
import { StoreError } from '../store/store-faults.ts';
import { type History, openHistory } from './history.ts';
import { newestIn } from './newest-in.ts';
import type { KeptRepository, Repositories } from './repositories.ts';

export interface KeepIndexedOptions {
  readonly repositories: Repositories;
  readonly engine: IndexEngine;
  readonly follow: (record: RepositoryRecord) => FollowedRepository;
  readonly database: Pick<DaemonDatabase, 'lastSync' | 'appendSync' | 'recordGone' | 'recordDefinitions' | 'hosted'>;
  readonly clock: Clock;
  readonly observe: Observe;
  /** Closes what reads an index file that is about to go away. */
  readonly forgetFile: (indexFile: string) => Promise<boolean>;
}

/** Keeps every registered repository indexed and watched. */
export interface KeepIndexed extends Keeper {
  /** Looks at all index files, then follows their trees; `delayMs` holds the following back after a crash. */
  start(jobs: JobQueue, delayMs: number): void;
  /** The run of an index job. */
  run(context: JobContext): Promise<Readonly<Record<string, unknown>>>;
  take(id: string): StoredJob;
  /** To be told of each change of a job: a first run that was cancelled leaves a repository for which nothing runs. */
  jobChanged(job: Observation & { readonly kind: 'job.changed' }): void;
  /** To be told of each publication. */
  published(repo: string, published: Published): void;
  /** To be told of a run that could not write. */
  notWritten(repo: string, why: string): void;
  /** To be told of an index file that was put aside. */
  damaged(repo: string, indexFile: string, what: string): void;
  /** To be told of an index file in which something was damaged and has been made anew. */
  mended(repo: string, indexFile: string, what: string, documents: readonly string[]): void;
  /** To be told of an answer that could not be given because what was read of the index is damaged: it is made anew. */
  damagedAt(repo: string, error: StoreError): void;
  /** To be called before an index is asked: one whose file was removed, or taken the place of, is made anew. */
  lookAt(repo: string): void;
  close(): Promise<void>;
}

/** How long all files that a killed daemon left may be compared with their digests before the first answer; the rest follows at rest. */
const comparedMs = 250;

export function keepIndexed(options: KeepIndexedOptions): KeepIndexed {
  return new IndexKeeper(options);
}

class IndexKeeper implements KeepIndexed {
  readonly #options: KeepIndexedOptions;
  readonly #repositories: Repositories;
  readonly #observe: Observe;
  readonly #history: History;
  /** Index files that are being mended: who asked for it, and what it had then. */
  readonly #underMend = new Map<string, { readonly repo: string; readonly snapshot: StoredSnapshot | undefined }>();
  /** Whether the file that a snapshot was read from still lies where it did. */
  readonly #inPlace = new WeakMap<StoredSnapshot, () => boolean>();
  #jobs: JobQueue | undefined;
  #isClosed = false;

  constructor(options: KeepIndexedOptions) {
    this.#options = options;
    this.#repositories = options.repositories;
    this.#observe = options.observe;
    this.#history = openHistory(options.database, unhurried(options.clock));
  }

  start(jobs: JobQueue, delayMs: number): void {
    this.#jobs = jobs;
    const soundness = new Map<string, boolean>();
    const { clock } = this.#options;
    const untilMs = clock.monotonicMs() + comparedMs;
    const isLate = () => clock.monotonicMs() >= untilMs;
    for (const repository of this.#repositories.list()) {
      const { indexFile } = repository.record;
      const known = soundness.get(indexFile);
      const sound = known ?? (isSound(indexFile) && holdsSoFar(indexFile, isLate));
      soundness.set(indexFile, sound);
      if (sound) this.#resume(repository);
      else if (known === undefined)
        this.#mend(repository, 'the file is not what it was, or is none that SQLite can read');
    }
    clock.after(delayMs, () => {
      for (const repository of this.#repositories.list()) {
        if (isHosted(repository)) continue;
        if (repository.snapshot === undefined) this.#firstRun(repository);
        else this.#follow(repository);
      }
    });
  }

  async run(context: JobContext): Promise<Readonly<Record<string, unknown>>> {
    const repository = stillRegistered(this.#repositories, context.job.repo);
    repository.progress = { phase: 'queued', fraction: 0 };
    try {
      const symbolsBefore = repository.snapshot?.counts.symbols ?? 0;
      const published = await this.#index(repository, context);
      repository.failure = undefined;
      this.#readSnapshot(repository);
      this.#follow(repository);
      return resultOf(published, symbolsBefore);
    } catch (error) {
      if (context.signal.aborted) throw error;
      repository.failure = error instanceof Fault ? error.message : 'the run failed; the log has the cause';
      // Whoever follows a folder that is not there, or closed, sees it come back, and takes it in; and tries again what storage failed.
      const isStorage = error instanceof Fault && error.reason === 'storageFailed';
      if (isStorage || inodeOf(repository.record.root) === undefined) this.#follow(repository);
      throw error;
    } finally {
      repository.progress = undefined;
    }
  }

  take(id: string): StoredJob {
    const repository = this.#repositories.get(id)!;
    this.#readSnapshot(repository);
    return this.#queueRun(repository);
  }

  async remove(id: string): Promise<void> {
    this.#jobs?.cancelAllOf(id);
    const repository = this.#repositories.remove(id);
    const { record, registered, follow } = repository;
    await follow?.close();
    this.#history.forget(registered.uid);
    const { engine } = this.#options;
    // A file that is nobody else's goes as it is.
    await (isHosted(repository) ? engine.release(record.indexFile) : engine.forget(record)).catch(
      this.#told('forgetting a repository'),
    );
    // Last: what readers remember of it would be taken for that of a worktree which comes in its place.
    await this.#options.forgetFile(record.indexFile);
    dropCatalogue(record.indexFile, record.worktreeKey);
    dropDocuments(record.indexFile, record.worktreeKey);
    if (this.#sharers(record.indexFile).length === 0)
      rmSync(dirname(record.indexFile), { recursive: true, force: true });
  }

  jobChanged({ type, status, repo = '' }: Observation & { readonly kind: 'job.changed' }): void {
    const repository = type === indexJobType ? this.#repositories.get(repo) : undefined;
    if (repository === undefined || repository.snapshot !== undefined) return;
    if (status === 'queued') repository.failure = undefined;
    else if (status === 'cancelled' && !this.#isAwaited(repo)) repository.failure = 'its first run was cancelled';
  }

  published(repo: string, published: Published): void {
    const repository = this.#repositories.get(repo);
    if (repository === undefined) return;
    repository.sinceComparedMs = stopwatch(this.#options.clock);
    repository.failure = undefined;
    repository.notWritten = undefined;
    repository.unlisted = (published.unlisted ?? []).reduce(afterLook, repository.unlisted);
    const isReplaced = !this.#isInPlace(repository);
    // By the writer, perhaps: readers have the other file open, which had others' snapshots as well.
    if (isReplaced) this.damaged(repo, repository.record.indexFile, replacedWords);
    const before = repository.snapshot ?? this.#beforeMend(repository);
    if (before?.seq === published.seq && before.snapshotId === published.snapshotId) return;
    this.#readSnapshot(repository);
    if (isReplaced && repository.snapshot?.snapshotId !== published.snapshotId) {
      this.#replace(repository, replacedWords);
      return;
    }
    const isNews = before?.snapshotId !== published.snapshotId || before.evidenceId !== published.evidenceId;
    if (isNews) this.#record(repository, published);
    const { seq, snapshotId, symbolCount, fileCount, filesParsed, type, durationMs } = published;
    const kind = isNews ? 'snapshot.published' : 'snapshot.renewed';
    this.#observe({ kind, repo, seq, snapshotId, symbolCount, fileCount, filesParsed, type, durationMs });
  }

  notWritten(repo: string, why: string): void {
    const repository = this.#repositories.get(repo);
    if (repository !== undefined) repository.notWritten = why;
  }

  damaged(repo: string, indexFile: string, what: string): void {
    void this.#options.forgetFile(indexFile);
    this.#observe({ kind: 'index.corrupt', repo, what });
    for (const repository of this.#sharers(indexFile)) {
      repository.snapshot = undefined;
      // Whoever came upon the damage sees to its own repository; the others in the file lost theirs too.
      if (repository.record.id !== repo) this.#firstRun(repository);
    }
  }

  mended(repo: string, indexFile: string, what: string, documents: readonly string[]): void {
    void this.#options.forgetFile(indexFile);
    const [first = 'what only older snapshots knew', ...others] = documents;
    const all = others.length === 0 ? first : `${first} and ${others.length} more`;
    this.#observe({ kind: 'index.corrupt', repo, what: `${what}; made anew: ${all}` });
    const repository = this.#repositories.get(repo);
    if (repository === undefined) return;
    dropCatalogue(indexFile, repository.record.worktreeKey);
    this.#readSnapshot(repository);
  }

  damagedAt(repo: string, error: StoreError): void {
    const repository = this.#repositories.get(repo);
    // Without a snapshot the damaged file is on its way out already, and this is a late answer from it.
    if (repository === undefined || this.#isClosed || repository.snapshot === undefined) return;
    // All of it is looked at. A second mending would find nothing, and take that for damage that it can't see.
    if (this.#underMend.has(repository.record.indexFile)) return;
    if (!isBeyondRepair(error, repository.record.indexFile)) return;
    if (error.trouble === 'corrupt') this.#mend(repository, error.message);
    else this.#replace(repository, error.message);
  }

  lookAt(repo: string): void {
    const repository = this.#repositories.get(repo);
    if (repository !== undefined && !this.#isClosed && !this.#isInPlace(repository))
      this.#replace(repository, replacedWords);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#repositories.list().map(({ follow }) => follow?.close()));
  }

  #index(repository: KeptRepository, { job, signal, report }: JobContext): Promise<Published> {
    const { force } = job.input as IndexJobInput;
    const onProgress = (progress: { readonly phase: string; readonly fraction: number }): void => {
      repository.progress = progress;
      report(progress.fraction, progress.phase);
    };
    return indexAtRest(
      this.#options,
      repository.record,
      { kind: 'recrawl', reason: 'requested' },
      { force, signal, onProgress },
    );
  }

  #follow(repository: KeptRepository): void {
    const { record } = repository;
    if (this.#isClosed || repository.follow !== undefined || this.#repositories.get(record.id) !== repository) return;
    try {
      repository.follow = this.#options.follow(record);
    } catch (cause) {
      this.#observe({ kind: 'watch.warning', repo: record.id, message: 'the tree can’t be watched', cause });
    }
  }

  #firstRun(repository: KeptRepository): void {
    if (this.#isClosed) return;
    try {
      this.#queueRun(repository);
    } catch (cause) {
      this.#told(`no run for ${repository.record.id} could be queued`)(cause);
    }
  }

  #queueRun(repository: KeptRepository): StoredJob {
    try {
      return queueIndexJob(this.#jobs!, repository.record.id, { force: false });
    } catch (error) {
      if (error instanceof Fault) repository.failure = `its run could not be queued: ${error.message}`;
      throw error;
    }
  }

  #isInPlace({ snapshot }: KeptRepository): boolean {
    return snapshot === undefined || this.#inPlace.get(snapshot)?.() !== false;
  }

  #isAwaited(id: string): boolean {
    return [false, true].some(force => this.#jobs!.findActive(indexJobType, id, { force }) !== undefined);
  }

  /** Takes over what the index file says now. Before the first look a damaged one is replaced with the first run, later at once. */
  #readSnapshot(repository: KeptRepository): void {
    const { record } = repository;
    try {
      const isInPlace = inPlace(record.indexFile);
      const found = newestIn(record);
      if (found !== undefined) {
        this.#inPlace.set(found.snapshot, isInPlace);
        repository.snapshot = found.snapshot;
        repository.epoch = found.epoch;
      }
    } catch (cause) {
      const trouble = cause instanceof StoreError ? cause.trouble : 'ioError';
      repository.failure = `the index can't be read (${trouble})`;
      void this.#options.forgetFile(record.indexFile);
      if (trouble !== 'corrupt') this.#told(`the index of ${record.id} (${trouble})`)(cause);
      else if (repository.snapshot !== undefined || isHosted(repository)) this.#replace(repository, repository.failure);
    }
  }

  #resume(repository: KeptRepository): void {
    this.#readSnapshot(repository);
    if (repository.snapshot === undefined) {
      if (isHosted(repository)) repository.failure ??= this.#isLost(repository);
      return;
    }
    try {
      const { snapshot, epoch, registered } = repository;
      this.#history.resume(registered.uid, { snapshot, epoch });
    } catch (cause) {
      this.#told('the sync log could not be written')(cause);
    }
  }

  /** Why one without a work tree has no index; undefined where none has come yet. */
  #isLost({ record, registered }: KeptRepository): string | undefined {
    try {
      if (quarantined(record.indexFile).length > 0) return `it was damaged and put aside; ${wayBack(registered)}`;
    } catch (cause) {
      this.#told(`what was put aside of ${record.id} could not be looked at`)(cause);
    }
    return this.#options.database.hosted(registered.uid) === undefined
      ? undefined
      : `its file is gone; ${wayBack(registered)}`;
  }

  /** Nobody can make the index of a repository without a work tree anew. */
  #lose(repository: KeptRepository, what: string): void {
    repository.failure = `it was damaged and put aside; ${wayBack(repository.registered)}`;
    this.#discard(repository, what);
  }

  #replace(repository: KeptRepository, what: string): void {
    if (isHosted(repository)) {
      this.#lose(repository, what);
      return;
    }
    this.#discard(repository, what);
    this.#firstRun(repository);
  }

  /** No answer comes from the file any more; the engine takes it away before the next run over it. */
  #discard(repository: KeptRepository, what: string): void {
    repository.snapshot = undefined;
    void this.#options.engine.discard(repository.record, what).catch(this.#told('putting a damaged index aside'));
  }

  /** No answer comes from the file until what is damaged in it has been made anew, or all of it. */
  #mend(repository: KeptRepository, what: string): void {
    if (isHosted(repository)) {
      this.#lose(repository, what);
      return;
    }
    const { record, snapshot } = repository;
    this.#underMend.set(record.indexFile, { repo: record.id, snapshot });
    repository.snapshot = undefined;
    void this.#options.engine
      .mend(record, what)
      .catch(this.#told('mending a damaged index'))
      .then(isMended => {
        this.#underMend.delete(record.indexFile);
        if (isMended !== true) this.#firstRun(repository);
      });
  }

  /** A run may end while its repository waits for the mending: what it left as it was is no news. */
  #beforeMend({ record }: KeptRepository): StoredSnapshot | undefined {
    const mend = this.#underMend.get(record.indexFile);
    return mend?.repo === record.id ? mend.snapshot : undefined;
  }

  #record({ snapshot, epoch, registered }: KeptRepository, published: Published): void {
    if (snapshot === undefined) return;
    this.#history
      .record(registered.uid, { snapshot, epoch }, published)
      .catch(this.#told('the sync log could not be written'));
  }

  #sharers(indexFile: string): readonly KeptRepository[] {
    return this.#repositories.list().filter(({ record }) => record.indexFile === indexFile);
  }

  /** Says of what is thrown at what it happened. */
  #told(what: string): (cause: unknown) => void {
    return cause => this.#observe({ kind: 'daemon.fault', what, cause });
  }
}

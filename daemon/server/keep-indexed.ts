import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../../client/protocol/faults.ts';
import type { Clock } from '../clock.ts';
import type { Observation, Observe } from '../events.ts';
import type { IndexEngine, Published } from '../jobs/engine.ts';
import type { FollowedRepository } from '../jobs/follow-repository.ts';
import { indexAtRest } from '../jobs/index-at-rest.ts';
import type { JobQueue, JobRun } from '../jobs/queue.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import type { DaemonDatabase, StoredJob } from '../store/daemon-db.ts';
import { openIndexReader } from '../store/index-reader.ts';
import type { StoredSnapshot } from '../store/publication.ts';
import { isBeyondRepair } from '../store/quarantine.ts';
import { isSound } from '../store/seal.ts';
import { StoreError } from '../store/store-faults.ts';
import { openHistory } from './history.ts';
import type { Repositories, ServedRepository } from './repositories.ts';

export const indexJobType = 'index-repository';

/** What an index job takes and leaves, as the job's `input` and `result` hold it. */
export interface IndexJobInput {
  readonly force: boolean;
}

export interface KeepIndexedOptions {
  readonly repositories: Repositories;
  readonly engine: IndexEngine;
  readonly follow: (record: RepositoryRecord) => FollowedRepository;
  readonly database: Pick<DaemonDatabase, 'appendSync' | 'recordGone'>;
  readonly clock: Clock;
  readonly observe: Observe;
  /** Closes what reads an index file that is about to go away. */
  readonly forgetFile: (indexFile: string) => Promise<boolean>;
}

/** Keeps every registered repository indexed and watched. */
export interface KeepIndexed {
  /** The run of an index job. */
  readonly run: JobRun;
  /** Looks at all index files, then follows their trees; `delayMs` holds the following back after a crash. */
  start(jobs: JobQueue, delayMs: number): void;
  /** Takes in a repository that was just registered: its first run is a job. */
  take(repository: ServedRepository): StoredJob;
  /** To be told of each change of a job: a first run that was cancelled leaves a repository for which nothing runs. */
  jobChanged(job: Observation & { readonly kind: 'job.changed' }): void;
  /** Stops following; drops its rows, and the file with its last repository. */
  release(repository: ServedRepository): Promise<void>;
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
  close(): Promise<void>;
}

export function keepIndexed(options: KeepIndexedOptions): KeepIndexed {
  const { repositories, engine, observe } = options;
  let jobs: JobQueue | undefined;
  const history = openHistory(options.database);
  let isClosed = false;

  return {
    async run({ job, signal, report }) {
      const repository = repositories.get(job.repo ?? '');
      if (repository === undefined) throw new Fault('resourceNotFound', 'The repository was removed');
      const { force } = job.input as IndexJobInput;
      repository.progress = { phase: 'queued', fraction: 0 };
      try {
        mkdirSync(dirname(repository.record.indexFile), { recursive: true, mode: 0o700 });
        const before = repository.snapshot?.counts.symbols ?? 0;
        const done = await indexAtRest(
          options,
          repository.record,
          { kind: 'recrawl', reason: 'requested' },
          {
            force,
            signal,
            onProgress: progress => {
              repository.progress = progress;
              report(progress.fraction, progress.phase);
            },
          },
        );
        repository.failure = undefined;
        readSnapshot(repository);
        startFollowing(repository);
        // Job lists are for people: what the history takes in is not among it.
        const { gone, moved: _moved, evidence: _evidence, unlisted = [], ...told } = done;
        return { ...told, gone: gone.length, unlisted: unlisted.length, changes: changesOf(done, before) };
      } catch (error) {
        if (signal.aborted) throw error;
        repository.failure = error instanceof Fault ? error.message : 'the run failed; the log has the cause';
        // Whoever follows a folder that is not there sees it come back, and takes it in.
        if (!existsSync(repository.record.root)) startFollowing(repository);
        throw error;
      } finally {
        repository.progress = undefined;
      }
    },
    start(queue, delayMs) {
      jobs = queue;
      const sound = new Map<string, boolean>();
      for (const repository of repositories.list()) {
        const { indexFile } = repository.record;
        const isKnown = sound.has(indexFile);
        if (!isKnown) sound.set(indexFile, isSound(indexFile));
        if (sound.get(indexFile)) readSnapshot(repository);
        else if (!isKnown) discard(repository, 'the file is not what it was, or is none that SQLite can read');
      }
      options.clock.after(delayMs, () => {
        for (const repository of repositories.list()) begin(repository);
      });
    },
    take(repository) {
      readSnapshot(repository);
      return queueRun(repository);
    },
    jobChanged({ type, status, repo = '' }) {
      const repository = type === indexJobType ? repositories.get(repo) : undefined;
      if (repository === undefined || repository.snapshot !== undefined) return;
      if (status === 'queued') repository.failure = undefined;
      else if (status === 'cancelled' && !isAwaited(repo)) repository.failure = 'its first run was cancelled';
    },
    async release(repository) {
      const { record } = repository;
      await repository.follow?.close();
      repository.follow = undefined;
      history.forget(repository.registered.uid);
      await options.forgetFile(record.indexFile);
      await engine
        .forget(record)
        .catch((cause: unknown) => observe({ kind: 'daemon.fault', what: 'forgetting a repository', cause }));
      const isShared = repositories.list().some(other => other.record.indexFile === record.indexFile);
      if (!isShared) rmSync(dirname(record.indexFile), { recursive: true, force: true });
    },
    published(repo, published) {
      const repository = repositories.get(repo);
      if (repository === undefined) return;
      repository.comparedAt = options.clock.now().getTime();
      repository.failure = undefined;
      repository.notWritten = undefined;
      repository.unlisted = published.unlisted ?? repository.unlisted;
      const before = repository.snapshot;
      if (before?.seq === published.seq) return;
      readSnapshot(repository);
      const isNews = before?.snapshotId !== published.snapshotId;
      if (isNews) record(repository, published);
      const { seq, snapshotId, symbolCount, fileCount, filesParsed, type, durationMs } = published;
      observe({
        kind: isNews ? 'snapshot.published' : 'snapshot.renewed',
        repo,
        seq,
        snapshotId,
        symbolCount,
        fileCount,
        filesParsed,
        type,
        durationMs,
      });
    },
    notWritten(repo, why) {
      const repository = repositories.get(repo);
      if (repository !== undefined) repository.notWritten = why;
    },
    damaged(repo, indexFile, what) {
      void options.forgetFile(indexFile);
      observe({ kind: 'index.corrupt', repo, what });
      for (const repository of repositories.list()) {
        if (repository.record.indexFile !== indexFile) continue;
        repository.snapshot = undefined;
        // Whoever came upon the damage sees to its own repository; the others in the file lost theirs too.
        if (repository.record.id !== repo && !isClosed) firstRun(repository);
      }
    },
    mended(repo, indexFile, what, documents) {
      void options.forgetFile(indexFile);
      const [first = 'what only older snapshots knew', ...others] = documents;
      const all = others.length === 0 ? first : `${first} and ${others.length} more`;
      observe({ kind: 'index.corrupt', repo, what: `${what}; made anew: ${all}` });
      const repository = repositories.get(repo);
      if (repository !== undefined) readSnapshot(repository);
    },
    damagedAt(repo, error) {
      const repository = repositories.get(repo);
      // Without a snapshot the damaged file is on its way out already, and this is a late answer from it.
      if (repository === undefined || isClosed || repository.snapshot === undefined) return;
      if (!isBeyondRepair(error, repository.record.indexFile)) return;
      if (error.trouble === 'corrupt') mend(repository, error.message);
      else {
        discard(repository, error.message);
        firstRun(repository);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all(repositories.list().map(repository => repository.follow?.close()));
    },
  };

  function begin(repository: ServedRepository): void {
    if (isClosed || repositories.get(repository.record.id) !== repository) return;
    if (repository.snapshot === undefined) firstRun(repository);
    else startFollowing(repository);
  }

  /** No answer comes from the file any more; the engine takes it away before the next run over it. */
  function discard(repository: ServedRepository, what: string): void {
    repository.snapshot = undefined;
    void engine
      .discard(repository.record, what)
      .catch((cause: unknown) => observe({ kind: 'daemon.fault', what: 'putting a damaged index aside', cause }));
  }

  /** No answer comes from the file until what is damaged in it has been made anew, or all of it. */
  function mend(repository: ServedRepository, what: string): void {
    repository.snapshot = undefined;
    engine.mend(repository.record, what).then(
      isMended => {
        if (!isMended && !isClosed) firstRun(repository);
      },
      (cause: unknown) => {
        observe({ kind: 'daemon.fault', what: 'mending a damaged index', cause });
        if (!isClosed) firstRun(repository);
      },
    );
  }

  function firstRun(repository: ServedRepository): void {
    try {
      queueRun(repository);
    } catch (cause) {
      observe({ kind: 'daemon.fault', what: `no run for ${repository.record.id} could be queued`, cause });
    }
  }

  function queueRun(repository: ServedRepository): StoredJob {
    const { id } = repository.record;
    const input: IndexJobInput = { force: false };
    try {
      return jobs!.findActive(indexJobType, id, input) ?? jobs!.add(indexJobType, { repo: id, input });
    } catch (error) {
      if (error instanceof Fault) repository.failure = `its run could not be queued: ${error.message}`;
      throw error;
    }
  }

  function isAwaited(id: string): boolean {
    return [false, true].some(force => jobs!.findActive(indexJobType, id, { force }) !== undefined);
  }

  function startFollowing(repository: ServedRepository): void {
    if (isClosed || repository.follow !== undefined || repositories.get(repository.record.id) !== repository) return;
    try {
      repository.follow = options.follow(repository.record);
    } catch (cause) {
      observe({ kind: 'watch.warning', repo: repository.record.id, message: 'the tree can’t be watched', cause });
    }
  }

  /** Takes over what the index file says now. Before the first look a damaged one is replaced with the first run, later at once. */
  function readSnapshot(repository: ServedRepository): void {
    const { record } = repository;
    try {
      repository.snapshot = snapshotOf(record) ?? repository.snapshot;
    } catch (cause) {
      const trouble = cause instanceof StoreError ? cause.trouble : 'ioError';
      repository.failure = `the index can't be read (${trouble})`;
      void options.forgetFile(record.indexFile);
      if (trouble !== 'corrupt')
        observe({ kind: 'daemon.fault', what: `the index of ${record.id} (${trouble})`, cause });
      else if (repository.snapshot !== undefined) {
        discard(repository, repository.failure);
        firstRun(repository);
      }
    }
  }

  function record({ snapshot, registered }: ServedRepository, published: Published): void {
    if (snapshot === undefined) return;
    history.record(registered.uid, snapshot, published).catch((cause: unknown) => {
      observe({ kind: 'daemon.fault', what: 'the sync log could not be written', cause });
    });
  }
}

/** What a run changed: files, and symbols that vanished or came. */
function changesOf({ changedPaths, gone, symbolCount }: Published, symbolsBefore: number) {
  const appeared = symbolCount - (symbolsBefore - gone.length);
  return { files: changedPaths, symbols: gone.length + Math.max(0, appeared) };
}

function snapshotOf(record: RepositoryRecord): StoredSnapshot | undefined {
  if (statSync(record.indexFile, { throwIfNoEntry: false }) === undefined) return undefined;
  const reader = openIndexReader(record.indexFile);
  try {
    return reader.snapshot(record.worktreeKey);
  } finally {
    reader.close();
  }
}

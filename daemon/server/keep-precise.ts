import { join } from 'node:path';
import type { Places } from '../../client/paths.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { FoundProgram } from '../backends/find-program.ts';
import type { Indexer } from '../backends/indexer-table.ts';
import { findIndexer, indexersFor } from '../backends/indexers.ts';
import { removeOwn } from '../backends/own-folder.ts';
import { endMarkedBelow } from '../backends/run-processes.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config-schema.ts';
import type { Observation, Observe, SnapshotPublished } from '../events.ts';
import type { JobContext, JobQueue } from '../jobs/queue.ts';
import {
  indexPrecisely,
  type PreciseJobInput,
  type PreciseOptions,
  queuePreciseJob,
} from '../jobs/scip/index-precise.ts';
import { type KnownIndexer, type PlannedIndexer, planPrecise, surveyPrecise } from '../jobs/scip/plan-precise.ts';
import { isHosted, type ServedRepository, stillRegistered } from '../operations/served-repository.ts';
import { packageRoot } from '../package-root.ts';
import { changesInRuns } from './changes-in-runs.ts';
import type { Repositories } from './repositories.ts';

export interface KeepPreciseOptions {
  readonly repositories: Pick<Repositories, 'get' | 'list'>;
  readonly places: Places;
  readonly config: () => Config;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly observe: Observe;
  /** Takes in what they write. */
  readonly ingest: PreciseOptions['ingest'];
}

/** Has indexers run over the registered repositories: after changes by itself, and as jobs whoever asks for them. */
export interface KeepPrecise {
  /** All repositories may have changed while nobody looked. */
  start(jobs: JobQueue): void;
  /** To be told of all that happens. */
  hear: Observe;
  /** The run of a job of type `index-precise`. */
  run(context: JobContext): Promise<Readonly<Record<string, unknown>>>;
  /** The indexers that know a language of a repository, and whether they have work. */
  plan(repository: ServedRepository, language: string): readonly PlannedIndexer[];
  /** The same without the latter, which takes reading the whole manifest. */
  survey(repository: ServedRepository): readonly KnownIndexer[];
  /** That they run without end for what one of them changes, in public words. */
  trouble(id: string): string | undefined;
  /** Whether an indexer could run for one of these languages. */
  isInstalledFor(languages: readonly string[], trusted: boolean): boolean;
}

export function keepPrecise(options: KeepPreciseOptions): KeepPrecise {
  const { repositories, places, config, environment, clock, observe, ingest } = options;
  const scratchFolder = join(places.data, 'indexing');
  // What a daemon left behind that was killed while an indexer ran.
  endMarkedBelow(scratchFolder);
  const clear = (folder: string): void => {
    try {
      removeOwn(folder);
    } catch (cause) {
      observe({ kind: 'daemon.fault', what: 'what an indexer left could not be removed', cause });
    }
  };
  clear(scratchFolder);
  const waiting = new Map<string, () => void>();
  /** By repository: the snapshot that indexers were last asked about. */
  const asked = new Map<string, string>();
  /** By repository: fires for what runs now when the user takes the trust in it back. */
  const revocations = new Map<string, AbortController>();
  /** By repository: of projects that were too large for one process, how many of their files are not. */
  const filesAtOnce = new Map<string, Map<string, number>>();
  const changes = changesInRuns(clock);
  let jobs: JobQueue | undefined;
  const uses = ({ name }: Indexer): boolean => config().index.use_indexers.includes(name);
  const configured = ({ name }: Indexer): string => config().index.indexers[name]?.path ?? '';
  const find = (indexer: Indexer): FoundProgram | undefined =>
    findIndexer(indexer, configured(indexer), {
      path: environment['PATH'] ?? '',
      packageFolders: [packageRoot, join(places.data, 'indexers')],
    });
  const choice = { uses, configured, find };
  const isInstalledFor = (languages: readonly string[], trusted: boolean): boolean =>
    indexersFor(languages).some(one => uses(one) && (trusted || !one.runsCode) && find(one) !== undefined);
  /** An index that was lost comes back as the same tree, without what indexers said of it. */
  const isNews = ({ repo, snapshotId }: SnapshotPublished): boolean =>
    asked.get(repo) !== snapshotId || repositories.get(repo)?.snapshot?.evidenceId === '';
  const queue = (id: string): void => {
    waiting.delete(id);
    const repository = repositories.get(id);
    const snapshot = repository?.snapshot;
    if (repository === undefined || snapshot === undefined || jobs === undefined || isHosted(repository)) return;
    if (!config().index.background_indexers) return;
    if (!isInstalledFor(Object.keys(snapshot.counts.languages), repository.record.trusted)) return;
    asked.set(id, snapshot.snapshotId);
    try {
      queuePreciseJob(jobs, id, { language: 'auto', force: false }, false);
    } catch (cause) {
      // The queue is full or closing: the next change asks again.
      if (!(cause instanceof Fault)) throw cause;
    }
  };
  const later = (id: string): void => {
    waiting.get(id)?.();
    waiting.set(
      id,
      clock.after(changes.waitMs(id, config().index.quiet_seconds * 1000), () => queue(id)),
    );
  };
  const forget = (id: string): void => {
    waiting.get(id)?.();
    waiting.delete(id);
    asked.delete(id);
    revocations.delete(id);
    filesAtOnce.delete(id);
    changes.forget(id);
  };
  /** A run takes in the tree as it is now, whoever asked for it: what changes from here on is heard of. */
  const takes = (id: string, snapshotId: string): void => {
    waiting.get(id)?.();
    waiting.delete(id);
    asked.set(id, snapshotId);
  };
  const trustChanged = (id: string): void => {
    if (repositories.get(id)?.record.trusted !== true) {
      revocations.get(id)?.abort();
      revocations.delete(id);
    }
    later(id);
  };
  const revocationOf = (id: string): AbortSignal => {
    const known = revocations.get(id) ?? new AbortController();
    revocations.set(id, known);
    return known.signal;
  };
  const filesAtOnceIn = (id: string): Map<string, number> => {
    const known = filesAtOnce.get(id) ?? new Map<string, number>();
    filesAtOnce.set(id, known);
    return known;
  };
  const run = async ({ job, signal, report }: JobContext): Promise<Readonly<Record<string, unknown>>> => {
    const { record, snapshot } = stillRegistered(repositories, job.repo);
    const { id } = record;
    if (snapshot === undefined) return { indexers: [], ran: [], problems: [] };
    const input = job.input as PreciseJobInput;
    if (input.language === 'auto') takes(id, snapshot.snapshotId);
    const { indexer_seconds, indexer_memory_bytes } = config().index;
    const ended = input.language === 'auto' ? changes.begin(id) : () => {};
    try {
      const outcome = await indexPrecisely(
        record,
        { ...input, signal, revoked: revocationOf(id), report },
        {
          choice,
          ingest,
          scratchFolder,
          clear,
          environment,
          bounds: () => ({
            timeoutMs: indexer_seconds * 1000,
            memoryBytes: indexer_memory_bytes,
            filesAtOnce: filesAtOnceIn(id),
          }),
          onFailure: (repo, message, lastWords) => observe({ kind: 'indexer.failed', repo, message, lastWords }),
        },
      );
      const trouble = changes.trouble(id);
      return { ...outcome, problems: [...outcome.problems, ...(trouble === undefined ? [] : [trouble])] };
    } finally {
      ended();
    }
  };
  /** Nothing that one could run over. */
  const hasNone = (repository: ServedRepository): boolean => repository.snapshot === undefined || isHosted(repository);
  return {
    start(queueOfJobs) {
      jobs = queueOfJobs;
      for (const { record } of repositories.list()) later(record.id);
    },
    hear(seen: Observation) {
      if (seen.kind === 'snapshot.published' && isNews(seen)) {
        changes.changed(seen.repo);
        later(seen.repo);
      }
      if (seen.kind !== 'repository.changed') return;
      if (seen.change === 'trusted') trustChanged(seen.repo);
      if (seen.change === 'removed') forget(seen.repo);
    },
    run,
    plan: (repository, language) => (hasNone(repository) ? [] : planPrecise(repository.record, language, choice)),
    survey: repository => (hasNone(repository) ? [] : surveyPrecise(repository.record, choice)),
    trouble: changes.trouble,
    isInstalledFor,
  };
}

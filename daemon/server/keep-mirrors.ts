import { randomBytes } from 'node:crypto';
import { Fault } from '../../client/protocol/faults.ts';
import { readKey } from '../backends/key-file.ts';
import { openRemoteIndex } from '../backends/remote-index.ts';
import type { Clock } from '../clock.ts';
import type { Observation } from '../events.ts';
import type { ScipLimits } from '../extract/scip/limits.ts';
import type { IndexEngine, IndexProgress } from '../jobs/engine.ts';
import { isMirrorDamaged } from '../jobs/mirror/service.ts';
import { type MirrorSync, syncMirror } from '../jobs/mirror/sync-mirror.ts';
import type { JobContext, JobQueue } from '../jobs/queue.ts';
import { failWriting } from '../jobs/storage-fault.ts';
import {
  type Mirror,
  type Mirrors,
  type NewMirror,
  type Synced,
  type SyncJobInput,
  syncJobType,
} from '../operations/mirrors.ts';
import { stillRegistered } from '../operations/served-repository.ts';
import type { DaemonDatabase, RegisteredRepository, StoredJob } from '../store/daemon-db.ts';
import { dropHalfDone, type MirrorState, mirrorFileOf, mirrorState, removeMirror } from '../store/mirror-db.ts';
import { makeFolderOf } from '../store/quarantine.ts';
import type { StoredRemote } from '../store/remotes.ts';
import { removeIndexFile } from '../store/retired-files.ts';
import { StoreError } from '../store/store-faults.ts';
import type { KeepHosted } from './keep-hosted.ts';
import type { KeptRepository, Repositories } from './repositories.ts';

export interface KeepMirrorsOptions {
  readonly repositories: Repositories;
  readonly hosted: Pick<KeepHosted, 'publish' | 'discard' | 'hold'>;
  readonly engine: Pick<IndexEngine, 'ingestMirror'>;
  readonly database: Pick<DaemonDatabase, 'remote' | 'saveRemote' | 'hosted' | 'publishHosted'>;
  readonly clock: Clock;
  readonly jobs: () => Pick<JobQueue, 'addOnce' | 'cancelAllOf'>;
  readonly limits: () => Pick<ScipLimits, 'documents' | 'symbols'>;
  /** Whose the files with keys must be. */
  readonly uid: number;
}

/**
 * Keeps mirrors: their rows in a file of their own, brought up to what the server has, and an index made of these, which takes
 * the place of the one before in one step. What answers asks no server.
 */
export interface KeepMirrors extends Mirrors {
  /** Makes indexes anew that are gone and whose rows are here. */
  start(): void;
  /** The run of a job of type `sync-remote`. */
  run(context: JobContext): Promise<Readonly<Record<string, unknown>>>;
  hear(seen: Observation): void;
}

/** Of a synchronisation, what reading the rows is taken to be. */
const shareOfReading = 0.5;

export function keepMirrors(options: KeepMirrorsOptions): KeepMirrors {
  return new MirrorKeeper(options);
}

class MirrorKeeper implements KeepMirrors {
  readonly #options: KeepMirrorsOptions;
  /** By id: the last run, for which the next one waits. */
  readonly #running = new Map<string, Promise<unknown>>();
  /** By id: what the last job threw. */
  readonly #failures = new Map<string, { readonly job: string; readonly error: unknown }>();

  constructor(options: KeepMirrorsOptions) {
    this.#options = options;
  }

  add({ id, url, remoteRepo, tokenFile }: NewMirror): Mirror {
    const { repositories, database } = this.#options;
    if (repositories.get(id) !== undefined) {
      throw new Fault('preconditionFailed', `The id ${id} is taken`, { details: { reason: 'id_taken' } });
    }
    const { registered } = repositories.addHosted(id, 'mirror');
    const never = { syncSeq: undefined, syncedAt: undefined, error: undefined };
    database.saveRemote({ repoUid: registered.uid, url, remoteRepo, tokenFile, ...never });
    return this.get(id)!;
  }

  list(): readonly Mirror[] {
    return this.#options.repositories.list().flatMap(repository => this.#told(repository) ?? []);
  }

  get(id: string): Mirror | undefined {
    const repository = this.#options.repositories.get(id);
    return repository === undefined ? undefined : this.#told(repository);
  }

  sync(id: string, isFull: boolean): StoredJob {
    return this.#queue(id, { isFull, isOffline: false });
  }

  failure(job: StoredJob): unknown {
    const last = job.repo === undefined ? undefined : this.#failures.get(job.repo);
    return last?.job === job.id ? last.error : undefined;
  }

  async remove(id: string): Promise<void> {
    const { jobs, hosted } = this.#options;
    jobs().cancelAllOf(id);
    await this.#running.get(id)?.catch(() => {});
    const release = hosted.hold(id);
    try {
      await hosted.discard(id);
      this.#failures.delete(id);
    } finally {
      release();
    }
  }

  start(): void {
    for (const { repository } of this.list()) {
      const { id } = repository.record;
      try {
        dropHalfDone(this.#fileOf(id));
      } catch (error) {
        // Its next synchronisation begins with that as well, and tells.
        if (!(error instanceof StoreError)) throw error;
      }
      if (repository.snapshot === undefined) this.#rebuild(id);
    }
  }

  hear(seen: Observation): void {
    if (seen.kind === 'index.corrupt') this.#rebuild(seen.repo);
  }

  run(context: JobContext): Promise<Readonly<Record<string, unknown>>> {
    const id = context.job.repo!;
    const before = this.#running.get(id) ?? Promise.resolve();
    const mine = before.catch(() => {}).then(() => this.#run(id, context));
    const settled = mine.finally(() => {
      if (this.#running.get(id) === settled) this.#running.delete(id);
    });
    this.#running.set(id, settled);
    settled.catch(() => {});
    return mine;
  }

  #told(repository: KeptRepository): Mirror | undefined {
    const { database } = this.#options;
    const { source, uid } = repository.registered;
    const remote = source === 'mirror' ? database.remote(uid) : undefined;
    return remote && { repository, remote, commit: database.hosted(uid)?.commit ?? '' };
  }

  #queue(id: string, input: SyncJobInput): StoredJob {
    return this.#options.jobs().addOnce(syncJobType, { repo: id, input });
  }

  /** Makes the index of a mirror of its rows, where these are here. */
  #rebuild(id: string): void {
    const mirror = this.get(id);
    if (mirror === undefined || stateOf(this.#fileOf(id)) === undefined) return;
    try {
      this.#queue(id, { isFull: false, isOffline: true });
    } catch {
      // The queue is full, or the daemon about to leave: doctor says that the index is lost, and how it comes back.
    }
  }

  #fileOf(id: string): string {
    return mirrorFileOf(this.#options.repositories.hostedFile(id, ''));
  }

  async #run(id: string, context: JobContext): Promise<Readonly<Record<string, unknown>>> {
    const { repositories, hosted, clock } = this.#options;
    context.signal.throwIfAborted();
    const repository = stillRegistered(repositories, id);
    const release = hosted.hold(id);
    const startedMs = clock.monotonicMs();
    try {
      const synced = await this.#synced(repository, context).catch(error => failWriting(error));
      this.#failures.delete(id);
      return { ...synced, durationMs: clock.monotonicMs() - startedMs } satisfies Synced;
    } catch (error) {
      this.#failures.set(id, { job: context.job.id, error });
      if (!context.signal.aborted) this.#noteFailure(repository, error);
      throw error;
    } finally {
      repository.progress = undefined;
      release();
    }
  }

  #noteFailure({ registered }: KeptRepository, error: unknown): void {
    const { database } = this.#options;
    const remote = database.remote(registered.uid);
    const why = error instanceof Fault ? error.message : 'it failed; the log has the cause';
    if (remote !== undefined) database.saveRemote({ ...remote, error: why });
  }

  async #synced(repository: KeptRepository, context: JobContext): Promise<Omit<Synced, 'durationMs'>> {
    const { database, clock } = this.#options;
    const { registered, record } = repository;
    const { isOffline, isFull } = context.job.input as SyncJobInput;
    const remote = database.remote(registered.uid);
    if (remote === undefined) throw new Fault('resourceNotFound', 'The mirror was removed');
    const read = isOffline ? this.#offline(record.id) : await this.#read(repository, remote, isFull, context);
    const isBuilt =
      read.mode === undefined && repository.snapshot !== undefined && remote.syncSeq === read.state.syncSeq;
    const { mode, state, filesChanged } =
      isBuilt && !isOffline ? read : await this.#built(repository, { remote, read, isOffline }, context);
    this.#noteCommit(registered, state);
    const syncedAt = isOffline ? remote.syncedAt : clock.now().getTime();
    database.saveRemote({ ...remote, syncSeq: state.syncSeq, syncedAt, error: undefined });
    const status = mode === undefined ? 'unchanged' : 'success';
    return { status, mode: mode ?? null, syncSeq: state.syncSeq, filesChanged };
  }

  /** Where nothing was published, the server may know another commit of it by now. */
  #noteCommit(registered: RegisteredRepository, { commit }: MirrorState): void {
    const { database, clock } = this.#options;
    const hosted = database.hosted(registered.uid);
    if (hosted === undefined || hosted.commit === commit) return;
    database.publishHosted(registered, { ...hosted, commit, updatedAt: clock.now().getTime() }, undefined);
  }

  #offline(id: string): MirrorSync {
    const state = stateOf(this.#fileOf(id));
    if (state !== undefined) return { mode: undefined, state, filesChanged: 0 };
    throw new Fault('preconditionFailed', 'Nothing of the mirror is here', { details: { reason: 'no_mirror' } });
  }

  async #read(
    repository: KeptRepository,
    { url, remoteRepo, tokenFile }: StoredRemote,
    isFull: boolean,
    { signal, report }: JobContext,
  ): Promise<MirrorSync> {
    const { clock, limits, uid } = this.#options;
    const { id } = repository.record;
    const file = this.#fileOf(id);
    makeFolderOf(file);
    const token = tokenFile === undefined ? undefined : await readKey(tokenFile, uid);
    const remote = openRemoteIndex({ url, repo: remoteRepo, token, signal, wait: (ms, by) => waited(clock, ms, by) });
    try {
      return await syncMirror(remote, {
        ...{ file, source: `${url} ${remoteRepo}`, isFull, limits: limits() },
        onRead: fraction => {
          repository.progress = { phase: 'read', fraction: fraction * shareOfReading };
          report(fraction * shareOfReading, 'read');
        },
      });
    } finally {
      await remote.close();
    }
  }

  /** Makes and publishes the index. Rows that turn out to be damaged are read anew, where the server can be asked. */
  async #built(
    repository: KeptRepository,
    {
      remote,
      read,
      isOffline,
    }: { readonly remote: StoredRemote; readonly read: MirrorSync; readonly isOffline: boolean },
    context: JobContext,
  ): Promise<MirrorSync> {
    try {
      await this.#build(repository, read.state, isOffline, context);
      return read;
    } catch (error) {
      if (!isMirrorDamaged(error)) throw error;
      removeMirror(this.#fileOf(repository.record.id));
      if (isOffline) throw error;
    }
    const anew = await this.#read(repository, remote, true, context);
    await this.#build(repository, anew.state, false, context);
    return anew;
  }

  async #build(
    repository: KeptRepository,
    { commit }: MirrorState,
    isDoubted: boolean,
    { signal, report }: JobContext,
  ): Promise<void> {
    const { repositories, engine, hosted } = this.#options;
    const { registered } = repository;
    const { id, uid } = registered;
    const epoch = randomBytes(12).toString('hex');
    const indexFile = repositories.hostedFile(id, epoch);
    const onProgress = ({ phase, fraction }: IndexProgress): void => {
      const all = shareOfReading + fraction * (1 - shareOfReading);
      repository.progress = { phase, fraction: all };
      report(all, phase);
    };
    try {
      const file = this.#fileOf(id);
      const repo = { id, indexFile, worktreeKey: uid, epoch };
      const uploaded = await engine.ingestMirror(repo, { file, isDoubted }, { signal, onProgress });
      signal.throwIfAborted();
      if (repositories.get(id) !== repository) throw new Fault('resourceNotFound', 'The mirror was removed');
      hosted.publish(registered, { uploaded, epoch, commit });
    } catch (error) {
      removeIndexFile(indexFile);
      throw error;
    }
  }
}

/** What is here of a mirror; undefined for nothing, or nothing that can be read. */
function stateOf(file: string): MirrorState | undefined {
  try {
    return mirrorState(file);
  } catch {
    return undefined;
  }
}

function waited(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

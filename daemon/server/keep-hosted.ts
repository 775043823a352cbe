import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Fault } from '../../client/protocol/faults.ts';
import { lettingIn, removeOwn } from '../backends/own-folder.ts';
import { type Clock, every, stopwatch } from '../clock.ts';
import type { Observe } from '../events.ts';
import type { IndexEngine } from '../jobs/engine.ts';
import type { JobContext, JobQueue } from '../jobs/queue.ts';
import { failWriting } from '../jobs/storage-fault.ts';
import type { Uploaded } from '../jobs/upload/service.ts';
import { isLargeUpload, type UploadJobInput, uploadJobType, warningsOf } from '../jobs/upload/upload-job.ts';
import type { HostedIndexes, TakenIn, UploadBegun } from '../operations/index-server/hosted-indexes.ts';
import { languagesOf, statsOf } from '../operations/index-server/index-stats.ts';
import type { Asked } from '../operations/symbols/answers.ts';
import type { DaemonDatabase, RegisteredRepository, SyncEntry } from '../store/daemon-db.ts';
import { dropOldQuarantine, makeFolderOf, quarantined } from '../store/quarantine.ts';
import { retentionClock } from '../store/retention.ts';
import { epochsIn, epochsRetained, removeIndexFile, retiredFile } from '../store/retired-files.ts';
import { isSealed } from '../store/seal.ts';
import { collectGarbage } from '../tidy-heap.ts';
import { entryOf } from './history.ts';
import { newestIn } from './newest-in.ts';
import type { KeptRepository, Repositories } from './repositories.ts';

export interface KeepHostedOptions {
  readonly repositories: Repositories;
  readonly engine: Pick<IndexEngine, 'ingestUpload'>;
  readonly database: Pick<DaemonDatabase, 'hosted' | 'publishHosted' | 'lastSync' | 'syncAt'>;
  /** Where bodies lie while they come; ours alone. */
  readonly uploadsFolder: string;
  readonly clock: Clock;
  readonly observe: Observe;
  /** Closes what reads an index file that is about to go away. */
  readonly forgetFile: (indexFile: string) => Promise<boolean>;
  /** Has what will be asked of a new file made ready where the one before is asked. */
  readonly makeReady: (before: string, repo: Asked['repo'], current: NonNullable<Asked['current']>) => Promise<void>;
  readonly jobs: () => Pick<JobQueue, 'add' | 'ended' | 'cancelAllOf'>;
  /** Ends the jobs of a repository and deletes all of it. */
  readonly remove: (id: string) => Promise<void>;
}

/**
 * Keeps the indexes that are uploaded. Each is made in a file of its own while the one before answers, and takes its place
 * by one transaction of `daemon.db`: whoever dies before that has changed nothing, and nobody who asks sees half of it.
 */
export interface KeepHosted extends HostedIndexes {
  start(): void;
  /** The run of a job of type `upload-index`. */
  run(context: JobContext): Promise<Readonly<Record<string, unknown>>>;
  /** Makes an index that lies in the file of its epoch the one that answers. In one turn of the event loop. */
  publish(registered: RegisteredRepository, made: Made): TakenIn;
  /** Deletes one without a work tree, with all that lies in its folder. Nobody may be making an index of it. */
  discard(id: string): Promise<void>;
  /** Until the returned function is called nothing of a repository is swept. Throws `busy` where somebody else holds it. */
  hold(id: string): () => void;
  /** Deletes what of all of them nobody can ask for any more. */
  sweep(): void;
  close(): void;
}

const betweenSweepsMs = 60_000;
const retryAfterSeconds = 5;

/** An upload from its first byte to its end. */
interface Claim {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  readonly end: () => void;
  failure: unknown;
  /** The run of its job. */
  running: Promise<unknown>;
}

export function keepHosted(options: KeepHostedOptions): KeepHosted {
  return new HostedKeeper(options);
}

class HostedKeeper implements KeepHosted {
  readonly #options: KeepHostedOptions;
  /** By id: what is being uploaded or deleted. */
  readonly #claims = new Map<string, Claim>();
  /** By epoch, monotonic. */
  readonly #publishedMs = new Map<string, number>();
  /** What could not be tidied away, as it was told. */
  readonly #told = new Set<string>();
  #stopSweeping = (): void => {};

  constructor(options: KeepHostedOptions) {
    this.#options = options;
    this.#telling('what uploads left could not be removed', () => this.#clearUploads());
    for (const { registered } of options.repositories.list()) {
      if (registered.source !== 'upload') continue;
      this.#telling(`the index of ${registered.id} could not be looked for`, () => this.#find(registered));
    }
  }

  start(): void {
    this.sweep();
    this.#stopSweeping = every(this.#options.clock, betweenSweepsMs, () => this.sweep());
  }

  close(): void {
    this.#stopSweeping();
  }

  begin(id: string): UploadBegun {
    const { repositories, uploadsFolder } = this.#options;
    const known = repositories.get(id)?.registered;
    if (known !== undefined && known.source !== 'upload') {
      throw new Fault('configRepo', `${id} is no uploaded repository: no upload may take its place`);
    }
    repositories.planHosted(id, 'upload');
    const claim = this.#claim(id);
    const file = join(
      uploadsFolder,
      `${folderName(repositories.hostedFile(id, ''))}-${randomBytes(8).toString('hex')}`,
    );
    // To delete a large file takes a while, in which others are answered.
    const end = async (): Promise<void> => {
      await rm(file, { force: true }).catch(cause => {
        this.#options.observe({ kind: 'daemon.fault', what: 'the body of an upload could not be deleted', cause });
      });
      claim.end();
    };
    return {
      file,
      signal: claim.abort.signal,
      failure: () => claim.failure,
      ended: claim.ended,
      end,
      takeIn: commit => {
        const input: UploadJobInput = { file, bytes: statSync(file).size, commit };
        // What its pieces left would lie beside all that is made of them.
        if (isLargeUpload(input)) collectGarbage();
        const jobs = this.#options.jobs();
        const job = jobs.add(uploadJobType, { repo: id, input });
        const settled = jobs.ended(job.id, neverAborted).catch(() => {});
        // A job that is cancelled has ended before its run.
        void settled.then(() => claim.running).finally(end);
        return job;
      },
    };
  }

  async delete(id: string): Promise<void> {
    const isThere = (): boolean => this.#options.repositories.get(id)?.registered.source === 'upload';
    if (!isThere()) throw notThere(id);
    const uploading = this.#claims.get(id);
    uploading?.abort.abort(
      new Fault('preconditionFailed', 'The repository was deleted', { details: { reason: 'deleted' } }),
    );
    this.#options.jobs().cancelAllOf(id);
    await uploading?.ended;
    if (!isThere()) throw notThere(id);
    const claim = this.#claim(id);
    try {
      await this.discard(id);
    } finally {
      claim.end();
    }
  }

  async discard(id: string): Promise<void> {
    const { indexFile } = this.#options.repositories.get(id)!.record;
    for (const epoch of epochsIn(dirname(indexFile))) {
      this.#publishedMs.delete(epoch);
      await this.#forget(retiredFile(indexFile, epoch));
    }
    await this.#options.remove(id);
    this.#options.observe({ kind: 'repository.changed', repo: id, change: 'removed' });
  }

  underWay(): number {
    return this.#claims.size;
  }

  hold(id: string): () => void {
    return this.#claim(id).end;
  }

  run(context: JobContext): Promise<Readonly<Record<string, unknown>>> {
    const claim = this.#claims.get(context.job.repo!);
    const running = this.#takeIn(context);
    if (claim !== undefined) {
      claim.running = running.catch((error: unknown) => {
        claim.failure = error;
      });
    }
    return running;
  }

  sweep(): void {
    for (const repository of this.#options.repositories.list()) {
      const { source, id } = repository.registered;
      if (source === 'tree' || this.#claims.has(id)) continue;
      this.#telling(`what ${id} no longer needs could not be removed`, () => this.#sweepOne(repository));
    }
  }

  #sweepOne({ record, registered }: KeptRepository): void {
    const retained = epochsRetained(registered.uid, entry => this.#ageMs(entry), this.#options.database);
    for (const epoch of epochsIn(dirname(record.indexFile))) {
      const file = retiredFile(record.indexFile, epoch);
      if (file === record.indexFile || retained.has(epoch)) continue;
      this.#publishedMs.delete(epoch);
      void this.#forget(file).then(() => this.#remove(file));
    }
    dropOldQuarantine(dirname(record.indexFile));
  }

  /** As the clock says where it is looked at first; from then on no setting of it makes anything older or younger. */
  #ageMs({ epoch, publishedAt }: SyncEntry): number {
    const { nowMs, timeOf } = retentionClock(this.#options.clock);
    const known = this.#publishedMs.get(epoch) ?? timeOf(publishedAt);
    this.#publishedMs.set(epoch, known);
    return nowMs() - known;
  }

  async #takeIn({ job, signal, report }: JobContext): Promise<Readonly<Record<string, unknown>>> {
    const { repositories, engine } = this.#options;
    const id = job.repo!;
    const { file, commit } = job.input as UploadJobInput;
    const registered = repositories.planHosted(id, 'upload');
    const epoch = randomBytes(12).toString('hex');
    const indexFile = repositories.hostedFile(id, epoch);
    const known = repositories.get(id);
    const onProgress = (progress: { readonly phase: string; readonly fraction: number }): void => {
      if (known !== undefined) known.progress = progress;
      report(progress.fraction, progress.phase);
    };
    try {
      makeFolderOf(indexFile);
      const repo = { id, indexFile, worktreeKey: registered.uid, epoch };
      const uploaded = await engine.ingestUpload(repo, file, { signal, onProgress });
      if (known?.snapshot !== undefined) {
        const { seq, snapshotId } = uploaded;
        const next = { id, indexFile, key: registered.uid };
        await this.#options.makeReady(known.record.indexFile, next, { seq, snapshotId });
      }
      signal.throwIfAborted();
      return { ...this.publish(registered, { uploaded, epoch, commit }) };
    } catch (error) {
      this.#remove(indexFile);
      if (repositories.get(id) === undefined) removeEmpty(dirname(indexFile));
      return failWriting(error);
    } finally {
      if (known !== undefined) known.progress = undefined;
    }
  }

  /** A question is asked of the file before with its snapshot, or of this one. */
  publish(registered: RegisteredRepository, made: Made): TakenIn {
    const { repositories, database, clock } = this.#options;
    const { uploaded, epoch, commit } = made;
    const before = repositories.get(registered.id);
    const isNews = before?.snapshot?.snapshotId !== uploaded.snapshotId;
    const nowMs = clock.now().getTime();
    const told = { commit, indexer: `${uploaded.indexer.tool} ${uploaded.indexer.version}`.trim(), updatedAt: nowMs };
    const indexFile = repositories.hostedFile(registered.id, epoch);
    if (isNews) {
      const found = newestIn({ indexFile, worktreeKey: registered.uid })!;
      this.#publishedMs.set(epoch, clock.monotonicMs());
      database.publishHosted(registered, { ...told, epoch }, entryOf(found));
      const oldFile = before?.record.indexFile;
      const kept = repositories.keepHosted(registered, epoch);
      Object.assign(kept, { ...found, failure: undefined, notWritten: undefined, verified: undefined });
      if (oldFile !== undefined) void this.#forget(oldFile);
    } else {
      database.publishHosted(registered, { ...told, epoch: before!.epoch }, undefined);
      this.#remove(indexFile);
    }
    const kept = repositories.get(registered.id)!;
    kept.sinceComparedMs = stopwatch(clock);
    if (before === undefined)
      this.#options.observe({ kind: 'repository.changed', repo: registered.id, change: 'added' });
    this.#tell(kept, isNews, uploaded);
    return takenIn(made, database.lastSync(registered.uid)?.seq ?? 0);
  }

  #tell(kept: KeptRepository, isNews: boolean, { counts, durationMs }: Uploaded): void {
    const { seq, snapshotId } = kept.snapshot!;
    this.#options.observe({
      kind: isNews ? 'snapshot.published' : 'snapshot.renewed',
      repo: kept.record.id,
      ...{ seq, snapshotId, symbolCount: counts.symbols, fileCount: counts.files, filesParsed: counts.documents },
      ...{ type: 'full', durationMs },
    });
  }

  #claim(id: string): Claim {
    if (this.#claims.has(id)) {
      throw new Fault('busy', `Another upload of ${id} is under way`, { retryAfterSeconds });
    }
    let settle = (): void => {};
    const ended = new Promise<void>(resolve => {
      settle = resolve;
    });
    const claim: Claim = {
      abort: new AbortController(),
      ended,
      end: () => {
        if (this.#claims.get(id) === claim) this.#claims.delete(id);
        settle();
      },
      failure: undefined,
      running: Promise.resolve(),
    };
    this.#claims.set(id, claim);
    return claim;
  }

  #remove(file: string): void {
    this.#telling(`${file} could not be removed`, () => removeIndexFile(file));
  }

  /** What can't be tidied away is told, once until it can, and holds nobody up. */
  #telling(what: string, work: () => void): void {
    try {
      work();
      this.#told.delete(what);
    } catch (cause) {
      if (!this.#told.has(what)) this.#options.observe({ kind: 'daemon.fault', what, cause });
      this.#told.add(what);
    }
  }

  /** Whoever reads and is leaving has closed what it read. */
  async #forget(file: string): Promise<void> {
    await this.#options.forgetFile(file).catch(() => {});
  }

  /** A `daemon.db` that came back from its copy may name an index that has gone since: the newest one that is there counts. */
  #find(registered: RegisteredRepository): void {
    const { repositories, database } = this.#options;
    const { indexFile } = repositories.get(registered.id)!.record;
    if (existsSync(indexFile) || quarantined(indexFile).length > 0) return;
    const all = epochsIn(dirname(indexFile)).map(epoch => ({ epoch, file: retiredFile(indexFile, epoch) }));
    const whole = all.filter(({ file }) => existsSync(file) && isSealed(file));
    const newest = whole.map(one => ({ ...one, at: statSync(one.file).mtimeMs })).sort((a, b) => b.at - a.at)[0];
    if (newest === undefined) return;
    const told = { epoch: newest.epoch, commit: '', indexer: '', updatedAt: Math.round(newest.at) };
    database.publishHosted(registered, told, undefined);
    repositories.keepHosted(registered, newest.epoch);
  }

  /** What a daemon left that died: bodies, and folders of repositories of which that was the first upload. */
  #clearUploads(): void {
    const { uploadsFolder, repositories } = this.#options;
    const used = new Set(repositories.list().map(({ record }) => folderName(record.indexFile)));
    const reposFolder = dirname(dirname(repositories.hostedFile('', '')));
    const isThere = statSync(uploadsFolder, { throwIfNoEntry: false })?.isDirectory() ?? false;
    for (const name of isThere ? lettingIn(uploadsFolder, () => readdirSync(uploadsFolder)) : []) {
      const folder = name.split('-', 1)[0]!;
      if (/^[0-9a-f]{32}$/.test(folder) && !used.has(folder)) removeOwn(join(reposFolder, folder));
    }
    removeOwn(uploadsFolder);
  }
}

/** An index that was made of an upload, in the file of an epoch. */
export interface Made {
  readonly uploaded: Uploaded;
  readonly epoch: string;
  readonly commit: string;
}

function takenIn({ uploaded, commit }: Made, syncSeq: number): TakenIn {
  const { counts, durationMs, snapshotId } = uploaded;
  return {
    commit,
    languages: languagesOf(counts),
    stats: statsOf(counts),
    warnings: warningsOf(uploaded),
    durationMs: Math.round(durationMs),
    syncSeq,
    snapshotId,
  };
}

function notThere(id: string): Fault {
  return new Fault('repoNotFound', `No uploaded repository has the id ${JSON.stringify(id)}`);
}

/** Of the folder that an index file lies in. */
function folderName(indexFile: string): string {
  return basename(dirname(indexFile));
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is gone, or something lies in it that is none of ours to judge.
  }
}

const neverAborted = new AbortController().signal;

import { amount } from '../../client/protocol/amount.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { Clock } from '../clock.ts';
import type { Observe } from '../events.ts';
import type { DaemonDatabase, StoredJob, StoredJobState } from '../store/daemon-db.ts';
import { type ActiveJob, activeJob, endOf, sayGoodbye } from './active-job.ts';
import { causeOf, endedAlready, publicError, stopping, unknownJob } from './job-faults.ts';
import { type ProgressNotes, progressNotes } from './progress-notes.ts';
import { type SavedJobs, savedJobs } from './saved-jobs.ts';

/** What runs as a job: resolves with its result, honours the signal, reports progress. */
export type JobRun = (context: JobContext) => Promise<Readonly<Record<string, unknown>>>;

export interface JobContext {
  readonly job: StoredJob;
  readonly signal: AbortSignal;
  /** `fraction` 0 to 1; `message` names the phase. */
  readonly report: (fraction: number, message: string) => void;
}

/** Everything long runs here: queued → running → completed, failed or cancelled, and no other way. */
export interface JobQueue {
  /** Queues a job of a known type. Throws `rateLimited` when the queue is full. */
  add(type: string, subject: JobSubject): StoredJob;
  /** The one of this type that waits or runs for the same repository with the same input already, or else a new one. */
  addOnce(type: string, subject: JobSubject & { readonly repo: string }): StoredJob;
  get(id: string): StoredJob | undefined;
  list(filter: JobFilter): { readonly jobs: readonly StoredJob[]; readonly total: number };
  /** The queued or running job of this type and repository whose input is the same. */
  findActive(type: string, repo: string, input: unknown): StoredJob | undefined;
  /** Throws `resourceNotFound`, or `preconditionFailed` with `details.status` for a job that has ended. */
  cancel(id: string): StoredJob;
  /** Cancels all that waits or runs for a repository. */
  cancelAllOf(repo: string): void;
  /** Resolves when the job has ended; rejects with the signal's reason. */
  ended(id: string, signal: AbortSignal): Promise<StoredJob>;
  counts(): { readonly queued: number; readonly running: number };
  /** After a restart: what ran is `failed` with code `interrupted`, what was queued is queued again. */
  recover(): void;
  /** From now on starts only what somebody waits for, and nothing that may wait for hours: the next daemon has it. */
  windDown(): void;
  /**
   * Starts no more. What somebody waits for has `graceMs` to end; then what runs is cancelled and marked `failed`,
   * `interrupted`, and whoever waits still is told that the daemon stops.
   */
  close(graceMs: number): Promise<void>;
}

export interface JobSubject {
  readonly repo?: string;
  readonly input?: unknown;
  /** Nobody wants it once whoever waited for it has left: then it is cancelled, unless it has begun. */
  readonly isForWaiters?: boolean;
}

export interface JobFilter {
  readonly state?: StoredJobState;
  readonly type?: string;
  readonly limit: number;
}

export interface JobQueueOptions {
  readonly store: Pick<DaemonDatabase, 'saveJob' | 'noteProgress' | 'job' | 'jobs'>;
  readonly runs: Readonly<Record<string, JobRun>>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Asked at each new one. */
  readonly maxQueued: () => number;
  /** Jobs that run at the same time. */
  readonly width: number;
  /** Of those that take much memory and time one runs at a time, and others pass them by. Asked once of each job. */
  readonly isLarge: (job: StoredJob) => boolean;
  /** Of those that may wait for hours one runs at a time, beside the others: no place is taken from whoever waits for an index. */
  readonly isBackground: (job: StoredJob) => boolean;
  /** A job that waits is begun by the next daemon too; one that this says no of is over with the process. Default: all. */
  readonly outlives?: (job: StoredJob) => boolean;
  /** What a running job does and where, to those who wait for its end: `scip-go in app`. */
  readonly nameOf: (job: StoredJob) => string;
  readonly observe: Observe;
}

export function createJobQueue(options: JobQueueOptions): JobQueue {
  return new Queue(options);
}

class Queue implements JobQueue {
  readonly #options: JobQueueOptions;
  /** Both by id, oldest first. */
  readonly #queued = new Map<string, ActiveJob>();
  readonly #running = new Map<string, ActiveJob>();
  readonly #notes: ProgressNotes;
  readonly #saved: SavedJobs;
  #isWindingDown = false;
  #isClosing = false;

  constructor(options: JobQueueOptions) {
    this.#options = options;
    this.#notes = progressNotes(options.store, options.clock);
    // A full disk must not stop the work.
    this.#saved = savedJobs(options.store, options.clock, cause =>
      options.observe({ kind: 'daemon.fault', what: 'a job could not be saved', cause }),
    );
  }

  add(type: string, subject: JobSubject): StoredJob {
    if (this.#isClosing) throw stopping();
    if (!this.#isKnown(type)) throw new Error(`no job type ${type}`);
    const waiting = this.#queued.size;
    if (waiting >= this.#options.maxQueued()) {
      throw new Fault('rateLimited', `${amount(waiting, 'job is', 'jobs are')} waiting already`, {
        retryAfterSeconds: 10,
      });
    }
    const job = newJob(this.#options.newId(), type, subject, this.#nowMs());
    const active = activeJob(job, subject.isForWaiters === true);
    this.#queued.set(active.job.id, active);
    this.#keep(active, {});
    queueMicrotask(() => this.#startNext());
    return active.job;
  }

  get(id: string): StoredJob | undefined {
    const active = this.#active(id);
    return active === undefined ? this.#saved.job(id) : this.#told(active);
  }

  list(filter: JobFilter): { readonly jobs: readonly StoredJob[]; readonly total: number } {
    const { jobs, total } = this.#saved.jobs(filter);
    // Progress between states is told from memory: the file hears of it now and then.
    const told = (job: StoredJob): StoredJob => {
      const active = this.#active(job.id);
      return active === undefined ? job : this.#told(active);
    };
    return { jobs: jobs.map(told), total };
  }

  addOnce(type: string, subject: JobSubject & { readonly repo: string }): StoredJob {
    const known = this.#find(type, subject.repo, subject.input);
    if (known === undefined) return this.add(type, subject);
    known.isForWaiters &&= subject.isForWaiters === true;
    return known.job;
  }

  findActive(type: string, repo: string, input: unknown): StoredJob | undefined {
    return this.#find(type, repo, input)?.job;
  }

  cancel(id: string): StoredJob {
    const active = this.#active(id);
    if (active === undefined) throw endedAlready(this.#ended(id));
    this.#cut(active, { state: 'cancelled' });
    return active.job;
  }

  cancelAllOf(repo: string): void {
    for (const active of this.#all()) if (active.job.repo === repo) this.#cut(active, { state: 'cancelled' });
  }

  async ended(id: string, signal: AbortSignal): Promise<StoredJob> {
    const active = this.#active(id);
    if (active !== undefined) {
      const end = endOf(active, signal).finally(() => this.#leave(active));
      if (this.#isWindingDown) this.#windDown();
      return end;
    }
    const job = this.#ended(id);
    // What waits for the next daemon has not ended.
    if (job.state === 'queued') throw stopping();
    return job;
  }

  counts(): { readonly queued: number; readonly running: number } {
    return { queued: this.#queued.size, running: this.#running.size };
  }

  recover(): void {
    const { store } = this.#options;
    const ran = store.jobs({ state: 'running', limit: mostRecovered }).jobs;
    const waited = [...store.jobs({ state: 'queued', limit: mostRecovered }).jobs].reverse();
    const completedAt = this.#nowMs();
    for (const job of ran) store.saveJob({ ...job, ...interrupted, completedAt });
    for (const job of waited) {
      if (this.#isKnown(job.type) && this.#options.outlives?.(job) !== false)
        this.#queued.set(job.id, activeJob(job, false));
      else store.saveJob({ ...job, ...interrupted, completedAt });
    }
    queueMicrotask(() => this.#startNext());
  }

  windDown(): void {
    this.#isWindingDown = true;
    this.#windDown();
  }

  async close(graceMs: number): Promise<void> {
    this.#isWindingDown = true;
    this.#isClosing = true;
    // What waits stays queued in the file and runs after the next start, where it may be waited for again.
    for (const active of this.#queued.values()) sayGoodbye(active);
    this.#queued.clear();
    if (graceMs > 0) await this.#awaitedEnd(graceMs);
    for (const active of [...this.#running.values()]) {
      sayGoodbye(active);
      this.#cut(active, interrupted);
    }
    this.#saved.close();
  }

  async #awaitedEnd(graceMs: number): Promise<void> {
    const timeIsUp = new AbortController();
    const cancel = this.#options.clock.after(graceMs, () => timeIsUp.abort());
    const awaited = [...this.#running.values()].filter(({ waiters }) => waiters.size > 0);
    await Promise.allSettled(awaited.map(active => endOf(active, timeIsUp.signal)));
    cancel();
  }

  #all(): readonly ActiveJob[] {
    return [...this.#running.values(), ...this.#queued.values()];
  }

  #find(type: string, repo: string, input: unknown): ActiveJob | undefined {
    const wanted = JSON.stringify(input);
    return this.#all().find(
      ({ job }) => job.type === type && job.repo === repo && JSON.stringify(job.input) === wanted,
    );
  }

  #active(id: string): ActiveJob | undefined {
    return this.#running.get(id) ?? this.#queued.get(id);
  }

  #ended(id: string): StoredJob {
    const job = this.#saved.job(id);
    if (job === undefined) throw unknownJob(id);
    return job;
  }

  #windDown(): void {
    for (const active of this.#queued.values()) if (this.#options.isBackground(active.job)) sayGoodbye(active);
    this.#startNext();
  }

  #startNext(): void {
    for (const [id, active] of this.#queued) {
      if (this.#isClosing) return;
      if (this.#isWindingDown && active.waiters.size === 0) continue;
      if (this.#before(active).length > 0) continue;
      this.#queued.delete(id);
      this.#running.set(id, active);
      this.#keep(active, { state: 'running', startedAt: this.#nowMs() });
      void this.#perform(active);
    }
  }

  /** The running jobs of which one must end before this one may begin; none where it may. */
  #before(active: ActiveJob): readonly ActiveJob[] {
    const { isBackground, isLarge, width } = this.#options;
    const beside = [...this.#running.values()].filter(({ job }) => isBackground(job) === isBackground(active.job));
    if (beside.length >= (isBackground(active.job) ? 1 : width)) return beside;
    active.isLarge ??= isLarge(active.job);
    return active.isLarge ? beside.filter(other => other.isLarge) : [];
  }

  /** A job as callers are told of it: of one that waits, for what. */
  #told(active: ActiveJob): StoredJob {
    const [first] = this.#queued.has(active.job.id) ? this.#before(active) : [];
    if (first === undefined) return active.job;
    const { isBackground, nameOf } = this.#options;
    const ahead = [...this.#queued.values()].filter(({ job }) => isBackground(job) === isBackground(active.job));
    const more = ahead.indexOf(active);
    const others = more === 0 ? '' : `, then for ${amount(more, 'job')} before this one`;
    return { ...active.job, message: `Waiting for ${nameOf(first.job)}${others}` };
  }

  #leave(active: ActiveJob): void {
    const isUnwanted = active.isForWaiters && active.waiters.size === 0 && this.#queued.has(active.job.id);
    if (isUnwanted && !this.#isWindingDown) this.#cut(active, { state: 'cancelled' });
  }

  async #perform(active: ActiveJob): Promise<void> {
    const { job, abort } = active;
    try {
      const result = await this.#options.runs[job.type]!({
        job,
        signal: abort.signal,
        report: (fraction, message) => this.#report(active, fraction, message),
      });
      this.#end(active, { state: 'completed', progress: 100, result });
    } catch (error) {
      this.#end(active, { state: 'failed', error: publicError(error) });
      const cause = causeOf(error);
      if (cause !== undefined && error !== abort.signal.reason)
        this.#options.observe({ kind: 'daemon.fault', what: `job ${job.type}`, cause });
    }
  }

  #report(active: ActiveJob, fraction: number, message: string): void {
    if (!this.#running.has(active.job.id)) return;
    const progress = Math.max(active.job.progress, Math.min(99, Math.floor(fraction * 100)));
    if (progress === active.job.progress && message === active.job.message) return;
    const isFurther = progress > active.job.progress;
    active.job = { ...active.job, progress, message };
    this.#announce(active.job);
    if (isFurther) this.#notes.further(active.job.id, () => active.job);
  }

  /** Ends a job before its run does. */
  #cut(active: ActiveJob, ending: Partial<StoredJob>): void {
    this.#end(active, ending);
    active.abort.abort();
  }

  /** The first ending counts: a run that ends after its cancellation changes nothing. */
  #end(active: ActiveJob, ending: Partial<StoredJob>): void {
    const { id } = active.job;
    if (!this.#running.delete(id) && !this.#queued.delete(id)) return;
    this.#notes.forget(id);
    this.#keep(active, { ...ending, completedAt: this.#nowMs() });
    for (const { settle } of active.waiters) settle(active.job);
    queueMicrotask(() => this.#startNext());
  }

  #keep(active: ActiveJob, change: Partial<StoredJob>): void {
    active.job = { ...active.job, ...change };
    this.#saved.save(active.job);
    this.#announce(active.job);
  }

  #announce({ id, type, state, progress, message, repo }: StoredJob): void {
    this.#options.observe({
      kind: 'job.changed',
      id,
      type,
      status: state,
      progress,
      ...(message === undefined ? {} : { message }),
      ...(repo === undefined ? {} : { repo }),
    });
  }

  #isKnown(type: string): boolean {
    return Object.hasOwn(this.#options.runs, type);
  }

  #nowMs(): number {
    return this.#options.clock.now().getTime();
  }
}

function newJob(id: string, type: string, { repo, input }: JobSubject, createdAt: number): StoredJob {
  return {
    id,
    type,
    repo,
    state: 'queued',
    progress: 0,
    message: undefined,
    input,
    result: undefined,
    error: undefined,
    createdAt,
    startedAt: undefined,
    completedAt: undefined,
  };
}

/** As many as `limits.queued_jobs` may allow. */
const mostRecovered = 1_000_000;

const interrupted: Partial<StoredJob> = {
  state: 'failed',
  error: { code: 'interrupted', message: 'The daemon stopped while the job ran' },
};

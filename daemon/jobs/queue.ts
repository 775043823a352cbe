import { amount } from '../../client/protocol/amount.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { Clock } from '../clock.ts';
import type { Observe } from '../events.ts';
import type { DaemonDatabase, StoredJob, StoredJobState } from '../store/daemon-db.ts';

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
  add(type: string, subject: { readonly repo?: string; readonly input?: unknown }): StoredJob;
  get(id: string): StoredJob | undefined;
  list(filter: { readonly state?: StoredJobState; readonly type?: string; readonly limit: number }): {
    readonly jobs: readonly StoredJob[];
    readonly total: number;
  };
  /** The queued or running job of this type and repository whose input is the same. */
  findActive(type: string, repo: string, input: unknown): StoredJob | undefined;
  /** Throws `resourceNotFound`, or `preconditionFailed` with `details.status` for a job that has ended. */
  cancel(id: string): StoredJob;
  /** Resolves when the job has ended; rejects with the signal's reason. */
  ended(id: string, signal: AbortSignal): Promise<StoredJob>;
  counts(): { readonly queued: number; readonly running: number };
  /** After a restart: what ran is `failed` with code `interrupted`, what was queued is queued again. */
  recover(): void;
  /** Starts no more; what runs is cancelled and marked `failed`, `interrupted`. Resolves when all has ended. */
  close(): Promise<void>;
}

export interface JobQueueOptions {
  readonly store: Pick<DaemonDatabase, 'saveJob' | 'job' | 'jobs'>;
  readonly runs: Readonly<Record<string, JobRun>>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Asked at each new one. */
  readonly maxQueued: () => number;
  /** Jobs that run at the same time. */
  readonly width: number;
  /** Of those that take much memory and time one runs at a time, and others pass them by. Asked once of each job. */
  readonly isLarge: (job: StoredJob) => boolean;
  readonly observe: Observe;
}

interface ActiveJob {
  job: StoredJob;
  readonly abort: AbortController;
  ending: 'cancelled' | 'interrupted' | undefined;
  isLarge?: boolean;
}

export function createJobQueue(options: JobQueueOptions): JobQueue {
  const { store, clock } = options;
  const queued = new Map<string, ActiveJob>();
  const running = new Map<string, ActiveJob>();
  const waiters = new Map<string, Set<(job: StoredJob) => void>>();
  let isClosed = false;

  return {
    add(type, { repo, input }) {
      if (isClosed) throw new Fault('shuttingDown', 'The daemon is stopping', { retryAfterSeconds: 1 });
      if (!Object.hasOwn(options.runs, type)) throw new Error(`no job type ${type}`);
      if (queued.size >= options.maxQueued()) {
        throw new Fault('rateLimited', `${amount(queued.size, 'job is', 'jobs are')} waiting already`, {
          retryAfterSeconds: 10,
        });
      }
      const job: StoredJob = {
        id: options.newId(),
        type,
        repo,
        state: 'queued',
        progress: 0,
        message: undefined,
        input,
        result: undefined,
        error: undefined,
        createdAt: clock.now().getTime(),
        startedAt: undefined,
        completedAt: undefined,
      };
      const active: ActiveJob = { job, abort: new AbortController(), ending: undefined };
      queued.set(job.id, active);
      keep(active, {});
      queueMicrotask(startNext);
      return job;
    },
    get: id => activeJob(id)?.job ?? store.job(id),
    list(filter) {
      const { jobs, total } = store.jobs(filter);
      // Progress between states is told from memory: the file hears of states alone.
      return { jobs: jobs.map(job => activeJob(job.id)?.job ?? job), total };
    },
    findActive(type, repo, input) {
      const wanted = JSON.stringify(input);
      for (const { job } of [...running.values(), ...queued.values()]) {
        if (job.type === type && job.repo === repo && JSON.stringify(job.input) === wanted) return job;
      }
      return undefined;
    },
    cancel(id) {
      const active = activeJob(id);
      if (active !== undefined && active.ending === undefined) {
        active.ending = 'cancelled';
        active.abort.abort();
        end(active, { state: 'cancelled' });
        return active.job;
      }
      const ended = store.job(id);
      if (ended === undefined) throw unknownJob(id);
      throw endedAlready(ended);
    },
    ended(id, signal) {
      const active = activeJob(id);
      if (active === undefined) {
        const job = store.job(id);
        return job === undefined ? Promise.reject(unknownJob(id)) : Promise.resolve(job);
      }
      return new Promise((resolve, reject) => {
        const listeners = waiters.get(id) ?? new Set();
        waiters.set(id, listeners);
        const onAbort = () => {
          listeners.delete(settle);
          reject(signal.reason);
        };
        const settle = (job: StoredJob) => {
          signal.removeEventListener('abort', onAbort);
          resolve(job);
        };
        if (signal.aborted) return onAbort();
        listeners.add(settle);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
    counts: () => ({ queued: queued.size, running: running.size }),
    recover,
    async close() {
      isClosed = true;
      // What waits stays queued in the file and runs after the next start.
      queued.clear();
      const ending = [...running.values()];
      for (const active of ending) {
        active.ending ??= 'interrupted';
        active.abort.abort();
      }
      for (const active of ending) end(active, interrupted);
    },
  };

  function activeJob(id: string): ActiveJob | undefined {
    return running.get(id) ?? queued.get(id);
  }

  function recover(): void {
    for (const job of store.jobs({ state: 'running', limit: 10_000 }).jobs) {
      store.saveJob({ ...job, ...interrupted, completedAt: clock.now().getTime() });
    }
    const left = [...store.jobs({ state: 'queued', limit: 10_000 }).jobs].reverse();
    for (const job of left) {
      if (Object.hasOwn(options.runs, job.type)) {
        queued.set(job.id, { job, abort: new AbortController(), ending: undefined });
      } else store.saveJob({ ...job, ...interrupted, completedAt: clock.now().getTime() });
    }
    queueMicrotask(startNext);
  }

  function startNext(): void {
    for (const [id, active] of queued) {
      if (isClosed || running.size >= options.width) return;
      if (!hasRoom(active)) continue;
      queued.delete(id);
      running.set(id, active);
      keep(active, { state: 'running', startedAt: clock.now().getTime() });
      void perform(active);
    }
  }

  function hasRoom(active: ActiveJob): boolean {
    active.isLarge ??= options.isLarge(active.job);
    return !active.isLarge || ![...running.values()].some(other => other.isLarge);
  }

  async function perform(active: ActiveJob): Promise<void> {
    try {
      const result = await options.runs[active.job.type]!({
        job: active.job,
        signal: active.abort.signal,
        report: (fraction, message) => {
          if (!running.has(active.job.id)) return;
          const progress = Math.max(active.job.progress, Math.min(99, Math.floor(fraction * 100)));
          if (progress === active.job.progress && message === active.job.message) return;
          active.job = { ...active.job, progress, message };
          announce(active.job);
        },
      });
      end(active, { state: 'completed', progress: 100, result });
    } catch (error) {
      end(active, { state: 'failed', error: publicError(error) });
      if (!(error instanceof Fault))
        options.observe({ kind: 'daemon.fault', what: `job ${active.job.type}`, cause: error });
    }
  }

  /** The first ending counts: a run that ends after its cancellation changes nothing. */
  function end(active: ActiveJob, ending: Partial<StoredJob>): void {
    const { id } = active.job;
    if (!running.delete(id) && !queued.delete(id)) return;
    keep(active, { ...ending, completedAt: clock.now().getTime() });
    for (const settle of waiters.get(id) ?? []) settle(active.job);
    waiters.delete(id);
    queueMicrotask(startNext);
  }

  function keep(active: ActiveJob, change: Partial<StoredJob>): void {
    active.job = { ...active.job, ...change };
    try {
      store.saveJob(active.job);
    } catch (error) {
      // A full disk must not stop the work; the job is told from memory as long as it lives.
      options.observe({ kind: 'daemon.fault', what: 'a job could not be saved', cause: error });
    }
    announce(active.job);
  }

  function announce({ id, type, state, progress, message, repo }: StoredJob): void {
    options.observe({
      kind: 'job.changed',
      id,
      type,
      status: state,
      progress,
      ...(message === undefined ? {} : { message }),
      ...(repo === undefined ? {} : { repo }),
    });
  }
}

const interrupted: Partial<StoredJob> = {
  state: 'failed',
  error: { code: 'interrupted', message: 'The daemon stopped while the job ran' },
};

function publicError(error: unknown): { code: string; message: string } {
  return error instanceof Fault
    ? { code: error.row.code, message: error.message }
    : { code: 'OPERATION_FAILED', message: 'The job failed; the log has the cause' };
}

function endedAlready({ id, state }: StoredJob): Fault {
  return new Fault('preconditionFailed', `The job is ${state} already`, {
    details: { status: state },
    suggestedFixes: [{ type: 'run-command', command: `svc job ${id}`, safe: true, description: 'Show how it ended' }],
    drilldowns: [{ label: 'How it ended', query: `/jobs/${id}` }],
  });
}

export function unknownJob(id: string): Fault {
  return new Fault('resourceNotFound', `There is no job ${JSON.stringify(id)}`, {
    suggestedFixes: [{ type: 'run-command', command: 'svc jobs', safe: true, description: 'Show the latest jobs' }],
    drilldowns: [{ label: 'The latest jobs', query: '/jobs' }],
  });
}

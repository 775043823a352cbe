import { type Clock, systemClock } from '../../../daemon/clock.ts';
import { createJobQueue, type JobContext, type JobQueue, type JobRun } from '../../../daemon/jobs/queue.ts';
import { type DaemonDatabase, openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import { type Cleanup, temporaryFolder } from '../../support/repository.ts';

/** A queue over a real database whose jobs end as the test says. */
export interface Bench {
  /** Of the life that the process is in. */
  readonly queue: JobQueue;
  readonly database: DaemonDatabase;
  /** Runs under way, by job id, each to be ended by the test. */
  readonly runs: Map<string, { succeed(): void; fail(error: Error): void; context: JobContext }>;
  readonly states: { id: string; state: string }[];
  /** What went to the log. */
  readonly faults: unknown[];
  /** Ends the process as a signal that nobody hears does, with all that ran and was about to be noted, and begins the next. */
  dieAndRecover(): void;
}

interface BenchOptions {
  readonly file?: string;
  readonly maxQueued?: number;
  readonly clock?: Clock;
}

export function bench(context: Cleanup, { file, maxQueued = 1000, clock = systemClock }: BenchOptions = {}): Bench {
  const database = openDaemonDatabase(file ?? `${temporaryFolder(context).root}/daemon.db`);
  context.after(() => database.close());
  const runs: Bench['runs'] = new Map();
  const states: Bench['states'] = [];
  const faults: unknown[] = [];
  let last = 0;
  let lives = 0;
  const born = (): JobQueue => {
    const life = ++lives;
    const run: JobRun = context =>
      new Promise((resolve, reject) => {
        runs.set(context.job.id, { succeed: () => resolve({ done: context.job.id }), fail: reject, context });
      });
    return createJobQueue({
      store: database,
      runs: { test: run, background: run },
      clock: { ...clock, after: (ms, callback) => clock.after(ms, () => life === lives && callback()) },
      newId: () => `job-${process.pid}-${String(++last).padStart(6, '0')}-${Math.random()}`,
      maxQueued: () => maxQueued,
      width: 2,
      isLarge: ({ input }) => (input as { large?: boolean } | undefined)?.large === true,
      isBackground: ({ type }) => type === 'background',
      nameOf: ({ type, repo, message }) => `${message ?? type} in ${repo}`,
      observe: seen => {
        if (seen.kind === 'job.changed') states.push({ id: seen.id, state: seen.status });
        if (seen.kind === 'daemon.fault') faults.push(seen.cause);
      },
    });
  };
  let queue = born();
  return {
    get queue() {
      return queue;
    },
    ...{ database, runs, states, faults },
    dieAndRecover() {
      runs.clear();
      queue = born();
      queue.recover();
    },
  };
}

/** Lets all that was promised settle. */
export const turn = () => new Promise(resolve => setImmediate(resolve));

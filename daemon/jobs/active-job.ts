import type { StoredJob } from '../store/daemon-db.ts';
import { stopping } from './job-faults.ts';

/** A job that waits or runs. */
export interface ActiveJob {
  job: StoredJob;
  readonly abort: AbortController;
  readonly waiters: Set<Waiter>;
  isForWaiters: boolean;
  isLarge?: boolean;
}

export interface Waiter {
  readonly settle: (ended: StoredJob) => void;
  readonly fail: (reason: unknown) => void;
}

export function activeJob(job: StoredJob, isForWaiters: boolean): ActiveJob {
  return { job, abort: new AbortController(), waiters: new Set(), isForWaiters };
}

/** Waits for the end of a job; rejects with the signal's reason. */
export function endOf(active: ActiveJob, signal: AbortSignal): Promise<StoredJob> {
  return new Promise((resolve, reject) => {
    const onAbort = () => waiter.fail(signal.reason);
    const leave = () => {
      active.waiters.delete(waiter);
      signal.removeEventListener('abort', onAbort);
    };
    const waiter: Waiter = {
      settle(job) {
        leave();
        resolve(job);
      },
      fail(reason) {
        leave();
        reject(reason);
      },
    };
    if (signal.aborted) return onAbort();
    active.waiters.add(waiter);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Tells those who wait that this daemon will not see the end. */
export function sayGoodbye({ waiters }: ActiveJob): void {
  for (const { fail } of waiters) fail(stopping());
}

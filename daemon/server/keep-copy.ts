import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import type { Observation, Observe } from '../events.ts';
import { isOutOfDescriptors } from '../model/shortage.ts';
import type { DaemonDatabase } from '../store/daemon-db.ts';
import type { StoreError } from '../store/store-faults.ts';
import { entryOf } from '../workers/entry.ts';
import { systemCode } from '../workers/port.ts';

/** Keeps the copy of `daemon.db` from which a damaged one is restored. */
export interface KeepCopy {
  /** Hears of what changes the database. */
  readonly observe: Observe;
  /** Calls were counted, as they are every minute where production tells of them: a copy an hour has them. */
  readonly counted: () => void;
  /** Whether the last one could not be made: it is tried again. */
  readonly isFailing: () => boolean;
  /** Makes the copy that is due, and no more after that. Resolves when none is being made. */
  close(): Promise<void>;
}

export interface KeepCopyOptions {
  readonly database: Pick<DaemonDatabase, 'backup' | 'file'>;
  /** Copies without holding this thread up. */
  readonly copyAside: () => Promise<void>;
  readonly clock: Clock;
  /** Told of a copy that could not be made. */
  readonly observe: Observe;
}

/** A change rarely comes alone. */
const settleMs = 2000;
const leastBetweenMs = 3 * 60_000;
const betweenCountsMs = 60 * 60_000;

/** Copies soon after a change, and at most every three minutes; where nothing changes, nothing is done. */
export function keepCopy({ database, copyAside, clock, observe }: KeepCopyOptions): KeepCopy {
  let copiedAtMs = Number.NEGATIVE_INFINITY;
  let dueMs = Number.POSITIVE_INFINITY;
  let callOff: (() => void) | undefined;
  let copying: Promise<void> | undefined;
  let isClosed = false;
  let isFailing = false;

  const failed = (cause: unknown): void => {
    // Want of descriptors is no fault of the copy's: doctor has a check of it.
    isFailing = !isOutOfDescriptors(cause) && (cause as Partial<StoreError>).trouble !== 'shortage';
    observe({ kind: 'daemon.fault', what: 'daemon.db could not be copied', cause });
    copyAfter(leastBetweenMs);
  };
  const succeeded = (): void => {
    isFailing = false;
  };
  const copy = (): void => {
    callOff = undefined;
    dueMs = Number.POSITIVE_INFINITY;
    copiedAtMs = clock.monotonicMs();
    copying = copyAside().then(succeeded, failed);
  };
  /** Unless one is due before that. */
  const copyAfter = (betweenMs: number): void => {
    const nowMs = clock.monotonicMs();
    const atMs = Math.max(nowMs + settleMs, copiedAtMs + betweenMs);
    if (isClosed || atMs >= dueMs) return;
    callOff?.();
    dueMs = atMs;
    callOff = clock.after(atMs - nowMs, copy);
  };
  if (!existsSync(`${database.file}.backup`)) copyAfter(leastBetweenMs);
  return {
    observe: observation => {
      if (changesDatabase(observation)) copyAfter(leastBetweenMs);
    },
    counted: () => copyAfter(betweenCountsMs),
    isFailing: () => isFailing,
    async close() {
      isClosed = true;
      callOff?.();
      await copying;
      if (callOff === undefined) return;
      callOff = undefined;
      try {
        database.backup();
      } catch (cause) {
        failed(cause);
      }
    },
  };
}

/** Copies a `daemon.db` in a thread of its own, which ends with it. */
export function copyInThread(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(entryOf('copy'), { workerData: { file } });
    worker.once('error', error => reject(Object.assign(error, { code: systemCode(error) })));
    worker.once('exit', () => resolve());
  });
}

function changesDatabase({ kind }: Observation): boolean {
  return (
    kind === 'repository.changed' ||
    kind === 'key.changed' ||
    kind === 'snapshot.published' ||
    kind === 'job.changed' ||
    kind === 'input.quarantined'
  );
}

import type { Clock } from './clock.ts';

/**
 * Kernel watches are few, and shared with the user's editor. The budget knows when they ran out, and asks again every
 * half minute: folders without a watch are polled until then.
 */
export interface WatchBudget {
  /** Whether it is worth asking the kernel for a watch now. */
  available(): boolean;
  taken(): void;
  released(): void;
  /** The kernel refused one. */
  refused(): void;
  close(): void;
}

export interface BudgetOptions {
  readonly clock: Clock;
  /** Watches at most; default what the kernel gives. */
  readonly limit?: number | undefined;
  /** Watches may be had again, perhaps: folders that are polled should try. */
  readonly onRelief: () => void;
}

const retryMs = 30_000;

export function createWatchBudget({ clock, limit = Number.POSITIVE_INFINITY, onRelief }: BudgetOptions): WatchBudget {
  let used = 0;
  let exhausted = false;
  let cancelRetry = () => {};
  const retry = (): void => {
    cancelRetry();
    exhausted = false;
    onRelief();
  };
  const refused = (): void => {
    if (exhausted) return;
    exhausted = true;
    cancelRetry();
    cancelRetry = clock.after(retryMs, retry);
  };
  return {
    available() {
      if (used >= limit) refused();
      return !exhausted;
    },
    taken: () => {
      used++;
    },
    released: () => {
      used--;
    },
    refused,
    close: () => cancelRetry(),
  };
}

/** What the kernel says when watches, instances or descriptors ran out. */
export function isOutOfWatches(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOSPC' || isShortage(error);
}

/** No descriptor or memory to be had: what was looked at is not gone, it could not be seen. */
export function isShortage(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM';
}

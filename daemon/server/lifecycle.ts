import { type Clock, every } from '../clock.ts';
import type { Observe } from '../events.ts';

/** The steps of leaving, in their order. */
export interface Departure {
  /** No new connection from now on, and no new request. */
  readonly refuse: () => void;
  /**
   * Lets what only a leader can do end, until then; ends jobs, watching and the writer, and gives up leadership: a new
   * daemon may begin while other requests finish.
   */
  readonly resign: (deadlineMs: number) => Promise<void>;
  readonly requestsInFlight: () => number;
  /** Closes HTTP listeners; what still runs at the deadline is told so. */
  readonly closeListeners: (deadlineMs: number) => Promise<void>;
  /** Tells the remaining requests, and closes files. */
  readonly finish: () => Promise<void>;
}

export interface LifecycleOptions {
  readonly clock: Clock;
  readonly observe: Observe;
  readonly drainMs: () => number;
  readonly departure: Departure;
  readonly holdsLock: () => boolean;
  readonly lockCheckMs: number;
}

export interface Lifecycle {
  /** Begins to leave. Asked again by whoever wants it too, it goes on as it was; it ends with the highest `exitCode`. */
  leave(cause: string, exitCode?: number): void;
  /** As `leave`; a second time, leaves now: somebody lost patience. */
  urge(cause: string, exitCode?: number): void;
  /** Leaves when `isIdle` has held for `idleMs` without a break; 0: never. */
  leaveWhenIdle(isIdle: () => boolean, idleMs: () => number): void;
  isLeaving(): boolean;
  /** The process's exit code, when it may end. */
  readonly ended: Promise<number>;
}

/** Another leader holds the lock: this process is one too many. */
const lockLost = 75;
const cutShort = 1;
const idleLookMs = 10_000;
/** What listeners may take after the deadline to tell those whom they cut off. What answers them ends after that: else it would fail them. */
const partingMs = 500;

export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { clock, observe, departure } = options;
  let isLeaving = false;
  let isUrged = false;
  let endsWith = 0;
  let settle: (exitCode: number) => void = () => {};
  const ended = new Promise<number>(resolve => {
    settle = resolve;
  });
  const stopLooking = [
    every(clock, options.lockCheckMs, () => {
      if (!isLeaving && !options.holdsLock()) leave('the lock was lost', lockLost);
    }),
  ];

  function leave(cause: string, exitCode = 0): void {
    endsWith = Math.max(endsWith, exitCode);
    if (isLeaving) return;
    isLeaving = true;
    for (const stop of stopLooking) stop();
    observe({ kind: 'daemon.draining', cause, exitCode });
    void drain();
  }

  function urge(cause: string, exitCode?: number): void {
    if (isUrged) settle(cutShort);
    isUrged = true;
    leave(cause, exitCode);
  }

  async function drain(): Promise<void> {
    const endsAtMs = clock.monotonicMs() + options.drainMs();
    const leftMs = () => Math.max(0, endsAtMs - clock.monotonicMs());
    departure.refuse();
    const resigned = departure
      .resign(leftMs())
      .catch((cause: unknown) => observe({ kind: 'daemon.fault', what: 'resigning', cause }));
    const listening = departure.closeListeners(leftMs()).catch(() => {});
    const parted = Promise.race([Promise.all([resigned, listening]), passed(leftMs() + partingMs)]);
    await Promise.all([parted, quiet(leftMs)]);
    await departure.finish().catch((cause: unknown) => observe({ kind: 'daemon.fault', what: 'leaving', cause }));
    settle(endsWith);
  }

  /** Resolves when no request is in flight, or when time is up. */
  async function quiet(leftMs: () => number): Promise<void> {
    while (departure.requestsInFlight() > 0 && leftMs() > 0) await passed(Math.min(10, leftMs()));
  }

  function passed(ms: number): Promise<void> {
    return new Promise(resolve => void clock.after(ms, resolve));
  }

  return {
    leave,
    urge,
    isLeaving: () => isLeaving,
    ended,
    leaveWhenIdle(isIdle, idleMs) {
      let busyAtMs = clock.monotonicMs();
      stopLooking.push(
        every(clock, idleLookMs, () => {
          const nowMs = clock.monotonicMs();
          if (!isIdle() || idleMs() === 0) busyAtMs = nowMs;
          else if (nowMs - busyAtMs >= idleMs()) leave('idle');
        }),
      );
    },
  };
}

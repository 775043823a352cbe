/** Time as a parameter: deadlines count on `monotonicMs`, which no change of the system's clock moves; `now` is for people. */
export interface Clock {
  now(): Date;
  monotonicMs(): number;
  /** Calls back once after `ms`; the returned function calls it off. A waiting callback does not keep the process alive. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/**
 * The time of day for whoever deletes what is old: a clock that is set ahead while the process runs makes nothing older.
 * Milliseconds since 1970.
 */
export function unhurried(clock: Pick<Clock, 'now' | 'monotonicMs'>): () => number {
  const beganMs = clock.now().getTime() - clock.monotonicMs();
  return () => Math.min(clock.now().getTime(), beganMs + clock.monotonicMs());
}

/** The milliseconds that have passed since the call, whatever is done to the time of day. */
export function stopwatch(clock: Pick<Clock, 'monotonicMs'>): () => number {
  const beganMs = clock.monotonicMs();
  return () => clock.monotonicMs() - beganMs;
}

/** Calls back every `ms` until the returned function is called. */
export function every(clock: Clock, ms: number, callback: () => void): () => void {
  let cancel = clock.after(ms, tick);
  let stopped = false;
  function tick(): void {
    callback();
    if (!stopped) cancel = clock.after(ms, tick);
  }
  return () => {
    stopped = true;
    cancel();
  };
}

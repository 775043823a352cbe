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

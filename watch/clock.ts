import { performance } from 'node:perf_hooks';

/** Time as a parameter: monotonic, so that nobody who sets the wall clock changes how long anything waits. */
export interface Clock {
  /** Milliseconds since some moment in the past. */
  now(): number;
  /** Runs `act` once after `ms`; returns the way to call it off. Does not keep the process alive. */
  after(ms: number, act: () => void): () => void;
}

export const monotonicClock: Clock = {
  now: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

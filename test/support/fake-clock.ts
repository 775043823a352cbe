import type { Clock } from '../../daemon/clock.ts';

/** A clock that moves when told to. */
export interface FakeClock extends Clock {
  /** Moves time on, calling back what falls due, in its order; promises settle between. */
  advance(ms: number): Promise<void>;
  /** Sets the time of day by so much, as a user would: nothing falls due. */
  set(byMs: number): void;
}

export function fakeClock(startMs = Date.UTC(2030, 0, 1)): FakeClock {
  let monotonic = 0;
  let setMs = 0;
  let waiting: { readonly atMs: number; readonly callback: () => void }[] = [];
  const settled = () => new Promise(resolve => setImmediate(resolve));
  return {
    now: () => new Date(startMs + monotonic + setMs),
    monotonicMs: () => monotonic,
    after(ms, callback) {
      const timer = { atMs: monotonic + ms, callback };
      waiting.push(timer);
      return () => {
        waiting = waiting.filter(one => one !== timer);
      };
    },
    async advance(ms) {
      const endsAt = monotonic + ms;
      for (;;) {
        await settled();
        const [next] = waiting.filter(({ atMs }) => atMs <= endsAt).sort((a, b) => a.atMs - b.atMs);
        if (next === undefined) break;
        waiting = waiting.filter(one => one !== next);
        monotonic = Math.max(monotonic, next.atMs);
        next.callback();
      }
      monotonic = endsAt;
      await settled();
    },
    set(byMs) {
      setMs += byMs;
    },
  };
}

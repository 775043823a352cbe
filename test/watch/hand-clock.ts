import type { Clock } from '../../watch/clock.ts';

/** Time that stands until it is moved; what is due runs late, once, as timers do on a loop that stood still. */
export function handClock(): Clock & { move(ms: number): void } {
  let now = 0;
  let waiting: { readonly at: number; readonly act: () => void }[] = [];
  return {
    now: () => now,
    after(ms, act) {
      const timer = { at: now + ms, act };
      waiting.push(timer);
      return () => {
        waiting = waiting.filter(other => other !== timer);
      };
    },
    move(ms) {
      now += ms;
      const due = waiting.filter(({ at }) => at <= now);
      waiting = waiting.filter(({ at }) => at > now);
      for (const { act } of due) act();
    },
  };
}

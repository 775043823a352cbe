import type { Clock } from '../clock.ts';
import type { Observe } from '../events.ts';

/**
 * Lets whoever asks go first: even behind everybody in the queue for the processor, a program that is started costs a large
 * process milliseconds, and answers beside it come that much later.
 */
export interface BetweenQuestions {
  hear: Observe;
  /** Resolves once nobody has asked for a moment; after a while in any case, so that what waits gets done. Rejects where the signal fires. */
  wait(signal: AbortSignal): Promise<void>;
}

/** Who asks one thing mostly asks another. */
const momentMs = 3000;
const longestMs = 15_000;

export function betweenQuestions(clock: Clock): BetweenQuestions {
  let lastMs = Number.NEGATIVE_INFINITY;
  const rest = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        cancel();
        reject(signal.reason);
      };
      const cancel = clock.after(ms, () => {
        signal.removeEventListener('abort', leave);
        resolve();
      });
      signal.addEventListener('abort', leave, { once: true });
    });
  return {
    hear: seen => {
      if (seen.kind === 'request.finished') lastMs = clock.monotonicMs();
    },
    wait: async signal => {
      const until = clock.monotonicMs() + longestMs;
      for (;;) {
        signal.throwIfAborted();
        const nowMs = clock.monotonicMs();
        const leftMs = Math.min(lastMs + momentMs, until) - nowMs;
        if (leftMs <= 0) return;
        await rest(leftMs, signal);
      }
    },
  };
}

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Clock, every } from '../clock.ts';
import type { Observe } from '../events.ts';

/** How late the main thread comes to what waits for it, measured while there is something to do. */
export interface LoopDelay {
  /** Hears of work: measuring goes on until nothing has happened for a while. */
  readonly observe: Observe;
  /** At the 99th percentile since the start; 0 before anything happened. */
  percentile99Ms(): number;
  isMeasuring(): boolean;
}

const sampleMs = 20;
const restAfterMs = 5000;

/** Sampling wakes the process fifty times a second, which an idle daemon must not. */
export function loopDelay(clock: Clock): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: sampleMs });
  let happened = false;
  let stop: (() => void) | undefined;
  const look = (): void => {
    if (!happened) {
      histogram.disable();
      stop?.();
      stop = undefined;
    }
    happened = false;
  };
  return {
    observe() {
      happened = true;
      if (stop !== undefined) return;
      histogram.enable();
      stop = every(clock, restAfterMs, look);
    },
    // The histogram holds the time between two looks, the wanted one included.
    percentile99Ms: () => (histogram.count === 0 ? 0 : Math.max(0, histogram.percentile(99) / 1e6 - sampleMs)),
    isMeasuring: () => stop !== undefined,
  };
}

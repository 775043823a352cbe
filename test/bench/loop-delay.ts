import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a daemon by `node --import`: leaves the delay of its main thread's event loop since the last SIGUSR2 in the
 * file that `BENCH_LOOP_DELAY` names, as JSON in milliseconds, at each SIGUSR2.
 */
const file = process.env['BENCH_LOOP_DELAY'];
const resolutionMs = 2;
if (isMainThread && file !== undefined && process.argv.includes('run')) {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  process.on('SIGUSR2', () => {
    // What the timer itself waits for is no delay.
    const beyond = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolutionMs);
    writeFileSync(
      file,
      JSON.stringify({ p50: beyond(delay.percentile(50)), p99: beyond(delay.percentile(99)), max: beyond(delay.max) }),
    );
    delay.reset();
  });
}

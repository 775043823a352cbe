import { resolve } from 'node:path';
import { register, startBenchDaemon } from './bench-daemon.ts';
import { bench, benchArguments, figuresOf, pause, say } from './measure.ts';

/**
 * What a daemon takes that has indexed a repository and is asked nothing: after the first index, and started anew.
 *
 *   node dist/test/bench/idle.js [repository] [--settle 30] [--seconds 60]
 */
const { operands, flag } = benchArguments();
const root = resolve(operands[0] ?? '.');
const settleMs = flag('settle', 30) * 1000;
const seconds = flag('seconds', 60);

await bench(async cleanup => {
  const first = await startBenchDaemon(cleanup);
  await register(first, root);
  await measure('after the first index', first.pid);
  process.kill(first.pid, 'SIGTERM');
  const again = await startBenchDaemon(cleanup, first.home);
  await register(again, root);
  await measure('started anew', again.pid);
});

async function measure(label: string, pid: number): Promise<void> {
  await pause(settleMs);
  const before = figuresOf(pid);
  await pause(seconds * 1000);
  const after = figuresOf(pid);
  const perMinute = ((after.cpuSeconds - before.cpuSeconds) / seconds) * 60;
  say(label, `${Math.round(after.rssMb)} MB resident`, `${perMinute.toFixed(2)} CPU seconds a minute`);
}

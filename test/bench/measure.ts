import { readFileSync } from 'node:fs';
import type { Cleanup } from '../support/repository.ts';

/** What the benches share: figures of a process, of a list of times, and the end of what a run began. */

/** CPU seconds (user and system, all threads) and memory of a process, as the kernel counts them. */
export interface ProcessFigures {
  readonly cpuSeconds: number;
  readonly rssMb: number;
  readonly peakMb: number;
}

const ticksPerSecond = 100;

export function figuresOf(pid: number): ProcessFigures {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (key: string): number => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { cpuSeconds: cpuSecondsOf(pid), rssMb: mb('VmRSS'), peakMb: mb('VmHWM') };
}

export function cpuSecondsOf(pid: number): number {
  const [user, system] = ticksOf(pid);
  return (user + system) / ticksPerSecond;
}

/** CPU seconds of the children that this process has waited for. */
export function cpuSecondsOfChildren(): number {
  const [, , user, system] = ticksOf(process.pid);
  return (user + system) / ticksPerSecond;
}

/** utime, stime, cutime, cstime. */
function ticksOf(pid: number): [number, number, number, number] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program stands in brackets and may hold anything.
  const [user, system, childUser, childSystem] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return [Number(user), Number(system), Number(childUser), Number(childSystem)];
}

/** The value that this share of the sorted times does not exceed. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN;
}

export function median(times: readonly number[]): number {
  return quantile(times, 0.5);
}

/** `p50 1.2 ms  p95 … p99 … max …`. */
export function spread(times: readonly number[]): string {
  const at = (share: number): string => milliseconds(quantile(times, share));
  return `p50 ${at(0.5)}   p95 ${at(0.95)}   p99 ${at(0.99)}   max ${at(1)}   (${times.length})`;
}

/** Three significant digits are more than the clock is worth. */
export function milliseconds(ms: number): string {
  return `${ms.toPrecision(3).includes('e') ? Math.round(ms) : Number(ms.toPrecision(3))} ms`;
}

export function say(label: string, ...figures: readonly string[]): void {
  process.stdout.write(`${label.padEnd(36)} ${figures.join('   ')}\n`);
}

export async function timed<T>(work: () => Promise<T> | T): Promise<{ readonly value: T; readonly ms: number }> {
  const started = performance.now();
  const value = await work();
  return { value, ms: performance.now() - started };
}

/** Runs a bench and then, in reverse, whatever it said should come after it: also when it fails or is interrupted. */
export async function bench(run: (cleanup: Cleanup) => Promise<void>): Promise<void> {
  const after: (() => unknown)[] = [];
  const cleanup = { after: (work: () => unknown) => after.push(work) } as unknown as Cleanup;
  const end = async (): Promise<void> => {
    for (const work of after.splice(0).reverse()) await work();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void end().finally(() => process.exit(130)));
  try {
    await run(cleanup);
  } finally {
    await end();
  }
}

/** The arguments of this run: `--name value` pairs as `flag`, the rest in order. */
export function benchArguments(): {
  readonly operands: readonly string[];
  flag(name: string, fallback: number): number;
} {
  const flags = new Map<string, string>();
  const operands: string[] = [];
  const all = process.argv.slice(2);
  for (let at = 0; at < all.length; at++) {
    const word = all[at]!;
    if (word.startsWith('--')) flags.set(word.slice(2), all[++at] ?? '');
    else operands.push(word);
  }
  return { operands, flag: (name, fallback) => Number(flags.get(name) ?? fallback) };
}

export function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}

import { readFileSync } from 'node:fs';

/** What a watchdog looks at: a worker, while it is at one task. */
export interface Watched {
  /** As the kernel numbers it; undefined where the worker has not told. */
  readonly thread: number | undefined;
  /** The task, for its identity: another one starts the count anew, and the same one with another worker. */
  readonly task: object;
}

export interface WatchdogOptions {
  /** Of processor time, over one task. */
  readonly stuckAfterMs: number;
  /** Time between two looks. */
  readonly tickMs: number;
  /** Processor time that a thread of this process has had; undefined where nobody tells. */
  readonly threadCpuMs: (thread: number) => number | undefined;
}

export interface Watchdog {
  /** One look, each tick: whether the worker will come to no end. */
  isStuck(watched: Watched): boolean;
}

interface Count {
  readonly thread: number | undefined;
  readonly cpuMs: number | undefined;
  ticks: number;
}

/**
 * A machine that is busy with other things gives a thread this part of its time at the least. Past that a thread whose
 * processor time is not known counts as stuck, and one that waits for something that doesn't come.
 */
const leastShare = 1 / 20;

/**
 * Tells a worker that is stuck from one that is kept from working: what counts is the processor time that its thread has
 * had. Counts ticks, not hours: a process that was stopped or a machine that slept missed them, and so did its workers.
 */
export function createWatchdog({ stuckAfterMs, tickMs, threadCpuMs }: WatchdogOptions): Watchdog {
  const begun = new WeakMap<object, Count>();
  return {
    isStuck({ thread, task }) {
      const cpuMs = thread === undefined ? undefined : threadCpuMs(thread);
      const start = begun.get(task);
      if (start === undefined || start.thread !== thread) {
        begun.set(task, { thread, ticks: 0, cpuMs });
        return false;
      }
      start.ticks++;
      if (start.ticks * tickMs * leastShare > stuckAfterMs) return true;
      return cpuMs !== undefined && start.cpuMs !== undefined && cpuMs - start.cpuMs > stuckAfterMs;
    },
  };
}

/** The kernel counts in ticks of its own, a hundred a second wherever Node runs. */
const kernelTickMs = 10;

/** Linux tells; elsewhere undefined. */
export function threadCpuMs(thread: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1');
    // Behind the name, which may hold anything: user and system time are the 12th and 13th of what follows.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * kernelTickMs : undefined;
  } catch {
    return undefined;
  }
}

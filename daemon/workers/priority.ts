import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { kernelThread } from './thread.ts';

/**
 * Makes the calling thread yield to the others of the process, so that the main thread answers while files are parsed.
 * Linux keeps a priority per thread; elsewhere priorities belong to the process, and this does nothing. Call it from
 * synchronous code of the thread meant.
 */
export function lowerThreadPriority(niceness: number): void {
  const thread = kernelThread();
  if (thread === undefined || thread === process.pid) return;
  lower(thread, niceness);
}

/**
 * Makes the threads yield a little in which V8 collects the garbage of all others, most of it that of threads behind: they
 * would stand in the way of answers at no lower priority than these. To be called before any thread of ours is started.
 */
export function lowerCollectors(): void {
  if (kernelThread() === undefined) return;
  for (const thread of readdirSync('/proc/self/task').map(Number)) if (thread !== process.pid) lower(thread, 4);
}

function lower(thread: number, niceness: number): void {
  try {
    setPriority(thread, niceness);
  } catch {
    // The thread keeps its priority: slower answers under load, nothing worse.
  }
}

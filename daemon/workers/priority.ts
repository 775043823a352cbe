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
  try {
    setPriority(thread, niceness);
  } catch {
    // The thread keeps its priority: slower answers under load, nothing worse.
  }
}

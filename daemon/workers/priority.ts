import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Makes the calling thread yield to the others of the process, so that the main thread answers while files are parsed.
 * Linux keeps a priority per thread and names the calling one in /proc; elsewhere priorities belong to the process, and
 * this does nothing. Call it from synchronous code of the thread meant.
 */
export function lowerThreadPriority(niceness: number): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    if (thread > 0 && thread !== process.pid) setPriority(thread, niceness);
  } catch {
    // Without /proc the thread keeps its priority: slower answers under load, nothing worse.
  }
}

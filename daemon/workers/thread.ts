import { readlinkSync } from 'node:fs';
import type { Port } from './port.ts';

/** What a pool hears from its workers besides answers. */
export type ToPool = {
  /** Which thread the worker is, as the kernel numbers it. */
  readonly thread: (number: number) => void;
};

/** To be called first by whatever runs in a pool: a worker that doesn't tell is watched by the wall clock alone. */
export function tellThread(pool: Port<ToPool>): void {
  const thread = kernelThread();
  if (thread !== undefined) pool.tell('thread', thread);
}

/** The calling thread as Linux numbers it; undefined elsewhere. Call it from synchronous code of the thread meant. */
export function kernelThread(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    return thread > 0 ? thread : undefined;
  } catch {
    return undefined;
  }
}

import { lstatSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { createTurns } from '../../jobs/turns.ts';
import { entryOf } from '../../workers/entry.ts';
import { openPort, PortClosed, unexpectedEnd } from '../../workers/port.ts';
import type { CompareCalls } from './compare-service.ts';
import type { CompareCall, Compared } from './compare-sides.ts';

/**
 * What takes a tenth of a second or more, in which no other question about federations would be answered: a contract of 512 KiB,
 * which is read, and 8 MiB of `.proto` files beside it, in which imports are looked for.
 */
const largest = { read: 512 * 1024, lookedThrough: 8 * 2 ** 20 } as const;

export function isLarge({ path, root, before, after }: Omit<CompareCall, 'protos'>): boolean {
  if (after === undefined && onDisk(`${root}/${path}`) > largest.read) return true;
  return [before, ...(after === undefined ? [] : [after])].some(({ files }) => {
    let all = 0;
    for (const { length } of files.values()) all += length;
    if (!path.endsWith('.proto')) return all > largest.read;
    return (files.get(path)?.length ?? 0) > largest.read || all > largest.lookedThrough;
  });
}

function onDisk(file: string): number {
  return lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Compares in a thread of its own, which ends with its question, or as soon as nobody waits for that any more. Two at once; others
 * wait. Rejects as `comparedSides`, and with the signal's reason.
 */
export function createComparing(): (call: CompareCall, signal: AbortSignal) => Promise<Compared> {
  const turns = createTurns(2);
  return (call, signal) =>
    turns(async () => {
      signal.throwIfAborted();
      const worker = new Worker(entryOf('compare'), { resourceLimits: heap });
      const port = openPort<Record<string, never>, CompareCalls>(worker, {});
      try {
        return await port.ask('compare', call, { signal });
      } catch (error) {
        if (!(error instanceof PortClosed)) throw error;
        throw unexpectedEnd('Comparing two revisions', error);
      } finally {
        await worker.terminate();
      }
    });
}

const heap = { maxOldGenerationSizeMb: 2000, maxYoungGenerationSizeMb: 32 } as const;

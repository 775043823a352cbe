import { Worker } from 'node:worker_threads';
import { Fault } from '../../../client/protocol/faults.ts';
import { createTurns } from '../../jobs/turns.ts';
import { entryOf } from '../../workers/entry.ts';
import { openPort, PortClosed } from '../../workers/port.ts';
import type { CommittedSide } from './committed-sides.ts';
import type { CompareCalls } from './compare-service.ts';
import type { CompareCall, Compared } from './compare-sides.ts';

/** Reading 512 KiB takes a tenth of a second or more, in which no other question about federations would be answered. */
const largeBytes = 512 * 1024;

export function isLarge({ before, after }: Pick<CompareCall, 'before' | 'after'>): boolean {
  return bytesOf(before) > largeBytes || (after !== undefined && bytesOf(after) > largeBytes);
}

function bytesOf({ files }: CommittedSide): number {
  let bytes = 0;
  for (const { length } of files.values()) bytes += length;
  return bytes;
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
        throw new Fault('operationFailed', 'Comparing two revisions ended unexpectedly', { cause: error });
      } finally {
        await worker.terminate();
      }
    });
}

/** Of a document of 32 MiB all that it says, twice. */
const heap = { maxOldGenerationSizeMb: 3000, maxYoungGenerationSizeMb: 32 } as const;

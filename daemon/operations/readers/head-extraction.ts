import { defaultParseSteps, stuckAfterMs } from '../../extract/budget.ts';
import { defaultSourceLimits } from '../../extract/read-file.ts';
import type { ExtractCalls, ExtractLimitsPerWorker } from '../../jobs/extract-service.ts';
import { entryOf } from '../../workers/entry.ts';
import { createWorkerPool, type WorkerPool } from '../../workers/pool.ts';

/** Extracts files of HEAD that no index holds: a few, and seldom. Its worker starts with the first of them. */
export function headExtraction(): WorkerPool<ExtractCalls> {
  const memoryBytes = 512 * 1024 * 1024;
  return createWorkerPool<ExtractCalls>({
    entry: entryOf('extract'),
    size: 1,
    workerData: {
      filesPerParser: 500,
      maxMemoryBytes: memoryBytes,
      parseSteps: defaultParseSteps,
      sourceLimits: defaultSourceLimits,
    } satisfies ExtractLimitsPerWorker,
    resourceLimits: { maxOldGenerationSizeMb: memoryBytes / 2 ** 20 },
    idleMs: 20_000,
    stuckAfterMs: stuckAfterMs(defaultParseSteps),
  });
}

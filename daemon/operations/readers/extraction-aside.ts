import { defaultParseSteps } from '../../extract/budget.ts';
import { defaultSourceLimits } from '../../extract/read-file.ts';
import type { ExtractCalls, ExtractLimitsPerWorker } from '../../jobs/extract-service.ts';
import { entryOf } from '../../workers/entry.ts';
import { createWorkerPool, type WorkerPool } from '../../workers/pool.ts';

export interface AsideOptions {
  readonly size: number;
  /** A file that takes longer holds its worker up for good. */
  readonly stuckAfterMs: number;
  readonly maxYoungGenerationSizeMb?: number;
}

const memoryBytes = 512 * 1024 * 1024;

/** Extracts what no index holds, beside the workers that make one. They start with the first file, and leave soon. */
export function extractionAside({ size, stuckAfterMs, ...young }: AsideOptions): WorkerPool<ExtractCalls> {
  return createWorkerPool<ExtractCalls>({
    entry: entryOf('extract'),
    size,
    workerData: {
      filesPerParser: 500,
      maxMemoryBytes: memoryBytes,
      parseSteps: defaultParseSteps,
      sourceLimits: defaultSourceLimits,
    } satisfies ExtractLimitsPerWorker,
    resourceLimits: { maxOldGenerationSizeMb: memoryBytes / 2 ** 20, ...young },
    idleMs: 20_000,
    stuckAfterMs,
  });
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import {
  createExtractService,
  type ExtractCalls,
  type ExtractLimitsPerWorker,
} from '../../../daemon/jobs/extract-service.ts';
import { openPort } from '../../../daemon/workers/port.ts';
import { type ToPool, tellThread } from '../../../daemon/workers/thread.ts';

/** The real extract worker, but for files whose names say what their parser does. `gate` waits until the folder has a file `open`. */
const real = createExtractService(workerData as ExtractLimitsPerWorker);
const pool = openPort<ExtractCalls, ToPool>(parentPort!, {
  hash: real.hash,
  extractBytes: real.extractBytes,
  mentions: real.mentions,
  routes: real.routes,
  extract: async (input, context) => {
    for (const [index, { path }] of input.files.entries()) {
      Atomics.store(input.at, 0, index);
      await misbehave(input.root, path);
    }
    return real.extract(input, context);
  },
});
tellThread(pool);

async function misbehave(root: string, path: string): Promise<void> {
  if (path.includes('trap')) process.exit(1);
  if (path.includes('runaway')) for (;;);
  if (path.includes('devour')) {
    const kept: number[][] = [];
    for (;;) kept.push(new Array<number>(1_000_000).fill(1.5));
  }
  while (path.includes('gate') && !existsSync(join(root, 'open'))) {
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

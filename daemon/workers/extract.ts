import { parentPort, workerData } from 'node:worker_threads';
import { createExtractService, type ExtractCalls, type ExtractLimitsPerWorker } from '../jobs/extract-service.ts';
import { openPort } from './port.ts';
import { lowerThreadPriority } from './priority.ts';
import { type ToPool, tellThread } from './thread.ts';

/** Entry of an extract worker: files in, facts out. */
if (parentPort !== null) {
  lowerThreadPriority(10);
  tellThread(openPort<ExtractCalls, ToPool>(parentPort, createExtractService(workerData as ExtractLimitsPerWorker)));
}

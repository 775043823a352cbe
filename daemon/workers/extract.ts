import { parentPort, workerData } from 'node:worker_threads';
import { createExtractService, type ExtractCalls, type ExtractLimitsPerWorker } from '../jobs/extract-service.ts';
import { type Calls, openPort } from './port.ts';
import { lowerThreadPriority } from './priority.ts';

/** Entry of an extract worker: files in, facts out. */
if (parentPort !== null) {
  lowerThreadPriority(10);
  openPort<ExtractCalls, Calls>(parentPort, createExtractService(workerData as ExtractLimitsPerWorker));
}

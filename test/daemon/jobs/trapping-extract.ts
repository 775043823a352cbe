import { parentPort, workerData } from 'node:worker_threads';
import { java } from '../../../daemon/extract/languages/java/java.ts';
import {
  createExtractService,
  type ExtractCalls,
  type ExtractLimitsPerWorker,
} from '../../../daemon/jobs/extract-service.ts';
import { openPort } from '../../../daemon/workers/port.ts';
import { type ToPool, tellThread } from '../../../daemon/workers/thread.ts';

/** The real extract worker, with another grammar for Java: the file that `SVC_TEST_GRAMMAR` names. */
Object.assign(java, { grammar: process.env['SVC_TEST_GRAMMAR'] });
tellThread(openPort<ExtractCalls, ToPool>(parentPort!, createExtractService(workerData as ExtractLimitsPerWorker)));

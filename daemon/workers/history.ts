import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../clock.ts';
import type { HistoryCalls, HistoryNotices, HistoryOptions } from '../jobs/history/history-calls.ts';
import { createHistoryService } from '../jobs/history/history-service.ts';
import { tidyHeapAtRest } from '../tidy-heap.ts';
import { openPort } from './port.ts';
import { lowerThreadPriority } from './priority.ts';

/** Entry of the history worker: the one thread that writes history files, and asks git what stands in them. */
if (parentPort !== null) {
  lowerThreadPriority(2);
  tidyHeapAtRest(systemClock);
  const service = createHistoryService(workerData as HistoryOptions, notice => main.tell('progress', notice));
  const main = openPort<HistoryCalls, HistoryNotices>(parentPort, service);
}

import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../clock.ts';
import type { MainCalls, WriteCalls, WriteOptions } from '../jobs/write-calls.ts';
import { createWriteService } from '../jobs/write-service.ts';
import { tidyHeapAtRest } from '../tidy-heap.ts';
import { openPort } from './port.ts';
import { lowerThreadPriority } from './priority.ts';

/** Entry of the write worker: the one thread that writes index files. */
if (parentPort !== null) {
  lowerThreadPriority(5);
  tidyHeapAtRest(systemClock);
  const service = createWriteService(workerData as WriteOptions, notice => main.tell('notice', notice));
  const main = openPort<WriteCalls, MainCalls>(parentPort, service);
}

import { parentPort } from 'node:worker_threads';
import { systemClock } from '../clock.ts';
import { createReadService } from '../operations/readers/read-service.ts';
import { tidyHeapAtRest } from '../tidy-heap.ts';
import { openPort } from './port.ts';

/** Entry of the read worker: searches, what names mean, and long lists, on read-only connections of its own. */
if (parentPort !== null) {
  tidyHeapAtRest(systemClock);
  openPort(parentPort, createReadService(systemClock));
}

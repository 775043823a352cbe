import { parentPort } from 'node:worker_threads';
import { systemClock } from '../clock.ts';
import { createHostedService, type HostedCalls } from '../jobs/hosted-service.ts';
import type { MainCalls } from '../jobs/write-calls.ts';
import { tidyHeapAtRest } from '../tidy-heap.ts';
import { openPort } from './port.ts';
import { lowerThreadPriority } from './priority.ts';

/** Entry of the hosted worker: it makes indexes of what is uploaded and mirrored, behind everybody who asks or saves. */
if (parentPort !== null) {
  lowerThreadPriority(10);
  tidyHeapAtRest(systemClock);
  const service = createHostedService(notice => main.tell('notice', notice));
  const main = openPort<HostedCalls, MainCalls>(parentPort, service);
}

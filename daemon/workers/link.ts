import { parentPort, workerData } from 'node:worker_threads';
import { createLinkService, type LinkWorkerData } from '../jobs/link-service.ts';
import { openPort } from './port.ts';
import { lowerThreadPriority } from './priority.ts';

/** Entry of a link worker: documents of one tree in, what they point at out. */
if (parentPort !== null) {
  lowerThreadPriority(5);
  openPort(parentPort, createLinkService(workerData as LinkWorkerData));
}

import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../clock.ts';
import {
  createFederationService,
  type FederationCalls,
  type FederationNotices,
} from '../operations/federation/federation-service.ts';
import { tidyHeapAtRest } from '../tidy-heap.ts';
import { openPort } from './port.ts';

/** Entry of the federation worker: it reads members for contracts, keeps what is known of them, and answers out of that. */
if (parentPort !== null) {
  tidyHeapAtRest(systemClock);
  const { file } = workerData as { readonly file: string };
  const service = createFederationService(file, what => port.tell('damaged', what));
  const port = openPort<FederationCalls, FederationNotices>(parentPort, service);
}

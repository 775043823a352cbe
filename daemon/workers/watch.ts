import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../clock.ts';
import {
  createWatchService,
  type WatchCalls,
  type WatchNotices,
  type WatchServiceOptions,
} from '../jobs/follow/watch-service.ts';
import { tidyHeapAtRest } from '../tidy-heap.ts';
import { openPort } from './port.ts';

/** Entry of the watch worker: its loop does nothing else, so that the kernel's queue of events is always drained. */
if (parentPort !== null) {
  tidyHeapAtRest(systemClock);
  const service = createWatchService(workerData as WatchServiceOptions, {
    changes: (tree, changes) => main.tell('changes', { tree, changes }),
    status: (tree, status) => main.tell('status', { tree, status }),
    git: tree => main.tell('git', tree),
  });
  const main = openPort<WatchCalls, WatchNotices>(parentPort, service);
}

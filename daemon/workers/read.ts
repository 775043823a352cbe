import { parentPort } from 'node:worker_threads';
import { createReadService } from '../operations/read-service.ts';
import { openPort } from './port.ts';

/** Entry of the read worker: searches and long lists, on read-only connections of its own. */
if (parentPort !== null) openPort(parentPort, createReadService());

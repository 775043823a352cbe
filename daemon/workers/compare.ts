import { parentPort } from 'node:worker_threads';
import { type CompareCalls, comparing } from '../operations/federation/compare-service.ts';
import { openPort } from './port.ts';

/** Entry of a thread that compares two sides of one contract, and is then ended. */
if (parentPort !== null) openPort<CompareCalls, Record<string, never>>(parentPort, comparing);

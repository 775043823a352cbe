import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../clock.ts';
import { createTelemetryService, type TelemetryCalls } from '../jobs/telemetry/telemetry-service.ts';
import { tidyHeapAtRest } from '../tidy-heap.ts';
import { openPort } from './port.ts';

/** Entry of the telemetry worker: it reads what production tells of calls, and counts it. */
if (parentPort !== null) {
  tidyHeapAtRest(systemClock);
  const { file } = workerData as { readonly file: string };
  openPort<TelemetryCalls, Record<string, never>>(parentPort, createTelemetryService(file, systemClock));
}

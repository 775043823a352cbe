import { Worker } from 'node:worker_threads';
import { StoreError } from '../../store/store-faults.ts';
import type { RememberedMatch } from '../../store/telemetry/call-store.ts';
import { entryOf } from '../../workers/entry.ts';
import { openPort, type Port } from '../../workers/port.ts';
import { PassingWorker } from '../passing-worker.ts';
import type { BatchCall, BatchTaken, TelemetryCalls, Tidying, Told } from './telemetry-service.ts';

/**
 * The main thread's side of the telemetry worker, which counts what production tells of calls. It comes with the first call and
 * goes when nothing has happened for a while. Calls reject with `Fault`, `StoreError`.
 */
export interface TelemetryPool {
  /** Resolves once what was taken is on the device. `bytes` move over. */
  take(batch: BatchCall): Promise<BatchTaken>;
  remember(seen: readonly RememberedMatch[]): Promise<null>;
  /** Tells which batches can't be counted to their end, and why. */
  tidy(tidying: Tidying): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface TelemetryPoolOptions {
  /** `daemon.db`. */
  readonly file: string;
  readonly idleMs: number;
}

/** What is read of a batch lives short. A heap that may not grow much is swept in time; what a batch leaves in it at most takes half. */
const resourceLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 320 };

export function createTelemetryPool({ file, idleMs }: TelemetryPoolOptions): TelemetryPool {
  const worker = new PassingWorker<TelemetryCalls>({
    ...{ work: 'Counting calls', idleMs, onCrash: () => {} },
    start: () => {
      const started = new Worker(entryOf('telemetry'), {
        workerData: { file },
        resourceLimits,
      });
      return { worker: started, port: openPort<Record<string, never>, TelemetryCalls>(started, {}) };
    },
    close: port => port.ask('close', null),
  });
  const value = async <Value>(work: (port: Port<TelemetryCalls>) => Promise<Told<Value>>): Promise<Value> => {
    const told = await worker.call(work, () => {});
    if (told.kind === 'told') return told.value;
    throw new StoreError(told.trouble, told.message);
  };
  return {
    take: batch => value(port => port.ask('take', batch, { transfer: transferable(batch.bytes) })),
    remember: seen => value(port => port.ask('remember', seen)),
    tidy: tidying => value(port => port.ask('tidy', tidying)),
    close: () => worker.end(),
  };
}

/** Small buffers are parts of a larger one that others have parts of, too. */
function transferable({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

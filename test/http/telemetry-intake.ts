import { Fault } from '../../client/protocol/faults.ts';
import { operations } from '../../client/protocol/registry.ts';
import { serialiseOutput } from '../../client/protocol/serialise.ts';
import { readCalls } from '../../daemon/extract/otlp/read-calls.ts';
import { readMetrics } from '../../daemon/extract/otlp/read-metrics.ts';
import { bodyFault, decodeBody } from '../../daemon/jobs/telemetry/body-coding.ts';
import type { CallPoint } from '../../daemon/model/usage.ts';
import { encodedBodyOf, type RequestContext } from '../../daemon/operations/handler.ts';
import type { CallsBatch, MetricsBatch, TelemetryIntake } from '../../daemon/operations/telemetry/intake.ts';
import { telemetryIntakeHandlers } from '../../daemon/operations/telemetry.ts';
import { type Row, type TableDaemon, tableDaemon } from './listener.ts';

export interface Collector extends TelemetryIntake {
  readonly points: CallPoint[];
  readonly batches: (MetricsBatch | CallsBatch)[];
  /** Thrown in place of the next answers. */
  failure: Fault | undefined;
}

/** Takes points into memory, as whoever keeps them would be told of them. */
export function collector(limitBytes: number): Collector {
  const points: CallPoint[] = [];
  const batches: (MetricsBatch | CallsBatch)[] = [];
  const take = (point: CallPoint) => void points.push(point);
  const collected: Collector = {
    points,
    batches,
    failure: undefined,
    async metrics(batch) {
      return readable(batch, bytes => readMetrics(bytes, batch.format, take));
    },
    async calls(batch) {
      const { received } = readable(batch, bytes => readCalls(bytes, 0, take));
      const isRepeated = batch.key === 'again';
      const counts = { eventsReceived: received, eventsMatched: 0, eventsUnmatched: received, eventsRejected: 0 };
      return { ...counts, isRepeated, areLookedUp: true };
    },
  };
  const readable = <T>(batch: MetricsBatch | CallsBatch, read: (bytes: Uint8Array) => T): T => {
    batches.push(batch);
    if (collected.failure !== undefined) throw collected.failure;
    try {
      return read(decodeBody(batch.bytes, batch.coding, limitBytes));
    } catch (error) {
      throw bodyFault(error);
    }
  };
  return collected;
}

/** A daemon that takes in telemetry by its own handlers, and nothing else. */
export function telemetryDaemon(telemetry: TelemetryIntake, limitBytes: number): TableDaemon {
  const handlers = telemetryIntakeHandlers({ telemetry, telemetryBytes: () => limitBytes });
  const row =
    (name: keyof typeof handlers): Row =>
    async (request, input) => {
      const { repo } = input as { repo?: string };
      if (repo === 'none') throw new Fault('resourceNotFound', 'No such repository');
      const context = {
        signal: request.abort.signal,
        now: new Date(0),
        repository: { id: repo },
        withoutRepository:
          repo === undefined || repo.startsWith('/') ? { directory: undefined, named: repo } : undefined,
      } as unknown as RequestContext;
      const output = await handlers[name](input as never, context);
      return { kind: 'document', body: encodedBodyOf(output) ?? serialiseOutput(operations[name], output as never) };
    };
  return tableDaemon({
    'telemetry.ingestMetrics': row('telemetry.ingestMetrics'),
    'telemetry.ingestCalls': row('telemetry.ingestCalls'),
  });
}

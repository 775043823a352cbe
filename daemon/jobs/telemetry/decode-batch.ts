import { readCalls } from '../../extract/otlp/read-calls.ts';
import { type OtlpFormat, readMetrics } from '../../extract/otlp/read-metrics.ts';
import type { GatheredFunction } from '../../model/gathered-calls.ts';
import type { CallPoint } from '../../model/usage.ts';
import { type BodyCoding, bodyFault } from './body-coding.ts';
import { gatherCalls } from './gather-calls.ts';
import type { BatchTaken } from './telemetry-service.ts';

/** What a batch is written in. */
export type BatchSource =
  | { readonly kind: 'metrics'; readonly format: OtlpFormat; readonly coding: BodyCoding }
  | { readonly kind: 'calls'; readonly coding: BodyCoding };

export interface DecodedBatch {
  readonly functions: readonly GatheredFunction[];
  /** What it calls itself; '' for nothing. */
  readonly name: string;
  /** Something in it says when it was counted: another one does not have the same bytes. */
  readonly isTimed: boolean;
  readonly outcome: Pick<BatchTaken, 'rejected' | 'message' | 'points' | 'events'>;
}

export interface DecodeLimits {
  readonly nowMs: number;
  readonly keptDays: number;
}

/** Reads an inflated batch. Throws `invalidParameter` for bytes that are none, `invalidBody` for calls that say wrong things, `tooLarge`. */
export function decodeBatch(
  source: BatchSource,
  inflated: Uint8Array<ArrayBuffer>,
  limits: DecodeLimits,
): DecodedBatch {
  try {
    return source.kind === 'metrics' ? metricsIn(inflated, source.format, limits) : callsIn(inflated, limits);
  } catch (error) {
    throw bodyFault(error);
  }
}

function metricsIn(inflated: Uint8Array, format: OtlpFormat, { nowMs, keptDays }: DecodeLimits): DecodedBatch {
  const gathering = gatherCalls(nowMs, keptDays);
  const { taken, rejected, message } = readMetrics(inflated, format, point => void gathering.take(point));
  const { functions, tooOld } = gathering.end();
  const old = tooOld === 0 ? '' : `${tooOld} data points are older than the ${keptDays} days that are kept`;
  const told = [message, old].filter(words => words !== '').join('; ');
  const outcome = { rejected: rejected + tooOld, message: told, points: taken - tooOld, events: [] };
  return { functions, name: '', isTimed: true, outcome };
}

function callsIn(inflated: Uint8Array, { nowMs, keptDays }: DecodeLimits): DecodedBatch {
  const gathering = gatherCalls(nowMs, keptDays);
  const untimed = BigInt(nowMs) * 1_000_000n;
  const events = new Map<CallPoint['function'], { readonly point: CallPoint; count: number }>();
  let isTimed = false;
  let old = 0;
  const { received, batchId } = readCalls(inflated, nowMs, point => {
    const isKept = gathering.take(point);
    isTimed ||= point.timeNs !== untimed;
    if (point.counts !== 'calls') return;
    if (!isKept) {
      old++;
      return;
    }
    const known = events.get(point.function) ?? { point, count: 0 };
    known.count++;
    events.set(point.function, known);
  });
  const { functions } = gathering.end();
  const message = old === 0 ? '' : `some are older than the ${keptDays} days that are kept`;
  return {
    functions,
    name: batchId,
    isTimed,
    outcome: {
      ...{ rejected: old, message, points: received },
      events: [...events.values()].map(({ point: { source, function: told }, count }) => ({
        ...{ service: source.service, repository: source.repository, count },
        ...{ namespace: told.namespace, name: told.name, file: told.file, line: told.line },
      })),
    },
  };
}

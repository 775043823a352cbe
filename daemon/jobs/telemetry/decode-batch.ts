import { readCalls } from '../../extract/otlp/read-calls.ts';
import { type OtlpFormat, readMetrics } from '../../extract/otlp/read-metrics.ts';
import type { GatheredFunction } from '../../model/gathered-calls.ts';
import type { ObservedFunction } from '../../model/usage.ts';
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
  readonly outcome: Pick<BatchTaken, 'rejected' | 'message' | 'points'>;
  readonly called: readonly CalledFunctions[];
}

/** What one service has of calls that came one by one. */
export interface CalledFunctions {
  readonly service: string;
  readonly repository: string;
  /** JSON of `CalledFunction[]`: threads hand it on as it is. */
  readonly functions: Uint8Array<ArrayBuffer>;
}

/** A function, and how many items of a batch were of it. */
export interface CalledFunction extends ObservedFunction {
  readonly items: number;
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
  const outcome = { rejected: rejected + tooOld, message: told, points: taken - tooOld };
  return { functions, name: '', isTimed: true, outcome, called: [] };
}

function callsIn(inflated: Uint8Array, { nowMs, keptDays }: DecodeLimits): DecodedBatch {
  const gathering = gatherCalls(nowMs, keptDays);
  const untimed = nowMs * 1000;
  let isTimed = false;
  let old = 0;
  const { received, batchId } = readCalls(inflated, nowMs, point => {
    const isKept = gathering.take(point);
    isTimed ||= point.timeUs !== untimed;
    if (!isKept && !point.isSameItem) old++;
  });
  const { functions } = gathering.end();
  const message = old === 0 ? '' : `some are older than the ${keptDays} days that are kept`;
  const outcome = { rejected: old, message, points: received };
  return { functions, name: batchId, isTimed, outcome, called: calledFunctions(functions) };
}

function calledFunctions(functions: readonly GatheredFunction[]): readonly CalledFunctions[] {
  const services = new Map<string, { readonly of: GatheredFunction; readonly called: CalledFunction[] }>();
  for (const one of functions) {
    const { service, repository, namespace, name, file } = one;
    const key = `${service}\0${repository}`;
    const known = services.get(key) ?? { of: one, called: [] };
    services.set(key, known);
    for (const [line, points] of one.lines) {
      const items = points.filter(({ isSameItem }) => !isSameItem).length;
      known.called.push({ namespace, name, file, line, items });
    }
  }
  return [...services.values()].map(({ of: { service, repository }, called }) => ({
    ...{ service, repository },
    functions: new TextEncoder().encode(JSON.stringify(called)),
  }));
}

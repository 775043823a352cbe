import { repeatedMember, twice } from '../../../client/protocol/json-members.ts';
import type { CallPoint } from '../../model/usage.ts';
import { digestOf } from './attributes.ts';
import { type CallFields, callOf, callsBody, callsField } from './calls-body.ts';
import { Interned } from './interned.ts';
import { mostCalls } from './limits.ts';
import { parseJson } from './parse-json.ts';
import { undecodable } from './problem.ts';
import { mostRemembered } from './take-points.ts';

export interface CallsRead {
  /** Items of `calls`: for each a point of calls is handed over, and one of errors behind it where there were any. */
  readonly received: number;
  /** '' where nothing is said. */
  readonly batchId: string;
}

/**
 * Reads the body of `POST /api/v1/ingest/json`, as it is once inflated. Each item counts calls since the one before it; calls
 * that failed are among its calls. A function that was not called is told of too: its calls are 0.
 *
 * Throws OtlpProblem for what is no JSON, and InvalidCalls with all that is wrong with it otherwise; nothing is handed over
 * then. `nowMs`: since the epoch, for what says no time.
 */
export function readCalls(bytes: Uint8Array, nowMs: number, take: (point: CallPoint) => void): CallsRead {
  const { value, text, lists } = parseJson(bytes, callsField);
  const refuseRepeated = (written: Uint8Array, parsed: unknown, path = ''): void => {
    const repeated = repeatedMember(written, parsed);
    if (repeated !== undefined) throw undecodable(`${path}${repeated} ${twice(repeated).message}`);
  };
  refuseRepeated(Buffer.from(text), value);
  const known: Known = { sources: new Interned(mostRemembered), functions: new Interned(mostRemembered) };
  const { timeMs, batchId, calls } = callsBody(value ?? {}, lists, element => {
    if (element.bytes !== undefined) refuseRepeated(element.bytes, element.value, `${callsField}.`);
  });
  lists.end();
  let received = 0;
  for (const item of calls()) {
    const call = callOf(item.value);
    takeCall(call, call.timeMs ?? timeMs ?? nowMs, known, take);
    received++;
  }
  return { received, batchId };
}

function sourceOf(service: string): CallPoint['source'] {
  return { service, identity: digestOf(JSON.stringify(['service', service])), repository: '' };
}

function takeCall(
  { service, function: observed, caller, calls, errors }: CallFields,
  timeMs: number,
  known: Known,
  take: (point: CallPoint) => void,
): void {
  const { name, namespace, file, line } = observed;
  const key = `${name}\0${namespace}\0${file}\0${line}`;
  const point = {
    source: known.sources.get(service) ?? known.sources.put(service, sourceOf(service)),
    function: known.functions.get(key) ?? known.functions.put(key, observed),
    caller,
    metric,
    temporality: 'delta' as const,
    series: 0,
    startUs: 0,
    timeUs: timeMs * 1000,
  };
  take({ ...point, counts: 'calls', isSameItem: false, value: Math.min(calls, mostCalls) });
  if (errors > 0) take({ ...point, counts: 'errors', isSameItem: true, value: Math.min(errors, mostCalls) });
}

/** What several calls have in common. */
interface Known {
  readonly sources: Interned<CallPoint['source']>;
  readonly functions: Interned<CallPoint['function']>;
}

/** What all that comes so is of. */
const metric = 'calls';

import { nearest } from '../../../client/protocol/nearest.ts';
import { momentOf, zoneOf } from '../../model/moment.ts';
import type { ObservedFunction } from '../../model/usage.ts';
import { otlpLimits } from './limits.ts';
import type { Element, LongLists } from './parse-json.ts';

/** What is wrong with a body, place by place: the first few of all. */
export class InvalidCalls extends Error {
  readonly problems: readonly { readonly path: string; readonly message: string }[];

  constructor(problems: InvalidCalls['problems']) {
    super(problems.map(({ path, message }) => `${path}: ${message}`).join('; '));
    this.name = 'InvalidCalls';
    this.problems = problems;
  }
}

export interface CallFields {
  readonly service: string;
  readonly function: ObservedFunction;
  readonly caller: string;
  readonly calls: number;
  readonly errors: number;
  /** Since the epoch; undefined where nothing is said. */
  readonly timeMs: number | undefined;
}

export interface CallsBody {
  /** Its items for `callOf`, which finds nothing wrong with them: made anew each time, so that not all of them lie in memory. */
  readonly calls: () => Iterable<Element>;
  readonly timeMs: number | undefined;
  readonly batchId: string;
}

export const callsField = 'calls';

/** A body as it was parsed, each of its items looked at, by `look` as well. Throws InvalidCalls. */
export function callsBody(value: unknown, lists: LongLists, look: (item: Element) => void): CallsBody {
  const findings = new Findings();
  const body = fieldsOf(value, 'body', bodyFields, findings);
  const told = body?.get(callsField);
  const isList = lists.isList(told);
  if (body !== undefined && told === undefined) findings.add(callsField, 'is required');
  else if (body !== undefined && !isList) findings.add(callsField, 'must be a list');
  const calls = (): Iterable<Element> => (isList ? lists.elementsOf({ [callsField]: told }, callsField) : []);
  let at = 0;
  for (const item of calls()) {
    look(item);
    if (!findings.isFull) callOf(item.value, `${callsField}[${at}]`, findings);
    at++;
  }
  const read = new FieldReading(body, '', findings);
  const { timeMs, batchId } = { timeMs: read.time('timestamp'), batchId: read.text('batch_id', 1, 256) };
  findings.throwIfAny();
  return { calls, timeMs, batchId };
}

export function callOf(value: unknown, path = '', findings = new Findings()): CallFields {
  const fields = fieldsOf(value, path, callFields, findings);
  const read = new FieldReading(fields, `${path}.`, findings);
  const { nameCharacters, pathCharacters } = otlpLimits;
  const [service, name] = [read.required('service_name'), read.required('function_name')];
  const observed = {
    name,
    namespace: read.text('namespace', 0, nameCharacters),
    file: read.text('file_path', 0, pathCharacters),
    line: read.whole('line_number', 2 ** 31 - 1) ?? 0,
  };
  const calls = read.whole('call_count');
  if (fields !== undefined && !fields.has('call_count')) findings.add(`${path}.call_count`, 'is required');
  return {
    service,
    function: observed,
    caller: read.text('caller_service', 0, nameCharacters),
    calls: calls ?? 0,
    errors: read.whole('error_count') ?? 0,
    timeMs: read.time('timestamp'),
  };
}

const bodyFields = spellings([callsField, 'timestamp', 'batch_id']);
const callFields = spellings([
  ...['service_name', 'function_name', 'file_path', 'namespace', 'line_number', 'call_count', 'error_count'],
  ...['caller_service', 'timestamp'],
]);

/** Each field by the ways to write it: `call_count` and `callCount`. */
function spellings(names: readonly string[]): ReadonlyMap<string, string> {
  const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return new Map(
    names.flatMap(name => [
      [name, name],
      [camel(name), name],
    ]),
  );
}

/** An object's fields by their names in snake_case; undefined for what is no object. */
function fieldsOf(
  value: unknown,
  path: string,
  known: ReadonlyMap<string, string>,
  findings: Findings,
): ReadonlyMap<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    findings.add(path, path === 'body' ? 'must be a JSON object' : 'must be an object');
    return undefined;
  }
  const fields = new Map<string, unknown>();
  const within = path === 'body' ? '' : `${path}.`;
  for (const [written, told] of Object.entries(value)) {
    if (findings.isFull) break;
    const name = known.get(written);
    if (name === undefined) findings.add(`${within}${clipped(written)}`, unknownField(written, known));
    else if (!fields.has(name)) fields.set(name, told);
    else if (fields.get(name) !== told) findings.add(`${within}${written}`, `says otherwise than ${name}`);
  }
  return fields;
}

function unknownField(written: string, known: ReadonlyMap<string, string>): string {
  const meant = nearest(written, known.keys());
  const hint = meant === undefined ? `there are ${[...new Set(known.values())].join(', ')}` : `did you mean ${meant}?`;
  return `is not a known field; ${hint}`;
}

function clipped(name: string): string {
  return name.length <= 100 ? name : `${name.slice(0, 100)}…`;
}

/** Whoever sends a thousand wrong calls is told of the first few. */
const mostProblems = 20;

class Findings {
  readonly #problems: { readonly path: string; readonly message: string }[] = [];

  add(path: string, message: string): void {
    if (this.#problems.length < mostProblems) this.#problems.push({ path, message });
  }

  get isFull(): boolean {
    return this.#problems.length >= mostProblems;
  }

  throwIfAny(): void {
    if (this.#problems.length > 0) throw new InvalidCalls(this.#problems);
  }
}

/** Reads fields of one object; what is not there is read as nothing, what is not as it must be is a finding. */
class FieldReading {
  readonly #fields: ReadonlyMap<string, unknown> | undefined;
  readonly #within: string;
  readonly #findings: Findings;

  constructor(fields: ReadonlyMap<string, unknown> | undefined, within: string, findings: Findings) {
    this.#fields = fields;
    this.#within = within;
    this.#findings = findings;
  }

  required(name: string): string {
    if (this.#fields !== undefined && !this.#fields.has(name)) this.#find(name, 'is required');
    return this.text(name, 1, otlpLimits.nameCharacters);
  }

  text(name: string, least: number, most: number): string {
    const value = this.#fields?.get(name);
    if (value === undefined) return '';
    if (typeof value !== 'string' || value.length < least || value.length > most) {
      const length = least === 0 ? `at most ${most}` : `${least} to ${most}`;
      this.#find(name, `must be text of ${length} characters`);
      return '';
    }
    if (value.includes('\0')) this.#find(name, 'must not contain a NUL character');
    return value.replace(/\p{Surrogate}/gu, '\ufffd');
  }

  /** Without `most`, one that is larger than can be counted is taken all the same. */
  whole(name: string, most = Number.POSITIVE_INFINITY): number | undefined {
    const value = this.#fields?.get(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value;
    const range = most === Number.POSITIVE_INFINITY ? 'of at least 0' : `from 0 to ${most}`;
    this.#find(name, `must be an integer ${range}, in plain digits`);
    return undefined;
  }

  time(name: string): number | undefined {
    const value = this.#fields?.get(name);
    if (value === undefined) return undefined;
    const ms = typeof value === 'string' ? isoTime(value) : typeof value === 'number' ? unixTime(value) : undefined;
    if (ms === undefined) this.#find(name, 'must be a time as 2026-03-01T09:30:00Z, or Unix seconds as an integer');
    return ms;
  }

  #find(name: string, message: string): void {
    this.#findings.add(this.#within + name, message);
  }
}

function isoTime(text: string): number | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (found === null) return undefined;
  const [year, month, day, hours, minutes, seconds] = found.slice(1, 7).map(part => Number(part ?? 0));
  const milliseconds = Number((found[7] ?? '').padEnd(3, '0').slice(0, 3));
  const time = { hours: hours!, minutes: minutes!, seconds: seconds!, milliseconds, zone: zoneOf(found[8]) };
  return momentOf({ year: year!, month: month!, day: day!, time });
}

/** Until the year 9999: milliseconds are none. */
function unixTime(seconds: number): number | undefined {
  return Number.isInteger(seconds) && seconds >= 0 && seconds < 253_402_300_800 ? seconds * 1000 : undefined;
}

import type { ObservedFunction } from '../../model/usage.ts';
import type { Attributes, AttributeValue } from './attributes.ts';
import { otlpLimits } from './limits.ts';

/** What attributes say that matters here; '' and 0 where they say nothing. */
export interface Meaning {
  readonly function: ObservedFunction;
  readonly service: string;
  readonly repository: string;
  /** The service that calls. */
  readonly caller: string;
  readonly isFailed: boolean;
  /** Which of these texts is longer than one is taken. */
  readonly problem: string | undefined;
}

/** Of several names for the same the first that says something; the stable one before those that it took the place of. */
const namedBy = {
  name: ['code.function.name', 'code.function'],
  namespace: ['code.namespace'],
  file: ['code.file.path', 'code.filepath'],
  line: ['code.line.number', 'code.lineno'],
  service: ['service.name'],
  repository: ['vcs.repository.name'],
  repositoryUrl: ['vcs.repository.url.full'],
  caller: ['caller.service', 'client.service.name', 'source.service.name'],
  peer: ['service.peer.name', 'peer.service'],
  spanKind: ['span.kind', 'span_kind'],
  errorType: ['error.type'],
  error: ['error'],
  status: ['otel.status_code', 'status.code', 'status_code'],
  outcome: ['outcome', 'result'],
} as const;

/** Values by the names that are known, each at its place among these. */
type Known = readonly AttributeValue[];
type Places = readonly number[];

const known: readonly string[] = Object.values(namedBy).flat();
const placeOf: ReadonlyMap<string, number> = new Map(known.map((name, place) => [name, place]));
const places = Object.fromEntries(
  Object.entries(namedBy).map(([what, names]) => [what, names.map(name => placeOf.get(name)!)]),
) as unknown as Readonly<Record<keyof typeof namedBy, Places>>;

/** What attributes say; of one that comes twice the first counts. */
export function meaningOf({ list }: Attributes): Meaning {
  const values = new Array<AttributeValue>(known.length).fill(undefined);
  for (const { key, value } of list) {
    const place = placeOf.get(key);
    if (place !== undefined) values[place] ??= value;
  }
  const told = {
    name: textOf(values, places.name),
    namespace: textOf(values, places.namespace),
    file: textOf(values, places.file),
    line: lineIn(values),
  };
  const service = textOf(values, places.service);
  const caller = callerIn(values);
  return {
    function: told,
    service,
    repository: repositoryIn(values),
    caller,
    isFailed: isFailed(values),
    problem: tooLong(told, service, caller),
  };
}

/** What is said nearer counts; where nothing is, what is said further out, text by text. */
export function functionWithin(near: ObservedFunction, outer: ObservedFunction): ObservedFunction {
  return {
    name: near.name || outer.name,
    namespace: near.namespace || outer.namespace,
    file: near.file || outer.file,
    line: near.line || outer.line,
  };
}

/** Whether a function is told of at all: by its name, or by a line of a file. */
export function isFunction({ name, file, line }: ObservedFunction): boolean {
  return name !== '' || (file !== '' && line > 0);
}

/** Why some texts can't be taken, by the first that is too long. */
function tooLong({ name, namespace, file }: ObservedFunction, service: string, caller: string): string | undefined {
  const { nameCharacters, pathCharacters } = otlpLimits;
  if (file.length > pathCharacters) return `has a file of more than ${pathCharacters} characters`;
  if (Math.max(name.length, namespace.length, service.length, caller.length) <= nameCharacters) return undefined;
  return `has a name of a function, namespace or service of more than ${nameCharacters} characters`;
}

function textOf(values: Known, from: Places): string {
  for (const place of from) {
    const value = values[place];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

function lineIn(values: Known): number {
  for (const place of places.line) {
    const value = values[place];
    const line = typeof value === 'string' ? (/^\d{1,10}$/.test(value) ? Number(value) : 0) : numberOf(value);
    if (Number.isInteger(line) && line > 0 && line < 2 ** 31) return line;
  }
  return 0;
}

function numberOf(value: AttributeValue): number {
  return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : 0;
}

/** `git@host:acme/shop.git` and `https://host/acme/shop/` are of shop. Too long a name is none. */
function repositoryIn(values: Known): string {
  const name = textOf(values, places.repository);
  const url = textOf(values, places.repositoryUrl);
  const last = url
    .slice(0, otlpLimits.pathCharacters)
    .split(/[/:]/)
    .findLast(part => part !== '');
  const told = name === '' ? (last ?? '').replace(/\.git$/, '') : name;
  return told.length > otlpLimits.nameCharacters ? '' : told;
}

/** Who is at the other end calls where this end serves. */
function callerIn(values: Known): string {
  const caller = textOf(values, places.caller);
  if (caller !== '') return caller;
  return /^(SPAN_KIND_)?(SERVER|CONSUMER)$/i.test(textOf(values, places.spanKind)) ? textOf(values, places.peer) : '';
}

function isFailed(values: Known): boolean {
  const error = values[places.error[0]!];
  if (error === true || error === 'true' || textOf(values, places.errorType) !== '') return true;
  return (
    places.status.some(place => isErrorStatus(values[place])) || places.outcome.some(place => isBad(values[place]))
  );
}

function isErrorStatus(status: AttributeValue): boolean {
  return typeof status === 'string' ? /^((STATUS_CODE_)?ERROR|2)$/i.test(status) : numberOf(status) === 2;
}

function isBad(outcome: AttributeValue): boolean {
  return typeof outcome === 'string' && /^(error|failure)$/i.test(outcome);
}

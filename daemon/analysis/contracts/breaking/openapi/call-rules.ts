import type {
  ApiBody,
  ApiCall,
  ApiHeader,
  ApiOperation,
  ApiParameter,
  ApiResponse,
} from '../../../../model/openapi-schema.ts';
import type { Holder, Put } from './found.ts';
import { compareContents } from './message-rules.ts';
import { compareShapes, type ShapePairs } from './shape-pairs.ts';

export type CallKind = 'callback' | 'webhook';

/** What an operation has its consumers called back with, by names and by where it goes. */
export function compareCallbacks(
  pairs: ShapePairs,
  within: Holder,
  put: Put,
  old: readonly ApiCall[],
  now: readonly ApiCall[],
): void {
  for (const { name, was, is } of callPairs(old, now)) {
    const around = `callback ${name}`;
    const inside: Put = found =>
      put({ ...found, where: found.where === undefined ? around : `${around} ${found.where}` });
    compareCall({ kind: 'callback', pairs, within, put: inside, around: `${around} ` }, was, is);
  }
}

export interface CallPair {
  readonly name: string;
  readonly was: ApiOperation | undefined;
  readonly is: ApiOperation | undefined;
}

export function callPairs(old: readonly ApiCall[], now: readonly ApiCall[]): readonly CallPair[] {
  const later = new Map(now.map(({ name, operation }) => [name, operation]));
  const earlier = new Set(old.map(({ name }) => name));
  return [
    ...old.map(({ name, operation }) => ({ name, was: operation, is: later.get(name) })),
    ...now.flatMap(({ name, operation }) => (earlier.has(name) ? [] : [{ name, was: undefined, is: operation }])),
  ];
}

export interface Calling {
  readonly kind: CallKind;
  readonly pairs: ShapePairs;
  readonly within: Holder;
  readonly put: Put;
  /** Before places of shapes: `callback onData POST {$url} `; '' where the holder is the call itself. */
  readonly around: string;
}

/** Two revisions of what the API calls: its requests are what consumers get, as answers are; their answers are what it takes. */
export function compareCall(of: Calling, was: ApiOperation | undefined, is: ApiOperation | undefined): void {
  const { kind, put } = of;
  if (was === undefined || is === undefined) {
    if (was !== undefined)
      tell(put, `${kind}-removed`, 'breaking', 'response', `the ${kind} is no longer called`, { before: was.line });
    else tell(put, `${kind}-added`, 'safe', 'response', `the ${kind} was added`, { after: is?.line });
    return;
  }
  if (is.isDeprecated && !was.isDeprecated)
    tell(put, `${kind}-deprecated`, 'safe', 'response', `the ${kind} is deprecated`, {
      before: was.line,
      after: is.line,
    });
  compareParameters(of, was.parameters, is.parameters);
  compareSent(of, was.body, is.body);
  compareAnswers(of, was.responses, is.responses);
}

interface At {
  readonly where?: string;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

function tell(
  put: Put,
  id: string,
  severity: 'breaking' | 'risky' | 'safe',
  direction: 'request' | 'response',
  message: string,
  at: At,
): void {
  put({ id, severity, compatibility: severity === 'safe' ? [] : [direction], message, ...at });
}

function compareParameters(of: Calling, old: readonly ApiParameter[], now: readonly ApiParameter[]): void {
  const { kind, pairs, within, put, around } = of;
  const later = new Map(now.map(parameter => [keyOf(parameter), parameter]));
  for (const was of old) {
    const is = later.get(keyOf(was));
    const where = `${was.place} ${was.name}`;
    const severity = was.isRequired ? 'breaking' : 'risky';
    if (is === undefined) {
      const message = `the parameter ${was.name} is no longer sent`;
      tell(put, `${kind}-parameter-removed`, severity, 'response', message, { where, before: was.line });
      continue;
    }
    const at = { where, before: was.line, after: is.line };
    if (was.isRequired && !is.isRequired)
      tell(
        put,
        `${kind}-parameter-became-optional`,
        'breaking',
        'response',
        `the parameter ${was.name} may be missing now`,
        at,
      );
    compareShapes(pairs, within, {
      direction: 'response',
      old: was.shape,
      now: is.shape,
      ...at,
      where: around + where,
    });
  }
}

function keyOf({ place, name }: ApiParameter): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

function compareSent(of: Calling, was: ApiBody | undefined, is: ApiBody | undefined): void {
  const { kind, pairs, within, put, around } = of;
  const at = { where: 'request', before: was?.line, after: is?.line };
  if (was === undefined || is === undefined) {
    if (was !== undefined) tell(put, `${kind}-body-removed`, 'breaking', 'response', 'the body is no longer sent', at);
    else if (is !== undefined) tell(put, `${kind}-body-added`, 'safe', 'response', 'a body is sent', at);
    return;
  }
  if (was.isRequired && !is.isRequired)
    tell(put, `${kind}-body-became-optional`, 'breaking', 'response', 'the body may be missing now', at);
  const inside = withPlaces(put, around);
  compareContents(
    { pairs, within, put: inside, direction: 'response', where: `${around}request`, verb: 'sent' },
    was.contents,
    is.contents,
  );
}

/** Of rules that tell whole places. */
function withPlaces(put: Put, around: string): Put {
  return found => put(found.where === undefined ? found : { ...found, where: found.where.slice(around.length) });
}

function compareAnswers(of: Calling, old: readonly ApiResponse[], now: readonly ApiResponse[]): void {
  const { kind, put } = of;
  const later = new Map(now.map(response => [response.status.toUpperCase(), response]));
  const earlier = new Set(old.map(({ status }) => status.toUpperCase()));
  for (const was of old) {
    const status = was.status.toUpperCase();
    const is = later.get(status);
    const where = `response ${was.status}`;
    if (is !== undefined) compareAnswer(of, was, is, where);
    else if (!later.has('DEFAULT') && !later.has(`${status.slice(0, 1)}XX`)) {
      const message = `${was.status} is no longer among the answers that are taken`;
      const severity = /^[23]/.test(status) ? 'breaking' : 'risky';
      tell(put, `${kind}-response-removed`, severity, 'request', message, { where, before: was.line });
    }
  }
  for (const { status, line } of now) {
    if (earlier.has(status.toUpperCase())) continue;
    const at = { where: `response ${status}`, after: line };
    tell(put, `${kind}-response-added`, 'safe', 'request', `${status} is taken as an answer too`, at);
  }
}

function compareAnswer(of: Calling, was: ApiResponse, is: ApiResponse, where: string): void {
  const { kind, pairs, within, put, around } = of;
  if (was.contents.length === 0 && is.contents.length > 0) {
    const message = `answers of ${was.status} have a body now: those without one may be refused`;
    tell(put, `${kind}-response-body-added`, 'risky', 'request', message, { where, before: was.line, after: is.line });
  } else if (was.contents.length > 0 && is.contents.length === 0) {
    const message = `answers of ${was.status} have no body now: what is sent of it is refused, or not heard`;
    tell(put, `${kind}-response-body-removed`, 'risky', 'request', message, {
      where,
      before: was.line,
      after: is.line,
    });
  } else {
    compareContents(
      { pairs, within, put: withPlaces(put, around), direction: 'request', where: around + where, verb: 'taken' },
      was.contents,
      is.contents,
    );
  }
  compareHeaders(of, was.headers, is.headers, where);
}

function compareHeaders(of: Calling, old: readonly ApiHeader[], now: readonly ApiHeader[], around: string): void {
  const { kind, pairs, within, put } = of;
  const earlier = new Map(old.map(header => [header.name.toLowerCase(), header]));
  for (const is of now) {
    const was = earlier.get(is.name.toLowerCase());
    const at = { where: `${around} header ${is.name}`, before: was?.line, after: is.line };
    if (is.isRequired && was?.isRequired !== true) {
      const message = `the header ${is.name} is required now: answers without it are refused`;
      tell(put, `${kind}-response-header-became-required`, 'breaking', 'request', message, at);
    }
    if (was === undefined) continue;
    const where = of.around + at.where;
    compareShapes(pairs, within, {
      direction: 'request',
      old: was.shape,
      now: is.shape,
      where,
      before: was.line,
      after: is.line,
    });
  }
}

import type { ApiBody, ApiContent, ApiHeader, ApiResponse } from '../../../../model/openapi-schema.ts';
import type { Direction, Holder, Put } from './found.ts';
import { compareShapes, type ShapePairs } from './shape-pairs.ts';
import { compareFormStyles } from './style-rules.ts';

/** What an operation takes in its body. */
export function compareBodies(
  pairs: ShapePairs,
  within: Holder,
  put: Put,
  was: ApiBody | undefined,
  is: ApiBody | undefined,
): void {
  if (was === undefined || is === undefined) {
    const only = was ?? is;
    if (only !== undefined) tellBody(put, only, was === undefined ? 'added' : 'removed');
    return;
  }
  const at = { where: 'request', before: was.line, after: is.line };
  if (is.isRequired && !was.isRequired) {
    const message = 'the body is required now: requests without one are refused';
    put({ id: 'request-body-became-required', severity: 'breaking', compatibility: ['request'], message, ...at });
  } else if (was.isRequired && !is.isRequired) {
    const message = 'the body is no longer required';
    put({ id: 'request-body-became-optional', severity: 'safe', compatibility: [], message, ...at });
  }
  compareContents(
    { pairs, within, put, direction: 'request', where: 'request', verb: 'taken' },
    was.contents,
    is.contents,
  );
}

function tellBody(put: Put, { line, isRequired }: ApiBody, what: 'added' | 'removed'): void {
  if (what === 'removed') {
    const message = 'the body was removed: what is sent of it is refused, or not heard';
    put({
      id: 'request-body-removed',
      severity: 'risky',
      compatibility: ['request'],
      where: 'request',
      message,
      before: line,
    });
    return;
  }
  put({
    id: isRequired ? 'required-request-body-added' : 'request-body-added',
    severity: isRequired ? 'breaking' : 'safe',
    compatibility: isRequired ? ['request'] : [],
    where: 'request',
    message: isRequired ? 'a required body was added: requests without one are refused' : 'a body was added',
    after: line,
  });
}

export interface Contents {
  readonly pairs: ShapePairs;
  readonly within: Holder;
  readonly put: Put;
  readonly direction: Direction;
  readonly where: string;
  /** What is done with them. */
  readonly verb: 'taken' | 'answered' | 'sent';
}

/** By media types, without their parameters and in any case. */
export function compareContents(of: Contents, old: readonly ApiContent[], now: readonly ApiContent[]): void {
  const { pairs, within, put, direction, where, verb } = of;
  const later = new Map(now.map(content => [plain(content.mediaType), content]));
  const earlier = new Set(old.map(({ mediaType }) => plain(mediaType)));
  for (const was of old) {
    const is = later.get(plain(was.mediaType));
    if (is !== undefined) {
      if (where === 'request') compareFormStyles(pairs, put, was, is);
      compareShapes(pairs, within, {
        direction,
        old: was.shape,
        now: is.shape,
        where,
        before: was.line,
        after: is.line,
      });
      continue;
    }
    const isCovered = direction === 'request' && later.has('*/*');
    const message = `${was.mediaType} is no longer ${verb}`;
    if (!isCovered)
      put({
        id: `${direction}-media-type-removed`,
        severity: 'breaking',
        compatibility: [direction],
        where,
        message,
        before: was.line,
      });
  }
  for (const { mediaType, line } of now) {
    if (earlier.has(plain(mediaType)) || old.length === 0) continue;
    const message = `${mediaType} is ${verb} too`;
    put({ id: `${direction}-media-type-added`, severity: 'safe', compatibility: [], where, message, after: line });
  }
}

function plain(mediaType: string): string {
  const [type = ''] = mediaType.split(';', 1);
  return type.trim().toLowerCase();
}

/** What an operation answers, by status. */
export function compareResponses(
  pairs: ShapePairs,
  within: Holder,
  put: Put,
  old: readonly ApiResponse[],
  now: readonly ApiResponse[],
): void {
  const later = new Map(now.map(response => [response.status.toUpperCase(), response]));
  const earlier = new Set(old.map(({ status }) => status.toUpperCase()));
  for (const was of old) {
    const where = `response ${was.status}`;
    const is = later.get(was.status.toUpperCase());
    if (is === undefined) tellRemoved(put, was, where);
    else {
      compareContents(
        { pairs, within, put, direction: 'response', where, verb: 'answered' },
        was.contents,
        is.contents,
      );
      compareHeaders({ pairs, within, put, where }, was.headers, is.headers);
    }
  }
  for (const { status, line } of now) {
    if (earlier.has(status.toUpperCase())) continue;
    const message = `${status} is answered too`;
    put({
      id: 'response-added',
      severity: 'safe',
      compatibility: [],
      where: `response ${status}`,
      message,
      after: line,
    });
  }
}

function tellRemoved(put: Put, { status, line }: ApiResponse, where: string): void {
  const isSuccess = /^[23]/.test(status);
  put({
    id: 'response-removed',
    severity: isSuccess ? 'breaking' : 'risky',
    compatibility: ['response'],
    where,
    message: `${status} is no longer among the answers`,
    before: line,
  });
}

function compareHeaders(
  of: Pick<Contents, 'pairs' | 'within' | 'put' | 'where'>,
  old: readonly ApiHeader[],
  now: readonly ApiHeader[],
): void {
  const { pairs, within, put, where: around } = of;
  const later = new Map(now.map(header => [header.name.toLowerCase(), header]));
  for (const was of old) {
    const is = later.get(was.name.toLowerCase());
    const where = `${around} header ${was.name}`;
    if (is === undefined) {
      const message = `the header ${was.name} was removed`;
      const severity = was.isRequired ? 'breaking' : 'risky';
      put({ id: 'response-header-removed', severity, compatibility: ['response'], where, message, before: was.line });
      continue;
    }
    const at = { before: was.line, after: is.line };
    if (was.isRequired && !is.isRequired) {
      const message = `the header ${was.name} may be missing now`;
      put({
        id: 'response-header-became-optional',
        severity: 'breaking',
        compatibility: ['response'],
        where,
        message,
        ...at,
      });
    }
    compareShapes(pairs, within, { direction: 'response', old: was.shape, now: is.shape, where, ...at });
  }
}

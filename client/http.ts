import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { endedBy, extrasOf, reasonOf, watchPatience } from './connection.ts';
import type { Caller, CallOptions } from './protocol/caller.ts';
import { Fault, type FaultReason, type FaultRow, faultTable } from './protocol/faults.ts';
import {
  fieldInPath,
  fieldsApart,
  type HttpBinding,
  type Operation,
  otherMediaOf,
  pathFields,
  repositoryFields,
} from './protocol/operation.ts';
import { type OperationName, operations } from './protocol/registry.ts';

export interface HttpOptions {
  /** Address of the service, such as `http://localhost:9120`. */
  readonly url: string;
  /** Sent as a bearer token with every request, and to no other address. */
  readonly token: string | undefined;
}

export interface HttpCaller extends Caller {
  close(): Promise<void>;
}

/**
 * A Caller over HTTP. Operations without a route reject with `methodNotFound`; redirects are not followed. Throws
 * `invalidParameter` for what is no address.
 */
export function httpCaller(options: HttpOptions): HttpCaller {
  if (!/^https?:\/\/./i.test(options.url) || !URL.canParse(options.url)) {
    throw new Fault('invalidParameter', `${JSON.stringify(options.url)} is no address such as http://localhost:9120`);
  }
  // How long an answer may take the service decides, and the caller: a job is waited for longer than undici waits.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return {
    async call(name, input, callOptions = {}) {
      // The service serialised the answer from the operation's own output schema.
      return (await ask(agent, options, name, input as Readonly<Record<string, unknown>>, callOptions)) as never;
    },
    close: () => agent.close(),
  };
}

async function ask(
  agent: Agent,
  { url, token }: HttpOptions,
  name: OperationName,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<unknown> {
  const { signal, requestId } = options;
  const { method, target, body, headers } = routeOf(name, input);
  if (signal?.aborted) throw endedBy(signal);
  // A caller's signal may outlive many calls: in Node.js 20 it would keep a word of each that `AbortSignal.any` made of it.
  const patience = new AbortController();
  const release = watchPatience(options, fault => patience.abort(fault));
  try {
    const reply = await request(new URL(url.replace(/\/+$/, '') + target), {
      method,
      dispatcher: agent,
      headers: {
        accept: otherMediaOf(operations[name], input) ?? 'application/json, text/plain',
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      },
      body: body ?? null,
      signal: patience.signal,
    });
    const text = await reply.body.text();
    if (reply.statusCode >= 300) throw faultOf(reply.statusCode, text, Number(reply.headers['retry-after']));
    return String(reply.headers['content-type']).startsWith('application/json') ? JSON.parse(text) : text;
  } catch (error) {
    if (error instanceof Fault) throw error;
    patience.signal.throwIfAborted();
    throw new Fault('unreachable', `Nothing answers at ${new URL(url).host}`, { cause: error });
  } finally {
    release();
  }
}

interface Target {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly target: string;
  readonly body: string | Readable | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Where an operation's fields go: the path takes its own, headers theirs, the repository's and all of GET and DELETE the query,
 * POST the body, which may be one field that is a stream.
 */
export function routeOf(name: OperationName, input: Readonly<Record<string, unknown>>): Target {
  const { http }: Operation = operations[name];
  if (http === undefined) throw new Fault('methodNotFound', `${name} can be asked over the socket only`);
  const inPath = pathFields(http.path);
  const path = http.path.replace(fieldInPath, (_, field: string) => encodeURIComponent(String(input[field])));
  const apart = [...inPath, ...fieldsApart(http)];
  const rest = Object.entries(input).filter(([field, value]) => !apart.includes(field) && value !== undefined);
  const isInQuery = (field: string) => http.method !== 'POST' || Object.hasOwn(repositoryFields, field);
  const query = new URLSearchParams();
  for (const [field, value] of rest) if (isInQuery(field)) query.append(field, String(value));
  const body = bodyOf(http, input, Object.fromEntries(rest.filter(([field]) => !isInQuery(field))));
  const headers = Object.entries(http.headers ?? {}).flatMap(([field, header]) =>
    input[field] === undefined ? [] : [[header, String(input[field])] as const],
  );
  return {
    method: http.method,
    target: query.size === 0 ? path : `${path}?${query}`,
    body,
    headers: {
      ...Object.fromEntries(headers),
      ...(body === undefined ? {} : { 'content-type': mediaOf(http, input) }),
    },
  };
}

function mediaOf({ stream }: HttpBinding, input: Readonly<Record<string, unknown>>): string {
  const told = stream?.mediaField === undefined ? undefined : input[stream.mediaField];
  return typeof told === 'string' ? told : (stream?.media[0] ?? 'application/json');
}

function bodyOf(
  { body, stream }: HttpBinding,
  input: Readonly<Record<string, unknown>>,
  rest: Readonly<Record<string, unknown>>,
): string | Readable | undefined {
  if (stream !== undefined) return input[stream.field] as string | Readable | undefined;
  const whole = body === undefined ? undefined : input[body.field];
  if (typeof whole === 'string') return whole;
  return Object.keys(rest).length === 0 ? undefined : JSON.stringify(rest);
}

/** An error answer as the Fault it was: by status and public code, or by the index server's. */
function faultOf(status: number, text: string, retryAfterSeconds: number): Fault {
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Something between us and the service answered; its status is all there is.
  }
  const served = servedError(body['error']);
  if (served !== undefined) {
    const waits = Number.isFinite(retryAfterSeconds) ? { retryAfterSeconds } : {};
    return new Fault(reasonServed(status, served.code), served.message, { details: { reason: served.code }, ...waits });
  }
  const reason = reasonOf(undefined, row => row.status === status && (body['code'] ?? row.code) === row.code);
  const message = typeof body['error'] === 'string' ? body['error'] : `The service answered ${status}`;
  return new Fault(reason, message, {
    ...extrasOf(body),
    ...(Number.isFinite(retryAfterSeconds) ? { retryAfterSeconds } : {}),
  });
}

function servedError(error: unknown): { readonly code: string; readonly message: string } | undefined {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined;
}

/** The row with the index server's code and the status. */
function reasonServed(status: number, code: string): FaultReason {
  const rows = Object.entries(faultTable as Readonly<Record<string, FaultRow>>).filter(
    ([, row]) => row.status === status,
  );
  const found = rows.find(([, row]) => (row.served ?? row.code.toLowerCase()) === code);
  // A code that stands in no row is the cause that one of those names which have none.
  const [reason = 'operationFailed'] = found ?? rows.find(([, row]) => row.served === undefined) ?? [];
  return reason as FaultReason;
}

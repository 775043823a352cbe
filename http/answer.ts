import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Fault, type FaultRow, faultBody, servedFaultBody } from '../client/protocol/faults.ts';
import { encodedStatus, otlpMedia, statusBody } from '../client/protocol/otlp-answers.ts';

export type Headers = Readonly<Record<string, string>>;

/** An answer that carries no operation's document. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | Uint8Array;
}

/**
 * On every answer, whatever went wrong. The origin `*` is safe to say: credentials are never allowed, and a page of
 * another site is refused without data.
 */
export function commonHeaders(requestId: string): Headers {
  return {
    'X-Request-ID': requestId,
    'Access-Control-Allow-Origin': '*',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}

/** What a page of another origin may read of an answer's headers; said where one asks. */
export const exposedHeaders: Headers = {
  'Access-Control-Expose-Headers': 'X-Request-ID, ETag, Retry-After, WWW-Authenticate, X-RateLimit-Remaining',
};

/** The caller's request id, if it is sane, else a fresh one. */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && /^[\x20-\x7e]{1,128}$/.test(header) ? header : randomUUID();
}

/** Whose error bodies a path has. */
export type Group = 'core' | 'index' | 'otlp';

/**
 * A fault as HTTP says it; `extra` adds what only the place knows (`Allow`), `media` is the header Content-Type of the
 * request, where there is one.
 */
export function faultAnswer(fault: Fault, group: Group, extra: Headers = {}, media?: string): Answer {
  const { row, extras } = fault;
  const isBinary = group === 'otlp' && mediaTypeOf(media) === otlpMedia.protobuf;
  const headers: Record<string, string> = {
    'Content-Type': isBinary ? media! : 'application/json',
    'Cache-Control': 'no-store',
    ...extra,
  };
  if (row.status === 401) headers['WWW-Authenticate'] = 'Bearer';
  const retryAfter = extras.retryAfterSeconds ?? defaultRetryAfter(row);
  if (retryAfter !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfter)));
  const body = isBinary ? encodedStatus(statusBody(fault)) : JSON.stringify(bodies[group](fault));
  return { status: row.status, headers, body };
}

const bodies: Readonly<Record<Group, (fault: Fault) => object>> = {
  core: faultBody,
  index: servedFaultBody,
  otlp: statusBody,
};

/** What a header Content-Type says without its parameters; '' where there is none. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** Whatever was thrown as a fault: what is no fault becomes `operationFailed`, and its text stays here. */
export function asFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  return new Fault('operationFailed', 'The operation failed; the log has the cause under this request id', {
    cause: thrown,
  });
}

/** Writes an answer on a socket that has no response object (parser errors, CONNECT), and closes it. */
export function writeRaw(socket: Duplex, answer: Answer, requestId: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const headers = {
    ...commonHeaders(requestId),
    ...answer.headers,
    Date: new Date().toUTCString(),
    'Content-Length': String(Buffer.byteLength(answer.body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? 'Error'}\r\n`;
  socket.write(`${head}${lines.join('')}\r\n`);
  socket.end(answer.body, () => socket.destroy());
}

function defaultRetryAfter(row: FaultRow): number | undefined {
  return row.status === 429 || row.status === 503 ? 1 : undefined;
}

import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Admission, Principal } from '../client/protocol/caller.ts';
import { Fault, invalid } from '../client/protocol/faults.ts';
import type { HostPolicy } from './hosts.ts';
import type { Authentication, HttpLimits, HttpOptions } from './options.ts';

export interface Gate {
  readonly hosts: HostPolicy;
  readonly authentication: Authentication;
  readonly limits: HttpLimits;
  readonly countStranger?: HttpOptions['countStranger'];
}

/**
 * Whether a request is addressed to this listener: undefined, or why not. Asked before anything is looked up, so that a page
 * that rebound its name learns nothing, not even which paths exist.
 */
export function refuseHost(request: IncomingMessage, gate: Gate): Fault | undefined {
  const hosts = headersNamed(request, 'host');
  if (hosts.length === 0) return invalid('invalidParameter', [{ path: 'Host', message: 'is required' }]);
  if (hosts.length > 1) return invalid('invalidParameter', [{ path: 'Host', message: 'is given more than once' }]);
  return gate.hosts.trusts(hosts[0]!) ? undefined : untrustedHost();
}

/** Whether a request is well-formed HTTP for this listener: undefined, or why not. */
export function refuseRequest(request: IncomingMessage, gate: Gate): Fault | undefined {
  const { method, url: target = '', headers } = request;
  if (request.httpVersionMajor !== 1) {
    return invalid('invalidParameter', [{ path: 'request', message: 'must be of HTTP/1.0 or HTTP/1.1' }]);
  }
  if (isOddlyFramed(request)) {
    const message = 'must be chunked and nothing else, and HTTP/1.0 has none';
    return invalid('invalidParameter', [{ path: 'Transfer-Encoding', message }]);
  }
  if (target.length > gate.limits.urlBytes)
    return new Fault('uriTooLong', `The URL is over ${gate.limits.urlBytes} bytes`);
  if (headerBytes(request) > gate.limits.headerBytes) return headersTooLarge(gate.limits);
  if (headersNamed(request, 'authorization').length > 1) {
    return invalid('invalidParameter', [{ path: 'Authorization', message: 'is given more than once' }]);
  }
  if (!target.startsWith('/') && !(target === '*' && method === 'OPTIONS')) {
    return invalid('invalidParameter', [{ path: 'target', message: 'must be a path that starts with /' }]);
  }
  if (!isSoundlyEncoded(target)) {
    return invalid('invalidParameter', [{ path: 'path', message: 'is not valid percent-encoded UTF-8' }]);
  }
  const expected = headers.expect;
  if (expected !== undefined && expected.toLowerCase() !== '100-continue') {
    return new Fault('expectationFailed', 'Only the expectation 100-continue is met here');
  }
  return undefined;
}

/**
 * Who asks, or why they may not (401, 403, and 429 where too many asked from there in vain). With authentication every
 * request shows the token. Without, which loopback listeners alone may do, whoever is no web page of another site is the
 * owner; such a page may still read the `open` routes, which hold nothing of the user's.
 */
export function identifyCaller(request: IncomingMessage, access: 'open' | 'guarded', gate: Gate): Principal | Fault {
  const shown = tokenVerdict(request.headers.authorization, gate.authentication);
  if (shown === 'valid') return { kind: 'owner' };
  if (isCrossSite(request)) {
    if (access === 'open' && gate.authentication.kind === 'off') return { kind: 'anonymous' };
    return untrustedOrigin();
  }
  if (gate.authentication.kind === 'off') return { kind: 'owner' };
  const waitS = gate.countStranger?.(request.socket.remoteAddress ?? '') ?? 0;
  if (waitS > 0) {
    const message = `Too many requests without the access token; try again in ${waitS} s`;
    return new Fault('rateLimited', message, { retryAfterSeconds: waitS });
  }
  const message = shown === 'missing_token' ? 'An access token is required' : 'The access token is not valid';
  return new Fault('unauthorized', message, {
    details: { reason: shown },
    suggestedFixes: [
      { type: 'run-command', command: 'svc daemon token', safe: true, description: 'Print the token of this daemon' },
    ],
  });
}

/**
 * Who asks the index server, or why they may not, and how much more they may. What keeps pages of other sites out elsewhere does
 * so here: a key is no cookie, but where none is needed a page needs none either.
 */
export function identifyKeyHolder(
  request: IncomingMessage,
  indexServer: HttpOptions['indexServer'],
  { authentication }: Gate,
): Admission {
  const { authorization } = request.headers;
  if (indexServer === undefined) {
    const isOwner = tokenVerdict(authorization, authentication) === 'valid';
    const off = new Fault(
      'indexServerOff',
      'There is no index server at this address: svc serve --index-server opens one',
    );
    return { verdict: isCrossSite(request) && !isOwner ? untrustedOrigin() : off, remaining: undefined };
  }
  const address = request.socket.remoteAddress ?? '';
  const admission = indexServer.door.admit({ authorization, method: request.method ?? '', address });
  const isProven = authorization !== undefined && isKnown(admission.verdict, authentication);
  return isCrossSite(request) && !isProven ? { ...admission, verdict: untrustedOrigin() } : admission;
}

/** Whether the door has let somebody in for what they showed, and not for asking nobody. */
function isKnown(verdict: Admission['verdict'], authentication: Authentication): boolean {
  if (verdict instanceof Fault) return false;
  return verdict.kind === 'key'
    ? verdict.id !== 'anonymous'
    : verdict.kind === 'owner' && authentication.kind !== 'off';
}

export function headersTooLarge(limits: HttpLimits): Fault {
  return new Fault('headersTooLarge', `The request’s headers are over ${limits.headerBytes} bytes`);
}

function untrustedOrigin(): Fault {
  return new Fault('forbidden', 'A page of another site may not ask this service', {
    details: { reason: 'untrusted_origin' },
  });
}

function untrustedHost(): Fault {
  return new Fault('forbidden', 'This service does not answer to that host name', {
    details: { reason: 'untrusted_host' },
  });
}

/** A header, each time that it was sent: of these Node.js keeps the first alone. */
function headersNamed({ rawHeaders }: IncomingMessage, name: 'host' | 'authorization'): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at]!;
    if (given.length === name.length && given.toLowerCase() === name) values.push(rawHeaders[at + 1]!);
  }
  return values;
}

/** Whether where a body ends is told in another way than is read here: somebody in between may have read it otherwise. */
export function isOddlyFramed({ headers, httpVersionMinor }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersionMinor === 0);
}

function isSoundlyEncoded(target: string): boolean {
  if (!target.includes('%')) return true;
  const queryAt = target.indexOf('?');
  try {
    decodeURIComponent(queryAt < 0 ? target : target.slice(0, queryAt));
    return true;
  } catch {
    return false;
  }
}

function headerBytes({ rawHeaders }: IncomingMessage): number {
  let bytes = rawHeaders.length * 2;
  for (const part of rawHeaders) bytes += part.length;
  return bytes;
}

/** Digests are compared, so that neither the length nor a common beginning of the token shows in the time it takes. */
function tokenVerdict(
  authorization: string | undefined,
  authentication: Authentication,
): 'valid' | 'missing_token' | 'invalid_token' {
  if (authorization === undefined) return 'missing_token';
  const token = /^Bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
  if (token === undefined || authentication.kind === 'off') return 'invalid_token';
  return timingSafeEqual(hash('sha256', token, 'buffer'), authentication.digest) ? 'valid' : 'invalid_token';
}

/** A browser's own marks: an `Origin` that is not the address asked, or `Sec-Fetch-Site` of another site. */
function isCrossSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const origin = headers.origin?.toLowerCase();
  if (origin === undefined) return false;
  const host = headers.host?.toLowerCase();
  return origin !== `http://${host}` && origin !== `https://${host}`;
}

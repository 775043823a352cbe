import type { IncomingMessage } from 'node:http';
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Principal } from '../client/protocol/caller.ts';
import { Fault, invalid } from '../client/protocol/faults.ts';
import { type Gate, identifyCaller, identifyKeyHolder, isOddlyFramed, refuseHost, refuseRequest } from './admission.ts';
import { asFault, commonHeaders, exposedHeaders, type Headers, requestIdOf } from './answer.ts';
import { type Exchange, openExchange, reportExchange } from './exchange.ts';
import { parseJsonBody } from './json-body.ts';
import type { HttpOptions } from './options.ts';
import { type Answering, answerOperation } from './respond.ts';
import { allowedMethods, type Match, matchRoute } from './routes.ts';
import { requestTimeout, sendFault } from './send-fault.ts';
import { hasBody, limitArrival } from './streamed-body.ts';
import { wholeBody } from './whole-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange;
  }
}

const unasked = (): never => {
  throw new Error('No route has schemas of Fastify’s');
};
/** Operations check their own inputs. Fastify's compilers of schemas would take a tenth of the daemon's start to be loaded. */
const noCompilers = { buildValidator: () => unasked, buildSerializer: () => unasked };

/**
 * The Fastify application before a daemon. Every request, whatever its path or method, enters by `enter` and is answered
 * by one route or refused on the way; the table of paths is `routes.ts`.
 */
export function buildApp(answering: Answering, gate: Gate): FastifyInstance {
  const { options, traffic } = answering;
  const report = (closed: Exchange) => reportExchange(closed, options);
  const enter = (request: FastifyRequest, reply: FastifyReply): boolean => {
    request.exchange = openExchange(request, reply, traffic, report);
    reply.headers(commonHeaders(request.id));
    if (request.headers.origin !== undefined) reply.headers(exposedHeaders);
    return admit(request, reply, gate, answering);
  };
  const app = fastify({
    genReqId: request => requestIdOf((request as IncomingMessage).headers['x-request-id']),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: false,
    schemaController: { compilersFactory: noCompilers },
    routerOptions: {
      maxParamLength: gate.limits.urlBytes,
      // The query is decoded against its operation's schema, in `decode.ts`.
      querystringParser: () => ({}),
    },
    frameworkErrors: (_error, request, reply) => {
      if (enter(request, reply)) sendFault(request, reply, badEncoding());
    },
  });
  app.decorateRequest('exchange');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const isForHandler = request.exchange.route?.binding.body !== undefined;
    const mostBytes = isForHandler ? gate.limits.deltaBytes : gate.limits.bodyBytes;
    const toldBytes = Number(request.headers['content-length'] ?? 0);
    const body = await wholeBody(payload, { mostBytes, toldBytes, tooLarge });
    refuseCoded(request.headers['content-encoding']);
    return isForHandler ? body : parseJsonBody(body, gate.limits);
  });
  const fail = (request: FastifyRequest, reply: FastifyReply, error: unknown) =>
    sendFault(request, reply, readingFault(error as FastifyError));
  app.addHook('onRequest', (request, reply, done) => {
    if (!enter(request, reply)) return;
    if (!request.exchange.isStreamed) {
      awaitBody(request, reply, gate, options);
      done();
      return;
    }
    // Fastify would read the body, and end the connection with whoever reads half of it.
    answerOperation(request, reply, answering).catch(error => fail(request, reply, error));
  });
  app.setErrorHandler((error, request, reply) => fail(request, reply, error));
  app.setNotFoundHandler((request, reply) => sendFault(request, reply, badEncoding()));
  app.route({
    method: ['GET', 'HEAD', 'POST', 'DELETE'],
    url: '*',
    handler: (request, reply) => answerOperation(request, reply, answering),
  });
  return app;
}

/** Answers a request that goes no further, and says so by `false`. */
function admit(request: FastifyRequest, reply: FastifyReply, gate: Gate, { options, traffic }: Answering): boolean {
  const { exchange, raw } = request;
  const refuse = (fault: Fault, headers?: Headers): false => {
    sendFault(request, reply, fault, headers);
    return false;
  };
  if (traffic.draining) return refuse(shuttingDown(), { Connection: 'close' });
  const misaddressed = refuseHost(raw, gate);
  if (misaddressed !== undefined) return refuse(misaddressed);
  const malformed = refuseRequest(raw, gate);
  if (malformed !== undefined) {
    // The index server counts whoever asks it, whatever they ask; a preflight is the browser’s, which shows no key.
    const isCounted = exchange.group === 'index' && raw.method !== 'OPTIONS';
    const caller = isCounted ? askDoor(request, reply, gate, options) : undefined;
    // What follows an odd frame may be no request of this client’s at all.
    return refuse(caller instanceof Fault ? caller : malformed, isOddlyFramed(raw) ? { Connection: 'close' } : {});
  }
  if (raw.method === 'OPTIONS') return preflight(exchange.rawPath, reply, refuse);
  const match = matchRoute(raw.method ?? '', exchange.rawPath);
  exchange.isStreamed = match.kind === 'route' && match.route.binding.stream !== undefined;
  const caller =
    exchange.group === 'index' ? askDoor(request, reply, gate, options) : identifyCaller(raw, accessOf(match), gate);
  if (caller instanceof Fault) return refuse(caller);
  exchange.principal = caller;
  switch (match.kind) {
    case 'unknown':
      return refuse(unknownPath(match.nearest));
    case 'wrong-method':
      return refuse(wrongMethod(raw.method, match.allow), { Allow: match.allow });
    case 'route': {
      exchange.route = match.route;
      exchange.rawFields = match.rawFields;
      return true;
    }
  }
}

function accessOf(match: Match): 'open' | 'guarded' {
  return match.kind === 'route' && match.route.operation.scope === 'public' ? 'open' : 'guarded';
}

/** Who asks the index server. How much more they may is told with whatever they are answered. */
function askDoor(
  { exchange, raw }: FastifyRequest,
  reply: FastifyReply,
  gate: Gate,
  { indexServer }: HttpOptions,
): Principal | Fault {
  const { verdict, remaining, key } = identifyKeyHolder(raw, indexServer, gate);
  exchange.key = key;
  if (remaining !== undefined) reply.header('X-RateLimit-Remaining', String(Math.max(0, Math.floor(remaining))));
  return verdict;
}

/** The client may send its body now, and has so long for it. */
function awaitBody(request: FastifyRequest, reply: FastifyReply, { limits }: Gate, { onArriving }: HttpOptions): void {
  if (hasBody(request.raw) && onArriving !== undefined) request.exchange.arrived = onArriving();
  if (request.headers.expect !== undefined) reply.raw.writeContinue();
  const late = () => sendFault(request, reply, requestTimeout(), { Connection: 'close' });
  reply.raw.once('close', limitArrival(request.raw, limits.requestTimeoutMs, late));
}

function preflight(path: string, reply: FastifyReply, refuse: (fault: Fault) => false): false {
  const methods = path === '*' ? 'GET, HEAD, POST, DELETE, OPTIONS' : allowedMethods(path);
  if (methods === undefined) return refuse(unknownPath(undefined));
  reply.code(204).headers({
    Allow: methods,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Content-Encoding, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-ID, X-SVC-Commit, X-SVC-Repo',
    'Access-Control-Max-Age': '600',
  });
  reply.send();
  return false;
}

function shuttingDown(): Fault {
  return new Fault('shuttingDown', 'The service is shutting down', { retryAfterSeconds: 1 });
}

/** What Fastify found while reading a body, or whatever was thrown while answering. */
function readingFault(error: FastifyError): Fault {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return wrongMediaType();
    default:
      return asFault(error);
  }
}

function tooLarge(limitBytes: number): Fault {
  return new Fault('tooLarge', `The request’s body is over ${limitBytes} bytes`, { details: { limitBytes } });
}

function refuseCoded(contentEncoding: string | undefined): void {
  if (contentEncoding === undefined || contentEncoding.toLowerCase() === 'identity') return;
  throw new Fault('unsupportedMediaType', 'The body must not be compressed', { details: { contentEncoding } });
}

function wrongMediaType(): Fault {
  return new Fault('unsupportedMediaType', 'The body must be JSON, and Content-Type must say so: application/json');
}

function badEncoding(): Fault {
  return invalid('invalidParameter', [{ path: 'path', message: 'is not valid percent-encoded UTF-8' }]);
}

function unknownPath(nearest: string | undefined): Fault {
  const hint = nearest === undefined ? 'GET / lists what there is' : `did you mean ${nearest}?`;
  return new Fault('resourceNotFound', `There is nothing at this path; ${hint}`, {
    details: { reason: 'unknown_path', nearest: nearest ?? null },
  });
}

function wrongMethod(method: string | undefined, allow: string): Fault {
  return new Fault('methodNotAllowed', `${method} is not allowed here; ${allow} are`, {
    details: { reason: 'wrong_method', allow: allow.split(', ') },
  });
}

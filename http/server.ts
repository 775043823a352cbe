import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { cutOff, Fault, invalid } from '../client/protocol/faults.ts';
import { mayListen } from '../client/protocol/loopback.ts';
import { maskSecrets } from '../client/protocol/mask.ts';
import { headersTooLarge } from './admission.ts';
import { faultAnswer, type Group, type Headers, requestIdOf, writeRaw } from './answer.ts';
import { buildApp } from './app.ts';
import type { Traffic } from './exchange.ts';
import { bracketed, hostPolicy } from './hosts.ts';
import { answerBefore, answersBefore, hasTooMany } from './in-order.ts';
import { listen } from './listen.ts';
import { defaultHttpLimits, type HttpLimits, type HttpOptions } from './options.ts';
import { groupOf } from './routes.ts';
import { requestTimeout, sendFault, wasAnsweredLast, wasAnsweredMidway } from './send-fault.ts';

export interface HttpListener {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** Refuses new connections at once, lets active requests finish, cuts what remains after `deadlineMs`. */
  close(deadlineMs: number): Promise<void>;
}

/**
 * Opens an HTTP listener before a daemon. Rejects with `misconfigured` (`details.reason`: `unsafe_bind`) for an
 * address that is not loopback without authentication and allowed hosts, with `preconditionFailed` (`port_taken`, `cannot_bind`).
 */
export async function openHttp(options: HttpOptions): Promise<HttpListener> {
  refuseUnsafeBind(options);
  const limits: HttpLimits = { ...defaultHttpLimits, ...options.limits };
  const traffic: Traffic = { exchanges: [], streams: new Set(), lingerMs: limits.lingerMs, draining: false };
  const gate = {
    hosts: hostPolicy(options.host, options.allowedHosts),
    authentication: options.authentication,
    limits,
    countStranger: options.countStranger,
  };
  const app = buildApp({ options, limits, traffic }, gate);
  await app.ready();
  const { servers, port } = await listen(options.host, options.port, () => makeServer(app, limits, options));
  let closing: Promise<void> | undefined;
  return {
    host: options.host,
    port,
    url: `http://${bracketed(options.host)}:${port}`,
    close(deadlineMs) {
      closing ??= drain(servers, app, traffic, deadlineMs);
      return closing;
    },
  };
}

function refuseUnsafeBind({ host, authentication, allowedHosts }: HttpOptions): void {
  if (mayListen({ host, isAuthenticated: authentication.kind === 'token', allowedHosts })) return;
  throw new Fault('misconfigured', `Listening on ${host} needs authentication and http.allowed_hosts`, {
    details: { reason: 'unsafe_bind', host },
  });
}

function makeServer(app: FastifyInstance, limits: HttpLimits, options: HttpOptions): Server {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (hasTooMany(request.socket)) return void request.socket.destroy();
    inTurn(request.socket, answerBefore(response), () => {
      if (!wasAnsweredLast(request.socket)) app.routing(request, response);
    });
  };
  const server = createServer(
    {
      // The URL counts as a header here; each has its own limit, held in `admission.ts`.
      maxHeaderSize: limits.headerBytes + limits.urlBytes + 1024,
      headersTimeout: limits.headersTimeoutMs,
      // Of bodies each has its own limit: some may take as long as they come.
      requestTimeout: 0,
      // Node.js looks for connections that overstay this often, whether there are any or not.
      connectionsCheckingInterval: Math.ceil(limits.headersTimeoutMs / 3),
      keepAliveTimeout: 10_000,
      // Missing Hosts are answered like everything else, with a body and a request id.
      requireHostHeader: false,
    },
    answer,
  );
  const refuse = (socket: Duplex, fault: Fault, { request, group = 'core', headers }: Refused = {}) => {
    const requestId = requestIdOf(request?.headers['x-request-id']);
    writeRaw(socket, faultAnswer(fault, group, headers), requestId);
    const { method = '', url = '' } = request ?? {};
    const path = maskSecrets(url);
    const status = fault.row.status;
    options.onAnswered?.({ requestId, method, path, query: '', status, durationMs: 0, fault: fault.reason });
  };
  // Their bytes are counted. Beyond a number Node.js would drop them, and not tell.
  server.maxHeadersCount = 0;
  server.on('checkExpectation', answer);
  // Whoever asks first whether to send its body is told once it is clear that somebody wants it.
  server.on('checkContinue', answer);
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const fault = new Fault('methodNotAllowed', 'This service is no proxy: CONNECT is not allowed');
    const headers = { Allow: 'GET, HEAD, POST, DELETE, OPTIONS' };
    inTurn(socket, answersBefore(socket), () => refuse(socket, fault, { request, headers }));
  });
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || wasAnsweredMidway(socket)) socket.destroy();
    else
      inTurn(socket, answersBefore(socket), () =>
        refuse(socket, parserFault(error, limits), { group: groupIn(error) }),
      );
  });
  limitConnections(server, limits.connections, socket => {
    const fault = new Fault('rateLimited', 'Too many connections are open', { retryAfterSeconds: 1 });
    refuse(socket, fault);
  });
  // Failing to accept (no file handles left) must not end the process: the next accept may succeed.
  server.on('error', () => {});
  return server;
}

/** Goes on once what was asked before on a connection is answered, unless that was the end of it. */
function inTurn(socket: Duplex, before: Promise<void> | undefined, goOn: () => void): void {
  if (before === undefined) goOn();
  else void before.then(() => socket.writable && goOn());
}

function limitConnections(server: Server, most: number, refuse: (socket: Socket) => void): void {
  let open = 0;
  server.on('connection', socket => {
    open++;
    socket.once('close', () => open--);
    socket.on('error', () => socket.destroy());
    if (open > most) refuse(socket);
  });
}

interface Refused {
  readonly request?: IncomingMessage;
  readonly group?: Group;
  readonly headers?: Headers;
}

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** Whose error bodies the reader of what could not be read expects, as far as the packet begins with a request. */
function groupIn({ rawPacket }: ParserError): Group {
  const line = rawPacket?.subarray(0, 256).toString('latin1') ?? '';
  return groupOf(/^[A-Z]{1,16} ([^ ?]*)/.exec(line)?.[1] ?? '');
}

function parserFault(error: ParserError, limits: HttpLimits): Fault {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge(limits);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimeout();
    default:
      return invalid('invalidParameter', [{ path: 'request', message: 'is not valid HTTP' }]);
  }
}

/** How long the answers that the deadline forced may take to reach their clients. */
const farewellMs = 250;

async function drain(
  servers: readonly Server[],
  app: FastifyInstance,
  traffic: Traffic,
  deadlineMs: number,
): Promise<void> {
  traffic.draining = true;
  const closed = Promise.all(servers.map(server => new Promise<void>(done => server.close(() => done()))));
  // Node.js closes those that idle when closing begins, and leaves the others open after their answer.
  const closeIdle = () => servers.forEach(server => void server.closeIdleConnections());
  const sweep = setInterval(closeIdle, 50);
  for (const stop of [...traffic.streams]) stop();
  const cut = () => servers.forEach(server => void server.closeAllConnections());
  let farewell: NodeJS.Timeout | undefined;
  const deadline = setTimeout(() => {
    for (const { abort, reply } of [...traffic.exchanges]) {
      const fault = cutOff();
      abort.abort(fault);
      sendFault(reply.request, reply, fault, { Connection: 'close' });
    }
    farewell = setTimeout(cut, farewellMs);
  }, deadlineMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
  clearTimeout(farewell);
  await app.close();
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Principal } from '../client/protocol/caller.ts';
import type { Fault } from '../client/protocol/faults.ts';
import { maskSecrets } from '../client/protocol/mask.ts';
import type { HttpOptions } from './options.ts';
import type { Route } from './routes.ts';

/** One request and its answer, from the first header to the last byte. */
export interface Exchange {
  readonly requestId: string;
  readonly startedAt: number;
  /** Path and query as they stand on the request line, still percent-encoded. */
  readonly rawPath: string;
  readonly rawQuery: string;
  /** Fires when the client goes away before its answer is written, and at the deadline of a closing listener. */
  readonly abort: AbortController;
  principal: Principal;
  route: Route | undefined;
  rawFields: readonly string[];
  fault: Fault | undefined;
}

/** What a listener knows while it lives: the exchanges under way, the event streams, and whether it is closing. */
export interface Traffic {
  readonly exchanges: Map<Exchange, FastifyReply>;
  readonly streams: Set<() => void>;
  draining: boolean;
}

/** Opens an exchange. However it ends, `onClosed` runs once, and the client's leaving aborts the work. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  onClosed: (exchange: Exchange) => void,
): Exchange {
  const target = request.url ?? '';
  const queryAt = target.indexOf('?');
  const exchange: Exchange = {
    requestId,
    startedAt: performance.now(),
    rawPath: queryAt < 0 ? target : target.slice(0, queryAt),
    rawQuery: queryAt < 0 ? '' : target.slice(queryAt + 1),
    abort: new AbortController(),
    principal: nobody,
    route: undefined,
    rawFields: [],
    fault: undefined,
  };
  response.on('close', () => {
    // Node says that a response is finished whose socket was destroyed with bytes unread, too; only the socket knows.
    if (!response.writableFinished || request.socket.destroyed) exchange.abort.abort();
    onClosed(exchange);
  });
  return exchange;
}

const nobody: Principal = { kind: 'anonymous' };

/** Tells the listener's owner how an exchange ended; 499 stands for a client that left before its answer. */
export function reportExchange(
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
  onAnswered: HttpOptions['onAnswered'],
): void {
  if (onAnswered === undefined) return;
  const { fault, route } = exchange;
  onAnswered({
    requestId: exchange.requestId,
    method: request.method ?? '',
    path: maskSecrets(exchange.rawPath),
    query: maskSecrets(exchange.rawQuery),
    status: response.headersSent ? response.statusCode : 499,
    durationMs: Math.round((performance.now() - exchange.startedAt) * 1000) / 1000,
    operation: route?.name,
    fault: fault?.reason,
    cause: fault?.cause,
  });
}

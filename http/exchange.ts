import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../client/protocol/caller.ts';
import type { Fault } from '../client/protocol/faults.ts';
import { maskSecrets } from '../client/protocol/mask.ts';
import type { Group } from './answer.ts';
import type { HttpOptions } from './options.ts';
import { groupOf, type Route } from './routes.ts';

/** One request and its answer, from the first header to the last byte. */
export interface Exchange {
  readonly requestId: string;
  readonly startedAt: number;
  /** Path and query as they stand on the request line, still percent-encoded. */
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly group: Group;
  /** Fires when the client goes away before its answer is written, and at the deadline of a closing listener. */
  readonly abort: AbortController;
  principal: Principal;
  /** Which key asked the index server, as its door tells. */
  key: string | undefined;
  route: Route | undefined;
  rawFields: readonly string[];
  /** Its body is handed on as it comes. */
  isStreamed: boolean;
  /** To be called when the body that is on its way is no longer waited for. */
  arrived: () => void;
  fault: Fault | undefined;
  readonly reply: FastifyReply;
  readonly lingerMs: number;
  /** Where it stands in `Traffic.exchanges`. */
  place: number;
}

/** What a listener knows while it lives: the exchanges under way, the event streams, and whether it is closing. */
export interface Traffic {
  /**
   * In no order, each at its place. A Map wears out a table every few exchanges, and such a table, once it is old, keeps what
   * stood in it alive until the next full collection.
   */
  readonly exchanges: Exchange[];
  readonly streams: Set<() => void>;
  /** How long a client that still sends is read from after its answer. */
  readonly lingerMs: number;
  draining: boolean;
}

/** Opens an exchange. However it ends, `onClosed` runs once, and the client's leaving aborts the work. */
export function openExchange(
  { raw: request, id: requestId }: FastifyRequest,
  reply: FastifyReply,
  traffic: Traffic,
  onClosed: (exchange: Exchange) => void,
): Exchange {
  const target = request.url ?? '';
  const queryAt = target.indexOf('?');
  const rawPath = queryAt < 0 ? target : target.slice(0, queryAt);
  const exchange: Exchange = {
    requestId,
    startedAt: performance.now(),
    rawPath,
    group: groupOf(rawPath),
    rawQuery: queryAt < 0 ? '' : target.slice(queryAt + 1),
    abort: new AbortController(),
    principal: nobody,
    key: undefined,
    route: undefined,
    rawFields: [],
    isStreamed: false,
    arrived: () => {},
    fault: undefined,
    reply,
    lingerMs: traffic.lingerMs,
    place: traffic.exchanges.length,
  };
  traffic.exchanges.push(exchange);
  const response = reply.raw;
  response.on('close', () => {
    // Node says that a response is finished whose socket was destroyed with bytes unread, too; only the socket knows.
    if (!response.writableFinished || request.socket.destroyed) exchange.abort.abort();
    remove(exchange, traffic);
    exchange.arrived();
    onClosed(exchange);
  });
  return exchange;
}

/** The last takes the place of the one that leaves. */
function remove({ place }: Exchange, { exchanges }: Traffic): void {
  const last = exchanges.pop()!;
  if (last.place === place) return;
  last.place = place;
  exchanges[place] = last;
}

const nobody: Principal = { kind: 'anonymous' };

/** Tells the listener's owner how an exchange ended; 499 stands for a client that left before its answer. */
export function reportExchange(exchange: Exchange, options: Pick<HttpOptions, 'onAnswered' | 'indexServer'>): void {
  const { onAnswered } = options;
  if (onAnswered === undefined) return;
  const { fault, route, reply } = exchange;
  onAnswered({
    requestId: exchange.requestId,
    method: reply.request.method,
    path: maskSecrets(exchange.rawPath),
    query: maskSecrets(withoutSecrets(exchange, options.indexServer)),
    status: reply.raw.headersSent ? reply.statusCode : 499,
    durationMs: Math.round((performance.now() - exchange.startedAt) * 1000) / 1000,
    operation: route?.name,
    fault: fault?.reason,
    key: exchange.key,
    cause: fault?.cause,
  });
}

/** The query of a request to the index server, values struck out that its configuration knows as secrets, whatever their shape. */
function withoutSecrets({ group, rawQuery }: Exchange, indexServer: HttpOptions['indexServer']): string {
  if (group !== 'index' || indexServer === undefined || rawQuery === '') return rawQuery;
  const fields = rawQuery.split('&').map(field => {
    const valueAt = field.indexOf('=') + 1;
    return indexServer.door.isSecret(decoded(field.slice(valueAt))) ? `${field.slice(0, valueAt)}***` : field;
  });
  return fields.join('&');
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

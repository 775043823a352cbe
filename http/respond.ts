import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reply } from '../client/protocol/caller.ts';
import { namesEtag } from '../client/protocol/etag.ts';
import { Fault } from '../client/protocol/faults.ts';
import type { Media } from '../client/protocol/operation.ts';
import { validateInput } from '../client/protocol/validate.ts';
import { mediaTypeOf } from './answer.ts';
import { decodeInput } from './decode.ts';
import { compress, leastCompressed, preferredCoding } from './encode.ts';
import { streamEvents } from './events.ts';
import type { Traffic } from './exchange.ts';
import type { HttpLimits, HttpOptions } from './options.ts';
import type { Route } from './routes.ts';
import { asItIs, requestTimeout, sendFault } from './send-fault.ts';
import { streamedBody } from './streamed-body.ts';

/** What answering needs of the listener. */
export interface Answering {
  readonly options: HttpOptions;
  readonly limits: HttpLimits;
  readonly traffic: Traffic;
}

/** Decodes an admitted request, lets the daemon answer it, and sends what it says. Rejects with what the daemon threw. */
export async function answerOperation(
  request: FastifyRequest,
  reply: FastifyReply,
  answering: Answering,
): Promise<void> {
  const { exchange } = request;
  const route = exchange.route!;
  const decoded = decodeInput({
    route,
    rawFields: exchange.rawFields,
    rawQuery: exchange.rawQuery,
    body: exchange.isStreamed ? streamOf(request, reply, answering) : request.body,
    header: name => headersOf(request, name),
    accept: request.headers.accept,
    contentType: request.headers['content-type'],
    pathParameterBytes: answering.limits.pathParameterBytes,
  });
  if (route.binding.produces === 'events') {
    validateInput(route.operation, decoded);
    openStream(request, reply, answering);
    return;
  }
  const dispatched = answering.options.daemon.dispatch({
    operation: route.name,
    input: decoded.input,
    invalidAs: decoded.invalidAs,
    problems: decoded.problems,
    placeOf: decoded.placeOf,
    refusal: otherMedia(request),
    otherRepos: decoded.otherRepos,
    requestId: exchange.requestId,
    principal: exchange.principal,
    abort: exchange.abort,
    defaultRepo: answering.options.defaultRepo,
    indexServer: exchange.group === 'index' ? answering.options.indexServer?.name : undefined,
    ifNoneMatch: request.headers['if-none-match'],
  });
  exchange.arrived();
  const answer = await dispatched;
  await endOfTurn();
  // The deadline of a closing listener may have answered meanwhile.
  if (!reply.sent) await send(request, reply, contentOf(route, decoded.media), answer, answering);
}

/** The body as it comes. Whoever is to read it may wait with that: only then is the client told to go on that asked first. */
function streamOf(request: FastifyRequest, reply: FastifyReply, { limits }: Answering): Readable {
  const { exchange, raw } = request;
  const body = streamedBody(raw, {
    silentMs: limits.silentBodyMs,
    onRead() {
      if (request.headers.expect !== undefined && !reply.sent) reply.raw.writeContinue();
    },
    onSilent() {
      const fault = requestTimeout();
      sendFault(request, reply, fault);
      body.destroy(fault);
      exchange.abort.abort(fault);
    },
  });
  return body;
}

/** What is held against a streamed body that is said to be something else. */
function otherMedia({ exchange, headers }: FastifyRequest): Fault | undefined {
  const media = exchange.route?.binding.stream?.media;
  if (media === undefined || media.includes(mediaTypeOf(headers['content-type']))) return undefined;
  const offered = media.join(' or ');
  return new Fault('unsupportedMediaType', `The body must be of the type that Content-Type is to say: ${offered}`);
}

/**
 * Resolves when whatever arrived in this turn of the event loop has been looked at. Answers leave together then: the first
 * wakes the client that sleeps, which may take longer than all else in an answer, and those behind it find it awake.
 */
function endOfTurn(): Promise<void> {
  turn ??= new Promise(resolve => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

let turn: Promise<void> | undefined;

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
  answer: Reply,
  { limits, traffic }: Answering,
): Promise<void> {
  const ifNoneMatch = request.headers['if-none-match'];
  const isHalfRead = request.exchange.isStreamed && !request.raw.complete;
  if (traffic.draining || isHalfRead) reply.header('Connection', 'close');
  reply.header('Cache-Control', answer.etag === undefined ? 'no-store' : 'private, no-cache');
  reply.header('Vary', content.varies ? 'Accept, Accept-Encoding, Authorization' : 'Accept-Encoding, Authorization');
  if (answer.etag !== undefined) {
    reply.header('ETag', answer.etag);
    if (answer.kind === 'unchanged' || ifNoneMatch?.trim() === '*' || namesEtag(ifNoneMatch ?? '', answer.etag)) {
      reply.code(304).send();
      return;
    }
  }
  if (answer.kind === 'unchanged') return;
  if (answer.lastModified !== undefined) reply.header('Last-Modified', answer.lastModified.toUTCString());
  reply.header('Content-Type', content.type);
  if (content.type.startsWith(svg)) reply.header('Content-Security-Policy', picturePolicy);
  const { body } = answer;
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  // Small answers fit the kernel's buffer; a reader that leaves a large one unread is cut.
  if (bytes > kernelBuffer) request.raw.socket.setTimeout(limits.stalledWriteMs);
  const coding = bytes < leastCompressed ? 'identity' : preferredCoding(request.headers['accept-encoding']);
  if (coding === 'identity') {
    reply.serializer(asItIs).send(body);
    return;
  }
  reply.header('Content-Encoding', coding);
  const compressed = await compress(body, coding);
  if (!reply.sent) reply.send(compressed);
}

/** How an answer is labelled. */
interface Content {
  readonly type: string;
  /** Another header `Accept` may have had another answer. */
  readonly varies: boolean;
}

function contentOf({ binding, operation }: Route, media: string): Content {
  if (binding.produces !== undefined) return { type: contentTypes[binding.produces], varies: false };
  const isWhole = media === 'application/json' || binding.speaks !== undefined;
  const type = isWhole ? media : `${media}; charset=utf-8`;
  return { type, varies: operation.formats !== undefined };
}

const svg = 'image/svg+xml';
/** A picture is a document that a browser opens by itself: whatever might be in it runs nothing and fetches nothing. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The version belongs to the Prometheus exposition format, the one text that there is. */
const contentTypes: Readonly<Record<Media, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  events: 'text/event-stream',
};
const kernelBuffer = 64 * 1024;

function openStream(request: FastifyRequest, reply: FastifyReply, { options, limits, traffic }: Answering): void {
  reply.headers({ 'Content-Type': contentTypes.events, 'Cache-Control': 'no-store' });
  if (request.method === 'HEAD') {
    reply.send();
    return;
  }
  if (traffic.streams.size >= limits.eventStreams) {
    throw new Fault('rateLimited', 'Too many event streams are open', { retryAfterSeconds: 5 });
  }
  reply.hijack();
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
  const stop = streamEvents(reply.raw, {
    daemon: options.daemon,
    lastEventId: headerText(request.headers['last-event-id']),
    heartbeatMs: limits.heartbeatMs,
  });
  traffic.streams.add(stop);
  reply.raw.once('close', () => traffic.streams.delete(stop));
}

/** Node.js joins what is sent twice, and takes it apart where it is asked to, for all headers at once. */
function headersOf({ headers, raw }: FastifyRequest, given: string): readonly string[] {
  const name = given.toLowerCase();
  return headers[name] === undefined ? [] : raw.headersDistinct[name]!;
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

import type { OutgoingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../client/protocol/faults.ts';
import { type Answer, faultAnswer, type Headers } from './answer.ts';
import { hasBody } from './streamed-body.ts';

/** Sends a fault as the answer of a request, and remembers it for the log. */
export function sendFault(request: FastifyRequest, reply: FastifyReply, fault: Fault, headers?: Headers): void {
  if (reply.sent) return;
  const { exchange, raw } = request;
  exchange.fault = fault;
  const answer = faultAnswer(fault, exchange.group, headers, raw.headers['content-type']);
  if (hasBody(raw) && !raw.complete && (exchange.isStreamed || raw.headers.expect !== undefined)) {
    answerMidway(request, reply, answer);
    return;
  }
  if (headers?.['Connection'] === 'close') answeredLast.add(raw.socket);
  reply.code(answer.status).headers(answer.headers).serializer(asItIs).send(answer.body);
}

/**
 * Answers a client that still sends. Were the connection closed at once, what is on its way would reset it, and the answer might
 * be lost; so for a while it is read, and thrown away.
 */
function answerMidway(request: FastifyRequest, reply: FastifyReply, { status, headers, body }: Answer): void {
  reply.hijack();
  answeredMidway.add(request.raw.socket);
  const { raw: response } = reply;
  const length = String(Buffer.byteLength(body));
  const all = { ...reply.getHeaders(), ...headers, Connection: 'close', 'Content-Length': length };
  response.writeHead(status, all as OutgoingHttpHeaders);
  response.write(body);
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, request.exchange.lingerMs);
  request.raw.once('end', end).once('close', end).resume();
}

const answeredMidway = new WeakSet<Duplex>();

/** Whether a client has its answer already: that it breaks off what it sent needs no other. */
export function wasAnsweredMidway(socket: Duplex): boolean {
  return answeredMidway.has(socket);
}

const answeredLast = new WeakSet<Duplex>();

/** Whether a client was told that its connection ends with the answer that it has: what else it sent is not looked at. */
export function wasAnsweredLast(socket: Duplex): boolean {
  return answeredLast.has(socket);
}

export function requestTimeout(): Fault {
  return new Fault('requestTimeout', 'The request did not arrive in time');
}

/** Bodies are encoded already. Saying so also keeps Fastify from adding a charset, which JSON does not have. */
export function asItIs(body: unknown): string {
  return body as string;
}

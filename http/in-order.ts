import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Of each connection the responses that are under way or wait for their turn, in the order of their requests. */
const underWay = new WeakMap<Duplex, readonly ServerResponse[]>();

/** So many requests of one connection may lie unanswered; whoever sends more reads nothing of what he is told. */
export const mostUnanswered = 256;

export function hasTooMany(socket: Duplex): boolean {
  return leftOf(socket).length >= mostUnanswered;
}

/**
 * Resolves when the answer before on the same connection has left; undefined where there is none. Answers leave in the order of
 * their requests anyway: were they all made at once, who asks much at a time and reads nothing would have all of them lie in
 * memory, and everybody else wait for that.
 */
export function answerBefore(response: ServerResponse): Promise<void> | undefined {
  const { socket } = response.req;
  const before = leftOf(socket);
  underWay.set(socket, [...before, response]);
  return closing(before.at(-1));
}

/** Resolves when all requests that came whole on a connection are answered; undefined where all are. */
export function answersBefore(socket: Duplex): Promise<void> | undefined {
  return closing(leftOf(socket).findLast(({ req, writableEnded }) => req.complete || writableEnded));
}

function leftOf(socket: Duplex): readonly ServerResponse[] {
  return (underWay.get(socket) ?? []).filter(({ closed }) => !closed);
}

function closing(response: ServerResponse | undefined): Promise<void> | undefined {
  return response && new Promise(resolve => response.once('close', resolve));
}

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Of each connection the response that is under way last. */
const last = new WeakMap<Socket, ServerResponse>();

/**
 * Resolves when the answer before on the same connection has left; undefined where there is none. Answers leave in the order of
 * their requests anyway: were they all made at once, who asks much at a time and reads nothing would have all of them lie in
 * memory, and everybody else wait for that.
 */
export function answerBefore(socket: Socket, response: ServerResponse): Promise<void> | undefined {
  const before = last.get(socket);
  last.set(socket, response);
  if (before === undefined || before.closed) return undefined;
  return new Promise(resolve => before.once('close', resolve));
}

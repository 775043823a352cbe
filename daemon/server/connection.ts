import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { JSONRPCID } from 'json-rpc-2.0';
import type { DaemonEvent, Progress } from '../../client/protocol/caller.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { findOperation, type OperationName } from '../../client/protocol/registry.ts';
import type { Clock } from '../clock.ts';
import type { ConnectionScope } from '../operations/handler.ts';
import type { Dispatcher } from './dispatch.ts';
import { createFrameReader, frame } from './framing.ts';
import { parseJson } from './json.ts';
import {
  faultReply,
  type Incoming,
  incoming,
  notification,
  type Params,
  parseErrorReply,
  resultParts,
} from './rpc-message.ts';
import { createSubscriptions } from './subscriptions.ts';

export interface ConnectionLimits {
  readonly frameBytes: number;
  readonly backlogBytes: number;
  readonly jsonDepth: number;
  readonly requestsInFlight: number;
  readonly batchRequests: number;
  readonly subscriptions: number;
  readonly halfOpenMs: number;
}

export interface ConnectionOptions {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly limits: ConnectionLimits;
  /** True from the moment that the daemon leaves: what comes now is told −32007. */
  readonly isDraining: () => boolean;
}

/** One client on the socket. */
export interface RpcConnection {
  readonly inFlight: number;
  readonly subscriptionCount: number;
  /** Ends it: what is in flight is told `shuttingDown`, then the socket closes. */
  end(fault: Fault): void;
}

/** After this many messages of one chunk others get their turn, and quick answers leave before their neighbours are read. */
const messagesPerTurn = 32;
/** Requests of one batch that run at the same time. */
const batchWidth = 16;
const requestIdPattern = /^[\x21-\x7e][\x20-\x7e]{0,127}$/;

interface Flight {
  readonly abort: AbortController;
  readonly answer: (reply: Answer) => void;
}

/** A reply in parts; undefined where none is due. */
type Answer = readonly (string | Uint8Array)[] | undefined;

/** Speaks JSON-RPC 2.0 on a socket: every message gets one reply or the connection closes; ids never mix. */
export function serveConnection(socket: Socket, options: ConnectionOptions): RpcConnection {
  const { dispatcher, clock, limits } = options;
  const flights = new Map<string, Flight>();
  let nameless = 0;
  const closeListeners: (() => void)[] = [];
  const scope: ConnectionScope = { onClose: listener => void closeListeners.push(listener) };
  const queue: Buffer[] = [];
  let isTurnTaken = false;
  let isInputOver = false;
  let isOver = false;
  let stopWaiting = () => {};

  const reader = createFrameReader({
    maxFrameBytes: limits.frameBytes,
    onMessage: bytes => {
      queue.push(bytes);
      takeTurn();
    },
    onBreach: breach =>
      hangUp(
        breach === 'not_json_rpc'
          ? parseErrorReply('This is not JSON-RPC')
          : faultReply(
              null,
              new Fault('tooLarge', `A frame is at most ${limits.frameBytes} bytes, its length in plain digits`),
            ),
      ),
  });
  const subscriptions = createSubscriptions({
    limit: limits.subscriptions,
    subscribe: dispatcher.subscribe,
    notify: (method, params) => write([notification(method, params)]),
  });

  socket.on('data', chunk => {
    reader.push(chunk);
    watchHalfOpen();
  });
  socket.on('end', () => {
    isInputOver = true;
    watchHalfOpen();
    leaveWhenDone();
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    isOver = true;
    stopWaiting();
    queue.length = 0;
    subscriptions.close();
    for (const flight of flights.values()) flight.abort.abort();
    for (const listener of closeListeners) listener();
  });

  return {
    get inFlight() {
      return flights.size;
    },
    get subscriptionCount() {
      return subscriptions.count();
    },
    end(fault) {
      for (const [key, flight] of [...flights]) {
        flights.delete(key);
        flight.abort.abort();
        flight.answer([faultReply(idOf(key), fault)]);
      }
      isOver = true;
      socket.end(() => socket.destroy());
    },
  };

  function takeTurn(): void {
    if (isTurnTaken) return;
    isTurnTaken = true;
    for (let count = 0; count < messagesPerTurn && queue.length > 0 && !isOver; count++) receive(queue.shift()!);
    isTurnTaken = false;
    if (queue.length > 0 && !isOver) {
      isTurnTaken = true;
      setImmediate(() => {
        isTurnTaken = false;
        takeTurn();
      });
    }
    // Whoever sends faster than we answer waits in its own kernel, not in our memory.
    if (queue.length > 4 * messagesPerTurn) socket.pause();
    else if (socket.isPaused()) socket.resume();
    leaveWhenDone();
  }

  function receive(bytes: Buffer): void {
    const parsed = parseJson(bytes, limits.jsonDepth);
    switch (parsed.kind) {
      case 'not_utf8':
        return hangUp(parseErrorReply('The message is not UTF-8'));
      case 'not_json':
        // A line that is no JSON means that the peer speaks something else; a whole frame that is none is one bad message.
        if (reader.framing() === 'lines') return hangUp(parseErrorReply('The message is not JSON'));
        return write([parseErrorReply('The message is not JSON')]);
      case 'too_deep': {
        const asked = incoming(parsed.value);
        const id = asked.kind === 'request' || asked.kind === 'invalid' ? asked.id : null;
        return write([faultReply(id, new Fault('invalidParameter', `JSON nests at most ${limits.jsonDepth} deep`))]);
      }
      case 'value':
        if (Array.isArray(parsed.value)) return receiveBatch(parsed.value);
        return take(incoming(parsed.value), answer => write(answer));
    }
  }

  /** All replies of a batch leave as one list, when the last of them is there. */
  function receiveBatch(messages: readonly unknown[]): void {
    if (messages.length === 0) return write([faultReply(null, new Fault('invalidRequest', 'The batch is empty'))]);
    if (messages.length > limits.batchRequests) {
      const fault = new Fault('invalidRequest', `A batch holds at most ${limits.batchRequests} requests`);
      return write([faultReply(null, fault)]);
    }
    const answers: (string | Uint8Array)[] = [];
    let next = 0;
    let left = messages.length;
    const takeNext = (): void => {
      if (isOver || next >= messages.length) return;
      take(incoming(messages[next++]), answer => {
        if (answer !== undefined) answers.push(answers.length === 0 ? '[' : ',', ...answer);
        left--;
        if (left === 0) write(answers.length === 0 ? undefined : [...answers, ']']);
        else setImmediate(takeNext);
      });
    };
    for (let lane = 0; lane < Math.min(batchWidth, messages.length); lane++) takeNext();
  }

  /** Calls `answer` exactly once. */
  function take(message: Incoming, answer: (reply: Answer) => void): void {
    switch (message.kind) {
      case 'response':
        return answer(undefined);
      case 'invalid':
        return answer([faultReply(message.id, message.fault)]);
      case 'notification':
        return answer(notice(message.method, message.params));
      case 'request':
        return request(message.id, message.method, message.params, answer);
    }
  }

  function notice(method: string, params: Params): Answer {
    if (method === '$/cancelRequest') {
      const { id } = params;
      const flight = typeof id === 'string' || typeof id === 'number' ? flights.get(keyOf(id)) : undefined;
      if (flight === undefined) return undefined;
      flights.delete(keyOf(id as JSONRPCID));
      flight.answer([faultReply(id as JSONRPCID, new Fault('cancelled', 'The request was cancelled'))]);
      flight.abort.abort();
      return undefined;
    }
    const isOperation = findOperation(method) !== undefined;
    return isOperation
      ? [faultReply(null, new Fault('invalidRequest', `${method} gives a result: it needs an id`))]
      : undefined;
  }

  function request(id: JSONRPCID, method: string, params: Params, answer: (reply: Answer) => void): void {
    const key = id === null ? `null ${++nameless}` : keyOf(id);
    if (flights.has(key)) {
      return answer([
        faultReply(null, new Fault('invalidRequest', `The id ${JSON.stringify(id).slice(0, 100)} is in flight`)),
      ]);
    }
    if (options.isDraining()) {
      return answer([faultReply(id, new Fault('shuttingDown', 'The daemon is stopping', { retryAfterSeconds: 1 }))]);
    }
    if (flights.size >= limits.requestsInFlight) {
      const message = `At most ${limits.requestsInFlight} requests of one connection run at once`;
      return answer([faultReply(id, new Fault('rateLimited', message, { retryAfterSeconds: 1 }))]);
    }
    const flight: Flight = { abort: new AbortController(), answer };
    flights.set(key, flight);
    const finish = (reply: Answer) => {
      // Cancelled, or ended by the drain: its reply has been sent already.
      if (flights.get(key) !== flight) return;
      flights.delete(key);
      answer(reply);
      leaveWhenDone();
    };
    perform(id, method, params, flight.abort.signal).then(
      body => finish(resultParts(id, body)),
      (error: unknown) =>
        finish([faultReply(id, error instanceof Fault ? error : new Fault('operationFailed', 'The operation failed'))]),
    );
  }

  async function perform(
    id: JSONRPCID,
    method: string,
    params: Params,
    signal: AbortSignal,
  ): Promise<string | Uint8Array> {
    if (method === 'events.subscribe') return JSON.stringify(subscriptions.open(params));
    if (method === 'events.unsubscribe') return JSON.stringify(subscriptions.cancel(params));
    const name = method === 'initialize' ? 'daemon.initialize' : method;
    const operation = findOperation(name);
    if (operation === undefined)
      throw new Fault('methodNotFound', `There is no method ${JSON.stringify(method.slice(0, 100))}`);
    const { workDoneToken, deadlineMs, directory, ...input } = params;
    const reply = await dispatcher.dispatch({
      operation: name as OperationName,
      input,
      requestId: typeof id === 'string' && requestIdPattern.test(id) ? id : randomUUID(),
      principal: { kind: 'owner' },
      signal,
      invalidAs: () => 'invalidParameter',
      connection: scope,
      ...(typeof directory === 'string' ? { directory } : {}),
      ...(deadlineMs === undefined ? {} : { deadlineMs: deadlineOf(deadlineMs) }),
      ...(workDoneToken === undefined ? {} : { onProgress: progressTo(workDoneToken, signal) }),
    });
    if (reply.kind === 'unchanged') throw new Error('unchanged without an entity tag asked for');
    return (operation.http?.produces ?? 'json') === 'json' ? reply.body : JSON.stringify(reply.body.toString());
  }

  function progressTo(token: unknown, signal: AbortSignal): (progress: Progress) => void {
    if (typeof token !== 'string' && typeof token !== 'number') {
      throw new Fault('invalidParameter', 'workDoneToken: must be a text or a number');
    }
    return value => {
      if (!signal.aborted) write([notification('$/progress', { token, value })]);
    };
  }

  function write(parts: Answer): void {
    if (parts === undefined || isOver || socket.destroyed) return;
    socket.cork();
    for (const part of frame(reader.framing(), parts)) socket.write(part);
    socket.uncork();
    if (socket.writableLength > limits.backlogBytes) socket.destroy();
  }

  function hangUp(reply: string): void {
    write([reply]);
    isOver = true;
    // What the peer still sends is read and dropped, for closing on unread bytes would take our last words with it.
    socket.end();
    clock.after(1000, () => socket.destroy());
  }

  /** Nothing more will come and nothing more is due: the connection has done its work. */
  function leaveWhenDone(): void {
    if (isInputOver && !isOver && flights.size === 0 && queue.length === 0 && subscriptions.count() === 0) socket.end();
  }

  /** A frame that does not end, or an end that only listens, is cut after a while; work in flight keeps it. */
  function watchHalfOpen(): void {
    stopWaiting();
    if (!reader.isMidFrame() && !isInputOver) return;
    stopWaiting = clock.after(limits.halfOpenMs, () => {
      if (flights.size > 0) watchHalfOpen();
      else socket.destroy();
    });
  }
}

/** An event as subscribers are told it. */
export type Subscribe = (listener: (event: DaemonEvent) => void, after?: number) => () => void;

function deadlineOf(value: unknown): number {
  if (Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= 86_400_000) return value as number;
  throw new Fault('invalidParameter', 'deadlineMs: must be a whole number from 1 to 86400000');
}

/** `1` and `"1"` are two ids. */
function keyOf(id: JSONRPCID): string {
  return JSON.stringify(id);
}

function idOf(key: string): JSONRPCID {
  return key.startsWith('null') ? null : (JSON.parse(key) as JSONRPCID);
}

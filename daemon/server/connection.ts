import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { JSONRPCID } from 'json-rpc-2.0';
import type { DaemonEvent } from '../../client/protocol/caller.ts';
import { Fault, invalid } from '../../client/protocol/faults.ts';
import { twice } from '../../client/protocol/json-members.ts';
import type { Clock } from '../clock.ts';
import { runBatch } from './batch.ts';
import { type Breach, createFrameReader, type FrameReader, frame } from './framing.ts';
import { createInbox, type Inbox, type Turns } from './inbox.ts';
import { parseJson } from './json.ts';
import type { MethodCaller, Methods } from './methods.ts';
import {
  type Answer,
  type Call,
  faultReply,
  type Incoming,
  incoming,
  notification,
  parseErrorReply,
  responseParts,
} from './rpc-message.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

export interface ConnectionLimits {
  readonly frameBytes: number;
  readonly backlogBytes: number;
  readonly jsonDepth: number;
  readonly jsonValues: number;
  readonly requestsInFlight: number;
  readonly batchRequests: number;
  readonly subscriptions: number;
  readonly halfOpenMs: number;
}

export interface ConnectionOptions {
  readonly methods: Methods;
  readonly subscribe: (listener: (event: DaemonEvent) => void, after?: number) => () => void;
  readonly clock: Clock;
  readonly limits: ConnectionLimits;
  /** What all connections share. */
  readonly turns: Turns;
  /** True from the moment that the daemon leaves: what comes now is told −32007. */
  readonly isDraining: () => boolean;
}

/** One client on the socket. */
export interface RpcConnection {
  readonly inFlight: number;
  readonly subscriptionCount: number;
  /** Ends it: what is in flight is told `fault`, then goodbye is said and the socket closes. */
  end(fault: Fault): void;
}

/** Speaks JSON-RPC 2.0 on a socket: every message gets one reply or the connection closes; ids never mix. */
export function serveConnection(socket: Socket, options: ConnectionOptions): RpcConnection {
  return new Connection(socket, options);
}

/** A call that is under way; a notification has no id. */
interface Flight {
  readonly id: JSONRPCID | undefined;
  readonly abort: AbortController;
  readonly answer: (parts: Answer) => void;
}

/** Beyond this many waiting messages the peer waits in its own kernel, not in our memory. */
const pressure = 128;
/** How often a peer that has ended its side is asked whether it still listens. */
const probeMs = 250;
/** How long a peer may take to read our last words. */
const farewellMs = 1000;
const requestIdPattern = /^[\x21-\x7e][\x20-\x7e]{0,127}$/;

class Connection implements RpcConnection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #reader: FrameReader;
  readonly #inbox: Inbox;
  readonly #subscriptions: Subscriptions;
  readonly #flights = new Map<string, Flight>();
  readonly #closeListeners: (() => void)[] = [];
  #nameless = 0;
  #isInputOver = false;
  /** What the peer sends is understood no longer: it is dropped, and what was asked before is answered. */
  #isDeaf = false;
  #isOver = false;
  #stopWaiting = () => {};

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#inbox = createInbox(options.turns, bytes => this.#receive(bytes));
    this.#reader = createFrameReader({
      maxFrameBytes: options.limits.frameBytes,
      onMessage: bytes => {
        if (!this.#isDeaf) this.#inbox.add(bytes);
      },
      onBreach: breach => this.#hangUp(this.#lastWords(breach)),
    });
    this.#subscriptions = createSubscriptions({
      limit: options.limits.subscriptions,
      subscribe: options.subscribe,
      notify: (method, params) => this.#write([notification(method, params)]),
    });
    socket.on('data', chunk => this.#read(chunk));
    socket.on('end', () => this.#inputEnded());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#closed());
  }

  get inFlight(): number {
    return this.#flights.size;
  }

  get subscriptionCount(): number {
    return this.#subscriptions.count();
  }

  end(fault: Fault): void {
    for (const [key, flight] of [...this.#flights]) this.#cut(key, flight, fault);
    // What crosses this on its way was never begun, and may be asked of the next daemon.
    this.#write([notification('$/leaving', {})]);
    this.#leave();
  }

  /** What the peer still sends is read and dropped: closing on unread bytes would take what was said last with it. */
  #leave(): void {
    this.#isOver = true;
    this.#socket.end();
    this.#options.clock.after(farewellMs, () => this.#socket.destroy());
  }

  #read(chunk: Buffer): void {
    if (this.#isDeaf) return;
    this.#reader.push(chunk);
    if (this.#inbox.length > pressure) {
      this.#socket.pause();
      setImmediate(() => this.#relax());
    }
    this.#watchHalfOpen();
  }

  #relax(): void {
    if (this.#inbox.length > pressure / 2) setImmediate(() => this.#relax());
    else this.#socket.resume();
  }

  /** A line peer may have ended its side and still listen, as `nc` does; one that speaks headers has gone. */
  #inputEnded(): void {
    this.#isInputOver = true;
    if (this.#reader.framing() === 'headers') {
      this.#socket.destroy();
      return;
    }
    this.#watchHalfOpen();
    this.#leaveWhenDone();
    this.#probe();
  }

  /** A blank line is no message, but writing it tells whether anybody is there; work for nobody is cancelled. */
  #probe(): void {
    this.#options.clock.after(probeMs, () => {
      if (this.#isOver || this.#socket.destroyed) return;
      this.#socket.write('\n');
      this.#probe();
    });
  }

  #closed(): void {
    this.#isOver = true;
    this.#stopWaiting();
    this.#inbox.clear();
    this.#subscriptions.close();
    for (const { abort } of this.#flights.values()) abort.abort();
    for (const listener of this.#closeListeners) listener();
  }

  #receive(bytes: Buffer): void {
    if (this.#isOver) return;
    this.#answer(bytes);
    this.#leaveWhenDone();
  }

  #answer(bytes: Buffer): void {
    const parsed = parseJson(bytes, this.#options.limits);
    switch (parsed.kind) {
      case 'not_utf8':
        this.#stopListening(parseErrorReply('The message is not UTF-8'));
        return;
      case 'not_json':
        // A line that is no JSON means that the peer speaks something else; a whole frame that is none is one bad message.
        if (this.#reader.framing() === 'lines') this.#stopListening(parseErrorReply(notJson));
        else this.#write([parseErrorReply(notJson)]);
        return;
      case 'too_many':
        this.#stopListening(faultReply(null, this.#tooMany()));
        return;
      case 'too_deep':
        this.#write(refusal(incoming(parsed.value), this.#tooDeep()));
        return;
      case 'repeated':
        this.#write(refusal(incoming(parsed.value), invalid('invalidParameter', [twice(parsed.path)])));
        return;
      case 'value':
        if (Array.isArray(parsed.value)) this.#receiveBatch(parsed.value);
        else this.#take(incoming(parsed.value), parts => this.#write(parts));
    }
  }

  #receiveBatch(messages: readonly unknown[]): void {
    const { batchRequests, backlogBytes } = this.#options.limits;
    if (messages.length === 0 || messages.length > batchRequests) {
      const fault = new Fault('invalidRequest', `A batch holds 1 to ${batchRequests} requests`);
      this.#write([faultReply(null, fault)]);
      return;
    }
    let bytes = 0;
    const take = (message: unknown, answer: (parts: Answer) => void): void => {
      // Nobody is there to be told.
      if (this.#socket.destroyed) {
        answer(undefined);
        return;
      }
      this.#take(incoming(message), parts => {
        for (const { length } of parts ?? []) bytes += length;
        // All leave together: what is more than may lie unread would never be.
        if (bytes > backlogBytes) this.#socket.destroy();
        answer(parts);
      });
    };
    runBatch(messages, this.#options.turns, take, parts => this.#write(parts));
  }

  /** Calls `answer` exactly once. */
  #take(message: Incoming, answer: (parts: Answer) => void): void {
    switch (message.kind) {
      case 'moot':
        answer(undefined);
        return;
      case 'invalid':
        answer([faultReply(message.id, message.fault)]);
        return;
      case 'call':
        if (message.call.method === '$/cancelRequest' && message.call.id === undefined) {
          this.#cancel(message.call.params['id']);
          answer(undefined);
        } else this.#begin(message.call, answer);
    }
  }

  #cancel(id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const flight = this.#flights.get(keyOf(id));
    if (flight !== undefined) this.#cut(keyOf(id), flight, new Fault('cancelled', 'The request was cancelled'));
  }

  #begin(call: Call, answer: (parts: Answer) => void): void {
    const { id } = call;
    const key = id === undefined || id === null ? `nameless ${++this.#nameless}` : keyOf(id);
    const refusal = this.#refusal(key);
    if (refusal !== undefined) {
      // An id that is in flight is the other request's.
      answer(faultParts(refusal.reason === 'invalidRequest' ? null : id, refusal));
      return;
    }
    const flight: Flight = { id, abort: new AbortController(), answer };
    this.#flights.set(key, flight);
    void this.#options.methods.receive(call, this.#callerOf(flight)).then(response => {
      // Cancelled, or ended by the drain: its reply has been sent already.
      if (this.#flights.get(key) !== flight) return;
      this.#flights.delete(key);
      answer(responseParts(response));
      this.#leaveWhenDone();
    });
  }

  #callerOf({ id, abort }: Flight): MethodCaller {
    return {
      requestId: typeof id === 'string' && requestIdPattern.test(id) ? id : randomUUID(),
      abort,
      connection: {
        // Whoever took long to begin may come to say so when the peer has gone.
        onClose: listener => void (this.#socket.closed ? listener() : this.#closeListeners.push(listener)),
      },
      subscriptions: this.#subscriptions,
      notify: (method, params) => this.#write([notification(method, params)]),
    };
  }

  #refusal(key: string): Fault | undefined {
    if (this.#flights.has(key)) return new Fault('invalidRequest', `The id ${key.slice(0, 100)} is in flight`);
    if (this.#options.isDraining())
      return new Fault('shuttingDown', 'The daemon is stopping', { retryAfterSeconds: 1 });
    const { requestsInFlight } = this.#options.limits;
    if (this.#flights.size < requestsInFlight) return undefined;
    const message = `At most ${requestsInFlight} requests of one connection run at once`;
    return new Fault('rateLimited', message, { retryAfterSeconds: 1 });
  }

  /** Answers a request before its time; what it still brings is dropped. */
  #cut(key: string, { id, abort, answer }: Flight, fault: Fault): void {
    this.#flights.delete(key);
    answer(faultParts(id, fault));
    abort.abort();
  }

  /** What a turn of the event loop has to say leaves at its end: waking a peer that sleeps may cost more than its answer. */
  #write(parts: Answer): void {
    if (parts === undefined || this.#isOver || this.#socket.destroyed) return;
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork();
      setImmediate(() => this.#socket.uncork());
    }
    for (const part of frame(this.#reader.framing(), parts)) this.#socket.write(part);
    if (this.#socket.writableLength > this.#options.limits.backlogBytes) this.#socket.destroy();
  }

  /** What came behind the message that ends it is dropped as well. */
  #stopListening(reply: string): void {
    this.#inbox.clear();
    this.#hangUp(reply);
  }

  /** Last words to whoever asks for more; what was asked before is answered still. */
  #hangUp(reply: string): void {
    this.#write([reply]);
    this.#isDeaf = true;
    this.#subscriptions.close();
    this.#leaveWhenDone();
  }

  /** Nothing more will come and nothing more is due: the connection has done its work. */
  #leaveWhenDone(): void {
    const due = this.#flights.size + this.#inbox.length + this.#subscriptions.count();
    if (this.#isOver || due > 0) return;
    if (this.#isDeaf) this.#leave();
    else if (this.#isInputOver) this.#socket.end();
  }

  /** A frame that does not end, or a peer that only listens, is cut after a while; work in flight keeps it. */
  #watchHalfOpen(): void {
    this.#stopWaiting();
    if (!this.#reader.isMidFrame() && !this.#isInputOver) return;
    this.#stopWaiting = this.#options.clock.after(this.#options.limits.halfOpenMs, () => {
      if (this.#flights.size > 0) this.#watchHalfOpen();
      else this.#socket.destroy();
    });
  }

  #lastWords(breach: Breach): string {
    switch (breach) {
      case 'not_json_rpc':
        return parseErrorReply('This is not JSON-RPC');
      case 'bad_header':
        return faultReply(null, new Fault('tooLarge', 'A header names one Content-Length, in plain digits'));
      case 'too_large':
        return faultReply(null, new Fault('tooLarge', `A frame is at most ${this.#options.limits.frameBytes} bytes`));
    }
  }

  #tooMany(): Fault {
    return new Fault(
      'tooLarge',
      `A message holds at most ${this.#options.limits.jsonValues} values (limits.json_values)`,
    );
  }

  #tooDeep(): Fault {
    return new Fault('invalidParameter', `JSON nests at most ${this.#options.limits.jsonDepth} deep`);
  }
}

const notJson = 'The message is not JSON';

/** Of a message that was read and can't be taken. */
function refusal(message: Incoming, fault: Fault): Answer {
  if (message.kind === 'moot') return undefined;
  return faultParts(message.kind === 'call' ? message.call.id : message.id, fault);
}

/** A notification is never answered, whatever became of it. */
function faultParts(id: JSONRPCID | undefined, fault: Fault): Answer {
  return id === undefined ? undefined : [faultReply(id, fault)];
}

/** `1` and `"1"` are two ids. */
function keyOf(id: JSONRPCID): string {
  return JSON.stringify(id);
}

import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { assertOwn, assertPrivateFile } from './paths.ts';
import type { CallOptions, Progress } from './protocol/caller.ts';
import { Fault, type FaultExtras, type FaultReason, faultTable } from './protocol/faults.ts';

/** One connection to one daemon. It ends when the daemon goes away; the Caller over it then opens another. */
export interface Connection {
  readonly isOpen: boolean;
  /** Rejects with the server's `Fault`, with `ConnectionLost`, or with `timeout` and `cancelled` as the options ask. */
  request(method: string, params: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<unknown>;
  /** Both return the way to hear no more. */
  onNotification(listener: Listener): () => void;
  onEnd(listener: () => void): () => void;
  /** Says goodbye and resolves when all that was written has left. */
  close(): Promise<void>;
}

/** The daemon went away. `mayHaveRun` tells whether the request may have been carried out. */
export class ConnectionLost extends Error {
  readonly mayHaveRun: boolean;

  constructor(mayHaveRun: boolean, cause?: unknown) {
    super('the connection to the daemon was lost', { cause });
    this.mayHaveRun = mayHaveRun;
  }
}

/** Answers are at most 16 MiB by the daemon's budget; a peer that sends more than this in one line is cut off. */
const longestLine = 64 * 1024 * 1024;

/**
 * Connects, once the socket and its folder are known to be ours alone: nothing is sent to a stranger.
 * Throws `unsafeOwner` for a squatter's socket, `ConnectionLost` when nobody listens, `busy` when the listener's queue is full.
 */
export async function openConnection(path: string, uid: number): Promise<Connection> {
  assertPeer(path, uid);
  const socket = connect(path);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  }).catch((error: unknown) => {
    socket.destroy();
    const isQueueFull = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
    throw isQueueFull
      ? new Fault('busy', 'The daemon does not take new connections')
      : new ConnectionLost(false, error);
  });
  socket.removeAllListeners('error');
  return speak(socket);
}

/** The owner is told before existence: in a stranger's folder even "nothing there" is the stranger's word. */
function assertPeer(path: string, uid: number): void {
  try {
    assertOwn(dirname(path), uid, 0o077);
    assertPrivateFile(path, uid, 'socket');
  } catch (error) {
    // No look beforehand whether it is there: a daemon that leaves takes its socket along at any moment.
    throw error instanceof Fault ? error : new ConnectionLost(false, error);
  }
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

type RequestId = string | number;

type Listener = (method: string, params: unknown) => void;

function speak(socket: Socket): Connection {
  const pending = new Map<RequestId, Pending>();
  const notified = new Set<Listener>();
  const ended = new Set<() => void>();
  notified.add(method => {
    if (method === '$/leaving') hasSaidGoodbye = true;
  });
  let isOpen = true;
  let hasSaidGoodbye = false;
  let lastId = 0;
  let failure: unknown;

  socket.on(
    'data',
    splitLines(line => hear(parseLine(line, socket), pending, notified), socket),
  );
  socket.on('error', error => {
    failure = error;
  });
  socket.on('close', () => {
    isOpen = false;
    for (const { reject } of pending.values()) reject(new ConnectionLost(!hasSaidGoodbye, failure));
    pending.clear();
    for (const listener of ended) listener();
  });

  return {
    get isOpen() {
      return isOpen;
    },
    request(method, params, options = {}) {
      const { requestId, signal } = options;
      if (!isOpen || socket.writableEnded) return Promise.reject(new ConnectionLost(false, failure));
      if (signal?.aborted) return Promise.reject(endedBy(signal));
      const id = requestId !== undefined && !pending.has(requestId) ? requestId : ++lastId;
      return ask(socket, pending, { id, method, params, options });
    },
    onNotification(listener) {
      notified.add(listener);
      return () => notified.delete(listener);
    },
    onEnd(listener) {
      if (isOpen) ended.add(listener);
      else listener();
      return () => ended.delete(listener);
    },
    close: () =>
      new Promise(resolve => {
        if (!isOpen) return resolve();
        socket.once('close', () => resolve());
        socket.end(() => socket.destroy());
      }),
  };
}

interface Question {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly options: CallOptions;
}

function ask(socket: Socket, pending: Map<RequestId, Pending>, question: Question): Promise<unknown> {
  const { id, method, params, options } = question;
  const { onProgress } = options;
  let release = () => {};
  const answer = new Promise<unknown>((resolve, reject) => {
    pending.set(id, { resolve, reject, onProgress });
    release = watchPatience(options, fault => {
      if (!pending.delete(id)) return;
      write(socket, { jsonrpc: '2.0', method: '$/cancelRequest', params: { id } });
      reject(fault);
    });
  });
  const asked = onProgress === undefined ? params : { ...params, workDoneToken: id };
  const isAlone = socket.writableLength === 0;
  write(socket, { jsonrpc: '2.0', id, method, params: asked }, error => {
    const waiting = pending.get(id);
    if (!isAlone || waiting === undefined || !isClosedByPeer(error)) return;
    // Its last byte never arrived, so that it was not begun, whatever the daemon said before it went and nobody has read.
    pending.delete(id);
    waiting.reject(new ConnectionLost(false, error));
  });
  return answer.finally(release);
}

function isClosedByPeer(error: Error | null | undefined): boolean {
  return (error as NodeJS.ErrnoException | null | undefined)?.code === 'EPIPE';
}

function hear(message: unknown, pending: Map<RequestId, Pending>, notified: ReadonlySet<Listener>): void {
  if (typeof message !== 'object' || message === null) return;
  if (!('method' in message) || typeof message.method !== 'string') {
    settle(pending, message);
    return;
  }
  const params = 'params' in message ? message.params : undefined;
  if (message.method === '$/progress') reportProgress(pending, params);
  else for (const listener of notified) listener(message.method, params);
}

function write(socket: Socket, message: object, written?: (error?: Error | null) => void): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`, written);
}

/** Calls `giveUp` once when the caller's signal fires or its time is over. Returns the way to stop waiting. */
export function watchPatience({ signal, timeoutMs }: CallOptions, giveUp: (fault: Fault) => void): () => void {
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => giveUp(new Fault('timeout', `No answer within ${timeoutMs} ms`)), timeoutMs);
  const onAbort = () => {
    clearTimeout(timer);
    if (signal !== undefined) giveUp(endedBy(signal));
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
}

/** What is told to a caller whose signal fired. */
export function endedBy({ reason }: AbortSignal): Fault {
  const isLate = reason instanceof DOMException && reason.name === 'TimeoutError';
  return isLate
    ? new Fault('timeout', 'No answer within the time that was given', { cause: reason })
    : new Fault('cancelled', 'Cancelled', { cause: reason });
}

function reportProgress(pending: ReadonlyMap<RequestId, Pending>, params: unknown): void {
  const { token, value } = (params ?? {}) as { token?: RequestId; value?: Partial<Progress> };
  if (token === undefined || typeof value?.message !== 'string') return;
  const { message, fraction } = value;
  pending.get(token)?.onProgress?.(typeof fraction === 'number' ? { message, fraction } : { message });
}

function settle(pending: Map<RequestId, Pending>, message: object): void {
  const { id, result, error } = message as { id?: RequestId; result?: unknown; error?: unknown };
  const waiting = id === undefined ? undefined : pending.get(id);
  if (id === undefined || waiting === undefined) return;
  pending.delete(id);
  if (error === undefined || error === null) waiting.resolve(result);
  else waiting.reject(faultFromWire(error));
}

/** A JSON-RPC error as the Fault it was on the other side: by its reason, else by code and body. */
function faultFromWire(error: unknown): Fault {
  const { code, message, data } = error as { code?: number; message?: string; data?: unknown };
  const body = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  const reason = reasonOf(body['reason'], row => row.rpc === code && (body['code'] ?? row.code) === row.code);
  const text = typeof body['error'] === 'string' ? body['error'] : (message ?? 'The daemon gave no reason');
  return new Fault(reason, text, extrasOf(body));
}

/** The reason that a peer names, if the table has it, else the first row that fits, else `operationFailed`. */
export function reasonOf(named: unknown, fits: (row: (typeof faultTable)[FaultReason]) => boolean): FaultReason {
  if (typeof named === 'string' && Object.hasOwn(faultTable, named)) return named as FaultReason;
  const reasons = Object.keys(faultTable) as FaultReason[];
  return reasons.find(reason => fits(faultTable[reason])) ?? 'operationFailed';
}

/** What a fault's public body says beside its message. The body comes from our own daemon, so its lists are taken as they are. */
export function extrasOf(body: Readonly<Record<string, unknown>>): FaultExtras {
  const { details, suggestedFixes, drilldowns, retryAfterSeconds } = body;
  return {
    ...(typeof details === 'object' && details !== null ? { details: details as Record<string, unknown> } : {}),
    ...(Array.isArray(suggestedFixes) ? { suggestedFixes } : {}),
    ...(Array.isArray(drilldowns) ? { drilldowns } : {}),
    ...(typeof retryAfterSeconds === 'number' ? { retryAfterSeconds } : {}),
  };
}

/** Cuts a byte stream into lines without copying a long line more than once. */
function splitLines(take: (line: string) => void, socket: Socket): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  return chunk => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const tail = chunk.subarray(from, at);
      const line = parts.length === 0 ? tail : Buffer.concat([...parts, tail]);
      parts = [];
      length = 0;
      from = at + 1;
      if (line.length > 0) take(line.toString('utf8'));
    }
    if (from < chunk.length) {
      parts.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > longestLine) socket.destroy(new Error('a line of the daemon is too long'));
    }
  };
}

function parseLine(line: string, socket: Socket): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    socket.destroy(error instanceof Error ? error : undefined);
    return undefined;
  }
}

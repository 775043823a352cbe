import { once } from 'node:events';
import type { Socket } from 'node:net';

export interface RpcReply {
  readonly id?: string | number | null;
  readonly result?: unknown;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A socket spoken to byte by byte: one JSON message a line, as far as the replies go. */
export interface Wire {
  readonly socket: Socket;
  send(...messages: unknown[]): void;
  raw(bytes: string | Buffer): void;
  /** The next message, or the next batch; undefined when the daemon has closed the connection. */
  next(): Promise<RpcReply | RpcReply[] | undefined>;
  /** Sends one and awaits the next message. */
  ask(message: unknown): Promise<RpcReply>;
  /** All that still comes until the connection closes. */
  rest(): Promise<RpcReply[]>;
}

export function wire(socket: Socket): Wire {
  let text = '';
  let isOver = false;
  const changed = () => once(emitter, 'data').catch(() => {});
  const emitter = socket;
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  socket.on('error', () => {});
  const over = new Promise(resolve => socket.once('close', resolve)).then(() => {
    isOver = true;
  });
  const next = async (): Promise<RpcReply | RpcReply[] | undefined> => {
    for (;;) {
      const end = text.indexOf('\n');
      if (end >= 0) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        return JSON.parse(line) as RpcReply | RpcReply[];
      }
      if (isOver) return undefined;
      await Promise.race([changed(), over]);
    }
  };
  const raw = (bytes: string | Buffer) => void socket.write(bytes);
  const send = (...messages: unknown[]) => raw(messages.map(message => `${JSON.stringify(message)}\n`).join(''));
  return {
    socket,
    raw,
    send,
    next,
    async ask(message) {
      send(message);
      return (await next()) as RpcReply;
    },
    async rest() {
      const all: RpcReply[] = [];
      for (let reply = await next(); reply !== undefined; reply = await next()) all.push(reply as RpcReply);
      return all;
    },
  };
}

/** A well-formed request. */
export function request(id: string | number, method: string, params?: unknown) {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
}

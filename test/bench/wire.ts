import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * Clients that cost next to nothing, so that what is measured is the server: one request at a time on each connection, the
 * answer recognised by its length and not parsed.
 */
export interface WireClient {
  /** Resolves with the whole answer. */
  ask(request: Buffer): Promise<Buffer>;
  close(): void;
}

/** JSON-RPC over the daemon's socket, a message a line. */
export async function openSocketWire(path: string): Promise<WireClient> {
  return client(await connected(connect(path)), bytes => (bytes.at(-1) === newline ? bytes.length : undefined));
}

/** HTTP/1.1 with the connection kept. */
export async function openHttpWire(url: string): Promise<WireClient> {
  const { hostname, port } = new URL(url);
  return client(await connected(connect(Number(port), hostname)), httpLength);
}

export function rpcRequest(method: string, params: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
}

export function httpRequest(url: string, token: string, target: string): Buffer {
  return Buffer.from(`GET ${target} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
}

export interface Answer {
  readonly isGood: boolean;
  readonly text: string;
}

/** What an answer of either wire says. */
export function readAnswer(bytes: Buffer): Answer {
  const text = bytes.toString();
  if (text.startsWith('HTTP/')) return { isGood: text.startsWith('HTTP/1.1 200'), text };
  return { isGood: text.includes('"result":') && !text.includes('"error":{'), text };
}

const newline = 0x0a;
const headEnd = Buffer.from('\r\n\r\n');

/** Length of the answer that the bytes begin with; undefined while it is not all there. */
function httpLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return undefined;
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${bytes.toString('latin1', 0, end)}`);
  const whole = end + headEnd.length + Number(length);
  return bytes.length < whole ? undefined : whole;
}

async function connected(socket: Socket): Promise<Socket> {
  await once(socket, 'connect');
  return socket.setNoDelay(true);
}

function client(socket: Socket, lengthOf: (bytes: Buffer) => number | undefined): WireClient {
  let waiting: { resolve: (answer: Buffer) => void; reject: (cause: Error) => void } | undefined;
  let held: Buffer | undefined;
  const fail = (cause: Error): void => waiting?.reject(cause);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection was closed')));
  socket.on('data', chunk => {
    const bytes = held === undefined ? chunk : Buffer.concat([held, chunk]);
    const length = lengthOf(bytes);
    held = length === undefined ? bytes : undefined;
    if (length !== undefined) waiting?.resolve(bytes);
  });
  return {
    ask: request =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

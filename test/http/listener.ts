import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import type { Daemon, DaemonEvent, IndexDoor, Reply, Request } from '../../client/protocol/caller.ts';
import { namesEtag } from '../../client/protocol/etag.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { Operation } from '../../client/protocol/operation.ts';
import { operations } from '../../client/protocol/registry.ts';
import { validateInput } from '../../client/protocol/validate.ts';
import type { HttpAnswered, HttpOptions } from '../../http/options.ts';
import { type HttpListener, openHttp } from '../../http/server.ts';

export const token = 'a'.repeat(64);
export const symbolId = `svc:app:sym:${'0'.repeat(32)}`;

/** What the table says of one question: a body, a fault to throw, or anything that takes its time. */
export type Row = (request: Request, input: Record<string, unknown>) => Promise<Reply> | Reply;

export interface TableDaemon extends Daemon {
  readonly requests: Request[];
  publish(type: string, body: Readonly<Record<string, unknown>>): void;
}

/** A daemon that validates like the real one and answers from a table; what has no row is answered by its own echo. */
export function tableDaemon(table: Readonly<Record<string, Row>> = {}): TableDaemon {
  const requests: Request[] = [];
  const listeners = new Set<(event: DaemonEvent) => void>();
  const past: DaemonEvent[] = [];
  return {
    requests,
    async dispatch(request) {
      const operation: Operation = operations[request.operation];
      if (request.refusal !== undefined) throw request.refusal;
      const input = validateInput(operation, request) as Record<string, unknown>;
      requests.push(request);
      return table[request.operation]?.(request, input) ?? echo(request, input);
    },
    subscribe(listener, after) {
      for (const event of past) if (after !== undefined && event.id > after) listener(event);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish(type, body) {
      const event = { id: past.length + 1, type, body };
      past.push(event);
      for (const listener of listeners) listener(event);
    },
  };
}

function echo({ operation, defaultRepo, ifNoneMatch }: Request, input: object): Reply {
  const etag = (operations[operation] as Operation).cacheable ? 'W/"snapshot-1"' : undefined;
  if (etag !== undefined && ifNoneMatch !== undefined && namesEtag(ifNoneMatch, etag))
    return { kind: 'unchanged', etag };
  return {
    kind: 'document',
    body: JSON.stringify({ operation, input, defaultRepo }),
    ...(etag === undefined ? {} : { etag }),
  };
}

/** Lets whoever shows the token in, and everybody where none is needed. */
export function tokenDoor(authentication: HttpOptions['authentication']): IndexDoor {
  return {
    admit({ authorization }) {
      if (authentication.kind === 'off' || authorization === `Bearer ${token}`) {
        return { verdict: { kind: 'owner' }, remaining: undefined };
      }
      const reason = authorization === undefined ? 'missingToken' : 'invalidToken';
      return { verdict: new Fault(reason, 'No'), remaining: undefined };
    },
    isSecret: () => false,
  };
}

export interface Opened extends HttpListener {
  readonly answered: HttpAnswered[];
}

/** A listener on a free loopback port that closes with the test. */
export async function openListener(
  test: TestContext | { after(fn: () => Promise<void>): void },
  daemon: Daemon,
  options: Partial<HttpOptions> = {},
): Promise<Opened> {
  const answered: HttpAnswered[] = [];
  const authentication = options.authentication ?? {
    kind: 'token' as const,
    digest: createHash('sha256').update(token).digest(),
  };
  const listener = await openHttp({
    daemon,
    host: '127.0.0.1',
    port: 0,
    authentication,
    indexServer: { name: 'test', door: tokenDoor(authentication) },
    allowedHosts: [],
    onAnswered: entry => answered.push(entry),
    ...options,
  });
  test.after(() => listener.close(0));
  return { ...listener, answered };
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bytes: Buffer;
}

/** Sends bytes as they are and reads the first answer; resolves at the end of its body or of the connection. */
export function sendRaw(port: number, bytes: string | Uint8Array, host = '127.0.0.1'): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    let received = Buffer.alloc(0);
    const settle = () => {
      socket.destroy();
      const answer = parseAnswer(received);
      if (answer === undefined) reject(new Error(`No HTTP answer in: ${received.toString('latin1').slice(0, 200)}`));
      else resolve(answer);
    };
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk]);
      const answer = parseAnswer(received);
      if (answer !== undefined && isWhole(answer)) settle();
    });
    socket.on('error', error => (received.length > 0 ? settle() : reject(error)));
    socket.on('close', settle);
    socket.write(bytes);
  });
}

/**
 * Sends bytes as they are and reads so many answers; where the last of them says that the connection ends, all that come until it
 * does.
 */
export function sendForAll(port: number, bytes: string | Uint8Array, count: number): Promise<readonly RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = Buffer.alloc(0);
    const settle = () => {
      socket.destroy();
      resolve(answersIn(received));
    };
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk]);
      const answers = answersIn(received);
      if (answers.length >= count && answers.at(-1)!.headers['connection'] !== 'close') settle();
    });
    socket.on('error', error => (received.length > 0 ? settle() : reject(error)));
    socket.on('close', settle);
    socket.write(bytes);
  });
}

/** A request with sane defaults, written out; `headers` replace and extend them, an undefined one is left out. */
export function sendRequest(
  { port }: HttpListener,
  method: string,
  target: string,
  headers: Readonly<Record<string, string | undefined>> = {},
  body = '',
): Promise<RawAnswer> {
  const all: Record<string, string | undefined> = {
    Host: `127.0.0.1:${port}`,
    Authorization: `Bearer ${token}`,
    Connection: 'close',
    ...(body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]));
  return sendRaw(port, `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

export function failingWith(fault: Fault | Error): Row {
  return () => Promise.reject(fault);
}

function parseAnswer(bytes: Buffer): RawAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine, ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = bytes.subarray(end + 4);
  return { status: Number(statusLine!.split(' ')[1]), headers, body: body.toString(), bytes: body };
}

/** Those that are whole. */
function answersIn(bytes: Buffer): readonly RawAnswer[] {
  const first = parseAnswer(bytes);
  if (first === undefined || !isWhole(first)) return [];
  const length = Number(first.headers['content-length']);
  const body = first.bytes.subarray(0, length);
  return [{ ...first, body: body.toString(), bytes: body }, ...answersIn(first.bytes.subarray(length))];
}

function isWhole({ headers, bytes }: RawAnswer): boolean {
  const length = headers['content-length'];
  return length !== undefined && bytes.length >= Number(length);
}

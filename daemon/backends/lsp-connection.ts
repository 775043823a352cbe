import type { ChildProcess } from 'node:child_process';
import { lastLine } from './last-line.ts';
import { type GroupStart, startGroup } from './process-group.ts';

/** A language server could not answer. The message is ours: nothing that it wrote is in it, for that may quote any file. */
export class LspFailed extends Error {
  override readonly name = 'LspFailed';
  readonly reason: 'missing' | 'ended' | 'timeout' | 'late' | 'refused' | 'too_large' | 'cancelled';

  constructor(reason: LspFailed['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface LspConnection {
  /** Rejects with `LspFailed`. */
  ask(
    method: string,
    params: unknown,
    bounds: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<unknown>;
  tell(method: string, params: unknown): void;
  readonly isOpen: () => boolean;
  /**
   * Until no work is under way that the server tells of (loading a project), at the latest after `mostMs`. What has not begun
   * after `beginsMs` is not waited for.
   */
  untilQuiet(bounds: {
    readonly beginsMs: number;
    readonly mostMs: number;
    readonly signal: AbortSignal;
  }): Promise<void>;
  /** Once it has ended: the last line that it printed on stderr, cut off, without control characters. */
  lastWords(): Promise<string>;
  /** What its processes have resident, where the system tells. */
  readonly memoryBytes: () => number;
  /** As the protocol ends it: `shutdown`, `exit`; then all of its processes are ended, whatever it answered. */
  close(): Promise<void>;
  /** At once. */
  end(why: LspFailed): void;
}

interface Asked {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (why: LspFailed) => void;
}

const mostFrameBytes = 16 * 1024 * 1024;
const mostHeaderBytes = 4096;
const mostTokens = 1000;
const farewellMs = 2000;
const leavingMs = 1000;
const mostLastBytes = 4096;

/** Starts a language server that speaks over its stdin and stdout. */
export function openLsp(name: string, start: Omit<GroupStart, 'stdin'>): LspConnection {
  const group = startGroup({ ...start, stdin: 'pipe' });
  const { child } = group;
  const asked = new Map<number, Asked>();
  let lastId = 0;
  let ended: LspFailed | undefined;
  const end = (why: LspFailed): void => {
    group.end();
    ended ??= why;
    for (const { reject } of asked.values()) reject(ended);
    asked.clear();
  };
  child.once('error', () => end(new LspFailed('missing', `${name} could not be started`)));
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()).once('error', () => resolve()));
  child.once('exit', () => end(new LspFailed('ended', `${name} ended`)));
  child.stdin?.on('error', () => {});
  const lastWords = lastLineOf(child);
  const work = workUnderWay();
  const send = (message: object): void => {
    if (ended === undefined) child.stdin?.write(frame(message));
  };
  readFrames(
    child,
    message => {
      hear(message, asked, send, name);
      work.hear(message);
    },
    () => end(new LspFailed('too_large', `${name} does not keep to the protocol`)),
  );
  const connection: LspConnection = {
    ask(method, params, { timeoutMs, signal }) {
      if (ended !== undefined) return Promise.reject(ended);
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        const leave = (act: () => void): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', cancel);
          asked.delete(id);
          act();
        };
        const give = (why: LspFailed): void => {
          send({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } });
          leave(() => reject(why));
        };
        const cancel = () => give(new LspFailed('cancelled', `${name} has not answered`));
        const late = () => give(new LspFailed('timeout', `${name} took longer than ${timeoutMs} ms for ${method}`));
        const timer = setTimeout(late, timeoutMs);
        asked.set(id, {
          method,
          resolve: result => leave(() => resolve(result)),
          reject: why => leave(() => reject(why)),
        });
        if (signal.aborted) return cancel();
        signal.addEventListener('abort', cancel, { once: true });
        send({ jsonrpc: '2.0', id, method, params });
      });
    },
    tell: (method, params) => send({ jsonrpc: '2.0', method, params }),
    isOpen: () => ended === undefined,
    untilQuiet: bounds => work.untilQuiet(bounds, gone),
    lastWords,
    memoryBytes: group.residentBytes,
    async close() {
      const unasked = new AbortController().signal;
      await connection.ask('shutdown', null, { timeoutMs: farewellMs, signal: unasked }).catch(() => {});
      connection.tell('exit', null);
      await Promise.race([gone, new Promise(resolve => setTimeout(resolve, leavingMs).unref())]);
      end(new LspFailed('ended', `${name} was closed`));
    },
    end,
  };
  return connection;
}

/** Listens from now on; what is returned waits for the end of the stream, which a process that left the group may hold. */
function lastLineOf(child: ChildProcess): () => Promise<string> {
  let last = Buffer.alloc(0);
  child.stderr?.on('error', () => {});
  child.stderr?.on('data', (chunk: Buffer) => {
    last = Buffer.concat([last, chunk]).subarray(-mostLastBytes);
  });
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()));
  return async () => {
    await Promise.race([closed, new Promise(resolve => setTimeout(resolve, leavingMs).unref())]);
    return lastLine(last.toString('utf8'));
  };
}

/** What a server says that it is busy with (`$/progress`). */
function workUnderWay() {
  const tokens = new Set<unknown>();
  const watchers = new Set<() => void>();
  return {
    hear(message: unknown): void {
      const { method, params } = (message ?? {}) as { readonly method?: unknown; readonly params?: unknown };
      if (method !== '$/progress') return;
      const { token, value } = (params ?? {}) as {
        readonly token?: unknown;
        readonly value?: { readonly kind?: unknown };
      };
      if (value?.kind === 'begin' && tokens.size < mostTokens) tokens.add(token);
      else if (value?.kind === 'end') tokens.delete(token);
      for (const look of [...watchers]) look();
    },
    untilQuiet(
      { beginsMs, mostMs, signal }: Parameters<LspConnection['untilQuiet']>[0],
      gone: Promise<void>,
    ): Promise<void> {
      return new Promise(resolve => {
        let hasBegun = tokens.size > 0;
        const done = (): void => {
          clearTimeout(begins);
          clearTimeout(most);
          watchers.delete(look);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const look = (): void => {
          if (tokens.size > 0) hasBegun = true;
          else if (hasBegun) done();
        };
        const begins = setTimeout(() => (hasBegun ? undefined : done()), beginsMs);
        const most = setTimeout(done, mostMs);
        watchers.add(look);
        signal.addEventListener('abort', done, { once: true });
        void gone.then(done);
      });
    },
  };
}

function frame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

function readFrames(child: ChildProcess, onMessage: (message: unknown) => void, onBroken: () => void): void {
  let held: Buffer = Buffer.alloc(0);
  child.stdout?.on('error', () => {});
  child.stdout?.on('data', (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      const headerEnd = held.indexOf('\r\n\r\n');
      if (headerEnd < 0) {
        if (held.length > mostHeaderBytes) onBroken();
        return;
      }
      const length = Number(
        /content-length: *(\d{1,9})/i.exec(held.toString('latin1', 0, headerEnd))?.[1] ?? Number.NaN,
      );
      if (!(length <= mostFrameBytes)) return onBroken();
      const begin = headerEnd + 4;
      if (held.length < begin + length) return;
      const text = held.toString('utf8', begin, begin + length);
      held = held.subarray(begin + length);
      try {
        onMessage(JSON.parse(text));
      } catch {
        return onBroken();
      }
    }
  });
}

/** An answer goes to who asked; what the server asks is answered with nothing. */
function hear(
  message: unknown,
  asked: ReadonlyMap<number, Asked>,
  send: (message: object) => void,
  name: string,
): void {
  if (typeof message !== 'object' || message === null) return;
  const { id, method, result, error, params } = message as Readonly<Record<string, unknown>>;
  if (typeof method === 'string') {
    if (id !== undefined) send({ jsonrpc: '2.0', id, ...answerTo(method, params) });
    return;
  }
  const waiting = typeof id === 'number' ? asked.get(id) : undefined;
  if (waiting === undefined) return;
  if (error === undefined || error === null) waiting.resolve(result);
  else waiting.reject(new LspFailed('refused', `${name} refused ${waiting.method}: ${causeOf(error)}`));
}

/** What a server says of its refusal may quote any file: its code alone is told. */
function causeOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  const known = typeof code === 'number' ? refusals[code] : undefined;
  return known ?? (Number.isSafeInteger(code) ? `error ${code}` : 'it gives no cause');
}

/** Codes of JSON-RPC and of the language server protocol. */
const refusals: Readonly<Record<number, string>> = {
  [-32700]: 'it could not read the message',
  [-32600]: 'it takes the request for invalid',
  [-32601]: 'it does not know the method',
  [-32602]: 'it takes the parameters for invalid',
  [-32603]: 'it failed inside',
  [-32002]: 'it is not initialized',
  [-32800]: 'it has cancelled the request',
  [-32801]: 'the file has changed meanwhile',
  [-32802]: 'it has cancelled the request',
  [-32803]: 'it could not do it',
};

function answerTo(method: string, params: unknown): object {
  switch (method) {
    case 'workspace/configuration': {
      const items = (params as { readonly items?: unknown } | undefined)?.items;
      return { result: Array.isArray(items) ? items.slice(0, 1000).map(() => null) : [] };
    }
    case 'client/registerCapability':
    case 'client/unregisterCapability':
    case 'window/workDoneProgress/create':
      return { result: null };
    default:
      return { error: { code: -32601, message: 'not supported' } };
  }
}

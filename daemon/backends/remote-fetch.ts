import { createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { Fault } from '../../client/protocol/faults.ts';
import { shortened, strangeAnswer } from './index-server-rows.ts';

/** Reads what an index server has to say. */
export interface Fetcher {
  /** The bytes of an answer. Rejects with a fault, `cursorExpired` among them, or with the signal's reason. */
  get(path: string): Promise<Buffer>;
  close(): Promise<void>;
}

export interface FetcherOptions {
  readonly url: string;
  readonly token: string | undefined;
  readonly signal: AbortSignal;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const mostBytes = 64 * 1024 * 1024;
const mostBytesOfFault = 64 * 1024;
/** How long nothing may come, and how long all of it may take. */
const silenceMs = 60_000;
const answerMs = 300_000;
const connectMs = 10_000;
/** A server that asks for patience has so much of it for one answer. */
const patienceMs = 120_000;
const retriesMs = [500, 1000, 2000] as const;

export function openFetcher(options: FetcherOptions): Fetcher {
  const base = options.url.replace(/\/+$/, '');
  // Loaded by whoever has mirrors.
  const undici = import('undici');
  const agent = undici.then(
    ({ Agent }) =>
      new Agent({ headersTimeout: silenceMs, bodyTimeout: silenceMs, connect: { timeout: connectMs }, connections: 1 }),
  );
  return {
    get: async path => {
      const { request } = await undici;
      const dispatcher = await agent;
      return patiently(options, signal =>
        request(base + path, {
          ...{ dispatcher, signal },
          method: 'GET',
          headers: {
            accept: 'application/json',
            'accept-encoding': 'gzip',
            ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
          },
        }),
      );
    },
    close: async () => (await agent).destroy(),
  };
}

type Ask = (signal: AbortSignal) => Promise<Dispatcher.ResponseData>;

/** What became of one request: an answer, a fault, or a fault that may be none in a while. */
type Outcome =
  | { readonly kind: 'answer'; readonly bytes: Buffer }
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'later'; readonly fault: Fault; readonly afterMs: number | undefined };

async function patiently({ signal, wait, url }: FetcherOptions, ask: Ask): Promise<Buffer> {
  let waitedMs = 0;
  for (let attempt = 0; ; ) {
    const outcome = await once(ask, signal, url);
    if (outcome.kind === 'answer') return outcome.bytes;
    if (outcome.kind === 'fault') throw outcome.fault;
    // What it asks for itself is no failure.
    const afterMs = outcome.afterMs ?? retriesMs[attempt++];
    if (afterMs === undefined || waitedMs + afterMs > patienceMs) throw outcome.fault;
    waitedMs += afterMs;
    await wait(afterMs, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  }
}

async function once(ask: Ask, signal: AbortSignal, url: string): Promise<Outcome> {
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(answerMs);
  const either = AbortSignal.any([signal, deadline]);
  try {
    const reply = await ask(either);
    const isAnswer = reply.statusCode === 200;
    const bytes = await bodyOf(reply, isAnswer ? mostBytes : mostBytesOfFault);
    return isAnswer ? answered(reply, bytes) : refused(reply, bytes);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof Fault) return { kind: 'fault', fault: cause };
    const message = deadline.aborted
      ? `${hostOf(url)} takes more than ${answerMs / 1000} s for one answer`
      : `${hostOf(url)} can’t be reached, or fell silent (${codeOf(cause)})`;
    const fault = new Fault('backendUnavailable', message, { details: { reason: 'unreachable' }, cause });
    return { kind: 'later', fault, afterMs: undefined };
  }
}

function answered({ headers }: Dispatcher.ResponseData, bytes: Buffer): Outcome {
  if (String(headers['content-type']).startsWith('application/json')) return { kind: 'answer', bytes };
  return { kind: 'fault', fault: strangeAnswer('it is no JSON') };
}

/** The body, inflated; of what is too large nothing more is read. */
async function bodyOf({ body, headers }: Dispatcher.ResponseData, most: number): Promise<Buffer> {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'gzip' && coding !== 'identity') {
    body.destroy();
    throw strangeAnswer('it is coded otherwise than was asked for');
  }
  const inflate = coding === 'gzip' ? createGunzip() : undefined;
  if (inflate !== undefined) {
    body.on('error', error => inflate.destroy(error));
    body.pipe(inflate);
  }
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of (inflate ?? body) as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > most) throw strangeAnswer(`it is over ${most} bytes`);
      pieces.push(piece);
    }
  } finally {
    inflate?.destroy();
    body.on('error', () => {}); // It is over, however it ends.
    body.destroy();
  }
  return Buffer.concat(pieces, length);
}

function refused(reply: Dispatcher.ResponseData, bytes: Buffer): Outcome {
  const { statusCode: status, headers } = reply;
  const told = toldIn(bytes);
  const fault = faultOf(status, told, headers['location']);
  if (status !== 429 && status < 500) return { kind: 'fault', fault };
  const seconds = Number(headers['retry-after']);
  const isAsked = headers['retry-after'] !== undefined && Number.isFinite(seconds) && seconds >= 0;
  return { kind: 'later', fault, afterMs: isAsked ? Math.max(100, seconds * 1000) : undefined };
}

interface ToldFault {
  readonly code: string;
  /** With what a message of somebody else's begins: `: "…"`. */
  readonly words: string;
}

function toldIn(bytes: Buffer): ToldFault {
  try {
    const { error } = JSON.parse(bytes.toString('utf8')) as { error?: { code?: unknown; message?: unknown } };
    const code = typeof error?.code === 'string' && /^[a-z_]{1,64}$/.test(error.code) ? error.code : '';
    return { code, words: typeof error?.message === 'string' ? `: ${shortened(error.message, 300)}` : '' };
  } catch {
    return { code: '', words: '' };
  }
}

function faultOf(status: number, { code, words }: ToldFault, location: string | string[] | undefined): Fault {
  const details = { reason: code === '' ? 'refused' : code, status };
  if (status === 410) return new Fault('cursorExpired', `The server has no such page any more${words}`, { details });
  if (status === 429) {
    return new Fault('rateLimited', `The server lets this key ask too seldom${words}`, { details });
  }
  if (code === 'missing_token') {
    const message = 'The server asks for a key, and none was given: tokenFile (--token-file) names the file with it';
    return new Fault('preconditionFailed', message, { details });
  }
  if (status === 401 || status === 403) {
    return new Fault('preconditionFailed', `The server refuses the key (${code || status})${words}`, { details });
  }
  if (status === 404) {
    const what = code === 'repo_not_found' ? 'The server has no such repository' : 'No index server answers there';
    return new Fault('preconditionFailed', `${what}${words}`, { details });
  }
  if (status >= 300 && status < 400) {
    const to = typeof location === 'string' ? ` to ${shortened(location)}` : '';
    const message = `The server sends elsewhere${to}: a key goes to the address that it was given for alone`;
    return new Fault('preconditionFailed', message, { details: { ...details, reason: 'redirected' } });
  }
  return new Fault('backendUnavailable', `The server answers ${status}${words}`, { details });
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'The server';
}

function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown }).code;
  return typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown';
}

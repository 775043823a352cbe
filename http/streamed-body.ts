import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

export interface StreamedBodyOptions {
  /** How long nothing may come while somebody reads. */
  readonly silentMs: number;
  /** Called once, when somebody begins to read. */
  readonly onRead: () => void;
  /** Called once, when nothing has come for that long. */
  readonly onSilent: () => void;
}

/** What has come is handed over in pieces of up to about so much: each costs a turn of the loop, and others wait for these. */
const pieceBytes = 2 ** 18;

/**
 * The body of a request as a stream of its own: whoever reads may leave it in the middle, or break it, and the connection can
 * still be answered on. It fails where the client goes away.
 */
export function streamedBody(raw: IncomingMessage, { silentMs, onRead, onSilent }: StreamedBodyOptions): Readable {
  let isRead = false;
  let silence: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(silence);
    raw.off('data', onData);
    raw.pause();
  };
  const body = new Readable({
    highWaterMark: pieceBytes,
    read() {
      if (!isRead) {
        isRead = true;
        onRead();
      }
      // Who leaves bytes unread holds the client up, whose silence that is not.
      silence ??= setTimeout(onSilent, silentMs);
      raw.resume();
    },
    destroy(error, done) {
      stop();
      done(error);
    },
  });
  const onData = (chunk: Buffer) => {
    silence?.refresh();
    if (body.push(chunk)) return;
    clearTimeout(silence);
    silence = undefined;
    raw.pause();
  };
  raw.pause();
  raw.on('data', onData);
  raw.once('end', () => {
    clearTimeout(silence);
    body.push(null);
  });
  const onGone = () => {
    if (!raw.complete) body.destroy(new Error('the client went away before its body was whole'));
  };
  raw.once('error', onGone);
  raw.once('close', onGone);
  // Who failed for another reason may have stopped to listen.
  body.on('error', () => {});
  return body;
}

/** Whether a request says that a body comes with it. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Calls back when a body has not arrived whole in time. To be told when nobody waits for it any more. */
export function limitArrival(raw: IncomingMessage, allowedMs: number, onLate: () => void): () => void {
  if (!hasBody(raw)) return () => {};
  const timer = setTimeout(() => {
    if (!raw.complete) onLate();
  }, allowedMs);
  const stop = () => clearTimeout(timer);
  raw.once('end', stop);
  return stop;
}

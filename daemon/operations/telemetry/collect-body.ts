import type { Readable } from 'node:stream';
import { Fault, invalid } from '../../../client/protocol/faults.ts';
import { GatheredBytes } from '../../../client/protocol/gathered-bytes.ts';
import { batchTooLarge } from '../../jobs/telemetry/body-coding.ts';
import { bodyPieces } from '../body-pieces.ts';

/** Bodies may lie in memory while they come and while somebody looks into them: all of them may take so much. */
export class BodyRoom {
  #taken = 0;

  get taken(): number {
    return this.#taken;
  }

  /** Throws `busy` where there is no room. */
  take(bytes: number, mostBytes: number): void {
    if (this.#taken + bytes > mostBytes) {
      throw new Fault('busy', 'Too many batches are being taken in', { retryAfterSeconds: 1 });
    }
    this.#taken += bytes;
  }

  leave(bytes: number): void {
    this.#taken -= bytes;
  }
}

export interface CollectOptions {
  readonly mostBytes: number;
  /** What the request says that it brings; 0 where it does not. */
  readonly toldBytes: number;
  readonly room: BodyRoom;
  readonly signal: AbortSignal;
}

/** So many of the largest bodies at once. */
const bodiesAtOnce = 2;

/**
 * Waits for all of a body and hands it to `use`, in a buffer of its own; it counts as taking room until that is done. Throws
 * `tooLarge`, `busy`, `invalidParameter` where the sender went away in the midst, or the signal's reason; the stream is left
 * as it is then, for whoever answers.
 */
export async function withBody<T>(
  body: Readable,
  { mostBytes, toldBytes, room, signal }: CollectOptions,
  use: (bytes: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  // One that breaks off before it is first read is told so then.
  body.on('error', () => {});
  if (toldBytes > mostBytes) throw batchTooLarge(mostBytes);
  const gathered = new GatheredBytes(toldBytes, bytes => new ArrayBuffer(bytes));
  try {
    for await (const piece of bodyPieces(body, signal, cutOff)) {
      if (gathered.length + piece.length > mostBytes) throw batchTooLarge(mostBytes);
      room.take(piece.length, bodiesAtOnce * mostBytes);
      gathered.add(piece);
    }
    return await use(gathered.whole());
  } finally {
    room.leave(gathered.length);
  }
}

function cutOff(cause: unknown): Fault {
  const fault = invalid('invalidParameter', [{ path: 'body', message: 'was cut off before its end' }]);
  return new Fault(fault.reason, fault.message, { ...fault.extras, cause });
}

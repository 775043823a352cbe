import type { Readable } from 'node:stream';
import { GatheredBytes } from '../client/protocol/gathered-bytes.ts';

export interface WholeBodyOptions {
  readonly mostBytes: number;
  /** What the request says that it brings; 0 where it does not. */
  readonly toldBytes: number;
  readonly tooLarge: (mostBytes: number) => Error;
}

/**
 * Resolves with a request's body once it is whole, in memory that threads share: whoever reads a large one elsewhere needs no
 * copy of it. Rejects with `tooLarge` as soon as it is known to be that, which leaves what follows unread, or where the client
 * goes away.
 */
export function wholeBody(
  body: Readable,
  { mostBytes, toldBytes, tooLarge }: WholeBodyOptions,
): Promise<Uint8Array<SharedArrayBuffer>> {
  return new Promise((resolve, reject) => {
    if (toldBytes > mostBytes) {
      reject(tooLarge(mostBytes));
      return;
    }
    const gathered = new GatheredBytes(toldBytes, bytes => new SharedArrayBuffer(bytes));
    const onData = (piece: Buffer) => {
      if (gathered.length + piece.length <= mostBytes) {
        gathered.add(piece);
        return;
      }
      body.off('data', onData);
      reject(tooLarge(mostBytes));
    };
    body.on('data', onData);
    body.once('end', () => resolve(gathered.whole()));
    body.once('error', reject);
  });
}

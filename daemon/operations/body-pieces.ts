import type { Readable } from 'node:stream';
import { Fault } from '../../client/protocol/faults.ts';

/** A body as it comes, until `signal` ends it. A body that breaks off fails with what `cutOff` makes of that. */
export async function* bodyPieces(
  body: Readable,
  signal: AbortSignal,
  cutOff: (cause: unknown) => Fault,
): AsyncGenerator<Uint8Array> {
  const pieces = body.iterator({ destroyOnReturn: false });
  for (;;) {
    const next = await abortable(pieces.next(), signal).catch(error => {
      throw error instanceof Fault ? error : cutOff(error);
    });
    if (next.done === true) return;
    yield next.value as Uint8Array;
  }
}

function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

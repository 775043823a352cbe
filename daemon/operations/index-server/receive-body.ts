import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { Fault } from '../../../client/protocol/faults.ts';
import { makeOwnFolder } from '../../backends/own-folder.ts';
import { failWriting } from '../../jobs/storage-fault.ts';
import { StoreError } from '../../store/store-faults.ts';
import { bodyPieces } from '../body-pieces.ts';

export interface ReceiveOptions {
  readonly mostBytes: number;
  readonly signal: AbortSignal;
}

/** What came of a body. */
export interface Received {
  readonly bytes: number;
  /** The first few. */
  readonly head: Uint8Array;
}

const headBytes = 4;

/**
 * Writes a body to a new file as it comes, a piece at a time: whoever sends waits for the disk, and however large it is, no
 * more than a piece lies in memory. Throws `tooLarge`, `invalidScip` where the sender went away in the midst, `storageFailed`,
 * or the signal's reason; the stream is left as it is, for whoever answers.
 */
export async function receiveBody(body: Readable, file: string, options: ReceiveOptions): Promise<Received> {
  // One that breaks off before it is first read is told so then.
  body.on('error', () => {});
  const handle = await created(file);
  try {
    let bytes = 0;
    let head: Uint8Array = new Uint8Array();
    for await (const piece of bodyPieces(body, options.signal, cutOff)) {
      bytes += piece.length;
      if (bytes > options.mostBytes) throw tooLarge(options.mostBytes);
      if (head.length < headBytes) head = Buffer.concat([head, piece.subarray(0, headBytes - head.length)]);
      await writeAll(handle, piece).catch(error => failWriting(error));
    }
    return { bytes, head };
  } finally {
    await handle.close();
  }
}

async function created(file: string): Promise<Awaited<ReturnType<typeof open>>> {
  try {
    makeOwnFolder(dirname(file));
    return await open(file, 'wx', 0o600);
  } catch (error) {
    const { code = 'no room' } = error as NodeJS.ErrnoException;
    throw new StoreError(code === 'ENOSPC' || code === 'EDQUOT' ? 'diskFull' : 'unreadable', code, error, file);
  }
}

async function writeAll(handle: Awaited<ReturnType<typeof open>>, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.length; ) at += (await handle.write(piece, at)).bytesWritten;
}

export function tooLarge(limitBytes: number): Fault {
  return new Fault('tooLarge', `The upload is over ${limitBytes} bytes (limits.scip_bytes)`, {
    details: { limitBytes, limit: 'limits.scip_bytes' },
  });
}

function cutOff(cause: unknown): Fault {
  return new Fault('invalidScip', 'The upload was cut off before its end', { details: { reason: 'cut_off' }, cause });
}

import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ScipChunks } from './byte-window.ts';
import { invalidIndex } from './problem.ts';

const chunkBytes = 256 * 1024;

/** The bytes of an index file, inflated if it is gzip. A piece is good until the next is asked for. */
export async function* scipChunks(file: string): ScipChunks & AsyncGenerator<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const buffer = Buffer.allocUnsafeSlow(chunkBytes);
    const { bytesRead } = await handle.read(buffer, 0, 2, 0);
    const isGzip = bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
    if (isGzip) yield* inflated(piecesOf(handle, () => Buffer.allocUnsafe(chunkBytes)));
    else yield* piecesOf(handle, () => buffer);
  } finally {
    await handle.close();
  }
}

type FileToRead = Pick<Awaited<ReturnType<typeof open>>, 'read'>;

async function* piecesOf(handle: FileToRead, bufferFor: () => Buffer): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const buffer = bufferFor();
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** zlib hands out pieces of its own, one after the other: what a small file inflates to is never there at once. */
async function* inflated(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: chunkBytes });
  const source = Readable.from(pieces, { objectMode: false });
  source.on('error', problem => gunzip.destroy(problem));
  source.pipe(gunzip);
  let seen = 0;
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      seen += piece.length;
      yield piece;
    }
  } catch (problem) {
    throw isOfZlib(problem) ? invalidIndex('The gzip file is damaged or cut off', seen) : problem;
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

function isOfZlib(problem: unknown): boolean {
  const code = (problem as { code?: unknown }).code;
  return typeof code === 'string' && code.startsWith('Z_');
}

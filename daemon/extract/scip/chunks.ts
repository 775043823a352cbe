import { type FileHandle, open } from 'node:fs/promises';
import type { Readable, Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { ScipChunks } from './byte-window.ts';
import { invalidIndex } from './problem.ts';

const chunkBytes = 256 * 1024;

/** Newer releases of Node.js have it. */
const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: () => Transform };

/** The bytes of an index file, inflated if it is gzip, or zstd where the runtime has that. A piece is good until the next is asked for. */
export async function* scipChunks(file: string): ScipChunks & AsyncGenerator<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const magic = Buffer.alloc(4);
    await handle.read(magic, 0, 4, 0);
    const inflate = inflaterFor(magic);
    if (inflate === undefined) yield* piecesOf(handle);
    else yield* inflated(handle.createReadStream({ start: 0, autoClose: false }), inflate);
  } finally {
    await handle.close();
  }
}

function inflaterFor(magic: Buffer): Transform | undefined {
  if (magic.readUInt16BE(0) === 0x1f8b) return zlib.createGunzip({ chunkSize: chunkBytes });
  return magic.readUInt32BE(0) === 0x28b52ffd ? createZstdDecompress?.() : undefined;
}

/** The same pieces, and after each how many bytes have been taken so far. */
export async function* countedChunks(
  chunks: AsyncIterable<Uint8Array>,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    yield chunk;
    bytes += chunk.length;
    onRead(bytes);
  }
}

/** While one piece is looked at, the next is read already. */
async function* piecesOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const buffers = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)] as const;
  let next = handle.read(buffers[0], 0, chunkBytes, 0);
  try {
    for (let position = 0, turn = 1; ; turn++) {
      const { bytesRead, buffer } = await next;
      if (bytesRead === 0) return;
      position += bytesRead;
      next = handle.read(buffers[turn % 2 === 0 ? 0 : 1], 0, chunkBytes, position);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    // Nobody may wait for it any more.
    await next.catch(() => {});
  }
}

/** zlib hands out pieces of its own, one after the other: what a small file inflates to is never there at once. */
async function* inflated(source: Readable, inflate: Transform): AsyncGenerator<Uint8Array> {
  source.on('error', problem => inflate.destroy(problem));
  source.pipe(inflate);
  let seen = 0;
  try {
    for await (const piece of inflate as AsyncIterable<Buffer>) {
      seen += piece.length;
      yield piece;
    }
  } catch (problem) {
    throw isOfZlib(problem) ? invalidIndex('The compressed file is damaged or cut off', seen) : problem;
  } finally {
    source.destroy();
    inflate.destroy();
  }
}

function isOfZlib(problem: unknown): boolean {
  const code = (problem as { code?: unknown }).code;
  return typeof code === 'string' && /^(?:Z|ZSTD)_|^ERR_ZSTD/.test(code);
}

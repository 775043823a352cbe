import { NumberReader, NumberWriter } from '../packed-numbers.ts';

/** A file of a tree: the number of its path, and its blob's full hash. */
export interface TreeEntry {
  readonly path: number;
  readonly blob: string;
}

/** How many bytes a hash has, how many files there are, the steps from path to path, then the hashes one behind the other. */
export function encodeTree(entries: readonly TreeEntry[]): Buffer {
  const sorted = [...entries].sort((a, b) => a.path - b.path);
  const numbers = new NumberWriter();
  numbers.put((sorted[0]?.blob.length ?? 0) / 2);
  numbers.put(sorted.length);
  let last = 0;
  for (const { path } of sorted) {
    numbers.put(path - last);
    last = path;
  }
  return Buffer.concat([numbers.taken(), ...sorted.map(({ blob }) => Buffer.from(blob, 'hex'))]);
}

/** `onFile` gets the number of a path, and where its hash lies in the body. */
export function decodeTree(body: Buffer, onFile: (path: number, hash: Buffer) => void): void {
  const numbers = new NumberReader(body);
  const length = numbers.take();
  const count = numbers.take();
  let hashAt = body.length - count * length;
  let path = 0;
  for (let file = 0; file < count; file++) {
    path += numbers.take();
    onFile(path, body.subarray(hashAt, hashAt + length));
    hashAt += length;
  }
}

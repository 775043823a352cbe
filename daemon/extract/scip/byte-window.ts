import { tooLarge } from './problem.ts';

/** Where bytes come from, in pieces of any size. A piece need not outlive the next call: its bytes are copied at once. */
export type ScipChunks = AsyncIterable<Uint8Array>;

const leastBytes = 256 * 1024;

/** A run of bytes of the index that slides over it: whatever is asked for lies in `bytes` as a whole. */
export class ByteWindow {
  /** Filled from `at` up to `end`. */
  bytes: Buffer = Buffer.allocUnsafeSlow(leastBytes);
  at = 0;
  end = 0;
  /** Offset in the index of `bytes[0]`. */
  base = 0;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #limit: number;
  #isAtEnd = false;

  constructor(chunks: ScipChunks, limitBytes: number) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#limit = limitBytes;
  }

  get offset(): number {
    return this.base + this.at;
  }

  /** Whether so many bytes lie from `at` on, if need be after waiting for them; fewer only where the index ends. */
  has(bytes: number): boolean {
    return this.end - this.at >= bytes;
  }

  async fill(bytes: number): Promise<boolean> {
    while (!this.has(bytes) && !this.#isAtEnd) {
      const next = await this.#chunks.next();
      if (next.done === true) this.#isAtEnd = true;
      else this.#add(next.value, bytes);
    }
    return this.has(bytes);
  }

  /** Goes over so many bytes without ever having them in memory; false where the index ends before. */
  async skip(bytes: number): Promise<boolean> {
    let left = bytes;
    while (left > 0) {
      const here = Math.min(left, this.end - this.at);
      this.at += here;
      left -= here;
      if (left > 0 && !(await this.fill(1))) return false;
    }
    return true;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #add(chunk: Uint8Array, wanted: number): void {
    const total = this.base + this.end + chunk.length;
    if (total > this.#limit) throw tooLarge(`More than ${this.#limit} bytes`, this.#limit, 'bytes');
    const held = this.end - this.at;
    if (this.end + chunk.length > this.bytes.length) this.#slide(Math.max(held + chunk.length, wanted));
    this.bytes.set(chunk, this.end);
    this.end += chunk.length;
  }

  /** Puts what is held at the beginning, of a buffer large enough. */
  #slide(bytes: number): void {
    const into = bytes > this.bytes.length ? Buffer.allocUnsafeSlow(roomFor(bytes)) : this.bytes;
    this.bytes.copy(into, 0, this.at, this.end);
    this.base += this.at;
    this.end -= this.at;
    this.at = 0;
    this.bytes = into;
  }
}

/** A quarter more than asked, so that what grows chunk by chunk isn't copied chunk by chunk. */
function roomFor(bytes: number): number {
  return Math.max(leastBytes, Math.ceil((bytes * 1.25) / leastBytes) * leastBytes);
}

/**
 * Bytes that come in pieces, put together as they come. Where their number is told before they lie in memory once; where it is
 * not, or is told wrong, twice at most.
 */
export class GatheredBytes<Memory extends ArrayBufferLike> {
  readonly #toldBytes: number;
  readonly #allocate: (bytes: number) => Memory;
  #bytes: Uint8Array<Memory>;
  #length = 0;

  constructor(toldBytes: number, allocate: (bytes: number) => Memory) {
    this.#toldBytes = toldBytes;
    this.#allocate = allocate;
    this.#bytes = new Uint8Array(allocate(0));
  }

  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#bytes.length) this.#grow(Math.max(needed, this.#toldBytes, 2 * this.#bytes.length));
    this.#bytes.set(piece, this.#length);
    this.#length = needed;
  }

  /** All that came, where they lie. */
  whole(): Uint8Array<Memory> {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(bytes: number): void {
    const larger = new Uint8Array(this.#allocate(bytes));
    larger.set(this.whole());
    this.#bytes = larger;
  }
}

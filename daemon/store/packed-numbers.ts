/** Numbers below 2 ** 32, and texts, that follow one another, seven bits to a byte, the lowest first. */
export class NumberWriter {
  #bytes = Buffer.allocUnsafeSlow(64 * 1024);
  #length = 0;

  put(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow();
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** A difference: small ones of either sign are short. */
  putStep(step: number): void {
    this.put(step < 0 ? -2 * step - 1 : 2 * step);
  }

  putText(text: string): void {
    const bytes = Buffer.from(text);
    this.put(bytes.length);
    while (this.#length + bytes.length > this.#bytes.length) this.#grow();
    this.#length += bytes.copy(this.#bytes, this.#length);
  }

  taken(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(): void {
    const larger = Buffer.allocUnsafeSlow(2 * this.#bytes.length);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

export class NumberReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get hasMore(): boolean {
    return this.#at < this.#bytes.length;
  }

  take(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++]!;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let place = 128; byte > 127; place *= 128) {
      byte = bytes[this.#at++]!;
      value += (byte & 127) * place;
    }
    return value;
  }

  takeStep(): number {
    const value = this.take();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  takeText(): string {
    const length = this.take();
    this.#at += length;
    return Buffer.from(this.#bytes.subarray(this.#at - length, this.#at)).toString();
  }
}

/** Bytes that are written one after another, into memory that is used again. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(usualBytes);
  #length = 0;

  /** Adds a text as UTF-8. */
  text(text: string): void {
    this.#makeRoom(3 * text.length);
    if (text.length > shortText || !this.#isWrittenAsAscii(text)) this.#length += this.#bytes.write(text, this.#length);
  }

  bytes(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** What has been written, in memory of its own; begins anew. */
  taken(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.#length);
    taken.set(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    if (this.#bytes.length > mostKept) this.#bytes = Buffer.allocUnsafeSlow(usualBytes);
    return taken;
  }

  #isWrittenAsAscii(text: string): boolean {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 127) return false;
      this.#bytes[this.#length + at] = unit;
    }
    this.#length += text.length;
    return true;
  }

  #makeRoom(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

const usualBytes = 64 * 1024;
const mostKept = 2 ** 20;
/** Up to so many characters are written here in less time than it takes to have them written. */
const shortText = 32;

import { invalidIndex, tooLarge } from './problem.ts';

/** How a field's value is written in protocol buffers. */
export const wireType = { varint: 0, fixed64: 1, length: 2, groupStart: 3, groupEnd: 4, fixed32: 5 } as const;

/**
 * Reads the fields of one message that lies in memory as a whole: `while (reader.more()) switch (reader.field())`. What
 * doesn't fit into the message is a ScipProblem. Nothing is copied.
 */
export class WireReader {
  readonly bytes: Buffer;
  readonly view: DataView;
  at: number;
  end: number;
  /** Offset in the index of `bytes[0]`. */
  base: number;
  /** Of the field that `field` read last. */
  type = 0;
  readonly #nesting: number;

  constructor(bytes: Buffer, at: number, end: number, base: number, nesting: number) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
    this.end = end;
    this.base = base;
    this.#nesting = nesting;
  }

  get offset(): number {
    return this.base + this.at;
  }

  more(): boolean {
    return this.at < this.end;
  }

  /** The number of the next field. */
  field(): number {
    const start = this.at;
    const tag = this.varint();
    const field = tag >>> 3;
    if (field === 0 || this.at - start > 5)
      throw invalidIndex('A field with a number that none can have', this.base + start);
    this.type = tag & 7;
    return field;
  }

  /** The low 32 bits, as int32 and the enumerations are read. */
  varint(): number {
    const { bytes } = this;
    let at = this.at;
    let byte = bytes[at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      if (shift > 63) throw invalidIndex('A number of more than ten bytes', this.offset);
      byte = bytes[at++]!;
      if (shift < 32) value |= (byte & 0x7f) << shift;
    }
    // Whoever reads past the end reads what lies behind it, or nothing; no more than ten bytes, and it shows here.
    if (at > this.end) throw cutOff(this.offset);
    this.at = at;
    return value;
  }

  /** Where a field of this known number is a number. */
  int32(): number {
    if (this.type !== wireType.varint) throw this.wrongType();
    return this.varint();
  }

  /** The end of a string or message that begins at `at`. */
  lengthEnd(): number {
    if (this.type !== wireType.length) throw this.wrongType();
    return this.#runEnd();
  }

  #runEnd(): number {
    const length = this.length();
    if (length > this.end - this.at) throw cutOff(this.offset);
    return this.at + length;
  }

  /** Of what follows, whether it is there or not. */
  length(): number {
    const start = this.at;
    const low = this.varint();
    const bytes = this.at - start;
    if (bytes > 5) throw cutOff(this.base + start);
    return bytes < 5 ? low : (low >>> 0) + (this.bytes[this.at - 1]! >>> 4) * 2 ** 32;
  }

  string(): string {
    const start = this.at;
    const end = this.lengthEnd();
    const from = this.at;
    this.at = end;
    return end - start < 2 ? '' : this.bytes.toString('utf8', from, end);
  }

  /** Goes over a field of a number that nobody here knows. */
  skip(field: number): void {
    switch (this.type) {
      case wireType.varint:
        this.varint();
        break;
      case wireType.fixed64:
        this.#go(8);
        break;
      case wireType.fixed32:
        this.#go(4);
        break;
      case wireType.length:
        this.at = this.#runEnd();
        break;
      case wireType.groupStart:
        this.#skipGroup(field);
        break;
      default:
        throw this.wrongType();
    }
  }

  /** Groups may lie in groups: counted, not called, so that no depth breaks the stack. */
  #skipGroup(field: number): void {
    const open = [field];
    while (open.length > 0) {
      if (!this.more()) throw cutOff(this.offset);
      const inner = this.field();
      if (this.type === wireType.groupEnd) {
        if (open.pop() !== inner) throw invalidIndex('A group that ends without having begun', this.offset);
      } else if (this.type === wireType.groupStart) {
        if (open.push(inner) > this.#nesting) throw tooLarge('Groups nested too deeply', this.offset);
      } else this.skip(inner);
    }
  }

  #go(length: number): void {
    if (length > this.end - this.at) throw cutOff(this.offset);
    this.at += length;
  }

  wrongType(): Error {
    return invalidIndex('A field that is not written as SCIP says', this.offset);
  }
}

export function cutOff(offset: number): Error {
  return invalidIndex('A message that is longer than what is there of it', offset);
}

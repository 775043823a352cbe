/** How a field's value is written in protocol buffers. */
export const wireType = { varint: 0, fixed64: 1, length: 2, groupStart: 3, groupEnd: 4, fixed32: 5 } as const;

/** What is said of bytes that are not what they should be. Offsets are of the byte at which it shows. */
export interface WireProblems {
  readonly broken: (what: string, offset: number) => Error;
  readonly tooDeep: (what: string, offset: number) => Error;
  /** Of a known field that is written as none of its kind is. */
  readonly otherType: string;
}

/**
 * Reads the fields of one message that lies in memory as a whole: `while (reader.more()) switch (reader.field())`. What
 * doesn't fit into the message is a problem of the format that is read. Nothing is copied.
 */
export class WireReader {
  readonly bytes: Buffer;
  readonly view: DataView;
  at: number;
  end: number;
  /** Offset in the whole of `bytes[0]`. */
  base: number;
  /** Of the field that `field` read last. */
  type = 0;
  readonly #nesting: number;
  readonly #problems: WireProblems;

  /** `nesting`: how deep groups may lie in each other. */
  constructor(bytes: Buffer, at: number, end: number, base: number, nesting: number, problems: WireProblems) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
    this.end = end;
    this.base = base;
    this.#nesting = nesting;
    this.#problems = problems;
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
      throw this.#problems.broken('A field with a number that none can have', this.base + start);
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
      if (shift > 63) throw this.#problems.broken('A number of more than ten bytes', this.offset);
      byte = bytes[at++]!;
      if (shift < 32) value |= (byte & 0x7f) << shift;
    }
    // Whoever reads past the end reads what lies behind it, or nothing; no more than ten bytes, and it shows here.
    if (at > this.end) throw this.cutOff(this.offset);
    this.at = at;
    return value;
  }

  /** Where a field of this known number is a number. */
  int32(): number {
    if (this.type !== wireType.varint) throw this.wrongType();
    return this.varint();
  }

  /** Where a field of this known number is eight bytes, which it goes over: the place of the first. */
  eightBytes(): number {
    if (this.type !== wireType.fixed64) throw this.wrongType();
    const { at } = this;
    this.#go(8);
    return at;
  }

  /** Where a field of this known number is a number of which more than the low 32 bits count; slower. */
  int64(): bigint {
    if (this.type !== wireType.varint) throw this.wrongType();
    const start = this.at;
    this.varint();
    let value = 0n;
    for (let at = this.at - 1; at >= start; at--) value = (value << 7n) | BigInt(this.bytes[at]! & 0x7f);
    return BigInt.asIntN(64, value);
  }

  /** The end of a string or message that begins at `at`. */
  lengthEnd(): number {
    if (this.type !== wireType.length) throw this.wrongType();
    return this.#runEnd();
  }

  #runEnd(): number {
    const length = this.length();
    if (length > this.end - this.at) throw this.cutOff(this.offset);
    return this.at + length;
  }

  /** Of what follows, whether it is there or not. */
  length(): number {
    const start = this.at;
    const low = this.varint();
    const bytes = this.at - start;
    if (bytes > 5) throw this.cutOff(this.base + start);
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
      if (!this.more()) throw this.cutOff(this.offset);
      const inner = this.field();
      if (this.type === wireType.groupEnd) {
        if (open.pop() !== inner) throw this.#problems.broken('A group that ends without having begun', this.offset);
      } else if (this.type === wireType.groupStart) {
        if (open.push(inner) > this.#nesting) throw this.#problems.tooDeep('Groups nested too deeply', this.offset);
      } else this.skip(inner);
    }
  }

  #go(length: number): void {
    if (length > this.end - this.at) throw this.cutOff(this.offset);
    this.at += length;
  }

  wrongType(): Error {
    return this.#problems.broken(this.#problems.otherType, this.offset);
  }

  cutOff(offset: number): Error {
    return this.#problems.broken(cutOffWords, offset);
  }
}

export const cutOffWords = 'A message that is longer than what is there of it';

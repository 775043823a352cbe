import { WireReader, wireType } from '../wire.ts';
import { ByteWindow, type ScipChunks } from './byte-window.ts';
import type { ScipLimits } from './limits.ts';
import { invalidIndex, tooLarge } from './problem.ts';
import { cutOff, scipWire } from './wire.ts';

/** The fields that an index itself has. */
export const indexField = { metadata: 1, document: 2, external: 3 } as const;

/**
 * Goes over an index field by field: `while ((field = await fields.next()) !== 0)`, and of each `message`.
 * Fields that only a later version may have are gone over, and there are no more of the others than the limits allow.
 */
export class IndexFields {
  readonly #window: ByteWindow;
  readonly #limits: ScipLimits;
  #reader: WireReader;
  #documents = 0;
  #externals = 0;
  /** Of the field that `next` found. */
  #length = 0;

  constructor(chunks: ScipChunks, limits: ScipLimits) {
    this.#window = new ByteWindow(chunks, limits.bytes);
    this.#limits = limits;
    this.#reader = new WireReader(this.#window.bytes, 0, 0, 0, limits.nesting, scipWire);
  }

  /** Of the next byte in the index. */
  get offset(): number {
    return this.#window.offset;
  }

  /** Whoever sends something else altogether is told so, and not of field numbers. */
  async start(): Promise<void> {
    if (!(await this.#window.fill(1))) throw invalidIndex('No bytes at all', 0);
    await this.#window.fill(4);
    const { bytes, end } = this.#window;
    const start = bytes.subarray(0, Math.min(4, end));
    for (const [magic, name] of otherFormats) {
      if (start.length >= magic.length && magic.every((byte, at) => byte === start[at]))
        throw invalidIndex(`${name}, not a SCIP index`, 0, `Send the index as the indexer wrote it, or that as gzip`);
    }
  }

  /** The number of the next field that is known, 0 where the index ends. */
  async next(): Promise<number> {
    const window = this.#window;
    for (;;) {
      if (!window.has(longestHead) && !(await window.fill(longestHead)) && !window.has(1)) return 0;
      const head = this.#readerAt(Math.min(window.end, window.at + longestHead));
      const field = head.field();
      if (field > indexField.external) {
        await this.#skipUnknown(field, head.type);
        continue;
      }
      if (head.type !== wireType.length) throw head.wrongType();
      this.#length = this.#lengthAfter(head);
      this.#checkLimits(field);
      return field;
    }
  }

  /** A reader of what the field holds, good until the next one. */
  async message(): Promise<WireReader> {
    const window = this.#window;
    if (!window.has(this.#length) && !(await window.fill(this.#length))) throw cutOff(window.offset);
    const reader = this.#readerAt(window.at + this.#length);
    window.at = reader.end;
    return reader;
  }

  close(): Promise<void> {
    return this.#window.close();
  }

  #checkLimits(field: number): void {
    const { documents, symbols, messageBytes } = this.#limits;
    const { offset } = this.#window;
    if (this.#length > messageBytes) throw tooLarge(`A message of ${this.#length} bytes`, offset, 'messageBytes');
    if (field === indexField.document && ++this.#documents > documents)
      throw tooLarge(`More than ${documents} documents`, offset, 'documents');
    if (field === indexField.external && ++this.#externals > symbols)
      throw tooLarge(`More than ${symbols} symbols`, offset, 'symbols');
  }

  /** A reader of what the window holds from `at` on. */
  #readerAt(end: number): WireReader {
    const { bytes, at, base } = this.#window;
    if (this.#reader.bytes !== bytes)
      this.#reader = new WireReader(bytes, at, end, base, this.#limits.nesting, scipWire);
    this.#reader.at = at;
    this.#reader.end = end;
    this.#reader.base = base;
    return this.#reader;
  }

  /** What a length-delimited field holds is never in memory; a group has to be, within the limit of messages. */
  async #skipUnknown(field: number, type: number): Promise<void> {
    const window = this.#window;
    if (type === wireType.length) {
      if (!(await window.skip(this.#lengthAfter(this.#reader)))) throw cutOff(window.offset);
      return;
    }
    const { messageBytes } = this.#limits;
    if (type === wireType.groupStart) await window.fill(messageBytes);
    const reader = this.#readerAt(Math.min(window.end, window.at + messageBytes));
    reader.field();
    reader.skip(field);
    window.at = reader.at;
  }

  /** Reads the length of one of the index's own fields, which may go beyond what is there, and puts the window behind it. */
  #lengthAfter(head: WireReader): number {
    const length = head.length();
    this.#window.at = head.at;
    return length;
  }
}

/** A tag and a length, five bytes each and one more to see that they are longer. */
const longestHead = 16;

const otherFormats: readonly (readonly [readonly number[], string])[] = [
  [[0x7b], 'JSON'],
  [[0x5b], 'JSON'],
  [[0x7f, 0x45, 0x4c, 0x46], 'A program'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'A zstd file'],
  [[0x50, 0x4b, 0x03, 0x04], 'A zip file'],
  [[0x1f, 0x8b], 'A gzip file in a gzip file'],
];

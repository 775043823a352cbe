import { WireReader, wireType } from '../wire.ts';
import { ByteWindow, type ScipChunks } from './byte-window.ts';
import type { ScipDocument } from './document.ts';
import { readInformation, type ScipSymbolInformation, surveyInformation } from './information.ts';
import type { ScipLimits } from './limits.ts';
import { readMetadata, type ScipMetadata } from './metadata.ts';
import { invalidIndex, tooLarge, unacceptable } from './problem.ts';
import { DocumentReading } from './read-document.ts';
import { type ScipRejection, ScipRejections, type ScipReport } from './report.ts';
import type { ScratchMemory } from './scratch-memory.ts';
import { isLocal, type ScipSymbols, SymbolTable } from './symbol-table.ts';
import { cutOff, scipWire } from './wire.ts';

/** Whoever takes in an index. A promise is waited for, and nothing is read meanwhile. */
export interface ScipVisitor {
  /** First of all, once. */
  metadata(metadata: ScipMetadata, symbols: ScipSymbols): void | Promise<void>;
  /** Each document that can be taken in, in the order of the index. */
  document(document: ScipDocument): void | Promise<void>;
  /** A symbol of a dependency, of which no document tells. */
  external(information: ScipSymbolInformation): void | Promise<void>;
}

export interface ScipReading {
  readonly metadata: ScipMetadata;
  readonly symbols: ScipSymbols;
  /** Of all that was read with the same tables. */
  readonly report: ScipReport;
  /** Of the index, inflated. */
  readonly bytes: number;
  /** All, and of them those that were handed over. */
  readonly documents: number;
  readonly accepted: number;
}

/** What the parts of an index share that comes in several files: a symbol has one number in all of them. */
export interface ScipTables {
  readonly symbols: SymbolTable;
  readonly rejections: ScipRejections;
}

/** The symbols are there for as long as `memory` is open. */
export function scipTables(limits: ScipLimits, memory: ScratchMemory): ScipTables {
  const rejections = new ScipRejections();
  return { symbols: new SymbolTable(limits, rejections, memory), rejections };
}

/**
 * Reads a SCIP index from its bytes (`scipChunks` has a file's), one document at a time. Throws a ScipProblem for an
 * index that can't be taken in, as soon as that shows: documents may have been handed over by then.
 */
export async function readScip(
  chunks: ScipChunks,
  limits: ScipLimits,
  visitor: ScipVisitor,
  tables: ScipTables,
  signal?: AbortSignal,
): Promise<ScipReading> {
  const window = new ByteWindow(chunks, limits.bytes);
  const reading = new IndexReading(window, limits, visitor, tables);
  try {
    await reading.start();
    while (await window.fill(1)) {
      signal?.throwIfAborted();
      await reading.field();
    }
    return reading.end();
  } finally {
    await window.close();
  }
}

class IndexReading {
  readonly #window: ByteWindow;
  readonly #limits: ScipLimits;
  readonly #visitor: ScipVisitor;
  readonly #rejections: ScipRejections;
  readonly #symbols: SymbolTable;
  readonly #documents: DocumentReading;
  #reader: WireReader;
  #metadata: ScipMetadata | undefined;
  #seen = 0;
  #accepted = 0;
  #externals = 0;

  constructor(window: ByteWindow, limits: ScipLimits, visitor: ScipVisitor, { symbols, rejections }: ScipTables) {
    this.#window = window;
    this.#limits = limits;
    this.#visitor = visitor;
    this.#symbols = symbols;
    this.#rejections = rejections;
    this.#documents = new DocumentReading(this.#symbols, this.#rejections, limits);
    this.#reader = new WireReader(window.bytes, 0, 0, 0, limits.nesting, scipWire);
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

  /** One field of the index: metadata, a document, an external symbol, or whatever a later version may have. */
  async field(): Promise<void> {
    const window = this.#window;
    if (!window.has(longestHead)) await window.fill(longestHead);
    const head = this.#readerAt(Math.min(window.end, window.at + longestHead));
    const field = head.field();
    if (field > 3) return this.#skipUnknown(field, head.type);
    if (head.type !== wireType.length) throw head.wrongType();
    const length = this.#lengthAfter(head);
    if (length > this.#limits.messageBytes)
      throw tooLarge(`A message of ${length} bytes`, window.offset, 'messageBytes');
    if (!window.has(length) && !(await window.fill(length))) throw cutOff(window.offset);
    await this.#message(field, this.#readerAt(window.at + length));
  }

  end(): ScipReading {
    const { offset } = this.#window;
    const metadata = this.#known(offset);
    if (this.#seen > 0 && this.#accepted === 0) {
      const why = [...this.#rejections.counts.keys()].join(', ');
      throw unacceptable(
        `None of its documents can be taken in (${why})`,
        offset,
        'Run the indexer in the repository’s root folder',
      );
    }
    return {
      metadata,
      symbols: this.#symbols,
      report: this.#rejections,
      bytes: offset,
      documents: this.#seen,
      accepted: this.#accepted,
    };
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

  async #message(field: number, reader: WireReader): Promise<void> {
    const { end } = reader;
    if (field === 1) await this.#takeMetadata(reader);
    else if (field === 2) await this.#takeDocument(reader);
    else await this.#takeExternal(reader);
    this.#window.at = end;
  }

  async #takeMetadata(reader: WireReader): Promise<void> {
    const metadata = readMetadata(reader);
    if (this.#metadata !== undefined)
      return this.#reject('metadata: again', `${metadata.tool} ${metadata.toolVersion}`);
    this.#metadata = metadata;
    await this.#visitor.metadata(metadata, this.#symbols);
  }

  async #takeDocument(reader: WireReader): Promise<void> {
    const metadata = this.#known(reader.offset);
    const { documents } = this.#limits;
    if (this.#seen >= documents) throw tooLarge(`More than ${documents} documents`, reader.offset, 'documents');
    const document = this.#documents.read(reader, this.#seen++, metadata);
    if (document === undefined) return;
    this.#accepted++;
    const taken = this.#visitor.document(document);
    if (taken !== undefined) await taken;
  }

  async #takeExternal(reader: WireReader): Promise<void> {
    this.#known(reader.offset);
    const { symbols } = this.#limits;
    if (this.#externals++ >= symbols) throw tooLarge(`More than ${symbols} symbols`, reader.offset, 'symbols');
    const { at, end } = reader;
    const text = { from: 0, to: 0 };
    surveyInformation(reader, text);
    if (text.from === text.to) return this.#reject('symbol', 'empty');
    // scip-python writes some: of which document, nobody can tell.
    if (isLocal(reader, text.from, text.to)) return this.#reject('external symbol: local', '');
    const symbolOf = (inner: WireReader, from: number, to: number): number | undefined => {
      const symbol = this.#symbols.symbolAt(inner, from, to);
      return symbol < 0 ? undefined : symbol;
    };
    const symbol = symbolOf(reader, text.from, text.to);
    if (symbol === undefined) return;
    reader.at = at;
    reader.end = end;
    await this.#visitor.external(readInformation(reader, symbol, symbolOf));
  }

  #known(offset: number): ScipMetadata {
    if (this.#metadata !== undefined) return this.#metadata;
    throw unacceptable(
      'No metadata before the first document',
      offset,
      'Use an indexer that writes metadata first, as SCIP asks',
    );
  }

  #reject(reason: ScipRejection, detail: string): void {
    this.#rejections.add(reason, '', () => detail);
  }

  /** What a length-delimited field holds is never in memory; a group has to be, within the limit of messages. */
  async #skipUnknown(field: number, type: number): Promise<void> {
    const window = this.#window;
    if (type === wireType.length) {
      this.#reader.at = window.at;
      this.#reader.field();
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

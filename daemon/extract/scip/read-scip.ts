import type { WireReader } from '../wire.ts';
import type { ScipChunks } from './byte-window.ts';
import type { ScipDocument } from './document.ts';
import { IndexFields, indexField } from './index-fields.ts';
import { readInformation, type ScipSymbolInformation, surveyInformation } from './information.ts';
import type { ScipLimits } from './limits.ts';
import { readMetadata, type ScipMetadata } from './metadata.ts';
import { unacceptable } from './problem.ts';
import { DocumentReading } from './read-document.ts';
import { type ScipRejection, ScipRejections, type ScipReport } from './report.ts';
import type { ScratchMemory } from './scratch-memory.ts';
import { isLocal, type ScipSymbols, SymbolTable } from './symbol-table.ts';

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
  const fields = new IndexFields(chunks, limits);
  const reading = new IndexReading(limits, visitor, tables);
  try {
    await fields.start();
    for (let field = await fields.next(); field !== 0; field = await fields.next()) {
      signal?.throwIfAborted();
      await reading.take(field, await fields.message());
    }
    return reading.end(fields);
  } finally {
    await fields.close();
  }
}

class IndexReading {
  readonly #visitor: ScipVisitor;
  readonly #rejections: ScipRejections;
  readonly #symbols: SymbolTable;
  readonly #documents: DocumentReading;
  #metadata: ScipMetadata | undefined;
  #seen = 0;
  #accepted = 0;

  constructor(limits: ScipLimits, visitor: ScipVisitor, { symbols, rejections }: ScipTables) {
    this.#visitor = visitor;
    this.#symbols = symbols;
    this.#rejections = rejections;
    this.#documents = new DocumentReading(this.#symbols, this.#rejections, limits);
  }

  take(field: number, message: WireReader): void | Promise<void> {
    if (field === indexField.metadata) return this.#takeMetadata(message);
    if (field === indexField.document) return this.#takeDocument(message);
    return this.#takeExternal(message);
  }

  end({ offset }: Pick<IndexFields, 'offset'>): ScipReading {
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

  #takeMetadata(reader: WireReader): void | Promise<void> {
    const metadata = readMetadata(reader);
    if (this.#metadata !== undefined)
      return this.#reject('metadata: again', `${metadata.tool} ${metadata.toolVersion}`);
    this.#metadata = metadata;
    return this.#visitor.metadata(metadata, this.#symbols);
  }

  #takeDocument(reader: WireReader): void | Promise<void> {
    const metadata = this.#known(reader.offset);
    const document = this.#documents.read(reader, this.#seen++, metadata);
    if (document === undefined) return;
    this.#accepted++;
    return this.#visitor.document(document);
  }

  #takeExternal(reader: WireReader): void | Promise<void> {
    this.#known(reader.offset);
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
    return this.#visitor.external(readInformation(reader, symbol, symbolOf));
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
}

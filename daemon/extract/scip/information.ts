import type { WireReader } from '../wire.ts';
import { within } from './metadata.ts';

/** What an index tells of a symbol beyond where it occurs. Symbols are numbers as in `ScipOccurrences.symbol`. */
export interface ScipSymbolInformation {
  readonly symbol: number;
  /** Number of SCIP's enumeration SymbolInformation.Kind, 0 where the indexer doesn't say (most don't). */
  readonly kind: number;
  readonly displayName: string;
  /** Markdown. Of many indexers the first piece is the signature in a fenced block. */
  readonly documentation: readonly string[];
  readonly signature: string;
  readonly enclosingSymbol: number | undefined;
  readonly relationships: readonly ScipRelationship[];
}

export interface ScipRelationship {
  readonly symbol: number;
  readonly isReference: boolean;
  readonly isImplementation: boolean;
  readonly isTypeDefinition: boolean;
  readonly isDefinition: boolean;
}

/** The number of the symbol of which the text begins where the reader is, and `undefined` if it is none. */
export type SymbolReading = (reader: WireReader, from: number, to: number) => number | undefined;

/**
 * Whether the message that the reader is in is sound, without reading what is in it: [from, to) of its symbol, both 0
 * where it has none.
 */
export function surveyInformation(reader: WireReader, symbol: { from: number; to: number }): void {
  symbol.from = 0;
  symbol.to = 0;
  while (reader.more()) {
    const field = reader.field();
    if (field === 1) {
      symbol.to = reader.lengthEnd();
      symbol.from = reader.at;
      reader.at = symbol.to;
    } else if (field === 3 || field === 6 || field === 8) reader.at = reader.lengthEnd();
    else if (field === 4 || field === 7) within(reader, surveyFlat);
    else if (field === 5) reader.int32();
    else reader.skip(field);
  }
}

function surveyFlat(reader: WireReader): void {
  while (reader.more()) reader.skip(reader.field());
}

/** Reads a SymbolInformation whose symbol is known already. */
export function readInformation(reader: WireReader, symbol: number, symbolOf: SymbolReading): ScipSymbolInformation {
  let kind = 0;
  let displayName = '';
  let signature = '';
  let enclosingSymbol: number | undefined;
  const documentation: string[] = [];
  const relationships: ScipRelationship[] = [];
  while (reader.more()) {
    const field = reader.field();
    if (field === 3) documentation.push(reader.string());
    else if (field === 4) {
      const one = within(reader, inner => readRelationship(inner, symbolOf));
      if (one !== undefined) relationships.push(one);
    } else if (field === 5) kind = reader.int32();
    else if (field === 6) displayName = reader.string();
    else if (field === 7) signature = within(reader, textOfDocument);
    else if (field === 8) enclosingSymbol = symbolField(reader, symbolOf);
    else reader.skip(field);
  }
  return { symbol, kind, displayName, documentation, signature, enclosingSymbol, relationships };
}

function readRelationship(reader: WireReader, symbolOf: SymbolReading): ScipRelationship | undefined {
  let symbol: number | undefined;
  const flags = [false, false, false, false];
  while (reader.more()) {
    const field = reader.field();
    if (field === 1) symbol = symbolField(reader, symbolOf);
    else if (field >= 2 && field <= 5) flags[field - 2] = reader.int32() !== 0;
    else reader.skip(field);
  }
  if (symbol === undefined) return undefined;
  const [isReference, isImplementation, isTypeDefinition, isDefinition] = flags as [boolean, boolean, boolean, boolean];
  return { symbol, isReference, isImplementation, isTypeDefinition, isDefinition };
}

function symbolField(reader: WireReader, symbolOf: SymbolReading): number | undefined {
  const to = reader.lengthEnd();
  const from = reader.at;
  reader.at = to;
  return from === to ? undefined : symbolOf(reader, from, to);
}

/** A signature comes as a document without path. */
function textOfDocument(reader: WireReader): string {
  let text = '';
  while (reader.more()) {
    const field = reader.field();
    if (field === 5) text = reader.string();
    else reader.skip(field);
  }
  return text;
}

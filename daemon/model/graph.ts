import type { ScopeKey } from './document.ts';
import type { ReferenceKind } from './facts.ts';
import { referenceKinds } from './facts-format.ts';
import { type ImportedSymbol, unpackImport } from './imported-symbol.ts';
import { type SymbolKind, symbolKinds, type Visibility, visibilities } from './symbol.ts';

/**
 * Who uses what in a snapshot: a part for each document, made when it is first asked for. Symbols are numbers of the index
 * file (rows of its symbol table), definitions indexes into their document's columns.
 */
export interface CodeGraph {
  readonly seq: number;
  /** The part of a document; undefined where the snapshot has none of it. */
  document(document: number): GraphDocument | undefined;
  /** Every document with facts, by path. Makes the parts that nobody has asked for yet. */
  documents(): readonly GraphDocument[];
  /** Paths of files that no extractor reads. */
  unread(): readonly string[];
  /**
   * Every use of a symbol, by definition and kind: what indexers list, and where they name nothing what syntax has that is
   * settled. Of a constructor also the calls of its class that can mean no other, of a class those that name a constructor.
   */
  eachUse(symbol: number, take: (user: GraphDocument, use: number) => void): void;
  /** Every use that a definition's own code makes, or (`atTop`) the code at the top of a file. */
  eachUseBy(user: GraphSite, take: (symbol: number, use: number) => void): void;
  /** How sure a use is, 0 to 1: less than an indexer is where it saw other files than there are now. */
  confidence(user: GraphDocument, use: number): number;
  /** Documents that may use a symbol, by number: more than do, never less. */
  documentsUsing(symbol: number): readonly number[];
  /** Where a symbol is defined, the site that is shown first in front; empty for one of a dependency. */
  sitesOf(symbol: number): readonly GraphSite[];
  /**
   * Documents that an import leads to, by number: the file, which has no part where nobody reads it; those of the scope;
   * those with a site of the definition. None for a dependency.
   */
  documentsAt(imported: ImportedSymbol): readonly number[];
  /** Documents of a scope that several files make up, by number: a package of Go, Java or Kotlin. */
  documentsIn(scope: ScopeKey): readonly number[];
  /**
   * How many files of a language's family were read only in part and have one of some names in their text, so that they may
   * use what bears it.
   */
  partlyReadNaming(names: readonly string[], language: string): number;
  /** Every import that leads to a document: names its file, all of its scope, or what it defines. */
  eachImport(of: ImportedDocument, take: (importer: GraphDocument, at: number) => void): void;
  /** The number of the symbol with a hash (32 hex digits), whether the snapshot has it or not; undefined where the file never heard of it. */
  numberOf(hash: string): number | undefined;
  /** What the text of a definition says of it. */
  declaredAt(site: GraphSite): Declared;
  /** What documents of a language define under a name, by its number: read off their facts, without making their parts. */
  declarationsNamed(name: number, language: string): readonly Declaration[];
}

export interface Declared {
  /** Its descriptors: see `DefinitionFact`. */
  readonly tail: string;
  /** As written, without its body and cut where it is long. */
  readonly signature: string;
}

/** A definition of a document whose part nobody need have made. */
export interface Declaration extends Declared {
  readonly document: number;
  /** Index of the definition. */
  readonly at: number;
  /** As of `GraphDocument`. */
  readonly scope: ScopeKey;
  readonly kind: SymbolKind;
  /** Kind of the definition that it stands in; undefined where it stands in none. */
  readonly holder: SymbolKind | undefined;
}

/** What imports may lead to: a document, or a file that nobody reads, which defines nothing. */
export type ImportedDocument = Pick<GraphDocument, 'path' | 'scope' | 'language' | 'symbols' | 'slots'>;

export interface GraphSite {
  readonly in: GraphDocument;
  /** Index of the definition; `atTop`: the code at the top of the file. */
  readonly at: number;
}

/** One document's part. Columns of definitions, by symbol; then what its code uses, by target. */
export interface GraphDocument {
  readonly document: number;
  readonly path: string;
  /** Of its definitions: see `MountedDocument`. */
  readonly scope: ScopeKey;
  readonly language: string;
  readonly isTest: boolean;
  /** Read only in part: it may define and use more. */
  readonly isPartial: boolean;
  /** Of what else the indexer saw that read this content; undefined where none did. */
  readonly context: string | undefined;
  /** Symbols that it defines, ascending; all columns of definitions are in this order. */
  readonly symbols: Uint32Array;
  /** Numbers of their names. */
  readonly names: Uint32Array;
  /** Kind, visibility and flags: see `traitsOf`. */
  readonly traits: Uint16Array;
  /** Slot of the site that is shown. */
  readonly slots: Uint32Array;
  /** Index of the definition that each stands in, `atTop` for none. */
  readonly containers: Int32Array;
  /** Call sites in each that nothing settles; of code at the top in the last. */
  readonly openCalls: Uint32Array;
  /** Numbers of names that some use here leaves unsettled, ascending, and how many uses do. */
  readonly openNames: Uint32Array;
  readonly openCounts: Uint32Array;
  readonly uses: GraphUses;
  readonly imports: GraphImports;
}

/** Imports as columns, in the order of the facts. */
export interface GraphImports {
  /** What each leads to: see `importOf`. */
  readonly targets: Uint32Array;
  /** 0-based line * 2, and 1 more for types alone. */
  readonly lines: Uint32Array;
}

export interface GraphImport {
  /** Undefined where that is not known. */
  readonly to: ImportedSymbol | undefined;
  /** 0-based. */
  readonly line: number;
  readonly typeOnly: boolean;
}

export function importOf({ imports: { targets, lines } }: GraphDocument, at: number): GraphImport {
  const line = lines[at]!;
  return { to: unpackImport(targets[at]!), line: line >>> 1, typeOnly: (line & 1) === 1 };
}

/** Uses as columns, by target, then by user in the order of the text, and by kind: what one definition does with one symbol in one way is one use. */
export interface GraphUses {
  /** Symbols that are used, ascending. */
  readonly targets: Uint32Array;
  /** Where the uses of each begin, and where the last one's end. */
  readonly starts: Uint32Array;
  /** Index of the definition whose code it is, `atTop` for none. */
  readonly users: Int32Array;
  /** How, how sure, and how many: see `useOf`. */
  readonly marks: Uint16Array;
  /** How often it occurs. */
  readonly counts: Uint32Array;
  /** Index of the first such reference of the document. */
  readonly references: Uint32Array;
  /** The uses in the order of their users, those of code at the top first, and of each in the order of the text. */
  readonly byUser: Uint32Array;
}

/** In place of a definition's index: code that stands in none. */
export const atTop = -1;

export interface GraphUse {
  readonly kind: ReferenceKind;
  /** 0 to 1: 1 where an indexer says so. */
  readonly confidence: number;
  readonly isPrecise: boolean;
}

const preciseHundredths = 127;

/** `hundredths`: a confidence, or `precise`. */
export function packUse(kind: ReferenceKind, hundredths: number | 'precise'): number {
  return (referenceKinds.indexOf(kind) << 7) | (hundredths === 'precise' ? preciseHundredths : hundredths);
}

export function useOf(mark: number): GraphUse {
  const hundredths = mark & 127;
  const isPrecise = hundredths === preciseHundredths;
  return { kind: kindOfUse(mark), confidence: isPrecise ? 1 : hundredths / 100, isPrecise };
}

export function kindOfUse(mark: number): ReferenceKind {
  return referenceKinds[(mark >>> 7) & 15]!;
}

/** Set in a mark beside what `packUse` gives: a call of a constructor by a word that does not name its class (`super(1)`), so that it makes no value of it. */
export const makesNothing = 1 << 11;

/** The number of the symbol at a site; of code at the top of a file, which is no symbol, a negative one. */
export function keyOf({ in: one, at }: GraphSite): number {
  return at === atTop ? -1 - one.document : one.symbols[at]!;
}

export interface GraphTraits {
  readonly kind: SymbolKind;
  readonly visibility: Visibility;
  readonly exported: boolean;
  readonly hasBody: boolean;
  /** An indexer has a name for it, and so lists every use of it. */
  readonly isNamed: boolean;
  /** It stands in test code of a file that is none as a whole. */
  readonly isTest: boolean;
}

export function packTraits({ kind, visibility, exported, hasBody, isNamed, isTest }: GraphTraits): number {
  const flags = (exported ? 1 << 10 : 0) | (hasBody ? 1 << 11 : 0) | (isNamed ? 1 << 12 : 0) | (isTest ? testFlag : 0);
  return symbolKinds.indexOf(kind) | (visibilities.indexOf(visibility) << 8) | flags;
}

const testFlag = 1 << 13;

export function traitsOf({ in: { traits }, at }: GraphSite): GraphTraits {
  const packed = traits[at]!;
  return {
    kind: symbolKinds[packed & 0xff]!,
    visibility: visibilities[(packed >>> 8) & 3]!,
    exported: (packed & (1 << 10)) !== 0,
    hasBody: (packed & (1 << 11)) !== 0,
    isNamed: (packed & (1 << 12)) !== 0,
    isTest: (packed & testFlag) !== 0,
  };
}

/** Whether code is a test's: of a file of tests, or in what its file marks as such. */
export function isOfTests({ in: { isTest, traits }, at }: GraphSite): boolean {
  return isTest || (at !== atTop && (traits[at]! & testFlag) !== 0);
}

export function kindOfDefinition({ traits }: GraphDocument, at: number): SymbolKind {
  return symbolKinds[traits[at]! & 0xff]!;
}

/** Languages of which constructors are symbols beside their classes. */
export const tellsConstructors: ReadonlySet<string> = new Set([
  'typescript',
  'javascript',
  'java',
  'kotlin',
  'csharp',
  'cpp',
]);
const madeKinds: ReadonlySet<SymbolKind> = new Set(['class', 'struct', 'enum']);

/** Whether values of a definition are made: it may have constructors. */
export function isMade(document: GraphDocument, at: number): boolean {
  return madeKinds.has(kindOfDefinition(document, at));
}

/** Whether what reads like a call of a symbol is one: `Colour c;` makes no value as `Box b;` does, which looks the same in C++. */
export function mayBeCalled({ sitesOf }: Pick<CodeGraph, 'sitesOf'>, symbol: number): boolean {
  const [site] = sitesOf(symbol);
  return site?.in.language !== 'cpp' || !/^(?:enum|type)$/.test(kindOfDefinition(site.in, site.at));
}

/** Index of a symbol among some ascending ones, -1 where it is none of them. */
export function indexOfSymbol(symbols: Uint32Array, symbol: number): number {
  let low = 0;
  let high = symbols.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (symbols[middle]! < symbol) low = middle + 1;
    else high = middle;
  }
  return symbols[low] === symbol ? low : -1;
}

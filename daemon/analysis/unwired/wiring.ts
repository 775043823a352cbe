import { atTop, type GraphDocument, importOf, kindOfDefinition, traitsOf } from '../../model/graph.ts';
import type { ImportedSymbol } from '../../model/imported-symbol.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import type { WiredDocument } from '../../model/wiring.ts';

/**
 * All documents of a snapshot as one: definitions are nodes, numbered through documents in their order. What is made of one
 * document alone is kept with it.
 */
export interface Wiring {
  readonly documents: readonly WiredDocument[];
  readonly parts: readonly DocumentPart[];
  /** Of each document its first node. */
  readonly offsets: Int32Array;
  readonly nodeCount: number;
  /** Of a node its document. */
  documentOf(node: number): number;
  /** The sites of a symbol. */
  eachSite(symbol: number, take: (node: number) => void): void;
  /** The document of the file that an import of a document names, -1 where it names none that is read. */
  fileOf(document: number, at: number): number;
  /** Whether an import names a file that nobody reads. */
  isUnread(document: number, at: number): boolean;
  /** All that an import loads: that file, or all of a package. */
  loadedBy(document: number, at: number): readonly number[];
  /** Documents that are loaded together, by the name of their unit. */
  readonly units: ReadonlyMap<string, readonly number[]>;
}

/** Numbers of the documents that an import leads to. */
export type DocumentsAt = (imported: ImportedSymbol) => readonly number[];

/** What follows from one document alone. */
export interface DocumentPart {
  readonly kinds: readonly SymbolKind[];
  /** Uses in the order of their users, and where those of each user begin: first of code at the top, then by definition. */
  readonly usesByUser: Uint32Array;
  readonly userStarts: Uint32Array;
  /** Of each use its target. */
  readonly targets: Uint32Array;
  /** Definitions in the order of what they stand in, and where each one's begin. */
  readonly children: Uint32Array;
  readonly childStarts: Uint32Array;
  /** Definitions whose code runs, or whose type counts, as soon as the file is loaded: in no function. */
  readonly loaded: readonly number[];
  /** Definitions that stand for another file as a whole: index → import. */
  readonly wholeFiles: ReadonlyMap<number, number>;
}

export function wiringOf(documents: readonly WiredDocument[], documentsAt: DocumentsAt): Wiring {
  const offsets = new Int32Array(documents.length + 1);
  documents.forEach(({ graph }, at) => {
    offsets[at + 1] = offsets[at]! + graph.symbols.length;
  });
  const nodeCount = offsets[documents.length]!;
  const { first, next } = sitesOf(documents, offsets);
  const units = new Map<string, number[]>();
  documents.forEach(({ graph }, at) => {
    const unit = unitOf(graph);
    if (unit === '') return;
    const known = units.get(unit);
    if (known === undefined) units.set(unit, [at]);
    else known.push(at);
  });
  const places = new Map(documents.map(({ graph }, at) => [graph.document, at]));
  const leadsTo = (document: number, at: number, kinds: readonly ImportedSymbol['kind'][]): readonly number[] => {
    const { to } = importOf(documents[document]!.graph, at);
    return to === undefined || !kinds.includes(to.kind) ? [] : documentsAt(to).flatMap(one => places.get(one) ?? []);
  };
  return {
    documents,
    parts: documents.map(partOf),
    offsets,
    nodeCount,
    documentOf: node => documentAt(offsets, node),
    eachSite: (symbol, take) => {
      for (let node = first[symbol] ?? -1; node >= 0; node = next[node]!) take(node);
    },
    fileOf: (document, at) => leadsTo(document, at, ['file'])[0] ?? -1,
    isUnread: (document, at) => {
      const { to } = importOf(documents[document]!.graph, at);
      return to?.kind === 'file' && documentsAt(to).some(one => !places.has(one));
    },
    // Whoever imports a package elsewhere takes single types of it.
    loadedBy: (document, at) =>
      leadsTo(document, at, unitOf(documents[document]!.graph) === '' ? ['file'] : ['file', 'scope']),
    units,
  };
}

/** What a language loads as one, of several files: a package of Go. '' for a file by itself. */
export function unitOf({ language, scope }: GraphDocument): string {
  return language === 'go' ? scope : '';
}

/** Sites of each symbol as a list: the first by symbol, then the next by node; -1 ends it. */
function sitesOf(documents: readonly WiredDocument[], offsets: Int32Array): { first: Int32Array; next: Int32Array } {
  let last = 0;
  for (const { graph } of documents) last = Math.max(last, graph.symbols.at(-1) ?? 0);
  const first = new Int32Array(last + 1).fill(-1);
  const next = new Int32Array(offsets[documents.length]!);
  for (let at = documents.length - 1; at >= 0; at--) {
    const { symbols } = documents[at]!.graph;
    for (let index = 0; index < symbols.length; index++) {
      const node = offsets[at]! + index;
      next[node] = first[symbols[index]!]!;
      first[symbols[index]!] = node;
    }
  }
  return { first, next };
}

function documentAt(offsets: Int32Array, node: number): number {
  let low = 0;
  let high = offsets.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (offsets[middle]! <= node) low = middle;
    else high = middle - 1;
  }
  return low;
}

const parts = new WeakMap<WiredDocument, DocumentPart>();

function partOf(document: WiredDocument): DocumentPart {
  const known = parts.get(document);
  if (known !== undefined) return known;
  const { graph, exports } = document;
  const kinds = Array.from(graph.symbols, (_, at) => kindOfDefinition(graph, at));
  const { starts: userStarts } = grouped(graph.uses.users, graph.symbols.length);
  const { order: children, starts: childStarts } = grouped(graph.containers, graph.symbols.length);
  const made: DocumentPart = {
    kinds,
    ...{ usesByUser: graph.uses.byUser, userStarts, children, childStarts },
    targets: targetsByUse(graph),
    loaded: kinds.flatMap((_, at) => (isLoaded(graph, kinds, at) ? [at] : [])),
    wholeFiles: new Map(
      exports.flatMap(one => (one.definition >= 0 && one.import >= 0 ? [[one.definition, one.import]] : [])),
    ),
  };
  parts.set(document, made);
  return made;
}

/** Indexes in the order of their keys, from `atTop` up, and where those of each key begin. */
function grouped(keys: Int32Array, count: number): { order: Uint32Array; starts: Uint32Array } {
  const starts = new Uint32Array(count + 2);
  for (const key of keys) starts[key - atTop + 1]!++;
  for (let key = 1; key < starts.length; key++) starts[key]! += starts[key - 1]!;
  const at = starts.slice();
  const order = new Uint32Array(keys.length);
  keys.forEach((key, index) => {
    order[at[key - atTop]!++] = index;
  });
  return { order, starts };
}

function targetsByUse({ uses }: GraphDocument): Uint32Array {
  const targets = new Uint32Array(uses.users.length);
  for (let at = 0; at < uses.targets.length; at++)
    targets.fill(uses.targets[at]!, uses.starts[at], uses.starts[at + 1]);
  return targets;
}

export const callable: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'constructor', 'macro']);

function isLoaded(graph: GraphDocument, kinds: readonly SymbolKind[], at: number): boolean {
  // What is called on a type that another file declares has nothing here that it could be reached by.
  if (kinds[at] === 'method' && graph.containers[at] === atTop) return true;
  for (let outer = at; outer >= 0; outer = graph.containers[outer]!) if (callable.has(kinds[outer]!)) return false;
  return true;
}

export function isExported(graph: GraphDocument, at: number): boolean {
  return traitsOf({ in: graph, at }).exported;
}

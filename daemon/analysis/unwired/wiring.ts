import { atTop, type GraphDocument, importOf, indexOfSymbol, kindOfDefinition } from '../../model/graph.ts';
import { byContainer, grouped } from '../../model/graph-children.ts';
import type { ImportedSymbol } from '../../model/imported-symbol.ts';
import type { WiredDocument, WiredExport } from '../../model/wiring.ts';
import { callable, isType, standsAlone } from './standing.ts';

/** Where documents are asked for what leads to what; documents by their numbers. */
export interface Leads {
  /** Documents that an import leads to. */
  documentsAt(imported: ImportedSymbol): readonly number[];
  /** Documents that may use a symbol: more than do, never less. */
  documentsUsing(symbol: number): readonly number[];
  /** Documents with an import that leads to one. */
  documentsImporting(document: GraphDocument): readonly number[];
}

/** All documents of a snapshot as one, by their places in the order of their paths. Contents change, places do not. */
export class Wiring {
  #leads: Leads;
  readonly #documents: WiredDocument[];
  readonly #places: ReadonlyMap<number, number>;
  /** Places of documents that are loaded together, by the name of their unit. */
  readonly #units = new Map<string, number[]>();
  readonly #sites = new Sites();
  /** By place. What numbers of symbols mean is asked while they mean it. */
  readonly #imported: (readonly ImportedPlaces[])[];

  constructor(documents: readonly WiredDocument[], leads: Leads) {
    this.#leads = leads;
    this.#documents = [...documents];
    this.#places = new Map(documents.map(({ graph }, place) => [graph.document, place]));
    this.#imported = documents.map(({ graph }) => this.#importedBy(graph));
    documents.forEach(({ graph }, place) => {
      this.#sites.add(graph.symbols, place);
      const unit = unitOf(graph);
      const inUnit = this.#units.get(unit);
      if (inUnit !== undefined) inUnit.push(place);
      else if (unit !== '') this.#units.set(unit, [place]);
    });
  }

  get documents(): readonly WiredDocument[] {
    return this.#documents;
  }

  part(place: number): DocumentPart {
    return partOf(this.#documents[place]!);
  }

  /** Puts other versions of documents into their places, of a snapshot in which others may be asked for. */
  replace(documents: ReadonlyMap<number, WiredDocument>, leads: Leads): void {
    this.#leads = leads;
    for (const [place, document] of documents) {
      this.#sites.remove(this.#documents[place]!.graph.symbols, place);
      this.#documents[place] = document;
      this.#sites.add(document.graph.symbols, place);
      this.#imported[place] = this.#importedBy(document.graph);
    }
  }

  /** The sites of a symbol: the document's place, and the definition's index. */
  eachSite(symbol: number, take: (place: number, at: number) => void): void {
    this.#sites.each(symbol, place => take(place, indexOfSymbol(this.#documents[place]!.graph.symbols, symbol)));
  }

  /** The types that a constructor makes values of; none of any other symbol. */
  madeBy(symbol: number): readonly number[] {
    const found: number[] = [];
    this.eachSite(symbol, (place, at) => {
      const { graph } = this.#documents[place]!;
      const container = graph.containers[at]!;
      if (container >= 0 && kindOfDefinition(graph, at) === 'constructor') found.push(graph.symbols[container]!);
    });
    return found;
  }

  /** Several documents define a symbol. */
  isShared(symbol: number): boolean {
    return this.#sites.isShared(symbol);
  }

  /** What each import of a document leads to. */
  imported(place: number): readonly ImportedPlaces[] {
    return this.#imported[place]!;
  }

  /** Documents that are loaded with one. */
  unit(place: number): readonly number[] {
    return this.#units.get(unitOf(this.#documents[place]!.graph)) ?? none;
  }

  /** Documents that may use a symbol, or define it. */
  around(symbol: number): readonly number[] {
    const found = [...this.#placesOf(this.#leads.documentsUsing(symbol))];
    this.#sites.each(symbol, place => found.push(place));
    return found;
  }

  importers(place: number): readonly number[] {
    return this.#placesOf(this.#leads.documentsImporting(this.#documents[place]!.graph));
  }

  /** Whoever imports a package elsewhere than in Go takes single types of it. */
  #importedBy(graph: GraphDocument): readonly ImportedPlaces[] {
    return Array.from(graph.imports.targets, (_, at): ImportedPlaces => {
      const { to } = importOf(graph, at);
      const isFile = to?.kind === 'file';
      if (to === undefined || !(isFile || (to.kind === 'scope' && unitOf(graph) !== ''))) return nowhere;
      const documents = this.#leads.documentsAt(to);
      const loads = this.#placesOf(documents);
      return { file: isFile ? (loads[0] ?? -1) : -1, isUnread: isFile && loads.length < documents.length, loads };
    });
  }

  #placesOf(documents: readonly number[]): readonly number[] {
    return documents.flatMap(document => this.#places.get(document) ?? []);
  }
}

/** What an import leads to. */
interface ImportedPlaces {
  /** The file that it names, -1 where it names none that is read. */
  readonly file: number;
  /** It names a file that nobody reads. */
  readonly isUnread: boolean;
  /** All that it loads: that file, or all of a package. */
  readonly loads: readonly number[];
}

/** Whether what an import names is the file that it leads to, not something in it. */
export function isModule(name: string, path = ''): boolean {
  if (name === '*' || name === '') return true;
  return ['.py', '/__init__.py', '.rs', '/mod.rs'].some(end => `/${path}`.endsWith(`/${name}${end}`));
}

const nowhere: ImportedPlaces = { file: -1, isUnread: false, loads: [] };

/** Where symbols are defined: most in one document. */
class Sites {
  /** By symbol the place of one, and 1 more; 0 for none. */
  #first = new Int32Array(1024);
  readonly #others = new Map<number, readonly number[]>();

  each(symbol: number, take: (place: number) => void): void {
    const first = this.#first[symbol] ?? 0;
    if (first === 0) return;
    take(first - 1);
    for (const place of this.#others.get(symbol) ?? none) take(place);
  }

  isShared(symbol: number): boolean {
    return this.#others.has(symbol);
  }

  add(symbols: Uint32Array, place: number): void {
    const last = symbols.at(-1) ?? 0;
    if (last >= this.#first.length) {
      const grown = new Int32Array(last + (last >>> 1) + 1);
      grown.set(this.#first);
      this.#first = grown;
    }
    for (const symbol of symbols) {
      if (this.#first[symbol] === 0) this.#first[symbol] = place + 1;
      else this.#others.set(symbol, [...(this.#others.get(symbol) ?? none), place]);
    }
  }

  remove(symbols: Uint32Array, place: number): void {
    for (const symbol of symbols) {
      const others = this.#others.get(symbol) ?? none;
      const isFirst = this.#first[symbol] === place + 1;
      if (isFirst) this.#first[symbol] = others.length === 0 ? 0 : others[0]! + 1;
      const left = isFirst ? others.slice(1) : others.filter(one => one !== place);
      if (left.length === 0) this.#others.delete(symbol);
      else this.#others.set(symbol, left);
    }
  }
}

const none: readonly number[] = [];

/** What a language loads as one, of several files: a package of Go. '' for a file by itself. */
function unitOf({ language, scope }: GraphDocument): string {
  return language === 'go' ? scope : '';
}

/** What follows from one document alone. */
export interface DocumentPart {
  /** Uses in the order of their users, and where those of each user begin: first of code at the top, then by definition. */
  readonly usesByUser: Uint32Array;
  readonly userStarts: Uint32Array;
  /** Of each use its target. */
  readonly targets: Uint32Array;
  /** Of each use 1 where the document defines the target, 0 for what others define. */
  readonly own: Uint8Array;
  /** Definitions in the order of what they stand in, and where each one's begin. */
  readonly children: Uint32Array;
  readonly childStarts: Uint32Array;
  /** Definitions whose code runs as soon as the file is loaded: in no function, and in no type unless that runs what stands in it. */
  readonly loaded: ReadonlySet<number>;
  /** Definitions that stand for another file as a whole: index → import. */
  readonly wholeFiles: ReadonlyMap<number, number>;
  readonly exports: ReadonlyMap<string, readonly WiredExport[]>;
}

const parts = new WeakMap<WiredDocument, DocumentPart>();

function partOf(document: WiredDocument): DocumentPart {
  const known = parts.get(document);
  if (known !== undefined) return known;
  const { graph, exports, owners } = document;
  const { starts: userStarts } = grouped(graph.uses.users, graph.symbols.length);
  const members = owners === graph.containers ? byContainer(graph) : grouped(owners, graph.symbols.length);
  const { order: children, starts: childStarts } = members;
  const byName = new Map<string, WiredExport[]>();
  for (const one of exports) {
    const list = byName.get(one.name);
    if (list === undefined) byName.set(one.name, [one]);
    else list.push(one);
  }
  const made: DocumentPart = {
    ...{ usesByUser: graph.uses.byUser, userStarts, children, childStarts },
    ...targetsByUse(graph),
    loaded: new Set(Array.from(graph.symbols.keys()).filter(at => isLoaded(document, at))),
    wholeFiles: new Map(
      exports.flatMap(one => (one.definition >= 0 && one.import >= 0 ? [[one.definition, one.import]] : [])),
    ),
    exports: byName,
  };
  parts.set(document, made);
  return made;
}

function targetsByUse({ uses, symbols }: GraphDocument): Pick<DocumentPart, 'targets' | 'own'> {
  const targets = new Uint32Array(uses.users.length);
  const own = new Uint8Array(uses.users.length);
  for (let at = 0; at < uses.targets.length; at++) {
    targets.fill(uses.targets[at]!, uses.starts[at], uses.starts[at + 1]);
    if (indexOfSymbol(symbols, uses.targets[at]!) >= 0) own.fill(1, uses.starts[at], uses.starts[at + 1]);
  }
  return { targets, own };
}

function isLoaded({ graph, owners, tests }: WiredDocument, at: number): boolean {
  if (tests.has(at)) return false;
  // What is called on a type that another file declares has nothing here that it could be reached by.
  if (kindOfDefinition(graph, at) === 'method' && owners[at] === atTop) return true;
  for (let outer = at; outer >= 0; outer = owners[outer]!) {
    if (callable.has(kindOfDefinition(graph, outer))) return false;
    if (isType(graph, outer) && standsAlone(graph, outer) && !runsTypes.has(graph.language)) return false;
  }
  return true;
}

/** Languages in which what stands in a class runs where the class is declared. */
const runsTypes: ReadonlySet<string> = new Set(['typescript', 'javascript', 'python', 'ruby']);

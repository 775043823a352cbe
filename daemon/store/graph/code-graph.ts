import type { ScopeKey } from '../../model/document.ts';
import {
  type CodeGraph,
  type Declaration,
  type Declared,
  type GraphDocument,
  type GraphSite,
  type ImportedDocument,
  importOf,
  indexOfSymbol,
  isMade,
  isOfTests,
  kindOfDefinition,
  kindOfUse,
  makesNothing,
  traitsOf,
  useOf,
} from '../../model/graph.ts';
import { childrenOf, constructorsIn } from '../../model/graph-children.ts';
import { type ImportedSymbol, unpackImport } from '../../model/imported-symbol.ts';
import { keepNewest } from '../../model/keep-newest.ts';
import { compareSites } from '../../model/primary-site.ts';
import type { DocumentViews } from '../document-view.ts';
import { contextIn } from '../inputs.ts';
import { preciseDocumentsOf } from '../precise-table.ts';
import { otherContextConfidence } from '../reference-rows.ts';
import { firstDocument, lastDocument, type Prepare, pathOf } from '../rows.ts';
import { snapshotDigest } from '../snapshot-table.ts';
import { symbolNumber } from '../symbol-rows.ts';
import { firstBy, lastAtMost } from './ascending.ts';
import { declarationsNamed, declaredAt } from './declarations.ts';
import { differing } from './differing.ts';
import { graphDocument } from './document-graph.ts';
import { ImportedPlaces, placeHash } from './imported-places.ts';
import { PartialTexts } from './partial-texts.ts';
import { unreadFiles } from './snapshot-files.ts';

/** Graphs of one connection: of each repository the newest snapshot's, brought along from publication to publication. */
export interface CodeGraphs {
  at(repo: number, seq: number): CodeGraph;
}

const graphsKept = 4;

export function codeGraphs(views: DocumentViews, prepare: Prepare): CodeGraphs {
  const kept = new Map<number, KeptGraph>();
  return {
    at: (repo, seq) => {
      const known = kept.get(repo);
      if (known?.seq === seq) return known;
      // An older snapshot, whose publication a question overtook: what it visits is made once more.
      if (known !== undefined && seq < known.seq) return new KeptGraph(repo, seq, views, prepare);
      const next = known?.advanceTo(seq) === true ? known : new KeptGraph(repo, seq, views, prepare);
      keepNewest(kept, repo, next, graphsKept);
      return next;
    },
  };
}

class KeptGraph implements CodeGraph {
  seq: number;
  readonly #repo: number;
  readonly #views: DocumentViews;
  readonly #prepare: Prepare;
  readonly #documents = new Map<number, GraphDocument>();
  /** All of them by path, once somebody has asked; and paths of those that nobody reads. */
  #all: readonly GraphDocument[] | undefined;
  #unread: readonly string[] | undefined;
  /** By symbol: documents that may use it. More than do, never less. */
  readonly #using = new Map<number, readonly number[]>();
  readonly #contexts = new Map<string, string>();
  readonly #sites = new Map<number, readonly GraphSite[]>();
  readonly #paths = new Map<number, string>();
  readonly #places: ImportedPlaces;
  readonly #partial: PartialTexts;

  constructor(repo: number, seq: number, views: DocumentViews, prepare: Prepare) {
    this.#repo = repo;
    this.seq = seq;
    this.#views = views;
    this.#prepare = prepare;
    this.#places = new ImportedPlaces(repo, prepare);
    this.#partial = new PartialTexts(repo, views, prepare);
  }

  document(document: number): GraphDocument | undefined {
    const known = this.#documents.get(document);
    if (known !== undefined) return known;
    const view = this.#views.at(document, this.seq);
    if (view === undefined) return undefined;
    const made = graphDocument(view, this.#views.holding(this.#repo, this.seq));
    this.#documents.set(document, made);
    return made;
  }

  documents(): readonly GraphDocument[] {
    this.#all ??= this.#linkedDocuments()
      .flatMap(document => this.document(document) ?? [])
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    return this.#all;
  }

  unread(): readonly string[] {
    this.#unread ??= unreadFiles(this.#repo, this.seq, this.#prepare);
    return this.#unread;
  }

  eachUse(symbol: number, take: (user: GraphDocument, use: number) => void): void {
    for (const { of, at } of this.#usesOf(symbol)) take(of, at);
  }

  eachUseBy({ in: one, at }: GraphSite, take: (symbol: number, use: number) => void): void {
    const { byUser, starts, targets, users } = one.uses;
    for (let from = firstBy(one, at); from < byUser.length && users[byUser[from]!] === at; from++) {
      const use = byUser[from]!;
      const symbol = targets[lastAtMost(starts, use)]!;
      take(symbol, use);
      for (const also of this.#alsoUsed(symbol, one.uses.marks[use]!)) take(also, use);
    }
  }

  confidence({ context, language, uses }: GraphDocument, use: number): number {
    const { confidence, isPrecise } = useOf(uses.marks[use]!);
    return isPrecise && context !== this.#contextOf(language) ? otherContextConfidence : confidence;
  }

  sitesOf(symbol: number): readonly GraphSite[] {
    const known = this.#sites.get(symbol);
    if (known !== undefined) return known;
    const found = this.#hinted('definition', symbol).flatMap(document => {
      const one = this.document(document);
      const at = one === undefined ? -1 : indexOfSymbol(one.symbols, symbol);
      return one === undefined || at < 0 ? [] : [{ in: one, at }];
    });
    const sites = found.length < 2 ? found : shownFirst(found);
    this.#sites.set(symbol, sites);
    return sites;
  }

  documentsAt({ kind, symbol }: ImportedSymbol): readonly number[] {
    switch (kind) {
      case 'file':
        return this.#places.documentOf(symbol);
      case 'scope':
        return this.#inOrder(this.#places.documentsIn(symbol, this.seq));
      case 'definition':
        return [...new Set(this.sitesOf(symbol).map(site => site.in.document))];
      case 'external':
        return [];
    }
  }

  documentsIn(scope: ScopeKey): readonly number[] {
    return this.#inOrder(this.#places.documentsOf(scope, this.seq));
  }

  documentsUsing(symbol: number): readonly number[] {
    const known = this.#using.get(symbol);
    if (known !== undefined) return known;
    const precise = preciseDocumentsOf(symbol, this.#repo, this.#prepare);
    const found = this.#inOrder(new Set([...this.#hinted('post', symbol), ...precise]));
    this.#using.set(symbol, found);
    return found;
  }

  eachImport(of: ImportedDocument, take: (importer: GraphDocument, at: number) => void): void {
    const named = new Set([of.path, of.scope].flatMap(scope => symbolNumber(placeHash(scope), this.#prepare) ?? []));
    const inOrder = (): readonly number[] => [...of.symbols.keys()].sort((a, b) => of.slots[a]! - of.slots[b]!);
    const defined = importsDefinitions.has(of.language) ? inOrder().map(at => of.symbols[at]!) : [];
    for (const symbol of [...named, ...defined]) {
      for (const document of this.documentsUsing(symbol)) {
        const importer = this.document(document);
        const count = importer?.imports.targets.length ?? 0;
        for (let at = 0; at < count; at++) if (importOf(importer!, at).to?.symbol === symbol) take(importer!, at);
      }
    }
  }

  partlyReadNaming(names: readonly string[], language: string): number {
    return this.#partial.naming(names, language, this.seq);
  }

  numberOf(hash: string): number | undefined {
    return symbolNumber(hash, this.#prepare);
  }

  declaredAt({ in: { document, slots }, at }: GraphSite): Declared {
    return declaredAt(this.#views.at(document, this.seq)!, slots[at]!);
  }

  declarationsNamed(name: number, language: string): readonly Declaration[] {
    return declarationsNamed({ name, language, repo: this.#repo, seq: this.seq }, this.#views, this.#prepare);
  }

  /** Brings the graph to a later snapshot, at the cost of what changed; false where that is not known any more. */
  advanceTo(seq: number): boolean {
    if (snapshotDigest(this.#repo, this.seq, this.#prepare) === undefined) return false;
    const changed = this.#prepare<[number, number, number], { document: number }>(
      'SELECT DISTINCT document FROM changed WHERE repo = ? AND seq > ? AND seq <= ?',
    ).all(this.#repo, this.seq, seq);
    const before = changed.map(({ document }) => this.#documents.get(document));
    // Of what nobody has asked about as well: others that are here may use it.
    const defined = changed.map(
      ({ document }, at) => before[at]?.symbols ?? this.#views.at(document, this.seq)?.links.symbols(),
    );
    this.seq = seq;
    this.#contexts.clear();
    for (const { document } of changed) this.#documents.delete(document);
    this.#places.advanceTo(seq, changed);
    this.#partial.advanceTo(seq, changed);
    const moved = new Set<number>();
    changed.forEach(({ document }, at) => {
      const now = this.document(document);
      for (const symbol of now?.uses.targets ?? []) this.#using.delete(symbol);
      for (const symbol of importedBy(now)) {
        this.#using.delete(symbol);
        this.#places.forget(symbol);
      }
      for (const symbol of differing(defined[at], now?.symbols)) moved.add(symbol);
      for (const symbol of [...(defined[at] ?? []), ...(now?.symbols ?? [])]) this.#sites.delete(symbol);
    });
    // What an indexer says of a symbol counts while the snapshot has it.
    for (const symbol of moved) {
      for (const document of preciseDocumentsOf(symbol, this.#repo, this.#prepare)) this.#forget(document);
    }
    this.#listAgain(
      changed.map(({ document }) => document),
      before,
    );
    return true;
  }

  /** A document, with the sites that are places in it. */
  #forget(document: number): void {
    for (const symbol of this.#documents.get(document)?.symbols ?? []) this.#sites.delete(symbol);
    this.#documents.delete(document);
  }

  /** What is listed stays listed, but for documents that came or went. */
  #listAgain(changed: readonly number[], before: readonly (GraphDocument | undefined)[]): void {
    const isNew = changed.some((document, at) => before[at]?.path !== this.document(document)?.path);
    this.#all = isNew ? undefined : this.#all?.flatMap(({ document }) => this.document(document) ?? []);
    if (changed.some(document => this.document(document) === undefined) || isNew) this.#unread = undefined;
  }

  /** By path: numbers hang on which file was read first. */
  #inOrder(documents: Iterable<number>): readonly number[] {
    const told = Array.from(documents, document => ({ document, path: this.#pathOf(document) }));
    return told.sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ document }) => document);
  }

  #pathOf(document: number): string {
    const known = this.#paths.get(document) ?? pathOf(document, this.#prepare);
    this.#paths.set(document, known);
    return known;
  }

  #contextOf(language: string): string {
    const known = this.#contexts.get(language) ?? contextIn(this.#views.inputs(this.#repo, this.seq), language);
    this.#contexts.set(language, known);
    return known;
  }

  #linkedDocuments(): readonly number[] {
    return this.#prepare<[number, number, number, number], { document: number }>(
      'SELECT document FROM link WHERE document BETWEEN ? AND ? AND from_seq <= ? AND to_seq > ?',
    )
      .all(firstDocument(this.#repo), lastDocument(this.#repo), this.seq, this.seq)
      .map(({ document }) => document);
  }

  #hinted(table: 'definition' | 'post', symbol: number): readonly number[] {
    return this.#prepare<[number, number, number], { document: number }>(
      `SELECT document FROM ${table} WHERE key = ? AND document BETWEEN ? AND ?`,
    )
      .all(symbol, firstDocument(this.#repo), lastDocument(this.#repo))
      .map(({ document }) => document);
  }

  /** With what stands for its uses: a class is made through its constructors, and the only one by what names the class. */
  #usesOf(symbol: number): readonly FoundUse[] {
    const own = this.#ownUses(symbol);
    const also = ({ of, at }: FoundUse, by: Stands): boolean => standsFor(of.uses.marks[at]!, by);
    return [
      ...own,
      ...this.#madeBy(symbol).flatMap(made => this.#ownUses(made).filter(use => also(use, 'class'))),
      ...this.#makersOf(symbol).flatMap(maker => this.#ownUses(maker).filter(use => also(use, 'constructor'))),
    ];
  }

  /** The other way round: what a use of one symbol is a use of besides. */
  #alsoUsed(symbol: number, mark: number): readonly number[] {
    return [
      ...(standsFor(mark, 'class') ? this.#onlyMakerOf(symbol) : []),
      ...(standsFor(mark, 'constructor') ? this.#classesOf(symbol) : []),
    ];
  }

  /** The class of which a symbol is the only constructor. */
  #madeBy(symbol: number): readonly number[] {
    const made = this.sitesOf(symbol).flatMap(site => onlyMaker(site) ?? []);
    return made.slice(0, 1).map(({ in: one, at }) => one.symbols[at]!);
  }

  /** The constructors of a class. */
  #makersOf(symbol: number): readonly number[] {
    const [site] = this.sitesOf(symbol);
    return site === undefined ? [] : Array.from(constructorsIn(site), at => site.in.symbols[at]!);
  }

  #onlyMakerOf(symbol: number): readonly number[] {
    const makers = this.sitesOf(symbol).flatMap(({ in: one, at }) =>
      Array.from(isMade(one, at) ? childrenOf(one, at) : [], child => one.symbols[child]!),
    );
    return [...new Set(makers)].filter(maker => this.#madeBy(maker)[0] === symbol);
  }

  #classesOf(symbol: number): readonly number[] {
    const classes = this.sitesOf(symbol).flatMap(({ in: one, at }) => {
      const container = one.containers[at]!;
      return container >= 0 && kindOfDefinition(one, at) === 'constructor' ? [one.symbols[container]!] : [];
    });
    return [...new Set(classes)].filter(made => this.#makersOf(made).includes(symbol));
  }

  #ownUses(symbol: number): readonly FoundUse[] {
    const found: FoundUse[] = [];
    for (const document of this.documentsUsing(symbol)) {
      const of = this.document(document);
      const target = of === undefined ? -1 : indexOfSymbol(of.uses.targets, symbol);
      if (of === undefined || target < 0) continue;
      for (let at = of.uses.starts[target]!; at < of.uses.starts[target + 1]!; at++) found.push({ of, at });
    }
    return found;
  }
}

/** What a use names: a class, or one of its constructors. */
type Stands = 'class' | 'constructor';

/**
 * Whether a use of one stands for the other as well: a call of the constructor makes a value of the class; one of the class
 * runs its only constructor, unless an indexer that tells them apart says the class.
 */
function standsFor(mark: number, by: Stands): boolean {
  if (kindOfUse(mark) !== 'call') return false;
  return by === 'class' ? !useOf(mark).isPrecise : (mark & makesNothing) === 0;
}

function importedBy(one: GraphDocument | undefined): readonly number[] {
  const targets = [...(one?.imports.targets ?? [])];
  return targets.flatMap(target => unpackImport(target)?.symbol ?? []);
}

/** Languages whose imports name types and functions, not files. */
const importsDefinitions: ReadonlySet<string> = new Set(['java', 'kotlin', 'csharp', 'php']);

/**
 * The class that a constructor makes, where it is its only one; of a constructor with a name of its own (Dart), and where
 * one is written that is no definition (Kotlin's beside the class's name), none.
 */
function onlyMaker({ in: one, at }: GraphSite): GraphSite | undefined {
  const container = one.containers[at]!;
  if (
    kindOfDefinition(one, at) !== 'constructor' ||
    container < 0 ||
    !isMade(one, container) ||
    one.language === 'kotlin'
  )
    return undefined;
  if (one.language === 'dart' && one.names[container] !== one.names[at]) return undefined;
  const made = { in: one, at: container };
  return constructorsIn(made).length > 1 ? undefined : made;
}

interface FoundUse {
  readonly of: GraphDocument;
  readonly at: number;
}

function shownFirst(sites: readonly GraphSite[]): readonly GraphSite[] {
  return sites
    .map(site => ({ ...site, path: site.in.path, isTest: isOfTests(site), hasBody: traitsOf(site).hasBody }))
    .sort(compareSites)
    .map(site => ({ in: site.in, at: site.at }));
}

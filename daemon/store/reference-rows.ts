import type { Range, ReferenceKind } from '../model/facts.ts';
import { marksTests } from '../model/families.ts';
import { type Listed, listedWith } from './constructors.ts';
import type { DocumentView, DocumentViews } from './document-view.ts';
import { type Holds, isFallenBack, occurrencesIn, preciseMark, referenceAt } from './effective-links.ts';
import { contextIn } from './inputs.ts';
import { preciseDocumentsOf } from './precise-table.ts';
import { documentsPerRepo, firstDocument, lastDocument, type Prepare } from './rows.ts';
import { fitting, type Settled, type SymbolInRepo, settleCandidates } from './settle-candidates.ts';
import type { DefinitionSite } from './symbol-rows.ts';

/** One place where a symbol occurs. Positions 0-based. */
export interface ReferenceRow {
  readonly path: string;
  readonly range: Range;
  readonly kind: ReferenceKind | 'definition';
  /** The source line as the snapshot has it, untrimmed. */
  readonly line: string;
  readonly isTest: boolean;
  readonly enclosing: { readonly hash: string; readonly name: string } | undefined;
  readonly confidence: number;
  /** Who says so. */
  readonly by: 'syntax' | 'indexer' | 'server';
  /** An indexer said so when other files, or the configuration, were not what they are: see `Inputs`. */
  readonly isContextChanged: boolean;
}

export interface ReferenceQuery {
  readonly includeTests: boolean;
  readonly includeDefinition: boolean;
  /**
   * `prefer-first`: where an indexer saw a document and has a name for the symbol, what it lists and nothing else but what
   * syntax says where the indexer's word is void.
   */
  readonly merge: Merge;
  readonly offset: number;
  readonly limit: number;
}

export type Merge = 'prefer-first' | 'union';

export interface ReferencePage {
  readonly rows: readonly ReferenceRow[];
  readonly total: number;
  /**
   * Occurrences of the symbol's name in its family of languages that nothing settles, whether the page's list has them
   * (by the name alone, with confidence 0.5) or not; those that can't mean a definition of its kind are left out. Of a
   * name that is left unsettled in very many documents: all of them, as the newest snapshot has them. Of a constructor, one
   * of several, also the calls of its class that may mean it.
   */
  readonly unresolvedCandidates: number;
  /** Occurrences that are settled, by syntax mostly, and give way to an indexer's list; `union` has them. */
  readonly syntaxOnly: number;
}

/** How sure an occurrence is that only its name ties to the one definition that bears it. */
export const nameConfidence = 0.5;
/** How sure an occurrence is that an indexer saw among other files than there are now. */
export const otherContextConfidence = 0.9;

/**
 * The occurrences of a symbol, by path and position, those that only its name ties to it after all others. Only the
 * documents on the page have their facts and text read; of a constructor, whose uses are the calls of its class, all
 * those that mention the class.
 */
export function referencePage(
  of: SymbolInRepo,
  query: ReferenceQuery,
  views: DocumentViews,
  prepare: Prepare,
): ReferencePage {
  const listed = listedWith(of, views, prepare);
  return pageOf(of, listed, documentsNaming(listed, documentsPerRepo, prepare)!, query, views, prepare);
}

/** The same where the symbol occurs in at most so many documents; undefined else, which takes little to learn. */
export function shortPage(
  of: SymbolInRepo,
  mostDocuments: number,
  query: ReferenceQuery,
  views: DocumentViews,
  prepare: Prepare,
): ReferencePage | undefined {
  const listed = listedWith(of, views, prepare);
  const naming = documentsNaming(listed, mostDocuments, prepare);
  return naming === undefined ? undefined : pageOf(of, listed, naming, query, views, prepare);
}

function pageOf(
  of: SymbolInRepo,
  listed: readonly Listed[],
  naming: ReadonlySet<number>,
  query: ReferenceQuery,
  views: DocumentViews,
  prepare: Prepare,
): ReferencePage {
  const sources = listed.map(source => ({
    ...source,
    ...(source.as === 'what makes it' ? nothingOpen : settleCandidates(source, source.as !== 'itself', views, prepare)),
  }));
  const { documents, syntaxOnly, untold } = occurringIn(of, sources, naming, query, views);
  let total = 0;
  const rows: ReferenceRow[] = [];
  for (const document of documents) {
    const start = query.offset - total;
    total += document.count;
    if (document.count <= start || rows.length >= query.limit) continue;
    rows.push(...rowsOf(document).slice(Math.max(start, 0), Math.max(start, 0) + query.limit - rows.length));
  }
  return { rows, total, unresolvedCandidates: unresolvedOf(sources) + untold, syntaxOnly };
}

/** A constructor may bear its class's name (Java): what nothing settles of that is left of both, and counted once. */
function unresolvedOf(sources: readonly (Listed & { readonly unresolved: number })[]): number {
  const byName = new Map<number, number>();
  for (const { sites, unresolved } of sources) {
    const [site] = sites;
    const name = site === undefined ? -1 : site.view.links.nameAt(site.index);
    byName.set(name, Math.max(byName.get(name) ?? 0, unresolved));
  }
  return [...byName.values()].reduce((sum, unresolved) => sum + unresolved, 0);
}

/** Documents in which one of some symbols may occur; undefined where there are more than `most`. */
function documentsNaming(
  listed: readonly SymbolInRepo[],
  most: number,
  prepare: Prepare,
): ReadonlySet<number> | undefined {
  const documents = new Set<number>();
  // Of a bound that is bound SQLite makes the statement anew each time.
  const posts = prepare<[number, number, number], number>(
    `SELECT document FROM post WHERE key = ? AND document BETWEEN ? AND ? LIMIT ${most + 1}`,
  ).pluck();
  for (const { symbol, repo } of listed) {
    const posted = posts.all(symbol, firstDocument(repo), lastDocument(repo));
    if (posted.length > most) return undefined;
    for (const document of posted) documents.add(document);
    for (const document of preciseDocumentsOf(symbol, repo, prepare)) documents.add(document);
  }
  return documents.size > most ? undefined : documents;
}

/** A symbol whose occurrences are listed, with what only the name ties to it. */
interface Source extends Listed {
  readonly settled: Settled | undefined;
}

/** What one document has of the list: what is settled, or what only the name ties to the symbol. */
interface Occurring {
  readonly view: DocumentView;
  readonly isContextChanged: () => boolean;
  /** Packed: reference index * 128 + confidence in hundredths. */
  readonly linked: readonly number[];
  readonly named: readonly number[];
  readonly slots: readonly number[];
  readonly count: number;
}

function occurringIn(
  { repo, seq, sites }: SymbolInRepo,
  sources: readonly Source[],
  naming: ReadonlySet<number>,
  query: ReferenceQuery,
  views: DocumentViews,
): { readonly documents: readonly Occurring[]; readonly syntaxOnly: number; readonly untold: number } {
  const documents = new Set(naming);
  for (const { settled } of sources) for (const document of settled?.documents ?? []) documents.add(document);
  const definitions = query.includeDefinition ? new Map(sites.map(site => [site.view.document, site])) : new Map();
  for (const document of definitions.keys()) documents.add(document);
  const found: Occurring[] = [];
  const guessed: Occurring[] = [];
  const holds = views.holding(repo, seq);
  const makers = sources.filter(source => source.as === 'what makes it');
  const told = sources.filter(source => source.as !== 'what makes it');
  const occurring = [...documents].flatMap(document => {
    const view = views.at(document, seq);
    if (view === undefined) return [];
    const linkedTo = (some: readonly Source[]): readonly number[] => some.flatMap(one => linkedIn(view, one, holds));
    return { document, view, all: linkedTo(told), made: linkedTo(makers) };
  });
  // What is said of contents that the snapshot has not must not decide.
  const isNamed = sites.some(isNamedByIndexer) || occurring.some(({ all }) => all.some(isPrecise));
  const givesWay = query.merge === 'prefer-first' && isNamed;
  let syntaxOnly = 0;
  let untold = 0;
  for (const { document, view, all: everywhere, made: making } of occurring) {
    if (view.isTest && !query.includeTests) continue;
    const isWanted = wantedIn(view, query);
    const all = everywhere.filter(packed => isWanted(packed >>> 7));
    const made = making.filter(packed => isWanted(packed >>> 7));
    const isContextChanged = (): boolean => view.context() !== contextIn(views.inputs(repo, seq), view.language);
    const isSeen = givesWay && view.precise !== undefined;
    const isListed = (packed: number): boolean => isPrecise(packed) || isFallenBack(view, packed >>> 7);
    // Where an indexer names both, it lists what makes a value of a class under the constructor alone.
    const linked = isSeen ? all.filter(isListed) : [...all, ...made];
    if (!isSeen) for (const source of told) untold += untoldIn(view, source, holds);
    syntaxOnly += all.length + made.length - linked.length;
    const named = sources.flatMap(({ settled }) =>
      settled === undefined || isSeen ? [] : fitting(view, settled, holds).filter(isWanted),
    );
    const site: DefinitionSite | undefined = definitions.get(document);
    const slots = site === undefined ? [] : view.links.slotsOf(site.index);
    if (linked.length + slots.length > 0) {
      found.push({ view, isContextChanged, linked, named: [], slots, count: linked.length + slots.length });
    }
    if (named.length > 0) guessed.push({ view, isContextChanged, linked: [], named, slots: [], count: named.length });
  }
  return { documents: [...found.sort(byPath), ...guessed.sort(byPath)], syntaxOnly, untold };
}

/** Which references of a document that is no test as a whole are asked for, by their indexes. */
function wantedIn(view: DocumentView, { includeTests }: ReferenceQuery): (reference: number) => boolean {
  if (includeTests || !marksTests.has(view.language)) return () => true;
  return reference => !view.isOfTests(referenceAt(view, view.facts, reference).line);
}

function isPrecise(packed: number): boolean {
  return (packed & 127) === preciseMark;
}

/** Whether an indexer that saw the site has a name for what stands there; what it lists elsewhere shows that as well. */
function isNamedByIndexer({ view, index }: DefinitionSite): boolean {
  const { links, precise } = view;
  return precise !== undefined && links.slotsOf(index).some(slot => precise.names(slot));
}

function byPath(a: Occurring, b: Occurring): number {
  return a.view.path < b.view.path ? -1 : 1;
}

const nothingOpen = { settled: undefined, unresolved: 0 } as const;

function linkedIn(view: DocumentView, source: Source, holds: Holds): readonly number[] {
  const occurrences = occurrencesIn(view, source.symbol, holds);
  switch (source.as) {
    case 'itself':
      return occurrences;
    case 'what it makes':
      return source.mayTake === undefined ? callsAmong(view, occurrences) : [];
    case 'what makes it':
      return occurrences.filter(packed => namesItsClass(view, packed >>> 7));
  }
}

/** Those that an indexer names are not among them: it tells a constructor from its class by itself. */
function callsAmong(view: DocumentView, occurrences: readonly number[]): readonly number[] {
  return occurrences.filter(packed => !isPrecise(packed) && view.facts().reference(packed >>> 7).kind === 'call');
}

/** Calls of a class that may be a constructor's, one of several. */
function untoldIn(view: DocumentView, { symbol, mayTake }: Source, holds: Holds): number {
  if (mayTake === undefined) return 0;
  return callsAmong(view, occurrencesIn(view, symbol, holds)).filter(packed => mayTake(view, packed)).length;
}

/** Whether it is a call of a constructor that does: `super(1)` and `this(1)` don't, which indexers list without a name. */
function namesItsClass({ precise, facts }: DocumentView, index: number): boolean {
  if (precise !== undefined && index >= precise.referenceCount) return false;
  const { kind, name } = facts().reference(index);
  return kind === 'call' && !/^(?:this|super|base)$/.test(name);
}

function rowsOf({ view, isContextChanged, linked, named, slots }: Occurring): ReferenceRow[] {
  view.readWhole();
  const rows: ReferenceRow[] = [];
  const around = new Map<number, ReferenceRow['enclosing']>();
  const enclosing = (slot: number): ReferenceRow['enclosing'] => {
    if (!around.has(slot)) around.set(slot, enclosingOf(view, slot));
    return around.get(slot);
  };
  for (const packed of linked) {
    const isChanged = isPrecise(packed) && isContextChanged();
    rows.push(occurrenceRow(view, packed >>> 7, packed & 127, isChanged, enclosing));
  }
  for (const reference of named) rows.push(occurrenceRow(view, reference, nameConfidence * 100, false, enclosing));
  for (const slot of slots) rows.push(definitionRow(view, slot));
  return rows.sort((a, b) => a.range.startLine - b.range.startLine || a.range.startColumn - b.range.startColumn);
}

/** `hundredths`: its confidence, or `preciseMark`. */
function occurrenceRow(
  view: DocumentView,
  index: number,
  hundredths: number,
  isContextChanged: boolean,
  enclosing: (slot: number) => ReferenceRow['enclosing'],
): ReferenceRow {
  const reference = referenceAt(view, view.facts, index);
  const isPrecise = hundredths === preciseMark;
  return {
    path: view.path,
    range: {
      startLine: reference.line,
      startColumn: reference.column,
      endLine: reference.endLine,
      endColumn: reference.endColumn,
    },
    kind: reference.kind,
    line: view.line(reference.line),
    isTest: view.isOfTests(reference.line),
    enclosing: enclosing(reference.enclosing),
    confidence: isPrecise ? (isContextChanged ? otherContextConfidence : 1) : hundredths / 100,
    by: isPrecise ? 'indexer' : 'syntax',
    isContextChanged,
  };
}

function definitionRow(view: DocumentView, slot: number): ReferenceRow {
  const definition = view.facts().definition(slot);
  return {
    path: view.path,
    range: definition.nameRange,
    kind: 'definition',
    line: view.line(definition.nameRange.startLine),
    isTest: view.isOfTests(definition.nameRange.startLine),
    enclosing: enclosingOf(view, definition.container),
    confidence: 1,
    by: 'syntax',
    isContextChanged: false,
  };
}

export function enclosingOf(view: DocumentView, slot: number): ReferenceRow['enclosing'] {
  return slot < 0 ? undefined : { hash: view.hashOf(slot), name: view.facts().definitionName(slot) };
}

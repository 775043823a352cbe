import type { DefinitionFact, Range } from '../model/facts.ts';
import type { FactsView } from '../model/facts-codec.ts';
import { givenContainers, lastDescriptorAt, namesOfTypes } from '../model/identity.ts';
import type { RepoPath } from '../model/paths.ts';
import { compareSites, type SiteTraits } from '../model/primary-site.ts';
import type { SymbolKind, Visibility } from '../model/symbol.ts';
import type { DocumentView, DocumentViews } from './document-view.ts';
import { type Holds, occurrencesIn, referenceAt, targetsIn } from './effective-links.ts';
import { firstDocument, lastDocument, type Prepare } from './rows.ts';
import { StoreError } from './store-faults.ts';

/** A symbol as a snapshot has it, at its primary site. Positions 0-based. */
export interface SymbolRow {
  /** 32 hex digits. */
  readonly hash: string;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly path: string;
  readonly nameRange: Range;
  readonly signature: string;
  readonly documentation: string;
  readonly visibility: Visibility;
  /** Names of the enclosing definitions, outermost first. */
  readonly containers: readonly string[];
  /** The file's package clause, '' where it has none. */
  readonly packageName: string;
  readonly language: string;
  readonly exported: boolean;
  readonly isTest: boolean;
}

/** Where a symbol stands, and no more. */
export type EnclosedRow = Pick<SymbolRow, 'path' | 'containers' | 'packageName'>;

/** Where a symbol is defined at a sequence. */
export interface DefinitionSite {
  readonly view: DocumentView;
  /** Index among the document's definitions. */
  readonly index: number;
}

/** Row number of a symbol in this file; undefined where the file has never heard of it. */
export function symbolNumber(hash: string, prepare: Prepare): number | undefined {
  return prepare<[Buffer], { id: number }>('SELECT id FROM symbol WHERE hash = ?').get(Buffer.from(hash, 'hex'))?.id;
}

/** Documents that define a symbol, the one to show first in front. */
export function definitionSites(
  symbol: number,
  repo: number,
  seq: number,
  views: DocumentViews,
  prepare: Prepare,
): DefinitionSite[] {
  const rows = prepare<[number, number, number], { document: number }>(
    'SELECT document FROM definition WHERE key = ? AND document BETWEEN ? AND ?',
  ).all(symbol, firstDocument(repo), lastDocument(repo));
  const sites: (DefinitionSite & SiteTraits)[] = [];
  for (const { document } of rows) {
    const view = views.at(document, seq);
    const index = view?.links.indexOfSymbol(symbol) ?? -1;
    if (view === undefined || index < 0) continue;
    const hasBody = rows.length > 1 && view.facts().definition(view.links.primarySlotAt(index)).hasBody;
    sites.push({ view, index, path: view.path, isTest: view.isTest, hasBody });
  }
  return sites.sort((a, b) => compareSites(a, b));
}

/** Paths of the documents that some version of the index has as defining one of the symbols, by hash. */
export function definingPaths(repo: number, hashes: Iterable<string>, prepare: Prepare): RepoPath[] {
  const find = prepare<[Buffer, number, number], { path: string }>(
    `SELECT path FROM symbol JOIN definition ON definition.key = symbol.id JOIN document ON document.id = definition.document
     WHERE symbol.hash = ? AND definition.document BETWEEN ? AND ?`,
  );
  const paths = new Set<RepoPath>();
  for (const hash of hashes) {
    const rows = find.iterate(Buffer.from(hash, 'hex'), firstDocument(repo), lastDocument(repo));
    for (const { path } of rows) paths.add(path as RepoPath);
  }
  return [...paths];
}

/** Paths of the documents that some version of the index has as defining something of a name; undefined where it is more than `most`. */
export function bearingPaths(repo: number, name: string, most: number, prepare: Prepare): RepoPath[] | undefined {
  const rows = prepare<[string, number, number, number], { path: string }>(
    `SELECT path FROM name JOIN bearer ON bearer.key = name.id JOIN document ON document.id = bearer.document
     WHERE name.text = ? AND bearer.document BETWEEN ? AND ? LIMIT ?`,
  ).all(name, firstDocument(repo), lastDocument(repo), most + 1);
  return rows.length > most ? undefined : rows.map(({ path }) => path as RepoPath);
}

/** The row of a definition. `expectedHash`: what it was looked up by; another one means that the tables are damaged. */
export function symbolRow({ view, index }: DefinitionSite, expectedHash?: string): SymbolRow {
  return rowOfSlot(view, view.links.primarySlotAt(index), expectedHash);
}

/** Throws `StoreError` where a site is of another symbol than of that hash. */
export function checkSite({ view, index }: DefinitionSite, hash: string): void {
  checkedHash(view, view.links.primarySlotAt(index), hash);
}

/** What a row is made of: a `DocumentView` has it, and so has a catalogue's document with its facts at hand. */
export type RowSource = Pick<DocumentView, 'document' | 'path' | 'language' | 'isTest' | 'facts' | 'hashOf'>;

export function rowOfSlot(view: RowSource, slot: number, expectedHash?: string): SymbolRow {
  const facts = view.facts();
  const definition = facts.definition(slot);
  return {
    hash: checkedHash(view, slot, expectedHash),
    name: definition.name,
    kind: definition.kind,
    path: view.path,
    nameRange: definition.nameRange,
    signature: definition.signature,
    documentation: definition.documentation,
    visibility: definition.visibility,
    containers: containersOf(facts, slot, definition),
    packageName: facts.packageName,
    language: view.language,
    exported: definition.exported,
    isTest: view.isTest,
  };
}

/** The hash of a slot's definition. Throws `StoreError` where another was expected. */
function checkedHash(view: Pick<RowSource, 'document' | 'hashOf'>, slot: number, expected: string | undefined): string {
  const hash = view.hashOf(slot);
  if (expected === undefined || expected === hash) return hash;
  throw new StoreError('corrupt', `document ${view.document} does not define what it is listed for`);
}

/** Of a row what tells where it stands: a tenth of what the whole takes. */
export function enclosedAt(path: string, facts: FactsView, slot: number): EnclosedRow {
  const definition = { container: facts.definitionContainer(slot), tail: facts.definitionTail(slot) };
  return { path, containers: containersOf(facts, slot, definition), packageName: facts.packageName };
}

/**
 * Names of what encloses a definition, outermost first. Where it stands outside of what it belongs to (a method in an
 * `impl` block, behind a receiver, as `void S::f() {}`), its tail names the type.
 */
function containersOf(
  facts: FactsView,
  slot: number,
  of: Pick<DefinitionFact, 'container' | 'tail'>,
): readonly string[] {
  const given = givenContainers(of.tail);
  if (given !== undefined) return given;
  const names: string[] = [];
  for (let at = slot, { container, tail } = of; ; ) {
    // Enclosing definitions start before what they enclose; anything else would be a cycle.
    if (container >= at) container = -1;
    const outer = container < 0 ? '' : facts.definitionTail(container);
    names.unshift(...namesOfTypes(tail.slice(outer.length, lastDescriptorAt(tail))));
    if (container < 0) return names;
    names.unshift(facts.definitionName(container));
    at = container;
    tail = outer;
    container = facts.definitionContainer(at);
  }
}

/** Documents that define something of a name (an older version may: look into the view). */
export function bearersOf(name: number, repo: number, prepare: Prepare): readonly number[] {
  return prepare<[number, number, number], { document: number }>(
    'SELECT document FROM bearer WHERE key = ? AND document BETWEEN ? AND ?',
  )
    .all(name, firstDocument(repo), lastDocument(repo))
    .map(row => row.document);
}

/** Symbols that a type, by all of its sites, is said to extend or implement. */
export function basesOf(sites: readonly DefinitionSite[], holds: Holds): readonly number[] {
  const bases = new Set<number>();
  for (const { view, index } of sites) {
    const slots = new Set(view.links.slotsOf(index));
    for (const symbol of targetsIn(view)) {
      const isBase = occurrencesIn(view, symbol, holds).some(packed => {
        const { kind, enclosing } = referenceAt(view, view.facts, packed >>> 7);
        return kind === 'implementation' && slots.has(enclosing);
      });
      if (isBase) bases.add(symbol);
    }
  }
  return [...bases];
}

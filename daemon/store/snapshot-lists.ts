import type { ReferenceKind } from '../model/facts.ts';
import type { DocumentView, DocumentViews } from './document-view.ts';
import { occurrencesIn, referenceAt, targetsIn } from './effective-links.ts';
import { entryAt } from './entry-table.ts';
import { preciseDocumentsOf } from './precise-table.ts';
import { firstDocument, lastDocument, type Prepare } from './rows.ts';
import { snapshotDigest } from './snapshot-table.ts';
import { StoreError } from './store-faults.ts';
import { type DefinitionSite, definitionSites, type SymbolRow, symbolNumber, symbolRow } from './symbol-rows.ts';

/** A reference that is known to point somewhere. Places 0-based. */
export interface SettledReference {
  readonly line: number;
  readonly column: number;
  readonly kind: ReferenceKind;
  /** Hash of the symbol that it points at, 32 hex digits. */
  readonly target: string;
  /** The target is somebody else's. */
  readonly isExternal: boolean;
  /** Hash of the innermost definition around; undefined at the top of the file. */
  readonly enclosing: string | undefined;
}

/** A document's rows of one snapshot, by its number in the file. */
export interface SnapshotLists {
  /** The settled references of a document, in no order; none where the snapshot has none of it. */
  references(document: number): readonly SettledReference[];
  /** Those of them that are calls: of a document without any nothing but its links is read. */
  calls(document: number): readonly SettledReference[];
  /** Documents in which a symbol of a hash may be used: look into their references. */
  using(hash: string): ReadonlySet<number>;
  /** Documents that a symbol of a hash is defined in. */
  defining(hash: string): readonly number[];
  /** Hashes of what a document defines. */
  definedIn(document: number): readonly string[];
  /** The symbol of a hash, at the place to show first: by the primary site's rules, or by others. */
  symbol(hash: string, compare?: CompareSites): SymbolRow | undefined;
  /** sha256 of a document's bytes, hex. */
  contentHash(document: number): string;
  /**
   * Documents whose rows may be others than at an earlier sequence, ascending; undefined where that is no longer known.
   */
  changedSince(seq: number): readonly number[] | undefined;
}

export type CompareSites = (one: ListedSite, other: ListedSite) => number;

export interface ListedSite {
  readonly document: number;
  readonly hasBody: boolean;
}

interface Lists {
  readonly repo: number;
  readonly seq: number;
  readonly views: DocumentViews;
  readonly prepare: Prepare;
}

export function snapshotLists(lists: Lists): SnapshotLists {
  const { repo, seq, views, prepare } = lists;
  const numberOf = (hash: string): number | undefined => symbolNumber(hash, prepare);
  const sitesOf = (hash: string) => {
    const symbol = numberOf(hash);
    return symbol === undefined ? [] : definitionSites(symbol, repo, seq, views, prepare);
  };
  return {
    references: document => {
      const view = views.at(document, seq);
      return view === undefined ? [] : settledIn(view, () => true, lists);
    },
    calls: document => {
      const view = views.at(document, seq);
      if (view === undefined) return [];
      const { links, precise, facts } = view;
      if (precise !== undefined) {
        return settledIn(view, index => referenceAt(view, facts, index).kind === 'call', lists);
      }
      return links.hasCalls ? settledIn(view, index => links.isCall(index), lists) : [];
    },
    using: hash => {
      const symbol = numberOf(hash);
      return symbol === undefined ? new Set() : documentsUsing(symbol, lists);
    },
    defining: hash => sitesOf(hash).map(({ view }) => view.document),
    definedIn: document => {
      const view = views.at(document, seq);
      if (view === undefined) return [];
      const { links } = view;
      return Array.from({ length: links.definitionCount }, (_, index) => view.hashOf(links.primarySlotAt(index)));
    },
    symbol: (hash, compare) => {
      const [first, ...others] = sitesOf(hash);
      if (first === undefined) return undefined;
      const best =
        compare === undefined
          ? first
          : others.reduce((one, other) => (compare(listedSite(other), listedSite(one)) < 0 ? other : one), first);
      return symbolRow(best, hash);
    },
    contentHash: document => {
      const entry = entryAt(document, seq, prepare);
      if (entry === undefined) throw new StoreError('corrupt', `document ${document} has no entry`);
      return entry.hash.toString('hex');
    },
    changedSince: before => changedSince(before, lists),
  };
}

function listedSite({ view, index }: DefinitionSite): ListedSite {
  return { document: view.document, hasBody: view.facts().definition(view.links.primarySlotAt(index)).hasBody };
}

function settledIn(
  view: DocumentView,
  isWanted: (reference: number) => boolean,
  { repo, seq, views, prepare }: Lists,
): readonly SettledReference[] {
  const holds = views.holding(repo, seq);
  const hashOf = prepare<[number], { hash: Buffer; external: number }>(
    'SELECT hash, EXISTS (SELECT 1 FROM external WHERE external.symbol = symbol.id) AS external FROM symbol WHERE id = ?',
  );
  const enclosing = hashesOfSlots(view);
  const found: SettledReference[] = [];
  for (const symbol of targetsIn(view)) {
    if (view.precise !== undefined && !holds(symbol)) continue;
    const uses = occurrencesIn(view, symbol, holds).filter(packed => isWanted(packed >>> 7));
    if (uses.length === 0) continue;
    const row = hashOf.get(symbol);
    if (row === undefined) throw new StoreError('corrupt', `symbol ${symbol} is missing`);
    const [target, isExternal] = [row.hash.toString('hex'), row.external === 1];
    for (const packed of uses) {
      const { line, column, kind, enclosing: slot } = referenceAt(view, view.facts, packed >>> 7);
      found.push({ line, column, kind, target, isExternal, enclosing: enclosing(slot) });
    }
  }
  return found;
}

/** A function has many references inside, and its hash takes a digest to make. */
function hashesOfSlots(view: DocumentView): (slot: number) => string | undefined {
  const known = new Map<number, string>();
  return slot => {
    if (slot < 0) return undefined;
    const hash = known.get(slot) ?? view.hashOf(slot);
    known.set(slot, hash);
    return hash;
  };
}

function documentsUsing(symbol: number, { repo, prepare }: Lists): ReadonlySet<number> {
  const posts = prepare<[number, number, number], number>(
    'SELECT document FROM post WHERE key = ? AND document BETWEEN ? AND ?',
  ).pluck();
  const documents = new Set(posts.all(symbol, firstDocument(repo), lastDocument(repo)));
  for (const document of preciseDocumentsOf(symbol, repo, prepare)) documents.add(document);
  return documents;
}

/**
 * What a publication touched, and of what it defines anew or no more the documents of which an indexer says that they use
 * it: that holds while the symbol is there.
 */
function changedSince(before: number, lists: Lists): readonly number[] | undefined {
  const { repo, seq, views, prepare } = lists;
  if (before > seq || snapshotDigest(repo, before, prepare) === undefined) return undefined;
  const touched = prepare<[number, number, number], number>(
    'SELECT DISTINCT document FROM changed WHERE repo = ? AND seq > ? AND seq <= ?',
  ).pluck();
  const changed = new Set(touched.all(repo, before, seq));
  const symbolsAt = (document: number, at: number): ReadonlySet<number> =>
    new Set(views.at(document, at)?.links.symbols());
  for (const document of [...changed]) {
    const [was, is] = [symbolsAt(document, before), symbolsAt(document, seq)];
    for (const symbol of [...was, ...is]) {
      if (was.has(symbol) && is.has(symbol)) continue;
      for (const user of preciseDocumentsOf(symbol, repo, prepare)) changed.add(user);
    }
  }
  return [...changed].sort((a, b) => a - b);
}

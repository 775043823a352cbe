import type { ForeignName } from '../model/foreign-name.ts';
import type { SymbolKind } from '../model/symbol.ts';
import type { DocumentViews } from './document-view.ts';
import { occurrencesIn } from './effective-links.ts';
import { preciseDocumentsOf } from './precise-table.ts';
import { firstDocument, lastDocument, type Prepare } from './rows.ts';
import { StoreError } from './store-faults.ts';

/** What an indexer tells of a symbol of a dependency beyond its name. */
export interface ExternalTold {
  readonly kind: SymbolKind;
  readonly signature: string;
  readonly documentation: string;
}

/** What lists have of a symbol of a dependency. */
export interface ExternalName {
  readonly symbol: number;
  /** Its descriptors. */
  readonly name: string;
  /** Null where nothing is told of it. */
  readonly kind: SymbolKind | null;
}

/** A symbol of a dependency; null where nothing is told of it. */
export interface ExternalRow extends ExternalName, Nullable<ExternalTold> {
  /** 32 hex digits. */
  readonly hash: string;
  readonly manager: string;
  readonly package: string;
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };

/** What is told last counts. */
export function tellOfExternal(
  symbol: number,
  { kind, signature, documentation }: ExternalTold,
  prepare: Prepare,
): void {
  prepare<[number, string, string, string]>(
    'INSERT OR REPLACE INTO external_told (symbol, kind, signature, documentation) VALUES (?, ?, ?, ?)',
  ).run(symbol, kind, signature, documentation);
}

/**
 * Symbols of dependencies that indexers name and documents of a repository may use: in one version of them that is kept,
 * some do. Syntax only tells that a name is somebody else's, and by what it found that: that is no symbol.
 */
export function externalsOf(repo: number, prepare: Prepare): readonly ExternalName[] {
  const listed = `SELECT external.symbol AS symbol, name, kind
    FROM external LEFT JOIN external_told ON external_told.symbol = external.symbol
    WHERE ${isNamed} ORDER BY manager, package, name`;
  return prepare<[number, number, number], ExternalName>(listed).all(repo, firstDocument(repo), lastDocument(repo));
}

/** Names that documents of a repository have from elsewhere, in some version of them that is kept. */
export function foreignNamesOf(repo: number, prepare: Prepare): readonly ForeignName[] {
  const used = `SELECT package, name FROM external
    WHERE name <> '' AND EXISTS (SELECT 1 FROM post WHERE key = external.symbol AND document BETWEEN ? AND ?)`;
  return prepare<[number, number], ForeignName>(used).all(firstDocument(repo), lastDocument(repo));
}

/** All that is known of some of them, in the same order. */
export function externalRowsOf(symbols: readonly number[], prepare: Prepare): readonly ExternalRow[] {
  return symbols.map(symbol => {
    const found = externalRow(symbol, prepare);
    if (found === undefined) throw new StoreError('corrupt', `a symbol of a dependency is missing: ${symbol}`);
    return found;
  });
}

/** The one of that number; undefined where it is none of a dependency. */
export function externalRow(symbol: number, prepare: Prepare): ExternalRow | undefined {
  return prepare<[number], ExternalRow>(`${externals} WHERE external.symbol = ?`).get(symbol);
}

/** The one of that hash (32 hex digits); undefined where there is none. */
export function externalAt(hash: string, repo: number, prepare: Prepare): ExternalRow | undefined {
  const found = `${externals} WHERE symbol.hash = ? AND (${isNamed})`;
  return prepare<[Buffer, number, number, number], ExternalRow>(found).get(
    Buffer.from(hash, 'hex'),
    repo,
    firstDocument(repo),
    lastDocument(repo),
  );
}

const externals = `SELECT external.symbol AS symbol, lower(hex(symbol.hash)) AS hash, manager, package, name,
  kind, signature, documentation
  FROM external JOIN symbol ON symbol.id = external.symbol LEFT JOIN external_told ON external_told.symbol = external.symbol`;
/** All links of an upload are an indexer's. */
const isNamed = `EXISTS (
    SELECT 1 FROM precise_post CROSS JOIN precise ON precise.body = precise_post.body AND precise.repo = ?
    WHERE precise_post.key = external.symbol
  )
  OR EXISTS (SELECT 1 FROM post WHERE key = external.symbol AND document BETWEEN ? AND ?)
    AND EXISTS (SELECT 1 FROM meta WHERE name = 'identity' AND value = 'descriptor')`;

/** Whether a document of a repository uses a symbol at a sequence: as its indexer says, or by syntax. */
export function isUsedAt(symbol: number, repo: number, seq: number, views: DocumentViews, prepare: Prepare): boolean {
  const holds = views.holding(repo, seq);
  const isUsedIn = (document: number): boolean => {
    const view = views.at(document, seq);
    return view !== undefined && occurrencesIn(view, symbol, holds).length > 0;
  };
  return some(postsOf(symbol, repo, prepare), isUsedIn) || some(preciseDocumentsOf(symbol, repo, prepare), isUsedIn);
}

/** Read a few at a time: most are used in the first. */
function* postsOf(symbol: number, repo: number, prepare: Prepare): Generator<number> {
  const next = prepare<[number, number, number], { document: number }>(
    'SELECT document FROM post WHERE key = ? AND document > ? AND document <= ? ORDER BY document LIMIT 16',
  );
  for (let after = firstDocument(repo) - 1; ; ) {
    const rows = next.all(symbol, after, lastDocument(repo));
    for (const { document } of rows) yield document;
    if (rows.length === 0) return;
    after = rows.at(-1)!.document;
  }
}

function some<T>(all: Iterable<T>, holds: (one: T) => boolean): boolean {
  for (const one of all) if (holds(one)) return true;
  return false;
}

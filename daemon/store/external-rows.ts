import { firstDocument, lastDocument, openEnd, type Prepare } from './rows.ts';

/** A symbol of a dependency. */
export interface ExternalRow {
  readonly symbol: number;
  /** 32 hex digits. */
  readonly hash: string;
  readonly manager: string;
  readonly package: string;
  /** Its descriptors. */
  readonly name: string;
}

/**
 * Symbols of dependencies that documents of a repository use: as indexers say of what they are, or by syntax, in some version
 * of them that is kept.
 */
export function externalsOf(repo: number, prepare: Prepare): readonly ExternalRow[] {
  return prepare<Used, ExternalRow>(`${externals} WHERE ${isUsed} ORDER BY manager, package, name`).all(...used(repo));
}

/** The one of that hash (32 hex digits); undefined where `externalsOf` doesn't have it. */
export function externalAt(repo: number, hash: string, prepare: Prepare): ExternalRow | undefined {
  return prepare<[...Used, Buffer], ExternalRow>(`${externals} WHERE (${isUsed}) AND symbol.hash = ?`).get(
    ...used(repo),
    Buffer.from(hash, 'hex'),
  );
}

type Used = [first: number, last: number, repo: number, openEnd: number];

function used(repo: number): Used {
  return [firstDocument(repo), lastDocument(repo), repo, openEnd];
}

const externals = `SELECT external.symbol AS symbol, lower(hex(symbol.hash)) AS hash, manager, package, name
  FROM external JOIN symbol ON symbol.id = external.symbol`;
const isUsed = `EXISTS (SELECT 1 FROM post WHERE key = external.symbol AND document BETWEEN ? AND ?)
  OR EXISTS (
    SELECT 1 FROM precise_post CROSS JOIN precise ON precise.body = precise_post.body AND precise.repo = ?
    CROSS JOIN document ON document.repo = precise.repo AND document.path = precise.path
    CROSS JOIN link ON link.document = document.id AND link.to_seq = ? AND link.evidence = precise.id
    WHERE precise_post.key = external.symbol
  )`;

import { firstDocument, lastDocument, openEnd, type Prepare } from './rows.ts';

/** A symbol of a dependency. */
export interface ExternalRow {
  /** 32 hex digits. */
  readonly hash: string;
  readonly manager: string;
  readonly package: string;
  /** Its descriptors. */
  readonly name: string;
}

/** Symbols of dependencies that something says to be used in documents of a repository, some version of which is kept. */
export function externalsOf(repo: number, prepare: Prepare): readonly ExternalRow[] {
  return prepare<[number, number, number, number], ExternalRow>(
    `SELECT lower(hex(symbol.hash)) AS hash, manager, package, name
     FROM external JOIN symbol ON symbol.id = external.symbol
     WHERE EXISTS (SELECT 1 FROM post WHERE key = external.symbol AND document BETWEEN ? AND ?)
     OR EXISTS (
       SELECT 1 FROM precise_post JOIN precise ON precise.body = precise_post.body AND precise.repo = ?
       JOIN document ON document.repo = precise.repo AND document.path = precise.path
       JOIN link ON link.document = document.id AND link.to_seq = ? AND link.evidence = precise.id
       WHERE precise_post.key = external.symbol
     ) ORDER BY manager, package, name`,
  ).all(firstDocument(repo), lastDocument(repo), repo, openEnd);
}

import type { SkipReason } from '../../model/document.ts';
import { isCode } from '../../model/families.ts';
import { firstDocument, lastDocument, type Prepare } from '../rows.ts';

/** Paths of the files of a snapshot that no extractor reads. */
export function unreadFiles(repo: number, seq: number, prepare: Prepare): readonly string[] {
  return prepare<[number, number, number, number], string>(
    `SELECT path FROM entry JOIN document ON document.id = entry.document
     WHERE entry.document BETWEEN ? AND ? AND from_seq <= ? AND to_seq > ? AND dialect = ''
     ORDER BY path`,
  )
    .pluck()
    .all(firstDocument(repo), lastDocument(repo), seq, seq);
}

/** A file with facts, and the hash of its content. */
export interface ContentOfFile {
  readonly path: string;
  readonly content: string;
}

/** The files of a snapshot that have facts and whose names have one of some endings, by path. Looks at the entries of all files. */
export function contentsOf(
  endings: readonly string[],
  repo: number,
  seq: number,
  prepare: Prepare,
): readonly ContentOfFile[] {
  return prepare<[number, number, number, number, string], ContentOfFile>(
    `SELECT document.path, lower(hex(hash)) AS content FROM entry JOIN document ON document.id = entry.document
     WHERE entry.document BETWEEN ? AND ? AND from_seq <= ? AND to_seq > ? AND skip = '' AND dialect <> ''
     AND EXISTS (SELECT 1 FROM json_each(?) WHERE lower(substr(document.path, -length(value))) = value) ORDER BY document.path`,
  ).all(firstDocument(repo), lastDocument(repo), seq, seq, JSON.stringify(endings));
}

/** A file that was passed over. */
export interface SkippedFile {
  readonly path: string;
  readonly skip: SkipReason;
}

/** The files of a snapshot that were passed over and whose names have one of some endings, by path. Looks at the entries of all files. */
export function skippedFiles(
  endings: readonly string[],
  repo: number,
  seq: number,
  prepare: Prepare,
): readonly SkippedFile[] {
  return prepare<[number, number, number, number, string], SkippedFile>(
    `SELECT document.path, skip FROM entry JOIN document ON document.id = entry.document
     WHERE entry.document BETWEEN ? AND ? AND from_seq <= ? AND to_seq > ? AND skip <> '' AND dialect <> ''
     AND EXISTS (SELECT 1 FROM json_each(?) WHERE lower(substr(document.path, -length(value))) = value) ORDER BY document.path`,
  ).all(firstDocument(repo), lastDocument(repo), seq, seq, JSON.stringify(endings));
}

/** A file of code that has no facts: it is too large, say, or its lines are too long. */
export interface UnreadCode {
  readonly path: string;
  readonly dialect: string;
}

/** The files of code of a snapshot that have no facts. Looks at the entries of all files. */
export function unreadCode(repo: number, seq: number, prepare: Prepare): readonly UnreadCode[] {
  return prepare<[number, number, number, number], UnreadCode>(
    `SELECT path, dialect FROM entry JOIN document ON document.id = entry.document
     WHERE entry.document BETWEEN ? AND ? AND from_seq <= ? AND to_seq > ? AND skip <> '' AND dialect <> ''
     ORDER BY path`,
  )
    .all(firstDocument(repo), lastDocument(repo), seq, seq)
    .filter(({ dialect }) => isCode(dialect));
}

/** Paths of the files of a snapshot that lie below a folder, '' for the root, sorted: the first so many. */
export function filesBelow(folder: string, most: number, repo: number, seq: number, prepare: Prepare): string[] {
  // `0` comes right behind the slash.
  const [from, to] = folder === '' ? ['', '\u{10ffff}'] : [`${folder}/`, `${folder}0`];
  return prepare<[number, string, string, number, number, number], string>(
    `SELECT path FROM document JOIN entry ON entry.document = document.id
     WHERE repo = ? AND path >= ? AND path < ? AND from_seq <= ? AND to_seq > ? ORDER BY path LIMIT ?`,
  )
    .pluck()
    .all(repo, from, to, seq, seq, most);
}

import { firstDocument, lastDocument, type Prepare } from '../rows.ts';

/** Paths of the files of a snapshot that no extractor reads. */
export function unreadFiles(repo: number, seq: number, prepare: Prepare): readonly string[] {
  return prepare<[number, number, number, number], string>(
    `SELECT path FROM entry JOIN document ON document.id = entry.document
     WHERE entry.document BETWEEN ? AND ? AND from_seq <= ? AND to_seq > ? AND dialect = ''`,
  )
    .pluck()
    .all(firstDocument(repo), lastDocument(repo), seq, seq);
}

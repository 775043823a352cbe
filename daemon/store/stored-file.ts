import type { SkipReason } from '../model/document.ts';
import type { FactsView } from '../model/facts-codec.ts';
import type { DocumentViews } from './document-view.ts';
import { checkEntry, entryAt } from './entry-table.ts';
import { documentAt, type Prepare } from './rows.ts';

/** What a snapshot has of the file at a path. */
export interface StoredFile {
  readonly dialect: string;
  readonly skip: SkipReason | '';
  /** Undefined where it has none: the file was passed over. */
  readonly facts: FactsView | undefined;
}

/** Undefined where the snapshot lists no file at that path. */
export function storedFileAt(
  path: string,
  repo: number,
  seq: number,
  views: DocumentViews,
  prepare: Prepare,
): StoredFile | undefined {
  const document = documentAt(repo, path, prepare);
  const entry = document === undefined ? undefined : entryAt(document, seq, prepare);
  if (document === undefined || entry === undefined || entry.to_seq <= seq) return undefined;
  checkEntry(entry, path);
  return { dialect: entry.dialect, skip: entry.skip as StoredFile['skip'], facts: views.at(document, seq)?.facts() };
}

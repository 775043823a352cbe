import type { Range } from '../../daemon/model/facts.ts';
import { openForReading } from '../../daemon/store/connection.ts';
import { type DocumentView, documentViews } from '../../daemon/store/document-view.ts';
import { noneChecked } from '../../daemon/store/fact-table.ts';
import { indexFile } from '../../daemon/store/index-file.ts';
import { holdingAt } from '../../daemon/store/precise-table.ts';
import { firstDocument, lastDocument, preparer } from '../../daemon/store/rows.ts';
import { latestSnapshot, repoRow } from '../../daemon/store/snapshot-table.ts';
import { definitionSites } from '../../daemon/store/symbol-rows.ts';

/** One reference of which an indexer says where it points; `symbol` is a row of the index file. */
export interface Precise {
  readonly path: string;
  readonly document: number;
  /** As `effective-links.ts` numbers references. */
  readonly index: number;
  readonly symbol: number;
  /** Undefined where it is not tied to syntax; else whether that leads there. */
  readonly bySyntax: boolean | undefined;
}

export interface Definition {
  readonly path: string;
  readonly symbol: number;
  readonly text: string;
  readonly name: Range;
  readonly whole: Range;
}

/** What the newest snapshot of an index file says with an indexer's word. */
export interface PreciseState {
  readonly seq: number;
  readonly snapshotId: string;
  readonly evidenceId: string;
  readonly precise: readonly Precise[];
  /** Whether the snapshot defines a symbol, or somebody else does. */
  readonly holds: (symbol: number) => boolean;
  readonly isExternal: (symbol: number) => boolean;
  readonly sites: (symbol: number) => readonly Definition[];
  /** What syntax says of each reference of a document at a sequence: reference → symbol. */
  readonly bySyntax: (document: number, seq: number) => ReadonlyMap<number, number>;
  /** Documents that were linked anew since a sequence. */
  readonly linkedSince: (seq: number) => ReadonlySet<number>;
  close(): void;
}

export function preciseState(file: string, key: string): PreciseState {
  const connection = openForReading(
    file,
    indexFile(() => ''),
  );
  const prepare = preparer(connection);
  const views = documentViews(prepare, 256 * 1024 * 1024, noneChecked());
  const repo = repoRow(key, prepare)!;
  const { seq, snapshotId, evidenceId } = latestSnapshot(repo, prepare)!;
  const documents = prepare<[number, number], { id: number }>('SELECT id FROM document WHERE id BETWEEN ? AND ?').all(
    firstDocument(repo),
    lastDocument(repo),
  );
  const precise: Precise[] = [];
  for (const { id } of documents) {
    const view = views.at(id, seq);
    if (view !== undefined) precise.push(...preciseIn(view));
  }
  const external = prepare<[number]>('SELECT 1 FROM external WHERE symbol = ?');
  const since = prepare<[number, number], { document: number }>(
    'SELECT document FROM changed WHERE repo = ? AND seq > ?',
  );
  return {
    ...{ seq, snapshotId, evidenceId, precise },
    holds: holdingAt(repo, seq, prepare),
    isExternal: symbol => external.get(symbol) !== undefined,
    sites: symbol =>
      definitionSites(symbol, repo, seq, views, prepare).flatMap(({ view, index }) =>
        view.links.slotsOf(index).map(slot => definitionAt(view, slot, symbol)),
      ),
    bySyntax: (document, at) => syntaxIn(views.at(document, at)),
    linkedSince: from => new Set(since.all(repo, from).map(({ document }) => document)),
    close: () => connection.close(),
  };
}

function* preciseIn({ precise, links, path, document }: DocumentView): Iterable<Precise> {
  for (const symbol of precise?.targets() ?? []) {
    for (const packed of precise!.occurrencesOf(symbol)) {
      const index = packed >>> 1;
      const bySyntax = (packed & 1) === 0 ? undefined : links.sureness(index, symbol) > 0;
      yield { path, document, index, symbol, bySyntax };
    }
  }
}

function definitionAt(view: DocumentView, slot: number, symbol: number): Definition {
  const { name, nameRange, range } = view.facts().definition(slot);
  return { path: view.path, symbol, text: name, name: nameRange, whole: range };
}

function syntaxIn(view: DocumentView | undefined): ReadonlyMap<number, number> {
  const said = new Map<number, number>();
  for (const symbol of view?.links.targets() ?? []) {
    for (const packed of view!.links.occurrencesOf(symbol)) said.set(packed >>> 7, symbol);
  }
  return said;
}

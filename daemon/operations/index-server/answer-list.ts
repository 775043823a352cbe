import { Fault } from '../../../client/protocol/faults.ts';
import type { Catalogue } from '../../store/catalogue/columns.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { cursorExpired } from '../symbols/cursor.ts';
import type { NameLayer } from '../symbols/name-layers.ts';
import { changesPage, noDeltas } from './changes.ts';
import type { EarlierSnapshot, ListCall } from './list-call.ts';
import { type Listed, listed } from './listed.ts';
import { edgesPage, filesPage, metaAt, metaOf, refsPage, symbolsPage } from './pages.ts';
import { fileMatches, symbolMatches } from './searches.ts';

/** An index file that is open, with the names that searches of it go through. */
export interface ListedFile {
  readonly reader: IndexReader;
  layersOf(catalogue: Catalogue): readonly NameLayer[];
}

/** The document that answers a question about a served snapshot. Throws the fault `cursorExpired` where that is gone. */
export function answerList(
  { reader, layersOf }: ListedFile,
  call: ListCall,
  earlierFile: (indexFile: string) => IndexReader,
): object {
  const of = snapshotIn(reader, call);
  const { list, limit, now } = call;
  const meta = metaAt(call.of, now);
  switch (list.kind) {
    case 'files': {
      const page = filesPage(of, call);
      return { data: { files: page.rows }, meta: metaOf(call, page) };
    }
    case 'symbols': {
      const page = symbolsPage(of, call, list);
      return { data: { symbols: page.rows }, meta: metaOf(call, page) };
    }
    case 'refs': {
      const page = refsPage(of, call, list);
      return { data: { refs: page.rows }, meta: metaOf(call, page) };
    }
    case 'callgraph': {
      const page = edgesPage(of, call, list);
      return { data: { edges: page.rows }, meta: metaOf(call, page) };
    }
    case 'batch':
      return { data: batch(of, list.ids), meta };
    case 'search symbols': {
      const { rows, truncated } = symbolMatches(of, layersOf(of.catalogue), list, limit);
      return { data: { symbols: rows, truncated }, meta: withLimit(call, meta) };
    }
    case 'search files': {
      const { rows, truncated } = fileMatches(of, list, limit);
      return { data: { files: rows, truncated }, meta: withLimit(call, meta) };
    }
    case 'changes': {
      const before = list.before === undefined ? undefined : earlier(list.before, call, reader, earlierFile);
      const page = before && changesPage(before, of, call);
      if (page === undefined) return fullRead(call, list.since);
      const { deltas, next } = page;
      return { data: { since: list.since, full_read: false, deltas }, meta: metaOf(call, { next }) };
    }
  }
}

function snapshotIn(reader: IndexReader, { file, of, as }: ListCall): Listed {
  const found = reader.epoch === of.epoch && reader.snapshotAt(file.key, of.fileSeq) !== undefined;
  const snapshot = found ? listed(reader, file.key, of.fileSeq, as) : undefined;
  if (snapshot === undefined) throw cursorExpired();
  return snapshot;
}

function withLimit({ isClamped, limit }: ListCall, meta: object): object {
  return isClamped ? { ...meta, limit } : meta;
}

function batch({ shown, symbol }: Listed, ids: readonly string[]): object {
  const found: object[] = [];
  const missing: string[] = [];
  for (const id of new Set(ids)) {
    const hash = shown.hashOf(id);
    const row = hash === undefined ? undefined : symbol(hash);
    if (row === undefined) missing.push(id);
    else found.push(shown.symbol(row));
  }
  return { symbols: found, not_found: missing };
}

/** The snapshot that a mirror has; undefined where it can't be read any more. */
function earlier(
  { indexFile, fileSeq }: EarlierSnapshot,
  { file, as }: ListCall,
  reader: IndexReader,
  earlierFile: (indexFile: string) => IndexReader,
): Listed | undefined {
  const its = indexFile === file.indexFile ? reader : earlierFile(indexFile);
  return its.snapshotAt(file.key, fileSeq) === undefined ? undefined : listed(its, file.key, fileSeq, as);
}

export function fullRead({ of, now }: Pick<ListCall, 'of' | 'now'>, since: number): object {
  return {
    data: { since, full_read: true, deltas: noDeltas() },
    meta: { ...metaAt(of, now), has_more: false },
  };
}

export function noSuchSymbol(): Fault {
  return new Fault('symbolNotFound', 'The index has no symbol of that id');
}

import { definitionsIn } from '../../store/catalogue/columns.ts';
import type { FoundDefinition } from '../../store/catalogue/rows.ts';
import type { SettledReference } from '../../store/snapshot-lists.ts';
import { type ListAsked, type ListCall, listCursors, type Place, type SnapshotPlace } from './list-call.ts';
import type { Listed } from './listed.ts';
import type { EdgeRow, FileRow, RefRow, ServedSymbolRow } from './shown.ts';

type Asked<Kind extends ListAsked['kind']> = Extract<ListAsked, { readonly kind: Kind }>;

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Where the next page begins; undefined: there is nothing more. */
  readonly next: Place | undefined;
  readonly total?: number;
}

export interface Meta {
  readonly timestamp: number;
  readonly sync_seq: number;
  readonly cursor?: string;
  readonly has_more?: boolean;
  readonly total?: number;
  readonly limit?: number;
}

/** What stands beside a page. */
export function metaOf({ of, now, cursor, limit, isClamped }: ListCall, page: Omit<Page<unknown>, 'rows'>): Meta {
  const { next, total } = page;
  return {
    ...metaAt(of, now),
    ...(next === undefined
      ? {}
      : { cursor: listCursors(cursor).make([of.epoch, of.fileSeq, of.syncSeq, next.position, next.given]) }),
    has_more: next !== undefined,
    ...(total === undefined ? {} : { total }),
    ...(isClamped ? { limit } : {}),
  };
}

export function metaAt({ syncSeq }: Pick<SnapshotPlace, 'syncSeq'>, now: number): Meta {
  return { timestamp: Math.floor(now / 1000), sync_seq: syncSeq };
}

export function filesPage(listed: Listed, { from, limit }: ListCall): Page<FileRow> {
  const { order } = listed;
  const first = from?.position ?? 0;
  const end = Math.min(order.length, first + limit);
  const rows = Array.from(order.subarray(first, end), document => fileRow(listed, document));
  return { rows, next: end < order.length ? { position: end, given: 0 } : undefined, total: order.length };
}

export function fileRow({ catalogue, lists, shown }: Listed, document: number): FileRow {
  const { document: number, path, language } = catalogue.documents[document]!;
  return {
    path: shown.path(path),
    basename: path.slice(path.lastIndexOf('/') + 1),
    language,
    symbol_count: definitionsIn(catalogue, document).length,
    hash: shown.fileHash(path, lists.contentHash(number)),
  };
}

export function symbolsPage(listed: Listed, call: ListCall, asked: Asked<'symbols'>): Page<ServedSymbolRow> {
  const { catalogue, kindOf, symbolsOf } = listed;
  const { symbolKind } = asked;
  const fitting = (document: number): readonly number[] => {
    const all = symbolsOf(document);
    return symbolKind === undefined ? all : all.filter(definition => kindOf(definition) === symbolKind);
  };
  const isListed = documentFilter(listed, asked.language, asked.file);
  const page = walk(listed, call, isListed, fitting);
  const found: FoundDefinition[] = page.rows.map(definition => ({
    definition,
    name: catalogue.names[catalogue.nameOf[definition]!]!,
  }));
  const rows = listed.reader.rows(catalogue, found).map(listed.shown.symbol);
  const question = JSON.stringify([asked.language, asked.file, symbolKind]);
  return { rows, next: page.next, total: listed.counted(question, () => totalOf(listed, isListed, symbolKind)) };
}

/** How many symbols a filter leaves: of each definition one number or two are looked at. */
function totalOf(
  { order, symbolsOf, kindOf }: Listed,
  isListed: (document: number) => boolean,
  symbolKind: Asked<'symbols'>['symbolKind'],
): number {
  let total = 0;
  for (const document of order) {
    if (!isListed(document)) continue;
    const all = symbolsOf(document);
    if (symbolKind === undefined) total += all.length;
    else for (const definition of all) if (kindOf(definition) === symbolKind) total++;
  }
  return total;
}

export function refsPage(listed: Listed, call: ListCall, asked: Asked<'refs'>): Page<RefRow> {
  const { catalogue, lists, shown } = listed;
  const target = asked.to === undefined ? undefined : shown.hashOf(asked.to);
  if (asked.to !== undefined && target === undefined) return nothing;
  const isAmong = among(listed, target === undefined ? undefined : lists.using(target));
  const isListed = documentFilter(listed, asked.language, asked.fromFile);
  return walk(
    listed,
    call,
    document => isListed(document) && isAmong(document),
    document => {
      const { document: number, path, language } = catalogue.documents[document]!;
      const rows = lists
        .references(number)
        .filter(reference => target === undefined || reference.target === target)
        .map(reference => shown.ref(path, language, reference));
      return rows.sort(byPlaceOfRef);
    },
  );
}

export function edgesPage(listed: Listed, call: ListCall, asked: Asked<'callgraph'>): Page<EdgeRow> {
  const { catalogue, lists, shown } = listed;
  const hash = (id: string | undefined) => (id === undefined ? undefined : (shown.hashOf(id) ?? null));
  const [caller, callee] = [hash(asked.caller), hash(asked.callee)];
  if (caller === null || callee === null) return nothing;
  const isByCaller = among(listed, caller === undefined ? undefined : new Set(lists.defining(caller)));
  const isOfCallee = among(listed, callee === undefined ? undefined : lists.using(callee));
  const isListed = documentFilter(listed, asked.language, asked.callerFile);
  return walk(
    listed,
    call,
    document => isListed(document) && isByCaller(document) && isOfCallee(document),
    document => {
      const { document: number, path, language } = catalogue.documents[document]!;
      const rows = lists
        .calls(number)
        .filter(isEdge)
        .filter(({ target }) => callee === undefined || target === callee)
        .filter(({ enclosing }) => caller === undefined || enclosing === caller)
        .map(reference => shown.edge(path, language, reference));
      return rows.sort(byPlaceOfEdge);
    },
  );
}

/** A call of something of the repository. */
export function isEdge({ kind, isExternal }: SettledReference): boolean {
  return kind === 'call' && !isExternal;
}

export function byPlaceOfRef(a: RefRow, b: RefRow): number {
  return a.line - b.line || a.col - b.col || compare(a.kind, b.kind) || compare(a.to_symbol_id, b.to_symbol_id);
}

export function byPlaceOfEdge(a: EdgeRow, b: EdgeRow): number {
  return a.call_line - b.call_line || a.call_col - b.call_col || compare(a.callee_id, b.callee_id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const nothing = { rows: [], next: undefined, total: 0 } as const;

/** Asked of a document of the catalogue. What is not shown can't be asked for: a path is the one that is shown. */
function documentFilter(
  { catalogue, shownPathOf }: Listed,
  language: string | undefined,
  path: string | undefined,
): (document: number) => boolean {
  return document =>
    (language === undefined || catalogue.documents[document]!.language === language) &&
    (path === undefined || shownPathOf(document) === path);
}

function among({ documentOf }: Listed, numbers: Iterable<number> | undefined): (document: number) => boolean {
  if (numbers === undefined) return () => true;
  const documents = new Set<number>();
  for (const number of numbers) {
    const document = documentOf(number);
    if (document !== undefined) documents.add(document);
  }
  return document => documents.has(document);
}

/** So many documents are read for one page: where few of them have rows, it ends before it is full. */
const mostRead = 2000;

/**
 * The page that begins at a place: the rows of one document after the other. What it costs hangs on what is on it, and, of
 * documents that are passed over, on a comparison each.
 */
function walk<Row>(
  { order }: Listed,
  { from, limit }: ListCall,
  isListed: (document: number) => boolean,
  rowsOf: (document: number) => readonly Row[],
): Page<Row> {
  const page: Row[] = [];
  let read = 0;
  let given = from?.given ?? 0;
  for (let position = from?.position ?? 0; position < order.length; position++, given = 0) {
    const document = order[position]!;
    if (!isListed(document)) continue;
    if (read++ === mostRead) return { rows: page, next: { position, given } };
    const rows = rowsOf(document);
    if (rows.length <= given) continue;
    if (page.length === limit) return { rows: page, next: { position, given } };
    const taken = rows.slice(given, given + limit - page.length);
    page.push(...taken);
    if (given + taken.length < rows.length) return { rows: page, next: { position, given: given + taken.length } };
  }
  return { rows: page, next: undefined };
}

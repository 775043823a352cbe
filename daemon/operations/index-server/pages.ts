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

export function fileRow({ catalogue, lists, shown, symbolsOf }: Listed, document: number): FileRow {
  const { document: number, path, language } = catalogue.documents[document]!;
  return {
    path: shown.path(path),
    basename: path.slice(path.lastIndexOf('/') + 1),
    language,
    symbol_count: symbolsOf(document).length,
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
  const positions = positionsOf(listed, { language: asked.language, path: asked.file });
  const page = walk(listed, call, positions, fitting);
  const found: FoundDefinition[] = page.rows.map(definition => ({
    definition,
    name: catalogue.names[catalogue.nameOf[definition]!]!,
  }));
  const rows = listed.reader.rows(catalogue, found).map(listed.shown.symbol);
  const question = JSON.stringify([asked.language, asked.file, symbolKind]);
  return { rows, next: page.next, total: listed.counted(question, () => totalOf(listed, positions, symbolKind)) };
}

/** How many symbols a filter leaves: of each definition one number or two are looked at. */
function totalOf(
  { catalogue, order, isShown, kindOf }: Listed,
  positions: Positions,
  symbolKind: Asked<'symbols'>['symbolKind'],
): number {
  let total = 0;
  for (const position of positions) {
    for (const definition of definitionsIn(catalogue, order[position]!)) {
      if (isShown(definition) && (symbolKind === undefined || kindOf(definition) === symbolKind)) total++;
    }
  }
  return total;
}

export function refsPage(listed: Listed, call: ListCall, asked: Asked<'refs'>): Page<RefRow> {
  const { catalogue, lists, shown } = listed;
  const target = asked.to === undefined ? undefined : shown.hashOf(asked.to);
  if (asked.to !== undefined && target === undefined) return nothing;
  const among = target === undefined ? [] : [lists.using(target)];
  return walk(
    listed,
    call,
    positionsOf(listed, { language: asked.language, path: asked.fromFile }, ...among),
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
  const among = [
    ...(caller === undefined ? [] : [new Set(lists.defining(caller))]),
    ...(callee === undefined ? [] : [lists.using(callee)]),
  ];
  return walk(
    listed,
    call,
    positionsOf(listed, { language: asked.language, path: asked.callerFile }, ...among),
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

const nothing = { rows: [], next: undefined } as const;

/** Positions in the order of documents, ascending. */
type Positions = Uint32Array | readonly number[];

interface DocumentFilter {
  readonly language: string | undefined;
  /** As it is shown: what is not can't be asked for. */
  readonly path: string | undefined;
}

/** All of so many, in an array that lists share. */
function everyPosition(count: number): Positions {
  if (ascending.length < count) ascending = Uint32Array.from({ length: count }, (_, position) => position);
  return ascending.subarray(0, count);
}

let ascending = new Uint32Array();

/** Where the documents stand that a filter leaves, and that are among each of some by their numbers in the file. */
function positionsOf(
  { catalogue, order, positions, documentOf, documentsAt }: Listed,
  { language, path }: DocumentFilter,
  ...among: readonly ReadonlySet<number>[]
): Positions {
  if (language === undefined && path === undefined && among.length === 0) return everyPosition(order.length);
  const byNumber = (numbers: ReadonlySet<number>): readonly number[] =>
    [...numbers].flatMap(number => documentOf(number) ?? []);
  const first = path === undefined ? among[0] && byNumber(among[0]) : documentsAt(path);
  const documents = first ?? order;
  const isLeft = (document: number): boolean => {
    const of = catalogue.documents[document]!;
    return (language === undefined || of.language === language) && among.every(numbers => numbers.has(of.document));
  };
  const left: number[] = [];
  for (const document of documents) if (isLeft(document)) left.push(positions[document]!);
  return first === undefined ? left : left.sort((a, b) => a - b);
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
  positions: Positions,
  rowsOf: (document: number) => readonly Row[],
): Page<Row> {
  const page: Row[] = [];
  let read = 0;
  let given = from?.given ?? 0;
  const first = from === undefined ? 0 : lowerBound(positions, from.position);
  if (positions[first] !== from?.position) given = 0;
  for (let at = first; at < positions.length; at++, given = 0) {
    const position = positions[at]!;
    if (read++ === mostRead) return { rows: page, next: { position, given } };
    const rows = rowsOf(order[position]!);
    if (rows.length <= given) continue;
    if (page.length === limit) return { rows: page, next: { position, given } };
    const taken = rows.slice(given, given + limit - page.length);
    page.push(...taken);
    if (given + taken.length < rows.length) return { rows: page, next: { position, given: given + taken.length } };
  }
  return { rows: page, next: undefined };
}

/** How many of some ascending numbers are below one. */
function lowerBound(numbers: Positions, number: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

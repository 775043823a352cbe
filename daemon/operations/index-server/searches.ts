import { type MatchKind, matchNames } from '../../analysis/name-match.ts';
import type { Catalogue } from '../../store/catalogue/columns.ts';
import type { NameLayer } from '../symbols/name-layers.ts';
import type { ListAsked } from './list-call.ts';
import type { Listed } from './listed.ts';
import { fileRow } from './pages.ts';
import type { FileRow, ServedSymbolRow } from './shown.ts';

type Asked<Kind extends ListAsked['kind']> = Extract<ListAsked, { readonly kind: Kind }>;

export interface Matches<Row> {
  readonly rows: readonly Row[];
  readonly truncated: boolean;
}

export type SymbolMatch = Pick<ServedSymbolRow, 'id' | 'name' | 'kind' | 'file_path' | 'line'>;
export type FileMatch = Omit<FileRow, 'hash'>;

interface Hit {
  readonly definition: number;
  readonly score: number;
  readonly length: number;
  readonly name: string;
  readonly position: number;
}

/**
 * Symbols that a query meets literally: exact, prefix, words of camel case, substring, in this order; shorter names before
 * longer ones, then by name and as symbols are listed. What is not shown has no say.
 */
export function symbolMatches(
  listed: Listed,
  layers: readonly NameLayer[],
  asked: Asked<'search symbols'>,
  limit: number,
): Matches<SymbolMatch> {
  const { catalogue, reader, shown } = listed;
  const found: Hit[] = [];
  eachNameMet(layers, asked.query.trim(), (name, match, score) => {
    if (match === 'fuzzy') return;
    for (const hit of hitsOf(listed, name, score, asked)) found.push(hit);
  });
  const best = found.sort(compareHits).slice(0, limit);
  const rows = reader.rows(
    catalogue,
    best.map(({ definition, name }) => ({ definition, name })),
  );
  return {
    rows: rows.map(row => {
      const { id, name, kind, file_path, line } = shown.symbol(row);
      return { id, name, kind, file_path, line };
    }),
    truncated: found.length > best.length,
  };
}

function eachNameMet(
  layers: readonly NameLayer[],
  query: string,
  take: (name: number, match: MatchKind, score: number) => void,
): void {
  const tables = layers.map(({ table, bearers, weights }) => ({
    table,
    sink: {
      ...{ bearers, weights },
      least: () => 0,
      put: (place: number, match: MatchKind, score: number) => take(table.order[place]!, match, score),
    },
  }));
  matchNames(tables, query);
}

function* hitsOf(
  listed: Listed,
  name: number,
  score: number,
  { language, symbolKind }: Asked<'search symbols'>,
): Generator<Hit> {
  const { catalogue, isShown, kindOf, positions, shown } = listed;
  const { starts, ends, order, documents, documentOf, names } = catalogue;
  for (let at = starts[name]!; at < ends[name]!; at++) {
    const definition = order[at]!;
    if (!isShown(definition)) continue;
    const kind = kindOf(definition);
    if (symbolKind !== undefined && kind !== symbolKind) continue;
    const document = documents[documentOf[definition]!]!;
    if (language !== undefined && document.language !== language) continue;
    const text = names[name]!;
    // Called as folders are: what is shown of it is another name.
    if (shown.name({ name: text, kind, path: document.path }) !== text) continue;
    yield { definition, score, length: text.length, name: text, position: placeOf(catalogue, positions, definition) };
  }
}

function placeOf(
  { documentOf, slots }: Pick<Catalogue, 'documentOf' | 'slots'>,
  positions: Uint32Array,
  definition: number,
): number {
  return positions[documentOf[definition]!]! * 2 ** 26 + slots[definition]!;
}

function compareHits(a: Hit, b: Hit): number {
  return (
    b.score - a.score || a.length - b.length || (a.name === b.name ? a.position - b.position : a.name < b.name ? -1 : 1)
  );
}

/** Files whose shown path holds a query, whatever the case: by basename before by folder, whole before in part, short before long. */
export function fileMatches(listed: Listed, { query }: Asked<'search files'>, limit: number): Matches<FileMatch> {
  const wanted = query.trim().toLowerCase();
  const found: { readonly document: number; readonly rank: number; readonly path: string }[] = [];
  for (const document of listed.order) {
    const path = listed.shownPathOf(document);
    const rank = rankOf(path.toLowerCase(), wanted);
    if (rank !== undefined) found.push({ document, rank, path });
  }
  // A stable sort: what is alike stays as it is listed.
  found.sort((a, b) => a.rank - b.rank || a.path.length - b.path.length);
  const rows = found.slice(0, limit).map(({ document }) => {
    const { hash: _, ...row } = fileRow(listed, document);
    return row;
  });
  return { rows, truncated: found.length > rows.length };
}

/** Lower is better; undefined where the path does not hold the text. */
function rankOf(path: string, wanted: string): number | undefined {
  if (path === wanted) return 0;
  const base = path.slice(path.lastIndexOf('/') + 1);
  if (base === wanted || base.replace(/\.[^.]*$/, '') === wanted) return 1;
  if (base.startsWith(wanted)) return 2;
  if (base.includes(wanted)) return 3;
  return path.includes(wanted) ? 4 : undefined;
}

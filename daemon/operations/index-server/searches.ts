import { bestHits } from '../../analysis/best-hits.ts';
import { type MatchKind, matchNames } from '../../analysis/name-match.ts';
import type { NameLayer } from '../symbols/name-layers.ts';
import type { ListAsked } from './list-call.ts';
import type { Listed } from './listed.ts';
import { fileRow } from './pages.ts';
import { eachHolding } from './path-text.ts';
import type { FileRow, ServedSymbolRow } from './shown.ts';

type Asked<Kind extends ListAsked['kind']> = Extract<ListAsked, { readonly kind: Kind }>;

export interface Matches<Row> {
  readonly rows: readonly Row[];
  readonly truncated: boolean;
}

export type SymbolMatch = Pick<ServedSymbolRow, 'id' | 'name' | 'kind' | 'file_path' | 'line'>;
export type FileMatch = Omit<FileRow, 'hash'>;

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
  const { catalogue, reader, shown, positions } = listed;
  const { names, starts, ends, order, documentOf, slots } = catalogue;
  const best = bestHits(limit);
  const isHit = hitTest(listed, asked);
  let found = 0;
  // Until there are more than are wanted each counts; from then on those that are none of the best need not be looked at.
  const isBeaten = (name: string, score: number): boolean =>
    found > limit && (score < best.least() || (score === best.least() && name.length > best.longest()));
  const tables = layers.map(({ table, bearers }) => ({
    table,
    sink: {
      ...{ bearers, weights: alike(bearers.length) },
      least: () => (found > limit ? best.least() : 0),
      put: (place: number, match: MatchKind, score: number) => {
        const number = table.order[place]!;
        const name = names[number]!;
        if (match === 'fuzzy' || isBeaten(name, score)) return;
        for (let at = starts[number]!; at < ends[number]!; at++) {
          const definition = order[at]!;
          if (!isHit(definition, name)) continue;
          found++;
          const position = positions[documentOf[definition]!]! * 2 ** 26 + slots[definition]!;
          best.put(name, definition, position, match, score);
        }
      },
    },
  }));
  matchNames(tables, asked.query.trim());
  const rows = reader.rows(catalogue, best.inOrder());
  return {
    rows: rows.map(row => {
      const { id, name, kind, file_path, line } = shown.symbol(row);
      return { id, name, kind, file_path, line };
    }),
    truncated: found > limit,
  };
}

/** Weights by which none of so many names is worth less than another. */
function alike(count: number): Float64Array {
  if (ones.length < count) ones = new Float64Array(count).fill(1);
  return ones;
}

let ones = new Float64Array();

/** Whether a definition of a name is one to be found. */
function hitTest(
  { catalogue: { documents, documentOf }, isShown, kindOf, shown }: Listed,
  { language, symbolKind }: Asked<'search symbols'>,
): (definition: number, name: string) => boolean {
  return (definition, name) => {
    if (!isShown(definition)) return false;
    const kind = kindOf(definition);
    if (symbolKind !== undefined && kind !== symbolKind) return false;
    const document = documents[documentOf[definition]!]!;
    if (language !== undefined && document.language !== language) return false;
    // Called as folders are: what is shown of it is another name.
    return shown.name({ name, kind, path: document.path }) === name;
  };
}

/** Files whose shown path holds a query, whatever the case: by basename before by folder, whole before in part, short before long. */
export function fileMatches(listed: Listed, { query }: Asked<'search files'>, limit: number): Matches<FileMatch> {
  const wanted = query.trim().toLowerCase();
  // One number each, for they are sorted many times as fast: rank, length, and the place, so that what is alike stays as it is listed.
  const keys: number[] = [];
  eachHolding(listed.pathText(), wanted, (place, path) => {
    keys.push((rankOf(path, wanted) * longest + Math.min(path.length, longest - 1)) * places + place);
  });
  const rows = Array.from(Float64Array.from(keys).sort().subarray(0, limit), key => {
    const { hash: _, ...row } = fileRow(listed, listed.order[key % places]!);
    return row;
  });
  return { rows, truncated: keys.length > rows.length };
}

/** No path is longer than the one, and no list than the other. */
const longest = 2 ** 16;
const places = 2 ** 26;

/** Of a path that holds the text; lower is better. */
function rankOf(path: string, wanted: string): number {
  if (path === wanted) return 0;
  const base = path.slice(path.lastIndexOf('/') + 1);
  if (base === wanted || base.replace(/\.[^.]*$/, '') === wanted) return 1;
  if (base.startsWith(wanted)) return 2;
  return base.includes(wanted) ? 3 : 4;
}

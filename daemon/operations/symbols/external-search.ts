import type { SearchResult } from '../../../client/protocol/shapes.ts';
import { type MatchKind, matchNames } from '../../analysis/name-match.ts';
import { type NameTable, nameTable } from '../../analysis/name-table.ts';
import { pointsOf, scoreOf, weightOf } from '../../analysis/rank.ts';
import { type SymbolKind, symbolKinds } from '../../model/symbol.ts';
import type { ExternalName } from '../../store/external-rows.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { externalOf, externalSymbol, shownAs } from './external-symbol.ts';

export interface ExternalQuery {
  readonly text: string;
  /** Undefined: all. */
  readonly kinds: ReadonlySet<SymbolKind> | undefined;
}

/** The snapshot that is asked. */
export interface ExternalPlace {
  readonly key: string;
  readonly seq: number;
}

/** A symbol of a dependency that a query meets. */
export interface ExternalHit {
  readonly symbol: number;
  readonly name: string;
  readonly match: MatchKind;
  readonly score: number;
}

/** Searches symbols of dependencies; keeps what their names take to be scanned. */
export interface ExternalSearch {
  /** Those whose names a query meets and that the snapshot uses, best first. */
  find(place: ExternalPlace, query: ExternalQuery): readonly ExternalHit[];
  /** As they are shown; what is told of them is read now. */
  results(hits: readonly ExternalHit[], of: { readonly repo: string; readonly snapshotId: string }): SearchResult[];
}

/** Lists of snapshots: of the newest one, and of the one that somebody turns pages of. */
const listsKept = 2;
/** Of the lists that are kept together; the one that is asked for is kept whatever it takes. */
const externalsKept = 200_000;

export function externalSearch(reader: Pick<IndexReader, 'externals' | 'usedAt' | 'externalRows'>): ExternalSearch {
  /** The one that was asked for last stands last. */
  const kept: ExternalList[] = [];
  const listAt = ({ key, seq }: ExternalPlace): ExternalList => {
    const at = kept.findIndex(one => one.key === key && one.seq === seq);
    const list = at < 0 ? listOf(reader.externals(key), { key, seq }) : kept.splice(at, 1)[0]!;
    kept.push(list);
    const isTooMuch = () => kept.length > listsKept || kept.reduce((sum, one) => sum + one.size, 0) > externalsKept;
    while (kept.length > 1 && isTooMuch()) kept.shift();
    return list;
  };
  return {
    find: (place, query) => {
      const list = listAt(place);
      const met = matching(list, query);
      tellUsed(
        list,
        met.map(({ at }) => at),
        reader,
      );
      return met
        .filter(({ at }) => list.uses[at] === used)
        .map(({ at, match, score }) => ({
          symbol: list.symbols[at]!,
          name: list.names[list.nameOf[at]!]!,
          match,
          score,
        }))
        .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    },
    results: (hits, { repo, snapshotId }) => {
      const rows = reader.externalRows(hits.map(({ symbol }) => symbol));
      return hits.map(({ match, score }, at) => ({
        ...externalSymbol(externalOf(rows[at]!), repo, snapshotId),
        ...{ match, score },
      }));
    },
  };
}

const used = 1;
const unused = 2;

/** What an index names of dependencies, in columns: an item for each symbol, in the order of the index. */
interface ExternalList extends ExternalPlace {
  readonly size: number;
  readonly symbols: Float64Array;
  readonly kinds: Uint8Array;
  /** Indexes into `names`, which are distinct. */
  readonly nameOf: Uint32Array;
  readonly names: readonly string[];
  readonly table: NameTable;
  /** Those of name `n` are `byName[starts[n]]` to before `byName[starts[n + 1]]`. */
  readonly starts: Uint32Array;
  readonly byName: Uint32Array;
  /** Whether the snapshot uses one; 0 as long as nobody has asked. What it uses never changes. */
  readonly uses: Uint8Array;
}

function listOf(externals: readonly ExternalName[], place: ExternalPlace): ExternalList {
  const shown = externals.map(one => ({ symbol: one.symbol, ...shownAs(one) })).filter(({ name }) => name !== '');
  const numbers = new Map<string, number>();
  const nameOf = Uint32Array.from(shown, ({ name }) => {
    const known = numbers.get(name) ?? numbers.size;
    numbers.set(name, known);
    return known;
  });
  const names = [...numbers.keys()];
  const starts = new Uint32Array(names.length + 1);
  for (const name of nameOf) starts[name + 1]!++;
  for (let name = 0; name < names.length; name++) starts[name + 1]! += starts[name]!;
  const next = starts.slice();
  const byName = new Uint32Array(shown.length);
  nameOf.forEach((name, at) => {
    byName[next[name]!++] = at;
  });
  return {
    ...place,
    size: shown.length,
    symbols: Float64Array.from(shown, ({ symbol }) => symbol),
    kinds: Uint8Array.from(shown, ({ kind }) => symbolKinds.indexOf(kind)),
    ...{ nameOf, names, table: nameTable(names), starts, byName },
    uses: new Uint8Array(shown.length),
  };
}

const weights = symbolKinds.map(kind => weightOf({ kind, exported: true, hasBody: false, isTest: false }));

/** In no order; of one name in that of the list. */
function matching(list: ExternalList, { text, kinds }: ExternalQuery) {
  const { table, starts, byName } = list;
  const isWanted = symbolKinds.map(kind => kinds === undefined || kinds.has(kind));
  const met: { readonly at: number; readonly match: MatchKind; readonly score: number }[] = [];
  const sink = {
    bearers: Uint32Array.from(table.order, name => {
      let many = 0;
      for (let index = starts[name]!; index < starts[name + 1]!; index++)
        if (isWanted[list.kinds[byName[index]!]!]) many++;
      return many;
    }),
    weights: new Float64Array(table.order.length).fill(1),
    least: () => 0,
    put: (place: number, match: MatchKind, nameScore: number) => {
      const name = table.order[place]!;
      for (let index = starts[name]!; index < starts[name + 1]!; index++) {
        const at = byName[index]!;
        const kind = list.kinds[at]!;
        if (isWanted[kind]) met.push({ at, match, score: scoreOf(pointsOf(nameScore, weights[kind]!)) });
      }
    },
  };
  matchNames([{ table, sink }], text);
  return met;
}

/** Finds out of some whether the snapshot uses them. */
function tellUsed(
  { key, seq, symbols, uses }: ExternalList,
  some: readonly number[],
  reader: Pick<IndexReader, 'usedAt'>,
): void {
  const untold = some.filter(at => uses[at] === 0);
  if (untold.length === 0) return;
  const found = new Set(
    reader.usedAt(
      key,
      seq,
      untold.map(at => symbols[at]!),
    ),
  );
  for (const at of untold) uses[at] = found.has(symbols[at]!) ? used : unused;
}

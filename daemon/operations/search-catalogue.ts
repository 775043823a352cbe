import { type BestHits, bestHits, type Hit } from '../analysis/best-hits.ts';
import { matchNames } from '../analysis/name-match.ts';
import { isLonger, type NameTable, nameTable } from '../analysis/name-table.ts';
import { pointsOf, scoreOf, weightOf } from '../analysis/rank.ts';
import { type SymbolKind, symbolKinds } from '../model/symbol.ts';
import { type Catalogue, inTest } from '../store/catalogue-columns.ts';
import { unpackTraits } from '../store/link-body.ts';

export interface CatalogueQuery {
  readonly text: string;
  /** Undefined: all. */
  readonly kinds: ReadonlySet<SymbolKind> | undefined;
  /** A folder or a file, without a slash at its end; undefined: everywhere. */
  readonly scope: string | undefined;
}

export interface Found {
  /** The best in order, and no less than were wanted where there are as many. */
  readonly hits: readonly Hit[];
  /** How many there are in all. */
  readonly total: number;
}

/** A catalogue with what searches need beside it; answers are remembered, since people type, go back and turn pages. */
export interface SearchedCatalogue {
  /** Finds the best `wanted` of a query. A symbol with several sites is one hit, at the first that is in scope. */
  find(query: CatalogueQuery, wanted: number): Found;
  /** As `find`, among some definitions; not remembered. */
  findAmong(query: CatalogueQuery, wanted: number, isAmong: IsWanted): Found;
}

type IsWanted = (definition: number) => boolean;

/** Makes the searched form of each catalogue once; catalogues of the same names share what is derived from them. */
export function searchedCatalogues(): (catalogue: Catalogue) => SearchedCatalogue {
  const tables = new WeakMap<readonly string[], NameTable>();
  const searched = new WeakMap<Catalogue, SearchedCatalogue>();
  /** Of the last snapshot: most other lists are its own with some names more. */
  let latest: NameTable | undefined;
  return catalogue => {
    const known = searched.get(catalogue);
    if (known !== undefined) return known;
    const table = tables.get(catalogue.names) ?? nameTable(catalogue.names, latest);
    tables.set(catalogue.names, table);
    if (!hasOwnFacts(catalogue)) latest = table;
    const columns = { ...catalogue, table, ...perPlace(catalogue, table), ranked: rankedDefinitions(catalogue) };
    const made = searchedCatalogue(columns);
    searched.set(catalogue, made);
    return made;
  };
}

/** Whether it is of a tree beside the snapshots, whose names no later one goes on from. */
function hasOwnFacts({ documents }: Catalogue): boolean {
  return documents.some(document => document.facts !== undefined);
}

const answersKept = 64;
/** Of all answers together. */
const hitsKept = 100_000;

function searchedCatalogue(columns: Columns): SearchedCatalogue {
  const answers = new Map<string, Found>();
  let hits = 0;
  const forget = (key: string): void => {
    hits -= answers.get(key)?.hits.length ?? 0;
    answers.delete(key);
  };
  return {
    find: (query, wanted) => {
      const key = JSON.stringify([query.text, query.kinds && [...query.kinds].sort(), query.scope]);
      const known = answers.get(key);
      if (known !== undefined && known.hits.length >= Math.min(wanted, known.total)) return known;
      const found = search(columns, query, known === undefined ? wanted : withPagesAfter(wanted));
      forget(key);
      answers.set(key, found);
      hits += found.hits.length;
      for (const oldest of answers.keys()) {
        if (answers.size <= answersKept && hits <= hitsKept) break;
        forget(oldest);
      }
      return found;
    },
    findAmong: (query, wanted, isAmong) => search(columns, query, wanted, isAmong),
  };
}

/** Who turns one page turns more: the next of them are found along, so that a whole list costs a few searches. */
function withPagesAfter(wanted: number): number {
  let many = 1_000;
  while (many < wanted) many *= 4;
  return many;
}

interface Columns extends Catalogue {
  readonly table: NameTable;
  /** Of each name by its place in the table: how many symbols bear it, and the weight of its heaviest definition. */
  readonly bearers: Uint32Array;
  readonly heaviest: Float64Array;
  /**
   * Definitions in groups of one name from the same places on as in `order`, there one of each symbol, the heaviest first,
   * and of equal ones in their order. Those of the given name are sure to be there, others may not be.
   */
  readonly ranked: (name: number) => Uint32Array;
}

function search(columns: Columns, query: CatalogueQuery, wanted: number, isAmong?: IsWanted): Found {
  const { text, kinds, scope } = query;
  const best = bestHits(wanted);
  const fits = filterOf(columns, kinds, scope);
  const isWanted = fits && isAmong ? (one: number) => isAmong(one) && fits(one) : (isAmong ?? fits);
  const total = isWanted === undefined ? searchAll(columns, text, best) : searchSome(columns, text, isWanted, best);
  return { hits: best.inOrder(), total };
}

/** Most names of a broad query are counted and passed by. Returns how many symbols match. */
function searchAll(columns: Columns, text: string, best: BestHits): number {
  const { names, starts, traits, table, bearers, heaviest, ranked } = columns;
  let total = 0;
  const passed = matchNames(table, text, {
    ...{ bearers, weights: heaviest },
    least: () => scoreOf(best.least()) - roundedAway,
    put: (place, match, nameScore) => {
      const many = bearers[place]!;
      total += many;
      const most = pointsOf(nameScore, heaviest[place]!);
      if (most < best.least() || (most === best.least() && isLonger(table, place, best.longest()))) return;
      const name = table.order[place]!;
      const definitions = ranked(name);
      const end = starts[name]! + many;
      for (let at = starts[name]!; at < end; at++) {
        const definition = definitions[at]!;
        const weight = weights[traits[definition]!]!;
        const points = pointsOf(nameScore, weight);
        if (points < best.least()) return;
        const isAmong = best.put(names[name]!, definition, match, points);
        // Where one is beaten, those of its weight that come after it are too.
        if (!isAmong) at = lastOfWeight(columns, definitions, at, end, weight);
      }
    },
  });
  return total + passed;
}

function lastOfWeight(
  { traits }: Columns,
  definitions: Uint32Array,
  from: number,
  end: number,
  weight: number,
): number {
  let last = from;
  let after = end;
  while (after - last > 1) {
    const middle = (last + after) >>> 1;
    if (weights[traits[definitions[middle]!]!] === weight) last = middle;
    else after = middle;
  }
  return last;
}

/** As `searchAll`, of definitions that a filter lets through: every one must be looked at to be counted. */
function searchSome(
  { names, starts, order, symbolOf, traits, table, bearers, heaviest }: Columns,
  text: string,
  isWanted: IsWanted,
  best: BestHits,
): number {
  let total = 0;
  matchNames(table, text, {
    ...{ bearers, weights: heaviest },
    least: () => 0,
    put: (place, match, nameScore) => {
      const name = table.order[place]!;
      let symbol = -1;
      for (let slot = starts[name]!; slot < starts[name + 1]!; slot++) {
        const definition = order[slot]!;
        if (symbolOf[definition] === symbol || !isWanted(definition)) continue;
        symbol = symbolOf[definition]!;
        total++;
        const points = pointsOf(nameScore, weights[traits[definition]!]!);
        if (points >= best.least()) best.put(names[name]!, definition, match, points);
      }
    },
  });
  return total;
}

/** Scores are rounded: a name's may end up this much higher. */
const roundedAway = 0.000_06;

/** Weights of all traits that there are. */
const weights = Float64Array.from({ length: 2 * inTest }, (_, traits) =>
  weightOf({ ...unpackTraits(traits), isTest: traits >= inTest }),
);

function perPlace({ starts, order, traits, symbolCounts }: Catalogue, table: NameTable) {
  const bearers = table.order.map(name => symbolCounts[name]!);
  const heaviest = new Float64Array(bearers.length);
  table.order.forEach((name, place) => {
    for (let slot = starts[name]!; slot < starts[name + 1]!; slot++) {
      heaviest[place] = Math.max(heaviest[place]!, weights[traits[order[slot]!]!]!);
    }
  });
  return { bearers, heaviest };
}

/** Up to these are put in order one by one. */
const fewSites = 32;

function rankedDefinitions({ starts, order, symbolOf, symbolCounts, traits }: Catalogue): Columns['ranked'] {
  const ranked = new Uint32Array(order.length);
  const isRanked = new Uint8Array(symbolCounts.length);
  return name => {
    if (isRanked[name] === 1) return ranked;
    isRanked[name] = 1;
    const start = starts[name]!;
    let end = start;
    for (let at = start; at < starts[name + 1]!; at++) {
      if (at === start || symbolOf[order[at]!] !== symbolOf[order[at - 1]!]) ranked[end++] = order[at]!;
    }
    if (end - start > fewSites) sortMany(ranked.subarray(start, end), traits);
    else sortFew(ranked, start, end, traits);
    return ranked;
  };
}

function sortFew(definitions: Uint32Array, start: number, end: number, traits: Uint16Array): void {
  const weightAt = (at: number): number => weights[traits[definitions[at]!]!]!;
  for (let next = start + 1; next < end; next++) {
    const definition = definitions[next]!;
    const weight = weightAt(next);
    let at = next;
    for (; at > start; at--) {
      const before = weightAt(at - 1);
      if (before > weight || (before === weight && definitions[at - 1]! < definition)) break;
      definitions[at] = definitions[at - 1]!;
    }
    definitions[at] = definition;
  }
}

/** A number each: how much lighter than 1, then which; numbers alone are sorted several times as fast. */
function sortMany(definitions: Uint32Array, traits: Uint16Array): void {
  const keys = Float64Array.from(
    definitions,
    definition => Math.round((1 - weights[traits[definition]!]!) * 1e6) * 2 ** 32 + definition,
  );
  definitions.set(keys.sort().map(key => key % 2 ** 32));
}

/** Tells which definitions are asked for; undefined: all. */
function filterOf(
  { documents, documentOf, traits }: Catalogue,
  kinds: ReadonlySet<SymbolKind> | undefined,
  scope: string | undefined,
): IsWanted | undefined {
  if (kinds === undefined && scope === undefined) return undefined;
  const isWanted = Uint8Array.from(symbolKinds, kind => (kinds === undefined || kinds.has(kind) ? 1 : 0));
  const { first, end, file } =
    scope === undefined ? { first: 0, end: documents.length, file: -1 } : placesUnder(documents, scope);
  return definition => {
    const document = documentOf[definition]!;
    return ((document >= first && document < end) || document === file) && isWanted[traits[definition]! & 0xff] === 1;
  };
}

/** Documents are in the order of their paths: a folder's stand side by side, the file of that very path before them. */
function placesUnder(documents: Catalogue['documents'], scope: string) {
  const itself = documentsBefore(documents, scope);
  return {
    first: documentsBefore(documents, `${scope}/`),
    end: documentsBefore(documents, `${scope}${afterSlash}`),
    file: documents[itself]?.path === scope ? itself : -1,
  };
}

/** Whether no document lies under a scope: it may be misspelt. */
export function isEmptyScope({ documents }: Pick<Catalogue, 'documents'>, scope: string): boolean {
  const { first, end, file } = placesUnder(documents, scope);
  return first === end && file < 0;
}

/** The character after `/`. */
const afterSlash = '0';

/** How many documents have a path that sorts before a text. */
function documentsBefore(documents: Catalogue['documents'], text: string): number {
  let low = 0;
  let high = documents.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (documents[middle]!.path < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

import { invalid } from '../../client/protocol/faults.ts';
import type { InputOf, OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import { matchNames } from '../analysis/name-match.ts';
import { type NameTable, nameTable } from '../analysis/name-table.ts';
import { compareHits, type Hit, score, weightOf } from '../analysis/rank.ts';
import { type SymbolKind, symbolKinds } from '../model/symbol.ts';
import type { Catalogue } from '../store/catalogue.ts';
import type { IndexReader } from '../store/index-reader.ts';
import { traitValues, unpackTraits } from '../store/link-body.ts';
import { isAt, longName } from './find-symbol.ts';
import type { HeadTree } from './head-trees.ts';
import { type Asked, codeSymbol, completeness, startOf, startOfTree } from './symbol-answers.ts';

export type SearchInput = InputOf<Operations['symbols.search']>;
export type SearchOutput = OutputOf<Operations['symbols.search']>;

/** Answers searches over the catalogues of one reader; keeps what a list of names takes to be scanned. */
export interface SymbolSearch {
  /** `head` is the tree to search where the input asks for HEAD's. */
  answer(asked: Asked, input: SearchInput, head?: HeadTree): SearchOutput;
  /** Makes beforehand what the searches of the newest snapshot scan. */
  warm(asked: Asked): WarmedSearch | undefined;
}

/** What searches hold in memory. */
export interface WarmedSearch {
  readonly definitions: number;
  readonly names: number;
}

export function symbolSearch(reader: IndexReader): SymbolSearch {
  const tables = new WeakMap<readonly string[], NameTable>();
  const answered = new WeakMap<Catalogue, Map<string, Found>>();
  const tableOf = (names: readonly string[]): NameTable => {
    let table = tables.get(names);
    if (table === undefined) {
      table = nameTable(names);
      tables.set(names, table);
    }
    return table;
  };
  return {
    warm: ({ repo, current }) => {
      const catalogue = current === undefined ? undefined : reader.catalogue(repo.key, current.seq);
      if (catalogue === undefined) return undefined;
      tableOf(catalogue.names);
      return { definitions: catalogue.order.length, names: catalogue.names.length };
    },
    answer: (asked, input, head) => {
      const query = input.q.trim();
      const kinds = input.kinds === undefined ? undefined : new Set<SymbolKind>(input.kinds);
      const scope = scopeOf(input.scope);
      const binding = ['symbols.search', query, [...(kinds ?? [])].sort(), scope, input.repoStateMode];
      const start =
        head === undefined
          ? startOf(reader, asked, input.cursor, binding)
          : startOfTree(head.snapshot, asked, input.cursor, binding);
      const catalogue = head?.catalogue ?? reader.catalogue(asked.repo.key, start.snapshot.seq);
      if (query.includes('\0')) throw invalid('invalidParameter', [{ path: 'q', message: 'holds a NUL character' }]);
      const wanted = start.offset + input.limit;
      const found =
        catalogue === undefined
          ? { hits: [], total: 0 }
          : remembered(answered, catalogue, JSON.stringify([binding, wanted]), () =>
              search(reader, catalogue, tableOf(catalogue.names), { query, kinds, scope, wanted }),
            );
      const page = found.hits.slice(start.offset);
      const rows = catalogue === undefined ? [] : reader.rows(catalogue, page);
      const results = page.map((hit, at) => ({
        ...codeSymbol(rows[at]!, asked.repo.id, start.snapshot.snapshotId),
        score: hit.score,
        match: hit.match,
      }));
      const end = start.offset + results.length;
      const hasMore = end < found.total;
      return {
        query: input.q,
        results,
        total: found.total,
        hasMore,
        ...(hasMore ? { cursor: start.next(end) } : {}),
        snapshotId: start.snapshot.snapshotId,
        ...(head === undefined ? {} : { headCommit: head.commit }),
        completeness: completeness(start.snapshot, asked, 0),
        timestamp: new Date(asked.now).toISOString(),
      };
    },
  };
}

const longNamesLookedAt = 1_000;

/** Names may hold dots and hashes themselves; where none does, `Server.close` and `server.ts#close` are names with what narrows them. */
function search(reader: IndexReader, catalogue: Catalogue, table: NameTable, wanted: CatalogueQuery): Found {
  const whole = searchCatalogue(catalogue, table, wanted);
  const { name, path, containers } = longName(wanted.query);
  if (name === '' || name === wanted.query || whole.hits.some(hit => hit.match !== 'fuzzy')) return whole;
  const named = searchCatalogue(catalogue, table, { ...wanted, query: name, wanted: longNamesLookedAt }).hits.filter(
    hit => hit.match !== 'fuzzy' && isAt(hit.path, path),
  );
  const rows = containers.length === 0 ? [] : reader.rows(catalogue, named);
  const isInside = (at: number): boolean =>
    containers.every(
      (word, place) => rows[at]!.containers.at(place - containers.length)?.toLowerCase() === word.toLowerCase(),
    );
  const hits = named.filter((_, at) => isInside(at));
  return hits.length === 0 ? whole : { hits: hits.slice(0, wanted.wanted), total: hits.length };
}

interface Found {
  readonly hits: readonly CatalogueHit[];
  readonly total: number;
}

const answersKept = 64;
const longestKept = 1_000;

/** The hits of a query over one catalogue, kept while the catalogue is: people type, go back, and turn pages. */
function remembered(
  answered: WeakMap<Catalogue, Map<string, Found>>,
  catalogue: Catalogue,
  key: string,
  find: () => Found,
): Found {
  const kept = answered.get(catalogue) ?? new Map<string, Found>();
  answered.set(catalogue, kept);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const found = find();
  if (found.hits.length > longestKept) return found;
  kept.set(key, found);
  if (kept.size > answersKept) for (const oldest of [...kept.keys()].slice(0, 1)) kept.delete(oldest);
  return found;
}

interface CatalogueQuery {
  readonly query: string;
  readonly kinds: ReadonlySet<SymbolKind> | undefined;
  readonly scope: string | undefined;
  /** How many of the best to return. */
  readonly wanted: number;
}

interface CatalogueHit extends Hit {
  /** Its number in the catalogue. */
  readonly definition: number;
}

/** The best hits in order, and how many there are in all. A symbol with several sites is one hit, at the first that is in scope. */
export function searchCatalogue(
  catalogue: Catalogue,
  table: NameTable,
  { query, kinds, scope, wanted }: CatalogueQuery,
): Found {
  const { names, documents, starts, order, symbolCounts, symbolOf, documentOf, indexOf, traits } = catalogue;
  const isOutside = documentsOutside(documents, scope);
  const isWanted = kindsWanted(kinds);
  const best = bestOf<CatalogueHit>(wanted, compareHits);
  const isUnfiltered = isOutside === undefined && kinds === undefined;
  let total = 0;
  const passed = matchNames(table, query, {
    bearers: symbolCounts,
    // With a filter every definition must be looked at to be counted.
    least: () => (isUnfiltered ? best.least() : 0),
    put: (name, match, nameScore) => {
      // No definition scores above its name: most names of a broad query are counted and passed by.
      if (isUnfiltered) {
        total += symbolCounts[name]!;
        if (nameScore < best.least()) return;
      }
      let symbol = -1;
      for (let slot = starts[name]!; slot < starts[name + 1]!; slot++) {
        const definition = order[slot]!;
        const document = documentOf[definition]!;
        if (symbolOf[definition] === symbol || isOutside?.[document] === 1) continue;
        if (isWanted[traits[definition]! & 0xff] === 0) continue;
        symbol = symbolOf[definition]!;
        if (!isUnfiltered) total++;
        const { path, isTest } = documents[document]!;
        const points = score(nameScore, weightOfTraits(traits[definition]!, isTest));
        if (points < best.least()) continue;
        best.put({ name: names[name]!, path, index: indexOf[definition]!, definition, match, score: points });
      }
    },
  });
  return { hits: best.inOrder(), total: total + passed };
}

/** Weights of all traits that there are: a broad query asks for them a hundred thousand times. */
const weights = new Float64Array(2 * traitValues).fill(Number.NaN);

function weightOfTraits(traits: number, isTest: boolean): number {
  const at = traits + (isTest ? traitValues : 0);
  let weight = weights[at]!;
  if (Number.isNaN(weight)) {
    weight = weightOf({ ...unpackTraits(traits), isTest });
    weights[at] = weight;
  }
  return weight;
}

function documentsOutside(documents: Catalogue['documents'], scope: string | undefined): Uint8Array | undefined {
  return scope === undefined ? undefined : Uint8Array.from(documents, ({ path }) => (isInside(path, scope) ? 0 : 1));
}

function kindsWanted(kinds: ReadonlySet<SymbolKind> | undefined): Uint8Array {
  const wanted = new Uint8Array(256).fill(kinds === undefined ? 1 : 0);
  for (const kind of kinds ?? []) wanted[symbolKinds.indexOf(kind)] = 1;
  return wanted;
}

/** Keeps the best `wanted` of many without sorting them all. */
function bestOf<Item extends { readonly score: number }>(wanted: number, compare: (a: Item, b: Item) => number) {
  let items: Item[] = [];
  let least = -1;
  const cut = (): void => {
    items.sort(compare);
    items = items.slice(0, wanted);
    if (items.length === wanted) least = items[wanted - 1]?.score ?? -1;
  };
  return {
    least: (): number => least,
    put: (item: Item): void => {
      items.push(item);
      if (items.length >= wanted * 2 + 64) cut();
    },
    inOrder: (): readonly Item[] => {
      cut();
      return items;
    },
  };
}

/** Module ids and path prefixes are whole segments; the root module holds everything. */
function isInside(path: string, scope: string): boolean {
  return path === scope || path.startsWith(`${scope}/`);
}

function scopeOf(scope: string | undefined): string | undefined {
  const path = scope?.replace(/^\.\//, '').replace(/\/+$/, '');
  return path === undefined || path === '' || path === '.' || path === '@root' ? undefined : path;
}

import { type BestHits, bestHits, type Hit } from '../../analysis/best-hits.ts';
import { type MatchKind, type MatchSink, matchEqual, matchKinds, matchNames } from '../../analysis/name-match.ts';
import { isLonger, type NameTable } from '../../analysis/name-table.ts';
import { pointsOf, scoreOf } from '../../analysis/rank.ts';
import { type SymbolKind, symbolKinds } from '../../model/symbol.ts';
import {
  type Catalogue,
  compareInGroup,
  definitionsIn,
  documentsBefore,
  documentsUnder,
  placeOf,
} from '../../store/catalogue/columns.ts';
import { layersOf, type NameLayer, tablesOf } from './name-layers.ts';
import { RankedDefinitions, weights } from './ranked-definitions.ts';

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
  /** The best of what `findAmong` finds among the definitions of some documents: those that are not 0. */
  bestIn(query: CatalogueQuery, wanted: number, documents: Uint8Array): readonly Hit[];
  /** The exact matches alone of what `find` or `findAmong` finds. */
  exact(query: CatalogueQuery, wanted: number, isAmong?: IsWanted): readonly Hit[];
  /** Its names, for who weighs matches otherwise. */
  readonly layers: readonly NameLayer[];
}

type IsWanted = (definition: number) => boolean;

export interface SearchedCatalogues {
  /** The form of a catalogue is made once, and brought along with it; catalogues of the same names share their tables. */
  of(catalogue: Catalogue): SearchedCatalogue;
  /** Makes the form of a catalogue a step at a time. */
  readying(catalogue: Catalogue): Generator<void, void>;
}

export function searchedCatalogues(): SearchedCatalogues {
  const searched = new WeakMap<Catalogue, SearchedForm>();
  /** Of the last snapshot: most other lists of names are its own with some more. */
  let latest: readonly NameTable[] = [];
  const of = (catalogue: Catalogue, tables = latest): SearchedCatalogue => {
    const form = searched.get(catalogue) ?? new SearchedForm(catalogue, tables);
    searched.set(catalogue, form);
    form.bringAlong();
    if (!form.isBeside) latest = form.tables;
    return form;
  };
  return {
    of: catalogue => of(catalogue),
    *readying(catalogue) {
      if (!searched.has(catalogue)) of(catalogue, yield* tablesOf(catalogue, latest));
    },
  };
}

const answersKept = 64;
/** Of all answers together. */
const hitsKept = 100_000;

class SearchedForm implements SearchedCatalogue {
  /** Of a tree beside the snapshots, whose names no later one goes on from. */
  readonly isBeside: boolean;
  readonly #catalogue: Catalogue;
  readonly #ranked: RankedDefinitions;
  #layers: readonly NameLayer[] = [];
  readonly #met = new MetNames();
  readonly #answers = new Map<string, Found>();
  #hits = 0;
  /** The snapshot that all of this is of, and how many of the catalogue's touched names have been looked at. */
  #seq: number;
  #touched: number;

  constructor(catalogue: Catalogue, tables: readonly NameTable[]) {
    this.isBeside = catalogue.documents.some(document => document.facts !== undefined);
    this.#catalogue = catalogue;
    this.#ranked = new RankedDefinitions(catalogue);
    this.#seq = catalogue.seq;
    this.#touched = catalogue.touched.length;
    this.#layers = layersOf(catalogue, tables, []);
  }

  get layers(): readonly NameLayer[] {
    return this.#layers;
  }

  get tables(): readonly NameTable[] {
    return this.#layers.map(({ table }) => table);
  }

  /** Takes in what has changed in the catalogue. */
  bringAlong(): void {
    const catalogue = this.#catalogue;
    if (catalogue.seq === this.#seq) return;
    this.#seq = catalogue.seq;
    this.#answers.clear();
    this.#hits = 0;
    const names = new Set(catalogue.touched.slice(this.#touched));
    this.#touched = catalogue.touched.length;
    this.#ranked.forget(names);
    for (const name of names) this.#layers.find(({ table }) => name < table.first + table.order.length)?.update(name);
    this.#layers = layersOf(catalogue, this.tables, this.#layers);
  }

  find(query: CatalogueQuery, wanted: number): Found {
    const key = JSON.stringify([query.text, query.kinds && [...query.kinds].sort(), query.scope]);
    const known = this.#answers.get(key);
    if (known !== undefined && known.hits.length >= Math.min(wanted, known.total)) return known;
    const found = this.#search(query, known === undefined ? wanted : withPagesAfter(wanted));
    this.#forget(key);
    this.#answers.set(key, found);
    this.#hits += found.hits.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= answersKept && this.#hits <= hitsKept) break;
      this.#forget(oldest);
    }
    return found;
  }

  findAmong(query: CatalogueQuery, wanted: number, isAmong: IsWanted): Found {
    return this.#search(query, wanted, isAmong);
  }

  bestIn({ text, kinds, scope }: CatalogueQuery, wanted: number, documents: Uint8Array): readonly Hit[] {
    const catalogue = this.#catalogue;
    const met = this.#met;
    met.begin(catalogue.names.length);
    matchLayers(this.#layers, layer => met.sinkOf(layer), text);
    const best = bestHits(wanted);
    const isWanted = filterOf(catalogue, kinds, scope) ?? (() => true);
    for (const definition of firstSitesIn(
      catalogue,
      documents,
      one => met.has(catalogue.nameOf[one]!) && isWanted(one),
    )) {
      const name = catalogue.nameOf[definition]!;
      const points = pointsOf(met.scoreOf(name), weights[catalogue.traits[definition]!]!);
      if (points < best.least()) continue;
      best.put(catalogue.names[name]!, definition, placeOf(catalogue, definition), met.matchOf(name), points);
    }
    return best.inOrder();
  }

  exact({ text, kinds, scope }: CatalogueQuery, wanted: number, isAmong?: IsWanted): readonly Hit[] {
    const best = bestHits(wanted);
    const isWanted = together(isAmong, filterOf(this.#catalogue, kinds, scope)) ?? (() => true);
    const all = someOf(this.#catalogue, isWanted, best);
    matchEqual(
      this.#layers.map(layer => ({ table: layer.table, sink: all.sinkOf(layer) })),
      text,
    );
    return best.inOrder();
  }

  #forget(key: string): void {
    this.#hits -= this.#answers.get(key)?.hits.length ?? 0;
    this.#answers.delete(key);
  }

  #search(query: CatalogueQuery, wanted: number, isAmong?: IsWanted): Found {
    return search({ catalogue: this.#catalogue, layers: this.#layers, ranked: this.#ranked }, query, wanted, isAmong);
  }
}

/** Of symbols that some documents define, as a filter lets them through, the site there that comes first. */
function firstSitesIn(catalogue: Catalogue, documents: Uint8Array, isWanted: IsWanted): Iterable<number> {
  const { symbolOf } = catalogue;
  const bySymbol = new Map<number, number>();
  for (let document = 0; document < documents.length; document++) {
    if (documents[document] === 0) continue;
    for (const definition of definitionsIn(catalogue, document)) {
      if (!isWanted(definition)) continue;
      const known = bySymbol.get(symbolOf[definition]!);
      const isFirst = known === undefined || compareInGroup(catalogue, definition, known) < 0;
      if (isFirst) bySymbol.set(symbolOf[definition]!, definition);
    }
  }
  return bySymbol.values();
}

/** Which names a query meets, and how; used again, for a million of them are eight megabytes. */
class MetNames {
  #scores = new Float64Array(0);
  #matches = new Uint8Array(0);
  #met: number[] = [];

  begin(names: number): void {
    for (const name of this.#met) this.#scores[name] = 0;
    this.#met = [];
    if (this.#scores.length >= names) return;
    this.#scores = new Float64Array(Math.ceil(names * 1.1));
    this.#matches = new Uint8Array(this.#scores.length);
  }

  sinkOf({ table: { order }, bearers, weights: heaviest }: NameLayer): MatchSink {
    return {
      ...{ bearers, weights: heaviest },
      least: () => 0,
      put: (place, match, nameScore) => {
        const name = order[place]!;
        this.#scores[name] = nameScore;
        this.#matches[name] = matchKinds.indexOf(match);
        this.#met.push(name);
      },
    };
  }

  has(name: number): boolean {
    return this.#scores[name]! > 0;
  }
  scoreOf(name: number): number {
    return this.#scores[name]!;
  }
  matchOf(name: number): MatchKind {
    return matchKinds[this.#matches[name]!]!;
  }
}

/** Who turns one page turns more: the next of them are found along, so that a whole list costs a few searches. */
function withPagesAfter(wanted: number): number {
  let many = 1_000;
  while (many < wanted) many *= 4;
  return many;
}

/** What a search goes through. */
interface Searched {
  readonly catalogue: Catalogue;
  readonly layers: readonly NameLayer[];
  readonly ranked: RankedDefinitions;
}

function search(searched: Searched, query: CatalogueQuery, wanted: number, isAmong?: IsWanted): Found {
  const { text, kinds, scope } = query;
  const best = bestHits(wanted);
  const fits = filterOf(searched.catalogue, kinds, scope);
  const isWanted = together(isAmong, fits);
  const total = isWanted === undefined ? searchAll(searched, text, best) : searchSome(searched, text, isWanted, best);
  return { hits: best.inOrder(), total };
}

function together(one: IsWanted | undefined, other: IsWanted | undefined): IsWanted | undefined {
  return one && other ? definition => one(definition) && other(definition) : (one ?? other);
}

/** Most names of a broad query are counted and passed by. Returns how many symbols match. */
function searchAll({ catalogue, layers, ranked }: Searched, text: string, best: BestHits): number {
  const { names, starts, traits } = catalogue;
  let total = 0;
  const sinkOf = ({ table, bearers, weights: heaviest }: NameLayer): MatchSink => ({
    ...{ bearers, weights: heaviest },
    least: () => scoreOf(best.least()) - roundedAway,
    put: (place, match, nameScore) => {
      const many = bearers[place]!;
      total += many;
      const most = pointsOf(nameScore, heaviest[place]!);
      if (most < best.least() || (most === best.least() && isLonger(table, place, best.longest()))) return;
      const name = table.order[place]!;
      const definitions = ranked.of(name);
      const end = starts[name]! + many;
      for (let at = starts[name]!; at < end; at++) {
        const definition = definitions[at]!;
        const weight = weights[traits[definition]!]!;
        const points = pointsOf(nameScore, weight);
        if (points < best.least()) return;
        const isAmong = best.put(names[name]!, definition, placeOf(catalogue, definition), match, points);
        // Where one is beaten, those of its weight that come after it are too.
        if (!isAmong) at = lastOfWeight(traits, definitions, at, end, weight);
      }
    },
  });
  const passed = matchLayers(layers, sinkOf, text);
  return total + passed;
}

/** Returns by how many symbols the names that were passed over are borne. */
function matchLayers(layers: readonly NameLayer[], sinkOf: (layer: NameLayer) => MatchSink, text: string): number {
  return matchNames(
    layers.map(layer => ({ table: layer.table, sink: sinkOf(layer) })),
    text,
  );
}

function lastOfWeight(
  traits: Uint16Array,
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
function searchSome({ catalogue, layers }: Searched, text: string, isWanted: IsWanted, best: BestHits): number {
  const all = someOf(catalogue, isWanted, best);
  matchLayers(layers, all.sinkOf, text);
  return all.total();
}

/** Takes the definitions of each name that matches as a filter lets them through. */
function someOf(
  { names, starts, ends, order, symbolOf, documentOf, slots, traits }: Catalogue,
  isWanted: IsWanted,
  best: BestHits,
) {
  let total = 0;
  const sinkOf = ({ table, bearers, weights: heaviest }: NameLayer): MatchSink => ({
    ...{ bearers, weights: heaviest },
    least: () => 0,
    put: (place, match, nameScore) => {
      const name = table.order[place]!;
      let symbol = -1;
      for (let slot = starts[name]!; slot < ends[name]!; slot++) {
        const definition = order[slot]!;
        if (symbolOf[definition] === symbol || !isWanted(definition)) continue;
        symbol = symbolOf[definition]!;
        total++;
        const points = pointsOf(nameScore, weights[traits[definition]!]!);
        if (points < best.least()) continue;
        best.put(names[name]!, definition, placeOf({ documentOf, slots }, definition), match, points);
      }
    },
  });
  return { sinkOf, total: () => total };
}

/** Scores are rounded: a name's may end up this much higher. */
const roundedAway = 0.000_06;

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

/** A folder's documents, and the file of that very path before them. */
function placesUnder(documents: Catalogue['documents'], scope: string) {
  const itself = documentsBefore(documents, scope);
  return { ...documentsUnder(documents, scope), file: documents[itself]?.path === scope ? itself : -1 };
}

/** Whether no document lies under a scope: it may be misspelt. */
export function isEmptyScope({ documents }: Pick<Catalogue, 'documents'>, scope: string): boolean {
  const { first, end, file } = placesUnder(documents, scope);
  return first === end && file < 0;
}

import type { ScopeKey } from '../../model/document.ts';
import type { FactsView } from '../../model/facts-codec.ts';
import { inOneGo } from '../../model/in-one-go.ts';
import type { RepoPath } from '../../model/paths.ts';
import { compareSites, type SiteTraits } from '../../model/primary-site.ts';
import { EnclosingChains } from '../enclosing.ts';
import { traitValues, unpackTraits } from '../link-format.ts';

/**
 * Every definition of one tree in columns, for search: what a scan over all of them needs and no more (30 bytes a
 * definition and each distinct name once). It is cheaper to scan than an index on disk is to join: all matches of a
 * name, counted and ranked, without a row being read.
 *
 * One of a snapshot is brought along to the next as it stands (`patchCatalogue`), for of a million definitions a save
 * changes a few: whoever asks holds it for one question and no longer.
 */
export interface Catalogue {
  readonly seq: number;
  /** Distinct names; one that nothing bears any more keeps its place. */
  readonly names: readonly string[];
  /** By path. For the definitions of each see `definitionsIn`. */
  readonly documents: readonly CatalogueDocument[];
  /** Where the definitions of each document began when all was made, and the end. */
  readonly firsts: Uint32Array;
  /** Definitions of documents that have changed since, in the order of their slots. */
  readonly changed: ReadonlyMap<number, Uint32Array>;
  /** Definitions below this number stand in the order of their places: see `placeOf`. */
  readonly built: number;
  /** How many there are: numbers that are no definition's any more aside. */
  readonly size: number;
  /**
   * The definitions of name `n` are those from `order[starts[n]]` to before `order[ends[n]]`, those of one symbol side by
   * side, the site to show first in front.
   */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly order: Uint32Array;
  /** Per name: how many symbols bear it. */
  readonly symbolCounts: Uint32Array;
  /** Per definition: its symbol, index into `documents`, name, packed traits and `inTest`, the slot of its primary site in the facts. */
  readonly symbolOf: Uint32Array;
  readonly documentOf: Uint32Array;
  readonly nameOf: Uint32Array;
  readonly traits: Uint16Array;
  readonly slots: Uint32Array;
  /** Per definition: a chain of `chains`, or `untold` until somebody has looked into the facts. */
  readonly enclosing: Uint32Array;
  readonly chains: EnclosingChains;
  /** Names whose definitions have changed since all was made, the latest last. */
  readonly touched: readonly number[];
}

/** Added to the packed traits of definitions in tests. */
export const inTest = traitValues;

export interface CatalogueDocument {
  readonly document: number;
  readonly path: RepoPath;
  readonly isTest: boolean;
  readonly language: string;
  readonly scope: ScopeKey;
  /** Row of the facts. */
  readonly fact: number;
  /** The facts themselves, where no row holds them for this catalogue: see `overlaid`. */
  readonly facts?: FactsView;
}

/** What one document defines, an item for each definition, by their order in it. */
export interface Part {
  readonly place: CatalogueDocument;
  readonly symbols: ArrayLike<number>;
  /** Indexes into the catalogue's names. */
  readonly names: ArrayLike<number>;
  readonly traits: ArrayLike<number>;
  readonly slots: ArrayLike<number>;
}

/** A catalogue of what the parts define, and what another one defines in documents that are not left out. */
export function catalogueOf(...of: Parameters<typeof catalogueInSteps>): Catalogue {
  return inOneGo(catalogueInSteps(...of));
}

/** Documents, and names, that are looked at in one step: each is some 5 ms at most. */
const documentsPerStep = 2 ** 11;
const namesPerStep = 2 ** 14;

/** As `catalogueOf`, a step at a time. */
export function* catalogueInSteps(
  { seq, names }: Pick<Catalogue, 'seq' | 'names'>,
  parts: readonly Part[],
  base: Catalogue = nothing,
  isLeftOut: (document: CatalogueDocument) => boolean = () => false,
): Generator<void, Catalogue> {
  const stretches = merged(base, isLeftOut, parts);
  yield;
  const count = stretches.reduce((sum, one) => sum + ('place' in one ? one.symbols.length : lengthOf(base, one)), 0);
  const documents: CatalogueDocument[] = [];
  const columns = {
    symbolOf: new Uint32Array(count),
    documentOf: new Uint32Array(count),
    nameOf: new Uint32Array(count),
    traits: new Uint16Array(count),
    slots: new Uint32Array(count),
    enclosing: new Uint32Array(count),
  };
  const firsts = [0];
  let at = 0;
  const close = (document: CatalogueDocument, end: number): void => {
    columns.documentOf.fill(documents.length, at, end);
    documents.push(document);
    firsts.push(end);
    at = end;
  };
  for (const [index, one] of stretches.entries()) {
    if (index % documentsPerStep === documentsPerStep - 1) yield;
    if ('place' in one) {
      columns.nameOf.set(one.names, at);
      columns.symbolOf.set(one.symbols, at);
      columns.traits.set(one.traits, at);
      columns.slots.set(one.slots, at);
      close(one.place, at + one.symbols.length);
      continue;
    }
    const from = base.firsts[one.from]!;
    const to = base.firsts[one.to]!;
    for (const column of ['symbolOf', 'nameOf', 'traits', 'slots', 'enclosing'] as const)
      columns[column].set(base[column].subarray(from, to), at);
    const shift = at - from;
    for (let document = one.from; document < one.to; document++) {
      close(base.documents[document]!, base.firsts[document + 1]! + shift);
    }
  }
  const grouped = yield* groups(names.length, { documents, ...columns });
  return {
    ...{ seq, names, documents, built: count, size: count, changed: new Map(), touched: [] },
    firsts: Uint32Array.from(firsts),
    chains: base === nothing ? new EnclosingChains() : base.chains,
    ...columns,
    ...grouped,
  };
}

/** The definitions of a document, by its number. */
export function definitionsIn(
  { firsts, changed }: Pick<Catalogue, 'firsts' | 'changed'>,
  document: number,
): Uint32Array {
  const since = changed.get(document);
  if (since !== undefined) return since;
  const first = firsts[document]!;
  const all = new Uint32Array(firsts[document + 1]! - first);
  for (let at = 0; at < all.length; at++) all[at] = first + at;
  return all;
}

/** How many documents have a path that sorts before a text. */
export function documentsBefore(documents: Catalogue['documents'], text: string): number {
  let low = 0;
  let high = documents.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (documents[middle]!.path < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The documents of a folder, which stand side by side: from one to before another. */
export function documentsUnder(documents: Catalogue['documents'], folder: string) {
  return { first: documentsBefore(documents, `${folder}/`), end: documentsBefore(documents, `${folder}${afterSlash}`) };
}

/** The character after `/`. */
const afterSlash = '0';

/** A number that puts definitions in the order of their paths and of their places within the file. */
export function placeOf({ documentOf, slots }: Pick<Catalogue, 'documentOf' | 'slots'>, definition: number): number {
  return documentOf[definition]! * 2 ** 26 + slots[definition]!;
}

/** The same part with its definitions in the order of their slots. */
export function inOrder(part: Part): Part {
  const { slots } = part;
  let sorted = 1;
  while (sorted < slots.length && slots[sorted - 1]! <= slots[sorted]!) sorted++;
  if (sorted >= slots.length) return part;
  const order = Array.from(slots, (_, at) => at);
  order.sort((a, b) => slots[a]! - slots[b]!);
  const arranged = (column: ArrayLike<number>): readonly number[] => order.map(at => column[at]!);
  return {
    place: part.place,
    symbols: arranged(part.symbols),
    names: arranged(part.names),
    traits: arranged(part.traits),
    slots: arranged(slots),
  };
}

/** Puts the sites of one symbol beside each other, the one to show first in front. */
export function compareInGroup(
  { documents, documentOf, symbolOf, traits }: Pick<Catalogue, 'documents' | 'documentOf' | 'symbolOf' | 'traits'>,
  a: number,
  b: number,
): number {
  const siteAt = (at: number): SiteTraits => {
    const { path, isTest } = documents[documentOf[at]!]!;
    return { path, isTest, hasBody: unpackTraits(traits[at]!).hasBody };
  };
  return symbolOf[a]! - symbolOf[b]! || compareSites(siteAt(a), siteAt(b));
}

/** How many symbols the definitions of a group are of. */
export function symbolsIn(symbolOf: Uint32Array, group: Uint32Array): number {
  let many = 0;
  let symbol = -1;
  for (const definition of group) {
    if (symbolOf[definition] !== symbol) many++;
    symbol = symbolOf[definition]!;
  }
  return many;
}

/** Documents of another catalogue, from one to before another. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What is kept of a catalogue and what joins it, by path. */
function merged(
  base: Catalogue,
  isLeftOut: (document: CatalogueDocument) => boolean,
  parts: readonly Part[],
): readonly (Stretch | Part)[] {
  const { documents, changed } = base;
  const joining = parts.map(inOrder).sort((a, b) => (a.place.path < b.place.path ? -1 : 1));
  const all: (Stretch | Part)[] = [];
  let from = 0;
  let next = 0;
  const cut = (to: number): void => {
    if (to > from) all.push({ from, to });
    from = to;
  };
  documents.forEach((document, index) => {
    while (next < joining.length && joining[next]!.place.path < document.path) {
      cut(index);
      all.push(joining[next++]!);
    }
    const isOut = isLeftOut(document);
    if (!isOut && !changed.has(index)) return;
    cut(index);
    if (!isOut) all.push(partAt(base, index));
    from = index + 1;
  });
  cut(documents.length);
  return [...all, ...joining.slice(next)];
}

function partAt(base: Catalogue, document: number): Part {
  const definitions = definitionsIn(base, document);
  const column = (of: ArrayLike<number>): Uint32Array => definitions.map(definition => of[definition]!);
  return {
    place: base.documents[document]!,
    symbols: column(base.symbolOf),
    names: column(base.nameOf),
    traits: column(base.traits),
    slots: column(base.slots),
  };
}

function lengthOf({ firsts }: Catalogue, { from, to }: Stretch): number {
  return firsts[to]! - firsts[from]!;
}

/** Definitions in groups of one name (a counting sort), those of one symbol side by side. */
function* groups(
  nameCount: number,
  columns: Pick<Catalogue, 'documents' | 'documentOf' | 'symbolOf' | 'nameOf' | 'traits'>,
): Generator<void, Pick<Catalogue, 'starts' | 'ends' | 'order' | 'symbolCounts'>> {
  yield;
  const { starts, ends, order } = grouped(columns.nameOf, nameCount);
  const symbolCounts = new Uint32Array(nameCount);
  for (let name = 0; name < nameCount; name++) {
    if (name % namesPerStep === 0) yield;
    const group = order.subarray(starts[name]!, ends[name]!);
    if (group.length > 1) group.sort((a, b) => compareInGroup(columns, a, b));
    symbolCounts[name] = symbolsIn(columns.symbolOf, group);
  }
  return { starts, ends, order, symbolCounts };
}

function grouped(nameOf: Uint32Array, nameCount: number): Pick<Catalogue, 'starts' | 'ends' | 'order'> {
  const bounds = new Uint32Array(nameCount + 1);
  for (const name of nameOf) bounds[name + 1]!++;
  for (let name = 0; name < nameCount; name++) bounds[name + 1]! += bounds[name]!;
  const starts = bounds.slice(0, nameCount);
  const ends = starts.slice();
  const order = new Uint32Array(nameOf.length);
  nameOf.forEach((name, definition) => {
    order[ends[name]!++] = definition;
  });
  return { starts, ends, order };
}

const nothing: Catalogue = {
  ...{ seq: 0, names: [], documents: [], built: 0, size: 0, changed: new Map<never, never>(), touched: [] },
  firsts: new Uint32Array(1),
  starts: new Uint32Array(0),
  ends: new Uint32Array(0),
  order: new Uint32Array(0),
  symbolCounts: new Uint32Array(0),
  symbolOf: new Uint32Array(0),
  documentOf: new Uint32Array(0),
  nameOf: new Uint32Array(0),
  traits: new Uint16Array(0),
  slots: new Uint32Array(0),
  enclosing: new Uint32Array(0),
  chains: new EnclosingChains(),
};

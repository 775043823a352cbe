import type { ScopeKey } from '../model/document.ts';
import type { FactsView } from '../model/facts-codec.ts';
import type { RepoPath } from '../model/paths.ts';
import { compareSites, type SiteTraits } from '../model/primary-site.ts';
import { traitValues, unpackTraits } from './link-body.ts';

/**
 * Every definition of one tree in columns, for search: what a scan over all of them needs and no more (22 bytes a
 * definition and each distinct name once). It is cheaper to scan than an index on disk is to join: all matches of a
 * name, counted and ranked, without a row being read.
 */
export interface Catalogue {
  readonly seq: number;
  /** Distinct names; one that nothing bears any more keeps its place. */
  readonly names: readonly string[];
  /** By path. The definitions of document `d` are those from `firsts[d]` to before `firsts[d + 1]`. */
  readonly documents: readonly CatalogueDocument[];
  readonly firsts: Uint32Array;
  /**
   * The definitions of name `n` are `order[starts[n]]` to `order[starts[n + 1] - 1]`, those of one symbol side by side,
   * the site to show first in front.
   */
  readonly starts: Uint32Array;
  readonly order: Uint32Array;
  /** Per name: how many symbols bear it. */
  readonly symbolCounts: Uint32Array;
  /** Per definition: its symbol, index into `documents`, packed traits and `inTest`, the slot of its primary site in the facts. */
  readonly symbolOf: Uint32Array;
  readonly documentOf: Uint32Array;
  readonly traits: Uint16Array;
  readonly slots: Uint32Array;
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
export function catalogueOf(
  { seq, names }: Pick<Catalogue, 'seq' | 'names'>,
  parts: readonly Part[],
  base: Catalogue = nothing,
  isLeftOut: (document: CatalogueDocument) => boolean = () => false,
): Catalogue {
  const stretches = merged(base, isLeftOut, parts);
  const count = stretches.reduce((sum, one) => sum + ('place' in one ? one.symbols.length : lengthOf(base, one)), 0);
  const documents: CatalogueDocument[] = [];
  const nameOf = new Uint32Array(count);
  const baseNames = namesOf(base);
  const columns = {
    symbolOf: new Uint32Array(count),
    documentOf: new Uint32Array(count),
    traits: new Uint16Array(count),
    slots: new Uint32Array(count),
  };
  const firsts = [0];
  let at = 0;
  const close = (document: CatalogueDocument, end: number): void => {
    columns.documentOf.fill(documents.length, at, end);
    documents.push(document);
    firsts.push(end);
    at = end;
  };
  for (const one of stretches) {
    if ('place' in one) {
      nameOf.set(one.names, at);
      columns.symbolOf.set(one.symbols, at);
      columns.traits.set(one.traits, at);
      columns.slots.set(one.slots, at);
      close(one.place, at + one.symbols.length);
      continue;
    }
    const from = base.firsts[one.from]!;
    const to = base.firsts[one.to]!;
    nameOf.set(baseNames.subarray(from, to), at);
    for (const column of ['symbolOf', 'traits', 'slots'] as const)
      columns[column].set(base[column].subarray(from, to), at);
    const shift = at - from;
    for (let document = one.from; document < one.to; document++) {
      close(base.documents[document]!, base.firsts[document + 1]! + shift);
    }
  }
  return {
    seq,
    names,
    documents,
    firsts: Uint32Array.from(firsts),
    ...columns,
    ...groups(nameOf, names.length, { documents, ...columns }),
  };
}

/** Documents of another catalogue, from one to before another. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What is kept of a catalogue and what joins it, by path. */
function merged(
  { documents }: Catalogue,
  isLeftOut: (document: CatalogueDocument) => boolean,
  parts: readonly Part[],
): readonly (Stretch | Part)[] {
  const joining = [...parts].sort((a, b) => (a.place.path < b.place.path ? -1 : 1));
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
    if (isLeftOut(document)) {
      cut(index);
      from = index + 1;
    }
  });
  cut(documents.length);
  return [...all, ...joining.slice(next)];
}

function lengthOf({ firsts }: Catalogue, { from, to }: Stretch): number {
  return firsts[to]! - firsts[from]!;
}

/** Per definition: the index of its name. */
function namesOf({ names, starts, order }: Catalogue): Uint32Array {
  const nameOf = new Uint32Array(order.length);
  for (let name = 0; name < names.length; name++) {
    for (let slot = starts[name]!; slot < starts[name + 1]!; slot++) nameOf[order[slot]!] = name;
  }
  return nameOf;
}

/** Definitions in groups of one name (a counting sort), those of one symbol side by side. */
function groups(
  nameOf: Uint32Array,
  nameCount: number,
  { documents, documentOf, symbolOf, traits }: Pick<Catalogue, 'documents' | 'documentOf' | 'symbolOf' | 'traits'>,
): Pick<Catalogue, 'starts' | 'order' | 'symbolCounts'> {
  const { starts, order } = grouped(nameOf, nameCount);
  const siteAt = (at: number): SiteTraits => {
    const { path, isTest } = documents[documentOf[at]!]!;
    return { path, isTest, hasBody: unpackTraits(traits[at]!).hasBody };
  };
  const symbolCounts = new Uint32Array(nameCount);
  for (let name = 0; name < nameCount; name++) {
    const group = order.subarray(starts[name]!, starts[name + 1]!);
    if (group.length > 1) group.sort((a, b) => symbolOf[a]! - symbolOf[b]! || compareSites(siteAt(a), siteAt(b)));
    let symbol = -1;
    for (const definition of group) {
      if (symbolOf[definition] !== symbol) symbolCounts[name]!++;
      symbol = symbolOf[definition]!;
    }
  }
  return { starts, order, symbolCounts };
}

function grouped(
  nameOf: Uint32Array,
  nameCount: number,
): { readonly starts: Uint32Array; readonly order: Uint32Array } {
  const starts = new Uint32Array(nameCount + 1);
  for (const name of nameOf) starts[name + 1]!++;
  for (let name = 0; name < nameCount; name++) starts[name + 1]! += starts[name]!;
  const next = starts.slice();
  const order = new Uint32Array(nameOf.length);
  nameOf.forEach((name, definition) => {
    order[next[name]!++] = definition;
  });
  return { starts, order };
}

const nothing: Catalogue = {
  seq: 0,
  names: [],
  documents: [],
  firsts: new Uint32Array(1),
  starts: new Uint32Array(1),
  order: new Uint32Array(0),
  symbolCounts: new Uint32Array(0),
  symbolOf: new Uint32Array(0),
  documentOf: new Uint32Array(0),
  traits: new Uint16Array(0),
  slots: new Uint32Array(0),
};

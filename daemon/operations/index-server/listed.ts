import { createHash, createHmac } from 'node:crypto';
import { inOneGo } from '../../model/in-one-go.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import { type Catalogue, definitionsIn } from '../../store/catalogue/columns.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { unpackTraits } from '../../store/link-format.ts';
import type { SnapshotLists } from '../../store/snapshot-lists.ts';
import type { SymbolRow } from '../../store/symbol-rows.ts';
import { type PathText, pathText } from './path-text.ts';
import { type Shown, type ShownAs, shownAs } from './shown.ts';

/** A snapshot as an index server lists it. A document is meant by its number in the catalogue. */
export interface Listed {
  readonly reader: IndexReader;
  readonly catalogue: Catalogue;
  readonly lists: SnapshotLists;
  readonly shown: Shown;
  /** The documents in the order in which they are listed. */
  readonly order: Uint32Array;
  /** Of each document its place in that order. */
  readonly positions: Uint32Array;
  /** By number in the index file; undefined for one that the snapshot has not. */
  documentOf(number: number): number | undefined;
  shownPathOf(document: number): string;
  pathText(): PathText;
  /** Those whose path is shown so. */
  documentsAt(shownPath: string): readonly number[];
  /** The symbols that are shown at a document, by their definitions' numbers, in the order of their places. */
  symbolsOf(document: number): readonly number[];
  /** Whether a definition is the one at which its symbol is shown. */
  isShown(definition: number): boolean;
  kindOf(definition: number): SymbolKind;
  symbol(hash: string): SymbolRow | undefined;
  /** A number that takes a look at every definition, counted once for each question. */
  counted(question: string, count: () => number): number;
}

/** What is made of a catalogue once, for as long as it is of one snapshot. */
interface Made {
  readonly seq: number;
  readonly numbers: ReadonlyMap<number, number>;
  /** By what is shown, and to whom under which name. */
  readonly arranged: Map<string, Arranged>;
}

interface Arranged extends Pick<Listed, 'shown' | 'shownPathOf'> {
  readonly order: Uint32Array;
  readonly positions: Uint32Array;
  /** By definition: 1 where its symbol is shown at it. */
  readonly isShown: Uint8Array;
  readonly counts: Map<string, number>;
  /** By the path that is shown; made when somebody asks for one. */
  byPath: ReadonlyMap<string, readonly number[]> | undefined;
  /** Made when somebody searches it. */
  pathText: PathText | undefined;
}

const countsKept = 1000;

const made = new WeakMap<Catalogue, Made>();

/** Undefined where the file has no such snapshot. */
export function listed(reader: IndexReader, key: string, seq: number, as: ShownAs): Listed | undefined {
  const catalogue = reader.catalogue(key, seq);
  const lists = reader.lists(key, seq);
  if (catalogue === undefined || lists === undefined) return undefined;
  const { numbers, arranged } = madeOf(catalogue);
  const place = JSON.stringify(as);
  const all = arranged.get(place) ?? inOneGo(arranging({ reader, catalogue, lists }, as));
  arranged.set(place, all);
  const { shown, shownPathOf, order, positions, isShown, counts } = all;
  const documentOf = (number: number): number | undefined => numbers.get(number);
  return {
    ...{ reader, catalogue, lists, shown, order, positions, documentOf, shownPathOf },
    symbolsOf: document => [...definitionsIn(catalogue, document)].filter(one => isShown[one] === 1),
    pathText: () => {
      all.pathText ??= pathText(order, shownPathOf);
      return all.pathText;
    },
    documentsAt: path => {
      all.byPath ??= byShownPath(catalogue.documents.length, shownPathOf);
      return all.byPath.get(path) ?? [];
    },
    isShown: definition => isShown[definition] === 1,
    kindOf: definition => unpackTraits(catalogue.traits[definition]!).kind,
    symbol: hash =>
      isPlain(shown)
        ? lists.symbol(hash)
        : lists.symbol(hash, (one, other) => {
            const positionOf = (number: number): number => positions[numbers.get(number)!]!;
            const byBody = Number(other.hasBody) - Number(one.hasBody);
            return byBody || positionOf(one.document) - positionOf(other.document);
          }),
    counted: (question, count) => {
      const number = counts.get(question) ?? count();
      if (counts.size >= countsKept) counts.clear();
      counts.set(question, number);
      return number;
    },
  };
}

/** Makes what `listed` begins with a step at a time. */
export function* listedInSteps(reader: IndexReader, key: string, seq: number, as: ShownAs): Generator<void, void> {
  const catalogue = reader.catalogue(key, seq);
  const lists = reader.lists(key, seq);
  if (catalogue === undefined || lists === undefined) return;
  const place = JSON.stringify(as);
  if (madeOf(catalogue).arranged.has(place)) return;
  const all = yield* arranging({ reader, catalogue, lists }, as);
  // Between steps it may have been brought along.
  if (catalogue.seq === seq) madeOf(catalogue).arranged.set(place, all);
}

function madeOf(catalogue: Catalogue): Made {
  const known = made.get(catalogue);
  if (known?.seq === catalogue.seq) return known;
  const numbers = new Map(catalogue.documents.map(({ document }, index) => [document, index]));
  const now = { seq: catalogue.seq, numbers, arranged: new Map<string, Arranged>() };
  made.set(catalogue, now);
  return now;
}

/** Whether paths are shown as they are, so that rows may stand in their order. */
function isPlain({ privacy: { exposePaths, pathPrefixStrip } }: Shown): boolean {
  return exposePaths && pathPrefixStrip === '';
}

type Ordering = Pick<Listed, 'reader' | 'catalogue' | 'lists' | 'shown' | 'shownPathOf'> & { readonly secret: string };

function* arranging(of: Pick<Listed, 'reader' | 'catalogue' | 'lists'>, as: ShownAs): Generator<void, Arranged> {
  const { documents } = of.catalogue;
  const shown = shownAs(as, () => documents.map(({ path }) => path));
  const shownPathOf = (document: number): string => shown.path(documents[document]!.path);
  const ordering = { ...of, shown, shownPathOf, secret: as.secret };
  const order = yield* orderOf(ordering);
  const positions = new Uint32Array(order.length);
  order.forEach((document, position) => {
    positions[document] = position;
  });
  const isShown = yield* shownSites(ordering, positions);
  return { shown, shownPathOf, order, positions, isShown, counts: new Map(), byPath: undefined, pathText: undefined };
}

const namesPerStep = 2 ** 14;

/**
 * Sites of one symbol stand side by side in the catalogue, the one to show first in front; where paths, which have a say in
 * that, are kept back, one with a body counts, and then the order of documents.
 */
function* shownSites({ catalogue, shown }: Ordering, positions: Uint32Array): Generator<void, Uint8Array> {
  const { names, starts, ends, order, symbolOf, documentOf, traits } = catalogue;
  const isShown = new Uint8Array(symbolOf.length);
  const rank = (definition: number): number =>
    positions[documentOf[definition]!]! + (unpackTraits(traits[definition]!).hasBody ? 0 : 2 ** 32);
  for (let name = 0; name < names.length; name++) {
    if (name % namesPerStep === namesPerStep - 1) yield;
    for (let at = starts[name]!; at < ends[name]!; ) {
      let best = order[at]!;
      const symbol = symbolOf[best];
      for (at++; at < ends[name]! && symbolOf[order[at]!] === symbol; at++) {
        if (!isPlain(shown) && rank(order[at]!) < rank(best)) best = order[at]!;
      }
      isShown[best] = 1;
    }
  }
  return isShown;
}

/**
 * Documents in the order of what is shown of them: by path, where that is shown whole as the catalogue has them. Of those
 * that are shown alike, what they define and use decides, and where that is the same too, chance does: nothing that is
 * kept back.
 */
function* orderOf(ordering: Ordering): Generator<void, Uint32Array> {
  const { catalogue, shown, shownPathOf } = ordering;
  if (isPlain(shown)) return Uint32Array.from(catalogue.documents.keys());
  const byPath = byShownPath(catalogue.documents.length, shownPathOf);
  const paths = [...byPath.keys()].sort((a, b) => (a < b ? -1 : 1));
  const order: number[] = [];
  for (const path of paths) {
    for (const document of yield* inOrderOf(byPath.get(path)!, [names, rows, chance], ordering)) order.push(document);
  }
  return Uint32Array.from(order);
}

function byShownPath(
  documents: number,
  shownPathOf: (document: number) => string,
): ReadonlyMap<string, readonly number[]> {
  const byPath = new Map<string, number[]>();
  for (let document = 0; document < documents; document++) {
    const path = shownPathOf(document);
    const alike = byPath.get(path);
    if (alike === undefined) byPath.set(path, [document]);
    else alike.push(document);
  }
  return byPath;
}

type Measure = (document: number, ordering: Ordering) => string;

/** Each measure is taken of those alone that the ones before leave alike, for the later ones read more. */
function* inOrderOf(
  alike: readonly number[],
  [measure, ...others]: readonly Measure[],
  ordering: Ordering,
): Generator<void, readonly number[]> {
  if (measure === undefined || alike.length === 1) return alike;
  const groups = new Map<string, number[]>();
  for (const document of alike) {
    const value = measure(document, ordering);
    yield;
    const group = groups.get(value);
    if (group === undefined) groups.set(value, [document]);
    else group.push(document);
  }
  const values = [...groups.keys()].sort((a, b) => (a < b ? -1 : 1));
  const order: number[] = [];
  for (const value of values) {
    for (const document of yield* inOrderOf(groups.get(value)!, others, ordering)) order.push(document);
  }
  return order;
}

/** What a document defines, as the catalogue tells it. */
function names(document: number, { catalogue, shown }: Ordering): string {
  const { path, language } = catalogue.documents[document]!;
  const digest = createHash('sha256').update(language);
  for (const definition of definitionsIn(catalogue, document)) {
    const { kind } = unpackTraits(catalogue.traits[definition]!);
    const name = shown.name({ name: catalogue.names[catalogue.nameOf[definition]!]!, kind, path });
    digest.update(`\0${kind} ${name}`);
  }
  return digest.digest('hex');
}

/** All that is shown of a document but ids, which say nothing. */
function rows(document: number, { reader, catalogue, lists, shown }: Ordering): string {
  const { document: number, path, language } = catalogue.documents[document]!;
  const found = [...definitionsIn(catalogue, document)].map(definition => ({
    definition,
    name: catalogue.names[catalogue.nameOf[definition]!]!,
  }));
  const symbols = reader.rows(catalogue, found).map(row => ({ ...shown.symbol(row), id: '' }));
  const refs = lists
    .references(number)
    .map(reference => JSON.stringify({ ...shown.ref(path, language, reference), to_symbol_id: '', in_symbol_id: '' }));
  return createHash('sha256')
    .update(JSON.stringify([symbols, refs.sort()]))
    .digest('hex');
}

function chance(document: number, { catalogue, secret }: Ordering): string {
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(catalogue.documents[document]!.path).digest('hex');
}

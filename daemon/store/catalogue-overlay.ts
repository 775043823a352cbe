import type { ContentHash, Dialect, ScopeKey } from '../model/document.ts';
import { decodeFacts, FactsView } from '../model/facts-codec.ts';
import { symbolHash } from '../model/identity.ts';
import { mount } from '../model/mount.ts';
import type { RepoPath } from '../model/paths.ts';
import { arranged, type Catalogue, type CatalogueDocument } from './catalogue.ts';
import { type DefinedSymbol, packTraits } from './link-body.ts';
import { linkContent } from './link-table.ts';
import type { Prepare } from './rows.ts';
import { symbolNumber } from './symbol-rows.ts';

/** How a tree that is not indexed differs from a snapshot that is. */
export interface Overlay {
  /** Documents of the snapshot that the tree has not, or has otherwise. */
  readonly without: ReadonlySet<string>;
  /** What the tree has in their place or beside them: encoded facts by path. */
  readonly facts: ReadonlyMap<RepoPath, Uint8Array>;
}

/** Where a document's definitions come from: columns of the snapshot, or facts. */
interface Part extends CatalogueDocument {
  readonly symbols: ArrayLike<number>;
  readonly names: ArrayLike<number>;
  readonly slots: ArrayLike<number>;
  readonly traits: ArrayLike<number>;
  readonly indexes: ArrayLike<number>;
}

/**
 * The catalogue of a tree, from that of a snapshot and what differs: searched like any other, so that totals and order
 * are the tree's own. Symbols and names that the index file has never heard of get numbers that no row has.
 */
export function overlaid(base: Catalogue, overlay: Overlay, prepare: Prepare): Catalogue {
  const names = nameList(base.names);
  const numbers = symbolNumbers(prepare);
  const parts = partsOf(base).filter(({ path }) => !overlay.without.has(path) && !overlay.facts.has(path));
  for (const [path, facts] of overlay.facts) parts.push(partFrom(path, facts, names.numberOf, numbers));
  parts.sort((a, b) => (a.path < b.path ? -1 : 1));
  const count = parts.reduce((sum, part) => sum + part.names.length, 0);
  const column = (): Uint32Array => new Uint32Array(count);
  const [nameOf, symbolOf, documentOf, indexOf, traits, slots] = [
    column(),
    column(),
    column(),
    column(),
    column(),
    column(),
  ];
  let at = 0;
  parts.forEach((part, document) => {
    nameOf.set(part.names, at);
    symbolOf.set(part.symbols, at);
    traits.set(part.traits, at);
    slots.set(part.slots, at);
    indexOf.set(part.indexes, at);
    documentOf.fill(document, at, at + part.names.length);
    at += part.names.length;
  });
  const { seq } = base;
  return arranged(nameOf, { seq, names: names.all(), documents: parts, symbolOf, documentOf, indexOf, traits, slots });
}

/** The columns of a catalogue, cut where its documents begin: they stand in path order, each in one piece. */
function partsOf({ names, documents, starts, order, ...columns }: Catalogue): Part[] {
  const { symbolOf, documentOf, indexOf, traits, slots } = columns;
  const nameOf = new Uint32Array(order.length);
  for (let name = 0; name < names.length; name++) {
    for (let at = starts[name]!; at < starts[name + 1]!; at++) nameOf[order[at]!] = name;
  }
  let from = 0;
  return documents.map((document, index) => {
    let to = from;
    while (documentOf[to] === index) to++;
    const part = {
      ...placeOf(document),
      symbols: symbolOf.subarray(from, to),
      names: nameOf.subarray(from, to),
      slots: slots.subarray(from, to),
      traits: traits.subarray(from, to),
      indexes: indexOf.subarray(from, to),
    };
    from = to;
    return part;
  });
}

function placeOf({ document, path, isTest, language, scope, fact }: CatalogueDocument): CatalogueDocument {
  return { document, path, isTest, language, scope, fact };
}

/** No row has this number, or this key. */
const noRow = -1;
const noKey = { hash: '' as ContentHash, dialect: '' as Dialect, version: 0 };

function partFrom(
  path: RepoPath,
  encoded: Uint8Array,
  nameOf: (text: string) => number,
  symbolOf: (scope: string, tail: string) => number,
): Part {
  const facts = { ...decodeFacts(encoded), references: [] };
  const document = mount(path, facts);
  const { definitions } = linkContent(
    { document, key: noKey, links: { targets: [], questions: [] } },
    { nameOf, symbolOf, symbolOfTarget: () => noRow },
  );
  const column = (value: (one: DefinedSymbol) => number): number[] => definitions.map(value);
  return {
    ...{ document: noRow, path, isTest: document.isTest, language: facts.language, scope: document.scope },
    ...{ fact: noRow, facts: new FactsView(encoded) },
    symbols: column(one => one.symbol),
    names: column(one => one.name),
    slots: column(one => one.slot),
    traits: column(packTraits),
    indexes: definitions.map((_, index) => index),
  };
}

/** Names of a catalogue and those that come along. The same list again where none does, since others derive much from it. */
function nameList(known: readonly string[]) {
  let numbers: Map<string, number> | undefined;
  const added: string[] = [];
  return {
    numberOf(text: string): number {
      numbers ??= new Map(known.map((name, index) => [name, index]));
      const number = numbers.get(text) ?? numbers.size;
      if (number === numbers.size) {
        numbers.set(text, number);
        added.push(text);
      }
      return number;
    },
    all: (): readonly string[] => (added.length === 0 ? known : [...known, ...added]),
  };
}

const largestNumber = 0xffff_ffff;

function symbolNumbers(prepare: Prepare): (scope: string, tail: string) => number {
  const strangers = new Map<string, number>();
  return (scope, tail) => {
    const hash = symbolHash(scope as ScopeKey, tail);
    const known = symbolNumber(hash, prepare) ?? strangers.get(hash);
    if (known !== undefined) return known;
    const number = largestNumber - strangers.size;
    strangers.set(hash, number);
    return number;
  };
}

import type { ContentHash, Dialect, ScopeKey } from '../../model/document.ts';
import { decodeFacts, FactsView } from '../../model/facts-codec.ts';
import { symbolHash } from '../../model/identity.ts';
import { mount } from '../../model/mount.ts';
import type { RepoPath } from '../../model/paths.ts';
import { allGroups } from '../../model/reference-groups.ts';
import { type DefinedSymbol, packTraits } from '../link-format.ts';
import { linkContent } from '../link-table.ts';
import type { Prepare } from '../rows.ts';
import { symbolNumber } from '../symbol-rows.ts';
import { type Catalogue, type CatalogueDocument, catalogueOf, inTest, type Part } from './columns.ts';

/** How a tree that is not indexed differs from a snapshot that is. */
export interface Overlay {
  /** Documents of the snapshot that the tree has not, or has otherwise. */
  readonly without: ReadonlySet<string>;
  /** What the tree has in their place or beside them: encoded facts by path. */
  readonly facts: ReadonlyMap<RepoPath, Uint8Array>;
}

/**
 * The catalogue of a tree, from that of a snapshot and what differs: searched like any other, so that totals and order
 * are the tree's own. Symbols and names that the index file has never heard of get numbers that no row has.
 */
export function overlaid(base: Catalogue, overlay: Overlay, prepare: Prepare): Catalogue {
  const names = nameList(base.names);
  const numbers = symbolNumbers(prepare);
  const parts = [...overlay.facts].map(([path, facts]) => partFrom(path, facts, names.numberOf, numbers));
  const isLeftOut = ({ path }: CatalogueDocument): boolean => overlay.without.has(path) || overlay.facts.has(path);
  return catalogueOf({ seq: base.seq, names: names.all() }, parts, base, isLeftOut);
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
    { document, key: noKey, links: { targets: [], imports: [], questions: [], linked: allGroups } },
    { nameOf, symbolOf, symbolOfTarget: () => noRow },
  );
  const column = (value: (one: DefinedSymbol) => number): number[] => definitions.map(value);
  const { isTest, scope } = document;
  return {
    place: {
      document: noRow,
      path,
      isTest,
      language: facts.language,
      scope,
      fact: noRow,
      facts: new FactsView(encoded),
    },
    symbols: column(one => one.symbol),
    names: column(one => one.name),
    slots: column(one => one.slot),
    traits: column(one => packTraits(one) | (isTest ? inTest : 0)),
  };
}

/** Names of a catalogue and those that come along, in a list of their own: that of the catalogue grows. */
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
    all: (): readonly string[] => [...known, ...added],
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

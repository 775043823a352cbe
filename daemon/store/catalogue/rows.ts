import type { Range } from '../../model/facts.ts';
import type { FactsView } from '../../model/facts-codec.ts';
import { lastDescriptorAt, symbolHash } from '../../model/identity.ts';
import { scopeOfTail } from '../../model/mount.ts';
import { viewFacts } from '../document-view.ts';
import { untold } from '../enclosing.ts';
import { type CheckedFacts, factsOf } from '../fact-table.ts';
import type { Prepare } from '../rows.ts';
import { StoreError } from '../store-faults.ts';
import { type EnclosedRow, enclosedAt, rowOfSlot, type SymbolRow, symbolNumber } from '../symbol-rows.ts';
import { type Catalogue, type CatalogueDocument, compareInGroup, definitionsIn } from './columns.ts';

/** A definition of a catalogue by its number there, and the name that it was found under. */
export interface FoundDefinition {
  readonly definition: number;
  readonly name: string;
}

export interface CatalogueRows {
  of(catalogue: Catalogue, found: readonly FoundDefinition[]): readonly SymbolRow[];
  /** The symbol of a hash (32 hex digits) at the site to show first; undefined where the catalogue has none. */
  symbol(catalogue: Catalogue, hash: string): SymbolRow | undefined;
  /** The definitions that stand in another, by their tails, one of each symbol. */
  members(catalogue: Catalogue, definition: number): readonly FoundDefinition[];
  /** Of those rows what tells where each stands; undefined where what is right around it, if anything, has no name that is asked for. */
  enclosed(
    catalogue: Catalogue,
    found: readonly FoundDefinition[],
    isAskedFor: (innermost: string | undefined) => boolean,
  ): readonly (EnclosedRow | undefined)[];
  /** All of each, its body included. */
  ranges(catalogue: Catalogue, found: readonly FoundDefinition[]): readonly Range[];
  /** Looks up what encloses each definition of the documents from one to before another. */
  tellEnclosing(catalogue: Catalogue, from: number, to: number): void;
}

/** The rows of what a search found. A catalogue says all of a definition but its texts and positions; these are in the facts. */
export function catalogueRows(prepare: Prepare, checked: CheckedFacts): CatalogueRows {
  /** Facts of one answer alone: its hits are seldom of one file. */
  const views = (): ((document: CatalogueDocument) => FactsView) => {
    const known = new Map<number, FactsView>();
    return ({ fact, facts }) => {
      const view = facts ?? known.get(fact) ?? viewFacts(factsOf(fact, checked, prepare), fact);
      if (facts === undefined) known.set(fact, view);
      return view;
    };
  };
  const of: CatalogueRows['of'] = (catalogue, found) => {
    const viewOf = views();
    return found.map(({ definition, name }) => {
      const document = catalogue.documents[catalogue.documentOf[definition]!]!;
      const row = rowOf(document, viewOf(document), catalogue.slots[definition]!);
      if (row.name !== name) throw new StoreError('corrupt', `a name of document ${document.document} is damaged`);
      return row;
    });
  };
  return {
    of,
    symbol: (catalogue, hash) => {
      const [definition] = sitesOf(catalogue, hash, prepare);
      const name = definition === undefined ? undefined : catalogue.names[catalogue.nameOf[definition]!]!;
      return name === undefined ? undefined : of(catalogue, [{ definition: definition!, name }])[0];
    },
    members: (catalogue, definition) => membersIn(catalogue, definition, views()),
    enclosed: (catalogue, found, isAskedFor) => {
      const { chains, enclosing, documents, documentOf } = catalogue;
      const viewOf = views();
      return found.map(({ definition }) => {
        tellEnclosing(catalogue, definition, viewOf);
        const chain = enclosing[definition]!;
        if (!isAskedFor(chains.innermost(chain))) return undefined;
        const { path } = documents[documentOf[definition]!]!;
        return { path, containers: chains.containers(chain), packageName: chains.packageName(chain) };
      });
    },
    ranges: (catalogue, found) => {
      const { documents, documentOf, slots } = catalogue;
      const viewOf = views();
      return found.map(({ definition }) =>
        viewOf(documents[documentOf[definition]!]!).definitionRange(slots[definition]!),
      );
    },
    tellEnclosing: (catalogue, from, to) => {
      const viewOf = views();
      for (let document = from; document < to; document++) {
        for (const definition of definitionsIn(catalogue, document)) tellEnclosing(catalogue, definition, viewOf);
      }
    },
  };
}

/** The definitions of a symbol, the one to show first in front. */
function sitesOf(catalogue: Catalogue, hash: string, prepare: Prepare): readonly number[] {
  const { documentOf, symbolOf } = catalogue;
  const number = symbolNumber(hash, prepare) ?? strangerOf(catalogue, hash);
  const sites: number[] = [];
  for (let at = number === undefined ? -1 : symbolOf.indexOf(number); at >= 0; at = symbolOf.indexOf(number!, at + 1)) {
    // Numbers that are no definition's any more keep what they had.
    if (definitionsIn(catalogue, documentOf[at]!).includes(at)) sites.push(at);
  }
  return sites.sort((a, b) => compareInGroup(catalogue, a, b));
}

/** The number that a catalogue gave to a symbol of which the index file has never heard: see `overlaid`. */
function strangerOf(catalogue: Catalogue, hash: string): number | undefined {
  for (const [index, document] of catalogue.documents.entries()) {
    const { facts } = document;
    if (facts === undefined) continue;
    const found = definitionsIn(catalogue, index).find(at => hashAt(document, facts, catalogue.slots[at]!) === hash);
    if (found !== undefined) return catalogue.symbolOf[found];
  }
  return undefined;
}

function tellEnclosing(
  { enclosing, chains, documents, documentOf, slots }: Catalogue,
  definition: number,
  viewOf: (document: CatalogueDocument) => FactsView,
): void {
  if (enclosing[definition] !== untold) return;
  const document = documents[documentOf[definition]!]!;
  enclosing[definition] = chains.numberOf(enclosedAt(document.path, viewOf(document), slots[definition]!));
}

/** A scope of more documents than this is no package: there members are looked for beside their container. */
const mostOfScope = 200;

function membersIn(
  catalogue: Catalogue,
  definition: number,
  viewOf: (document: CatalogueDocument) => FactsView,
): readonly FoundDefinition[] {
  const { documents, documentOf, slots, symbolOf } = catalogue;
  const own = documents[documentOf[definition]!]!;
  const tail = viewOf(own).definitionTail(slots[definition]!);
  const ofScope = documentsByScope(catalogue).get(own.scope)!;
  const around = ofScope.length > mostOfScope ? [documentOf[definition]!] : ofScope;
  const seen = new Set<number>();
  const found: FoundDefinition[] = [];
  for (const index of around) {
    const facts = viewOf(documents[index]!);
    for (const at of definitionsIn(catalogue, index)) {
      const other = facts.definitionTail(slots[at]!);
      if (!other.startsWith(tail) || other === tail || lastDescriptorAt(other) !== tail.length) continue;
      if (seen.has(symbolOf[at]!)) continue;
      seen.add(symbolOf[at]!);
      found.push({ definition: at, name: facts.definitionName(slots[at]!) });
    }
  }
  return found;
}

type ByScope = ReadonlyMap<string, readonly number[]>;

/** Of each catalogue, as it was at a snapshot. */
const scopesKnown = new WeakMap<Catalogue, { readonly seq: number; readonly byScope: ByScope }>();

/** Numbers of the documents that share a scope, ascending: each hit of an answer asks for those of its own. */
function documentsByScope(catalogue: Catalogue): ByScope {
  const known = scopesKnown.get(catalogue);
  if (known?.seq === catalogue.seq) return known.byScope;
  const byScope = new Map<string, number[]>();
  catalogue.documents.forEach(({ scope }, index) => {
    const some = byScope.get(scope);
    if (some === undefined) byScope.set(scope, [index]);
    else some.push(index);
  });
  scopesKnown.set(catalogue, { seq: catalogue.seq, byScope });
  return byScope;
}

function rowOf(document: CatalogueDocument, facts: FactsView, slot: number): SymbolRow {
  return rowOfSlot({ ...document, facts: () => facts, hashOf: at => hashAt(document, facts, at) }, slot);
}

function hashAt(document: CatalogueDocument, facts: FactsView, slot: number): string {
  const tail = facts.definitionTail(slot);
  return symbolHash(scopeOfTail(document, tail), tail);
}

import type { FactsView } from '../model/facts-codec.ts';
import { lastDescriptorAt, symbolHash } from '../model/identity.ts';
import { scopeOfTail } from '../model/mount.ts';
import { type Catalogue, type CatalogueDocument, definitionsIn } from './catalogue-columns.ts';
import { viewFacts } from './document-view.ts';
import { untold } from './enclosing.ts';
import { type CheckedFacts, factsOf } from './fact-table.ts';
import type { Prepare } from './rows.ts';
import { StoreError } from './store-faults.ts';
import { type EnclosedRow, enclosedAt, rowOfSlot, type SymbolRow } from './symbol-rows.ts';

/** A definition of a catalogue by its number there, and the name that it was found under. */
export interface FoundDefinition {
  readonly definition: number;
  readonly name: string;
}

export interface CatalogueRows {
  of(catalogue: Catalogue, found: readonly FoundDefinition[]): readonly SymbolRow[];
  /** The definitions that stand in another, by their tails, one of each symbol. */
  members(catalogue: Catalogue, definition: number): readonly FoundDefinition[];
  /** Of those rows what tells where each stands; undefined where what is right around it, if anything, has no name that is asked for. */
  enclosed(
    catalogue: Catalogue,
    found: readonly FoundDefinition[],
    isAskedFor: (innermost: string | undefined) => boolean,
  ): readonly (EnclosedRow | undefined)[];
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
  return {
    of: (catalogue, found) => {
      const viewOf = views();
      return found.map(({ definition, name }) => {
        const document = catalogue.documents[catalogue.documentOf[definition]!]!;
        const row = rowOf(document, viewOf(document), catalogue.slots[definition]!);
        if (row.name !== name) throw new StoreError('corrupt', `a name of document ${document.document} is damaged`);
        return row;
      });
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
    tellEnclosing: (catalogue, from, to) => {
      const viewOf = views();
      for (let document = from; document < to; document++) {
        for (const definition of definitionsIn(catalogue, document)) tellEnclosing(catalogue, definition, viewOf);
      }
    },
  };
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
  const hashOf = (at: number): string => {
    const tail = facts.definitionTail(at);
    return symbolHash(scopeOfTail(document, tail), tail);
  };
  return rowOfSlot({ ...document, facts: () => facts, hashOf }, slot);
}

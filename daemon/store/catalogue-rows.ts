import type { FactsView } from '../model/facts-codec.ts';
import { symbolHash } from '../model/identity.ts';
import { scopeOfTail } from '../model/mount.ts';
import type { Catalogue, CatalogueDocument } from './catalogue-columns.ts';
import { viewFacts } from './document-view.ts';
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
  /** Of those rows what tells where each stands. */
  enclosed(catalogue: Catalogue, found: readonly FoundDefinition[]): readonly EnclosedRow[];
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
    enclosed: (catalogue, found) => {
      const viewOf = views();
      return found.map(({ definition }) => {
        const document = catalogue.documents[catalogue.documentOf[definition]!]!;
        return enclosedAt(document.path, viewOf(document), catalogue.slots[definition]!);
      });
    },
  };
}

function rowOf(document: CatalogueDocument, facts: FactsView, slot: number): SymbolRow {
  const hashOf = (at: number): string => {
    const tail = facts.definitionTail(at);
    return symbolHash(scopeOfTail(document, tail), tail);
  };
  return rowOfSlot({ ...document, facts: () => facts, hashOf }, slot);
}

import type { FactsView } from '../model/facts-codec.ts';
import { symbolHash } from '../model/identity.ts';
import { scopeOfTail } from '../model/mount.ts';
import type { Catalogue, CatalogueDocument } from './catalogue-columns.ts';
import { viewFacts } from './document-view.ts';
import { type CheckedFacts, factsOf } from './fact-table.ts';
import type { Prepare } from './rows.ts';
import { StoreError } from './store-faults.ts';
import { rowOfSlot, type SymbolRow } from './symbol-rows.ts';

/** A definition of a catalogue by its number there, and the name that it was found under. */
export interface FoundDefinition {
  readonly definition: number;
  readonly name: string;
}

export interface CatalogueRows {
  of(catalogue: Catalogue, found: readonly FoundDefinition[]): readonly SymbolRow[];
}

/** The rows of what a search found. A catalogue says all of a definition but its texts and positions; these are in the facts. */
export function catalogueRows(prepare: Prepare, checked: CheckedFacts): CatalogueRows {
  return {
    of: (catalogue, found) => {
      // Of this answer alone: its hits are seldom of one file.
      const views = new Map<number, FactsView>();
      const viewOf = (fact: number): FactsView => {
        const view = views.get(fact) ?? viewFacts(factsOf(fact, checked, prepare), fact);
        views.set(fact, view);
        return view;
      };
      return found.map(({ definition, name }) => {
        const document = catalogue.documents[catalogue.documentOf[definition]!]!;
        const row = rowOf(document, document.facts ?? viewOf(document.fact), catalogue.slots[definition]!);
        if (row.name !== name) throw new StoreError('corrupt', `a name of document ${document.document} is damaged`);
        return row;
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

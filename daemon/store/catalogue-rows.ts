import type { FactsView } from '../model/facts-codec.ts';
import { symbolHash } from '../model/identity.ts';
import { scopeOfTail } from '../model/mount.ts';
import type { Catalogue } from './catalogue.ts';
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

/**
 * The rows of what a search found. A catalogue says all of a definition but its texts and positions; these are in the
 * facts, which are kept up to `cacheBytes`, the least recently used leaving first. So most rows take no statement.
 */
export function catalogueRows(prepare: Prepare, cacheBytes: number, checked: CheckedFacts): CatalogueRows {
  const cache = new Map<number, { readonly view: FactsView; readonly bytes: number }>();
  let bytes = 0;
  const factsAt = (fact: number): FactsView => {
    const known = cache.get(fact);
    if (known !== undefined) {
      cache.delete(fact);
      cache.set(fact, known);
      return known.view;
    }
    const stored = factsOf(fact, checked, prepare);
    const view = viewFacts(stored, fact);
    cache.set(fact, { view, bytes: stored.length });
    bytes += stored.length;
    for (const [oldest, { bytes: size }] of cache) {
      if (bytes <= cacheBytes || oldest === fact) break;
      cache.delete(oldest);
      bytes -= size;
    }
    return view;
  };
  return {
    of: (catalogue, found) =>
      found.map(({ definition, name }) => {
        const document = catalogue.documents[catalogue.documentOf[definition]!]!;
        const view = document.facts ?? factsAt(document.fact);
        const hashOf = (slot: number): string => {
          const tail = view.definitionTail(slot);
          return symbolHash(scopeOfTail(document, tail), tail);
        };
        const row = rowOfSlot({ ...document, facts: () => view, hashOf }, catalogue.slots[definition]!);
        if (row.name !== name) throw new StoreError('corrupt', `a name of document ${document.document} is damaged`);
        return row;
      }),
  };
}

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

/**
 * The rows of what a search found. A catalogue says all of a definition but its texts and positions; these are in the
 * facts, of which each hit takes a small part. So it is rows that are kept, up to `cacheBytes`: most take no statement.
 */
export function catalogueRows(prepare: Prepare, cacheBytes: number, checked: CheckedFacts): CatalogueRows {
  const kept = recentRows(cacheBytes);
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
        const slot = catalogue.slots[definition]!;
        const row =
          document.facts === undefined
            ? kept.get(document, slot, () => rowOf(document, viewOf(document.fact), slot))
            : rowOf(document, document.facts, slot);
        if (row.name !== name) throw new StoreError('corrupt', `a name of document ${document.document} is damaged`);
        return row;
      });
    },
  };
}

/** Rows by facts and slot in two generations, of which the older is dropped when the younger has grown to half of the bound. */
function recentRows(cacheBytes: number) {
  let young = new Map<number, SymbolRow>();
  let old = young;
  let bytes = 0;
  return {
    get(document: CatalogueDocument, slot: number, make: () => SymbolRow): SymbolRow {
      const key = document.fact * mostSlots + slot;
      const known = young.get(key);
      // The same facts may be those of several files.
      if (known?.path === document.path) return known;
      const older = old.get(key);
      const row = older?.path === document.path ? older : make();
      young.set(key, row);
      bytes += sizeOf(row);
      if (bytes * 2 > cacheBytes) {
        old = young;
        young = new Map();
        bytes = 0;
      }
      return row;
    },
  };
}

/** Of one file; what is past it has lines by the million. */
const mostSlots = 2 ** 21;

function rowOf(document: CatalogueDocument, facts: FactsView, slot: number): SymbolRow {
  const hashOf = (at: number): string => {
    const tail = facts.definitionTail(at);
    return symbolHash(scopeOfTail(document, tail), tail);
  };
  return rowOfSlot({ ...document, facts: () => facts, hashOf }, slot);
}

/** Bytes in memory, about. */
function sizeOf({ signature, documentation }: SymbolRow): number {
  return 600 + signature.length + documentation.length;
}

import type { Catalogue, CatalogueDocument } from '../store/catalogue-columns.ts';
import type { FoundDefinition } from '../store/catalogue-rows.ts';
import type { IndexReader } from '../store/index-reader.ts';
import type { SymbolRow } from '../store/symbol-rows.ts';
import { symbolAnywhere } from './symbol-answers.ts';

/** The JSON of what searches found, each from the hash in its id on, without its snapshot and the closing brace. */
export interface SymbolTexts {
  of(catalogue: Catalogue, found: readonly FoundDefinition[]): readonly string[];
}

/**
 * Keeps them up to `cacheBytes`. A row costs ten times what its text does: facts to read, five texts to decode, a hash,
 * and objects by the dozen for the collector of garbage, where a text is one and is sent as it stands.
 */
export function symbolTexts(reader: IndexReader, cacheBytes: number): SymbolTexts {
  const kept = recentTexts(cacheBytes);
  return {
    of: (catalogue, found) => {
      const { documents, documentOf, slots } = catalogue;
      const texts = found.map(({ definition, name }) =>
        kept.get(documents[documentOf[definition]!]!, slots[definition]!, name),
      );
      const missing = found.filter((_, at) => texts[at] === undefined);
      const rows = missing.length === 0 ? [] : reader.rows(catalogue, missing);
      let next = 0;
      return texts.map((known, at) => {
        if (known !== undefined) return known;
        const { definition, name } = found[at]!;
        const text = textOf(rows[next++]!);
        kept.put(documents[documentOf[definition]!]!, slots[definition]!, name, text);
        return text;
      });
    },
  };
}

function textOf(row: SymbolRow): string {
  return `${row.hash}",${JSON.stringify(symbolAnywhere(row)).slice(1, -1)}`;
}

interface Kept {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** Texts by facts and slot in two generations, of which the older is dropped when the younger has grown to half of the bound. */
function recentTexts(cacheBytes: number) {
  let young = new Map<number, Kept>();
  let old = young;
  let bytes = 0;
  const add = (key: number, kept: Kept): void => {
    young.set(key, kept);
    bytes += besideText + kept.text.length;
    if (bytes * 2 <= cacheBytes) return;
    old = young;
    young = new Map();
    bytes = 0;
  };
  return {
    get(document: CatalogueDocument, slot: number, name: string): string | undefined {
      if (document.facts !== undefined) return undefined;
      const key = document.fact * mostSlots + slot;
      const recent = young.get(key);
      const known = recent ?? old.get(key);
      // The same facts may be those of several files; another name than was read here means damage, and is looked into.
      if (known?.path !== document.path || known.name !== name) return undefined;
      if (recent === undefined) add(key, known);
      return known.text;
    },
    put(document: CatalogueDocument, slot: number, name: string, text: string): void {
      if (document.facts === undefined) add(document.fact * mostSlots + slot, { name, path: document.path, text });
    },
  };
}

/** Bytes in memory of a place, its entry in the table and its object, about. */
const besideText = 120;

/** Of one file; what is past it has lines by the million. */
const mostSlots = 2 ** 21;

import type { CodeSymbol } from '../../../client/protocol/shapes.ts';
import type { Catalogue, CatalogueDocument } from '../../store/catalogue/columns.ts';
import type { FoundDefinition } from '../../store/catalogue/rows.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import type { SymbolRow } from '../../store/symbol-rows.ts';
import { definitionSource, symbolAnywhere } from './answers.ts';

/** The JSON of what searches found, each from the hash in its id on, without its snapshot and the closing brace. */
export interface SymbolTexts {
  of(catalogue: Catalogue, found: readonly FoundDefinition[]): readonly Uint8Array[];
}

/**
 * Keeps them as bytes, up to about `cacheBytes`. A row costs ten times what its bytes do: facts to read, five texts to
 * decode, a hash, and objects by the dozen for the collector of garbage, where bytes lie outside of its heap and are sent
 * as they stand.
 */
export function symbolTexts(reader: Pick<IndexReader, 'rows' | 'identity'>, cacheBytes: number): SymbolTexts {
  const kept = new RecentTexts(cacheBytes);
  const source = definitionSource(reader);
  return {
    of: (catalogue, found) => {
      const { documents, documentOf, slots } = catalogue;
      const texts = found.map(({ definition }) => kept.get(documents[documentOf[definition]!]!, slots[definition]!));
      const missing = found.filter((_, at) => texts[at] === undefined);
      const rows = missing.length === 0 ? [] : reader.rows(catalogue, missing);
      let next = 0;
      return texts.map((known, at) => {
        if (known !== undefined) return known;
        const { definition } = found[at]!;
        const text = Buffer.from(textOf(rows[next++]!, source));
        kept.put(documents[documentOf[definition]!]!, slots[definition]!, text);
        return text;
      });
    },
  };
}

function textOf(row: SymbolRow, source: CodeSymbol['source']): string {
  return `${row.hash}",${JSON.stringify(symbolAnywhere(row, source)).slice(1, -1)}`;
}

const chunkBytes = 2 ** 20;
/** There is a place for every so many bytes of the bound: fewer than most texts have. */
const bytesPerPlace = 256;
/** A text stands at one of so many places, or else nowhere. */
const tries = 4;

/**
 * The latest texts, one after another in chunks of which the oldest makes room for the newest. A text is found by its
 * document, the very one: those that change are made anew, those that stay are the same in the next catalogue.
 */
class RecentTexts {
  readonly #mostChunks: number;
  readonly #chunks: Uint8Array[] = [];
  /** The number of the chunk that is written to, and how much of it is taken. */
  #latest = 0;
  #end = 0;
  /** By place: whose text it is; its slot, the number of its chunk, where in there it begins, and how many bytes it has. */
  readonly #owners: (CatalogueDocument | undefined)[];
  readonly #whereabouts: Uint32Array;

  constructor(cacheBytes: number) {
    this.#mostChunks = Math.ceil(cacheBytes / chunkBytes);
    const places = 2 ** Math.ceil(Math.log2(cacheBytes / bytesPerPlace));
    this.#owners = new Array<CatalogueDocument | undefined>(places).fill(undefined);
    this.#whereabouts = new Uint32Array(places * numbersPerPlace);
  }

  get(document: CatalogueDocument, slot: number): Uint8Array | undefined {
    const first = this.#firstPlace(document, slot);
    for (let next = 0; next < tries; next++) {
      const place = (first + next) % this.#owners.length;
      const at = place * numbersPerPlace;
      if (this.#owners[place] !== document || this.#whereabouts[at] !== slot) continue;
      if (!this.#isThere(place)) return undefined;
      const begin = this.#whereabouts[at + 2]!;
      return this.#chunks[this.#whereabouts[at + 1]! % this.#mostChunks]!.subarray(
        begin,
        begin + this.#whereabouts[at + 3]!,
      );
    }
    return undefined;
  }

  put(document: CatalogueDocument, slot: number, text: Uint8Array): void {
    // Facts that no row holds are those of a tree that is seldom asked for twice.
    if (document.facts !== undefined || text.length > chunkBytes) return;
    if (this.#end + text.length > chunkBytes) {
      this.#latest++;
      this.#end = 0;
    }
    const chunk = this.#latest % this.#mostChunks;
    // Not the oldest one written over: an answer under way may show parts of it.
    if (this.#end === 0) this.#chunks[chunk] = new Uint8Array(chunkBytes);
    this.#chunks[chunk]!.set(text, this.#end);
    const place = this.#freePlace(this.#firstPlace(document, slot));
    this.#owners[place] = document;
    this.#whereabouts.set([slot, this.#latest, this.#end, text.length], place * numbersPerPlace);
    this.#end += text.length;
  }

  #firstPlace({ document }: CatalogueDocument, slot: number): number {
    return (Math.imul(Math.imul(document, 0x9e3779b1) ^ slot, 0x85ebca6b) >>> 8) % this.#owners.length;
  }

  #freePlace(first: number): number {
    for (let next = 0; next < tries; next++) {
      const place = (first + next) % this.#owners.length;
      if (this.#owners[place] === undefined || !this.#isThere(place)) return place;
    }
    return first;
  }

  #isThere(place: number): boolean {
    return this.#whereabouts[place * numbersPerPlace + 1]! > this.#latest - this.#mostChunks;
  }
}

const numbersPerPlace = 4;

import { weightOf } from '../../analysis/rank.ts';
import { type Catalogue, inTest, placeOf } from '../../store/catalogue/columns.ts';
import { unpackTraits } from '../../store/link-format.ts';

/** Weights of all traits that there are. */
export const weights = Float64Array.from({ length: 2 * inTest }, (_, traits) =>
  weightOf({ ...unpackTraits(traits), isTest: traits >= inTest }),
);

/**
 * Definitions in groups of one name from the same places on as in a catalogue's `order`, there one of each symbol, the
 * heaviest first, and of equal ones in the order of their places. Each group is made when it is first asked for.
 */
export class RankedDefinitions {
  readonly #catalogue: Catalogue;
  #ranked: Uint32Array;
  #isRanked: Uint8Array;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
    this.#ranked = new Uint32Array(catalogue.order.length);
    this.#isRanked = new Uint8Array(catalogue.symbolCounts.length);
  }

  /** To be told of names whose groups have changed. */
  forget(names: Iterable<number>): void {
    const { order, symbolCounts } = this.#catalogue;
    if (this.#ranked.length < order.length) {
      const ranked = new Uint32Array(order.length);
      ranked.set(this.#ranked);
      this.#ranked = ranked;
    }
    if (this.#isRanked.length < symbolCounts.length) {
      const isRanked = new Uint8Array(symbolCounts.length);
      isRanked.set(this.#isRanked);
      this.#isRanked = isRanked;
    }
    for (const name of names) this.#isRanked[name] = 0;
  }

  /** All groups; that of the name is sure to be there, others may not be. */
  of(name: number): Uint32Array {
    const ranked = this.#ranked;
    if (this.#isRanked[name] === 1) return ranked;
    this.#isRanked[name] = 1;
    const { starts, ends, order, symbolOf } = this.#catalogue;
    const start = starts[name]!;
    let end = start;
    for (let at = start; at < ends[name]!; at++) {
      if (at === start || symbolOf[order[at]!] !== symbolOf[order[at - 1]!]) ranked[end++] = order[at]!;
    }
    if (end - start > fewDefinitions) sortMany(ranked.subarray(start, end), this.#catalogue);
    else sortFew(ranked, start, end, this.#catalogue);
    return ranked;
  }
}

/** Up to these are put in order one by one. */
const fewDefinitions = 32;

function sortFew(definitions: Uint32Array, start: number, end: number, catalogue: Catalogue): void {
  for (let next = start + 1; next < end; next++) {
    const definition = definitions[next]!;
    let at = next;
    for (; at > start && compare(catalogue, definition, definitions[at - 1]!) < 0; at--) {
      definitions[at] = definitions[at - 1]!;
    }
    definitions[at] = definition;
  }
}

/** Heaviest first, then by place. */
function compare(catalogue: Catalogue, a: number, b: number): number {
  const { traits } = catalogue;
  return weights[traits[b]!]! - weights[traits[a]!]! || placeOf(catalogue, a) - placeOf(catalogue, b);
}

/**
 * A number each: how much lighter than 1, then which; numbers alone are sorted several times as fast. Of those that came
 * after the others, which are few, the number says nothing about the place: they are put among them.
 */
function sortMany(definitions: Uint32Array, catalogue: Catalogue): void {
  const { traits, built } = catalogue;
  const keys = Float64Array.from(
    definitions.filter(definition => definition < built),
    definition => Math.round((1 - weights[traits[definition]!]!) * 1e6) * 2 ** 32 + definition,
  );
  const early = keys.sort().map(key => key % 2 ** 32);
  const late = Array.from(definitions.filter(definition => definition >= built));
  late.sort((a, b) => compare(catalogue, a, b));
  let next = 0;
  let end = 0;
  for (const definition of early) {
    while (next < late.length && compare(catalogue, late[next]!, definition) < 0) definitions[end++] = late[next++]!;
    definitions[end++] = definition;
  }
  definitions.set(late.slice(next), end);
}

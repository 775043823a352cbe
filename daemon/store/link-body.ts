import type { ReferenceKind } from '../model/facts.ts';
import { type SymbolKind, symbolKinds, type Visibility, visibilities } from '../model/symbol.ts';
import { type Groups, groupOf, lowerBound, mergeGroups, wordsOf, writeGroups } from './encoded-words.ts';

/**
 * What one document defines and what its references point at, as one buffer of 32-bit words that is read in place:
 *
 *   header       magic, the six counts, 1 where the document was read only in part, how many words `calls` has
 *   definitions  4 words each, by symbol: symbol, name, kind and flags, primary slot
 *   slots        for each slot of the facts: index into definitions
 *   targets      symbols that occur, ascending; then where each one's occurrences start
 *   occurrences  reference index * 128 + confidence in hundredths, each symbol's ascending
 *   names        names of unresolved references, ascending; then where each one's references start
 *   references   reference index * 8 + kind of use, or `elsewhere`
 *   calls        one bit for each reference of the facts, the lowest first: 1 where it is a call
 *
 * Positions, other kinds and enclosing slots stay in the facts under the reference index; so a save that only shifts lines
 * leaves this buffer as it was. The occurrences of one symbol are found by bisection, without decoding the rest.
 */
export const magic = 0x53564c34;
export const headerWords = 9;
const partialWord = 7;
/** So many bytes of a body tell `isPartial`. */
export const headBytes = headerWords * 4;
export const definitionWords = 4;

export interface DefinedSymbol {
  /** Row of the symbol table. */
  readonly symbol: number;
  /** Row of the name table. */
  readonly name: number;
  readonly kind: SymbolKind;
  readonly visibility: Visibility;
  readonly exported: boolean;
  readonly hasBody: boolean;
  /** The site shown first: has a body, stands first. */
  readonly slot: number;
}

export interface LinkContent {
  /** The parser lost its way in the document: it may define and use more. */
  readonly isPartial: boolean;
  readonly definitions: readonly DefinedSymbol[];
  /** Symbol row of each slot. */
  readonly slots: readonly number[];
  /** Symbol row → occurrences. Confidence 0 to 1. */
  readonly targets: ReadonlyMap<number, readonly Occurrence[]>;
  /** Name row → the references that nothing settled, packed: reference index * 8 + index of its kind. */
  readonly unresolved: ReadonlyMap<number, readonly number[]>;
  /** As `callBits` packs them. */
  readonly calls: Uint32Array;
}

export interface Occurrence {
  /** Index into the facts' references. */
  readonly reference: number;
  readonly confidence: number;
}

export class BrokenLinks extends Error {}

/** In place of a kind of use: likely no use of a definition of the repository, whatever its name. */
export const elsewhere = 7;

/** Packed traits are below this. */
export const traitValues = 1 << 12;

type Traits = Pick<DefinedSymbol, 'kind' | 'visibility' | 'exported' | 'hasBody'>;

/** Packs kind and flags of a definition into one word; the catalogue carries it along. */
export function packTraits(definition: Traits): number {
  return (
    symbolKinds.indexOf(definition.kind) |
    (visibilities.indexOf(definition.visibility) << 8) |
    (definition.exported ? 1 << 10 : 0) |
    (definition.hasBody ? 1 << 11 : 0)
  );
}

export function unpackTraits(traits: number): Traits {
  return {
    kind: symbolKinds[traits & 0xff] ?? 'object',
    visibility: visibilities[(traits >>> 8) & 3] ?? 'public',
    exported: (traits & (1 << 10)) !== 0,
    hasBody: (traits & (1 << 11)) !== 0,
  };
}

export function encodeLinks(content: LinkContent): Uint8Array {
  const definitions = [...content.definitions].sort((a, b) => a.symbol - b.symbol);
  const indexOf = new Map(definitions.map((definition, index) => [definition.symbol, index]));
  const targets = [...content.targets.keys()].sort((a, b) => a - b);
  const names = [...content.unresolved.keys()].sort((a, b) => a - b);
  const occurrenceCount = sumOf(content.targets.values());
  const referenceCount = sumOf(content.unresolved.values());
  const words = new Uint32Array(
    headerWords +
      definitions.length * definitionWords +
      content.slots.length +
      targets.length * 2 +
      1 +
      occurrenceCount +
      names.length * 2 +
      1 +
      referenceCount +
      content.calls.length,
  );
  words.set([
    magic,
    definitions.length,
    content.slots.length,
    targets.length,
    occurrenceCount,
    names.length,
    referenceCount,
    content.isPartial ? 1 : 0,
    content.calls.length,
  ]);
  let at = headerWords;
  for (const definition of definitions) {
    words.set([definition.symbol, definition.name, packTraits(definition), definition.slot], at);
    at += definitionWords;
  }
  for (const symbol of content.slots) words[at++] = indexOf.get(symbol)!;
  at = writeGroups(words, at, targets, symbol =>
    content.targets.get(symbol)!.map(one => one.reference * 128 + Math.round(one.confidence * 100)),
  );
  at = writeGroups(words, at, names, name => content.unresolved.get(name)!);
  words.set(content.calls, at);
  return new Uint8Array(words.buffer);
}

/** Which of a document's references are calls, as a body keeps it. */
export function callBits(references: readonly { readonly kind: ReferenceKind }[]): Uint32Array {
  const bits = new Uint32Array(Math.ceil(references.length / 32));
  for (let at = 0; at < references.length; at++) if (references[at]!.kind === 'call') bits[at >>> 5]! |= 1 << (at & 31);
  return bits;
}

function sumOf(groups: Iterable<{ readonly length: number }>): number {
  let sum = 0;
  for (const group of groups) sum += group.length;
  return sum;
}

/** Whether the words that begin a body say that its document was read only in part. */
export function isPartialHead(words: Uint32Array): boolean {
  return words[partialWord] === 1;
}

/** Rows of the symbols and names that a body speaks of by other numbers. */
export interface RowNumbers {
  readonly symbols: Uint32Array;
  readonly names: Uint32Array;
}

/** Reads an encoded link body in place. Throws `BrokenLinks` where the buffer is none. */
export class LinkBody {
  readonly #words: Uint32Array;
  readonly #slots: number;
  readonly #targets: number;
  readonly #names: number;
  readonly #calls: number;

  constructor(body: Uint8Array) {
    const words = wordsOf(body, headerWords);
    if (words === undefined) throw new BrokenLinks('truncated');
    this.#words = words;
    if (words[0] !== magic) throw new BrokenLinks('not a link body');
    this.#slots = headerWords + this.definitionCount * definitionWords;
    this.#targets = this.#slots + this.#word(2);
    this.#names = this.#targets + this.#word(3) * 2 + 1 + this.#word(4);
    this.#calls = this.#names + this.#word(5) * 2 + 1 + this.#word(6);
    if (this.#calls + this.#word(8) !== this.#words.length) {
      throw new BrokenLinks('sections do not fit');
    }
  }

  get isPartial(): boolean {
    return isPartialHead(this.#words);
  }
  get definitionCount(): number {
    return this.#word(1);
  }
  get slotCount(): number {
    return this.#word(2);
  }
  /** References, settled or not. */
  get referenceCount(): number {
    return this.#word(4) + this.#word(6);
  }

  symbolAt(index: number): number {
    return this.#word(headerWords + index * definitionWords);
  }
  nameAt(index: number): number {
    return this.#word(headerWords + index * definitionWords + 1);
  }
  traitsAt(index: number): number {
    return this.#word(headerWords + index * definitionWords + 2);
  }
  primarySlotAt(index: number): number {
    return this.#word(headerWords + index * definitionWords + 3);
  }

  /** Index of a symbol among the definitions, -1 where this document defines it not. */
  indexOfSymbol(symbol: number): number {
    const definitions = this.#words.subarray(headerWords, this.#slots);
    const index = lowerBound(definitions, definitionWords, symbol);
    return definitions[index * definitionWords] === symbol ? index : -1;
  }

  /** Symbol row of a slot. */
  symbolOfSlot(slot: number): number {
    return this.symbolAt(this.definitionOfSlot(slot));
  }

  /** Index of a slot's definition. */
  definitionOfSlot(slot: number): number {
    return this.#word(this.#slots + slot);
  }

  /** Every slot (site) of a definition, ascending. */
  slotsOf(index: number): number[] {
    const slots: number[] = [];
    for (let slot = 0; slot < this.#word(2); slot++) if (this.#word(this.#slots + slot) === index) slots.push(slot);
    return slots;
  }

  /** Occurrences of a symbol, packed: reference index * 128 + confidence in hundredths. */
  occurrencesOf(symbol: number): Uint32Array {
    return groupOf(this.#words, this.#targets, this.#word(3), symbol);
  }

  /** In hundredths how sure it is that a reference points at a symbol; 0 where it does not. */
  sureness(reference: number, symbol: number): number {
    const occurrences = this.occurrencesOf(symbol);
    const found = occurrences[lowerBound(occurrences, 1, reference * 128)];
    return found !== undefined && found >>> 7 === reference ? found & 127 : 0;
  }

  /** Whether a reference of the facts is a call. */
  isCall(reference: number): boolean {
    return (((this.#words[this.#calls + (reference >>> 5)] ?? 0) >>> (reference & 31)) & 1) === 1;
  }

  /** References of an unresolved name, packed: reference index * 8 + index of its kind. */
  unresolved(name: number): Uint32Array {
    return groupOf(this.#words, this.#names, this.#word(5), name);
  }

  symbols(): Uint32Array {
    const rows = new Uint32Array(this.definitionCount);
    for (let index = 0; index < rows.length; index++) rows[index] = this.symbolAt(index);
    return rows;
  }
  names(): Uint32Array {
    const rows = new Uint32Array(this.definitionCount);
    for (let index = 0; index < rows.length; index++) rows[index] = this.nameAt(index);
    return rows;
  }
  targets(): Uint32Array {
    return this.#words.subarray(this.#targets, this.#targets + this.#word(3));
  }
  /** How many references the name at `index` of the unresolved ones has. */
  unresolvedCountAt(index: number): number {
    const boundary = this.#names + this.#word(5) + index;
    return this.#word(boundary + 1) - this.#word(boundary);
  }
  unresolvedNames(): Uint32Array {
    return this.#words.subarray(this.#names, this.#names + this.#word(5));
  }

  /** By the index of a reference, what `meaning` makes of the symbol that it points at. */
  targetsByReference<Meaning>(meaning: (symbol: number) => Meaning): (Meaning | undefined)[] {
    const found: (Meaning | undefined)[] = [];
    for (const symbol of this.targets()) {
      const meant = meaning(symbol);
      for (const packed of this.occurrencesOf(symbol)) found[packed >>> 7] = meant;
    }
    return found;
  }

  /** Every occurrence of a symbol, packed as `occurrencesOf` gives them, one symbol's behind the other. */
  eachOccurrence(take: (symbol: number, packed: number) => void): void {
    const count = this.#word(3);
    const first = this.#targets + count * 2 + 1;
    for (let at = 0; at < count; at++) {
      const end = this.#word(this.#targets + count + at + 1);
      const symbol = this.#word(this.#targets + at);
      for (let row = this.#word(this.#targets + count + at); row < end; row++) take(symbol, this.#word(first + row));
    }
  }

  /** Every unresolved reference, packed as `unresolved` gives them. */
  eachUnresolvedUse(take: (packed: number) => void): void {
    for (let at = this.#calls - this.#word(6); at < this.#calls; at++) take(this.#word(at));
  }

  /** Names of unresolved references, and how many each has. */
  eachUnresolved(take: (name: number, count: number) => void): void {
    const count = this.#word(5);
    for (let at = 0, boundary = this.#names + count; at < count; at++, boundary++) {
      take(this.#word(this.#names + at), this.#word(boundary + 1) - this.#word(boundary));
    }
  }

  /** The same body about rows in place of the numbers that it was made with. */
  renumbered(rows: RowNumbers): Uint8Array {
    const words = this.#words.slice();
    const newIndex = new Uint32Array(this.definitionCount);
    const order = ascending(this.symbols(), rows.symbols);
    for (let index = 0, at = headerWords; index < order.length; index++, at += definitionWords) {
      const old = order[index]!;
      words[at] = rows.symbols[this.symbolAt(old)]!;
      words[at + 1] = rows.names[this.nameAt(old)]!;
      words[at + 2] = this.traitsAt(old);
      words[at + 3] = this.primarySlotAt(old);
      newIndex[old] = index;
    }
    for (let slot = this.#slots; slot < this.#targets; slot++) words[slot] = newIndex[this.#word(slot)]!;
    this.#moveGroups(words, this.#targets, this.targets(), rows.symbols);
    this.#moveGroups(words, this.#names, this.unresolvedNames(), rows.names);
    return new Uint8Array(words.buffer);
  }

  /** Whether it defines what another does, at the same slots. */
  definesAs(other: LinkBody): boolean {
    if (this.#slots !== other.#slots || this.#targets !== other.#targets) return false;
    for (let at = headerWords; at < this.#targets; at++) if (this.#words[at] !== other.#words[at]) return false;
    return true;
  }

  /** The body with other targets of some references (ascending): those that `now` has, which is about the same rows. */
  linkedAgain(references: readonly number[], now: LinkBody): Uint8Array {
    const again = new Uint8Array((references.at(-1) ?? 0) + 1);
    for (const reference of references) again[reference] = 1;
    const words = new Uint32Array(this.#words.length + now.#words.length);
    words.set(this.#words.subarray(0, this.#targets));
    const targets = mergeGroups(words, this.#targets, [this.#targetGroups(), now.#targetGroups()], again, 7);
    const names = mergeGroups(words, targets.end, [this.#nameGroups(), now.#nameGroups()], again, 3);
    words.set([targets.keys, targets.rows, names.keys, names.rows], 3);
    words.set(this.#words.subarray(this.#calls), names.end);
    return new Uint8Array(words.slice(0, names.end + this.#word(8)).buffer);
  }

  #targetGroups(): Groups {
    return { words: this.#words, start: this.#targets, keys: this.#word(3) };
  }
  #nameGroups(): Groups {
    return { words: this.#words, start: this.#names, keys: this.#word(5) };
  }

  #moveGroups(words: Uint32Array, start: number, keys: Uint32Array, rows: Uint32Array): void {
    const boundaries = start + keys.length;
    const first = boundaries + keys.length + 1;
    const order = ascending(keys, rows);
    let at = 0;
    for (let index = 0; index < order.length; index++) {
      const old = order[index]!;
      const end = this.#word(boundaries + old + 1);
      words[start + index] = rows[keys[old]!]!;
      words[boundaries + index] = at;
      for (let from = this.#word(boundaries + old); from < end; from++) words[first + at++] = this.#word(first + from);
    }
  }

  #word(index: number): number {
    const value = this.#words[index];
    if (value === undefined) throw new BrokenLinks('offset past the end');
    return value;
  }
}

/** Keys of one body are so many at most: one for each reference or slot. */
const keyRange = 2 ** 21;

/** Indexes of the keys in the order of their rows. */
function ascending(keys: Uint32Array, rows: Uint32Array): Uint32Array {
  const order = new Float64Array(keys.length);
  for (let at = 0; at < keys.length; at++) order[at] = rows[keys[at]!]! * keyRange + at;
  order.sort();
  return Uint32Array.from(order, one => one % keyRange);
}

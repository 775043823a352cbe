import { type ImportedSymbol, packImport, unpackImport } from '../model/imported-symbol.ts';
import { type Groups, groupOf, lowerBound, mergeGroups, wordsOf } from './encoded-words.ts';
import { definitionWords, headerWords, magic, partialWord } from './link-format.ts';

export class BrokenLinks extends Error {}

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
  readonly #imports: number;

  constructor(body: Uint8Array) {
    const words = wordsOf(body, headerWords);
    if (words === undefined) throw new BrokenLinks('truncated');
    this.#words = words;
    if (words[0] !== magic) throw new BrokenLinks('not a link body');
    this.#slots = headerWords + this.definitionCount * definitionWords;
    this.#targets = this.#slots + this.#word(2);
    this.#names = this.#targets + this.#word(3) * 2 + 1 + this.#word(4);
    this.#calls = this.#names + this.#word(5) * 2 + 1 + this.#word(6);
    this.#imports = this.#calls + this.#word(8);
    if (this.#imports + this.importCount !== this.#words.length) {
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
  /** Imports; of a body about some groups of references alone 0. */
  get importCount(): number {
    return this.#word(9);
  }

  /** What an import leads to; undefined where that is not known. */
  importAt(index: number): ImportedSymbol | undefined {
    return unpackImport(this.#word(this.#imports + index));
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

  /** Whether any reference of the facts is. */
  get hasCalls(): boolean {
    return this.#words.subarray(this.#calls, this.#imports).some(word => word !== 0);
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
  /** Symbols that references or imports lead to, ascending, each once. */
  pointsAt(): Uint32Array {
    const count = this.importCount;
    if (count === 0) return this.targets();
    const all = new Set(this.targets());
    for (let at = 0; at < count; at++) {
      const one = this.importAt(at);
      if (one !== undefined) all.add(one.symbol);
    }
    return Uint32Array.from(all).sort();
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
    for (let at = 0; at < this.importCount; at++) {
      const one = this.importAt(at);
      if (one !== undefined) words[this.#imports + at] = packImport({ ...one, symbol: rows.symbols[one.symbol]! });
    }
    return new Uint8Array(words.buffer);
  }

  /** Whether it defines what another does, at the same slots. */
  definesAs(other: LinkBody): boolean {
    if (this.#slots !== other.#slots || this.#targets !== other.#targets) return false;
    for (let at = headerWords; at < this.#targets; at++) if (this.#words[at] !== other.#words[at]) return false;
    return true;
  }

  /**
   * The body with other targets of some references (ascending): those that `now` has, which is about the same rows; and
   * with its imports, if it has any.
   */
  linkedAgain(references: readonly number[], now: LinkBody): Uint8Array {
    const again = new Uint8Array((references.at(-1) ?? 0) + 1);
    for (const reference of references) again[reference] = 1;
    const words = new Uint32Array(this.#words.length + now.#words.length);
    words.set(this.#words.subarray(0, this.#targets));
    const targets = mergeGroups(words, this.#targets, [this.#targetGroups(), now.#targetGroups()], again, 7);
    const names = mergeGroups(words, targets.end, [this.#nameGroups(), now.#nameGroups()], again, 3);
    words.set([targets.keys, targets.rows, names.keys, names.rows], 3);
    const calls = this.#words.subarray(this.#calls, this.#imports);
    const imports = (now.importCount > 0 ? now : this).#importWords();
    words.set(calls, names.end);
    words.set(imports, names.end + calls.length);
    return new Uint8Array(words.slice(0, names.end + calls.length + imports.length).buffer);
  }

  #importWords(): Uint32Array {
    return this.#words.subarray(this.#imports);
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

import { copyBytes, hashOf, sameBytes } from '../bytes.ts';
import {
  type Page,
  type PagedNumbers,
  pageBytes,
  pageWords,
  type ScratchMemory,
  wordBits,
  wordMask,
} from './scratch-memory.ts';

/** Before each string: its key and its length, four bytes each. */
const headBytes = 8;
/** No string lies in two pages. */
export const longestBytes = pageBytes - headBytes;
/** As many places are looked at for one string without a thought; it happens by chance in no table of twenty million. */
const usualProbes = 256;
/** What may be spent in all on places beyond, and on strings of one hash: who needs more has strings made to collide. */
const mostEffort = 1e8;
const effortToCompare = 20;
/** A table of this size takes 64 KiB. */
const firstPlaceBits = 14;

/** Distinct pairs of a number and a byte string of at most `longestBytes`, numbered as they come. */
export class ByteStrings {
  #count = 0;
  /**
   * Where the first bits of a string's hash say, or behind: its number + 1, which takes no more than so many bits, and
   * in those above it the last bits of the hash, so that one look tells most; 0 where no string is.
   */
  readonly #places: PagedNumbers;
  #placeBits = firstPlaceBits;
  /** By number, in units of four bytes. */
  readonly #starts: PagedNumbers;
  readonly #texts: PagedNumbers;
  #bytes = 0;
  #effort = 0;

  constructor(memory: ScratchMemory) {
    this.#places = memory.numbers(1 << firstPlaceBits);
    this.#starts = memory.numbers();
    this.#texts = memory.numbers();
  }

  get count(): number {
    return this.#count;
  }

  /** That the strings take, without what leads to them. */
  get byteLength(): number {
    return this.#bytes;
  }

  /** The number of the pair, `count` before the call if it is new; -1 where it would take too long to tell. */
  add(key: number, view: DataView, from: number, to: number): number {
    const hash = hashOf(key, view, from, to);
    const mask = (1 << this.#placeBits) - 1;
    let place = hash >>> (32 - this.#placeBits);
    for (let probes = 0; ; probes++) {
      const found = this.#places.get(place);
      if (found === 0) return this.#put(place, hash, key, view, from, to);
      if (((found >>> this.#placeBits) ^ hash) << this.#placeBits === 0) {
        const number = (found & mask) - 1;
        if (this.equals(number, key, view, from, to)) return number;
        this.#effort += effortToCompare;
      } else if (probes > usualProbes) this.#effort++;
      if (this.#effort > mostEffort) return -1;
      place = (place + 1) & mask;
    }
  }

  /** Whether the pair of that number is this one. */
  equals(number: number, key: number, view: DataView, from: number, to: number): boolean {
    const start = this.#starts.get(number);
    const page = this.#page(start).view;
    const at = (start & wordMask) << 2;
    if (page.getInt32(at + 4, true) !== to - from || page.getInt32(at, true) !== key) return false;
    return sameBytes(page, at + headBytes, view, from, to - from);
  }

  keyOf(number: number): number {
    return this.#texts.get(this.#starts.get(number));
  }

  text(number: number): string {
    const start = this.#starts.get(number);
    const { bytes, view } = this.#page(start);
    const at = (start & wordMask) << 2;
    return bytes.toString('utf8', at + headBytes, at + headBytes + view.getInt32(at + 4, true));
  }

  /** Copies the string of that number to the beginning of `into`, of `longestBytes`. Returns how many bytes it has. */
  copy(number: number, into: DataView): number {
    const start = this.#starts.get(number);
    const { view } = this.#page(start);
    const at = (start & wordMask) << 2;
    const length = view.getInt32(at + 4, true);
    copyBytes(into, 0, view, at + headBytes, length);
    return length;
  }

  #page(start: number): Page {
    return this.#texts.page(start >>> wordBits);
  }

  #put(place: number, hash: number, key: number, view: DataView, from: number, to: number): number {
    const start = this.#allocate(headBytes + to - from);
    const page = this.#texts.pageToChange(start >>> wordBits).view;
    const at = (start & wordMask) << 2;
    page.setInt32(at, key, true);
    page.setInt32(at + 4, to - from, true);
    copyBytes(page, at + headBytes, view, from, to - from);
    const number = this.#count++;
    this.#starts.push(start);
    this.#places.set(place, (hash << this.#placeBits) | (number + 1));
    // Three quarters of the places.
    if (this.#count * 4 > 3 << this.#placeBits) this.#spread();
    return number;
  }

  /** Where so many bytes lie in one page, in units of four. */
  #allocate(bytes: number): number {
    const words = Math.ceil(bytes / 4);
    const left = pageWords - (this.#texts.length & wordMask);
    const start = this.#texts.length + (words > left ? left : 0);
    this.#texts.resize(start + words);
    this.#bytes += words * 4;
    return start;
  }

  /** Into four times as many places, by the strings themselves, one after the other. */
  #spread(): void {
    this.#places.release();
    this.#placeBits += 2;
    this.#places.resize(1 << this.#placeBits);
    const mask = (1 << this.#placeBits) - 1;
    for (let number = 0; number < this.#count; number++) {
      const start = this.#starts.get(number);
      const { view } = this.#page(start);
      const at = (start & wordMask) << 2;
      const from = at + headBytes;
      const hash = hashOf(view.getInt32(at, true), view, from, from + view.getInt32(at + 4, true));
      let place = hash >>> (32 - this.#placeBits);
      while (this.#places.get(place) !== 0) place = (place + 1) & mask;
      this.#places.set(place, (hash << this.#placeBits) | (number + 1));
    }
  }
}

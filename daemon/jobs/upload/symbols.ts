import { hash } from 'node:crypto';
import type { PagedNumbers, ScratchMemory } from '../../extract/scip/scratch-memory.ts';
import { givenHash } from '../../model/identity.ts';

const hashBytes = 16;
const hashWords = hashBytes / 4;
/** So many hashes are sorted at once. */
const portion = 512 * 1024;
const scratch = Buffer.alloc(hashBytes);
const scratchWords = new Int32Array(scratch.buffer, scratch.byteOffset, hashWords);

/** Hashes of symbols, numbered as they come. */
export class SymbolHashes {
  /** No hash lies in two pages. */
  readonly #words: PagedNumbers;

  constructor(memory: ScratchMemory) {
    this.#words = memory.numbers();
  }

  get count(): number {
    return this.#words.length / hashWords;
  }

  /** Of a definition or of something else's, as `symbolHash` has it. Returns its number. */
  add(scope: string, tail: string): number {
    const given = givenHash(tail);
    if (given === undefined) scratch.write(hash('sha256', `${scope}\0${tail}`, 'binary'), 0, hashBytes, 'latin1');
    else scratch.write(given, 'hex');
    return this.#words.append(scratchWords) / hashWords;
  }

  /**
   * The distinct hashes of those numbers that are wanted, in order, some at a time; once all are taken, `rows` has the
   * row of each number, from 1, and 0 of the others. `wanted` has ranges of numbers, ascending.
   */
  *inOrder(wanted: readonly NumberRange[], rows: PagedNumbers): Generator<Buffer> {
    rows.resize(this.count);
    const portions = Math.ceil(this.count / portion);
    let last = 0;
    for (let part = 0; part < portions; part++) {
      const from = Math.ceil((part * 2 ** 32) / portions);
      const to = Math.ceil(((part + 1) * 2 ** 32) / portions);
      const numbers = this.#inOrder(wanted, from, to);
      const hashes = Buffer.allocUnsafeSlow(numbers.length * hashBytes);
      let count = 0;
      for (const number of numbers) {
        const at = count * hashBytes;
        this.#copy(number, hashes, at);
        if (count === 0 || hashes.compare(hashes, at - hashBytes, at, at, at + hashBytes) !== 0) count++;
        rows.set(number, last + count);
      }
      last += count;
      yield hashes.subarray(0, count * hashBytes);
    }
  }

  /**
   * Numbers of which the hash begins with a word in that range: by as many bits of it as fit beside the number, which
   * sorts by itself; then by the rest where these are alike.
   */
  #inOrder(wanted: readonly NumberRange[], from: number, to: number): Uint32Array {
    const range = 2 ** Math.ceil(Math.log2(this.count + 1));
    const shift = Math.max(0, Math.log2(range) - 21);
    const found: number[] = [];
    for (const { first, end } of wanted) {
      for (let number = first; number < end; number++) {
        const word = this.#firstWord(number);
        if (word >= from && word < to) found.push((word >>> shift) * range + number);
      }
    }
    const sorted = Float64Array.from(found).sort();
    const numbers = Uint32Array.from(sorted, key => key % range);
    for (let start = 0, end = 1; start < numbers.length; start = end++) {
      while (end < numbers.length && Math.floor(sorted[end]! / range) === Math.floor(sorted[start]! / range)) end++;
      if (end > start + 1) numbers.subarray(start, end).sort((a, b) => this.#compare(a, b));
    }
    return numbers;
  }

  #firstWord(number: number): number {
    return swapped(this.#words.get(number * hashWords));
  }

  #compare(a: number, b: number): number {
    for (let word = 0; word < hashWords; word++) {
      const difference =
        swapped(this.#words.get(a * hashWords + word)) - swapped(this.#words.get(b * hashWords + word));
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #copy(number: number, into: Buffer, at: number): void {
    for (let word = 0; word < hashWords; word++) {
      into.writeInt32LE(this.#words.get(number * hashWords + word), at + word * 4);
    }
  }
}

/** From `first` up to, not with, `end`. */
export interface NumberRange {
  readonly first: number;
  readonly end: number;
}

/** Four bytes as they stand in a hash, read as the number that sorts as they do. */
function swapped(word: number): number {
  return (((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0;
}

import { hash } from 'node:crypto';

const hashBytes = 16;
const pageHashes = 64 * 1024;

/** Hashes of symbols, numbered as they come, 16 bytes each. */
export class SymbolHashes {
  readonly #pages: Buffer[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Of a definition or of something else's, as `symbolHash` has it. Returns its number. */
  add(scope: string, tail: string): number {
    const number = this.#count++;
    if (number % pageHashes === 0) this.#pages.push(Buffer.allocUnsafeSlow(pageHashes * hashBytes));
    const at = (number % pageHashes) * hashBytes;
    this.#pages.at(-1)!.write(hash('sha256', `${scope}\0${tail}`, 'binary'), at, hashBytes, 'latin1');
    return number;
  }

  /** Of those numbers that `isWanted`: their hashes in order, and the row of each number, from 1; 0 of the others. */
  ordered(isWanted: (number: number) => boolean): { readonly hashes: Buffer; readonly rows: Uint32Array } {
    const numbers = this.#inOrder(isWanted);
    const hashes = Buffer.allocUnsafeSlow(numbers.length * hashBytes);
    const rows = new Uint32Array(this.#count);
    let count = 0;
    let before = -1;
    for (const number of numbers) {
      if (before < 0 || this.#compare(before, number) !== 0) {
        this.#copy(number, hashes, count * hashBytes);
        count++;
      }
      rows[number] = count;
      before = number;
    }
    return { hashes: hashes.subarray(0, count * hashBytes), rows };
  }

  /** By as many bits of the hash as fit beside the number, which sorts by itself; then by the rest where these are alike. */
  #inOrder(isWanted: (number: number) => boolean): Uint32Array {
    const range = 2 ** Math.ceil(Math.log2(this.#count + 1));
    const shift = Math.max(0, Math.log2(range) - 21);
    const keys = new Float64Array(this.#count);
    let count = 0;
    for (let number = 0; number < this.#count; number++) {
      if (!isWanted(number)) continue;
      keys[count++] = (this.#page(number).readUInt32BE(this.#at(number)) >>> shift) * range + number;
    }
    const sorted = keys.subarray(0, count).sort();
    const numbers = Uint32Array.from(sorted, key => key % range);
    for (let from = 0, to = 1; from < count; from = to++) {
      while (to < count && Math.floor(sorted[to]! / range) === Math.floor(sorted[from]! / range)) to++;
      if (to > from + 1) numbers.subarray(from, to).sort((a, b) => this.#compare(a, b));
    }
    return numbers;
  }

  #compare(a: number, b: number): number {
    return this.#page(a).compare(
      this.#page(b),
      this.#at(b),
      this.#at(b) + hashBytes,
      this.#at(a),
      this.#at(a) + hashBytes,
    );
  }

  #copy(number: number, into: Buffer, at: number): void {
    this.#page(number).copy(into, at, this.#at(number), this.#at(number) + hashBytes);
  }

  #page(number: number): Buffer {
    return this.#pages[Math.floor(number / pageHashes)]!;
  }

  #at(number: number): number {
    return (number % pageHashes) * hashBytes;
  }
}

/** A set of whole numbers from 0 on, not far apart: a bit for each up to the largest. */
export class NumberSet implements Iterable<number> {
  #words = new Uint32Array(256);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(number: number): boolean {
    return ((this.#words[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0;
  }

  add(number: number): void {
    if (this.has(number)) return;
    const word = number >>> 5;
    if (word >= this.#words.length) {
      const words = new Uint32Array(Math.max(word + 1, this.#words.length * 2));
      words.set(this.#words);
      this.#words = words;
    }
    this.#words[word]! |= 1 << (number & 31);
    this.#size++;
  }

  /** Ascending. */
  *[Symbol.iterator](): Iterator<number> {
    for (let at = 0; at < this.#words.length; at++) {
      for (let word = this.#words[at]!; word !== 0; word &= word - 1) yield at * 32 + 31 - Math.clz32(word & -word);
    }
  }
}

/** Past so many characters a text is seldom one that comes again. */
const maxLength = 40;
/** Past so many other words in its place a word is not looked for any further: hostile input has many of one number. */
const maxProbes = 8;

/**
 * The texts between two places of a source, each short one made once, wherever it comes again: names do all the time, and
 * of a text that is there already the engine knows the number by which its tables keep it.
 */
export class Words {
  readonly #source: string;
  readonly #starts: number[] = [];
  readonly #texts: string[] = [];
  /** Indexes of `texts`, one higher, by the number made of a text's characters. */
  #places = new Int32Array(512);

  constructor(source: string) {
    this.#source = source;
  }

  at(start: number, end: number): string {
    if (end - start > maxLength) return this.#source.slice(start, end);
    const place = this.#find(start, end);
    const word = place < 0 ? 0 : this.#places[place]!;
    if (word > 0) return this.#texts[word - 1]!;
    const text = this.#source.slice(start, end);
    if (place < 0) return text;
    this.#starts.push(start);
    this.#places[place] = this.#texts.push(text);
    if (2 * this.#texts.length > this.#places.length) this.#grow();
    return text;
  }

  /** The place of a word, or that which it is to have; -1 where it is to have none. */
  #find(start: number, end: number): number {
    const source = this.#source;
    const places = this.#places;
    let number = end - start;
    for (let at = start; at < end; at++) number = (Math.imul(number, 31) + source.charCodeAt(at)) | 0;
    for (let probe = 0; probe < maxProbes; probe++) {
      const place = (number + probe) & (places.length - 1);
      const word = places[place]! - 1;
      if (word < 0 || this.#isAt(word, start, end - start)) return place;
    }
    return -1;
  }

  #isAt(word: number, start: number, length: number): boolean {
    if (this.#texts[word]!.length !== length) return false;
    const source = this.#source;
    const known = this.#starts[word]!;
    for (let at = 0; at < length; at++) {
      if (source.charCodeAt(known + at) !== source.charCodeAt(start + at)) return false;
    }
    return true;
  }

  #grow(): void {
    this.#places = new Int32Array(4 * this.#places.length);
    for (let word = 0; word < this.#texts.length; word++) {
      const start = this.#starts[word]!;
      const place = this.#find(start, start + this.#texts[word]!.length);
      if (place >= 0) this.#places[place] = word + 1;
    }
  }
}

/** A recorded question over the manifest, as text, e.g. `exists\0src/a.ts`. "No" answers are recorded too. */
export type QuestionKey = string & { readonly __brand: 'QuestionKey' };

/** A question that was asked. Its text is put together, and its hash found, when somebody needs them: most are a file's own. */
export class Question {
  readonly key: QuestionKey;
  /** The file whose definitions or exports it is about, '' for every other question. */
  readonly about: string;
  #hash = -1;

  constructor(key: QuestionKey, about: string) {
    this.key = key;
    this.about = about;
  }

  get hash(): number {
    if (this.#hash < 0) this.#hash = questionHash(this.key);
    return this.#hash;
  }
}

/**
 * 29 bits of a question's text (MurmurHash3's mixing): what a row in four bytes holds. Of five million questions one in a
 * hundred shares them with another, and costs relinking what asked that.
 */
export function questionHash(text: string): number {
  let hash = 0xdeadbeef ^ text.length;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 2_654_435_761);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
  return (hash ^ (hash >>> 16)) >>> 3;
}

import { crc32 } from 'node:zlib';
import type { AskedQuestion } from '../model/links.ts';
import { allGroups, type ReferenceGroups } from '../model/reference-groups.ts';
import { lowerBound, wordsOf } from './encoded-words.ts';
import { StoreError } from './store-faults.ts';

/**
 * What a document's links rest on, packed into words: a checksum of all that follows; how many questions, how many sets of
 * groups; the questions' hashes, ascending, each once; the sets; then for each question a byte, the set of the groups that
 * asked it. None at all: no bytes. Whoever reads what does not hold its checksum gets `StoreError`.
 */
export function packAsked(questions: readonly AskedQuestion[]): Uint8Array<ArrayBuffer> {
  const keys = new Float64Array(questions.length);
  for (let at = 0; at < keys.length; at++) keys[at] = questions[at]!.question.hash * indexRange + at;
  keys.sort();
  const asked = new GrowingAsked(keys.length);
  for (const key of keys) {
    asked.add(Math.floor(key / indexRange), questions[key % indexRange]!.groups);
  }
  return asked.packed();
}

/** A document asks fewer. */
const indexRange = 2 ** 24;

/** Hashes of what was asked, ascending, each once. */
export function hashesOf(asked: Uint8Array): Uint32Array {
  return read(asked).hashes;
}

/** The groups that asked one of some questions (or one whose hash collides with it). */
export function groupsThatAsked(asked: Uint8Array, hashes: Iterable<number>): ReferenceGroups {
  const known = read(asked);
  let groups = 0;
  for (const hash of hashes) {
    const at = lowerBound(known.hashes, 1, hash);
    if (known.hashes[at] === hash) groups |= known.sets[known.which[at]!]!;
  }
  return groups;
}

/** What is asked once some groups ask what they ask now, the others what they did before. */
export function askedAnew(before: Uint8Array, groups: ReferenceGroups, now: Uint8Array): Uint8Array<ArrayBuffer> {
  const [old, anew] = [read(before), read(now)];
  const asked = new GrowingAsked(old.hashes.length + anew.hashes.length);
  let next = 0;
  for (let at = 0; at < old.hashes.length; at++) {
    const hash = old.hashes[at]!;
    for (; next < anew.hashes.length && anew.hashes[next]! < hash; next++) {
      asked.add(anew.hashes[next]!, anew.sets[anew.which[next]!]!);
    }
    const still = old.sets[old.which[at]!]! & ~groups;
    if (still !== 0) asked.add(hash, still);
  }
  for (; next < anew.hashes.length; next++) asked.add(anew.hashes[next]!, anew.sets[anew.which[next]!]!);
  return asked.packed();
}

interface Asked {
  readonly hashes: Uint32Array;
  readonly sets: Uint32Array;
  /** Of each question its set. */
  readonly which: Uint8Array;
}

function read(asked: Uint8Array): Asked {
  if (asked.length === 0) return { hashes: new Uint32Array(), sets: new Uint32Array(), which: new Uint8Array() };
  const words = wordsOf(asked, headWords);
  if (words === undefined || words[0] !== checksumOf(words)) {
    throw new StoreError('corrupt', 'what a document asked is damaged');
  }
  const count = words[1]!;
  const first = headWords + count;
  const sets = words.subarray(first, first + words[2]!);
  const which = new Uint8Array(words.buffer, words.byteOffset + (first + sets.length) * 4, count);
  return { hashes: words.subarray(headWords, first), sets, which };
}

const headWords = 3;

function checksumOf(words: Uint32Array): number {
  return crc32(new Uint8Array(words.buffer, words.byteOffset + 4, words.byteLength - 4));
}

/** So many sets of groups are told apart; what would be one more is said of all groups, which costs linking too much. */
const mostSets = 255;

class GrowingAsked {
  readonly #hashes: Uint32Array;
  readonly #which: Uint8Array;
  readonly #sets: ReferenceGroups[] = [];
  readonly #numbers = new Map<ReferenceGroups, number>();
  #count = 0;

  constructor(room: number) {
    this.#hashes = new Uint32Array(room);
    this.#which = new Uint8Array(room);
  }

  /** Hashes come in ascending order. */
  add(hash: number, groups: ReferenceGroups): void {
    const isAgain = this.#count > 0 && this.#hashes[this.#count - 1] === hash;
    if (!isAgain) this.#hashes[this.#count++] = hash;
    const last = this.#count - 1;
    this.#which[last] = this.#numberOf(isAgain ? this.#sets[this.#which[last]!]! | groups : groups);
  }

  #numberOf(groups: ReferenceGroups): number {
    const known = this.#numbers.get(groups);
    if (known !== undefined) return known;
    if (this.#sets.length >= mostSets && groups !== allGroups) return this.#numberOf(allGroups);
    this.#numbers.set(groups, this.#sets.length);
    return this.#sets.push(groups) - 1;
  }

  packed(): Uint8Array<ArrayBuffer> {
    const count = this.#count;
    if (count === 0) return new Uint8Array();
    const head = headWords + count + this.#sets.length;
    const words = new Uint32Array(head + Math.ceil(count / 4));
    words[1] = count;
    words[2] = this.#sets.length;
    words.set(this.#hashes.subarray(0, count), headWords);
    words.set(this.#sets, headWords + count);
    new Uint8Array(words.buffer, head * 4).set(this.#which.subarray(0, count));
    words[0] = checksumOf(words);
    return new Uint8Array(words.buffer);
  }
}

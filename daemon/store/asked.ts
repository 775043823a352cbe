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
  const asked = growing(keys.length);
  for (const key of keys) asked.add(Math.floor(key / indexRange), questions[key % indexRange]!.groups);
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
    if (known.hashes[at] === hash) groups |= known.groupsAt(at);
  }
  return groups;
}

/** What is asked once some groups ask what they ask now, the others what they did before. */
export function askedAnew(before: Uint8Array, groups: ReferenceGroups, now: Uint8Array): Uint8Array<ArrayBuffer> {
  const [old, anew] = [read(before), read(now)];
  const asked = growing(old.hashes.length + anew.hashes.length);
  let next = 0;
  for (let at = 0; at < old.hashes.length; at++) {
    const hash = old.hashes[at]!;
    for (; next < anew.hashes.length && anew.hashes[next]! < hash; next++) {
      asked.add(anew.hashes[next]!, anew.groupsAt(next));
    }
    const isStill = old.groupsAt(at) & ~groups;
    if (isStill !== 0) asked.add(hash, isStill);
  }
  for (; next < anew.hashes.length; next++) asked.add(anew.hashes[next]!, anew.groupsAt(next));
  return asked.packed();
}

interface Asked {
  readonly hashes: Uint32Array;
  groupsAt(index: number): ReferenceGroups;
}

function read(asked: Uint8Array): Asked {
  if (asked.length === 0) return { hashes: new Uint32Array(), groupsAt: () => 0 };
  const words = wordsOf(asked, headWords);
  if (words === undefined || words[0] !== checksumOf(words)) {
    throw new StoreError('corrupt', 'what a document asked is damaged');
  }
  const count = words[1]!;
  const first = headWords + count;
  const sets = words.subarray(first, first + words[2]!);
  const which = new Uint8Array(words.buffer, words.byteOffset + (first + sets.length) * 4, count);
  return { hashes: words.subarray(headWords, first), groupsAt: index => sets[which[index]!]! };
}

const headWords = 3;

function checksumOf(words: Uint32Array): number {
  return crc32(new Uint8Array(words.buffer, words.byteOffset + 4, words.byteLength - 4));
}

/** So many sets of groups are told apart; what would be one more is said of all groups, which costs linking too much. */
const mostSets = 255;

function growing(room: number) {
  const hashes = new Uint32Array(room);
  const which = new Uint8Array(room);
  const sets = new Map<ReferenceGroups, number>();
  let count = 0;
  const numberOf = (groups: ReferenceGroups): number => {
    const set = sets.get(groups);
    if (set !== undefined) return set;
    if (sets.size >= mostSets && groups !== allGroups) return numberOf(allGroups);
    sets.set(groups, sets.size);
    return sets.size - 1;
  };
  const groupsOf = (set: number): ReferenceGroups => [...sets.keys()][set]!;
  return {
    /** Hashes come in ascending order. */
    add(hash: number, groups: ReferenceGroups): void {
      const isAgain = count > 0 && hashes[count - 1] === hash;
      if (!isAgain) hashes[count++] = hash;
      which[count - 1] = numberOf(isAgain ? groupsOf(which[count - 1]!) | groups : groups);
    },
    packed(): Uint8Array<ArrayBuffer> {
      if (count === 0) return new Uint8Array();
      const head = headWords + count + sets.size;
      const words = new Uint32Array(head + Math.ceil(count / 4));
      words[1] = count;
      words[2] = sets.size;
      words.set(hashes.subarray(0, count), headWords);
      words.set([...sets.keys()], headWords + count);
      new Uint8Array(words.buffer, head * 4).set(which.subarray(0, count));
      words[0] = checksumOf(words);
      return new Uint8Array(words.buffer);
    },
  };
}

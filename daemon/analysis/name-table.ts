/**
 * Distinct names in the form that matching wants: one lower-case text, where in it each pair of characters stands, and
 * per name what rules most of them out at once.
 */
export interface NameTable {
  readonly names: readonly string[];
  /** Lower-case names, NUL before, between and after them. */
  readonly text: string;
  /** Where each begins in `text`, and the end. */
  readonly starts: Uint32Array;
  /** Which classes of characters occur: 0 to 31, 32 to 63. */
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  /** Where words start (`HttpServer`, `http_server`), as bits, among the first 32 characters; 0 where the case can't be told. */
  readonly wordStarts: Uint32Array;
  /** Starts of words, at most 255. */
  readonly wordCounts: Uint8Array;
  /** With which characters words after the first begin, folded onto 32 bits. */
  readonly initials: Uint32Array;
  /** Positions in `text` by the pair of classes that stands there: those of a pair are `pairs[pairStarts[p]]` and on, ascending. */
  readonly pairStarts: Uint32Array;
  readonly pairs: Uint32Array;
  /** Names by length: those of `n` characters are `byLength[lengthStarts[n]]` and on; 255 and more lie together. */
  readonly lengthStarts: Uint32Array;
  readonly byLength: Uint32Array;
  /** Scratch of one search, a place for each name. */
  readonly seen: Uint8Array;
  readonly firstScratch: Uint32Array;
  readonly secondScratch: Uint32Array;
}

export const longestTold = 255;

export function nameTable(names: readonly string[]): NameTable {
  const count = names.length;
  const lowered = names.map(name => name.toLowerCase());
  const text = ['', ...lowered, ''].join('\0');
  const starts = new Uint32Array(count + 1);
  const low = new Uint32Array(count);
  const high = new Uint32Array(count);
  const lengths = new Uint8Array(count);
  let at = 1;
  for (let index = 0; index < count; index++) {
    const name = lowered[index]!;
    starts[index] = at;
    at += name.length + 1;
    lengths[index] = Math.min(name.length, longestTold);
    const mask = maskOf(name);
    low[index] = mask.low;
    high[index] = mask.high;
  }
  starts[count] = at;
  const [lengthStarts, byLength] = grouped(lengths, longestTold + 1);
  const [pairStarts, pairs] = grouped(pairsOf(text), classes * classes);
  return {
    ...{ names, text, starts, low, high, ...wordsOf(names, lowered), pairStarts, pairs, lengthStarts, byLength },
    seen: new Uint8Array(count),
    firstScratch: new Uint32Array(count),
    secondScratch: new Uint32Array(count),
  };
}

function wordsOf(names: readonly string[], lowered: readonly string[]) {
  const wordStarts = new Uint32Array(names.length);
  const wordCounts = new Uint8Array(names.length);
  const initials = new Uint32Array(names.length);
  names.forEach((name, index) => {
    const lower = lowered[index]!;
    if (lower.length !== name.length) return;
    let bits = 0;
    let begins = 0;
    let words = 0;
    for (let unit = 0; unit < name.length; unit++) {
      if (!startsWord(name, unit)) continue;
      if (unit < 32) bits |= 1 << unit;
      if (words++ > 0) begins |= folded(lower.charCodeAt(unit));
    }
    wordStarts[index] = bits;
    wordCounts[index] = Math.min(words, 255);
    initials[index] = begins;
  });
  return { wordStarts, wordCounts, initials };
}

/** Classes of characters: most hold one, so that what is told of the class holds for the character. */
const classes = 64;
const otherClass = 63;
const classOf = new Uint8Array(128).fill(otherClass);
[...'\0abcdefghijklmnopqrstuvwxyz0123456789_$-#.@!?=+*/<>()[]~%&|^:, '].slice(0, otherClass).forEach((unit, index) => {
  classOf[unit.charCodeAt(0)] = index;
});

export function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < 128 ? classOf[unit]! : otherClass;
}

/** Whether nothing but this one character is of its class. */
export function isAlone(kind: number): boolean {
  return kind !== otherClass;
}

export function pairAt(text: string, at: number): number {
  return classAt(text, at) * classes + classAt(text, at + 1);
}

function pairsOf(text: string): Uint16Array {
  const pairs = new Uint16Array(Math.max(0, text.length - 1));
  let before = classAt(text, 0);
  for (let at = 1; at < text.length; at++) {
    const here = classAt(text, at);
    pairs[at - 1] = before * classes + here;
    before = here;
  }
  return pairs;
}

/** The classes of a text's characters. */
export function maskOf(lower: string): { readonly low: number; readonly high: number } {
  let low = 0;
  let high = 0;
  for (let at = 0; at < lower.length; at++) {
    const kind = classAt(lower, at);
    if (kind < 32) low |= 1 << kind;
    else high |= 1 << (kind - 32);
  }
  return { low: low >>> 0, high: high >>> 0 };
}

/** A character as one of 32 bits. */
export function folded(unit: number): number {
  return (1 << (unit & 31)) >>> 0;
}

/** A counting sort: indexes by key, ascending within one. */
function grouped(keys: Uint8Array | Uint16Array, keyCount: number): readonly [Uint32Array, Uint32Array] {
  const starts = new Uint32Array(keyCount + 1);
  for (let index = 0; index < keys.length; index++) starts[keys[index]! + 1]!++;
  for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!;
  const next = starts.slice();
  const order = new Uint32Array(keys.length);
  for (let index = 0; index < keys.length; index++) order[next[keys[index]!]!++] = index;
  return [starts, order];
}

/** Whether a word begins here: the first character, a capital after a small letter or before one, a letter after `_`, `$`, `-`, a digit after a letter. */
export function startsWord(name: string, at: number): boolean {
  const here = name.charCodeAt(at);
  if (!isWordUnit(here)) return false;
  if (at === 0) return true;
  const before = name.charCodeAt(at - 1);
  if (!isWordUnit(before)) return true;
  if (isDigit(here)) return !isDigit(before);
  if (!isUpper(name, at)) return isDigit(before);
  return !isUpper(name, at - 1) || (at + 1 < name.length && isLower(name, at + 1));
}

function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || isDigit(unit) || unit > 127;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

export function isUpper(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit < 128 ? unit >= 65 && unit <= 90 : text[at] !== text[at]!.toLowerCase();
}

function isLower(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit < 128 ? unit >= 97 && unit <= 122 : text[at] !== text[at]!.toUpperCase();
}

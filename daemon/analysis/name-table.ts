/**
 * Distinct names in the form that matching wants: in the order of their lower-case text, so that those that begin alike
 * stand side by side, with where in the text each pair of characters stands, and per name what rules most of them out at
 * once. A name is known here by its place in that order.
 */
export interface NameTable {
  readonly names: readonly string[];
  /** Per place: the index into `names`. */
  readonly order: Uint32Array;
  /** Lower-case names by place, NUL before, between and after them. */
  readonly text: string;
  /** Where each begins in `text`, and the end. */
  readonly starts: Uint32Array;
  /** The place that every 16th position of `text` lies in. */
  readonly placeOfBlock: Uint32Array;
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
  /** Places by length: those of `n` characters are `byLength[lengthStarts[n]]` and on; 255 and more lie together. */
  readonly lengthStarts: Uint32Array;
  readonly byLength: Uint32Array;
  /** Scratch of one search: which names are found. */
  readonly seen: Uint8Array;
}

export const longestTold = 255;
const blockBits = 4;

/** `before`: a table of the first of these names, if there is one; then only those that are new are looked at and sorted. */
export function nameTable(names: readonly string[], before?: NameTable): NameTable {
  const isBegun = before?.names.every((name, index) => names[index] === name) ?? false;
  const columns = isBegun ? spliced(before!, columnsOf(names, before!.names.length)) : columnsOf(names, 0);
  const { starts, text } = columns;
  const lengths = Uint8Array.from(names, (_, place) => Math.min(starts[place + 1]! - 1 - starts[place]!, longestTold));
  const [lengthStarts, byLength] = grouped(lengths, longestTold + 1, 0);
  const [pairStarts, pairs] = grouped(pairsOf(text), classes * classes, 1);
  return {
    ...{ names, ...columns, placeOfBlock: blocksOf(starts), pairStarts, pairs, lengthStarts, byLength },
    seen: new Uint8Array(names.length),
  };
}

const perPlace = ['order', 'low', 'high', 'wordStarts', 'wordCounts', 'initials'] as const;
type Columns = Pick<NameTable, 'text' | 'starts' | (typeof perPlace)[number]>;

/** What is told of each name, from the one at `first` on. */
function columnsOf(names: readonly string[], first: number): Columns {
  const count = names.length - first;
  const lower = Array.from({ length: count }, (_, index) => names[first + index]!.toLowerCase());
  const order = new Uint32Array(count).map((_, index) => index).sort((a, b) => compareText(lower[a]!, lower[b]!));
  const ordered = Array.from(order, index => lower[index]!);
  order.forEach((index, place) => {
    order[place] = first + index;
  });
  const starts = new Uint32Array(count + 1);
  const low = new Uint32Array(count);
  const high = new Uint32Array(count);
  let at = 1;
  ordered.forEach((name, place) => {
    starts[place] = at;
    at += name.length + 1;
    const mask = maskOf(name);
    low[place] = mask.low;
    high[place] = mask.high;
  });
  starts[count] = at;
  return { order, text: ['', ...ordered, ''].join('\0'), starts, low, high, ...wordsOf(names, order, ordered) };
}

/** Two tables in one, of which the second has few names. */
function spliced(many: Columns, few: Columns): Columns {
  const count = many.order.length + few.order.length;
  const texts = ['\0'];
  const starts = new Uint32Array(count + 1);
  const merged = {
    order: new Uint32Array(count),
    low: new Uint32Array(count),
    high: new Uint32Array(count),
    wordStarts: new Uint32Array(count),
    wordCounts: new Uint8Array(count),
    initials: new Uint32Array(count),
  };
  let end = 0;
  let at = 1;
  const add = (from: Columns, first: number, last: number): void => {
    for (const column of perPlace) merged[column].set(from[column].subarray(first, last), end);
    const shift = at - from.starts[first]!;
    for (let place = first; place < last; place++) starts[end++] = from.starts[place]! + shift;
    texts.push(from.text.slice(from.starts[first], from.starts[last]));
    at += from.starts[last]! - from.starts[first]!;
  };
  let next = 0;
  for (let place = 0; place < few.order.length; place++) {
    const name = few.text.slice(few.starts[place], few.starts[place + 1]! - 1);
    const [first] = placesFrom(many, name);
    add(many, next, first);
    next = first;
    add(few, place, place + 1);
  }
  add(many, next, many.order.length);
  starts[count] = at;
  return { ...merged, starts, text: texts.join('') };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function blocksOf(starts: Uint32Array): Uint32Array {
  const blocks = new Uint32Array((starts.at(-1)! >>> blockBits) + 1);
  let place = 0;
  for (let block = 0; block < blocks.length; block++) {
    while (place + 2 < starts.length && starts[place + 1]! <= block << blockBits) place++;
    blocks[block] = place;
  }
  return blocks;
}

/** The place that a position of the text lies in. */
export function placeAt({ starts, placeOfBlock }: NameTable, position: number): number {
  let place = placeOfBlock[position >>> blockBits]!;
  while (starts[place + 1]! <= position) place++;
  return place;
}

/** The places whose names begin with a lower-case text, from the first to before the second. */
export function placesFrom(table: Pick<NameTable, 'text' | 'starts'>, lower: string): readonly [number, number] {
  return [boundary(table, lower, -1), boundary(table, lower, 0)];
}

/** How many names compare with a text, over its length, as at most `most`: -1 before it, 0 beginning with it. */
function boundary({ text, starts }: Pick<NameTable, 'text' | 'starts'>, lower: string, most: -1 | 0): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = starts[middle]!;
    let at = 0;
    while (at < lower.length && text.charCodeAt(start + at) === lower.charCodeAt(at)) at++;
    const isPast = at === lower.length ? most < 0 : text.charCodeAt(start + at) > lower.charCodeAt(at);
    if (isPast) high = middle;
    else low = middle + 1;
  }
  return low;
}

function wordsOf(names: readonly string[], order: Uint32Array, ordered: readonly string[]) {
  const wordStarts = new Uint32Array(order.length);
  const wordCounts = new Uint8Array(order.length);
  const initials = new Uint32Array(order.length);
  ordered.forEach((lower, place) => {
    const name = names[order[place]!]!;
    if (lower.length !== name.length) return;
    let bits = 0;
    let begins = 0;
    let words = 0;
    for (let unit = 0; unit < name.length; unit++) {
      if (!startsWord(name, unit)) continue;
      if (unit < 32) bits |= 1 << unit;
      if (words++ > 0) begins |= folded(lower.charCodeAt(unit));
    }
    wordStarts[place] = bits;
    wordCounts[place] = Math.min(words, 255);
    initials[place] = begins;
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

/** Nobody looks for the ends of names: pairs that hold a NUL are 0, and not kept. */
function pairsOf(text: string): Uint16Array {
  const pairs = new Uint16Array(Math.max(0, text.length - 1));
  let before = classAt(text, 0);
  for (let at = 1; at < text.length; at++) {
    const here = classAt(text, at);
    pairs[at - 1] = before === 0 || here === 0 ? 0 : before * classes + here;
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

/** A counting sort: indexes by key, ascending within one; keys below `least` are left out. */
function grouped(
  keys: Uint8Array | Uint16Array,
  keyCount: number,
  least: 0 | 1,
): readonly [starts: Uint32Array, order: Uint32Array] {
  const starts = new Uint32Array(keyCount + 1);
  for (let index = 0; index < keys.length; index++) if (keys[index]! >= least) starts[keys[index]! + 1]!++;
  for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!;
  const next = starts.slice();
  const order = new Uint32Array(starts[keyCount]!);
  for (let index = 0; index < keys.length; index++) {
    if (keys[index]! >= least) order[next[keys[index]!]!++] = index;
  }
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

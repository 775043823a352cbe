import { inOneGo } from '../model/in-one-go.ts';
import { inOrder } from './name-order.ts';

/**
 * Distinct names in the form that matching wants: in the order of their lower-case text, so that those that begin alike
 * stand side by side, with where in the text each pair of characters stands, and per name what rules most of them out at
 * once. A name is known here by its place in that order.
 */
export interface NameTable {
  readonly names: readonly string[];
  /** The table is of the names from this one on, as many as it has places. */
  readonly first: number;
  /** Per place: the index into `names`. */
  readonly order: Uint32Array;
  /** Lower-case names by place, NUL before, between and after them, in units of UTF-16. */
  readonly text: Units;
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
  /** Which of the first 31 characters aren't lower-case, as bits; the last bit where only the name itself can tell. */
  readonly capitals: Uint32Array;
  /**
   * Where each pair of classes stands: `spotOf` the place and the offset in its name, those of a pair from
   * `pairs[pairStarts[p]]` on, ascending.
   */
  readonly pairStarts: Uint32Array;
  readonly pairs: Uint32Array;
  /** Places by length: those of `n` characters are `byLength[lengthStarts[n]]` and on; 255 and more lie together. */
  readonly lengthStarts: Uint32Array;
  readonly byLength: Uint32Array;
  /** Scratch of one search: which names are found. */
  readonly seen: Uint8Array;
}

/** Units of UTF-16: bytes where none is larger. */
export type Units = Uint8Array | Uint16Array;

export const longestTold = 255;

/** A place shares a number with an offset: see `spotOf`. */
const mostNames = 2 ** 24;

/**
 * A table of the names from `first` on. `before`: a table of the first of these, if there is one; then only those that are
 * new are looked at and sorted. Throws a `RangeError` for more than 2 ** 24 names.
 */
export function nameTable(names: readonly string[], before?: NameTable, first = 0): NameTable {
  return inOneGo(nameTableInSteps(names, before, first));
}

/** As `nameTable`, a step at a time. */
export function* nameTableInSteps(names: readonly string[], before?: NameTable, first = 0): Generator<void, NameTable> {
  const count = names.length - first;
  if (count > mostNames) throw new RangeError(`${count} names are more than the ${mostNames} of a table`);
  const columns =
    before !== undefined && isBegun(names, first, before) ? continued(names, before) : yield* columnsOf(names, first);
  yield;
  const { starts, text, order } = columns;
  const lengths = Uint8Array.from(order, (_, place) => Math.min(starts[place + 1]! - 1 - starts[place]!, longestTold));
  const [lengthStarts, byLength] = grouped(lengths, longestTold + 1);
  yield;
  const [pairStarts, pairs] = yield* pairsOf(text, starts);
  return {
    ...{ names, first, ...columns, pairStarts, pairs, lengthStarts, byLength },
    seen: new Uint8Array(count),
  };
}

/** Whether a table is of the first of the names from `first` on. */
function isBegun(names: readonly string[], first: number, before: NameTable): boolean {
  if (before.first !== first || before.order.length > names.length - first) return false;
  return before.names === names || before.order.every(name => before.names[name] === names[name]);
}

function continued(names: readonly string[], before: NameTable): Columns {
  const next = before.first + before.order.length;
  return next === names.length ? before : spliced(before, inOneGo(columnsOf(names, next)));
}

const perPlace = ['order', 'low', 'high', 'wordStarts', 'wordCounts', 'initials', 'capitals'] as const;
type Columns = Pick<NameTable, 'text' | 'starts' | (typeof perPlace)[number]>;

/** Names that are looked at in one step, some 5 ms. */
const namesPerStep = 2 ** 14;

/** What is told of each name, from the one at `first` on. */
function* columnsOf(names: readonly string[], first: number): Generator<void, Columns> {
  const lower = Array.from({ length: names.length - first }, (_, index) => names[first + index]!.toLowerCase());
  yield;
  const { order, ordered } = yield* inOrder(lower, first);
  yield;
  const count = order.length;
  const text = unitsOf(['', ...ordered, ''].join('\0'));
  const starts = new Uint32Array(count + 1);
  const low = new Uint32Array(count);
  const high = new Uint32Array(count);
  const wordStarts = new Uint32Array(count);
  const wordCounts = new Uint8Array(count);
  const initials = new Uint32Array(count);
  const capitals = new Uint32Array(count);
  let at = 1;
  for (let place = 0; place < count; place++) {
    if (place % namesPerStep === namesPerStep - 1) yield;
    const name = names[order[place]!]!;
    const small = ordered[place]!;
    starts[place] = at;
    at += small.length + 1;
    const mask = maskOf(text, starts[place]!, at - 1);
    low[place] = mask.low;
    high[place] = mask.high;
    capitals[place] = capitalsOf(name, small);
    if (small.length !== name.length) continue;
    const words = wordsOf(name, text, starts[place]!);
    wordStarts[place] = words.starts;
    wordCounts[place] = words.count;
    initials[place] = words.initials;
  }
  starts[count] = at;
  return { order, text, starts, low, high, wordStarts, wordCounts, initials, capitals };
}

/** Two tables in one, of which the second has few names. */
function spliced(many: Columns, few: Columns): Columns {
  const count = many.order.length + few.order.length;
  const isAnyWide = [many, few].some(one => one.text instanceof Uint16Array);
  const text = new (isAnyWide ? Uint16Array : Uint8Array)(many.text.length + few.text.length - 1);
  const starts = new Uint32Array(count + 1);
  const merged = {
    order: new Uint32Array(count),
    low: new Uint32Array(count),
    high: new Uint32Array(count),
    wordStarts: new Uint32Array(count),
    wordCounts: new Uint8Array(count),
    initials: new Uint32Array(count),
    capitals: new Uint32Array(count),
  };
  let end = 0;
  let at = 1;
  const add = (from: Columns, first: number, last: number): void => {
    for (const column of perPlace) merged[column].set(from[column].subarray(first, last), end);
    const shift = at - from.starts[first]!;
    for (let place = first; place < last; place++) starts[end++] = from.starts[place]! + shift;
    text.set(from.text.subarray(from.starts[first], from.starts[last]), at);
    at += from.starts[last]! - from.starts[first]!;
  };
  let next = 0;
  for (let place = 0; place < few.order.length; place++) {
    const name = few.text.subarray(few.starts[place], few.starts[place + 1]! - 1);
    const [first] = placesFrom(many, name);
    add(many, next, first);
    next = first;
    add(few, place, place + 1);
  }
  add(many, next, many.order.length);
  starts[count] = at;
  return { ...merged, starts, text };
}

/** Places of the table, from one to before another. */
export type Places = readonly [from: number, to: number];

/** The places whose names begin with the first characters of a lower-case text, among those of fewer of them. */
export function placesFrom(
  table: Pick<NameTable, 'text' | 'starts'>,
  lower: Units,
  length: number = lower.length,
  among: Places = [0, table.starts.length - 1],
): Places {
  const first = boundary(table, lower.subarray(0, length), -1, among);
  return [first, boundary(table, lower.subarray(0, length), 0, [first, among[1]])];
}

/** The first place whose name compares with a text, over its length, as more than `most`: -1 before it, 0 beginning with it. */
function boundary(
  { text, starts }: Pick<NameTable, 'text' | 'starts'>,
  lower: Units,
  most: -1 | 0,
  [from, to]: Places,
): number {
  const { length } = lower;
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = starts[middle]!;
    let at = 0;
    while (at < length && text[start + at] === lower[at]) at++;
    const isPast = at === length ? most < 0 : text[start + at]! > lower[at]!;
    if (isPast) high = middle;
    else low = middle + 1;
  }
  return low;
}

const untold = 2 ** 31;
const capitalsTold = 31;

/** See `NameTable.capitals`. */
function capitalsOf(name: string, lower: string): number {
  let bits = lower.length === name.length ? 0 : untold;
  for (let at = 0; at < name.length; at++) {
    if (name.charCodeAt(at) > 127) return untold;
    if (at < capitalsTold && isUpper(name, at)) bits += 2 ** at;
  }
  return bits;
}

/** Whether a name is sure to have more than so many characters, without a look at the name itself. */
export function isLonger({ starts, capitals }: NameTable, place: number, length: number): boolean {
  return starts[place + 1]! - 1 - starts[place]! > length && capitals[place]! < untold;
}

/** Tells whether the name at a place, which begins with the query in lower case, begins with the query as it is. */
export function caseCheck({ names, order, capitals }: NameTable, query: string): (place: number) => boolean {
  const asked = capitalsOf(query, query);
  const isTold = asked < untold && query.length <= capitalsTold;
  const compared = isTold ? 2 ** query.length - 1 : 0;
  return place => {
    const bits = capitals[place]!;
    if (isTold && bits < untold) return (bits & compared) === asked;
    return names[order[place]!]!.startsWith(query);
  };
}

/** What words a name has, of which the lower-case text begins at `start`. Told of one name at a time: see `columnsOf`. */
function wordsOf(name: string, text: Units, start: number): typeof told {
  told.starts = 0;
  told.count = 0;
  told.initials = 0;
  for (let unit = 0; unit < name.length; unit++) {
    if (!startsWord(name, unit)) continue;
    if (unit < 32) told.starts |= 1 << unit;
    if (told.count > 0) told.initials |= folded(text[start + unit]!);
    if (told.count < 255) told.count++;
  }
  return told;
}

const told = { starts: 0, count: 0, initials: 0 };

/** Classes of characters: most hold one, so that what is told of the class holds for the character. */
const classes = 64;
const otherClass = 63;
const classOf = new Uint8Array(128).fill(otherClass);
[...'\0abcdefghijklmnopqrstuvwxyz0123456789_$-#.@!?=+*/<>()[]~%&|^:, '].slice(0, otherClass).forEach((unit, index) => {
  classOf[unit.charCodeAt(0)] = index;
});

export function classAt(text: Units, at: number): number {
  const unit = text[at]!;
  return unit < 128 ? classOf[unit]! : otherClass;
}

/** Whether nothing but this one character is of its class. */
export function isAlone(kind: number): boolean {
  return kind !== otherClass;
}

export function pairAt(text: Units, at: number): number {
  return classAt(text, at) * classes + classAt(text, at + 1);
}

/** A counting sort of all places of pairs. */
function* pairsOf(
  text: Units,
  starts: Uint32Array,
): Generator<void, readonly [starts: Uint32Array, pairs: Uint32Array]> {
  const kinds = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) kinds[at] = classAt(text, at);
  yield;
  const pairStarts = new Uint32Array(classes * classes + 1);
  const count = starts.length - 1;
  for (let place = 0; place < count; place++) {
    const last = starts[place + 1]! - 2;
    for (let at = starts[place]!; at < last; at++) pairStarts[kinds[at]! * classes + kinds[at + 1]! + 1]!++;
  }
  for (let pair = 0; pair < classes * classes; pair++) pairStarts[pair + 1]! += pairStarts[pair]!;
  yield;
  const next = pairStarts.slice();
  const pairs = new Uint32Array(pairStarts.at(-1)!);
  for (let place = 0; place < count; place++) {
    if (place % namesPerStep === namesPerStep - 1) yield;
    const start = starts[place]!;
    const last = starts[place + 1]! - 2;
    for (let at = start; at < last; at++) {
      pairs[next[kinds[at]! * classes + kinds[at + 1]!]!++] = spotOf(place, at - start);
    }
  }
  return [pairStarts, pairs];
}

/** A place, of less than `mostNames`, and an offset in its name as one number; offsets from `farthestTold` on are not told apart. */
export function spotOf(place: number, offset: number): number {
  return place * 256 + Math.min(offset, farthestTold);
}

export const farthestTold = 255;

export function placeOf(spot: number): number {
  return spot >>> 8;
}

export function offsetOf(spot: number): number {
  return spot & 255;
}

export function lengthAt(starts: Uint32Array, place: number): number {
  return starts[place + 1]! - 1 - starts[place]!;
}

/** The classes of a text's characters from one to before another. */
export function maskOf(
  lower: Units,
  from = 0,
  to: number = lower.length,
): { readonly low: number; readonly high: number } {
  let low = 0;
  let high = 0;
  for (let at = from; at < to; at++) {
    const kind = classAt(lower, at);
    if (kind < 32) low |= 1 << kind;
    else high |= 1 << (kind - 32);
  }
  return { low: low >>> 0, high: high >>> 0 };
}

export function unitsOf(text: string): Units {
  if (!isWide.test(text)) return new Uint8Array(Buffer.from(text, 'latin1'));
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

const isWide = /[^\0-\xff]/;

/** A character as one of 32 bits. */
export function folded(unit: number): number {
  return (1 << (unit & 31)) >>> 0;
}

/** A counting sort: indexes by key, ascending within one. */
function grouped(keys: Uint8Array, keyCount: number): readonly [starts: Uint32Array, order: Uint32Array] {
  const starts = new Uint32Array(keyCount + 1);
  for (let index = 0; index < keys.length; index++) starts[keys[index]! + 1]!++;
  for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!;
  const next = starts.slice();
  const order = new Uint32Array(starts[keyCount]!);
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
  return unit > 127 || (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || isDigit(unit);
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

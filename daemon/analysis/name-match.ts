/** How a query met a name. Earlier kinds are better, and a name is given the best that fits. */
export const matchKinds = ['exact', 'prefix', 'camel', 'substring', 'fuzzy'] as const;
export type MatchKind = (typeof matchKinds)[number];

/** Distinct names in the form that a scan wants: one lower-case text, and per name what rules most of them out at once. */
export interface NameTable {
  readonly names: readonly string[];
  /** Lower-case names, each followed by NUL. */
  readonly text: string;
  /** Where each begins in `text`, and the end. */
  readonly starts: Uint32Array;
  /** Which characters occur, folded onto 32 bits. */
  readonly masks: Uint32Array;
  /** Starts of words (`HttpServer`, `http_server`), at most 255. */
  readonly wordCounts: Uint8Array;
  /** With which characters words after the first begin, folded onto 32 bits. */
  readonly initials: Uint32Array;
  /** Scratch of one scan: where a name stands among its matches, -1 between scans. */
  readonly places: Int32Array;
}

export interface NameMatches {
  /** Indexes into the table, in no order that means anything. */
  readonly names: number[];
  readonly kinds: MatchKind[];
  /** 0 to 1, by the name alone. */
  readonly scores: number[];
}

/** Near misses are looked for where no name is the query itself and fewer than this match otherwise. */
const fuzzyBelow = 10;
/** Longer queries are matched literally: nobody types them from memory. */
const longestLoose = 64;

export function nameTable(names: readonly string[]): NameTable {
  const starts = new Uint32Array(names.length + 1);
  const masks = new Uint32Array(names.length);
  const wordCounts = new Uint8Array(names.length);
  const initials = new Uint32Array(names.length);
  const parts: string[] = [];
  let at = 0;
  names.forEach((name, index) => {
    const lower = name.toLowerCase();
    parts.push(lower);
    starts[index] = at;
    at += lower.length + 1;
    masks[index] = maskOf(lower);
    let words = 0;
    let begins = 0;
    for (let unit = 0; unit < name.length; unit++) {
      if (startsWord(name, unit) && words++ > 0) begins |= maskOf(name[unit]!.toLowerCase());
    }
    wordCounts[index] = Math.min(words, 255);
    initials[index] = begins >>> 0;
  });
  starts[names.length] = at;
  const text = parts.length === 0 ? '' : `${parts.join('\0')}\0`;
  return { names, text, starts, masks, wordCounts, initials, places: new Int32Array(names.length).fill(-1) };
}

/**
 * Every name that a query meets, taken literally: exact, prefix, camel-case words, substring, and near misses where
 * there is little else. `isBorne` tells names that something bears in the snapshot asked about.
 */
export function matchNames(table: NameTable, query: string, isBorne: (name: number) => boolean): NameMatches {
  const matches: NameMatches = { names: [], kinds: [], scores: [] };
  const lower = query.toLowerCase();
  if (lower === '' || lower.includes('\0')) return matches;
  const { places } = table;
  let isExact = false;
  const put = (name: number, kind: MatchKind, score: number): void => {
    const at = places[name]!;
    if (at < 0) {
      if (!isBorne(name)) return;
      isExact ||= kind === 'exact';
      places[name] = matches.names.length;
      matches.names.push(name);
      matches.kinds.push(kind);
      matches.scores.push(score);
    } else if (score > matches.scores[at]!) {
      matches.kinds[at] = kind;
      matches.scores[at] = score;
    }
  };
  matchLiterally(table, query, lower, put);
  if (query.length >= 2 && query.length <= longestLoose) matchWords(table, query, lower, put);
  if (!isExact && matches.names.length < fuzzyBelow && query.length <= longestLoose) {
    matchNearly(table, lower, (name, score) => {
      if (places[name]! < 0) put(name, 'fuzzy', score);
    });
  }
  for (const name of matches.names) places[name] = -1;
  return matches;
}

type Put = (name: number, kind: MatchKind, score: number) => void;

function matchLiterally({ names, text, starts }: NameTable, query: string, lower: string, put: Put): void {
  let index = 0;
  for (let at = text.indexOf(lower); at >= 0; ) {
    index = nameAt(starts, at, index);
    const start = starts[index]!;
    const end = starts[index + 1]! - 1;
    const share = lower.length / (end - start);
    if (at === start) {
      const sameCase = names[index]!.startsWith(query);
      if (share === 1) put(index, 'exact', sameCase ? 1 : 0.98);
      else put(index, 'prefix', 0.8 + 0.11 * share + (sameCase ? 0.01 : 0));
    } else {
      const name = names[index]!;
      const onWord = name.length === end - start && startsWord(name, at - start);
      put(index, 'substring', 0.45 + 0.1 * share + (onWord ? 0.08 : 0));
    }
    at = text.indexOf(lower, end + 1);
  }
}

/** Index of the name that a position of the text lies in, which is `from` or a later one: near ones by steps, far ones by bisection. */
function nameAt(starts: Uint32Array, position: number, from: number): number {
  let low = from;
  for (let step = 0; step < 8; step++) {
    if (starts[low + 1]! > position) return low;
    low++;
  }
  let high = starts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= position) low = middle;
    else high = middle;
  }
  return low;
}

/** `HS`, `hs`, `htSe` for `HttpServer`: the query as beginnings of words, in order, from the first word on. */
function matchWords(
  { names, text, starts, masks, wordCounts, initials }: NameTable,
  query: string,
  lower: string,
  put: Put,
): void {
  const mask = maskOf(lower);
  const later = maskOf(lower.slice(1));
  const first = lower.charCodeAt(0);
  for (let index = 0; index < names.length; index++) {
    if (wordCounts[index]! < 2 || (masks[index]! & mask) >>> 0 !== mask) continue;
    if ((initials[index]! & later) === 0) continue;
    if (text.charCodeAt(starts[index]!) !== first) continue;
    const words = wordsMet(names[index]!, query, lower);
    if (words >= 2) put(index, 'camel', 0.62 + (0.14 * words) / wordCounts[index]!);
  }
}

const stepsPerName = 500;

/** The number of words that a query's characters begin or go on in, 0 where they don't fit. */
function wordsMet(name: string, query: string, lower: string): number {
  const lowerName = name.toLowerCase();
  if (lowerName.length !== name.length) return 0;
  const starts: number[] = [];
  for (let at = 0; at < name.length; at++) if (startsWord(name, at)) starts.push(at);
  let steps = 0;
  const from = (at: number, word: number, words: number): number => {
    if (at === lower.length) return words;
    for (let next = word; next < starts.length; next++) {
      if (words === 0 && next > 0) return 0;
      const start = starts[next]!;
      const end = starts[next + 1] ?? name.length;
      let length = 0;
      while (
        at + length < lower.length &&
        start + length < end &&
        lowerName.charCodeAt(start + length) === lower.charCodeAt(at + length) &&
        (length === 0 || !isUpper(query, at + length))
      ) {
        length++;
      }
      for (; length > 0; length--) {
        if (++steps > stepsPerName) return 0;
        const met = from(at + length, next + 1, words + 1);
        if (met > 0) return met;
      }
    }
    return 0;
  };
  return from(0, 0, 0);
}

function matchNearly(
  { text, starts, masks }: NameTable,
  lower: string,
  put: (name: number, score: number) => void,
): void {
  const allowed = lower.length < 3 ? 0 : lower.length < 6 ? 1 : 2;
  if (allowed === 0) return;
  const mask = maskOf(lower);
  for (let index = 0; index < masks.length; index++) {
    const start = starts[index]!;
    const length = starts[index + 1]! - 1 - start;
    if (Math.abs(length - lower.length) > allowed) continue;
    if (bitsIn(mask ^ masks[index]!) > 2 * allowed) continue;
    const distance = editDistance(lower, text.slice(start, start + length), allowed);
    if (distance <= allowed) put(index, 0.2 + 0.2 * (1 - distance / lower.length));
  }
}

/**
 * Optimal string alignment: insertions, deletions, changes, and neighbours swapped. Anything past `limit` is
 * `limit + 1`; only the band of cells that can stay below it is filled.
 */
export function editDistance(a: string, b: string, limit: number): number {
  const past = limit + 1;
  if (Math.abs(a.length - b.length) > limit) return past;
  let [earlier, before, now] = rowsFor(b.length + 2);
  for (let column = 0; column <= b.length; column++) before[column] = column;
  for (let row = 1; row <= a.length; row++) {
    const first = Math.max(1, row - limit);
    const last = Math.min(b.length, row + limit);
    let least = first === 1 ? row : past;
    now[first - 1] = least;
    // The row before ended one column earlier; what lies past its band is out of reach.
    if (last === row + limit) before[last] = past;
    const unit = a.charCodeAt(row - 1);
    for (let column = first; column <= last; column++) {
      const other = b.charCodeAt(column - 1);
      let cost = Math.min(before[column]! + 1, now[column - 1]! + 1, before[column - 1]! + (unit === other ? 0 : 1));
      if (row > 1 && column > 1 && unit === b.charCodeAt(column - 2) && a.charCodeAt(row - 2) === other) {
        cost = Math.min(cost, earlier[column - 2]! + 1);
      }
      now[column] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return past;
    [earlier, before, now] = [before, now, earlier];
  }
  return Math.min(before[b.length]!, past);
}

let rows: [Uint16Array, Uint16Array, Uint16Array] = [new Uint16Array(0), new Uint16Array(0), new Uint16Array(0)];

/** Three rows of at least this length, whatever they hold: a scan compares thousands of names. */
function rowsFor(length: number): [Uint16Array, Uint16Array, Uint16Array] {
  if (rows[0].length < length) rows = [new Uint16Array(length), new Uint16Array(length), new Uint16Array(length)];
  return rows;
}

/** Whether a word begins here: the first character, a capital after a small letter or before one, a letter after `_`, `$`, `-`, a digit after a letter. */
function startsWord(name: string, at: number): boolean {
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

function isUpper(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit < 128 ? unit >= 65 && unit <= 90 : text[at] !== text[at]!.toLowerCase();
}

function isLower(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit < 128 ? unit >= 97 && unit <= 122 : text[at] !== text[at]!.toUpperCase();
}

function maskOf(lower: string): number {
  let mask = 0;
  for (let at = 0; at < lower.length; at++) mask |= 1 << (lower.charCodeAt(at) & 31);
  return mask >>> 0;
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

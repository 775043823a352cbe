import {
  classAt,
  folded,
  isAlone,
  isUpper,
  longestTold,
  maskOf,
  type NameTable,
  pairAt,
  startsWord,
} from './name-table.ts';

/** How a query met a name. Earlier kinds are better, and a name is given the best that fits. */
export const matchKinds = ['exact', 'prefix', 'camel', 'substring', 'fuzzy'] as const;
export type MatchKind = (typeof matchKinds)[number];

/** Where matches go, each name once and in no order that means anything. */
export interface MatchSink {
  /** By how many symbols each name is borne in the snapshot asked about: a name that nothing bears is no match. */
  readonly bearers: Uint32Array;
  /** The least score that still matters; it may rise from match to match. */
  least(): number;
  /** Score: 0 to 1, by the name alone. */
  put(name: number, kind: MatchKind, score: number): void;
}

/** Near misses are looked for where no name is the query itself and fewer than this match otherwise. */
const fuzzyBelow = 10;
/** Longer queries are matched literally: nobody types them from memory. */
const longestLoose = 64;
/** No substring scores higher. */
const substringMost = 0.63;

/**
 * Finds every name that a query meets, taken literally: exact, prefix, camel-case words, substring, and near misses
 * where there is little else. What scores high comes first; names that hold the query and can't reach the least score
 * are only counted. Returns by how many symbols those are borne.
 */
export function matchNames(table: NameTable, query: string, sink: MatchSink): number {
  const lower = query.toLowerCase();
  if (lower === '' || lower.includes('\0')) return 0;
  const { seen } = table;
  const { bearers } = sink;
  seen.fill(0);
  let found = 0;
  let isExact = false;
  const isNew = (name: number): boolean => {
    if (seen[name] === 1 || bearers[name] === 0) return false;
    seen[name] = 1;
    found++;
    return true;
  };
  let passed = 0;
  const atStart = (name: number): void => {
    if (!isNew(name)) return;
    const share = lower.length / (table.starts[name + 1]! - 1 - table.starts[name]!);
    if (share < 1 && 0.81 + 0.11 * share < sink.least()) {
      passed += bearers[name]!;
      return;
    }
    const sameCase = table.names[name]!.startsWith(query);
    if (share === 1) {
      isExact = true;
      sink.put(name, 'exact', sameCase ? 1 : 0.98);
    } else sink.put(name, 'prefix', 0.8 + 0.11 * share + (sameCase ? 0.01 : 0));
  };
  const inside = lower.length === 1 ? matchOne(table, lower, atStart) : matchSeveral(table, lower, atStart);
  if (query.length >= 2 && query.length <= longestLoose) {
    matchWords(table, query, lower, (name, score) => {
      if (isNew(name)) sink.put(name, 'camel', score);
    });
  }
  let at = 0;
  for (; at < inside.count && sink.least() <= substringMost; at++) {
    const name = inside.names[at]!;
    if (isNew(name)) sink.put(name, 'substring', substringScore(table, name, lower, inside.offsets?.[at]));
  }
  for (; at < inside.count; at++) {
    const name = inside.names[at]!;
    if (seen[name] === 0 && bearers[name]! > 0) {
      found++;
      passed += bearers[name]!;
    }
  }
  if (isExact || found >= fuzzyBelow || query.length > longestLoose) return passed;
  matchNearly(table, lower, (name, score) => {
    if (isNew(name)) sink.put(name, 'fuzzy', score);
  });
  return passed;
}

/** Names that hold the query further in, each once, and at which character where that is known already. */
interface Inside {
  readonly names: Uint32Array;
  readonly offsets?: Uint32Array;
  readonly count: number;
}

/** One character: which names begin with it is in the table of pairs, which others hold it in their masks. */
function matchOne(table: NameTable, lower: string, atStart: (name: number) => void): Inside {
  const { text, starts, pairStarts, pairs, low, high, firstScratch: names } = table;
  const kind = classAt(lower, 0);
  const pair = pairAt(`\0${lower}`, 0);
  const unit = lower.charCodeAt(0);
  let name = 0;
  for (let at = pairStarts[pair]!; at < pairStarts[pair + 1]!; at++) {
    const position = pairs[at]! + 1;
    name = nameAt(starts, position, name);
    if (text.charCodeAt(position) === unit) atStart(name);
  }
  const masks = kind < 32 ? low : high;
  const bit = 1 << (kind & 31);
  const isSure = isAlone(kind);
  let count = 0;
  for (let index = 0; index < masks.length; index++) {
    if ((masks[index]! & bit) === 0) continue;
    if (isSure || text.slice(starts[index], starts[index + 1]).includes(lower)) names[count++] = index;
  }
  return { names, count };
}

/** The rarest pair of the query leads to where it can stand. */
function matchSeveral(table: NameTable, lower: string, atStart: (name: number) => void): Inside {
  const { text, starts, pairStarts, pairs, firstScratch: names, secondScratch: offsets } = table;
  let offset = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (let at = 0; at + 1 < lower.length; at++) {
    const pair = pairAt(lower, at);
    const many = pairStarts[pair + 1]! - pairStarts[pair]!;
    if (many < fewest) [fewest, offset] = [many, at];
  }
  const pair = pairAt(lower, offset);
  const first = pairStarts[pair]!;
  const isSure = lower.length === 2 && isAlone(classAt(lower, 0)) && isAlone(classAt(lower, 1));
  let name = 0;
  let last = -1;
  let count = 0;
  for (let at = first; at < first + fewest; at++) {
    const position = pairs[at]! - offset;
    if (!isSure && !text.startsWith(lower, position)) continue;
    name = nameAt(starts, position, name);
    if (name === last) continue;
    last = name;
    if (position === starts[name]) atStart(name);
    else {
      names[count] = name;
      offsets[count++] = position - starts[name]!;
    }
  }
  return { names, offsets, count };
}

function substringScore({ names, text, starts }: NameTable, name: number, lower: string, offset?: number): number {
  const start = starts[name]!;
  const length = starts[name + 1]! - 1 - start;
  const at = offset ?? text.indexOf(lower, start) - start;
  const onWord = names[name]!.length === length && startsWord(names[name]!, at);
  return 0.45 + (0.1 * lower.length) / length + (onWord ? 0.08 : 0);
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
function matchWords(table: NameTable, query: string, lower: string, put: (name: number, score: number) => void): void {
  const { text, starts, low, high, wordCounts, initials, pairStarts, pairs, seen } = table;
  const mask = maskOf(lower);
  const later = foldedAll(lower.slice(1));
  const pair = pairAt(`\0${lower[0]}`, 0);
  let index = 0;
  for (let at = pairStarts[pair]!; at < pairStarts[pair + 1]!; at++) {
    const start = pairs[at]! + 1;
    index = nameAt(starts, start, index);
    if (wordCounts[index]! < 2 || seen[index] === 1 || (initials[index]! & later) === 0) continue;
    if ((low[index]! & mask.low) >>> 0 !== mask.low || (high[index]! & mask.high) >>> 0 !== mask.high) continue;
    if (text.charCodeAt(start) !== lower.charCodeAt(0)) continue;
    const words = wordsMet(table, index, query, lower);
    if (words >= 2) put(index, 0.62 + (0.14 * words) / wordCounts[index]!);
  }
}

function foldedAll(lower: string): number {
  let bits = 0;
  for (let at = 0; at < lower.length; at++) bits |= folded(lower.charCodeAt(at));
  return bits;
}

const stepsPerName = 500;

/** The number of words that a query's characters begin or go on in, 0 where they don't fit. */
function wordsMet({ names, text, starts, wordStarts }: NameTable, index: number, query: string, lower: string): number {
  const base = starts[index]!;
  const end = starts[index + 1]! - 1 - base;
  const bits = wordStarts[index]!;
  const begins = (at: number): boolean => (at < 32 ? (bits & (1 << at)) !== 0 : startsWord(names[index]!, at));
  const nextStart = (at: number): number => {
    let next = at;
    while (next < end && !begins(next)) next++;
    return next;
  };
  let steps = 0;
  const from = (at: number, word: number, words: number): number => {
    if (at === lower.length) return words;
    for (let start = word; start < end; start = nextStart(start + 1)) {
      if (words === 0 && start > word) return 0;
      const stop = nextStart(start + 1);
      let length = 0;
      while (
        at + length < lower.length &&
        start + length < stop &&
        text.charCodeAt(base + start + length) === lower.charCodeAt(at + length) &&
        (length === 0 || !isUpper(query, at + length))
      ) {
        length++;
      }
      for (; length > 0; length--) {
        if (++steps > stepsPerName) return 0;
        const met = from(at + length, stop, words + 1);
        if (met > 0) return met;
      }
    }
    return 0;
  };
  return from(0, nextStart(0), 0);
}

function matchNearly(table: NameTable, lower: string, put: (name: number, score: number) => void): void {
  const { text, starts, low, high, lengthStarts, byLength } = table;
  const allowed = lower.length < 3 ? 0 : lower.length < 6 ? 1 : 2;
  if (allowed === 0) return;
  const mask = maskOf(lower);
  const from = lengthStarts[Math.max(0, lower.length - allowed)]!;
  const to = lengthStarts[Math.min(longestTold, lower.length + allowed) + 1]!;
  for (let at = from; at < to; at++) {
    const index = byLength[at]!;
    const different = bitsIn(mask.low ^ low[index]!) + bitsIn(mask.high ^ high[index]!);
    if (different > 2 * allowed) continue;
    const distance = editDistance(lower, text.slice(starts[index]!, starts[index + 1]! - 1), allowed);
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

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

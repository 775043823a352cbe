import { editsFrom } from './edit-distance.ts';
import {
  classAt,
  folded,
  isAlone,
  isUpper,
  longestTold,
  maskOf,
  type NameTable,
  pairAt,
  placeAt,
  placesFrom,
  startsWord,
} from './name-table.ts';

/** How a query met a name. Earlier kinds are better, and a name is given the best that fits. */
export const matchKinds = ['exact', 'prefix', 'camel', 'substring', 'fuzzy'] as const;
export type MatchKind = (typeof matchKinds)[number];

/** Where matches go, each name once and in no order that means anything. A name is meant by its place in the table. */
export interface MatchSink {
  /** Per place: by how many symbols the name is borne in the snapshot asked about. One that nothing bears is no match. */
  readonly bearers: Uint32Array;
  /** Per place: how much of a name's score its symbols keep at most, 0 to 1. */
  readonly weights: Float64Array;
  /** What scores less, weighed, doesn't matter any more; it may rise from match to match. */
  least(): number;
  /** Score: 0 to 1, by the name alone. */
  put(place: number, kind: MatchKind, score: number): void;
}

/** Near misses are looked for where no name is the query itself and fewer than this match otherwise. */
const fuzzyBelow = 10;
/** Longer queries are matched literally: nobody types them from memory. */
const longestLoose = 64;

/**
 * Finds every name that a query meets, taken literally: exact, prefix, camel-case words, substring, and near misses
 * where there is little else. What scores high comes first; names that hold the query and can't reach the least score
 * are only counted. Returns by how many symbols those are borne.
 */
export function matchNames(table: NameTable, query: string, sink: MatchSink): number {
  const lower = query.toLowerCase();
  if (lower === '' || lower.includes('\0')) return 0;
  table.seen.fill(0);
  const beginning = placesFrom(table, lower);
  const isLoose = query.length <= longestLoose;
  const starting = matchStarts(table, query, lower, beginning, sink);
  const ofWords = isLoose && query.length >= 2 ? matchWords(table, query, lower, beginning, sink) : 0;
  const inside = insideSink(table, lower, beginning, sink);
  if (lower.length === 1) holdingOne(table, lower, inside);
  else holdingSeveral(table, lower, inside);
  const found = starting.found + ofWords + inside.found();
  if (isLoose && !starting.isExact && found < fuzzyBelow) matchNearly(table, lower, beginning, sink);
  return starting.passed + inside.passed();
}

/** Places of the table, from one to before another. */
type Places = readonly [from: number, to: number];

/** Names that begin with the query; the shortest may be it. */
function matchStarts(table: NameTable, query: string, lower: string, [from, to]: Places, sink: MatchSink) {
  const { names, order, starts } = table;
  const { bearers, weights } = sink;
  let found = 0;
  let passed = 0;
  let isExact = false;
  let least = sink.least();
  for (let place = from; place < to; place++) {
    if (bearers[place] === 0) continue;
    found++;
    const share = lower.length / lengthAt(starts, place);
    if (share < 1 && (0.81 + 0.11 * share) * weights[place]! < least) {
      passed += bearers[place]!;
      continue;
    }
    const isSameCase = names[order[place]!]!.startsWith(query);
    if (share === 1) {
      isExact = true;
      sink.put(place, 'exact', isSameCase ? 1 : 0.98);
    } else sink.put(place, 'prefix', 0.8 + 0.11 * share + (isSameCase ? 0.01 : 0));
    least = sink.least();
  }
  return { found, passed, isExact };
}

function lengthAt(starts: Uint32Array, place: number): number {
  return starts[place + 1]! - 1 - starts[place]!;
}

/** Takes names that hold the query, and passes by those that begin with it or are found already. */
type InsideSink = ReturnType<typeof insideSink>;

/** One character: which names hold it is in their masks. */
function holdingOne({ text, starts, low, high }: NameTable, lower: string, inside: InsideSink): void {
  const kind = classAt(lower, 0);
  const masks = kind < 32 ? low : high;
  const bit = 1 << (kind & 31);
  if (isAlone(kind) && inside.isCountOnly()) {
    inside.count(masks, bit);
    return;
  }
  for (let place = 0; place < masks.length; place++) {
    if ((masks[place]! & bit) === 0) continue;
    if (isAlone(kind) || text.slice(starts[place], starts[place + 1]).includes(lower)) inside.put(place, undefined);
  }
}

/** The rarest pair of the query leads to where it can stand. */
function holdingSeveral(table: NameTable, lower: string, { put }: InsideSink): void {
  const { text, starts, pairStarts, pairs } = table;
  let offset = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (let at = 0; at + 1 < lower.length; at++) {
    const pair = pairAt(lower, at);
    const many = pairStarts[pair + 1]! - pairStarts[pair]!;
    if (many < fewest) [fewest, offset] = [many, at];
  }
  const first = pairStarts[pairAt(lower, offset)]!;
  const isSure = lower.length === 2 && isAlone(classAt(lower, 0)) && isAlone(classAt(lower, 1));
  for (let at = first; at < first + fewest; at++) {
    const position = pairs[at]! - offset;
    if (!isSure && !stands(lower, text, position)) continue;
    const place = placeAt(table, position);
    put(place, position - starts[place]!);
  }
}

function stands(lower: string, text: string, position: number): boolean {
  for (let at = 0; at < lower.length; at++) {
    if (text.charCodeAt(position + at) !== lower.charCodeAt(at)) return false;
  }
  return true;
}

/** Scores names that hold the query further in than at their beginning, or counts them where no score of theirs matters. */
function insideSink(table: NameTable, lower: string, [from, to]: Places, sink: MatchSink) {
  const { seen, starts } = table;
  const { bearers, weights } = sink;
  let found = 0;
  let passed = 0;
  let least = sink.least();
  return {
    found: () => found,
    passed: () => passed,
    isCountOnly: () => least > substringMost,
    /** Counts all names whose mask has a bit. */
    count(masks: Uint32Array, bit: number): void {
      for (let place = 0; place < masks.length; place++) {
        if ((masks[place]! & bit) !== 0 && (place < from || place >= to)) passed += bearers[place]!;
      }
    },
    /** `offset`: at which character, if that is known. */
    put(place: number, offset: number | undefined): void {
      if (seen[place] === 1 || bearers[place] === 0 || (place >= from && place < to)) return;
      seen[place] = 1;
      found++;
      const share = least > substringMost ? 1 : lower.length / lengthAt(starts, place);
      if ((0.53 + 0.1 * share) * weights[place]! < least) {
        passed += bearers[place]!;
        return;
      }
      sink.put(place, 'substring', 0.45 + 0.1 * share + (isOnWord(table, place, lower, offset) ? 0.08 : 0));
      least = sink.least();
    },
  };
}

/** No substring scores higher. */
const substringMost = 0.63;

/** Whether the query begins where a word of the name does. */
function isOnWord(table: NameTable, place: number, lower: string, offset: number | undefined): boolean {
  const { names, order, text, starts, wordStarts } = table;
  const start = starts[place]!;
  const at = offset ?? text.indexOf(lower, start) - start;
  if (at < 32) return (wordStarts[place]! & (1 << at)) !== 0;
  const name = names[order[place]!]!;
  return name.length === lengthAt(starts, place) && startsWord(name, at);
}

/**
 * `HS`, `hs`, `htSe` for `HttpServer`: the query as beginnings of words, in order, from the first word on. Returns how
 * many names it meets so beside those that begin with it.
 */
function matchWords(table: NameTable, query: string, lower: string, [from, to]: Places, sink: MatchSink): number {
  const { text, starts, low, high, wordCounts, initials, seen } = table;
  const mask = maskOf(lower);
  const later = foldedBeginnings(lower);
  const isCapital = Array.from({ length: lower.length }, (_, at) => at < query.length && isUpper(query, at));
  const [first, end] = placesFrom(table, lower[0]!);
  let found = 0;
  for (let place = first; place < end; place++) {
    if (wordCounts[place]! < 2 || (place >= from && place < to)) continue;
    if ((low[place]! & mask.low) >>> 0 !== mask.low || (high[place]! & mask.high) >>> 0 !== mask.high) continue;
    // Where the first word goes on otherwise than the query, at the latest, a later one must begin.
    let alike = 1;
    while (alike < lower.length && text.charCodeAt(starts[place]! + alike) === lower.charCodeAt(alike)) alike++;
    if ((initials[place]! & later[alike]!) === 0 || sink.bearers[place] === 0) continue;
    const words = wordsMet(table, place, lower, isCapital);
    if (words < 2) continue;
    seen[place] = 1;
    found++;
    sink.put(place, 'camel', 0.62 + (0.14 * words) / wordCounts[place]!);
  }
  return found;
}

/** Of each length, the folded characters after the first up to the one at it. */
function foldedBeginnings(lower: string): readonly number[] {
  let bits = 0;
  return Array.from({ length: lower.length + 1 }, (_, length) => {
    if (length > 0 && length < lower.length) bits |= folded(lower.charCodeAt(length));
    return bits;
  });
}

const stepsPerName = 500;

/** A walk through the words of one name. */
interface Walk {
  readonly table: NameTable;
  readonly place: number;
  readonly lower: string;
  readonly isCapital: readonly boolean[];
  /** Where the name begins in the text, and its length. */
  readonly start: number;
  readonly length: number;
  steps: number;
}

/** The number of words that a query's characters begin or go on in, 0 where they don't fit. */
function wordsMet(table: NameTable, place: number, lower: string, isCapital: readonly boolean[]): number {
  const start = table.starts[place]!;
  const walk = { table, place, lower, isCapital, start, length: lengthAt(table.starts, place), steps: 0 };
  return wordsFrom(walk, 0, nextStart(walk, 0), 0);
}

/** As `wordsMet`, for the query from `at` and the name from the word at `word`. */
function wordsFrom(walk: Walk, at: number, word: number, words: number): number {
  const { lower, isCapital, length, start } = walk;
  const { text } = walk.table;
  if (at === lower.length) return words;
  for (let begin = word; begin < length; begin = nextStart(walk, begin + 1)) {
    if (words === 0 && begin > word) return 0;
    if (text.charCodeAt(start + begin) !== lower.charCodeAt(at)) continue;
    const stop = nextStart(walk, begin + 1);
    let run = 1;
    while (
      at + run < lower.length &&
      begin + run < stop &&
      text.charCodeAt(start + begin + run) === lower.charCodeAt(at + run) &&
      !isCapital[at + run]
    ) {
      run++;
    }
    for (; run > 0; run--) {
      if (++walk.steps > stepsPerName) return 0;
      const met = wordsFrom(walk, at + run, stop, words + 1);
      if (met > 0) return met;
    }
  }
  return 0;
}

/** Where the next word begins, from `at` on; the name's length where none does. */
function nextStart({ table: { names, order, wordStarts }, place, length }: Walk, at: number): number {
  let next = at;
  if (next < 32) {
    const bits = (wordStarts[place]! >>> next) << next;
    if (bits !== 0) return 31 - Math.clz32(bits & -bits);
    next = 32;
  }
  while (next < length && !startsWord(names[order[place]!]!, next)) next++;
  return Math.min(next, length);
}

function matchNearly(table: NameTable, lower: string, [begin, end]: Places, sink: MatchSink): void {
  const { text, starts, low, high, lengthStarts, byLength, seen } = table;
  const allowed = lower.length < 3 ? 0 : lower.length < 6 ? 1 : 2;
  if (allowed === 0) return;
  const mask = maskOf(lower);
  const edits = editsFrom(lower, allowed);
  const from = lengthStarts[Math.max(0, lower.length - allowed)]!;
  const to = lengthStarts[Math.min(longestTold, lower.length + allowed) + 1]!;
  for (let at = from; at < to; at++) {
    const place = byLength[at]!;
    const different = bitsIn(mask.low ^ low[place]!) + bitsIn(mask.high ^ high[place]!);
    if (different > 2 * allowed || seen[place] === 1 || (place >= begin && place < end)) continue;
    if (sink.bearers[place] === 0) continue;
    const distance = edits(text, starts[place]!, starts[place + 1]! - 1);
    if (distance <= allowed) sink.put(place, 'fuzzy', 0.2 + 0.2 * (1 - distance / lower.length));
  }
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

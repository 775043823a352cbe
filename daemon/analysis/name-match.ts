import {
  caseCheck,
  classAt,
  farthestTold,
  folded,
  isAlone,
  isUpper,
  lengthAt,
  maskOf,
  type NameTable,
  offsetOf,
  type Places,
  pairAt,
  placeOf,
  placesFrom,
  spotOf,
  startsWord,
  type Units,
  unitsOf,
} from './name-table.ts';
import { nearMisses } from './near-misses.ts';

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

/** Names to look among, and where those go that match. */
export interface MatchTable {
  readonly table: NameTable;
  readonly sink: MatchSink;
}

/**
 * Finds every name of some tables that a query meets, taken literally: exact, prefix, camel-case words, substring, and near
 * misses where there is little else. What scores high comes first; names that hold the query and can't reach the least
 * score are only counted. Returns by how many symbols those are borne.
 */
export function matchNames(tables: readonly MatchTable[], query: string): number {
  const text = query.toLowerCase();
  if (text === '' || text.includes('\0')) return 0;
  const lower = unitsOf(text);
  const scans = tables.map(({ table, sink }): Scan => {
    table.seen.fill(0);
    return { table, query, lower, beginning: placesFrom(table, lower), sink, found: 0, passed: 0 };
  });
  const isExact = scans.filter(matchStarts).length > 0;
  const isLoose = query.length <= longestLoose;
  if (isLoose && query.length >= 2) scans.forEach(matchWords);
  scans.forEach(lower.length === 1 ? holdingOne : holdingSeveral);
  if (isLoose && !isExact && sum(scans, scan => scan.found) < fuzzyBelow) {
    for (const { table, lower, beginning, sink } of scans) {
      nearMisses({ table, lower, beginning }, sink.bearers, (place, score) => sink.put(place, 'fuzzy', score));
    }
  }
  return sum(scans, scan => scan.passed);
}

/** As `matchNames`, of names that are the query but for their case. */
export function matchEqual(tables: readonly MatchTable[], query: string): void {
  const text = query.toLowerCase();
  if (text === '' || text.includes('\0')) return;
  const lower = unitsOf(text);
  for (const { table, sink } of tables) {
    const isSameCase = caseCheck(table, query);
    const [from, to] = placesFrom(table, lower);
    // The shortest of those that begin with it stand first.
    for (let place = from; place < to && lengthAt(table.starts, place) === lower.length; place++) {
      if (sink.bearers[place] !== 0) sink.put(place, 'exact', exactScore(isSameCase(place)));
    }
  }
}

function exactScore(isSameCase: boolean): number {
  return isSameCase ? 1 : 0.98;
}

function sum(scans: readonly Scan[], of: (scan: Scan) => number): number {
  return scans.reduce((total, scan) => total + of(scan), 0);
}

/** One search through a table. */
interface Scan {
  readonly table: NameTable;
  readonly query: string;
  /** In lower case. */
  readonly lower: Units;
  /** The names that begin with it. */
  readonly beginning: Places;
  readonly sink: MatchSink;
  /** Names so far, and symbols of those that were only counted. */
  found: number;
  passed: number;
}

/** Names that begin with the query; the shortest may be it: tells whether one is. */
function matchStarts(scan: Scan): boolean {
  const { table, query, sink } = scan;
  const { starts } = table;
  const { bearers, weights } = sink;
  const { length } = scan.lower;
  const [from, to] = scan.beginning;
  const isSameCase = caseCheck(table, query);
  let isExact = false;
  let least = sink.least();
  for (let place = from; place < to; place++) {
    if (bearers[place] === 0) continue;
    scan.found++;
    const share = length / lengthAt(starts, place);
    if (share < 1 && (0.81 + 0.11 * share) * weights[place]! < least) {
      scan.passed += bearers[place]!;
      continue;
    }
    if (share === 1) {
      isExact = true;
      sink.put(place, 'exact', exactScore(isSameCase(place)));
    } else sink.put(place, 'prefix', 0.8 + 0.11 * share + (isSameCase(place) ? 0.01 : 0));
    least = sink.least();
  }
  return isExact;
}

/** No substring scores higher. */
const substringMost = 0.63;

/** One character: which names hold it is in their masks. */
function holdingOne(scan: Scan): void {
  const { table, lower, sink } = scan;
  const { text, starts, low, high } = table;
  const [from, to] = scan.beginning;
  const kind = classAt(lower, 0);
  const masks = kind < 32 ? low : high;
  const bit = 1 << (kind & 31);
  if (isAlone(kind) && sink.least() > substringMost) {
    scan.passed += bearersOf(sink, masks, kind, 0, from) + bearersOf(sink, masks, kind, to, masks.length);
    return;
  }
  for (let place = 0; place < masks.length; place++) {
    if ((masks[place]! & bit) === 0 || (place >= from && place < to) || sink.bearers[place] === 0) continue;
    let offset = 0;
    const length = lengthAt(starts, place);
    while (offset < length && text[starts[place]! + offset] !== lower[0]) offset++;
    if (offset < length) putInside(scan, place, offset);
  }
}

/** How many symbols bear names that hold a class. Without a branch: no processor guesses which do. */
function bearersOf({ bearers }: MatchSink, masks: Uint32Array, kind: number, from: number, to: number): number {
  let many = 0;
  for (let place = from; place < to; place++) many += bearers[place]! & -((masks[place]! >>> (kind & 31)) & 1);
  return many;
}

/** The rarest pair of the query leads to where it can stand. */
function holdingSeveral(scan: Scan): void {
  const { table, lower } = scan;
  const { pairStarts, pairs } = table;
  let offset = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (let at = 0; at + 1 < lower.length; at++) {
    const pair = pairAt(lower, at);
    const many = pairStarts[pair + 1]! - pairStarts[pair]!;
    if (many < fewest) [fewest, offset] = [many, at];
  }
  const first = pairStarts[pairAt(lower, offset)]!;
  const end = first + fewest;
  // Names that begin with the query are found already.
  const [from, to] = scan.beginning;
  holdingAt(scan, first, firstFrom(pairs, spotOf(from, 0), first, end), offset);
  holdingAt(scan, firstFrom(pairs, spotOf(to, 0), first, end), end, offset);
}

/** The first index, from one to before another, whose value is at least some value. */
function firstFrom(ascending: Uint32Array, value: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Looks at spots of a pair, which stands in the query at an offset. */
function holdingAt(scan: Scan, first: number, end: number, offset: number): void {
  const { table, lower, sink } = scan;
  const { text, starts, low, pairs, seen } = table;
  const needed = maskOf(lower).low | 0;
  const isSure = lower.length === 2 && isAlone(classAt(lower, 0)) && isAlone(classAt(lower, 1));
  for (let at = first; at < end; at++) {
    const spot = pairs[at]!;
    const place = placeOf(spot);
    if ((low[place]! & needed) !== needed) continue;
    const told = offsetOf(spot);
    let begin = Math.max(0, told - offset);
    const isNear = told < farthestTold;
    if (!(isSure && isNear) && !stands(lower, text, starts[place]! + begin)) {
      if (isNear) continue;
      const last = lengthAt(starts, place) - lower.length;
      while (begin <= last && !stands(lower, text, starts[place]! + begin)) begin++;
      if (begin > last) continue;
    }
    if (seen[place] === 0 && sink.bearers[place] !== 0) putInside(scan, place, begin);
  }
}

function stands(lower: Units, text: Units, position: number): boolean {
  for (let at = 0; at < lower.length; at++) {
    if (text[position + at] !== lower[at]) return false;
  }
  return true;
}

/** Scores a name that holds the query further in than at its beginning, or counts it where no score of it matters. */
function putInside(scan: Scan, place: number, offset: number): void {
  const { table, lower, sink } = scan;
  table.seen[place] = 1;
  scan.found++;
  const least = sink.least();
  const share = least > substringMost ? 1 : lower.length / lengthAt(table.starts, place);
  if (least > substringMost || (0.53 + 0.1 * share) * sink.weights[place]! < least) {
    scan.passed += sink.bearers[place]!;
    return;
  }
  sink.put(place, 'substring', 0.45 + 0.1 * share + (isOnWord(table, place, offset) ? 0.08 : 0));
}

/** Whether a word of the name begins there. */
function isOnWord({ names, order, starts, wordStarts }: NameTable, place: number, at: number): boolean {
  if (at < 32) return (wordStarts[place]! & (1 << at)) !== 0;
  const name = names[order[place]!]!;
  return name.length === lengthAt(starts, place) && startsWord(name, at);
}

/**
 * `HS`, `hs`, `htSe` for `HttpServer`: the query as beginnings of words, in order, from the first word on. Those that
 * begin with it aside.
 */
function matchWords(scan: Scan): void {
  const { table, query, lower } = scan;
  const isCapital = Array.from(lower, (_, at) => at < query.length && isUpper(query, at));
  const walk: Walk = { table, lower, isCapital, place: 0, start: 0, length: 0, steps: 0 };
  const needed = neededFrom(lower, isCapital);
  let later = 0;
  let [first, end] = placesFrom(table, lower, 1);
  for (let alike = 1; alike < lower.length && first < end; alike++) {
    // Of names that go on otherwise from here, a later word must begin with what stands in the query up to here.
    later |= folded(lower[alike]!);
    const [from, to] = placesFrom(table, lower, alike + 1, [first, end]);
    matchWordsAt(scan, walk, needed, later, first, from);
    matchWordsAt(scan, walk, needed, later, to, end);
    [first, end] = [from, to];
  }
}

/** What every name must have that a query's characters spell by words. */
interface Needed {
  readonly low: number;
  readonly high: number;
  /** Capitals after the first begin words. */
  readonly initials: number;
}

function neededFrom(lower: Units, isCapital: readonly boolean[]): Needed {
  let initials = 0;
  for (let at = 1; at < lower.length; at++) if (isCapital[at]) initials |= folded(lower[at]!);
  const { low, high } = maskOf(lower);
  return { low: low | 0, high: high | 0, initials };
}

function matchWordsAt(scan: Scan, walk: Walk, needed: Needed, later: number, first: number, end: number): void {
  const { table, sink } = scan;
  const { low, high, wordCounts, initials, seen } = table;
  for (let place = first; place < end; place++) {
    const begins = initials[place]!;
    if ((begins & later) === 0 || (begins & needed.initials) !== needed.initials) continue;
    if ((low[place]! & needed.low) !== needed.low || (high[place]! & needed.high) !== needed.high) continue;
    if (sink.bearers[place] === 0) continue;
    const words = wordsMet(walk, place);
    if (words < 2) continue;
    seen[place] = 1;
    scan.found++;
    sink.put(place, 'camel', 0.62 + (0.14 * words) / wordCounts[place]!);
  }
}

const stepsPerName = 500;

/** A walk through the words of one name after another. */
interface Walk {
  readonly table: NameTable;
  readonly lower: Units;
  readonly isCapital: readonly boolean[];
  place: number;
  /** Where the name begins in the text, and its length. */
  start: number;
  length: number;
  steps: number;
}

/** The number of words that a query's characters begin or go on in, 0 where they don't fit. */
function wordsMet(walk: Walk, place: number): number {
  walk.place = place;
  walk.start = walk.table.starts[place]!;
  walk.length = lengthAt(walk.table.starts, place);
  walk.steps = 0;
  return wordsFrom(walk, 0, nextStart(walk, 0), 0);
}

/** As `wordsMet`, for the query from `at` and the name from the word at `word`. */
function wordsFrom(walk: Walk, at: number, word: number, words: number): number {
  const { lower, isCapital, length, start } = walk;
  const { text } = walk.table;
  if (at === lower.length) return words;
  for (let begin = word; begin < length; begin = nextStart(walk, begin + 1)) {
    if (words === 0 && begin > word) return 0;
    if (text[start + begin] !== lower[at]) continue;
    const stop = nextStart(walk, begin + 1);
    let run = 1;
    while (
      at + run < lower.length &&
      begin + run < stop &&
      text[start + begin + run] === lower[at + run] &&
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

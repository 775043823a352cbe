import { editsFrom } from './edit-distance.ts';
import {
  lengthAt,
  longestTold,
  maskOf,
  type NameTable,
  offsetOf,
  type Places,
  pairAt,
  placeOf,
  type Units,
} from './name-table.ts';

/** A query in lower case, the names to look among, and those of them that begin with it, which are no near misses. */
export interface NearQuery {
  readonly table: NameTable;
  readonly lower: Units;
  readonly beginning: Places;
}

/**
 * Finds the names to which one edit leads, of longer queries two, but for those that are marked as seen, and marks what it
 * looks at: those that share enough with the query, or, where it is too short to tell, those that are about as long.
 * `bearers`: names of which it says 0 are passed by. Score: 0 to 1.
 */
export function nearMisses(query: NearQuery, bearers: Uint32Array, put: (place: number, score: number) => void): void {
  const { table, lower } = query;
  const allowed = lower.length < 3 ? 0 : lower.length < 6 ? 1 : 2;
  if (allowed === 0) return;
  const check = closeTo(query, allowed, bearers, put);
  const offsets = pairsOfPieces(table, lower, allowed);
  if (offsets !== undefined) {
    for (const offset of offsets) standingNear(table, lower, offset, allowed, check);
    return;
  }
  const { lengthStarts, byLength } = table;
  const from = lengthStarts[Math.max(0, lower.length - allowed)]!;
  const to = lengthStarts[Math.min(longestTold, lower.length + allowed) + 1]!;
  for (let at = from; at < to; at++) check(byLength[at]!);
}

/** Puts a name of about the query's length where so few edits lead to it; each once. */
function closeTo(
  { table, lower, beginning: [begin, end] }: NearQuery,
  allowed: number,
  bearers: Uint32Array,
  put: (place: number, score: number) => void,
): (place: number) => void {
  const { text, starts, low, high, seen } = table;
  const mask = maskOf(lower);
  const edits = editsFrom(lower, allowed);
  return place => {
    const different = bitsIn(mask.low ^ low[place]!);
    if (different > 2 * allowed || different + bitsIn(mask.high ^ high[place]!) > 2 * allowed) return;
    if (seen[place] === 1 || (place >= begin && place < end) || bearers[place] === 0) return;
    seen[place] = 1;
    const distance = edits(text, starts[place]!, starts[place + 1]! - 1);
    if (distance <= allowed) put(place, 0.2 + 0.2 * (1 - distance / lower.length));
  };
}

/**
 * Where in a query stands the rarest pair of each of its pieces: one more of them than edits are allowed, with a
 * character between any two. No edit touches two of them, neighbours swapped included; so one piece stands whole in each
 * name that the edits lead to, as far on or back as they take or add characters. Undefined where a piece has no pair.
 */
function pairsOfPieces({ pairStarts }: NameTable, lower: Units, allowed: number): readonly number[] | undefined {
  const length = lower.length - allowed;
  const pieces = allowed + 1;
  if (length < 2 * pieces) return undefined;
  return Array.from({ length: pieces }, (_, piece) => {
    const first = Math.floor((length * piece) / pieces) + piece;
    const last = Math.floor((length * (piece + 1)) / pieces) + piece - 2;
    let rarest = first;
    let fewest = Number.POSITIVE_INFINITY;
    for (let at = first; at <= last; at++) {
      const pair = pairAt(lower, at);
      const many = pairStarts[pair + 1]! - pairStarts[pair]!;
      if (many < fewest) [fewest, rarest] = [many, at];
    }
    return rarest;
  });
}

/** Checks the names of about the query's length in which the pair that stands in it at an offset stands about there. */
function standingNear(
  { pairStarts, pairs, starts }: NameTable,
  lower: Units,
  offset: number,
  allowed: number,
  check: (place: number) => void,
): void {
  const pair = pairAt(lower, offset);
  const end = pairStarts[pair + 1]!;
  for (let at = pairStarts[pair]!; at < end; at++) {
    const spot = pairs[at]!;
    if (Math.abs(offsetOf(spot) - offset) > allowed) continue;
    const place = placeOf(spot);
    if (Math.abs(lengthAt(starts, place) - lower.length) <= allowed) check(place);
  }
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

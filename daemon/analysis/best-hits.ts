import type { MatchKind } from './name-match.ts';
import { scoreOf } from './rank.ts';

/** A definition that matched. */
export interface Hit {
  readonly name: string;
  /** Its number among all of the tree. */
  readonly definition: number;
  /** Puts it in the order of their paths and of their places within the file. */
  readonly place: number;
  readonly match: MatchKind;
  /** 0 to 1, see `scoreOf`. */
  readonly score: number;
}

/** The best of many hits. */
export interface BestHits {
  /** What has fewer points is not among them, nor what has as many and a longer name than so. */
  least(): number;
  longest(): number;
  /** Tells whether it is among them, as far as they are known. */
  put(name: string, definition: number, place: number, match: MatchKind, points: number): boolean;
  /** Best first. */
  inOrder(): readonly Hit[];
}

/** One of the best so far: a better one is written over it, so that thousands that are beaten leave nothing behind. */
export interface Candidate {
  name: string;
  definition: number;
  place: number;
  match: MatchKind;
  points: number;
}

/** Best first; ties by the shorter name, then name, path and place, so that pages never overlap. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  return compare(a.points, a.name, a.place, b.points, b);
}

/** As `compareCandidates`. */
export function compareHits(a: Hit, b: Hit): number {
  return compare(a.score, a.name, a.place, b.score, b);
}

function compare(points: number, name: string, place: number, otherPoints: number, other: Pick<Hit, 'name' | 'place'>) {
  return (
    otherPoints - points ||
    name.length - other.name.length ||
    (name === other.name ? 0 : name < other.name ? -1 : 1) ||
    place - other.place
  );
}

/** Keeps the best `wanted` in a heap with the worst of them on top: most hits are compared with that one and no other. */
export function bestHits(wanted: number): BestHits {
  const heap: Candidate[] = [];
  let least = 0;
  let longest = Number.POSITIVE_INFINITY;
  return {
    least: () => least,
    longest: () => longest,
    put: (name, definition, place, match, points) => {
      if (heap.length < wanted) rise(heap, { name, definition, place, match, points });
      else if (wanted > 0 && compare(points, name, place, heap[0]!.points, heap[0]!) < 0) {
        const beaten = heap[0]!;
        beaten.name = name;
        beaten.definition = definition;
        beaten.place = place;
        beaten.match = match;
        beaten.points = points;
        sink(heap, beaten);
      } else return false;
      if (heap.length === wanted) {
        least = heap[0]!.points;
        longest = heap[0]!.name.length;
      }
      return true;
    },
    inOrder: () =>
      [...heap].sort(compareCandidates).map(({ name, definition, place, match, points }) => ({
        ...{ name, definition, place, match },
        score: scoreOf(points),
      })),
  };
}

/** Adds a hit at the end of a heap, and moves it up for as long as it is worse than what is above it. */
function rise(heap: Candidate[], hit: Candidate): void {
  let at = heap.length;
  while (at > 0) {
    const above = (at - 1) >>> 1;
    if (compareCandidates(hit, heap[above]!) < 0) break;
    heap[at] = heap[above]!;
    at = above;
  }
  heap[at] = hit;
}

/** Puts a hit in place of the top of a heap, and moves it down for as long as something worse is below it. */
function sink(heap: Candidate[], hit: Candidate): void {
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && compareCandidates(heap[below + 1]!, heap[below]!) > 0) below++;
    if (compareCandidates(heap[below]!, hit) < 0) break;
    heap[at] = heap[below]!;
    at = below;
  }
  heap[at] = hit;
}

import type { MatchKind } from './name-match.ts';

/** A definition that matched. */
export interface Hit {
  readonly name: string;
  /** Its number among all of the tree, in the order of their paths and of their places within the file. */
  readonly definition: number;
  readonly match: MatchKind;
  /** 0 to 1, see `score`. */
  readonly score: number;
}

/** The best of many hits. */
export interface BestHits {
  /** What scores less is not among them. */
  least(): number;
  /** Tells whether it is among them, as far as they are known. */
  put(hit: Hit): boolean;
  /** Best first. */
  inOrder(): readonly Hit[];
}

/** Best first; ties by the shorter name, then name, path and place, so that pages never overlap. */
export function compareHits(a: Hit, b: Hit): number {
  return (
    b.score - a.score ||
    a.name.length - b.name.length ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) ||
    a.definition - b.definition
  );
}

/** Keeps the best `wanted` in a heap with the worst of them on top: most hits are compared with that one and no other. */
export function bestHits(wanted: number): BestHits {
  const heap: Hit[] = [];
  let least = 0;
  return {
    least: () => least,
    put: hit => {
      if (heap.length < wanted) rise(heap, hit);
      else if (wanted > 0 && compareHits(hit, heap[0]!) < 0) sink(heap, hit);
      else return false;
      if (heap.length === wanted) least = heap[0]!.score;
      return true;
    },
    inOrder: () => [...heap].sort(compareHits),
  };
}

/** Adds a hit at the end of a heap, and moves it up for as long as it is worse than what is above it. */
function rise(heap: Hit[], hit: Hit): void {
  let at = heap.length;
  while (at > 0) {
    const above = (at - 1) >>> 1;
    if (compareHits(hit, heap[above]!) < 0) break;
    heap[at] = heap[above]!;
    at = above;
  }
  heap[at] = hit;
}

/** Puts a hit in place of the top of a heap, and moves it down for as long as something worse is below it. */
function sink(heap: Hit[], hit: Hit): void {
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && compareHits(heap[below + 1]!, heap[below]!) > 0) below++;
    if (compareHits(heap[below]!, hit) < 0) break;
    heap[at] = heap[below]!;
    at = below;
  }
  heap[at] = hit;
}

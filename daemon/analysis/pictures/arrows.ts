import { components, cyclesOf } from '../graphs/components.ts';
import { digraph } from '../graphs/digraph.ts';
import type { Box } from './collapse.ts';
import type { Picture, PictureEdge } from './picture.ts';

/** All edges that lead from one box to another. */
export type Arrow = PictureEdge;

export interface Arrows {
  readonly between: readonly Arrow[];
  /** How many edges have both ends in one box. */
  readonly inside: number;
  /** Of each box whether some of its nodes reach one another in a cycle without leaving it. */
  readonly hasCycle: readonly boolean[];
}

export function arrowsBetween(boxes: readonly Box[], { nodes, edges }: Picture): Arrows {
  const boxOf = new Int32Array(nodes.length);
  boxes.forEach(({ members }, box) => {
    for (const member of members) boxOf[member] = box;
  });
  const sums = new Map<number, Arrow>();
  for (const { from, to, strength, isFaint, inCycle } of edges) {
    const [source, target] = [boxOf[from]!, boxOf[to]!];
    if (source === target) continue;
    const key = source * boxes.length + target;
    const sum = sums.get(key) ?? { from: source, to: target, strength: 0, isFaint: true, inCycle: false };
    sums.set(key, {
      ...sum,
      strength: sum.strength + strength,
      isFaint: sum.isFaint && isFaint,
      inCycle: sum.inCycle || inCycle,
    });
  }
  const between = [...sums.values()].sort((a, b) => a.from - b.from || a.to - b.to);
  const inside = edges.filter(({ from, to }) => boxOf[from] === boxOf[to]);
  const cycles = cyclesOf(
    digraph(
      nodes.length,
      inside.filter(({ inCycle }) => inCycle),
    ),
  );
  const withCycle = new Set(cycles.map(([first]) => boxOf[first!]!));
  return { between, inside: inside.length, hasCycle: boxes.map((_, box) => withCycle.has(box)) };
}

/** Which arrows are drawn, and how many are not: those that a way of drawn ones implies, and weak ones. */
export interface Choice {
  readonly drawn: readonly Arrow[];
  readonly implied: number;
  readonly weak: number;
}

/** Boxes of which some (`isApart`) are of less interest than what the others need of one another. */
export interface Boxes {
  readonly count: number;
  readonly isApart: (box: number) => boolean;
}

/**
 * As many arrows as can be told apart. Drawn are in any case the strongest of each box, among all and among those between boxes
 * that are not apart; the strongest third of `most`; and of boxes that reach one another in a cycle the strongest with a way
 * back. Then, by strength, those that no way of drawn arrows implies, and last those that one does.
 */
export function chosen({ count, isApart }: Boxes, arrows: readonly Arrow[], most: number): Choice {
  if (arrows.length <= most) return { drawn: arrows, implied: 0, weak: 0 };
  const order = [...arrows].sort((a, b) => b.strength - a.strength || a.from - b.from || a.to - b.to);
  const within = order.filter(({ from, to }) => !isApart(from) && !isApart(to));
  const drawing = drawingOf(count);
  for (const arrow of [...strongestOfEach(count, order), ...strongestOfEach(count, within)]) drawing.add(arrow);
  for (const arrow of order.slice(0, Math.ceil(most / 3))) drawing.add(arrow);
  for (const arrow of strongestCycles(count, order)) drawing.add(arrow);
  for (const arrow of order) if (drawing.count() < most && !drawing.implies(arrow)) drawing.add(arrow);
  for (const arrow of order) if (drawing.count() < most) drawing.add(arrow);
  const left = arrows.filter(arrow => !drawing.has(arrow));
  const implied = left.filter(drawing.implies).length;
  return { drawn: arrows.filter(drawing.has), implied, weak: left.length - implied };
}

/** Arrows of which more and more are drawn. */
function drawingOf(size: number) {
  const drawn = new Set<Arrow>();
  const from = arrowsByBox(size, []);
  return {
    add: (arrow: Arrow): void => {
      if (drawn.has(arrow)) return;
      drawn.add(arrow);
      from[arrow.from]!.push(arrow);
    },
    count: (): number => drawn.size,
    has: (arrow: Arrow): boolean => drawn.has(arrow),
    /** Whether a way of drawn arrows leads where this one does; for one that is more than types or tests, of such alone. */
    implies: (arrow: Arrow): boolean =>
      wayBetween(arrow.from, arrow.to, box => from[box]!.filter(one => arrow.isFaint || !one.isFaint)) !== undefined,
  };
}

function arrowsByBox(size: number, arrows: readonly Arrow[]): readonly Arrow[][] {
  const from: Arrow[][] = Array.from({ length: size }, () => []);
  for (const arrow of arrows) from[arrow.from]!.push(arrow);
  return from;
}

function strongestOfEach(size: number, order: readonly Arrow[]): readonly Arrow[] {
  const seen = new Uint8Array(size);
  return order.filter(({ from, to }) => {
    const isFirst = seen[from] === 0 || seen[to] === 0;
    seen[from] = seen[to] = 1;
    return isFirst;
  });
}

/** Of boxes that reach one another by arrows in cycles, the strongest such arrow and the shortest way back from where it leads. */
function strongestCycles(size: number, order: readonly Arrow[]): readonly Arrow[] {
  const inCycles = order.filter(({ inCycle }) => inCycle);
  const { of, count } = components(digraph(size, inCycles));
  const from = arrowsByBox(size, inCycles);
  const seen = new Uint8Array(count);
  return inCycles.flatMap(arrow => {
    const component = of[arrow.from]!;
    if (of[arrow.to] !== component || seen[component] === 1) return [];
    seen[component] = 1;
    return [arrow, ...wayBetween(arrow.to, arrow.from, box => from[box]!)!];
  });
}

/** The arrows of a shortest way; undefined where there is none. */
function wayBetween(
  from: number,
  to: number,
  arrowsFrom: (box: number) => readonly Arrow[],
): readonly Arrow[] | undefined {
  const arrivedBy = new Map<number, Arrow | undefined>([[from, undefined]]);
  for (const box of arrivedBy.keys()) {
    if (box === to) break;
    for (const arrow of arrowsFrom(box)) if (!arrivedBy.has(arrow.to)) arrivedBy.set(arrow.to, arrow);
  }
  if (!arrivedBy.has(to)) return undefined;
  const way: Arrow[] = [];
  for (let last = arrivedBy.get(to); last !== undefined; last = arrivedBy.get(last.from)) way.unshift(last);
  return way;
}

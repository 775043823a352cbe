import type { Edge } from '../../graphs/digraph.ts';
import type { Layering } from './layering.ts';
import { bendBreadth, gap } from './places.ts';

/** What a box takes along the edges and across them. */
export interface Extent {
  readonly length: number;
  readonly breadth: number;
}

/** How a picture of that extent can be seen: the less, the better. */
type Misfit = (extent: Extent) => number;

/** What is taken for the room between two layers, before it is known. */
const guessedGap = 80;
/** Each time a layer may take so much less than before. */
const narrower = 0.85;
const leastBreadth = 500;

/**
 * The layer of each box where layers that are too broad are put in several rows, so that the picture is seen as well as can be.
 * The boxes of such a layer stand in the rows in turn, as `order` has them, so that each stays near to where it would be.
 */
export function rowed(
  layering: Layering,
  order: readonly (readonly number[])[],
  edges: readonly Edge[],
  extents: readonly Extent[],
  misfit: Misfit,
): Int32Array {
  const loads = order.map(layer => loadOf(layer, layering, extents));
  for (const { from, to } of edges) {
    loads[layering.items[from]!.layer]!.leaving++;
    loads[layering.items[to]!.layer]!.arriving++;
  }
  const rows = bestRows(loads, misfit);
  const ranks = new Int32Array(extents.length);
  let begin = 0;
  order.forEach((layer, at) => {
    const boxes = layer.filter(item => !layering.items[item]!.isBend);
    boxes.forEach((box, position) => {
      ranks[box] = begin + (position % rows[at]!);
    });
    begin += rows[at]!;
  });
  return ranks;
}

interface Load {
  readonly boxes: number;
  readonly bends: number;
  readonly breadth: number;
  readonly longest: number;
  arriving: number;
  leaving: number;
}

function loadOf(layer: readonly number[], { items }: Layering, extents: readonly Extent[]): Load {
  const boxes = layer.filter(item => !items[item]!.isBend);
  return {
    boxes: boxes.length,
    bends: layer.length - boxes.length,
    breadth: boxes.reduce((sum, box) => sum + extents[box]!.breadth + gap.boxes, 0),
    longest: boxes.reduce((most, box) => Math.max(most, extents[box]!.length), 0),
    arriving: 0,
    leaving: 0,
  };
}

function bestRows(loads: readonly Load[], misfit: Misfit): readonly number[] {
  let best = loads.map(() => 1);
  let least = misfit(extentOf(loads, best));
  const widest = loads.reduce((most, load) => Math.max(most, breadthOf(load, 1)), 0);
  for (let most = widest * narrower; most > leastBreadth; most *= narrower) {
    const rows = loads.map(load => rowsWithin(load, most));
    const found = misfit(extentOf(loads, rows));
    if (found >= least) continue;
    least = found;
    best = rows;
  }
  return best;
}

function rowsWithin(load: Load, most: number): number {
  let rows = 1;
  while (rows < load.boxes && breadthOf(load, rows) > most) rows++;
  return rows;
}

/** What the broadest of so many rows takes: past the boxes of one go the edges of the others. */
function breadthOf({ breadth, bends, arriving, leaving }: Load, rows: number): number {
  const past = bends + (Math.max(arriving, leaving) * (rows - 1)) / rows;
  return breadth / rows + past * (gap.bends + bendBreadth);
}

function extentOf(loads: readonly Load[], rows: readonly number[]): Extent {
  let length = 0;
  let breadth = 0;
  loads.forEach((load, at) => {
    length += rows[at]! * (load.longest + guessedGap);
    breadth = Math.max(breadth, breadthOf(load, rows[at]!));
  });
  return { length, breadth };
}

import type { Layering } from './layering.ts';

/** Sweeps to and fro over the layers. */
const sweeps = 40;
export const gap = { boxes: 18, bends: 7 } as const;
export const bendBreadth = 4;
/** How much more than the broadest layer all of them may take: what one of them needs more straightens edges elsewhere. */
const slack = 1.1;
/** How much more two bends of an edge want to be in line than a box wants to be beside its neighbours. */
const straightness = 8;

/**
 * Where the middle of each item is across the layers, from 0, in the order given and without overlap. Each sweep puts the items
 * of a layer as near as can be to where their neighbours are. `breadths`: of the boxes, across the layers.
 */
export function places(
  layering: Layering,
  order: readonly (readonly number[])[],
  breadths: readonly number[],
): Float64Array {
  const { items } = layering;
  const breadthOf = (item: number): number => breadths[item] ?? bendBreadth;
  const ys = new Float64Array(items.length);
  const offsets = order.map(layer => offsetsOf(layer, layering, breadthOf));
  order.forEach((layer, at) => {
    layer.forEach((item, position) => {
      ys[item] = offsets[at]![position]!;
    });
  });
  centre(order, ys);
  const spans = order.map((layer, at) => ({
    before: breadthOf(layer[0]!) / 2,
    all: offsets[at]!.at(-1)! + (breadthOf(layer[0]!) + breadthOf(layer.at(-1)!)) / 2,
  }));
  const room = spans.reduce((most, { all }) => Math.max(most, all), 0) * slack;
  const pulls = pullsOf(layering);
  const indexes = order.map((_, at) => at);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    // At last both sides count, so that nothing stays where only one of them wanted it.
    const side = sweep >= sweeps - 10 ? 'both' : sweep % 2 === 0 ? 'before' : 'behind';
    for (const at of sweep % 2 === 0 ? indexes : [...indexes].reverse()) {
      const { before, all } = spans[at]!;
      const bounds = { least: before - room / 2, most: before + room / 2 - all };
      settle({ layer: order[at]!, offsets: offsets[at]!, bounds }, side, pulls, ys);
    }
  }
  let top = Number.POSITIVE_INFINITY;
  for (let item = 0; item < items.length; item++) top = Math.min(top, ys[item]! - breadthOf(item) / 2);
  return ys.map(y => Math.round((y - top) * 10) / 10);
}

type Side = 'before' | 'behind' | 'both';

interface Pull {
  readonly to: number;
  readonly weight: number;
  readonly side: 'before' | 'behind';
}

function pullsOf({ items, links }: Layering): readonly (readonly Pull[])[] {
  const pulls: Pull[][] = items.map(() => []);
  for (const { from, to } of links) {
    const bends = Number(items[from]!.isBend) + Number(items[to]!.isBend);
    const weight = bends === 2 ? straightness : bends === 1 ? 2 : 1;
    pulls[from]!.push({ to, weight, side: 'behind' });
    pulls[to]!.push({ to: from, weight, side: 'before' });
  }
  return pulls;
}

/** Where the items of a layer stand when each is as near to the one above as it may be. */
function offsetsOf(
  layer: readonly number[],
  { items }: Layering,
  breadthOf: (item: number) => number,
): readonly number[] {
  const offsets: number[] = [];
  layer.forEach((item, at) => {
    if (at === 0) {
      offsets.push(0);
      return;
    }
    const before = layer[at - 1]!;
    const between = items[before]!.isBend && items[item]!.isBend ? gap.bends : gap.boxes;
    offsets.push(offsets[at - 1]! + (breadthOf(before) + breadthOf(item)) / 2 + between);
  });
  return offsets;
}

function centre(order: readonly (readonly number[])[], ys: Float64Array): void {
  for (const layer of order) {
    const middle = (ys[layer[0]!]! + ys[layer.at(-1)!]!) / 2;
    for (const item of layer) ys[item]! -= middle;
  }
}

interface Line {
  readonly layer: readonly number[];
  readonly offsets: readonly number[];
  /** Where the first of them may stand. */
  readonly bounds: { readonly least: number; readonly most: number };
}

/**
 * The places with the least sum of weighted squares of distances from those that are wanted, in order, with the distances
 * between and within bounds: isotonic regression of what is wanted less the offsets, by pooling adjacent violators (Barlow and
 * others, 1972).
 */
function settle(
  { layer, offsets, bounds }: Line,
  side: Side,
  pulls: readonly (readonly Pull[])[],
  ys: Float64Array,
): void {
  const pools: { sum: number; weight: number; count: number }[] = [];
  layer.forEach((item, at) => {
    const { wanted, weight } = wantedPlace(item, side, pulls[item]!, ys);
    let pool = { sum: (wanted - offsets[at]!) * weight, weight, count: 1 };
    for (let last = pools.at(-1); last !== undefined && last.sum * pool.weight >= pool.sum * last.weight; ) {
      pool = { sum: last.sum + pool.sum, weight: last.weight + pool.weight, count: last.count + pool.count };
      pools.pop();
      last = pools.at(-1);
    }
    pools.push(pool);
  });
  let at = 0;
  for (const { sum, weight, count } of pools) {
    const place = Math.min(Math.max(sum / weight, bounds.least), bounds.most);
    for (const end = at + count; at < end; at++) ys[layer[at]!] = place + offsets[at]!;
  }
}

function wantedPlace(
  item: number,
  side: Side,
  pulls: readonly Pull[],
  ys: Float64Array,
): { readonly wanted: number; readonly weight: number } {
  let sum = 0;
  let weight = 0;
  for (const pull of pulls) {
    if (side !== 'both' && pull.side !== side) continue;
    sum += ys[pull.to]! * pull.weight;
    weight += pull.weight;
  }
  // Whom nothing draws stays where it is, unless others need the room.
  return weight === 0 ? { wanted: ys[item]!, weight: 0.1 } : { wanted: sum / weight, weight };
}

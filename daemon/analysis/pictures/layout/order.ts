import type { Layering, Link } from './layering.ts';

/** Sweeps to and fro; the best of them counts. */
const sweeps = 24;

/**
 * The items of each layer from top to bottom, so that few links cross. Each sweep goes over the layers and sorts every one by
 * the middle of its items' neighbours in the layer before: by their median and by their mean in turn.
 */
export function ordered(layering: Layering): readonly (readonly number[])[] {
  const neighbours = neighboursOf(layering);
  let order = startingOrder(layering, neighbours);
  let best = order;
  let fewest = crossings(order, layering);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep++) {
    const down = sweep % 2 === 0;
    order = swept(order, neighbours, down, sweep % 4 < 2 ? median : mean);
    order = transposed(order, neighbours);
    const count = crossings(order, layering);
    if (count >= fewest) continue;
    fewest = count;
    best = order;
  }
  return best;
}

interface Neighbours {
  readonly before: readonly (readonly number[])[];
  readonly behind: readonly (readonly number[])[];
}

function neighboursOf({ items, links }: Layering): Neighbours {
  const before: number[][] = items.map(() => []);
  const behind: number[][] = items.map(() => []);
  for (const { from, to } of links) {
    behind[from]!.push(to);
    before[to]!.push(from);
  }
  return { before, behind };
}

/** As a walk from the first items finds them, so that what belongs together begins side by side. */
function startingOrder({ items, layerCount }: Layering, { behind }: Neighbours): number[][] {
  const order: number[][] = Array.from({ length: layerCount }, () => []);
  const seen = new Uint8Array(items.length);
  const byLayer = items.map((_, item) => item).sort((a, b) => items[a]!.layer - items[b]!.layer || a - b);
  for (const root of byLayer) {
    const open = [root];
    for (let item = open.pop(); item !== undefined; item = open.pop()) {
      if (seen[item] === 1) continue;
      seen[item] = 1;
      order[items[item]!.layer]!.push(item);
      open.push(...[...behind[item]!].reverse());
    }
  }
  return order;
}

type Middle = (positions: readonly number[]) => number;

const mean: Middle = positions => positions.reduce((sum, one) => sum + one, 0) / positions.length;

const median: Middle = positions => {
  const sorted = [...positions].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};

function swept(
  order: readonly (readonly number[])[],
  neighbours: Neighbours,
  down: boolean,
  middle: Middle,
): number[][] {
  const next = order.map(layer => [...layer]);
  const positions = new Map<number, number>();
  const indexes = next.map((_, at) => at);
  for (const at of down ? indexes : indexes.reverse()) {
    const layer = next[at]!;
    const wanted = layer.map((item, now) => {
      const beside = (down ? neighbours.before : neighbours.behind)[item]!;
      return { item, now, place: beside.length === 0 ? now : middle(beside.map(one => positions.get(one)!)) };
    });
    wanted.sort((a, b) => a.place - b.place || a.now - b.now);
    next[at] = wanted.map(({ item }) => item);
    setPositions(next[at]!, positions);
  }
  return next;
}

function setPositions(layer: readonly number[], positions: Map<number, number>): void {
  for (const [at, item] of layer.entries()) positions.set(item, at);
}

/** Neighbours within a layer change places where that takes crossings away. */
function transposed(order: readonly (readonly number[])[], { before, behind }: Neighbours): number[][] {
  const next = order.map(layer => [...layer]);
  const position = new Map<number, number>();
  for (const layer of next) setPositions(layer, position);
  const pairs = (upper: readonly number[], lower: readonly number[]): number => {
    let count = 0;
    for (const one of upper) for (const other of lower) if (position.get(one)! > position.get(other)!) count++;
    return count;
  };
  for (const layer of next) {
    for (let at = 0; at + 1 < layer.length; at++) {
      const [upper, lower] = [layer[at]!, layer[at + 1]!];
      const now = pairs(before[upper]!, before[lower]!) + pairs(behind[upper]!, behind[lower]!);
      const then = pairs(before[lower]!, before[upper]!) + pairs(behind[lower]!, behind[upper]!);
      if (then >= now) continue;
      layer[at] = lower;
      layer[at + 1] = upper;
      position.set(lower, at);
      position.set(upper, at + 1);
    }
  }
  return next;
}

/** How many pairs of links cross, by weight: Barth, Jünger and Mutzel, Simple and efficient bilayer cross counting, 2002. */
function crossings(order: readonly (readonly number[])[], { items, links }: Layering): number {
  const position = new Map<number, number>();
  for (const layer of order) setPositions(layer, position);
  const at = (item: number): number => position.get(item)!;
  const byLayer: Link[][] = order.map(() => []);
  for (const link of links) byLayer[items[link.from]!.layer]!.push(link);
  let sum = 0;
  byLayer.forEach((between, layer) => {
    between.sort((a, b) => at(a.from) - at(b.from) || at(a.to) - at(b.to));
    sum += inversions(
      between.map(({ to }) => at(to)),
      order[layer + 1]?.length ?? 0,
    );
  });
  return sum;
}

/** How many earlier numbers are greater, over all; a tree of sums over the numbers below `size`. */
function inversions(numbers: readonly number[], size: number): number {
  const sums = new Int32Array(size + 1);
  let count = 0;
  numbers.forEach((number, seen) => {
    let notGreater = 0;
    for (let at = number + 1; at > 0; at -= at & -at) notGreater += sums[at]!;
    count += seen - notGreater;
    for (let at = number + 1; at <= size; at += at & -at) sums[at]!++;
  });
  return count;
}

import { type Layering, layering } from './layering.ts';
import { ordered } from './order.ts';
import { places } from './places.ts';
import { ranks } from './ranks.ts';
import { rowed } from './rows.ts';

export interface LayoutNode {
  readonly width: number;
  readonly height: number;
}

export interface LayoutEdge {
  /** Indexes into the nodes, of two different ones. */
  readonly from: number;
  readonly to: number;
  /** It leads backwards: without such edges no way would lead back to where it began. */
  readonly isBack: boolean;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Where edges lead. */
  readonly direction: Direction;
  /** Of each node the middle of its box. */
  readonly nodes: readonly Point[];
  /** Of each edge the points that its line goes through, from its source to its target; it leaves each in `direction`. */
  readonly edges: readonly (readonly Point[])[];
}

export type Direction = 'right' | 'down';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Width to height of what pictures are looked at on. */
export const screenShape = 1.5;

/**
 * Places nodes in layers so that most edges lead to the right, or down, cross as few others as can be and bend little: Sugiyama,
 * Tagawa and Toda, Methods for visual understanding of hierarchical system structures, 1981. Layers that are too broad are put
 * in several rows. Of both directions that one is taken in which a screen can show more of it. The same graph gives the same
 * places. Meant for some hundred nodes and edges: the time that it takes is bounded by their product.
 */
export function layoutOf(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Layout {
  const acyclic = edges.map(edge => (edge.isBack ? { ...edge, from: edge.to, to: edge.from } : edge));
  const layers = layering(acyclic, ranks(nodes.length, acyclic));
  const order = ordered(layers);
  const [right, down] = (['right', 'down'] as const).map(direction => {
    const extents = nodes.map(({ width, height }) =>
      direction === 'right' ? { length: width, breadth: height } : { length: height, breadth: width },
    );
    const rows = rowed(layers, order, acyclic, extents, ({ length, breadth }) =>
      direction === 'right' ? misfit({ width: length, height: breadth }) : misfit({ width: breadth, height: length }),
    );
    if (rows.every((layer, node) => layer === layers.items[node]!.layer)) {
      return placed({ nodes, edges: acyclic, layers, order, direction });
    }
    const inRows = layering(acyclic, rows);
    return placed({ nodes, edges: acyclic, layers: inRows, order: ordered(inRows), direction });
  });
  return misfit(right!) <= misfit(down!) ? right! : down!;
}

/** Where a picture is broader, nobody would rather go on to the right than down. */
const mostWidth = 3_600;

/** How much smaller a screen has to show it. */
function misfit({ width, height }: LayoutNode): number {
  return Math.max(width > mostWidth ? width : width / screenShape, height);
}

interface Plan {
  readonly nodes: readonly LayoutNode[];
  readonly edges: readonly LayoutEdge[];
  readonly layers: Layering;
  readonly order: readonly (readonly number[])[];
  readonly direction: Direction;
}

/** Here `along` is the direction of the edges and `across` the one of the layers; at last they become x and y. */
function placed(plan: Plan): Layout {
  const { nodes, edges, layers, order, direction } = plan;
  const lengths = nodes.map(({ width, height }) => (direction === 'right' ? width : height));
  const breadths = nodes.map(({ width, height }) => (direction === 'right' ? height : width));
  const across = places(layers, order, breadths);
  const bands = bandsOf(layers, order, lengths, across);
  const breadth = across.reduce((most, beside, item) => Math.max(most, beside + (breadths[item] ?? 0) / 2), 0);
  const point = (along: number, beside: number): Point =>
    direction === 'right' ? { x: along, y: beside } : { x: beside, y: along };
  return {
    width: direction === 'right' ? bands.length : breadth,
    height: direction === 'right' ? breadth : bands.length,
    direction,
    nodes: nodes.map((_, node) => point(bands.middle[layers.items[node]!.layer]!, across[node]!)),
    edges: edges.map(({ from, to, isBack }, edge) => {
      const shift = isBack ? besideOthers : 0;
      const line = lineOf([from, ...layers.chains[edge]!, to], layers, bands, lengths, across, shift);
      const points = line.map(([along, beside]) => point(along, beside));
      return isBack ? points.reverse() : points;
    }),
  };
}

/** What each layer takes along the edges. */
interface Bands {
  readonly begin: readonly number[];
  readonly end: readonly number[];
  readonly middle: readonly number[];
  readonly length: number;
}

const gapRange = { least: 52, perEdge: 3, most: 120 } as const;

/** Each layer is as long as its longest box; the more edges go aslant from one to the next, the more room is between. */
function bandsOf(
  { items, links }: Layering,
  order: Plan['order'],
  lengths: readonly number[],
  across: Float64Array,
): Bands {
  const crossing = order.map(() => 0);
  for (const { from, to } of links) if (Math.abs(across[from]! - across[to]!) > 1) crossing[items[from]!.layer]!++;
  const begin: number[] = [];
  const end: number[] = [];
  let along = 0;
  order.forEach((layer, at) => {
    const longest = layer.reduce((most, item) => Math.max(most, lengths[item] ?? 0), 0);
    begin.push(along);
    end.push(along + longest);
    const { least, perEdge, most } = gapRange;
    along += longest + (at === order.length - 1 ? 0 : Math.min(most, least + perEdge * crossing[at]!));
  });
  return { begin, end, middle: begin.map((edge, at) => (edge + end[at]!) / 2), length: along };
}

/** What leads backwards has its ends beside those of the others: there may be one between the same boxes. */
const besideOthers = 8;

/** From the side of one box to the side of the other; straight through the layers between, and past longer boxes. */
function lineOf(
  items: readonly number[],
  { items: all }: Layering,
  { begin, end, middle }: Bands,
  lengths: readonly number[],
  across: Float64Array,
  shift: number,
): readonly (readonly [along: number, across: number])[] {
  return items.flatMap((item, at) => {
    const { layer } = all[item]!;
    const half = (lengths[item] ?? 0) / 2;
    const isFirst = at === 0;
    const isLast = at === items.length - 1;
    const beside = across[item]! + (isFirst || isLast ? shift : 0);
    const inwards: [number, number] = [isFirst ? middle[layer]! + half : begin[layer]!, beside];
    const outwards: [number, number] = [isLast ? middle[layer]! - half : end[layer]!, beside];
    return inwards[0] === outwards[0] ? [inwards] : [inwards, outwards];
  });
}

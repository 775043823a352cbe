import type { Edge } from './digraph.ts';

export interface WeightedEdge extends Edge {
  readonly weight: number;
}

/**
 * Which edges to turn, 1 for each, so that no way leads back to where it began: as little weight as this finds of what closes
 * cycles. Eades, Lin and Smyth, A fast and effective heuristic for the feedback arc set problem, 1993, with weights: nodes are
 * put in a row from both ends, what nothing leads to in front and what leads nowhere at the back; edges against the row are
 * turned. Then each node moves to its best place in the row, as long as that takes weight away. Takes the square of the nodes.
 */
export function feedback(size: number, edges: readonly WeightedEdge[]): Uint8Array {
  const incoming = new Float64Array(size);
  const outgoing = new Float64Array(size);
  const touching: number[][] = Array.from({ length: size }, () => []);
  edges.forEach(({ from, to, weight }, at) => {
    outgoing[from]! += weight;
    incoming[to]! += weight;
    touching[from]!.push(at);
    touching[to]!.push(at);
  });
  const left = new Set(Array.from({ length: size }, (_, node) => node));
  const position = new Int32Array(size);
  let front = 0;
  let back = size;
  const take = (node: number, place: number): void => {
    left.delete(node);
    position[node] = place;
    for (const at of touching[node]!) {
      const { from, to, weight } = edges[at]!;
      if (from === node) incoming[to]! -= weight;
      else outgoing[from]! -= weight;
    }
  };
  while (left.size > 0) {
    const sink = first(left, node => outgoing[node]! <= 0);
    const source = sink ?? first(left, node => incoming[node]! <= 0);
    if (sink !== undefined) take(sink, --back);
    else take(source ?? most(left, node => outgoing[node]! - incoming[node]!), front++);
  }
  const order = sifted(position, edges, touching);
  order.forEach((node, at) => {
    position[node] = at;
  });
  return Uint8Array.from(edges, ({ from, to }) => (position[from]! > position[to]! ? 1 : 0));
}

const mostRounds = 10;

/** The row with each node where least weight leads against it, the others staying where they are. */
function sifted(
  position: Int32Array,
  edges: readonly WeightedEdge[],
  touching: readonly (readonly number[])[],
): readonly number[] {
  const order = Array.from(position, (_, node) => node).sort((a, b) => position[a]! - position[b]!);
  for (let round = 0; round < mostRounds; round++) {
    let moved = false;
    for (let node = 0; node < position.length; node++) {
      const now = order.indexOf(node);
      order.splice(now, 1);
      const best = bestPlace(node, now, order, edges, touching[node]!);
      order.splice(best, 0, node);
      moved ||= best !== now;
    }
    if (!moved) break;
  }
  return order;
}

/** Where in a row without it a node stands best; where it stood, if no place is better. */
function bestPlace(
  node: number,
  now: number,
  order: readonly number[],
  edges: readonly WeightedEdge[],
  touching: readonly number[],
): number {
  /** What standing behind another adds to the weight that leads backwards. */
  const behind = new Map<number, number>();
  for (const at of touching) {
    const { from, to, weight } = edges[at]!;
    const other = from === node ? to : from;
    behind.set(other, (behind.get(other) ?? 0) + (from === node ? weight : -weight));
  }
  let sum = 0;
  const sums = [0, ...order.map(other => (sum += behind.get(other) ?? 0))];
  let best = now;
  sums.forEach((one, place) => {
    if (one < sums[best]!) best = place;
  });
  return best;
}

function first(nodes: ReadonlySet<number>, fits: (node: number) => boolean): number | undefined {
  for (const node of nodes) if (fits(node)) return node;
  return undefined;
}

function most(nodes: ReadonlySet<number>, worth: (node: number) => number): number {
  let best = -1;
  for (const node of nodes) if (best < 0 || worth(node) > worth(best)) best = node;
  return best;
}

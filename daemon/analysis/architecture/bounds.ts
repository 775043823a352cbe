/** How much of a graph an answer may hold. */
export interface Bounds {
  readonly nodes: number;
  readonly edges: number;
}

/** 60,000 rows of some 100 bytes: well under what an answer may weigh. */
export const answerBounds: Bounds = { nodes: 10_000, edges: 50_000 };

export interface Bounded<Node, Edge> {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  readonly truncated: boolean;
  /** How many are not there. */
  readonly omitted: Bounds;
}

/**
 * What an answer holds of a graph: all of it, or the nodes with most edges and between those the strongest edges, both in
 * the order in which they came. `endsOf` names the nodes of an edge by `keyOf`; one that is no node here is somebody else's.
 */
export function bounded<Node extends { incomingEdges: number; outgoingEdges: number }, Edge>(
  nodes: readonly Node[],
  edges: readonly Edge[],
  most: Bounds,
  { keyOf, endsOf, strengthOf }: EdgeReading<Node, Edge>,
): Bounded<Node, Edge> {
  const keptNodes = best(nodes, most.nodes, node => node.incomingEdges + node.outgoingEdges);
  const kept = new Set(keptNodes.map(keyOf));
  const gone = new Set(keptNodes === nodes ? [] : nodes.map(keyOf).filter(key => !kept.has(key)));
  const possible = gone.size === 0 ? edges : edges.filter(edge => endsOf(edge).every(end => !gone.has(end)));
  const keptEdges = best(possible, most.edges, strengthOf);
  const omitted = { nodes: nodes.length - keptNodes.length, edges: edges.length - keptEdges.length };
  return { nodes: keptNodes, edges: keptEdges, truncated: omitted.nodes + omitted.edges > 0, omitted };
}

export interface EdgeReading<Node, Edge> {
  readonly keyOf: (node: Node) => string;
  readonly endsOf: (edge: Edge) => readonly [string, string];
  readonly strengthOf: (edge: Edge) => number;
}

/** So many with the highest numbers, those first that came first, in the order in which they came. */
function best<Item>(items: readonly Item[], most: number, numberOf: (item: Item) => number): readonly Item[] {
  if (items.length <= most) return items;
  const order = items.map((item, at) => ({ at, number: numberOf(item) }));
  order.sort((a, b) => b.number - a.number || a.at - b.at);
  const kept = order.slice(0, most).sort((a, b) => a.at - b.at);
  return kept.map(({ at }) => items[at]!);
}

/** A directed graph whose nodes are the numbers below `size`; the successors of a node stand together, in the order given. */
export interface Digraph {
  readonly size: number;
  /** Where the successors of each node begin in `targets`; one more than there are nodes. */
  readonly starts: Int32Array;
  readonly targets: Int32Array;
}

export interface Edge {
  readonly from: number;
  readonly to: number;
}

/** Linear in nodes and edges. Edges may come twice, and lead to where they begin. */
export function digraph(size: number, edges: readonly Edge[]): Digraph {
  const starts = new Int32Array(size + 1);
  for (const { from } of edges) starts[from + 1]!++;
  for (let node = 0; node < size; node++) starts[node + 1]! += starts[node]!;
  const free = starts.slice(0, size);
  const targets = new Int32Array(edges.length);
  for (const { from, to } of edges) targets[free[from]!++] = to;
  return { size, starts, targets };
}

import { components } from './components.ts';
import type { Digraph } from './digraph.ts';

/**
 * The layer of each node, from 0: one more than the highest of what leads to it, so that every edge leads to a higher
 * layer. Nodes that reach one another are in the same one. Linear in nodes and edges.
 */
export function topologicalLayers(graph: Digraph): Int32Array {
  const { size, starts, targets } = graph;
  const { of, count } = components(graph);
  const layers = new Int32Array(count);
  for (const node of inTopologicalOrder(of, count)) {
    const own = of[node]!;
    for (let at = starts[node]!; at < starts[node + 1]!; at++) {
      const other = of[targets[at]!]!;
      if (other !== own) layers[other] = Math.max(layers[other]!, layers[own]! + 1);
    }
  }
  return Int32Array.from({ length: size }, (_, node) => layers[of[node]!]!);
}

/** The nodes by their components, the highest first: those lead to the lower ones. */
function inTopologicalOrder(of: Int32Array, count: number): Int32Array {
  const free = new Int32Array(count + 1);
  for (const component of of) free[count - component]!++;
  for (let at = 0; at < count; at++) free[at + 1]! += free[at]!;
  const order = new Int32Array(of.length);
  for (let node = 0; node < of.length; node++) order[free[count - 1 - of[node]!]!++] = node;
  return order;
}

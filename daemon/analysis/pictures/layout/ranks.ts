import { digraph, type Edge } from '../../graphs/digraph.ts';
import { topologicalLayers } from '../../graphs/layers.ts';

/** How often nodes are moved nearer to what they belong to. */
const rounds = 8;

/**
 * The layer of each node of a graph without cycles, from 0: every edge leads to a higher one. From the layers of longest ways
 * each node moves to the middle of where its neighbours would have it, as far as they let it, so that edges are short.
 */
export function ranks(size: number, edges: readonly Edge[]): Int32Array {
  const layers = topologicalLayers(digraph(size, edges));
  const order = Array.from({ length: size }, (_, node) => node).sort((a, b) => layers[b]! - layers[a]! || a - b);
  const touching: Edge[][] = Array.from({ length: size }, () => []);
  for (const edge of edges) {
    touching[edge.from]!.push(edge);
    touching[edge.to]!.push(edge);
  }
  for (let round = 0; round < rounds; round++) {
    let moved = false;
    for (const node of round % 2 === 0 ? order : [...order].reverse()) {
      const wanted = wantedLayer(node, touching[node]!, layers);
      if (wanted === layers[node]) continue;
      layers[node] = wanted;
      moved = true;
    }
    if (!moved) break;
  }
  return withoutEmpty(layers);
}

/**
 * Between its last source and its first target the sum of an edge's lengths falls or rises evenly: the best layer is one end
 * or the other, by which side has more edges.
 */
function wantedLayer(node: number, edges: readonly Edge[], layers: Int32Array): number {
  let least = 0;
  let most = Number.POSITIVE_INFINITY;
  let pull = 0;
  for (const { from, to } of edges) {
    if (from === node) {
      most = Math.min(most, layers[to]! - 1);
      pull++;
    } else {
      least = Math.max(least, layers[from]! + 1);
      pull--;
    }
  }
  if (edges.length === 0 || pull === 0) return layers[node]!;
  return pull > 0 && most !== Number.POSITIVE_INFINITY ? most : least;
}

function withoutEmpty(layers: Int32Array): Int32Array {
  const used = [...new Set(layers)].sort((a, b) => a - b);
  const numbers = new Map(used.map((layer, at) => [layer, at]));
  return layers.map(layer => numbers.get(layer)!);
}

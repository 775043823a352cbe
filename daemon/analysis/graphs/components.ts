import type { Digraph } from './digraph.ts';

/** Which nodes reach one another. */
export interface Components {
  /** The component of each node. */
  readonly of: Int32Array;
  /** Components are numbered from what leads nowhere: an edge from one to another leads to the lower number. */
  readonly count: number;
}

/**
 * The strongly connected components of a graph: Tarjan, Depth-first search and linear graph algorithms, 1972, with the path
 * kept in arrays in place of the call stack, for a chain of imports may be longer than that.
 */
export function components({ size, starts, targets }: Digraph): Components {
  const of = new Int32Array(size).fill(-1);
  const found = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  /** The next edge of each node on the path to look at. */
  const next = starts.slice(0, size);
  const path = new Int32Array(size);
  const open = new Int32Array(size);
  let seen = 0;
  let count = 0;
  let openCount = 0;
  for (let root = 0; root < size; root++) {
    if (found[root]! >= 0) continue;
    let depth = 0;
    path[0] = root;
    while (depth >= 0) {
      const node = path[depth]!;
      if (found[node]! < 0) {
        found[node] = low[node] = seen++;
        open[openCount++] = node;
      }
      if (next[node]! < starts[node + 1]!) {
        const target = targets[next[node]!++]!;
        if (found[target]! < 0) path[++depth] = target;
        else if (of[target]! < 0) low[node] = Math.min(low[node]!, found[target]!);
        continue;
      }
      if (low[node] === found[node]) {
        let member: number;
        do {
          member = open[--openCount]!;
          of[member] = count;
        } while (member !== node);
        count++;
      }
      depth--;
      if (depth >= 0) low[path[depth]!] = Math.min(low[path[depth]!]!, low[node]!);
    }
  }
  return { of, count };
}

/** The nodes that reach one another, two and more of them: each group in the order of its nodes, groups by their first. */
export function cyclesOf(graph: Digraph): readonly (readonly number[])[] {
  const { of, count } = components(graph);
  const members = new Map<number, number[]>();
  const sizes = new Int32Array(count);
  for (const component of of) sizes[component]!++;
  for (let node = 0; node < graph.size; node++) {
    const component = of[node]!;
    if (sizes[component]! < 2) continue;
    const group = members.get(component);
    if (group === undefined) members.set(component, [node]);
    else group.push(node);
  }
  return [...members.values()];
}

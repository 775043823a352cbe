import type { Edge } from '../../graphs/digraph.ts';

/** A graph whose edges lead from each layer to the next alone: where one would pass a layer, a bend stands there. */
export interface Layering {
  /** The nodes, by their numbers, and behind them the bends. */
  readonly items: readonly Item[];
  readonly links: readonly Link[];
  /** The bends of each edge, in its direction. */
  readonly chains: readonly (readonly number[])[];
  readonly layerCount: number;
}

export interface Item {
  readonly layer: number;
  readonly isBend: boolean;
}

/** From an item to one of the next layer. */
export type Link = Edge;

export function layering(edges: readonly Edge[], ranks: Int32Array): Layering {
  const items: Item[] = [...ranks].map(layer => ({ layer, isBend: false }));
  const links: Link[] = [];
  const chains = edges.map(({ from, to }) => {
    const chain: number[] = [];
    let last = from;
    for (let layer = ranks[from]! + 1; layer < ranks[to]!; layer++) {
      items.push({ layer, isBend: true });
      links.push({ from: last, to: items.length - 1 });
      last = items.length - 1;
      chain.push(last);
    }
    links.push({ from: last, to });
    return chain;
  });
  const layerCount = items.reduce((most, { layer }) => Math.max(most, layer + 1), 0);
  return { items, links, chains, layerCount };
}

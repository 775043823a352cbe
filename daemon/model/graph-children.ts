import { atTop, type GraphDocument, type GraphSite, isMade, kindOfDefinition, tellsConstructors } from './graph.ts';

/** Indexes in the order of some keys, and where those of each key begin: of `atTop` first, then of 0 and so on. */
export interface Grouped {
  readonly order: Uint32Array;
  readonly starts: Uint32Array;
}

/** `count`: how many keys there are beside `atTop`. */
export function grouped(keys: Int32Array, count: number): Grouped {
  const starts = new Uint32Array(count + 2);
  for (const key of keys) starts[key - atTop + 1]!++;
  for (let key = 1; key < starts.length; key++) starts[key]! += starts[key - 1]!;
  const at = starts.slice();
  const order = new Uint32Array(keys.length);
  keys.forEach((key, index) => {
    order[at[key - atTop]!++] = index;
  });
  return { order, starts };
}

const kept = new WeakMap<GraphDocument, Grouped>();

/** Definitions of a document by what they stand in. */
export function byContainer(one: GraphDocument): Grouped {
  const known = kept.get(one) ?? grouped(one.containers, one.symbols.length);
  kept.set(one, known);
  return known;
}

/** Indexes of the definitions that stand in one (`atTop`: in none), directly. */
export function childrenOf(one: GraphDocument, container: number): Uint32Array {
  const { order, starts } = byContainer(one);
  return order.subarray(starts[container - atTop], starts[container - atTop + 1]);
}

/** The constructors of a class that are symbols of their own, by their indexes. */
export function constructorsIn({ in: one, at }: GraphSite): Uint32Array {
  if (at === atTop || !tellsConstructors.has(one.language) || !isMade(one, at)) return none;
  return childrenOf(one, at).filter(child => kindOfDefinition(one, child) === 'constructor');
}

const none = new Uint32Array(0);

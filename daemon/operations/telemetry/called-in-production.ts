import { atTop, type GraphSite } from '../../model/graph.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { callsOf } from './matched-calls.ts';

/** Symbols that production calls, those around them, and all that these may use in turn; none where nothing is known. */
export function calledInProduction(of: AnalysedSnapshot): ReadonlySet<number> {
  const calls = callsOf(of);
  const found = new Set<number>();
  if (calls === undefined) return found;
  const { graph } = of;
  const waiting: number[] = [];
  const add = (symbol: number): void => {
    if (found.has(symbol)) return;
    found.add(symbol);
    waiting.push(symbol);
  };
  for (const [hash, { calls: count }] of calls.all().symbols) {
    const symbol = graph.numberOf(hash);
    if (symbol === undefined || count === 0) continue;
    for (const site of graph.sitesOf(symbol)) for (const one of around(site)) add(one);
    add(symbol);
  }
  for (let symbol = waiting.pop(); symbol !== undefined; symbol = waiting.pop()) {
    for (const site of graph.sitesOf(symbol)) graph.eachUseBy(site, add);
  }
  return found;
}

/** What a definition stands in is used with it. */
function* around({ in: one, at }: GraphSite): Generator<number> {
  for (let index = one.containers[at]!; index !== atTop; index = one.containers[index]!) yield one.symbols[index]!;
}

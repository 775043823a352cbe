import { atTop, type GraphDocument, kindOfDefinition, traitsOf } from '../../model/graph.ts';
import type { SymbolKind } from '../../model/symbol.ts';

const types: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'struct', 'enum', 'trait', 'type', 'object']);
const values: ReadonlySet<SymbolKind> = new Set(['function', 'variable', 'constant', 'macro']);
/** What stands in these stands for itself. */
const holders: ReadonlySet<SymbolKind> = new Set(['namespace', 'module', 'package']);

export const callable: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'constructor', 'macro']);

export function isHolder(graph: GraphDocument, at: number): boolean {
  return holders.has(kindOfDefinition(graph, at));
}

export function isType(graph: GraphDocument, at: number): boolean {
  return types.has(kindOfDefinition(graph, at));
}

export function isExported(graph: GraphDocument, at: number): boolean {
  return traitsOf({ in: graph, at }).exported;
}

/** What stands and falls by itself: at the top, or in what only groups. */
export function standsAlone(graph: GraphDocument, at: number): boolean {
  if (!isType(graph, at) && !values.has(kindOfDefinition(graph, at))) return false;
  for (let outer = graph.containers[at]!; outer !== atTop; outer = graph.containers[outer]!) {
    if (!isHolder(graph, outer)) return false;
  }
  return true;
}

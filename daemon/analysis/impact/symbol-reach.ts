import { type CodeGraph, type GraphDocument, type GraphSite, keyOf, kindOfDefinition } from '../../model/graph.ts';
import { createDispatch } from '../dispatch/overriding.ts';
import { eachRun, eachStep, standInsOf } from './steps.ts';

/** A definition, or the code at the top of a file, on the way from what changed files define. */
export interface SymbolWay {
  readonly site: GraphSite;
  /** Steps from a definition of a changed file. */
  readonly distance: number;
  /** 0 to 1: the product of the steps. */
  readonly confidence: number;
  /** What is one step nearer; undefined of a definition of a changed file. */
  readonly by: SymbolWay | undefined;
}

/** What nothing but its name ties to a symbol, and how sure that is. */
export interface ByNameAlone {
  readonly users: readonly GraphSite[];
  readonly confidence: number;
}

/**
 * The first way into the tests of each document that hang on a definition of some, in any number of steps: of the shortest
 * ways the surest. Those documents themselves are not among them.
 */
export function reachBySymbols(
  graph: CodeGraph,
  changed: readonly GraphDocument[],
  byNameAlone: (symbol: number) => ByNameAlone,
  isTest: (site: GraphSite) => boolean,
): ReadonlyMap<number, SymbolWay> {
  const dispatch = createDispatch(graph);
  const seen = new Set<number>();
  const first = new Map<number, SymbolWay>();
  const begun = new Set(changed.map(one => one.document));
  let level: readonly SymbolWay[] = changed
    .flatMap(one => Array.from(one.symbols, (_, at) => ({ in: one, at })))
    .filter(site => !isShared(graph, site))
    .map(site => ({ site, distance: 0, confidence: 1, by: undefined }));
  for (const way of level) seen.add(keyOf(way.site));
  for (let distance = 1; level.length > 0; distance++) {
    const found = new Map<number, SymbolWay>();
    const take = (site: GraphSite, by: SymbolWay, confidence: number): void => {
      const key = keyOf(site);
      if (seen.has(key)) return;
      const known = found.get(key);
      if (known === undefined || confidence > known.confidence) found.set(key, { site, distance, confidence, by });
    };
    for (const way of level) {
      const symbol = keyOf(way.site);
      eachStep(dispatch, symbol, (site, step) => take(site, way, way.confidence * step.confidence));
      for (const { site: other, confidence, byRunsAlone } of standInsOf(dispatch, symbol)) {
        const each = byRunsAlone ? eachRun : eachStep;
        each(dispatch, keyOf(other), (site, step) => take(site, way, way.confidence * confidence * step.confidence));
      }
      if (distance > 1) continue;
      const { users, confidence } = byNameAlone(symbol);
      for (const site of users) take(site, way, confidence);
    }
    for (const [key, way] of found) {
      seen.add(key);
      const { document } = way.site.in;
      const known = first.get(document);
      const isBetter = known === undefined || (known.distance === distance && way.confidence > known.confidence);
      if (isBetter && !begun.has(document) && isTest(way.site)) first.set(document, way);
    }
    level = [...found].filter(([key]) => key >= 0).map(([, way]) => way);
  }
  return first;
}

/** A namespace that other files make up as well: who names it means what is in it, which it says too. */
function isShared(graph: CodeGraph, { in: one, at }: GraphSite): boolean {
  const kind = kindOfDefinition(one, at);
  if (kind !== 'namespace' && kind !== 'package') return false;
  return graph.sitesOf(one.symbols[at]!).some(other => other.in !== one);
}

import type { ReferenceKind } from '../../model/facts.ts';
import { type CodeGraph, constructorsIn, type GraphSite, kindOfUse } from '../../model/graph.ts';
import { overriding } from '../graphs/overriding.ts';

/** How a piece of code hangs on a symbol, directly. */
export interface Step {
  readonly kind: ReferenceKind;
  /** 0 to 1. */
  readonly confidence: number;
  /** Index of the document's first reference that is such a use; undefined where it is none that does. */
  readonly reference: number | undefined;
}

/** All that hangs on a symbol directly: what uses it, and what implements or overrides it. */
export function eachStep(graph: CodeGraph, symbol: number, take: (site: GraphSite, step: Step) => void): void {
  graph.eachUse(symbol, (one, use) => {
    const { users, marks, references } = one.uses;
    const confidence = graph.confidence(one, use);
    take({ in: one, at: users[use]! }, { kind: kindOfUse(marks[use]!), confidence, reference: references[use]! });
  });
  for (const site of graph.sitesOf(symbol)) {
    for (const { site: member, confidence } of overriding(graph, site)) {
      take(member, { kind: 'implementation', confidence, reference: undefined });
    }
  }
}

/** The constructors of a class, which an indexer may tell from it: who uses them uses the class. */
export function constructorsOf(graph: CodeGraph, symbol: number): readonly GraphSite[] {
  return graph.sitesOf(symbol).flatMap(site => constructorsIn(site).map(at => ({ in: site.in, at })));
}

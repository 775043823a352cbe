import type { ReferenceKind } from '../../model/facts.ts';
import { type CodeGraph, constructorsIn, type GraphSite, kindOfUse } from '../../model/graph.ts';
import { dispatchConfidence, overridden, overriding } from '../graphs/overriding.ts';

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

/** A symbol by way of which another is used, though nothing names that: how sure it is, and whether by its calls alone. */
export interface StandIn {
  readonly site: GraphSite;
  /** 0 to 1. */
  readonly confidence: number;
  readonly byCallsAlone: boolean;
}

/**
 * What stands for a symbol: the constructors of a class, which an indexer may tell from it, and the members that a member
 * overrides, calls of which may run it.
 */
export function standInsOf(graph: CodeGraph, symbol: number): readonly StandIn[] {
  return graph.sitesOf(symbol).flatMap(site => [
    ...constructorsIn(site).map(at => ({ site: { in: site.in, at }, confidence: 1, byCallsAlone: false })),
    ...overridden(graph, site).map(({ site: base, confidence }) => ({
      site: base,
      confidence: confidence * dispatchConfidence,
      byCallsAlone: true,
    })),
  ]);
}

/** As `eachStep`, of calls alone. */
export function eachCall(graph: CodeGraph, symbol: number, take: (site: GraphSite, step: Step) => void): void {
  graph.eachUse(symbol, (one, use) => {
    const { users, marks, references } = one.uses;
    if (kindOfUse(marks[use]!) !== 'call') return;
    take(
      { in: one, at: users[use]! },
      { kind: 'call', confidence: graph.confidence(one, use), reference: references[use]! },
    );
  });
}

import type { ReferenceKind } from '../../model/facts.ts';
import { type GraphSite, keyOf, kindOfDefinition, mayBeCalled, useOf } from '../../model/graph.ts';
import { constructorsIn } from '../../model/graph-children.ts';
import { type Dispatch, dispatchConfidence } from '../dispatch/overriding.ts';

/** How a piece of code hangs on a symbol, directly. */
export interface Step {
  readonly kind: ReferenceKind;
  /** 0 to 1. */
  readonly confidence: number;
  /** An indexer says so. */
  readonly isPrecise: boolean;
  /** Index of the document's first reference that is such a use; undefined where it is none that does. */
  readonly reference: number | undefined;
}

type Take = (site: GraphSite, step: Step) => void;

/** All that hangs on a symbol directly: what uses it, and what implements or overrides it. */
export function eachStep(dispatch: Dispatch, symbol: number, take: Take): void {
  eachUseOf(dispatch, symbol, () => true, take);
  for (const { site, confidence } of [...dispatch.overriding(symbol), ...dispatch.implementers(symbol)]) {
    take(site, { kind: 'implementation', confidence, isPrecise: false, reference: undefined });
  }
}

/** As `eachStep`, of what runs the symbol alone: calls it, or reads and writes it where it is a value. */
export function eachRun(dispatch: Dispatch, symbol: number, take: Take): void {
  const [site] = dispatch.graph.sitesOf(symbol);
  const isValue = site !== undefined && valueKinds.has(kindOfDefinition(site.in, site.at));
  const runs = (kind: ReferenceKind): boolean => kind === 'call' || (isValue && (kind === 'read' || kind === 'write'));
  eachUseOf(dispatch, symbol, runs, take);
}

const valueKinds: ReadonlySet<string> = new Set(['property', 'field']);

function eachUseOf({ graph }: Dispatch, symbol: number, isMeant: (kind: ReferenceKind) => boolean, take: Take): void {
  const isCallable = mayBeCalled(graph, symbol);
  graph.eachUse(symbol, (one, use) => {
    const { users, marks, references } = one.uses;
    const { kind, isPrecise } = useOf(marks[use]!);
    const meant = kind === 'call' && !isCallable ? 'type' : kind;
    if (!isMeant(meant)) return;
    take(
      { in: one, at: users[use]! },
      { kind: meant, confidence: graph.confidence(one, use), isPrecise, reference: references[use]! },
    );
  });
}

/** A symbol by way of which another is used, though nothing names that: how sure it is, and whether by what runs it alone. */
export interface StandIn {
  readonly site: GraphSite;
  /** 0 to 1. */
  readonly confidence: number;
  readonly byRunsAlone: boolean;
}

/** So many symbols stand for one, at most. */
const mostStandIns = 1_000;

/**
 * What stands for a symbol, and what stands for that, each once: the constructors of a class, which an indexer may tell from
 * it; the members that a member overrides, calls of which may run it; what runs it when a value is made.
 */
export function standInsOf(dispatch: Dispatch, symbol: number): readonly StandIn[] {
  const found = new Map<number, StandIn>();
  const pending: { readonly symbol: number; readonly confidence: number; readonly byRunsAlone: boolean }[] = [
    { symbol, confidence: 1, byRunsAlone: false },
  ];
  for (let at = 0; at < pending.length && found.size < mostStandIns; at++) {
    const from = pending[at]!;
    for (const { site, confidence, byRunsAlone } of standInsNextTo(dispatch, from.symbol)) {
      const key = keyOf(site);
      if (key === symbol || found.has(key)) continue;
      const one = {
        confidence: from.confidence * confidence,
        byRunsAlone: from.byRunsAlone || byRunsAlone,
      };
      found.set(key, { site, ...one });
      pending.push({ symbol: key, ...one });
    }
  }
  return [...found.values()];
}

function standInsNextTo({ graph, overridden, makersOf }: Dispatch, symbol: number): readonly StandIn[] {
  return [
    ...graph
      .sitesOf(symbol)
      .flatMap(site =>
        Array.from(constructorsIn(site), at => ({ site: { in: site.in, at }, confidence: 1, byRunsAlone: false })),
      ),
    ...overridden(symbol).map(({ site, confidence }) => ({
      site,
      confidence: confidence * dispatchConfidence,
      byRunsAlone: true,
    })),
    ...makersOf(symbol).flatMap(maker =>
      graph
        .sitesOf(maker)
        .slice(0, 1)
        .map(site => ({ site, confidence: 1, byRunsAlone: true })),
    ),
  ];
}

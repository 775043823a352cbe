import type { ReferenceKind } from '../../model/facts.ts';
import {
  type CodeGraph,
  constructorsIn,
  type GraphDocument,
  type GraphSite,
  keyOf,
  kindOfUse,
} from '../../model/graph.ts';
import { overriding } from '../graphs/overriding.ts';

/** How a piece of code hangs on what is one step nearer. */
export type Relation = 'caller' | 'type-user' | 'implementer' | 'importer' | 'user' | 'test';

/** A step on the way from a symbol. */
export interface Way {
  readonly site: GraphSite;
  /** Steps from the symbol. */
  readonly distance: number;
  /** 0 to 1: the product of the steps of the surest way. */
  readonly confidence: number;
  /** What is one step nearer; undefined for the symbol itself. */
  readonly by: Way | undefined;
  /** A constructor of what is one step nearer, which an indexer tells from its class: who uses the one uses the other. */
  readonly isPart: boolean;
}

/** A definition, or the code at the top of a file (`at` is `atTop`), that hangs on a symbol. */
export interface Reached extends Way {
  readonly relation: Relation;
  /** All the ways in which it uses what is one step nearer. */
  readonly uses: ReadonlySet<ReferenceKind>;
  /** Index of the document's first reference that is such a use; undefined where nothing but a name tells of it. */
  readonly reference: number | undefined;
}

export interface ClosureOptions {
  readonly depth: number;
  readonly includeTests: boolean;
  /** Those that nothing but its name ties to the symbol, and how sure that is. */
  readonly byNameAlone: { readonly users: readonly GraphSite[]; readonly confidence: number };
}

/**
 * All that hangs on a symbol, in as many steps as `depth` has: what uses it, what uses that, and so on, each once, by its
 * shortest way and of these the surest. What implements a method of a type is one step from it. Code at the top of a file
 * has no users.
 */
export function impactClosure(graph: CodeGraph, symbol: number, options: ClosureOptions): readonly Reached[] {
  const reached = new Map<number, Reached>();
  const level = (from: readonly Frontier[], distance: number): readonly Frontier[] => {
    const found = new Map<number, Gathering>();
    const take = (site: GraphSite, step: Step): void => {
      if (site.in.isTest && !options.includeTests) return;
      const key = keyOf(site);
      if (key === symbol || reached.has(key)) return;
      const known = found.get(key);
      if (known === undefined) found.set(key, { site, step, uses: new Set([step.kind]) });
      else {
        known.uses.add(step.kind);
        if (step.confidence > known.step.confidence) known.step = step;
      }
    };
    for (const { symbol: target, by } of from) stepsFrom(graph, target, by, take);
    if (distance === 1) {
      const { users, confidence } = options.byNameAlone;
      for (const site of users) take(site, { by: undefined, kind: 'reference', confidence, reference: undefined });
    }
    for (const [key, { site, step, uses }] of found) {
      const { by, confidence, reference } = step;
      const relation = relationOf(site.in, uses);
      reached.set(key, { site, distance, relation, uses, confidence, by, isPart: false, reference });
    }
    const next = [...found.keys()].filter(key => key >= 0).map(key => ({ symbol: key, by: reached.get(key) }));
    return [...next, ...from.flatMap(one => partsOf(graph, one, distance))];
  };
  let frontier: readonly Frontier[] = [{ symbol, by: undefined }];
  for (let distance = 1; distance <= options.depth && frontier.length > 0; distance++) {
    frontier = level(frontier, distance);
  }
  return [...reached.values()];
}

/** The constructors of a class, whose users are its own. */
function partsOf(graph: CodeGraph, { symbol, by }: Frontier, distance: number): readonly Frontier[] {
  const confidence = by?.confidence ?? 1;
  return graph.sitesOf(symbol).flatMap(site =>
    constructorsIn(site).map(at => ({
      symbol: site.in.symbols[at]!,
      by: { site: { in: site.in, at }, distance, confidence, by, isPart: true },
    })),
  );
}

interface Frontier {
  readonly symbol: number;
  readonly by: Way | undefined;
}

interface Step {
  readonly by: Way | undefined;
  readonly kind: ReferenceKind;
  readonly confidence: number;
  readonly reference: number | undefined;
}

interface Gathering {
  readonly site: GraphSite;
  step: Step;
  readonly uses: Set<ReferenceKind>;
}

function stepsFrom(
  graph: CodeGraph,
  symbol: number,
  by: Way | undefined,
  take: (site: GraphSite, step: Step) => void,
): void {
  const sure = by?.confidence ?? 1;
  graph.eachUse(symbol, (one, use) => {
    const { users, marks, references } = one.uses;
    const step = { by, kind: kindOfUse(marks[use]!), reference: references[use]! };
    take({ in: one, at: users[use]! }, { ...step, confidence: sure * graph.confidence(one, use) });
  });
  for (const site of graph.sitesOf(symbol)) {
    for (const { site: member, confidence } of overriding(graph, site)) {
      const step = { by, kind: 'implementation', reference: undefined } as const;
      take(member, { ...step, confidence: sure * confidence });
    }
  }
}

/** What counts most of how a piece of code uses something. */
function relationOf({ isTest }: GraphDocument, uses: ReadonlySet<ReferenceKind>): Relation {
  if (isTest) return 'test';
  if (uses.has('implementation')) return 'implementer';
  if (uses.has('call')) return 'caller';
  if (uses.has('type')) return 'type-user';
  return uses.size === 1 && uses.has('import') ? 'importer' : 'user';
}

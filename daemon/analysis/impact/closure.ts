import type { ReferenceKind } from '../../model/facts.ts';
import { atTop, type CodeGraph, type GraphDocument, type GraphSite, importOf, keyOf } from '../../model/graph.ts';
import { eachCall, eachStep, standInsOf } from './steps.ts';

/** How a piece of code hangs on what is one step nearer. */
export type Relation = 'caller' | 'type-user' | 'implementer' | 'importer' | 'test';

/** A step on the way from a symbol. */
export interface Way {
  readonly site: GraphSite;
  /** Steps from the symbol. */
  readonly distance: number;
  /** 0 to 1: the product of the steps of the surest way. */
  readonly confidence: number;
  /** What is one step nearer; undefined for the symbol itself. */
  readonly by: Way | undefined;
  /** It stands for what is one step nearer (see `standInsOf`), and is not listed. */
  readonly isStandIn: boolean;
}

/** A definition, or the code at the top of a file (`at` is `atTop`), that hangs on a symbol. */
export interface Reached extends Way {
  readonly relation: Relation;
  /** All the ways in which it uses what is one step nearer. */
  readonly uses: ReadonlySet<ReferenceKind>;
  readonly place: UsePlace;
}

/** Where it is used first: a reference of the document, by its index; a line (0-based) with an import; or nobody knows. */
export type UsePlace =
  | { readonly kind: 'reference'; readonly reference: number }
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'unknown' };

export interface ClosureOptions {
  readonly depth: number;
  readonly includeTests: boolean;
  /** Those that nothing but its name ties to the symbol, and how sure that is. */
  readonly byNameAlone: { readonly users: readonly GraphSite[]; readonly confidence: number };
}

/**
 * All that hangs on a symbol, in as many steps as `depth` has: what uses it, what uses that, and so on, each once, by its
 * shortest way and of these the surest. What implements a method of a type is one step from it, and who calls the method of a
 * type that another implements two steps from that. Code at the top of a file
 * has no users, but who imports the file runs it.
 */
export function impactClosure(graph: CodeGraph, symbol: number, options: ClosureOptions): readonly Reached[] {
  const reached = new Map<number, Reached>();
  let frontier: readonly Frontier[] = [{ kind: 'symbol', symbol, by: undefined }];
  for (let distance = 1; distance <= options.depth && frontier.length > 0; distance++) {
    const isNew = (key: number): boolean => key !== symbol && !reached.has(key);
    const found = nextTo(graph, frontier, isNew, { ...options, isFirst: distance === 1 });
    const others = frontier.flatMap(one => standIns(graph, one, distance));
    frontier = [...found].flatMap(([key, { site, step, uses }]): readonly Frontier[] => {
      const { by, confidence, place } = step;
      const relation = relationOf(site.in, uses);
      const one = { site, distance, relation, uses, confidence, by, isStandIn: false, place };
      reached.set(key, one);
      if (site.at !== atTop) return [{ kind: 'symbol', symbol: key, by: one }];
      return runs(uses) ? [{ kind: 'file', file: site.in, by: one }] : [];
    });
    frontier = [...frontier, ...others];
  }
  return [...reached.values()];
}

/** What the next step begins at: a symbol, or the code at the top of a file. */
type Frontier =
  | { readonly kind: 'symbol'; readonly symbol: number; readonly by: Way | undefined; readonly byCallsAlone?: boolean }
  | { readonly kind: 'file'; readonly file: GraphDocument; readonly by: Way };

interface Step {
  readonly by: Way | undefined;
  readonly kind: ReferenceKind;
  readonly confidence: number;
  readonly place: UsePlace;
}

const unknownPlace: UsePlace = { kind: 'unknown' };

interface Gathered {
  readonly site: GraphSite;
  step: Step;
  readonly uses: Set<ReferenceKind>;
}

/** By key, what is one step from some. */
function nextTo(
  graph: CodeGraph,
  from: readonly Frontier[],
  isNew: (key: number) => boolean,
  { byNameAlone, includeTests, isFirst }: ClosureOptions & { readonly isFirst: boolean },
): ReadonlyMap<number, Gathered> {
  const found = new Map<number, Gathered>();
  const take = (site: GraphSite, step: Step): void => {
    const key = keyOf(site);
    if ((site.in.isTest && !includeTests) || !isNew(key)) return;
    const known = found.get(key);
    if (known === undefined) found.set(key, { site, step, uses: new Set([step.kind]) });
    else {
      known.uses.add(step.kind);
      if (step.confidence > known.step.confidence) known.step = step;
    }
  };
  for (const one of from) {
    if (one.kind === 'symbol') takeUsers(graph, one, take);
    else takeImporters(graph, one.file, one.by, take);
  }
  for (const site of isFirst ? byNameAlone.users : []) {
    take(site, { by: undefined, kind: 'reference', confidence: byNameAlone.confidence, place: unknownPlace });
  }
  return found;
}

type Take = (site: GraphSite, step: Step) => void;

function takeUsers(
  graph: CodeGraph,
  { symbol, by, byCallsAlone = false }: Extract<Frontier, { readonly kind: 'symbol' }>,
  take: Take,
): void {
  const sure = by?.confidence ?? 1;
  const each = byCallsAlone ? eachCall : eachStep;
  each(graph, symbol, (site, { kind, confidence, reference }) => {
    const place = reference === undefined ? unknownPlace : ({ kind: 'reference', reference } as const);
    take(site, { by, kind, confidence: sure * confidence, place });
  });
}

function takeImporters(graph: CodeGraph, file: GraphDocument, by: Way, take: Take): void {
  const confidence = by.confidence * importConfidence;
  graph.eachImport(file, (importer, at) => {
    const place = { kind: 'line', line: importOf(importer, at).line } as const;
    take({ in: importer, at: atTop }, { by, kind: 'import', confidence, place });
  });
}

/** Where the next step begins besides, for what stands for a symbol. */
function standIns(graph: CodeGraph, from: Frontier, distance: number): readonly Frontier[] {
  if (from.kind === 'file') return [];
  const { by, symbol } = from;
  return standInsOf(graph, symbol).map(({ site, confidence, byCallsAlone }): Frontier => {
    const way = { site, distance, confidence: confidence * (by?.confidence ?? 1), by, isStandIn: true };
    return { kind: 'symbol', symbol: keyOf(site), by: way, byCallsAlone };
  });
}

/** Whether code at the top of a file does more with it than to name it: then it runs when the file is imported. */
function runs(uses: ReadonlySet<ReferenceKind>): boolean {
  return [...uses].some(kind => kind !== 'import' && kind !== 'type');
}

/** How likely whoever imports a file is touched by what its code at the top does. */
const importConfidence = 0.5;

/** What counts most of how a piece of code uses something. */
function relationOf({ isTest }: GraphDocument, uses: ReadonlySet<ReferenceKind>): Relation {
  if (isTest) return 'test';
  if (uses.has('implementation')) return 'implementer';
  if (uses.has('call')) return 'caller';
  if (uses.has('type')) return 'type-user';
  return 'importer';
}

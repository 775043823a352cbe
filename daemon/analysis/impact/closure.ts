import type { ReferenceKind } from '../../model/facts.ts';
import {
  atTop,
  type CodeGraph,
  type GraphDocument,
  type GraphSite,
  importOf,
  isOfTests,
  keyOf,
} from '../../model/graph.ts';
import type { Dispatch } from '../dispatch/overriding.ts';
import { gravestOf, relationsTo, type UseRelation } from './relations.ts';
import { eachRun, eachStep, standInsOf } from './steps.ts';

/** How a piece of code hangs on what is one step nearer. */
export type Relation = UseRelation | 'test';

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
  /** One of them runs what is one step nearer. */
  readonly isCaller: boolean;
  readonly place: UsePlace;
  /** An indexer says so of one of these uses. */
  readonly isPrecise: boolean;
}

/** Where it is used first: a reference of the document, by its index; a line (0-based) with an import; or nobody knows. */
export type UsePlace =
  | { readonly kind: 'reference'; readonly reference: number }
  | { readonly kind: 'line'; readonly line: number }
  | { readonly kind: 'unknown' };

export interface ClosureOptions {
  readonly depth: number;
  readonly includeTests: boolean;
  /** Whether it is a test in a file that a runner of tests looks for. */
  readonly isRunnableTest: (site: GraphSite) => boolean;
  /** Those that nothing but its name ties to the symbol, and how sure that is. */
  readonly byNameAlone: { readonly users: readonly GraphSite[]; readonly confidence: number };
}

/**
 * All that hangs on a symbol, in as many steps as `depth` has: what uses it, what uses that, and so on, each once, by its
 * shortest way and of these the surest. What implements a method of a type is one step from it, and who calls the method of a
 * type that another implements two steps from that. Code at the top of a file has no users, but who imports the file runs it,
 * and so does whoever imports that.
 */
export function impactClosure(dispatch: Dispatch, symbol: number, options: ClosureOptions): readonly Reached[] {
  const reached = new Map<number, Reached>();
  let frontier: readonly Frontier[] = [{ kind: 'symbol', symbol, by: undefined, byRunsAlone: false }];
  for (let distance = 1; distance <= options.depth && frontier.length > 0; distance++) {
    const isNew = (key: number): boolean => key !== symbol && !reached.has(key);
    const found = nextTo(dispatch, frontier, isNew, { ...options, isFirst: distance === 1 });
    const others = frontier.flatMap(one => standIns(dispatch, one, distance));
    frontier = [...found].flatMap(([key, { site, step, uses, relations, isRun, isPrecise }]): readonly Frontier[] => {
      const { by, confidence, place } = step;
      const relation: Relation = options.isRunnableTest(site) ? 'test' : gravestOf(relations);
      const isCaller = relations.has('caller');
      const one = { site, distance, relation, uses, isCaller, confidence, by, isStandIn: false, place, isPrecise };
      reached.set(key, one);
      if (site.at !== atTop) return [{ kind: 'symbol', symbol: key, by: one, byRunsAlone: false }];
      return isRun && runsWhenImported.has(site.in.language) ? [{ kind: 'file', file: site.in, by: one }] : [];
    });
    frontier = [...frontier, ...others];
  }
  return [...reached.values()];
}

/** What the next step begins at: a symbol, or the code at the top of a file. */
type Frontier =
  | {
      readonly kind: 'symbol';
      readonly symbol: number;
      readonly by: Way | undefined;
      /** What names it otherwise than to run it is none of its users. */
      readonly byRunsAlone: boolean;
    }
  | { readonly kind: 'file'; readonly file: GraphDocument; readonly by: Way };

interface Step {
  readonly by: Way | undefined;
  readonly kind: ReferenceKind;
  readonly relation: UseRelation;
  readonly confidence: number;
  readonly place: UsePlace;
  readonly isPrecise: boolean;
  /** Of code at the top of a file: it runs where the file is imported. */
  readonly isRun: boolean;
}

const unknownPlace: UsePlace = { kind: 'unknown' };

interface Gathered {
  readonly site: GraphSite;
  step: Step;
  isRun: boolean;
  isPrecise: boolean;
  readonly uses: Set<ReferenceKind>;
  readonly relations: Set<UseRelation>;
}

/** By key, what is one step from some. */
function nextTo(
  dispatch: Dispatch,
  from: readonly Frontier[],
  isNew: (key: number) => boolean,
  { byNameAlone, includeTests, isFirst }: ClosureOptions & { readonly isFirst: boolean },
): ReadonlyMap<number, Gathered> {
  const found = new Map<number, Gathered>();
  const take = (site: GraphSite, step: Step): void => {
    const key = keyOf(site);
    if ((isOfTests(site) && !includeTests) || !isNew(key)) return;
    const known = found.get(key);
    if (known === undefined) {
      const { isRun, isPrecise, kind, relation } = step;
      found.set(key, { site, step, isRun, isPrecise, uses: new Set([kind]), relations: new Set([relation]) });
      return;
    }
    known.uses.add(step.kind);
    known.relations.add(step.relation);
    known.isRun ||= step.isRun;
    known.isPrecise ||= step.isPrecise;
    if (step.confidence > known.step.confidence) known.step = step;
  };
  for (const one of from) {
    if (one.kind === 'symbol') takeUsers(dispatch, one, take);
    else takeImporters(dispatch.graph, one.file, one.by, take);
  }
  for (const site of isFirst ? byNameAlone.users : []) {
    const { confidence } = byNameAlone;
    take(site, { ...byName, by: undefined, confidence, place: unknownPlace });
  }
  return found;
}

const byName = { kind: 'reference', relation: 'importer', isPrecise: false, isRun: true } as const;
const byImport = { kind: 'import', relation: 'importer', isPrecise: false, isRun: true } as const;

type Take = (site: GraphSite, step: Step) => void;

function takeUsers(
  dispatch: Dispatch,
  { symbol, by, byRunsAlone }: Extract<Frontier, { readonly kind: 'symbol' }>,
  take: Take,
): void {
  const sure = by?.confidence ?? 1;
  const each = byRunsAlone ? eachRun : eachStep;
  const relationBy = relationsTo(dispatch, symbol);
  each(dispatch, symbol, (site, { kind, confidence, isPrecise, reference }) => {
    const place = reference === undefined ? unknownPlace : ({ kind: 'reference', reference } as const);
    const relation = relationBy(kind);
    take(site, { by, kind, relation, confidence: sure * confidence, place, isPrecise, isRun: !names.has(kind) });
  });
}

/** Uses by code at the top of a file that do no more with something than to name it. */
const names: ReadonlySet<ReferenceKind> = new Set(['import', 'type']);

function takeImporters(graph: CodeGraph, file: GraphDocument, by: Way, take: Take): void {
  const confidence = by.confidence * importConfidence;
  graph.eachImport(file, (importer, at) => {
    const { line, typeOnly } = importOf(importer, at);
    if (typeOnly) return;
    const place = { kind: 'line', line } as const;
    take({ in: importer, at: atTop }, { ...byImport, by, confidence, place });
  });
}

/** Where the next step begins besides, for what stands for a symbol. */
function standIns(dispatch: Dispatch, from: Frontier, distance: number): readonly Frontier[] {
  if (from.kind === 'file' || from.by?.isStandIn === true) return [];
  const { by, symbol } = from;
  return standInsOf(dispatch, symbol).map(({ site, confidence, byRunsAlone }): Frontier => {
    const way = { site, distance, confidence: confidence * (by?.confidence ?? 1), by, isStandIn: true };
    return { kind: 'symbol', symbol: keyOf(site), by: way, byRunsAlone };
  });
}

/** Languages in which code at the top of a file runs when something imports it. */
const runsWhenImported: ReadonlySet<string> = new Set(['typescript', 'javascript', 'python', 'ruby', 'php']);

/** How likely whoever imports a file is touched by what its code at the top does. */
const importConfidence = 0.5;

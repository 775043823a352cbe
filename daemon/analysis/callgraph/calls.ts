import {
  type CodeGraph,
  type GraphDocument,
  type GraphSite,
  isMade,
  kindOfDefinition,
  kindOfUse,
  useOf,
} from '../../model/graph.ts';
import { dispatchConfidence, overridden, overriding } from '../graphs/overriding.ts';

/** One step of a call graph, from the code that calls to a symbol that it may run. */
export interface CallStep {
  /**
   * call: code calls the symbol; dispatch: a call of a member of a type may run what overrides it there; construct: to make
   * a value of a class runs its constructor, and what its fields begin with.
   */
  readonly kind: 'call' | 'dispatch' | 'construct';
  /** 0 to 1. */
  readonly confidence: number;
  /** Where it calls: the document, and the index of the first such reference in it; undefined of other steps. */
  readonly place: { readonly document: GraphDocument; readonly reference: number } | undefined;
  /** An indexer says so. */
  readonly isPrecise: boolean;
  /** How many call sites there are. */
  readonly count: number;
}

/** What a piece of code may run: `take` is told of each symbol, which may be one of a dependency. */
export function calleesOf(graph: CodeGraph, site: GraphSite, take: (symbol: number, step: CallStep) => void): void {
  const { in: one, at } = site;
  graph.eachUseBy(site, (symbol, use) => {
    if (kindOfUse(one.uses.marks[use]!) === 'call') take(symbol, callAt(graph, one, use));
  });
  if (at < 0) return;
  for (const { site: over, confidence } of overriding(graph, site)) take(symbolOf(over), dispatch(confidence));
  if (isMade(one, at)) {
    for (const member of runWhenMade(one, at)) take(one.symbols[member]!, construct);
  }
}

/** The code that may run a symbol. */
export function callersOf(graph: CodeGraph, symbol: number, take: (site: GraphSite, step: CallStep) => void): void {
  graph.eachUse(symbol, (user, use) => {
    const { marks, users } = user.uses;
    if (kindOfUse(marks[use]!) === 'call') take({ in: user, at: users[use]! }, callAt(graph, user, use));
  });
  for (const site of graph.sitesOf(symbol)) {
    for (const { site: base, confidence } of overridden(graph, site)) take(base, dispatch(confidence));
  }
}

function callAt(graph: CodeGraph, document: GraphDocument, use: number): CallStep {
  const { counts, marks, references } = document.uses;
  const place = { document, reference: references[use]! };
  const { isPrecise } = useOf(marks[use]!);
  return { kind: 'call', confidence: graph.confidence(document, use), place, isPrecise, count: counts[use]! };
}

function dispatch(confidence: number): CallStep {
  return { kind: 'dispatch', confidence: confidence * dispatchConfidence, ...noSite };
}

const noSite = { place: undefined, isPrecise: false, count: 0 } as const;
const construct: CallStep = { kind: 'construct', confidence: 1, ...noSite };

const runsWhenMade: ReadonlySet<string> = new Set(['constructor', 'field', 'property']);

function runWhenMade(one: GraphDocument, type: number): readonly number[] {
  const found: number[] = [];
  one.containers.forEach((container, at) => {
    if (container === type && runsWhenMade.has(kindOfDefinition(one, at))) found.push(at);
  });
  return found;
}

function symbolOf({ in: one, at }: GraphSite): number {
  return one.symbols[at]!;
}

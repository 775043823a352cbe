import {
  type CodeGraph,
  type GraphDocument,
  type GraphSite,
  keyOf,
  kindOfUse,
  mayBeCalled,
  useOf,
} from '../../model/graph.ts';
import { mayRunWhenRead } from '../dispatch/accessors.ts';
import { createDispatch, type Dispatch, dispatchConfidence } from '../dispatch/overriding.ts';

/** One step of a call graph, from the code that calls to a symbol that it may run. */
export interface CallStep {
  /**
   * call: code calls the symbol, or reads or writes a property that runs code; dispatch: a call of a member of a type may run
   * what overrides it there; construct: to make a value of a class runs its constructor, what its fields begin with, and
   * what makes the class above.
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

/** Who runs what in a snapshot: the one direction is the other's inverse. It remembers what it was asked, and so is made for each question. */
export interface Calls {
  readonly graph: CodeGraph;
  readonly dispatch: Dispatch;
  /** What a piece of code may run: `take` is told of each symbol, which may be one of a dependency. */
  calleesOf(site: GraphSite, take: (symbol: number, step: CallStep) => void): void;
  /** The code that may run a symbol. */
  callersOf(symbol: number, take: (site: GraphSite, step: CallStep) => void): void;
}

export function createCalls(graph: CodeGraph): Calls {
  const dispatch = createDispatch(graph);
  const read = new Map<number, boolean>();
  /** Whether a use of a symbol runs it. */
  const runs = (one: GraphDocument, use: number, symbol: number): boolean => {
    const kind = kindOfUse(one.uses.marks[use]!);
    if (kind === 'call') return mayBeCalled(graph, symbol);
    if (kind !== 'read' && kind !== 'write') return false;
    const known = read.get(symbol) ?? mayRunWhenRead(graph, dispatch, symbol);
    read.set(symbol, known);
    return known;
  };
  return {
    graph,
    dispatch,
    calleesOf: (site, take) => {
      const { in: one, at } = site;
      graph.eachUseBy(site, (symbol, use) => {
        if (runs(one, use, symbol)) take(symbol, callAt(graph, one, use));
      });
      if (at < 0) return;
      const symbol = one.symbols[at]!;
      for (const { site: over, confidence } of dispatch.overriding(symbol)) take(keyOf(over), dispatched(confidence));
      for (const made of dispatch.madeBy(symbol)) take(made, construct);
    },
    callersOf: (symbol, take) => {
      graph.eachUse(symbol, (user, use) => {
        if (runs(user, use, symbol)) take({ in: user, at: user.uses.users[use]! }, callAt(graph, user, use));
      });
      for (const { site: base, confidence } of dispatch.overridden(symbol)) take(base, dispatched(confidence));
      for (const maker of dispatch.makersOf(symbol)) {
        const [site] = graph.sitesOf(maker);
        if (site !== undefined) take(site, construct);
      }
    },
  };
}

function callAt(graph: CodeGraph, document: GraphDocument, use: number): CallStep {
  const { counts, marks, references } = document.uses;
  const place = { document, reference: references[use]! };
  const { isPrecise } = useOf(marks[use]!);
  return { kind: 'call', confidence: graph.confidence(document, use), place, isPrecise, count: counts[use]! };
}

function dispatched(confidence: number): CallStep {
  return { kind: 'dispatch', confidence: confidence * dispatchConfidence, ...noSite };
}

const noSite = { place: undefined, isPrecise: false, count: 0 } as const;
const construct: CallStep = { kind: 'construct', confidence: 1, ...noSite };

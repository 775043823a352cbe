import { type CodeGraph, type GraphSite, keyOf, traitsOf } from '../../model/graph.ts';
import { type CallStep, type Calls, createCalls } from './calls.ts';

/** The shortest way by calls from one symbol to another, or where it stops. */
export interface Trace {
  /** From the first symbol to the last; empty where there is none. */
  readonly path: readonly TracedStep[];
  /** Symbols of the repository that the first one may run, as far as they were looked at. */
  readonly reached: number;
  /** Not all that it may run was looked at. */
  readonly truncated: boolean;
  /** Of these, nearest first, those where the way may go on. */
  readonly stops: readonly TraceStop[];
}

export interface TraceStop {
  readonly site: GraphSite;
  readonly distance: number;
  /** open-calls: call sites in it lead nowhere; no-body: it is declared, and nothing is known to implement it. */
  readonly because: 'open-calls' | 'no-body';
  readonly openCalls: number;
}

export interface TracedStep {
  readonly site: GraphSite;
  /** How it is reached from the one before; undefined of the first. */
  readonly step: CallStep | undefined;
}

interface Visited {
  readonly site: GraphSite;
  readonly distance: number;
  readonly from: Visited | undefined;
  readonly step: CallStep | undefined;
}

/** Of ways with as many steps one that begins with what is surer. `most`: symbols that are looked at. */
export function traceCalls(graph: CodeGraph, from: number, to: number, most: number): Trace {
  const calls = createCalls(graph);
  const visited = new Map<number, Visited>();
  const [first] = graph.sitesOf(from);
  if (first === undefined) return { path: [], reached: 0, truncated: false, stops: [] };
  visited.set(from, { site: first, distance: 0, from: undefined, step: undefined });
  const queue = [from];
  let at = 0;
  for (; at < queue.length && !visited.has(to) && visited.size < most; at++) {
    const by = visited.get(queue[at]!)!;
    for (const { callee, step } of surestFirst(calls, queue[at]!)) {
      const [site] = visited.has(callee) ? [] : graph.sitesOf(callee);
      if (site === undefined) continue;
      visited.set(callee, { site, distance: by.distance + 1, from: by, step });
      queue.push(callee);
    }
  }
  const found = visited.get(to);
  const around = { reached: visited.size - 1, truncated: found === undefined && at < queue.length };
  if (found !== undefined) return { ...around, path: wayTo(found), stops: [] };
  return { ...around, path: [], stops: stopsAmong(calls, visited.values()) };
}

function surestFirst(calls: Calls, caller: number): readonly { callee: number; step: CallStep }[] {
  const found: { callee: number; step: CallStep }[] = [];
  for (const site of calls.graph.sitesOf(caller)) calls.calleesOf(site, (callee, step) => found.push({ callee, step }));
  return found.sort((a, b) => b.step.confidence - a.step.confidence);
}

function wayTo(last: Visited): readonly TracedStep[] {
  const path: TracedStep[] = [];
  for (let at: Visited | undefined = last; at !== undefined; at = at.from)
    path.unshift({ site: at.site, step: at.step });
  return path;
}

function stopsAmong(calls: Calls, visited: Iterable<Visited>): readonly TraceStop[] {
  return [...visited].flatMap(({ site, distance }): readonly TraceStop[] => {
    const openCalls = site.in.openCalls[site.at]!;
    if (openCalls > 0) return [{ site, distance, because: 'open-calls', openCalls }];
    return isOnlyDeclared(calls, site) ? [{ site, distance, because: 'no-body', openCalls: 0 }] : [];
  });
}

function isOnlyDeclared({ dispatch }: Calls, site: GraphSite): boolean {
  const { kind, hasBody } = traitsOf(site);
  const isCode = kind === 'method' || kind === 'function';
  return isCode && !hasBody && dispatch.overriding(keyOf(site)).length === 0;
}

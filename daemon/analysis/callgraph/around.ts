import { type CodeGraph, type GraphSite, isOfTests, keyOf } from '../../model/graph.ts';
import { type CallStep, createCalls } from './calls.ts';

/** A piece of code in a call graph, or (`site` undefined) a symbol of a dependency. */
export interface CallNode {
  /** The symbol's number; of code at the top of a file a negative one. */
  readonly key: number;
  readonly site: GraphSite | undefined;
  /** Steps from where the graph begins: callers below 0, callees above. Of what is both the nearer, then the callee. */
  readonly distance: number;
}

export interface CallEdge extends CallStep {
  readonly caller: number;
  readonly callee: number;
}

export interface CallsAround {
  /** The nearest first. */
  readonly nodes: readonly CallNode[];
  /** Between nodes that are listed. */
  readonly edges: readonly CallEdge[];
  /** There are more nodes than were asked for. */
  readonly truncated: boolean;
}

export interface AroundOptions {
  readonly direction: 'callers' | 'callees' | 'both';
  readonly depth: number;
  readonly includeTests: boolean;
  readonly includeExternal: boolean;
  /** Most nodes. */
  readonly limit: number;
}

type Direction = 'callers' | 'callees';

/** What runs a symbol, and what that runs, as many steps away as `depth` has: each direction by itself, for what is both goes on both ways. */
export function callsAround(graph: CodeGraph, symbol: number, options: AroundOptions): CallsAround {
  const calls = createCalls(graph);
  const start: CallNode = { key: symbol, site: graph.sitesOf(symbol)[0], distance: 0 };
  const nodes = new Map<number, CallNode>([[symbol, start]]);
  const edges = new Map<string, CallEdge>();
  let truncated = false;
  /** Whether it is a node now. */
  const enter = (key: number, site: GraphSite | undefined, distance: number): boolean => {
    if (nodes.has(key)) return true;
    if (site !== undefined && isOfTests(site) && !options.includeTests) return false;
    if (site === undefined && !options.includeExternal) return false;
    if (nodes.size >= options.limit) truncated = true;
    else nodes.set(key, { key, site, distance });
    return nodes.has(key);
  };
  const connect = (caller: number, callee: number, step: CallStep): void => {
    const key = `${caller} ${callee} ${step.kind}`;
    if (!edges.has(key)) edges.set(key, { caller, callee, ...step });
  };
  const next = (direction: Direction, { key }: CallNode, distance: number): readonly number[] => {
    const found: number[] = [];
    if (direction === 'callees') {
      for (const site of sitesAt(graph, nodes.get(key)!)) {
        calls.calleesOf(site, (callee, step) => {
          if (!enter(callee, graph.sitesOf(callee)[0], distance)) return;
          connect(key, callee, step);
          found.push(callee);
        });
      }
    } else if (key >= 0) {
      calls.callersOf(key, (site, step) => {
        const caller = keyOf(site);
        if (!enter(caller, site, -distance)) return;
        connect(caller, key, step);
        found.push(caller);
      });
    }
    return found;
  };
  const ways = directions.filter(one => options.direction === 'both' || options.direction === one);
  const fronts = ways.map(direction => ({ direction, seen: new Set([symbol]), at: [symbol] as readonly number[] }));
  for (let distance = 1; distance <= options.depth; distance++) {
    for (const front of fronts) {
      const found = front.at.flatMap(key => next(front.direction, nodes.get(key)!, distance));
      front.at = [...new Set(found)].filter(key => !front.seen.has(key));
      for (const key of front.at) front.seen.add(key);
    }
  }
  const nearest = [...nodes.values()].sort((a, b) => Math.abs(a.distance) - Math.abs(b.distance));
  return { nodes: nearest, edges: [...edges.values()], truncated };
}

/** Of what is both, as far away, the callee counts. */
const directions: readonly Direction[] = ['callees', 'callers'];

/** All sites of a definition; code at the top of a file is its own. */
function sitesAt(graph: CodeGraph, { key, site }: CallNode): readonly GraphSite[] {
  return key < 0 && site !== undefined ? [site] : graph.sitesOf(key);
}

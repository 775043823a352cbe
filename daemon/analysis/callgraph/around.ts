import { type CodeGraph, type GraphSite, keyOf } from '../../model/graph.ts';
import { type CallStep, calleesOf, callersOf } from './calls.ts';

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

/** What runs a symbol, and what that runs, as many steps away as `depth` has. */
export function callsAround(graph: CodeGraph, symbol: number, options: AroundOptions): CallsAround {
  const nodes = new Map<number, CallNode>();
  const edges = new Map<string, CallEdge>();
  let truncated = false;
  nodes.set(symbol, { key: symbol, site: graph.sitesOf(symbol)[0], distance: 0 });
  /** Whether it is a node now. */
  const enter = (key: number, site: GraphSite | undefined, distance: number): boolean => {
    if (nodes.has(key)) return true;
    if (site?.in.isTest === true && !options.includeTests) return false;
    if (site === undefined && !options.includeExternal) return false;
    if (nodes.size >= options.limit) truncated = true;
    else nodes.set(key, { key, site, distance });
    return nodes.has(key);
  };
  const connect = (caller: number, callee: number, step: CallStep): void => {
    const key = `${caller} ${callee} ${step.kind}`;
    if (!edges.has(key)) edges.set(key, { caller, callee, ...step });
  };
  const expand = ({ key, distance }: CallNode, direction: 'callers' | 'callees'): void => {
    if (direction === 'callees') {
      for (const site of sitesAt(graph, nodes.get(key)!)) {
        calleesOf(graph, site, (callee, step) => {
          if (enter(callee, graph.sitesOf(callee)[0], distance + 1)) connect(key, callee, step);
        });
      }
    } else if (key >= 0) {
      callersOf(graph, key, (site, step) => {
        const caller = keyOf(site);
        if (enter(caller, site, distance - 1)) connect(caller, key, step);
      });
    }
  };
  for (let away = 0; away < options.depth; away++) {
    for (const node of [...nodes.values()]) {
      if (node.distance === away && options.direction !== 'callers') expand(node, 'callees');
      if (node.distance === -away && options.direction !== 'callees') expand(node, 'callers');
    }
  }
  const nearest = [...nodes.values()].sort((a, b) => Math.abs(a.distance) - Math.abs(b.distance));
  return { nodes: nearest, edges: [...edges.values()], truncated };
}

/** All sites of a definition; code at the top of a file is its own. */
function sitesAt(graph: CodeGraph, { key, site }: CallNode): readonly GraphSite[] {
  return key < 0 && site !== undefined ? [site] : graph.sitesOf(key);
}

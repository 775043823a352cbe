import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { type CallEdge, type CallNode, callsAround } from '../../analysis/callgraph/around.ts';
import type { CallStep } from '../../analysis/callgraph/calls.ts';
import { atTop, type GraphSite, isOfTests } from '../../model/graph.ts';
import { symbolId } from '../../model/identity.ts';
import { completeness, hashOfId, location } from '../symbols/answers.ts';
import { externalOf, externalSymbol } from '../symbols/external-symbol.ts';
import type { AnalysedSnapshot } from './analyses.ts';
import { showSite } from './shown.ts';

type CallgraphInput = InputOf<Operations['analysis.callgraph']>;
type CallgraphOutput = OutputOf<Operations['analysis.callgraph']>;

/** Callers and callees of a symbol; undefined where the snapshot has no such symbol. */
export function callgraphAnswer(of: AnalysedSnapshot, input: CallgraphInput): CallgraphOutput | undefined {
  const { asked, graph, snapshot } = of;
  const hash = hashOfId(input.id);
  const symbol = graph.numberOf(hash);
  const isKnown = symbol !== undefined && graph.sitesOf(symbol).length > 0;
  if (!isKnown) return undefined;
  const { nodes, edges, truncated } = callsAround(graph, symbol, input);
  const shown = showNodes(of, nodes);
  const { open } = graph.byNameAlone(symbol);
  return {
    symbolId: symbolId(asked.repo.id, hash),
    direction: input.direction,
    nodes: [...shown.values()],
    edges: edges.flatMap(edge => showEdge(of, edge, shown)),
    truncated,
    snapshotId: snapshot.snapshotId,
    completeness: completeness(snapshot, asked, input.direction === 'callees' ? 0 : open),
    timestamp: new Date(asked.now).toISOString(),
  };
}

type ShownNode = CallgraphOutput['nodes'][number];

function showNodes(of: AnalysedSnapshot, nodes: readonly CallNode[]): ReadonlyMap<number, ShownNode> {
  const shown = new Map<number, ShownNode>();
  for (const { key, site, distance } of nodes) {
    const node = site === undefined ? showExternal(of, key, distance) : showCode(of, site, distance);
    if (node !== undefined) shown.set(key, node);
  }
  return shown;
}

function showCode(of: AnalysedSnapshot, site: GraphSite, distance: number): ShownNode {
  const { openCalls } = site.in;
  const open = openCalls[site.at === atTop ? openCalls.length - 1 : site.at]!;
  return { ...showSite(of, site), distance, isTest: isOfTests(site), external: false, openCalls: open };
}

function showExternal(
  { asked, graph, snapshot }: AnalysedSnapshot,
  symbol: number,
  distance: number,
): ShownNode | undefined {
  const row = graph.external(symbol);
  if (row === undefined) return undefined;
  const { id, name, kind, location, module } = externalSymbol(externalOf(row), asked.repo.id, snapshot.snapshotId);
  const called = name || row.name || row.package;
  const node = { id, name: called, container: '', kind, location, moduleId: module };
  return { ...node, distance, isTest: false, external: true, openCalls: 0 };
}

function showEdge(
  of: AnalysedSnapshot,
  edge: CallEdge,
  shown: ReadonlyMap<number, ShownNode>,
): CallgraphOutput['edges'] {
  const caller = shown.get(edge.caller);
  const callee = shown.get(edge.callee);
  if (caller === undefined || callee?.id == null) return [];
  return [{ callerId: caller.id, callerFile: caller.location.file, calleeId: callee.id, ...showStep(of, edge) }];
}

/** A step as answers tell of it. */
export function showStep({ graph }: AnalysedSnapshot, { kind, place, count, confidence, isPrecise }: CallStep) {
  return {
    kind,
    location:
      place === undefined
        ? null
        : location(place.document.path, graph.placeOf(place.document.document, place.reference)),
    calls: count,
    confidence: Math.round(confidence * 1000) / 1000,
    source: isPrecise ? ('scip' as const) : ('tree-sitter' as const),
  };
}

import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { traceCalls } from '../../analysis/callgraph/trace.ts';
import { symbolId } from '../../model/identity.ts';
import { completeness, hashOfId } from '../symbols/answers.ts';
import type { AnalysedSnapshot } from './analyses.ts';
import { showStep } from './callgraph.ts';
import { showSite } from './shown.ts';

type TraceInput = InputOf<Operations['analysis.trace']>;
type TraceOutput = OutputOf<Operations['analysis.trace']>;

/** Symbols that are looked at on the way: some 10 µs each. */
const mostVisited = 100_000;
const stopsShown = 50;
/** They leave no reference: what is local to a function is settled in its file. */
const notFollowed = 'calls of values, such as parameters and elements of collections, are not followed';

/** The shortest way by calls; undefined where the snapshot has not both symbols. */
export function traceAnswer(of: AnalysedSnapshot, input: TraceInput): TraceOutput | undefined {
  const { asked, graph, snapshot } = of;
  const [from, to] = [input.from, input.to].map(id => graph.numberOf(hashOfId(id)));
  const isKnown = (symbol: number | undefined): symbol is number =>
    symbol !== undefined && graph.sitesOf(symbol).length > 0;
  if (!isKnown(from) || !isKnown(to)) return undefined;
  const { path, reached, truncated, stops } = traceCalls(graph, from, to, mostVisited);
  const confidence = path.reduce((product, { step }) => product * (step?.confidence ?? 1), path.length === 0 ? 0 : 1);
  return {
    from: symbolId(asked.repo.id, hashOfId(input.from)),
    to: symbolId(asked.repo.id, hashOfId(input.to)),
    found: path.length > 0,
    path: path.map(({ site, step }) => ({
      ...showSite(of, site),
      call: step === undefined ? null : showStep(of, step),
    })),
    confidence: Math.round(confidence * 1000) / 1000,
    reached,
    truncated,
    stops: stops.slice(0, stopsShown).map(({ site, ...stop }) => ({ ...showSite(of, site), ...stop })),
    limitations: path.length > 0 ? [] : [notFollowed],
    snapshotId: snapshot.snapshotId,
    completeness: completeness(snapshot, asked, graph.byNameAlone(to).open),
    timestamp: new Date(asked.now).toISOString(),
  };
}

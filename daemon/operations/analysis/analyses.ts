import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { directoryOf } from '../../model/paths.ts';
import type { SnapshotGraph } from '../../store/graph/snapshot-graph.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import type { StoredSnapshot } from '../../store/publication.ts';
import { type Asked, notReady, snapshotFor } from '../symbols/answers.ts';
import { callgraphAnswer } from './callgraph.ts';
import { impactAnswer } from './impact.ts';
import { traceAnswer } from './trace.ts';

/** Operations that the read worker answers out of the graph of a snapshot. */
export type AnalysisName = 'analysis.impact' | 'analysis.callgraph' | 'analysis.trace';

const answers: { readonly [Name in AnalysisName]: Analysis<Name> } = {
  'analysis.impact': impactAnswer,
  'analysis.callgraph': callgraphAnswer,
  'analysis.trace': traceAnswer,
};

/** An analysis to be made; plain values, so that it crosses to the read worker. */
export interface AnalysisCall<Name extends AnalysisName = AnalysisName> {
  readonly operation: Name;
  readonly asked: Asked;
  readonly input: InputOf<Operations[Name]>;
}

/** What an analysis is made of. */
export interface AnalysedSnapshot {
  readonly asked: Asked;
  readonly reader: IndexReader;
  readonly snapshot: StoredSnapshot;
  readonly graph: SnapshotGraph;
  moduleOf(path: string): { readonly id: string; readonly name: string };
}

/** Undefined where the snapshot doesn't have the symbol that the input names. */
type Analysis<Name extends AnalysisName> = (
  of: AnalysedSnapshot,
  input: InputOf<Operations[Name]>,
) => OutputOf<Operations[Name]> | undefined;

/** The answer to a call, of one state of the index; undefined where the snapshot doesn't have the symbol that it names. */
export function analyse<Name extends AnalysisName>(
  reader: IndexReader,
  { operation, asked, input }: AnalysisCall<Name>,
): OutputOf<Operations[Name]> | undefined {
  const answer: Analysis<Name> = answers[operation];
  return reader.together(() => {
    const snapshot = snapshotFor(reader, asked);
    const graph = reader.graph(asked.repo.key, snapshot.seq);
    if (graph === undefined) throw notReady();
    return answer({ asked, reader, snapshot, graph, moduleOf }, input);
  });
}

function moduleOf(path: string): { readonly id: string; readonly name: string } {
  const id = directoryOf(path) || '@root';
  return { id, name: id };
}

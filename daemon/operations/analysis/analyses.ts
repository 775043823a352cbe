import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { directoryOf } from '../../model/paths.ts';
import type { SnapshotGraph } from '../../store/graph/snapshot-graph.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import type { StoredSnapshot } from '../../store/publication.ts';
import { type Asked, notReady, snapshotFor } from '../symbols/answers.ts';
import { impactAnswer } from './impact.ts';

/** Operations that the read worker answers out of the graph of a snapshot. */
const answers = { 'analysis.impact': impactAnswer } satisfies { readonly [Name in keyof Operations]?: Analysis<Name> };

export type AnalysisName = keyof typeof answers;
export type AnalysisInputs = { readonly [Name in AnalysisName]: InputOf<Operations[Name]> };

/** An analysis to be made; plain values, so that it crosses to the read worker. */
export type AnalysisCall = {
  readonly [Name in AnalysisName]: {
    readonly operation: Name;
    readonly asked: Asked;
    readonly input: AnalysisInputs[Name];
  };
}[AnalysisName];

/** What an analysis is made of. */
export interface AnalysedSnapshot {
  readonly asked: Asked;
  readonly reader: IndexReader;
  readonly snapshot: StoredSnapshot;
  readonly graph: SnapshotGraph;
  moduleOf(path: string): { readonly id: string; readonly name: string };
}

/** Undefined where the snapshot doesn't have the symbol that the input names. */
export type Analysis<Name extends keyof Operations> = (
  of: AnalysedSnapshot,
  input: InputOf<Operations[Name]>,
) => OutputOf<Operations[Name]> | undefined;

/** The answer to a call, of one state of the index; undefined where the snapshot doesn't have the symbol that it names. */
export function analyse(reader: IndexReader, { operation, asked, input }: AnalysisCall): object | undefined {
  return reader.together(() => {
    const snapshot = snapshotFor(reader, asked);
    const graph = reader.graph(asked.repo.key, snapshot.seq);
    if (graph === undefined) throw notReady();
    return answers[operation]({ asked, reader, snapshot, graph, moduleOf }, input);
  });
}

function moduleOf(path: string): { readonly id: string; readonly name: string } {
  const id = directoryOf(path) || '@root';
  return { id, name: id };
}

import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { createDispatch, type Dispatch } from '../../analysis/dispatch/overriding.ts';
import type { ModuleOptions } from '../../analysis/modules/module-model.ts';
import type { CodeModule, ModuleModel } from '../../model/module.ts';
import { once } from '../../model/once.ts';
import type { SnapshotGraph } from '../../store/graph/snapshot-graph.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import type { StoredSnapshot } from '../../store/publication.ts';
import { type Asked, notReady, snapshotFor } from '../symbols/answers.ts';
import { deadCodeAnswer } from '../telemetry/dead-code.ts';
import { usageAnswer } from '../telemetry/usage.ts';
import { architectureAnswer } from './architecture.ts';
import { callgraphAnswer } from './callgraph.ts';
import { impactAnswer } from './impact.ts';
import { modulesTold } from './repository-modules.ts';
import { responsibilitiesAnswer } from './responsibilities.ts';
import { traceAnswer } from './trace.ts';
import { unwiredAnswer } from './unwired.ts';

/** Operations that the read worker answers out of the graph of a snapshot. */
export type AnalysisName =
  | 'analysis.architecture'
  | 'analysis.impact'
  | 'analysis.callgraph'
  | 'analysis.trace'
  | 'analysis.unwired'
  | 'telemetry.deadCode'
  | 'telemetry.usage'
  | 'responsibilities.get';

const answers: { readonly [Name in AnalysisName]: Analysis<Name> } = {
  'analysis.architecture': architectureAnswer,
  'analysis.impact': impactAnswer,
  'analysis.callgraph': callgraphAnswer,
  'analysis.trace': traceAnswer,
  'analysis.unwired': unwiredAnswer,
  'responsibilities.get': responsibilitiesAnswer,
  'telemetry.deadCode': deadCodeAnswer,
  'telemetry.usage': usageAnswer,
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
  /** What calls may run besides what they name, as far as this question has asked. */
  dispatch(): Dispatch;
  /** As the architecture shows them by default, or as it is asked for. */
  modules(options?: ModuleOptions): ModuleModel;
  moduleOf(path: string): CodeModule;
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
  return analysed(reader, asked, of => answer(of, input));
}

/** Makes something of the snapshot that a question is about, all of one state of the index. */
export function analysed<Answer>(reader: IndexReader, asked: Asked, answer: (of: AnalysedSnapshot) => Answer): Answer {
  return reader.together(() => {
    const snapshot = snapshotFor(reader, asked);
    const graph = reader.graph(asked.repo.key, snapshot.seq);
    if (graph === undefined) throw notReady();
    const modules = (options?: ModuleOptions): ModuleModel =>
      modulesTold(reader.told(asked.repo.key, snapshot.seq)!, options);
    const byDefault = once(() => modules());
    const dispatch = once(() => createDispatch(graph));
    return answer({ asked, reader, snapshot, graph, dispatch, modules, moduleOf: path => byDefault().moduleOf(path) });
  });
}

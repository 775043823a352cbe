import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { HalfPoints } from '../../analysis/hotspots/hotspots.ts';
import type { BlamedContent } from '../../model/history.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { type AnalysedSnapshot, analysed } from '../analysis/analyses.ts';
import type { OwnershipState, OwnershipStates } from '../ownership/ownership-state.ts';
import type { ConfiguredPeople } from '../ownership/people-settings.ts';
import type { Compared, Comparison } from '../readers/comparison.ts';
import type { ReadHistories, ReadHistory } from '../readers/read-histories.ts';
import type { Asked } from '../symbols/answers.ts';
import { deadCodeSince } from '../telemetry/dead-code.ts';
import { couplingAnswer } from './coupling.ts';
import { contentKey } from './forgone.ts';
import type { HistoryAt } from './histories.ts';
import { type HistoryPeople, historyPeople } from './history-people.ts';
import { hotspotsAnswer } from './hotspots.ts';
import type { IgnoredRevisions } from './ignored-revisions.ts';
import { driftTold, ownershipTold } from './ownership.ts';
import { pullRequestAnswer } from './pull-request.ts';
import { sourcesOf } from './sources-of.ts';

/** Operations that the read worker answers out of a snapshot and the history of its work tree. */
export type HistoricalName =
  | 'hotspots.list'
  | 'hotspots.coupling'
  | 'ownership.get'
  | 'ownership.drift'
  | 'pr.summary'
  | 'telemetry.deadCode';

const answers: { readonly [Name in HistoricalName]: Historical<Name> } = {
  'hotspots.list': hotspotsAnswer,
  'hotspots.coupling': couplingAnswer,
  'ownership.get': ownershipTold,
  'ownership.drift': driftTold,
  'pr.summary': pullRequestAnswer,
  'telemetry.deadCode': deadCodeSince,
};

/** What such a question hangs on beside its input; plain values, so that it crosses to the read worker. */
export interface HistoricalContext {
  readonly asked: Asked;
  readonly at: HistoryAt;
  /** Which commits count as if they had changed nothing. */
  readonly ignored: IgnoredRevisions;
  readonly settings: HistorySettings;
  /** By `contentKey`: of what git could not say who wrote it when it was asked. */
  readonly untellable?: ReadonlySet<string> | undefined;
  /** Two revisions, where the question is about what they differ in. */
  readonly compared?: Compared | undefined;
}

export interface HistoricalCall<Name extends HistoricalName = HistoricalName> extends HistoricalContext {
  readonly operation: Name;
  readonly input: InputOf<Operations[Name]>;
  /** Whether who asks waits for what takes long. */
  readonly isSynced: boolean;
}

/** What of the configuration such answers hang on. */
export interface HistorySettings {
  readonly halfPoints: HalfPoints;
  readonly people: ConfiguredPeople;
}

/** What such an answer is made of. */
export interface HistoricalSnapshot extends AnalysedSnapshot {
  readonly at: HistoryAt;
  readonly settings: HistorySettings;
  readonly comparison: Comparison | undefined;
  readonly past: ReadHistory;
  readonly people: HistoryPeople;
  readonly owners: OwnershipState;
  /** A path of the repository from the top of its work tree, where history begins. */
  fromTop(path: string): string;
  /** The other way; undefined of what lies outside the repository's root. */
  fromRoot(path: string): string | undefined;
  /** Notes contents whose lines somebody would have to be asked about. */
  want(contents: readonly BlamedContent[]): void;
  /** Of how many contents git could not say who wrote them: to ask again is of no use. */
  untellable(contents: readonly BlamedContent[]): number;
}

type Historical<Name extends HistoricalName> = (
  of: HistoricalSnapshot,
  input: InputOf<Operations[Name]>,
) => OutputOf<Operations[Name]>;

export interface HistoricalAnswer<Name extends HistoricalName> {
  readonly output: OutputOf<Operations[Name]>;
  /** What it would be better for. */
  readonly wanted: readonly BlamedContent[];
}

/** Where the read worker has it all from. */
export interface HistoricalSources {
  readonly histories: ReadHistories;
  readonly owners: OwnershipStates;
}

/** The answer to a call, of one state of the index. */
export function historical<Name extends HistoricalName>(
  reader: IndexReader,
  sources: HistoricalSources,
  { operation, input, ...context }: HistoricalCall<Name>,
  comparison: Comparison | undefined,
): HistoricalAnswer<Name> {
  const answer: Historical<Name> = answers[operation];
  const wanted: BlamedContent[] = [];
  const output = analysed(reader, context.asked, snapshot =>
    answer(
      historicalSnapshot(snapshot, sources, context, contents => wanted.push(...contents), comparison),
      input,
    ),
  );
  return { output, wanted };
}

/** A snapshot with the history of its work tree. */
export function historicalSnapshot(
  snapshot: AnalysedSnapshot,
  { histories, owners: states }: HistoricalSources,
  { asked, at, ignored, settings, untellable }: HistoricalContext,
  want: HistoricalSnapshot['want'],
  comparison?: Comparison,
): HistoricalSnapshot {
  const past = histories.of(at, ignored);
  const now = asked.now / 1000;
  const owners = states.of({ top: at.top, sources: sourcesOf(past), configured: settings.people, now });
  return {
    ...snapshot,
    ...{ at, settings, comparison, want, past, owners, people: historyPeople(owners) },
    untellable: contents => contents.filter(one => untellable?.has(contentKey(one))).length,
    fromTop: path => at.prefix + path,
    fromRoot: path => (path.startsWith(at.prefix) ? path.slice(at.prefix.length) : undefined),
  };
}

import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { CodePlace } from '../telemetry/calls-at-places.ts';

/** JSON of an answer about what differs in a contract, in which consumers of some repositories are looked for. */
export interface UsesCall {
  readonly answer: Uint8Array;
  /** As the answer names them. */
  readonly repoIds: readonly string[];
}

/** Where consumers of one repository use a contract, in the order of the answer. */
export interface ConsumerUses {
  readonly repoId: string;
  readonly groups: readonly (readonly CodePlace[])[];
}

/** How often production called the code of these, in the same order; null where that is not known. */
export interface ConsumerCalls {
  readonly repoId: string;
  readonly counts: readonly (number | null)[];
}

export interface NoteCallsCall {
  readonly answer: Uint8Array;
  readonly calls: readonly ConsumerCalls[];
}

type Diff = Exclude<OutputOf<Operations['contracts.diff']>, string>;

export function usesIn({ answer, repoIds }: UsesCall): readonly ConsumerUses[] {
  const consumers = decoded(answer).changes.flatMap(change => change.consumers);
  return repoIds
    .map(repoId => ({ repoId, groups: consumers.filter(one => one.repoId === repoId).map(({ uses }) => uses) }))
    .filter(({ groups }) => groups.length > 0);
}

export function withCalls({ answer, calls }: NoteCallsCall): Diff {
  const waiting = new Map(calls.map(({ repoId, counts }) => [repoId, counts.values()]));
  const diff = decoded(answer);
  const changes = diff.changes.map(change => ({
    ...change,
    consumers: change.consumers.map(consumer => {
      const observedCalls = waiting.get(consumer.repoId)?.next().value ?? undefined;
      return observedCalls === undefined ? consumer : { ...consumer, observedCalls };
    }),
  }));
  return { ...diff, changes };
}

function decoded(answer: Uint8Array): Diff {
  return JSON.parse(new TextDecoder().decode(answer)) as Diff;
}

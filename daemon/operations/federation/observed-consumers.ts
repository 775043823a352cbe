import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { Federation } from '../../model/federation.ts';
import type { ReadPool } from '../readers/read-pool.ts';
import type { ServedRepositories } from '../served-repository.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

type Diff = Exclude<OutputOf<Operations['contracts.diff']>, string>;
type Consumer = Diff['changes'][number]['consumers'][number];

export interface ObservedConsumersOptions {
  readonly telemetry: Pick<Telemetry, 'asked' | 'services'>;
  readonly repositories: Pick<ServedRepositories, 'list'>;
  readonly readPool: Pick<ReadPool, 'callsAt'>;
}

/** The answer with how often production runs the code of each consumer that is hit, as far as telemetry knows. */
export async function withObservedCalls(
  { telemetry, repositories, readPool }: ObservedConsumersOptions,
  { members }: Federation,
  bytes: Uint8Array,
  nowMs: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (telemetry.services().length === 0) return bytes;
  const answer = JSON.parse(Buffer.from(bytes).toString()) as Diff;
  const consumers = answer.changes.flatMap(change => change.consumers);
  for (const repoId of new Set(consumers.map(one => one.repoId))) {
    const uid = members.find(member => member.repoId === repoId)?.repoUid;
    const repository = repositories.list().find(({ registered }) => registered.uid === uid);
    const calls = repository && telemetry.asked(repository.record.id);
    if (repository?.snapshot === undefined || calls === undefined) continue;
    const { record, snapshot } = repository;
    const own = consumers.filter(one => one.repoId === repoId);
    const asked = {
      repo: { id: record.id, indexFile: record.indexFile, key: record.worktreeKey },
      current: { seq: snapshot.seq, snapshotId: snapshot.snapshotId },
      ...{ cursorSecret: '', dirtyFiles: 0, now: nowMs, calls },
    };
    const counts = await readPool.callsAt({ asked, groups: own.map(({ uses }) => uses) }, signal);
    for (const [at, count] of counts.entries()) if (count !== null) note(own[at]!, count);
  }
  return Buffer.from(JSON.stringify(answer));
}

function note(consumer: Consumer, count: number): void {
  (consumer as { -readonly [Key in keyof Consumer]: Consumer[Key] }).observedCalls = count;
}

import type { Federation } from '../../model/federation.ts';
import type { Federations } from '../federations.ts';
import type { ReadPool } from '../readers/read-pool.ts';
import type { ServedRepositories } from '../served-repository.ts';
import type { Asked } from '../symbols/answers.ts';
import { askedIn } from '../symbols/asked-in.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { ConsumerCalls } from './consumer-calls.ts';

export interface ObservedConsumersOptions {
  readonly telemetry: Pick<Telemetry, 'asked'>;
  readonly repositories: Pick<ServedRepositories, 'list'>;
  readonly readPool: Pick<ReadPool, 'callsAt'>;
}

/** Who takes the answer apart: it may be long. */
type Answering = Pick<Federations, 'usesIn' | 'withCalls'>;

/**
 * The answer with how often production runs the code of each consumer that is hit, as far as telemetry knows. What can't be read is
 * left out: who asks what differs is answered all the same.
 */
export async function withObservedCalls(
  options: ObservedConsumersOptions & { readonly federations: Answering },
  federation: Federation,
  answer: Uint8Array,
  nowMs: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { readPool, federations } = options;
  const observed = observedMembers(options, federation, nowMs);
  if (observed.size === 0) return answer;
  const uses = await federations.usesIn({ answer, repoIds: [...observed.keys()] }, signal);
  const calls: ConsumerCalls[] = [];
  for (const { repoId, groups } of uses) {
    try {
      calls.push({ repoId, counts: await readPool.callsAt({ asked: observed.get(repoId)!, groups }, signal) });
    } catch {
      signal.throwIfAborted();
    }
  }
  return calls.length === 0 ? answer : federations.withCalls({ answer, calls }, signal);
}

/** Questions about those members of whose calls something is known. */
function observedMembers(
  { telemetry, repositories }: ObservedConsumersOptions,
  { members }: Federation,
  nowMs: number,
): ReadonlyMap<string, Asked> {
  const served = new Map(repositories.list().map(one => [one.registered.uid, one]));
  const found = new Map<string, Asked>();
  for (const { repoId, repoUid } of members) {
    const repository = served.get(repoUid);
    const calls = repository && telemetry.asked(repository.record.id);
    const asked = calls && askedIn(repository, nowMs, calls);
    if (asked !== undefined) found.set(repoId, asked);
  }
  return found;
}

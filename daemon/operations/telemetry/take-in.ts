import type { Clock } from '../../clock.ts';
import type { BatchTaken } from '../../jobs/telemetry/telemetry-service.ts';
import type { ReadPool } from '../readers/read-pool.ts';
import type { ServedRepositories } from '../served-repository.ts';
import type { CallsBatch, TelemetryIntake } from './intake.ts';
import type { MatchEventsCall } from './matched-events.ts';
import type { Telemetry } from './telemetry.ts';

export interface TakeInOptions {
  readonly telemetry: Telemetry;
  readonly repositories: Pick<ServedRepositories, 'get'>;
  readonly readPool: Pick<ReadPool, 'matchEvents'>;
  readonly clock: Clock;
}

/** Has batches counted, and of calls that came one by one says which are of symbols as they are now. */
export function telemetryIntake(options: TakeInOptions): TelemetryIntake {
  const { telemetry } = options;
  return {
    metrics: async ({ bytes, format, coding, repo }) => {
      const source = { kind: 'metrics', format, coding } as const;
      const { rejected, message } = await telemetry.take({ source, bytes, repo, key: undefined });
      return { rejected, message };
    },
    calls: async ({ bytes, coding, repo, key }, signal) => {
      const taken = await telemetry.take({ source: { kind: 'calls', coding }, bytes, repo, key });
      const eventsMatched = await matchedOf(options, taken, repo, signal);
      const { points: eventsReceived, rejected: eventsRejected, isRepeated } = taken;
      const eventsUnmatched = eventsReceived - eventsMatched;
      return { eventsReceived, eventsMatched, eventsUnmatched, eventsRejected, isRepeated };
    },
  };
}

/** Each service’s calls are looked up in the repository that it is of, as far as that is indexed. */
async function matchedOf(
  options: TakeInOptions,
  { events }: BatchTaken,
  repo: CallsBatch['repo'],
  signal: AbortSignal,
): Promise<number> {
  const byRepository = new Map<string, MatchEventsCall['events'][number][]>();
  for (const event of events) {
    const mapped = options.telemetry.mappingOf({ ...event, name: event.service }, repo);
    if (mapped === undefined) continue;
    const known = byRepository.get(mapped.repo) ?? [];
    known.push({ ...event, folder: mapped.folder });
    byRepository.set(mapped.repo, known);
  }
  let matched = 0;
  for (const [id, some] of byRepository) {
    const found = await lookedUp(options, id, some, signal);
    for (const [at, isMatched] of found.entries()) if (isMatched) matched += some[at]!.count;
  }
  return matched;
}

async function lookedUp(
  { repositories, readPool, clock }: TakeInOptions,
  id: string,
  events: MatchEventsCall['events'],
  signal: AbortSignal,
): Promise<readonly boolean[]> {
  const { record, snapshot } = repositories.get(id) ?? {};
  if (record === undefined || snapshot === undefined) return [];
  const asked = {
    repo: { id, indexFile: record.indexFile, key: record.worktreeKey },
    current: { seq: snapshot.seq, snapshotId: snapshot.snapshotId },
    ...{ cursorSecret: '', dirtyFiles: 0, now: clock.now().getTime() },
  };
  return readPool.matchEvents({ asked, events }, signal);
}

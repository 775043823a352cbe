import type { Clock } from '../../clock.ts';
import type { Observe } from '../../events.ts';
import type { BatchTaken } from '../../jobs/telemetry/telemetry-service.ts';
import { StoreError } from '../../store/store-faults.ts';
import type { ReadPool } from '../readers/read-pool.ts';
import type { ServedRepositories } from '../served-repository.ts';
import { askedIn } from '../symbols/asked-in.ts';
import type { CallsBatch, TelemetryIntake } from './intake.ts';
import type { MatchEventsCall } from './matched-events.ts';
import type { Telemetry } from './telemetry.ts';

export interface TakeInOptions {
  readonly telemetry: Pick<Telemetry, 'take' | 'mappingOf'>;
  readonly repositories: Pick<ServedRepositories, 'get'>;
  readonly readPool: Pick<ReadPool, 'matchEvents'>;
  readonly clock: Clock;
  readonly observe: Observe;
  /** A reader's trouble with the index of a repository. */
  readonly onDamage: (repo: string, error: StoreError) => void;
}

/** Whoever sent calls waits no longer to be told which are of symbols. */
const lookUpMs = 5_000;

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
      const { matched, isWhole } = await matchedOf(options, taken, repo, signal);
      const { points: eventsReceived, rejected: eventsRejected, isRepeated } = taken;
      const eventsUnmatched = eventsReceived - matched;
      return {
        ...{ eventsReceived, eventsMatched: matched, eventsUnmatched, eventsRejected, isRepeated },
        areLookedUp: isWhole,
      };
    },
  };
}

/**
 * Each service’s calls are looked up in the repository that it is of, as far as that is indexed. They have been counted: whoever
 * was told of a failure here would send them again.
 */
async function matchedOf(
  options: TakeInOptions,
  { called }: BatchTaken,
  repo: CallsBatch['repo'],
  signal: AbortSignal,
): Promise<{ readonly matched: number; readonly isWhole: boolean }> {
  const patience = new AbortController();
  const callOff = options.clock.after(lookUpMs, () => patience.abort(new Error(`not within ${lookUpMs} ms`)));
  const end = AbortSignal.any([signal, patience.signal]);
  let matched = 0;
  let isWhole = true;
  for (const [id, services] of byRepository(options, called, repo)) {
    try {
      matched += await lookedUp(options, id, services, end);
    } catch (cause) {
      isWhole = false;
      options.observe({ kind: 'daemon.fault', what: `looking up called functions in ${id}`, cause });
      if (cause instanceof StoreError) options.onDamage(id, cause);
      if (end.aborted) break;
    }
  }
  callOff();
  return { matched, isWhole };
}

function byRepository(
  { telemetry }: TakeInOptions,
  called: BatchTaken['called'],
  repo: CallsBatch['repo'],
): ReadonlyMap<string, MatchEventsCall['services']> {
  const found = new Map<string, MatchEventsCall['services'][number][]>();
  for (const { service, repository, functions } of called) {
    const mapped = telemetry.mappingOf({ name: service, repository }, repo);
    if (mapped === undefined) continue;
    const known = found.get(mapped.repo) ?? [];
    known.push({ folder: mapped.folder, functions });
    found.set(mapped.repo, known);
  }
  return found;
}

async function lookedUp(
  { repositories, readPool, clock }: TakeInOptions,
  id: string,
  services: MatchEventsCall['services'],
  signal: AbortSignal,
): Promise<number> {
  const repository = repositories.get(id);
  const asked = repository && askedIn(repository, clock.now().getTime());
  return asked === undefined ? 0 : readPool.matchEvents({ asked, services }, signal);
}

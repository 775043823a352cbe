import { randomUUID } from 'node:crypto';
import { createTelemetryPool } from '../jobs/telemetry/telemetry-pool.ts';
import type { ReadPool } from '../operations/readers/read-pool.ts';
import { type KeepTelemetry, keepTelemetry } from './keep-telemetry.ts';
import type { DaemonState } from './open-state.ts';
import type { Repositories } from './repositories.ts';

/** What production tells of the registered repositories, over the daemon's database. */
export function openTelemetry(state: DaemonState, repositories: Repositories, readPool: ReadPool): KeepTelemetry {
  const { database, clock, config, observe, places } = state;
  const telemetry = keepTelemetry({
    ...{ repositories, readPool, clock, observe, file: places.daemonDb, config: config.values },
    pool: createTelemetryPool({ file: places.daemonDb, idleMs: 60_000 }),
    reader: database.calls,
    hasUnfinished: database.hasUnfinishedBatch,
    goneVersion: database.goneVersion,
    nonce: randomUUID(),
    counted: state.copy.counted,
  });
  state.alsoObserve(telemetry.hear.bind(telemetry));
  return telemetry;
}

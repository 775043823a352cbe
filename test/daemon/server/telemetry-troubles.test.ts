import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BatchTaken } from '../../../daemon/jobs/telemetry/telemetry-service.ts';
import { type KeepTelemetryOptions, keepTelemetry } from '../../../daemon/server/keep-telemetry.ts';
import { StoreError } from '../../../daemon/store/store-faults.ts';
import { fakeClock } from '../../support/fake-clock.ts';

const taken: BatchTaken = { rejected: 0, message: '', points: 1, isRepeated: false, fresh: [1], called: [] };
const config = {
  limits: { telemetry_bytes: 1000 },
  telemetry: { enabled: true, retention_days: 400, most_functions: 1000, services: {} },
};

/** One whose file can't be read, though what it is asked to count is counted. */
function kept(hasServices: () => boolean) {
  const clock = fakeClock();
  const told: string[] = [];
  const options = {
    ...{ file: '', clock, config: () => config, counted: () => {} },
    pool: { take: async () => taken, tidy: async () => ['a batch is lost'], close: async () => {} },
    reader: {
      services: () => {
        if (hasServices()) return [];
        throw new StoreError('ioError', 'gone');
      },
      dropped: () => [],
    },
    hasUnfinished: () => true,
    repositories: { list: () => [], get: () => ({ snapshot: { seq: 1 } }) },
    observe: ({ kind, what }: { kind: string; what: string }) => void told.push(`${kind}: ${what}`),
  } as unknown as KeepTelemetryOptions;
  return { clock, told, telemetry: keepTelemetry(options) };
}

test('a timer that comes upon a file that can’t be read says so, and ends nothing', async () => {
  const { clock, told, telemetry } = kept(() => false);
  telemetry.start();
  telemetry.hear({ kind: 'snapshot.published', repo: 'shop' } as never);
  await clock.advance(60_000);
  assert.deepEqual(told.sort(), [
    'daemon.fault: finding what observed functions are',
    'daemon.fault: tidying what is known of calls',
  ]);
  await telemetry.close();
});

test('what was counted is answered so, though nobody can find out what it is; what can’t be counted is told', async () => {
  const { clock, told, telemetry } = kept(() => told.length > 0);
  const batch = { source: { kind: 'calls', coding: 'identity' }, repo: undefined, key: undefined } as const;
  assert.equal(await telemetry.take({ ...batch, bytes: new Uint8Array() }), taken);
  telemetry.start();
  await clock.advance(60_000);
  assert.deepEqual(told, [
    'daemon.fault: finding what observed functions are',
    'daemon.fault: counting what an earlier process left',
  ]);
  await telemetry.close();
});

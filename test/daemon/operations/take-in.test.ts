import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../../daemon/events.ts';
import type { BatchTaken } from '../../../daemon/jobs/telemetry/telemetry-service.ts';
import type { ServedRepository } from '../../../daemon/operations/served-repository.ts';
import type { MatchEventsCall } from '../../../daemon/operations/telemetry/matched-events.ts';
import { type TakeInOptions, telemetryIntake } from '../../../daemon/operations/telemetry/take-in.ts';
import { StoreError } from '../../../daemon/store/store-faults.ts';
import { fakeClock } from '../../support/fake-clock.ts';

const called = (service: string) => ({ service, repository: '', functions: new Uint8Array() });
const taken: BatchTaken = {
  ...{ rejected: 0, message: '', points: 10, isRepeated: false, fresh: [] },
  called: [called('shop'), called('shop-worker'), called('stray'), called('mail')],
};

/** A batch of calls of two repositories, `matchEvents` of which says what is matched. */
function intake(matchEvents: (call: MatchEventsCall, signal: AbortSignal) => Promise<number>) {
  const clock = fakeClock();
  const told: string[] = [];
  const snapshot = { seq: 1, snapshotId: '' };
  const served = (id: string) => ({ record: { id, indexFile: '', worktreeKey: '' }, snapshot });
  const options: TakeInOptions = {
    telemetry: {
      take: async () => taken,
      mappingOf: ({ name }) =>
        name === 'stray' ? undefined : { repo: name.replace('-worker', ''), folder: '', by: 'name' },
    },
    repositories: { get: id => served(id) as unknown as ServedRepository },
    readPool: { matchEvents },
    clock,
    observe: (observation: Observation) => void told.push(observation.kind),
    onDamage: (repo, { trouble }) => void told.push(`${repo} is ${trouble}`),
  };
  const batch = { bytes: new Uint8Array(), coding: 'identity', repo: undefined, key: undefined } as const;
  const { signal } = new AbortController();
  return { clock, told, answer: telemetryIntake(options).calls(batch, signal) };
}

test('calls are looked up in the repositories of their services, all of one at once', async () => {
  const asked: (readonly [string, number])[] = [];
  const { told, answer } = intake(async ({ asked: { repo }, services }) => {
    asked.push([repo.id, services.length]);
    return 2;
  });
  const { eventsReceived, eventsMatched, eventsUnmatched, areLookedUp } = await answer;
  assert.deepEqual([eventsReceived, eventsMatched, eventsUnmatched, areLookedUp, told], [10, 4, 6, true, []]);
  assert.deepEqual(asked, [
    ['shop', 2],
    ['mail', 1],
  ]);
});

test('what has been counted is answered with success, whatever the index says', async () => {
  const { told, answer } = intake(async ({ asked: { repo } }) => {
    if (repo.id === 'shop') throw new StoreError('corrupt', 'damaged');
    return 1;
  });
  const { eventsMatched, eventsUnmatched, areLookedUp } = await answer;
  assert.deepEqual([eventsMatched, eventsUnmatched, areLookedUp], [1, 9, false]);
  assert.deepEqual(told, ['daemon.fault', 'shop is corrupt']);
});

test('whoever sent calls does not wait for an index that does not answer', async () => {
  const { clock, told, answer } = intake(
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  await clock.advance(10_000);
  const { eventsMatched, areLookedUp } = await answer;
  assert.deepEqual([eventsMatched, areLookedUp, told], [0, false, ['daemon.fault']]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../../daemon/events.ts';
import { type IndexServersOptions, openIndexServers } from '../../../daemon/server/index-servers.ts';
import { StoreError } from '../../../daemon/store/store-faults.ts';
import { fakeClock } from '../../support/fake-clock.ts';

test('a folder that can’t be registered for want of storage is told of and tried again, and ends nothing', async t => {
  const clock = fakeClock();
  const told: unknown[] = [];
  let failure: Error | undefined = new StoreError('diskFull', 'storage: SQLITE_FULL');
  const open = openIndexServers({
    settings: () => ({ enabled: true, repos: [{ id: 'one', path: '/one' }] }),
    repositories: {
      at: () => undefined,
      get: () => undefined,
      add: () => {
        if (failure !== undefined) throw failure;
        return { repository: { record: { id: 'one', root: '/one' } }, created: false };
      },
    },
    clock,
    openDoor: () => undefined,
    observe: (seen: Observation) => told.push(seen.kind === 'daemon.fault' && seen.cause),
  } as unknown as IndexServersOptions);
  t.after(() => open.close());
  open.follow();
  assert.deepEqual(
    open.troubles().map(({ why }) => why),
    ["What is stored can't be used now: the disk is full"],
  );
  const full = failure;
  failure = new Error('nobody expects it');
  await clock.advance(60_000);
  assert.deepEqual(
    open.troubles().map(({ why }) => why),
    ['it can’t be registered; the log has the cause'],
  );
  assert.deepEqual(told, [full, failure], 'each once');
  failure = undefined;
  await clock.advance(60_000);
  assert.deepEqual(open.troubles(), []);
});

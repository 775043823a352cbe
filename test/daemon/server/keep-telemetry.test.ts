import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadConfig } from '../../../daemon/config.ts';
import type { Config } from '../../../daemon/config-schema.ts';
import { createTelemetryPool } from '../../../daemon/jobs/telemetry/telemetry-pool.ts';
import type { ServedRepository } from '../../../daemon/operations/served-repository.ts';
import { type KeepTelemetry, keepTelemetry } from '../../../daemon/server/keep-telemetry.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import { until } from '../../support/daemon.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/repository.ts';

const day = 24 * 60 * 60_000;

/** One process after the other over one database, of one repository that has no index yet. */
function processes(t: TestContext, services: Config['telemetry']['services'] = {}, clock = fakeClock()) {
  const file = join(temporaryFolder(t, '').root, 'daemon.db');
  const database = openDaemonDatabase(file);
  t.after(() => database.close());
  const repository = { record: { id: 'shop' }, registered: { uid: 'uid' } } as unknown as ServedRepository;
  const { values: byDefault } = loadConfig({ file: '', environment: {} });
  const values = { ...byDefault, telemetry: { ...byDefault.telemetry, services } };
  const start = (nonce: string): KeepTelemetry => {
    const keeper = keepTelemetry({
      pool: createTelemetryPool({ file, idleMs: 1 }),
      repositories: { list: () => [repository], get: () => repository },
      readPool: { changedMatches: () => assert.fail('nothing is indexed') },
      ...{
        file,
        clock,
        nonce,
        reader: database.calls,
        hasUnfinished: () => false,
        goneVersion: () => 0,
        config: () => values,
      },
      counted: () => {},
      observe: ({ kind }) => assert.fail(kind),
    });
    t.after(() => keeper.close());
    return keeper;
  };
  const count = (keeper: KeepTelemetry, batch_id: string) => {
    const calls = [{ service_name: 'shop', function_name: 'add', call_count: 1 }];
    const bytes = new Uint8Array(Buffer.from(JSON.stringify({ calls, batch_id })));
    return keeper.take({ source: { kind: 'calls', coding: 'identity' }, bytes, repo: undefined, key: undefined });
  };
  return { start, count, clock, version: (keeper: KeepTelemetry) => keeper.asked('shop')?.version };
}

test('what rests on calls is another with each batch, each day and each start', async t => {
  const { start, count, clock, version } = processes(t);
  const first = start('a');
  await count(first, '1');
  const seen = [version(first)];
  assert.equal(version(first), seen[0]);
  await count(first, '2');
  seen.push(version(first));
  await clock.advance(day);
  seen.push(version(first));
  // As many batches as before have come since the start.
  const second = start('b');
  await count(second, '3');
  await count(second, '4');
  seen.push(version(second));
  assert.equal(new Set(seen).size, seen.length);
  assert.ok(seen.every(one => one !== undefined));
});

test('a service that the configuration maps to a repository that is not registered is of none', async t => {
  const services = { shop: { repo: 'gone' } };
  const { start, count, version } = processes(t, services);
  const keeper = start('a');
  await count(keeper, '1');
  assert.deepEqual(
    keeper.services().map(({ name, mapped, astray }) => [name, mapped, astray]),
    [['shop', undefined, 'gone']],
  );
  assert.equal(version(keeper), undefined);
  services.shop.repo = 'shop';
  await count(keeper, '2');
  assert.deepEqual(
    keeper.services().map(({ mapped, astray }) => [mapped?.by, astray]),
    [['exact', undefined]],
  );
});

test('calls of days that are kept stay, though the clock is set ten years on (P18)', async t => {
  const { start, count, clock } = processes(t, {}, fakeClock(Date.now()));
  const keeper = start('a');
  keeper.start();
  await count(keeper, '1');
  const names = () => keeper.services().map(({ name }) => name);
  const tidied = async () => {
    const before = keeper.asked('shop')?.version;
    await until('it has been tidied up', async () => {
      await clock.advance(60_000);
      return keeper.asked('shop')?.version !== before;
    });
  };
  clock.set(3650 * day);
  await tidied();
  assert.deepEqual(names(), ['shop']);
});

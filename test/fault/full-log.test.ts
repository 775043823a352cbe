import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ready } from '../oracle/stored.ts';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { gitRepository } from '../support/repository.ts';
import { standIn } from './orders.ts';

test('a full disk below the log costs its lines and nothing else, and it goes on once there is room (P22)', async t => {
  const tree = gitRepository(t, '-- a.ts --\nexport const alpha = 1;\n');
  const { env, give } = standIn(t, {});
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false', ...env });
  give({ unwritable: { folder: home.places.logFile, code: 'ENOSPC' } });
  const daemon = await startDaemon(t, home);
  const { client } = daemon;
  await client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  tree.write('a.ts', 'export const beta = 1;\n');
  await until('the edit is in', async () => {
    const { results } = await client.symbols.search({ q: 'beta', repo: 'app' });
    return results[0]?.name === 'beta';
  });
  assert.equal((await client.daemon.trustRepo({ id: 'app' })).trusted, true);
  const log = async () => (await client.system.doctor({ repo: 'app' })).checks.find(({ name }) => name === 'log');
  assert.equal((await log())?.status, 'warn');
  give({});
  await until('it is written again', async () => (await log())?.status === 'pass');
  assert.ok(home.log().length > 0);
  assert.equal(await daemon.stop(), 0);
});

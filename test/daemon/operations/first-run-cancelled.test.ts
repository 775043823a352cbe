import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { startDaemon, svc, type TestDaemon, temporaryHome, until } from '../../support/daemon.ts';
import { gitRepository } from '../../support/repository.ts';
import { commandsOf } from './expected-faults.ts';
import { largeTree } from './indexed-repository.ts';

test('after its first run was cancelled a repository says so at once and wherever one asks, until another run is asked for', async context => {
  const home = temporaryHome(context);
  const first = await startDaemon(context, home);
  const { root } = gitRepository(context, largeTree);
  const refused = async ({ client }: TestDaemon) => {
    await assert.rejects(client.symbols.search({ q: 'alpha' }), (error: unknown) => {
      assert.ok(error instanceof Fault && error.reason === 'notReady', String(error));
      assert.equal(error.message, 'app has no index: its first run was cancelled');
      assert.deepEqual([error.extras.details, commandsOf(error)], [undefined, ['svc index --repo app']]);
      return true;
    });
    const { status, index } = await client.system.status({});
    assert.deepEqual([status, index.status, index.reason], ['degraded', 'failed', 'its first run was cancelled']);
    await assert.rejects(client.system.ready({}), (error: unknown) => {
      assert.ok(error instanceof Fault && error.reason === 'notReady', String(error));
      assert.equal(error.message, 'app has no index: its first run was cancelled');
      assert.deepEqual(commandsOf(error), ['svc index --repo app']);
      assert.deepEqual([error.extras.details, error.extras.retryAfterSeconds], [{ repositories: ['app'] }, undefined]);
      return true;
    });
    const { checks } = await client.system.doctor({});
    assert.equal(checks.find(({ name }) => name === 'index.integrity')?.message, 'its first run was cancelled');
    const { code, stderr } = await svc(home, ['search', 'alpha', '--repo', 'app']);
    assert.deepEqual([code, /svc index --repo app/.test(stderr)], [75, true], stderr);
  };
  const cancelled = async ({ client }: TestDaemon) => {
    const { jobId } = await client.daemon.addRepo({ root, id: 'app' });
    await client.jobs.cancel({ id: jobId! });
    await until('its work has ended', async () => (await client.daemon.listRepos({})).repos[0]?.status === 'failed');
  };
  await cancelled(first);
  await refused(first);
  await cancelled(first);
  await refused(first);
  assert.equal((await first.client.indexing.index({})).status, 'completed');
  assert.ok((await first.client.symbols.search({ q: 'f1', sync: true })).total > 0);
  await first.client.daemon.removeRepo({ id: 'app' });
  await cancelled(first);
  await first.stop();
  const { client } = await startDaemon(context, home);
  await until(
    'the next start tries again',
    async () => (await client.daemon.listRepos({})).repos[0]?.status === 'ready',
  );
});

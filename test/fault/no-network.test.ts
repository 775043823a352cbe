import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { ready } from '../oracle/stored.ts';
import { startDaemon, temporaryHome } from '../support/daemon.ts';
import { gitRepository } from '../support/repository.ts';
import { askEverything } from './ask-everything.ts';
import { callsNobodyFar } from './no-network.ts';

test('whatever a repository and the environment name, nobody is called but the server that the user has configured (P51)', t =>
  callsNobodyFar(t, ''));

/** A network of one's own, without a way out; its loopback is another than ours. */
const apart = ['unshare', '-Urn', 'sh', '-c', 'ip link set lo up; exec "$0" "$@"'];
const canBeApart = spawnSync(apart[0]!, [...apart.slice(1), 'true']).status === 0;

test('a whole session goes as well where there is no network (P51)', {
  skip: canBeApart ? false : 'no namespaces here: the test above holds the promise',
}, async t => {
  const tree = gitRepository(t, '-- a.ts --\nexport const alpha = 1;');
  const daemon = await startDaemon(t, temporaryHome(t), apart);
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  tree.write('b.ts', 'export const beta = 2;\n');
  assert.equal((await daemon.client.symbols.search({ q: 'beta', repo: 'app', sync: true })).total, 1);
  await askEverything(daemon, 'socket');
  const { issues } = await daemon.client.system.doctor({ repo: 'app' });
  assert.deepEqual(
    issues.filter(({ severity }) => severity === 'error'),
    [],
  );
  assert.equal(await daemon.stop(), 0);
  const lines = daemon.home.log();
  assert.deepEqual(
    lines.filter(({ level, outcome }) => level === 'error' || outcome === 'operationFailed'),
    [],
  );
});

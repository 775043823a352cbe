import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ready } from '../../oracle/stored.ts';
import { type Home, startDaemon, temporaryHome, until } from '../../support/daemon.ts';
import { type Cleanup, gitRepository } from '../../support/repository.ts';

const uid = 65534;

/** A home of somebody to whom modes apply, looked at by root, and what a daemon in it is run through. */
function ordinaryHome(t: Cleanup): { readonly home: Home; readonly through: readonly string[] } {
  const home = temporaryHome(t);
  chownSync(home.path, uid, uid);
  const through = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  return { home: { ...home, places: { ...home.places, uid } }, through };
}

const skip = process.getuid!() === 0 ? false : 'whoever closes the folders to the daemon must see it himself';

test('a daemon whose folders keep it out stays, names them, and is well once they let it in (P1, P3)', {
  skip,
}, async t => {
  const { home, through } = ordinaryHome(t);
  const { client, process: daemon, stop } = await startDaemon(t, home, through);
  const { state, runtime } = home.places;
  const failing = async () => {
    const { checks } = await client.system.doctor({});
    return checks.filter(({ status }) => status === 'fail').map(({ name }) => name);
  };
  assert.deepEqual(await failing(), []);
  for (const folder of [state, runtime]) chmodSync(folder, 0o600);
  await until('it has looked for its way', () => {
    assert.equal(daemon.exitCode, null, 'it has ended');
    return home.log().some(({ what }) => what === 'clients can’t find this daemon');
  });
  const told = await failing();
  for (const check of ['daemon.lock', 'folder.state', 'folder.runtime']) assert.ok(told.includes(check), check);
  for (const folder of [state, runtime]) chmodSync(folder, 0o700);
  await until('all is well again', async () => (await failing()).length === 0);
  assert.equal(await stop(), 0);
});

test('a run that a file of ours keeps out says so, and doctor which', { skip }, async t => {
  const { home, through } = ordinaryHome(t);
  const { data, repos } = home.places;
  const tree = gitRepository(t, '-- a.ts --\nexport const a = 1;\n');
  execFileSync('chown', ['-R', `${uid}:${uid}`, tree.root]);
  const first = await startDaemon(t, home, through);
  await first.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(first);
  assert.equal(await first.stop(), 0);
  const [shadow = ''] = readdirSync(join(data, 'shadow')).filter(name => !name.startsWith('blank'));
  for (const path of [join(data, 'shadow', shadow, 'config'), join(repos, readdirSync(repos)[0]!)]) {
    const { mode } = statSync(path);
    chmodSync(path, 0);
    const { client, stop } = await startDaemon(t, home, through);
    await assert.rejects(client.indexing.index({ repo: 'app' }), { reason: 'storageFailed' });
    const { checks } = await client.system.doctor({ repo: 'app' });
    const { status, message } = checks.find(({ name }) => name === 'index.storage')!;
    assert.equal(status, 'fail');
    assert.ok(message.includes(path) && message.includes('chmod u+rwX'), message);
    assert.equal(await stop(), 0);
    chmodSync(path, mode);
  }
});

import assert from 'node:assert/strict';
import { chmodSync, chownSync } from 'node:fs';
import { test } from 'node:test';
import { type Home, startDaemon, temporaryHome, until } from '../../support/daemon.ts';
import type { Cleanup } from '../../support/repository.ts';

/** A home of somebody to whom modes apply, looked at by root, and what a daemon in it is run through. */
function ordinaryHome(t: Cleanup): { readonly home: Home; readonly through: readonly string[] } {
  const home = temporaryHome(t);
  const uid = 65534;
  chownSync(home.path, uid, uid);
  const through = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  return { home: { ...home, places: { ...home.places, uid } }, through };
}

const skip = process.getuid!() === 0 ? false : 'whoever closes the folders to the daemon must see it himself';

test('a daemon whose folders keep it out stays, names them, and is well once they let it in (P1, P3)', {
  skip,
}, async t => {
  const { home, through } = ordinaryHome(t);
  const { client, stop } = await startDaemon(t, home, through);
  const { state, runtime } = home.places;
  const failing = async () => {
    const { checks } = await client.system.doctor({});
    return checks.filter(({ status }) => status === 'fail').map(({ name }) => name);
  };
  assert.deepEqual(await failing(), []);
  for (const folder of [state, runtime]) chmodSync(folder, 0o600);
  await until('it has looked for its way', () =>
    home.log().some(({ what }) => what === 'clients can’t find this daemon'),
  );
  const told = await failing();
  for (const check of ['daemon.lock', 'folder.state', 'folder.runtime']) assert.ok(told.includes(check), check);
  for (const folder of [state, runtime]) chmodSync(folder, 0o700);
  await until('all is well again', async () => (await failing()).length === 0);
  assert.equal(await stop(), 0);
});

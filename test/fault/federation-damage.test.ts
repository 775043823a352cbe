import assert from 'node:assert/strict';
import { openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { shopRepository } from '../support/shop.ts';

/** What happens to files of which all can be found out again, while the daemon has them open, and while it has not. */

function overwrite(file: string): void {
  const size = statSync(file).size;
  writeSync(openSync(file, 'r+'), Buffer.alloc(Math.max(4096, size - 4096), 7), 0, undefined, 4096);
}

type Damage = readonly [what: string, damage: (files: { readonly index: string; readonly members: string }) => void];

const damages: readonly Damage[] = [
  ['pages of the index of a folder are lost', ({ index }) => overwrite(index)],
  ['the index of a folder is gone', ({ index }) => rmSync(join(index, '..'), { recursive: true })],
  ['the index of a folder is something else', ({ index }) => writeFileSync(index, 'garbage '.repeat(5000))],
  ['what is known of members is lost', ({ members }) => overwrite(members)],
  ['what is known of members is something else', ({ members }) => writeFileSync(members, 'garbage '.repeat(5000))],
];

for (const state of ['open', 'closed'] as const) {
  test(`files that are ${state}: whatever becomes of them, the next synchronisation makes them anew`, async t => {
    const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
    const repository = shopRepository(t, 'cart');
    let daemon = await startDaemon(t, home);
    await daemon.client.federation.create({ name: 'shop' });
    await daemon.client.federation.add({ name: 'shop', path: repository.root, repoId: 'cart' });
    await daemon.client.federation.sync({ name: 'shop' });
    const repos = join(home.places.data, 'repos');
    const index = join(repos, readdirSync(repos)[0]!, 'index.db');
    for (const [at, [what, damage]] of damages.entries()) {
      if (state === 'closed') await daemon.stop();
      damage({ index, members: join(home.places.data, 'federations.db') });
      if (state === 'closed') daemon = await startDaemon(t, home);
      repository.write(`m${at}/x.ts`, 'export const x = 1;\n');
      const { results } = await daemon.client.federation.sync({ name: 'shop' });
      assert.deepEqual([results[0]?.status, results[0]?.reason], ['success', null], what);
      const { modules } = await daemon.client.federation.modules({ name: 'shop' });
      assert.ok(
        modules.some(({ moduleId }) => moduleId === `m${at}`),
        what,
      );
      const { repos: told } = await daemon.client.federation.repos({ name: 'shop', includeCompatibility: true });
      assert.deepEqual([told[0]?.compatibility?.status, told[0]?.problem], ['ok', null], what);
      assert.equal((await daemon.client.federation.sync({ name: 'shop' })).results[0]?.status, 'skipped', what);
    }
    if (state === 'open') return;
    await daemon.stop();
    writeFileSync(join(home.places.data, 'federations.db'), 'garbage '.repeat(5000));
    daemon = await startDaemon(t, home);
    await until('what was known is known again, unasked', async () => {
      const { modules } = await daemon.client.federation.modules({ name: 'shop' });
      return modules.length > 0;
    });
    assert.ok(home.log().some(({ what }) => what === 'what is known of federations'));
    const { checks } = await daemon.client.system.doctor({});
    assert.equal(checks.find(({ name }) => name === 'quarantine')?.status, 'warn');
  });
}

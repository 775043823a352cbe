import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { test } from 'node:test';
import type { Client } from '../../../client/client.ts';
import { startDaemon, svc, temporaryHome, until } from '../../support/daemon.ts';
import { temporaryFolder } from '../../support/repository.ts';

async function finding(client: Client, check: string) {
  const { checks } = await client.system.doctor({});
  return checks.find(({ name }) => name === check);
}

test('doctor tells that the last daemon was killed, and when; not after an end in order', async context => {
  const { root } = temporaryFolder(context, '-- a.ts --\nexport const a = 1\n');
  const first = await startDaemon(context);
  const { repo } = await first.client.daemon.addRepo({ root });
  // One that is killed over a file says that as well.
  await until('nothing is being read', async () => {
    const { index } = await first.client.system.status({ repo: repo.id });
    return index.snapshotId !== null;
  });
  assert.equal((await finding(first.client, 'daemon.crashes'))?.status, 'pass', 'there was none before');
  first.process.kill('SIGKILL');
  await first.ended;
  const second = await startDaemon(context, first.home);
  const told = await finding(second.client, 'daemon.crashes');
  assert.equal(told?.status, 'warn');
  assert.match(told.message, new RegExp(`pid ${first.record.pid}, started 20.*Z\\).*last heard of 20.*Z$`));
  assert.equal(await second.stop(), 0);
  const third = await startDaemon(context, first.home);
  assert.equal((await finding(third.client, 'daemon.crashes'))?.status, 'pass');
});

test('doctor reads the configuration as it is now, and config show tells of a change', async context => {
  const home = temporaryHome(context);
  home.configure('freshness_minutes = 7\n');
  chmodSync(home.places.configFile, 0o600);
  const { client } = await startDaemon(context, home);
  const { root } = temporaryFolder(context, '-- a.ts --\nexport const a = 1\n');
  await client.daemon.addRepo({ root });
  const config = async () => finding(client, 'config');
  const warnings = async () => (await client.daemon.config({})).warnings;
  assert.equal((await config())?.status, 'pass');
  assert.deepEqual(await warnings(), []);
  home.configure('[http]\nprot = 0\n');
  const broken = await config();
  assert.equal(broken?.status, 'fail');
  assert.match(broken.message, /config\.toml:2: unknown key http\.prot\. Did you mean http\.port\?$/);
  assert.match((await warnings()).join(), /can't be used: .*unknown key http\.prot/);
  home.configure('freshness_minutes = 7\n[watch]\nbackend = "polling"\n');
  assert.deepEqual([(await config())?.status, (await warnings()).length], ['info', 1]);
  const { stdout, stderr } = await svc(home, ['config', 'show']);
  assert.match(stdout, /backend +"auto"/);
  assert.match(
    stderr,
    /has changed since it was read\. To bring it into force: svc daemon restart \(needed for watch\.backend\)/,
  );
  chmodSync(home.places.configFile, 0o622);
  const open = await config();
  assert.equal(open?.status, 'fail');
  const { commands } = await client.system.doctorFix({});
  assert.ok(commands.some(({ command }) => command === `chmod go-w ${home.places.configFile}`));
});

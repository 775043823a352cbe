import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Client } from '../../../client/client.ts';
import { startDaemon, until } from '../../support/daemon.ts';
import { gitRepository } from '../../support/repository.ts';

const statusIs = (client: Client, wanted: string) =>
  until(`it is ${wanted}`, async () => {
    const { repos } = await client.daemon.listRepos({});
    return repos[0]?.status === wanted && (wanted !== 'ready' || repos[0].watching !== 'off');
  });

const found = async (client: Client, q: string, sync: boolean) => (await client.symbols.search({ q, sync })).total;

test('a root that is absent at the start keeps its index, and is followed once it is there again', async context => {
  const first = await startDaemon(context);
  const { root } = gitRepository(context, '-- a.ts --\nexport function alpha() {}\n');
  await first.client.daemon.addRepo({ root, id: 'app' });
  await statusIs(first.client, 'ready');
  assert.equal(await first.stop(), 0);
  renameSync(root, `${root}-away`);
  const { client } = await startDaemon(context, first.home);
  await statusIs(client, 'missing');
  assert.equal(await found(client, 'alpha', false), 1);
  renameSync(`${root}-away`, root);
  writeFileSync(join(root, 'b.ts'), 'export function beta() {}\n');
  await statusIs(client, 'ready');
  assert.equal(await found(client, 'beta', true), 1);
  assert.equal(await found(client, 'alpha', true), 1);
});

test('a root that vanished before its first index has one once it is there again', async context => {
  const first = await startDaemon(context);
  const { root } = gitRepository(context, '-- a.ts --\nexport function alpha() {}\n');
  await first.client.daemon.addRepo({ root, id: 'app' });
  await statusIs(first.client, 'ready');
  const { indexPath } = (await first.client.indexing.index({ force: true })) as { indexPath: string };
  assert.equal(await first.stop(), 0);
  renameSync(indexPath, `${indexPath}-away`);
  renameSync(root, `${root}-away`);
  const { client } = await startDaemon(context, first.home);
  await statusIs(client, 'missing');
  renameSync(`${root}-away`, root);
  await statusIs(client, 'ready');
  assert.equal(await found(client, 'alpha', true), 1);
});

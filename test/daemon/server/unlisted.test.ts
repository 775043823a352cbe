import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { startDaemon, until } from '../../support/daemon.ts';
import { gitRepository } from '../../support/repository.ts';

test('a file whose name is no UTF-8 is counted as skipped and named by doctor', async context => {
  const { client } = await startDaemon(context);
  const { root } = gitRepository(context, '-- a.ts --\nexport const a = 1;\n');
  writeFileSync(Buffer.concat([Buffer.from(`${root}/b`), Buffer.from([0xff]), Buffer.from('.ts')]), '');
  await client.daemon.addRepo({ root, id: 'app' });
  await until('it is watched', async () => (await client.daemon.listRepos({})).repos[0]?.watching !== 'off');
  const { completeness } = await client.symbols.search({ q: 'a' });
  assert.equal(completeness.skippedFiles, 1);
  const { checks } = await client.system.doctor({});
  const check = checks.find(({ name }) => name.endsWith('index.skipped'));
  assert.equal(check?.message, String.raw`1 paths could not be listed: "b\\xff.ts" (its name is not UTF-8)`);
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startDaemon, svc } from '../../support/daemon.ts';
import { gitRepository } from '../../support/repository.ts';

test('a git repository inside a registered one is another: it is not answered for, and the way to register it is named', async context => {
  const { client, home } = await startDaemon(context);
  const { root } = gitRepository(context, '-- src/a.ts --\nexport const alpha = 1;\n');
  const nested = join(root, 'vendor/inner');
  mkdirSync(join(nested, 'src'), { recursive: true });
  execFileSync('git', ['init', '-q', nested]);
  // A `.git` that leads nowhere makes no repository, and its folder is indexed with the rest.
  mkdirSync(join(root, 'stray'));
  writeFileSync(join(root, 'stray/.git'), '');
  await client.daemon.addRepo({ root, id: 'outer' });

  for (const folder of [root, join(root, 'src'), join(root, 'vendor'), join(root, 'stray')]) {
    const { code, stderr } = await svc(home, ['status', '--json'], folder);
    assert.equal(code, 0, `${folder}: ${stderr}`);
  }
  for (const folder of [nested, join(nested, 'src')]) {
    const { code, stderr } = await svc(home, ['search', 'alpha'], folder);
    assert.equal(code, 4, stderr);
    assert.ok(stderr.includes(`svc repo add ${nested}`), stderr);
    const named = await svc(home, ['search', 'alpha', '--repo', folder], root);
    assert.equal(named.code, 4, named.stderr);
  }
  await client.daemon.addRepo({ root: nested, id: 'inner' });
  const { stdout } = await svc(home, ['status', '--json'], join(nested, 'src'));
  assert.equal((JSON.parse(stdout) as { repository: { id: string } }).repository.id, 'inner');
});

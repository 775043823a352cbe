import assert from 'node:assert/strict';
import { chownSync } from 'node:fs';
import { test } from 'node:test';
import { foreign, registration } from '../../client/registration.ts';
import { gitRepository, temporaryFolder } from '../support/repository.ts';

const commands = ({ fixes }: ReturnType<typeof registration>) => fixes.map(({ command }) => command);

test('a repository of ours is registered; of another user’s a clone is, and nobody is told to take it away', t => {
  const { root, path, git } = gitRepository(t, '-- a.ts --\n');
  assert.deepEqual(registration(root), {
    why: undefined,
    fixes: [{ type: 'run-command', command: `svc repo add ${root}`, safe: true, description: 'Index and watch it' }],
  });
  const us = process.getuid!();
  const { why, fixes } = foreign(root, 12_345, root);
  assert.match(
    why,
    new RegExp(`^\\S+ belongs to user 12345, not to user ${us}: have user 12345 run svc, or index a clone`),
  );
  assert.match(
    fixes[0]!.command,
    /^git clone --no-local -u 'git -c safe\.directory=\* upload-pack' (\S+) ~\/(\S+) && svc repo add ~\/\2$/,
  );
  assert.deepEqual(foreign('/plain', 12_345, '/plain').fixes, [], 'what is under no git can’t be cloned');
  assert.match(foreign(path('.git'), 12_345, root).why, /: make it yours, or run svc as user 12345 /);
  if (us !== 0) return;
  git('commit', '--quiet', '--allow-empty', '--message', 'x');
  chownSync(root, 12_345, 12_345);
  const clone = temporaryFolder(t);
  const [way = '', ...others] = commands(registration(root));
  assert.deepEqual(others, []);
  assert.ok(!way.includes('chown'), way);
  clone.git('clone', '--quiet', '--no-local', '-u', 'git -c safe.directory=* upload-pack', root, 'it');
});

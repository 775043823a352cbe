import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readlinkSync } from 'node:fs';
import { test } from 'node:test';
import { copyTree } from '../../../daemon/backends/tree-copy.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { whileWithoutRights } from '../../support/without-rights.ts';

test('what can’t be read, is gone, or is no file, is left out of a copy; of that the first alone is told', async t => {
  const { root, path } = temporaryFolder(
    t,
    `
    -- tree/a.go --
    -- tree/closed.go --
    -- tree/in/b.go --
    -- tree/vendor/c.php --
    -- tree/vendor/closed.php --
    -- tree/vendor/in/d.php --
    -- tree/vendor/link -> nowhere --
    `,
  );
  execFileSync('mkfifo', [path('tree/vendor/pipe')]);
  mkdirSync(path('copy'));
  for (const place of [root, path('copy')]) chmodSync(place, 0o777);
  for (const closed of ['closed.go', 'in', 'vendor/closed.php', 'vendor/in']) chmodSync(path(`tree/${closed}`), 0);
  const copy = (mostBytes: number) =>
    copyTree({
      ...{ root: path('tree'), to: path('copy'), mostBytes, signal: new AbortController().signal },
      ...{ paths: ['a.go', 'closed.go', 'gone.go', 'in/b.go', 'vendor/closed.php'], folders: ['vendor', 'none'] },
      files: undefined,
    });
  const closed = await whileWithoutRights(() => copy(100));
  assert.deepEqual(closed, ['closed.go', 'in/b.go', 'vendor/closed.php', 'vendor/in']);
  const found = execFileSync('find', ['.', '-mindepth', '1'], { cwd: path('copy'), encoding: 'utf8' });
  assert.deepEqual(found.trim().split('\n').sort(), ['./a.go', './vendor', './vendor/c.php', './vendor/link']);
  assert.equal(readlinkSync(path('copy/vendor/link')), 'nowhere');
});

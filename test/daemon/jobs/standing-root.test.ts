import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { watchRoot } from '../../../daemon/jobs/standing-root.ts';
import { temporaryFolder } from '../../support/repository.ts';

test('a root that moved away, came back, or has another in its place is told from one that stands', t => {
  const { path } = temporaryFolder(t, '-- app/a.ts --\n');
  const repo = { id: 'it’s app', root: path('app'), indexFile: '', worktreeKey: '', trusted: false };
  const isGone = (error: unknown): boolean =>
    error instanceof Fault &&
    error.reason === 'preconditionFailed' &&
    error.extras.suggestedFixes?.[0]?.command === "svc repo remove 'it’s app'";
  const check = watchRoot(repo);
  check();
  writeFileSync(path('app/b.ts'), '');
  check();
  renameSync(path('app'), path('elsewhere'));
  assert.throws(check, isGone);
  assert.throws(() => watchRoot(repo), isGone);
  writeFileSync(path('app'), 'a file');
  assert.throws(check, isGone);
  rmSync(path('app'));
  mkdirSync(path('app'));
  assert.throws(check, isGone, 'another folder of that name');
  rmSync(path('app'), { recursive: true });
  renameSync(path('elsewhere'), path('app'));
  check();
  const below = { ...repo, root: path('app/a.ts/root') };
  assert.throws(() => watchRoot(below), isGone, 'a file stands where a folder above it stood');
});

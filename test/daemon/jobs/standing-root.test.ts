import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { stale } from '../../../daemon/jobs/follow/stale.ts';
import { watchRoot } from '../../../daemon/jobs/standing-root.ts';
import { wayInto } from '../../../daemon/jobs/way-in.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { withoutRights } from '../../support/without-rights.ts';

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

test('a root that may not be looked into is not gone: who keeps us out is named, and what lets us in', t => {
  const { root, path } = temporaryFolder(t, '-- above/app/a.ts --\n');
  chmodSync(root, 0o755);
  const repo = { id: 'app', root: path('above/app'), indexFile: '', worktreeKey: '', trusted: false };
  const refusal = (): Fault => {
    try {
      withoutRights(() => watchRoot(repo));
    } catch (error) {
      assert.ok(error instanceof Fault);
      return error;
    }
    assert.fail('it is looked into');
  };
  const check = withoutRights(() => watchRoot(repo));
  for (const [folder, mode] of [
    ['above/app', 0o000],
    ['above/app', 0o644],
    ['above/app', 0o311],
    ['above', 0o644],
  ] as const) {
    chmodSync(path(folder), mode);
    const { message, reason, extras } = refusal();
    assert.ok(message.startsWith(`${repo.root} can’t be looked into: ${path(folder)} `), message);
    assert.deepEqual([reason, extras.details], ['preconditionFailed', { reason: 'root_unreadable' }]);
    assert.doesNotMatch(JSON.stringify(extras), /repo remove/);
    assert.throws(() => withoutRights(check), { message });
    const behind = withoutRights(() => stale(repo, 'root_missing'));
    assert.deepEqual(
      [behind.message, behind.extras.suggestedFixes],
      [`The index may be behind: ${message}`, extras.suggestedFixes],
    );
    chmodSync(path(folder), 0o755);
    withoutRights(check);
  }
});

test('what is closed is opened by its owner, and nobody is told to take what lies outside of a repository', t => {
  const { root, path } = temporaryFolder(t, '-- app/a.ts --\n');
  const us = process.geteuid!();
  const commands = (file: string): readonly string[] => wayInto(file, path('app')).fixes.map(one => one.command);
  assert.deepEqual(commands(path('app/a.ts')), [`chmod u+rX ${path('app/a.ts')}`]);
  assert.deepEqual(commands(root), [`chmod u+rX ${root}`]);
  if (us !== 0) return;
  chmodSync(root, 0o755);
  withoutRights(() => {
    assert.deepEqual(commands(path('app/a.ts')), [`sudo chown ${process.geteuid!()} ${path('app/a.ts')}`]);
    assert.deepEqual(commands(root), []);
  });
});

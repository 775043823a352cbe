import assert from 'node:assert/strict';
import { chmodSync, symlinkSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { UsageError } from '../../cli/commands.ts';
import { filesOf } from '../../cli/gate/files.ts';
import { type Ask, measure } from '../../cli/gate/measure.ts';
import { folderArgument, refuseFolder } from '../../cli/repository.ts';
import type { Session } from '../../cli/session.ts';
import { textOf } from '../../cli/text-file.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { temporaryFolder } from '../support/repository.ts';
import { withoutRights } from '../support/without-rights.ts';

/** A tree with a closed folder, a closed file and a link that leads to itself. */
function treeWithClosed(t: TestContext) {
  const folder = temporaryFolder(
    t,
    '-- a.ts --\n-- pgdata/b.ts --\n-- src/c.ts --\n-- src/inner/d.ts --\n-- closed.json --\n{}\n',
  );
  // Whom the modes below alone are to keep out.
  chmodSync(folder.root, 0o755);
  symlinkSync('loop', folder.path('loop'));
  for (const path of ['closed.json', 'pgdata', 'src/inner']) chmodSync(folder.path(path), 0);
  return folder;
}

/** What an error of the command line says, which is no trouble of its own. */
const says = (message: string) => (error: unknown) => error instanceof UsageError && error.message === message;

test('of a folder what is closed to us is passed over and named; what was named itself is to be read', t => {
  const { root } = treeWithClosed(t);
  const found = withoutRights(() => filesOf(['.'], root, root));
  assert.deepEqual(found, {
    files: ['a.ts', 'src/c.ts'].map(path => ({ path, isNamed: false })),
    closed: ['pgdata', 'src/inner'],
  });
  for (const [path, why] of [
    ['pgdata', 'EACCES'],
    ['src/inner/d.ts', 'EACCES'],
    ['loop', 'ELOOP'],
  ] as const) {
    withoutRights(() => assert.throws(() => filesOf(['.', path], root, root), says(`${path}: can’t be read (${why})`)));
  }
});

test('a gate tells of folders that it passed over, and ends where a file that was named can’t be read', async t => {
  const { root } = treeWithClosed(t);
  const asked: string[] = [];
  const ask = (async (_operation: string, { path }: { readonly path: string }) => {
    asked.push(path);
    throw new Fault('unsupportedFile', 'The file can’t be read', { details: { path, reason: 'unreadable' } });
  }) as unknown as Ask;
  const measured = (paths: readonly string[]) =>
    withoutRights(() => measure({ directory: root } as Session, { thresholds: {}, paths, root }, ask));
  assert.deepEqual((await measured(['.'])).notes, [
    '2 files can’t be measured: a.ts, src/c.ts',
    'passed over 2 folders that can’t be read: pgdata, src/inner',
  ]);
  assert.deepEqual(asked, ['a.ts', 'src/c.ts']);
  await assert.rejects(measured(['src', 'a.ts']), {
    reason: 'unsupportedFile',
    message: 'a.ts: The file can’t be read',
  });
});

test('a place that somebody names behind a closed folder, or that can’t be read, is an error that names it', async t => {
  const { root } = treeWithClosed(t);
  const behind = says('pgdata/b.ts: can’t be read (EACCES)');
  const session = { directory: root, signal: new AbortController().signal } as Session;
  withoutRights(() => {
    assert.throws(() => folderArgument(root, 'pgdata/b.ts'), behind);
    assert.throws(() => refuseFolder(root, 'pgdata/b.ts'), behind);
    assert.throws(() => folderArgument(root, 'loop'), says('loop: can’t be read (ELOOP)'));
  });
  for (const [file, why] of [
    ['pgdata/b.ts', 'EACCES'],
    ['closed.json', 'EACCES'],
    ['loop', 'ELOOP'],
  ] as const) {
    // All of it is done before it returns.
    const text = withoutRights(() => textOf(session, file, 100));
    await assert.rejects(text, says(`${file}: can’t be read (${why})`));
  }
});

import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { test } from 'node:test';
import type { ManifestEntry } from '../../../../daemon/model/document.ts';
import { ignoreFilesCheck } from '../../../../daemon/operations/doctor/ignore-files.ts';
import { failed, passedOverChecks, skipped } from '../../../../daemon/operations/doctor/passed-over.ts';
import type { Finding } from '../../../../daemon/operations/finding.ts';
import type { ServedRepository } from '../../../../daemon/operations/served-repository.ts';
import { linkBatch } from '../../../../daemon/store/link-batch.ts';
import { gitRepository, temporaryFolder } from '../../../support/repository.ts';
import { withoutRights } from '../../../support/without-rights.ts';
import { indexUnderTest } from '../../store/index-under-test.ts';

const index = indexUnderTest();
const commands = ({ fixes }: Finding) => fixes?.map(one => one.command);
const opens = (path: string) => new RegExp(`^(sudo chown \\d+|chmod u\\+rX) ${path}$`);

test('doctor names a file that could not be read whatever its language, and none that was to be left out', async () => {
  const entry = (path: string, skip: string) => ({
    ...{ version: 0, scope: '' as const, stat: undefined },
    entry: { path, hash: '', dialect: '', skip } as ManifestEntry,
  });
  const [facts, removed] = [[], []];
  const entries = [entry('.gitignore', 'unreadable'), entry('picture.png', 'binary')];
  const linked = [linkBatch([])];
  index.writer.publish('r', { facts, entries, removed, linked, snapshotId: 'sha256:0', publishedAt: 0 });
  const repository = {
    record: { id: 'r', root: '/nowhere', indexFile: index.file, worktreeKey: 'r' },
    ...{ snapshot: { counts: { skipped: 0, failed: 1, partial: 0 } }, unlisted: [] },
  } as unknown as ServedRepository;
  const told = await passedOverChecks(repository);
  assert.deepEqual(
    told.map(({ message }) => message),
    ['none', '1 file could not be read or parsed: ".gitignore" (not readable)', 'none'],
  );
});

test('what is closed is to be opened, and only what else failed is to be tried again', t => {
  const tree = temporaryFolder(t, '-- a.ts --\n-- b.ts --\n-- sub/c.ts --\n');
  chmodSync(tree.root, 0o755);
  const repository = { record: { id: 'r', root: tree.root } } as ServedRepository;
  const unreadable = (...paths: readonly string[]) => paths.map(path => ({ path, skip: 'unreadable' as const }));
  const again = 'svc index --force --repo r';
  for (const path of ['a.ts', 'sub']) chmodSync(tree.path(path), 0o000);
  const [one, three, none, folder] = withoutRights(() => [
    failed(repository, 1, unreadable('a.ts')),
    failed(repository, 3, unreadable('a.ts', 'b.ts', 'sub/c.ts')),
    failed(repository, 1, []),
    skipped({ ...repository, unlisted: [{ path: 'sub', reason: 'unreadable' }] }, 0, []),
  ]);
  chmodSync(tree.path('sub'), 0o755);
  assert.match(commands(one!)?.join('\n') ?? '', opens(tree.path('a.ts')));
  const [first, second, ...rest] = commands(three!) ?? [];
  assert.match(first ?? '', opens(tree.path('a.ts')));
  assert.match(second ?? '', opens(tree.path('sub')));
  assert.deepEqual([rest, commands(none!)], [[again], [again]]);
  assert.match(commands(folder!)?.join('\n') ?? '', opens(tree.path('sub')));
});

test('a closed ignore file is to be opened, of the tree and of git', t => {
  const tree = gitRepository(t, '-- .gitignore --\nx\n');
  chmodSync(tree.root, 0o755);
  tree.write('.git/info/exclude', 'y\n');
  for (const file of ['.gitignore', '.git/info/exclude']) {
    chmodSync(tree.path(file), 0o000);
    const finding = withoutRights(() => ignoreFilesCheck(tree.root));
    chmodSync(tree.path(file), 0o644);
    assert.equal(finding.message, `${tree.path(file)} can’t be read: its rules are not followed`);
    assert.match(commands(finding)?.join('\n') ?? '', opens(tree.path(file)));
  }
});

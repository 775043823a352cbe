import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';
import { openRealFolder } from '../../../../daemon/jobs/decisions/real-folder.ts';
import type { RepoPath } from '../../../../daemon/model/paths.ts';
import { temporaryFolder } from '../../../support/repository.ts';

test('a name that is taken is never written over, whoever took it in the last moment (P46)', async t => {
  const outside = temporaryFolder(t, '-- theirs --\nas it was\n');
  const { root, path } = temporaryFolder(t, '-- docs/taken --\nas it was\n');
  symlinkSync(outside.path('theirs'), path('docs/link'));
  symlinkSync(outside.path('none'), path('docs/dangling'));
  const folder = await openRealFolder(root, 'docs' as RepoPath, 'refuse');
  t.after(() => folder.close());
  const file = await folder.create('mine', 0o644);
  await file.writeFile('mine');
  await file.close();
  for (const name of ['taken', 'link', 'dangling']) {
    await assert.rejects(folder.link('mine', name), { code: 'EEXIST' }, name);
    await assert.rejects(folder.create(name, 0o644), { code: 'EEXIST' }, name);
  }
  assert.equal(readFileSync(path('docs/taken'), 'utf8'), 'as it was\n');
  assert.equal(readFileSync(outside.path('theirs'), 'utf8'), 'as it was\n');
  assert.equal(existsSync(outside.path('none')), false);
});

test('what is put in the place of a folder that is held open leads nobody elsewhere (P46)', async t => {
  const outside = temporaryFolder(t);
  const { root, path } = temporaryFolder(t, '-- docs/ --');
  const folder = await openRealFolder(root, 'docs' as RepoPath, 'refuse');
  t.after(() => folder.close());
  renameSync(path('docs'), path('away'));
  symlinkSync(outside.root, path('docs'));
  // Where no path leads through a descriptor, it is refused.
  const made = await folder.create('mine', 0o644).catch(() => undefined);
  await made?.close();
  assert.equal(existsSync(outside.path('mine')), false);
  assert.equal(existsSync(path('away/mine')), made !== undefined);
  assert.equal(made !== undefined, process.platform === 'linux');
  await assert.rejects(openRealFolder(root, 'docs' as RepoPath, 'make'), { reason: 'symlink' });
});

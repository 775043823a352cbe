import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findRepository, type GitRepository } from '../../../daemon/backends/git-repository.ts';
import {
  lastUsedMs,
  makeAttributesShadow,
  makeBlank,
  makeShadow,
  makeSharedShadow,
  shadowNames,
} from '../../../daemon/backends/git-shadow.ts';
import { sweepShadows } from '../../../daemon/backends/git-shadow-sweep.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';
import { withoutRights } from '../../support/without-rights.ts';

const dayMs = 24 * 60 * 60_000;
const sha1 = { hash: 'sha1' } as const;

function found(root: string): GitRepository {
  const one = findRepository(root);
  assert.equal(one.found, 'repository');
  return (one as { readonly repository: GitRepository }).repository;
}

function lastUsed(file: string, agoMs: number): void {
  const at = (Date.now() - agoMs) / 1000;
  utimesSync(file, at, at);
}

test('what nobody uses goes, but for folders over repositories that are registered, and comes again', async t => {
  const folder = temporaryFolder(t);
  const [kept, gone, inUse] = [gitRepository(t), gitRepository(t), gitRepository(t)].map(({ root }) => found(root)) as [
    GitRepository,
    GitRepository,
    GitRepository,
  ];
  const attributes = { own: '', users: '' };
  const shadows = {
    kept: makeShadow(folder.root, kept, sha1),
    'kept, attributes': makeAttributesShadow(folder.root, kept, sha1, attributes).shadow,
    'kept, of another format': makeShadow(folder.root, kept, { hash: 'sha256' }),
    gone: makeShadow(folder.root, gone, sha1),
    'gone, attributes': makeAttributesShadow(folder.root, gone, sha1, attributes).shadow,
    'of several': makeSharedShadow(folder.root, [kept, gone], sha1),
    'in use': makeShadow(folder.root, inUse, sha1),
    blank: makeBlank(folder.root),
  };
  for (const [name, shadow] of Object.entries(shadows)) {
    if (name !== 'in use') lastUsed(join(shadow, 'HEAD'), 2 * dayMs);
  }
  folder.write('somebody’s/file', '');
  const left = () => Object.entries(shadows).flatMap(([name, shadow]) => (existsSync(shadow) ? [name] : []));
  await sweepShadows(folder.root, new Set(shadowNames(kept)), Date.now() - dayMs);
  assert.deepEqual(left(), ['kept', 'kept, attributes', 'kept, of another format', 'in use', 'blank']);
  assert.ok(existsSync(folder.path('somebody’s/file')));
  assert.equal(makeShadow(folder.root, gone, sha1), shadows.gone);
  assert.ok(left().includes('gone'));
});

test('whoever uses one says so, once an hour', t => {
  const folder = temporaryFolder(t);
  const repository = found(gitRepository(t).root);
  const shadow = makeShadow(folder.root, repository, sha1);
  lastUsed(join(shadow, 'HEAD'), 2 * dayMs);
  makeShadow(folder.root, repository, sha1);
  const usedMs = lastUsedMs(shadow);
  assert.ok(Date.now() - usedMs < dayMs);
  makeShadow(folder.root, repository, sha1);
  assert.equal(lastUsedMs(shadow), usedMs);
});

test('what was left in a folder by whoever did not see its end goes too, and nothing else', async t => {
  const folder = temporaryFolder(t);
  const repository = found(gitRepository(t).root);
  const shadow = makeShadow(folder.root, repository, sha1);
  const left = ['ignored-0123456789ab', 'HEAD.0123456789ab', 'objects/info/alternates.0123456789ab'];
  const fresh = 'ignored-ba9876543210';
  for (const name of [...left, fresh]) folder.write(join(shadow.slice(folder.root.length + 1), name), '');
  for (const name of left) lastUsed(join(shadow, name), 2 * dayMs);
  await sweepShadows(folder.root, new Set(shadowNames(repository)), Date.now() - dayMs);
  assert.deepEqual(
    left.filter(name => existsSync(join(shadow, name))),
    [],
  );
  assert.deepEqual(readdirSync(shadow).sort(), ['HEAD', 'config', fresh, 'objects', 'refs']);
});

test('a folder in one that keeps us out is named, where git would say that this is no repository', t => {
  const folder = temporaryFolder(t);
  const git = gitRepository(t);
  const shadow = makeShadow(folder.root, found(git.root), sha1);
  for (const open of [
    folder.root,
    git.root,
    ...['', 'objects', 'objects/info', 'objects/pack'].map(part => join(shadow, part)),
  ])
    chmodSync(open, 0o777);
  const path = join(shadow, 'refs');
  chmodSync(path, 0);
  assert.throws(() => withoutRights(() => makeShadow(folder.root, found(git.root), sha1)), {
    code: 'EACCES',
    path: `${path}/.`,
  });
});

test('halves of an index that git has given up are named no more', t => {
  const folder = temporaryFolder(t);
  const git = gitRepository(t);
  const [before, after] = ['a', 'b'].map(digit => `sharedindex.${digit.repeat(40)}`) as [string, string];
  git.write(`.git/${before}`, '');
  const halves = () => readdirSync(shadow).filter(name => name.startsWith('sharedindex.'));
  const shadow = makeShadow(folder.root, found(git.root), sha1);
  assert.deepEqual(halves(), [before]);
  git.remove(`.git/${before}`);
  git.write(`.git/${after}`, '');
  makeShadow(folder.root, found(git.root), sha1);
  assert.deepEqual(halves(), [after]);
});

import assert from 'node:assert/strict';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { createGit, type Git } from '../../../daemon/backends/git.ts';
import { repositoryAt } from '../../support/asked-git.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';

const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' };
const limits = { eachBytes: 1024, allBytes: 1024 * 1024 };

/** git, and what has been started of it. */
function countedGit(t: TestContext): { readonly git: Git; readonly starts: () => readonly string[] } {
  const folder = temporaryFolder(t);
  folder.write('starts', '');
  folder.write('git', `#!/bin/sh\necho "$1" >> '${folder.path('starts')}'\nexec git "$@"\n`);
  chmodSync(folder.path('git'), 0o755);
  const git = createGit({ shadowFolder: folder.path('shadow'), program: folder.path('git'), environment });
  t.after(() => git.close());
  return { git, starts: () => readFileSync(folder.path('starts'), 'utf8').trim().split('\n') };
}

function treeWith(t: TestContext, at: number, format = 'sha1') {
  const text = `-- proto/v${at}.proto --\nmessage M${at} {}\n-- proto/deep/same.proto --\nmessage Same {}\n-- a.ts --\n${at}`;
  const tree = gitRepository(t, text, [`--object-format=${format}`]);
  return { tree, at, repository: repositoryAt(tree.root), commit: tree.git('rev-parse', 'HEAD') };
}

test('one process answers for several repositories, each as its own git has it', async t => {
  const { git, starts } = countedGit(t);
  const trees = [1, 2, 3, 4, 5, 6].map(at => treeWith(t, at, at === 6 ? 'sha256' : 'sha1'));
  const among = git.among(trees.map(({ repository }) => repository));
  for (const { tree, at, repository, commit } of [...trees, ...trees]) {
    assert.equal(await among.commitOf(repository, 'HEAD'), commit);
    const files = await among.filesBelow(repository, commit, { folder: 'proto/', suffix: '.proto' });
    assert.deepEqual(
      [...files].map(([path, { hash }]) => [path, hash]),
      [`proto/v${at}.proto`, 'proto/deep/same.proto'].map(path => [path, tree.git('rev-parse', `HEAD:${path}`)]),
    );
    const found = await among.filesAt(repository, commit, ['a.ts', 'b.ts']);
    assert.deepEqual([...found.keys()], ['a.ts']);
    const hash = tree.git('rev-parse', 'HEAD:a.ts');
    assert.equal(found.get('a.ts')?.hash, hash);
    const blobs = await among.blobs(repository, [hash], limits);
    assert.deepEqual(
      [...blobs].map(([key, blob]) => [key, blob.kind === 'bytes' ? blob.bytes.toString() : '']),
      [[hash, `${at}\n`]],
    );
  }
  // One for each way to make hashes.
  assert.deepEqual(
    starts().filter(verb => verb === 'cat-file'),
    ['cat-file', 'cat-file'],
  );
});

test('what a ref comes to follows the ref', async t => {
  const { git } = countedGit(t);
  const { tree, repository, commit } = treeWith(t, 1);
  const among = git.among([repository]);
  assert.equal(await among.commitOf(repository, 'HEAD'), commit);
  tree.git('tag', '--annotate', 'v1', '--message', 'v1');
  tree.write('a.ts', 'later');
  tree.commit();
  const later = tree.git('rev-parse', 'HEAD');
  assert.deepEqual(
    await Promise.all(['HEAD', 'HEAD~1', 'HEAD^', 'v1', 'refs/tags/v1'].map(name => among.commitOf(repository, name))),
    [later, commit, commit, commit, commit],
  );
  assert.equal(await among.commitOf(repository, 'HEAD~2'), undefined);
});

test('a commit of one repository is none of another', async t => {
  const { git } = countedGit(t);
  const [one, other] = [treeWith(t, 1), treeWith(t, 2)];
  const among = git.among([one.repository, other.repository]);
  for (const name of [other.commit, other.commit.slice(0, 12), `${other.commit}^{commit}`]) {
    assert.equal(await among.commitOf(one.repository, name), undefined);
    assert.equal(await among.commitOf(other.repository, name), other.commit);
  }
});

test('a repository that breaks does not take the others with it', async t => {
  const { git } = countedGit(t);
  const [one, other, late] = [treeWith(t, 1), treeWith(t, 2), treeWith(t, 3)];
  const among = git.among([one.repository, other.repository]);
  rmSync(other.tree.path('.git/objects'), { recursive: true });
  const files = (commit: string) => among.filesBelow(one.repository, commit, { folder: '', suffix: '.proto' });
  assert.equal((await files(one.commit)).size, 2);
  await assert.rejects(among.filesAt(other.repository, other.commit, ['a.ts']), { name: 'GitFailed' });
  assert.equal((await files(one.commit)).size, 2);
  // What it borrows since the process started it has, too.
  one.tree.write('.git/objects/info/alternates', `${late.tree.path('.git/objects')}\n`);
  assert.equal((await files(late.commit)).has('proto/v3.proto'), true);
});

test('files below a folder are those that git lists; a tree without end is not walked', async t => {
  const { git } = countedGit(t);
  const tree = gitRepository(
    t,
    '-- p/a.proto --\nx\n-- p/q/b.proto --\n-- pq/c.proto --\n-- p/link.proto -> a.proto --',
  );
  const repository = repositoryAt(tree.root);
  const below = (commit: string, folder: string) =>
    git.filesBelow(repository, commit, { folder, suffix: '.proto' }).then(files => [...files.keys()].sort());
  const commit = tree.git('rev-parse', 'HEAD');
  assert.deepEqual(await below(commit, 'p/'), ['p/a.proto', 'p/link.proto', 'p/q/b.proto']);
  assert.deepEqual(await below(commit, 'p/q/'), ['p/q/b.proto']);
  assert.deepEqual(await below(commit, 'none/'), []);
  assert.deepEqual(await below(commit, ''), [...(await git.treeOf(repository, commit)).keys()].sort());
  let folder = tree.git('rev-parse', 'HEAD:p');
  for (let depth = 0; depth < 6; depth++) {
    const entries = Array.from({ length: 10 }, (_, at) => `040000 tree ${folder}\td${at}`).join('\n');
    tree.write('entries', `${entries}\n`);
    folder = tree.git('-c', 'alias.make=!git mktree < entries', 'make');
  }
  await assert.rejects(below(tree.git('commit-tree', '-m', 'deep', folder), ''), { reason: 'output_too_large' });
});

import assert from 'node:assert/strict';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { createGit, type Git } from '../../../daemon/backends/git.ts';
import { committedAmong } from '../../../daemon/backends/git-committed.ts';
import type { Blob } from '../../../daemon/backends/git-objects.ts';
import { createRunner, type Runner } from '../../../daemon/backends/git-runner.ts';
import { createObjectMemory } from '../../../daemon/backends/object-memory.ts';
import { repositoryAt } from '../../support/asked-git.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';

const environment = { PATH: process.env['PATH'], HOME: '/nonexistent' };
const limits = { eachBytes: 1024, allBytes: 1024 * 1024 };
const protos = { folder: '', suffix: '.proto', mostFiles: 100 };

function textsOf(contents: ReadonlyMap<string, Blob>): readonly (readonly [path: string, text: string])[] {
  return [...contents].map(([path, blob]) => [path, blob.kind === 'bytes' ? blob.bytes.toString() : '']);
}

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
    const files = await among.contentsBelow(repository, commit, { ...protos, folder: 'proto/' }, limits);
    assert.deepEqual(
      textsOf(files),
      [`proto/v${at}.proto`, 'proto/deep/same.proto'].map(path => [path, `${tree.git('show', `HEAD:${path}`)}\n`]),
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
  const files = (commit: string) => among.contentsBelow(one.repository, commit, protos, limits);
  assert.equal((await files(one.commit)).size, 2);
  await assert.rejects(among.filesAt(other.repository, other.commit, ['a.ts']), { name: 'GitFailed' });
  assert.equal((await files(one.commit)).size, 2);
  // What it borrows since the process started it has, too.
  one.tree.write('.git/objects/info/alternates', `${late.tree.path('.git/objects')}\n`);
  assert.equal((await files(late.commit)).has('proto/v3.proto'), true);
});

test('what is below a folder is what git has there; a tree without end is not walked', async t => {
  const { git } = countedGit(t);
  const long = `// ${'x'.repeat(limits.eachBytes)}`;
  const tree = gitRepository(
    t,
    `-- p/a.proto --\nx\n-- p/q/b.proto --\n-- pq/c.proto --\n-- p/q/r/long.proto --\n${long}\n-- p/z/same.proto --\nx\n-- p/link.proto -> a.proto --`,
  );
  const repository = repositoryAt(tree.root);
  const read = (commit: string, wanted: Partial<typeof protos>, most = limits) =>
    git.contentsBelow(repository, commit, { ...protos, ...wanted }, most);
  const commit = tree.git('rev-parse', 'HEAD');
  const at = async (folder: string) => [...(await read(commit, { folder })).keys()].sort();
  assert.deepEqual(await at('p/'), ['p/a.proto', 'p/q/b.proto', 'p/q/r/long.proto', 'p/z/same.proto']);
  assert.deepEqual(await at('p/q/'), ['p/q/b.proto', 'p/q/r/long.proto']);
  assert.deepEqual(await at('none/'), []);
  const listed = [...(await git.treeOf(repository, commit))].filter(([, { mode }]) => mode !== '120000');
  assert.deepEqual(
    await at(''),
    listed.map(([path]) => path),
  );
  const all = await read(commit, {});
  assert.deepEqual(all.get('p/q/r/long.proto'), { kind: 'large', size: long.length + 1 });
  assert.deepEqual(all.get('p/z/same.proto'), all.get('p/a.proto'));
  await assert.rejects(read(commit, { mostFiles: 4 }), { reason: 'output_too_large' });
  await assert.rejects(read(commit, {}, { ...limits, allBytes: 2 }), { reason: 'output_too_large' });
  let folder = tree.git('rev-parse', 'HEAD:p');
  for (let depth = 0; depth < 6; depth++) {
    const entries = Array.from({ length: 10 }, (_, at) => `040000 tree ${folder}\td${at}`).join('\n');
    tree.write('entries', `${entries}\n`);
    folder = tree.git('-c', 'alias.make=!git mktree < entries', 'make');
  }
  await assert.rejects(read(tree.git('commit-tree', '-m', 'deep', folder), { mostFiles: 1e9 }), {
    reason: 'output_too_large',
  });
});

test('of a second commit only what differs is read', async t => {
  const { tree, repository, commit } = treeWith(t, 1);
  tree.write('proto/v1.proto', 'message Later {}');
  tree.commit();
  const runner = createRunner({ shadowFolder: temporaryFolder(t).path('shadow'), environment });
  t.after(() => runner.close());
  const asked: string[] = [];
  const objectsAmong: Runner['objectsAmong'] = repositories => {
    const among = runner.objectsAmong(repositories);
    return (one, call) => (names, limits) => {
      asked.push(...names);
      return among(one, call)(names, limits);
    };
  };
  const among = committedAmong({ ...runner, objectsAmong }, createObjectMemory(), [repository]);
  assert.equal(await among.commitOf(repository, 'HEAD~1'), commit);
  assert.equal((await among.contentsBelow(repository, commit, protos, limits)).size, 2);
  asked.length = 0;
  const later = (await among.commitOf(repository, 'HEAD'))!;
  assert.deepEqual(textsOf(await among.contentsBelow(repository, later, protos, limits)), [
    ['proto/v1.proto', 'message Later {}'],
    ['proto/deep/same.proto', 'message Same {}\n'],
  ]);
  const differ = ['HEAD:proto', 'HEAD:proto/v1.proto'].map(name => tree.git('rev-parse', name));
  assert.deepEqual(asked, [`${later}^{commit}`, `${later}^{tree}`, ...differ]);
});

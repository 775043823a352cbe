import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { BlameRun } from '../../../daemon/model/history.ts';
import { askedGit, repositoryAt } from '../../support/asked-git.ts';
import { addHistory, gone } from '../../support/history.ts';
import { oddHistory, randomHistory } from '../../support/odd-history.ts';
import { gitRepository, type Workspace } from '../../support/repository.ts';

/** The commit of each line, as plain git says it. */
function plainBlame(tree: Workspace, commit: string, path: string, ignored: readonly string[]): readonly string[] {
  tree.write('.git/ignored', ignored.map(hash => `${hash}\n`).join(''));
  const flags = ignored.length === 0 ? [] : [`--ignore-revs-file=${tree.path('.git/ignored')}`];
  const lines = tree.git('blame', '--line-porcelain', ...flags, commit, '--', path).split('\n');
  return lines.flatMap(line => /^([0-9a-f]{40,64}) \d+ \d+/.exec(line)?.[1] ?? []);
}

function lineByLine(runs: readonly BlameRun[] | undefined): readonly string[] {
  let next = 0;
  return (runs ?? assert.fail('it is there')).flatMap(({ line, count, commit }, index) => {
    assert.equal(line, next, 'they cover the file in its order');
    assert.notEqual(commit, runs![index - 1]?.commit, 'one that follows is another’s');
    next += count;
    return Array<string>(count).fill(commit);
  });
}

for (const format of ['sha1', 'sha256']) {
  test(`blames as git does, line by line, whatever is to be ignored (${format})`, async t => {
    const { git, shadows } = askedGit(t);
    const tree = gitRepository(t, '', [`--object-format=${format}`]);
    const hashes = addHistory(tree, oddHistory(format === 'sha1' ? 40 : 64));
    const repository = repositoryAt(tree.root);
    const named = (...names: string[]) => names.map(name => hashes.get(name)!);
    const absent = 'f'.repeat(hashes.get('root')!.length);
    const blob = tree.git('rev-parse', `${hashes.get('root')}:b.ts`);
    const ignoring = [[], named('long ago', 'right', 'renamed, with an edit'), [...named('left'), absent, blob]];
    // Commits in the midst are shown by one kind of hashes.
    for (const at of format === 'sha1' ? named('odd names renamed', 'after it') : named('after it')) {
      for (const [path, { mode }] of await git.treeOf(repository, at)) {
        // Names whose bytes are no text are not the names that are told.
        if (mode === '160000' || path.includes('\ufffd')) continue;
        for (const ignored of ignoring) {
          const told = lineByLine(await git.blame(repository, at, path, ignored));
          assert.deepEqual(told, plainBlame(tree, at, path, ignored), `${path} at ${at}`);
        }
      }
    }
    const left = readdirSync(shadows.path('shadow')).flatMap(shadow => readdirSync(shadows.path(`shadow/${shadow}`)));
    assert.deepEqual(
      left.filter(name => /ignored/.test(name)),
      [],
      'nothing is left behind',
    );
  });
}

test('tells that there is no such file, and who is asked for what is no commit', async t => {
  const { git } = askedGit(t);
  const tree = gitRepository(t);
  const hashes = addHistory(tree, oddHistory(40));
  const repository = repositoryAt(tree.root);
  const root = hashes.get('root')!;
  const none = [
    '',
    '/',
    '.',
    'none',
    'deep',
    'deep/',
    './a.ts',
    '../a.ts',
    `${tree.root}/a.ts`,
    'a.ts/',
    'module',
    'A.TS',
  ];
  for (const path of [...none, '*.ts', ':(top)a.ts', 'a\0b', '--', '-x', 'bytes\ufffd\ufffd.ts']) {
    assert.equal(await git.blame(repository, root, path, []), undefined, path);
  }
  assert.deepEqual(await git.blame(repository, root, 'empty', []), [], 'nobody wrote no line');
  assert.deepEqual(await git.blame(repository, root, 'link', []), [{ line: 0, count: 1, commit: root }]);
  assert.equal((await git.blame(repository, root, 'binary.bin', []))?.length, 1);
  for (const commit of ['HEAD', '--help', root.slice(0, 12), '']) {
    await assert.rejects(git.blame(repository, commit, 'a.ts', []), { name: 'GitFailed', message: /no hash/ });
  }
  await assert.rejects(git.blame(repository, 'f'.repeat(40), 'a.ts', []), { name: 'GitFailed' });
  const odd = ['HEAD', '# no comment', `${root} `, '', '0'.repeat(64)];
  assert.deepEqual(await git.blame(repository, root, 'a.ts', odd), [{ line: 0, count: 40, commit: root }]);
});

test('blames a random history as git does', async t => {
  const { git } = askedGit(t);
  const tree = gitRepository(t);
  const hashes = [...addHistory(tree, randomHistory(3, 60)).values()];
  const repository = repositoryAt(tree.root);
  const tip = hashes.at(-1)!;
  const ignored = hashes.filter((_, index) => index % 7 === 5);
  for (const path of (await git.treeOf(repository, tip)).keys()) {
    for (const passed of [[], ignored]) {
      const told = lineByLine(await git.blame(repository, tip, path, passed));
      assert.deepEqual(told, plainBlame(tree, tip, path, passed), path);
    }
  }
});

test('blames a file of many lines', async t => {
  const { git } = askedGit(t);
  const tree = gitRepository(t);
  const lines = Array.from({ length: 200_000 }, (_, index) => `${index}\n`);
  const edited = lines.map((line, index) => (index % 1000 === 7 ? `edited ${line}` : line));
  const hashes = addHistory(tree, {
    first: { puts: { 'long.ts': lines.join('') } },
    moved: { puts: { 'long.ts': gone, 'moved.ts': edited.join('') } },
  });
  const [first, moved] = [...hashes.values()] as [string, string];
  const runs = await git.blame(repositoryAt(tree.root), moved, 'moved.ts', []);
  assert.equal(runs?.length, 401);
  const told = lineByLine(runs);
  assert.equal(told.length, 200_000);
  assert.ok(told.every((commit, index) => commit === (index % 1000 === 7 ? moved : first)));
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createGit, type Git } from '../../../daemon/backends/git.ts';
import { findRepository, type GitRepository } from '../../../daemon/backends/git-repository.ts';
import type { BlameRun, CommitFacts, LineCounts } from '../../../daemon/model/history.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';

function gitFor(t: TestContext): Git {
  const git = createGit({
    shadowFolder: temporaryFolder(t).path('shadow'),
    environment: { PATH: process.env['PATH'], HOME: '/nonexistent' },
  });
  t.after(() => git.close());
  return git;
}

function repositoryAt(folder: string): GitRepository {
  const found = findRepository(folder);
  assert.equal(found.found, 'repository');
  return (found as { repository: GitRepository }).repository;
}

test('reads a history with renames, a merge and an empty commit, counts its lines and blames them', async t => {
  const git = gitFor(t);
  const tree = gitRepository(t, '-- a.ts --\none\ntwo\nthree\nfour\n-- b.ts --\nb\n');
  const first = tree.git('rev-parse', 'HEAD');
  tree.git('mv', 'a.ts', 'näme\n.ts');
  tree.write('b.ts', 'b\nc\n');
  const second = tree.commit();
  const empty = tree.commit();
  tree.git('checkout', '--quiet', '-b', 'side', second);
  tree.write('c.ts', 'c\n');
  const side = tree.commit();
  tree.git('checkout', '--quiet', 'main');
  tree.git('merge', '--quiet', '-m', 'merge', 'side');
  const merge = tree.git('rev-parse', 'HEAD');
  const repository = repositoryAt(tree.root);

  const commits: CommitFacts[] = [];
  await git.commitsFrom(repository, merge, [first], one => commits.push(one), { priority: 'background' });
  assert.deepEqual(
    new Map(commits.map(({ hash, parents, changes }) => [hash, { parents, changes }])),
    new Map<string, Pick<CommitFacts, 'parents' | 'changes'>>([
      [merge, { parents: [empty, side], changes: [] }],
      [empty, { parents: [second], changes: [] }],
      [side, { parents: [second], changes: [{ kind: 'added', path: 'c.ts' }] }],
      [
        second,
        {
          parents: [first],
          changes: [
            { kind: 'modified', path: 'b.ts' },
            { kind: 'renamed', path: 'näme\n.ts', from: 'a.ts' },
          ],
        },
      ],
    ]),
  );
  const at = Date.parse('2026-01-01T00:00:00Z') / 1000;
  const { author, authoredAt, committedAt } = commits[0]!;
  assert.deepEqual(
    { author, authoredAt, committedAt },
    { author: { name: 'Test', email: 'test@example.com' }, authoredAt: at, committedAt: at },
  );

  const counts: [string, readonly LineCounts[]][] = [];
  await git.lineCounts(repository, [side, merge, second, empty, first], (...one) => counts.push(one));
  assert.deepEqual(counts, [
    [side, [{ path: 'c.ts', lines: { added: 1, deleted: 0 } }]],
    [merge, []],
    [
      second,
      [
        { path: 'b.ts', lines: { added: 1, deleted: 0 } },
        { path: 'näme\n.ts', lines: { added: 0, deleted: 0 } },
      ],
    ],
    [empty, []],
    [
      first,
      [
        { path: 'a.ts', lines: { added: 4, deleted: 0 } },
        { path: 'b.ts', lines: { added: 1, deleted: 0 } },
      ],
    ],
  ]);

  const blamed = await git.blame(repository, merge, 'b.ts', []);
  assert.deepEqual(blamed, [
    { line: 0, count: 1, commit: first },
    { line: 1, count: 1, commit: second },
  ] satisfies BlameRun[]);
  assert.deepEqual(await git.blame(repository, merge, 'näme\n.ts', [second]), [{ line: 0, count: 4, commit: first }]);
  assert.equal(await git.blame(repository, merge, 'none.ts', []), undefined);
  const absent = '0'.repeat(first.length);
  assert.deepEqual(await git.commitsHere(repository, [first, absent, merge]), new Set([first, merge]));
});

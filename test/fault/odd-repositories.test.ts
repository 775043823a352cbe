import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRepository } from '../../daemon/backends/git-repository.ts';
import { discover } from '../../daemon/jobs/discover.ts';
import { askedGit } from '../support/asked-git.ts';
import { afterAll } from '../support/repository.ts';
import { type OddRepository, oddRepositories, oddRepository, plainRepository } from './odd-repositories.ts';
import { ask } from './odd-repositories-asked.ts';

const base = plainRepository(afterAll);
const { git } = askedGit(afterAll);

/** What is known of a repository, in the table's words. */
async function known(root: string): Promise<OddRepository['is']> {
  const found = findRepository(root);
  if (found.found !== 'repository') return 'none';
  const { repository } = found;
  const { commit } = await git.head(repository);
  if (commit === undefined) return `${repository.kind} unknown`;
  let commits = 0;
  try {
    await git.commitsFrom(repository, commit, [], () => {
      commits++;
    });
  } catch {
    return `${repository.kind} failed`;
  }
  return `${repository.kind} ${commits}`;
}

for (const odd of oddRepositories) {
  test(`${odd.what}: it is as stated, and its files are listed all the same (P41)`, { timeout: 60_000 }, async t => {
    const root = oddRepository(t, base, odd);
    assert.equal(await known(root), odd.is);
    const paths = (await discover(root, { git })).files.map(({ path }) => path as string);
    assert.ok(paths.includes(odd.lists ?? 'a.ts'), paths.join());
    assert.ok(
      paths.every(path => !/secret|(?:^|\/)\.\.(?:\/|$)/.test(path)),
      paths.join(),
    );
  });
}

/** One of each kind; all of them in the long run. */
const asked = new Set([
  ...[
    '.git is a file that names itself',
    '.git is a pipe',
    'HEAD is a pipe',
    'HEAD is a blob',
    'refs lead in a circle',
  ],
  ...[
    'packed-refs is a pipe',
    'a branch looks like an option',
    'index is empty',
    'index is a pipe',
    'index is garbage',
  ],
  ...['objects/info/alternates is a pipe', 'the newest commit is garbage', 'a tree is gone', 'config is garbage'],
  ...[
    'its hashes are said to be of another kind',
    'ignore rules are pipes',
    'shallow is garbage',
    '.mailmap is a pipe',
  ],
  ...['a tree has entries that lead out of it', 'names of files are odd', 'submodules are named and placed outside'],
]);

test('a daemon indexes repositories however odd, and answers all that is asked about them (P41)', async t => {
  const rows = oddRepositories.filter(({ what }) => asked.has(what));
  assert.equal(rows.length, asked.size);
  await ask(t, rows);
});

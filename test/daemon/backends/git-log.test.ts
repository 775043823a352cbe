import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { Git } from '../../../daemon/backends/git.ts';
import type { GitRepository } from '../../../daemon/backends/git-repository.ts';
import type { CommitFacts, LineCounts } from '../../../daemon/model/history.ts';
import { askedGit, repositoryAt } from '../../support/asked-git.ts';
import { addHistory, plainChangesOf } from '../../support/history.ts';
import { oddHistory, randomHistory } from '../../support/odd-history.ts';
import { gitRepository, temporaryFolder, type Workspace } from '../../support/repository.ts';

async function commitsOf(git: Git, repository: GitRepository, from: string, not: readonly string[] = []) {
  const commits: CommitFacts[] = [];
  await git.commitsFrom(repository, from, not, commit => commits.push(commit));
  return commits;
}

async function countsOf(git: Git, repository: GitRepository, hashes: readonly string[]) {
  const counts: (readonly [hash: string, counts: readonly LineCounts[]])[] = [];
  await git.lineCounts(repository, hashes, (...one) => counts.push(one));
  return counts;
}

/** Holds all that is told of a history against what plain git says of each commit. */
async function assertAsGit(git: Git, tree: Workspace, tip: string): Promise<readonly CommitFacts[]> {
  const repository = repositoryAt(tree.root);
  const commits = await commitsOf(git, repository, tip);
  const hashes = tree.git('log', '--format=%H', tip).split('\n');
  assert.deepEqual(
    commits.map(({ hash }) => hash),
    hashes,
  );
  const counted = await countsOf(git, repository, hashes);
  assert.deepEqual(
    counted.map(([hash]) => hash),
    hashes,
  );
  for (const [index, { hash, parents, author, authoredAt, committedAt, changes }] of commits.entries()) {
    const plain = plainChangesOf(tree, hash);
    const [subject, ...said] = tree.git('log', '-1', '--format=%s%x00%P%x00%an%x00%ae%x00%at%x00%ct', hash).split('\0');
    const about = `${hash} ${subject}`;
    assert.deepEqual(
      changes,
      plain.map(({ lines, ...change }) => change),
      about,
    );
    assert.deepEqual(
      counted[index]![1],
      plain.map(({ path, lines }) => ({ path, lines })),
      about,
    );
    assert.deepEqual([parents.join(' '), author.name, author.email, `${authoredAt}`, `${committedAt}`], said, about);
  }
  return commits;
}

for (const format of ['sha1', 'sha256']) {
  test(`tells of each commit what git log does, and counts its lines (${format})`, async t => {
    const { git } = askedGit(t);
    const tree = gitRepository(t, '', [`--object-format=${format}`]);
    const plan = oddHistory(format === 'sha1' ? 40 : 64);
    const hashes = addHistory(tree, plan);
    const commits = await assertAsGit(git, tree, hashes.get('after it')!);
    assert.equal(commits.length, Object.keys(plan).length);
    const kinds = new Set(commits.flatMap(({ changes }) => changes.map(({ kind }) => kind)));
    assert.deepEqual([...kinds].sort(), ['added', 'deleted', 'modified', 'renamed']);
    const named = (name: string) => commits.find(({ hash }) => hash === hashes.get(name))!;
    assert.deepEqual(named('renamed, with an edit').changes, [
      { kind: 'renamed', path: 'moved/again.ts', from: 'moved/a.ts' },
    ]);
    assert.deepEqual(named('file became a link').changes, [{ kind: 'modified', path: 'becomes-link' }]);
    assert.deepEqual(named('octopus').changes, []);
    assert.equal(named('octopus').parents.length, 3);
    assert.equal(named('after it').author.name, 'Test', 'whatever .mailmap says');
  });
}

test('tells what some commits have and others have not', async t => {
  const { git } = askedGit(t);
  const tree = gitRepository(t);
  const hashes = addHistory(tree, oddHistory(40));
  const repository = repositoryAt(tree.root);
  const named = (...names: string[]) => names.map(name => hashes.get(name)!);
  const [tip, right, third, root] = named('after it', 'right', 'third', 'root') as [string, string, string, string];
  for (const not of [
    [right],
    [right, third],
    [tip],
    named(...hashes.keys()).filter(hash => hash !== tip),
    [root, root],
  ]) {
    const plain = tree.git('log', '--format=%H', tip, ...not.map(hash => `^${hash}`));
    const told = await commitsOf(git, repository, tip, not);
    assert.deepEqual(told.map(({ hash }) => hash).join('\n'), plain);
  }
  const missing = 'f'.repeat(40);
  await assert.rejects(commitsOf(git, repository, missing), { name: 'GitFailed', reason: 'failed' });
  await assert.rejects(commitsOf(git, repository, tip, [missing]), { name: 'GitFailed', reason: 'failed' });
  for (const name of ['HEAD', '--all', '--output=/tmp/x', `${tip}~1`, tip.slice(0, 10), '']) {
    await assert.rejects(commitsOf(git, repository, name), { name: 'GitFailed', message: /no hash/ });
    await assert.rejects(commitsOf(git, repository, tip, [name]), { name: 'GitFailed', message: /no hash/ });
    await assert.rejects(countsOf(git, repository, [name]), { name: 'GitFailed', message: /no hash/ });
  }
  assert.deepEqual(await git.commitsHere(repository, [tip, missing, root]), new Set([tip, root]));
  const blob = tree.git('rev-parse', `${tip}:b.ts`);
  assert.deepEqual(await git.commitsHere(repository, [blob]), new Set(), 'a file is no commit');
  assert.deepEqual(await git.commitsHere(repository, []), new Set());
});

test('counts the lines of any commits, in the order that they are asked for', async t => {
  const { git } = askedGit(t);
  const tree = gitRepository(t);
  const hashes = addHistory(tree, oddHistory(40));
  const repository = repositoryAt(tree.root);
  const [merge, root, tip, empty] = ['octopus', 'root', 'after it', 'empty commit'].map(name => hashes.get(name)!);
  const asked = [root!, merge!, tip!, empty!, root!];
  const counts = await countsOf(git, repository, asked);
  assert.deepEqual(
    counts.map(([hash]) => hash),
    asked,
  );
  assert.deepEqual([counts[1]![1], counts[3]![1]], [[], []]);
  const absent = 'f'.repeat(40);
  const told = await countsOf(git, repository, [absent, tip!, absent]);
  assert.deepEqual(
    told.map(([hash]) => hash),
    [tip],
    'of what is not here nothing is told',
  );
  assert.deepEqual(await countsOf(git, repository, []), []);
});

/** Commits as no git writes them. */
const crafted: Readonly<Record<string, { readonly lines: readonly string[]; readonly facts: Partial<CommitFacts> }>> = {
  'a date that no calendar has': {
    lines: ['author A <a@b> 99999999999999999999 +0000', 'committer A <a@b> 9223372036854775807 +0000'],
    facts: { authoredAt: 0, committedAt: 0, author: { name: 'A', email: 'a@b' } },
  },
  'a date before 1970': {
    lines: ['author A <a@b> -86400 +0000', 'committer A <a@b> 5 -1300'],
    facts: { authoredAt: 0, committedAt: 5 },
  },
  'the last date of all': {
    lines: ['author A <a@b> 8640000000000 +9999', 'committer A <a@b> 8640000000001 +0000'],
    facts: { authoredAt: 8_640_000_000_000, committedAt: 0 },
  },
  'no date': {
    lines: ['author A <a@b>', 'committer A <a@b> +0000'],
    facts: { authoredAt: 0, committedAt: 0, author: { name: 'A', email: 'a@b' } },
  },
  'no address': { lines: ['author nobody at all', 'committer'], facts: { author: { name: '', email: '' } } },
  'no author': { lines: ['committer A <a@b> 7 +0000'], facts: { authoredAt: 0, committedAt: 7 } },
  'a name with control characters': {
    lines: ['author \t\x01A\x7f\x1b[31m <a\tb> 7 +0000', 'committer A <a@b> 7 +0000'],
    facts: { author: { name: '\t\x01A\x7f\x1b[31m', email: 'a\tb' } },
  },
  'a name that says it is a commit': {
    lines: [`author ${'a'.repeat(40)} <R100> 7 +0000`, 'committer A <a@b> 7 +0000'],
    facts: { author: { name: 'a'.repeat(40), email: 'R100' } },
  },
  'another encoding': {
    lines: ['author Zo\udceb <z@b> 7 +0000', 'committer A <a@b> 7 +0000', 'encoding ISO-8859-1'],
    facts: { author: { name: 'Zoë', email: 'z@b' } },
  },
  'an encoding by which a line becomes two': {
    lines: ['author A+AAo-B <a@b> 7 +0000', 'committer A <a@b> 7 +0000', 'encoding UTF-7'],
    facts: {},
  },
  'an encoding by which there is a NUL': {
    lines: ['author A+AAA-B <a@b> 7 +0000', 'committer A <a@b> 7 +0000', 'encoding UTF-7'],
    facts: {},
  },
};

test('no commit is crafted so oddly that others are told wrongly', async t => {
  const { git } = askedGit(t);
  const tree = gitRepository(t, '-- a.ts --\none\n');
  const first = tree.git('rev-parse', 'HEAD');
  const repository = repositoryAt(tree.root);
  for (const [name, { lines, facts }] of Object.entries(crafted)) {
    const text = [`tree ${first}`, `parent ${first}`, ...lines, '', 'message'].join('\n');
    const bytes = Buffer.concat(
      [...text.replace(first, tree.git('rev-parse', 'HEAD^{tree}'))].map(one =>
        one >= '\udc80' && one <= '\udcff' ? Buffer.of(one.charCodeAt(0) & 0xff) : Buffer.from(one),
      ),
    );
    const hash = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], {
      cwd: tree.root,
      input: bytes,
      encoding: 'utf8',
    }).trim();
    const after = tree.git('commit-tree', '-m', 'after', '-p', hash, `${first}^{tree}`);
    const commits = await commitsOf(git, repository, after);
    assert.deepEqual(new Set(commits.map(one => one.hash)), new Set([after, hash, first]), name);
    const told = commits.find(one => one.hash === hash)!;
    assert.deepEqual({ ...told, ...facts }, told, name);
    assert.deepEqual(told.changes, [], name);
    assert.deepEqual(
      (await countsOf(git, repository, [after, hash, first])).map(([, counts]) => counts.length),
      [0, 0, 1],
      name,
    );
  }
});

test('reads a history whose objects lie elsewhere', async t => {
  const { git } = askedGit(t);
  const tree = gitRepository(t);
  const tip = addHistory(tree, oddHistory(40)).get('after it')!;
  const holder = temporaryFolder(t);
  holder.git('clone', '--quiet', '--no-checkout', '--shared', tree.root, 'shared');
  holder.git('clone', '--quiet', '--no-checkout', '--reference', tree.root, tree.root, 'reference');
  holder.git('clone', '--quiet', '--no-checkout', '--shared', holder.path('shared'), 'shared-twice');
  holder.git('clone', '--quiet', '--no-checkout', '--shared', tree.root, 'q"uote\\ ü: x');
  holder.write('shared-twice/.git/objects/info/alternates', '../../../shared/.git/objects\n');
  tree.git('worktree', 'add', '--quiet', '--detach', holder.path('worktree'), tip);
  const blamed = await git.blame(repositoryAt(tree.root), tip, 'b.ts', []);
  for (const name of ['shared', 'reference', 'shared-twice', 'q"uote\\ ü: x', 'worktree']) {
    const repository = repositoryAt(holder.path(name));
    const expected = tree.git('log', '--format=%H', tip);
    for (const round of ['before', 'after']) {
      const hashes = (await commitsOf(git, repository, tip)).map(({ hash }) => hash);
      assert.equal(hashes.join('\n'), expected, `${name}, ${round} there is a graph`);
      assert.equal((await countsOf(git, repository, hashes)).length, hashes.length);
      assert.deepEqual(await git.blame(repository, tip, 'b.ts', []), blamed);
      assert.ok((await git.diff(repository, hashes.at(-1)!, tip)).length > 10);
      assert.equal((await git.commitsHere(repository, hashes)).size, hashes.length);
      await git.writeCommitGraph(repository, [tip]);
    }
  }
});

test('a caller ends it by its signal, or by what it throws', async t => {
  const { git } = askedGit(t);
  const tree = gitRepository(t);
  const hashes = addHistory(tree, oddHistory(40));
  const repository = repositoryAt(tree.root);
  const tip = hashes.get('after it')!;
  const stop = new AbortController();
  const cancelled = { name: 'GitFailed', reason: 'cancelled' };
  const { signal } = stop;
  await assert.rejects(
    git.commitsFrom(repository, tip, [], () => stop.abort(), { signal }),
    cancelled,
  );
  await assert.rejects(
    git.lineCounts(repository, [tip], () => {}, { signal }),
    cancelled,
  );
  const thrown = new RangeError('enough');
  const throws = () => {
    throw thrown;
  };
  await assert.rejects(git.commitsFrom(repository, tip, [], throws), thrown);
  await assert.rejects(git.lineCounts(repository, [tip], throws), thrown);
});

test('tells of random histories what git log does', async t => {
  const { git } = askedGit(t);
  for (const seed of [1, 2]) {
    const tree = gitRepository(t);
    const hashes = addHistory(tree, randomHistory(seed, 30));
    await assertAsGit(git, tree, [...hashes.values()].at(-1)!);
  }
});

import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Git } from '../../../daemon/backends/git.ts';
import type { GitRepository } from '../../../daemon/backends/git-repository.ts';
import type { CommitFacts } from '../../../daemon/model/history.ts';
import { askedGit, repositoryAt } from '../../support/asked-git.ts';
import { addHistory, gone, type PlannedCommit, plainChanges, plainChangesOf } from '../../support/history.ts';
import { gitRepository, temporaryFolder, type Workspace, workspace } from '../../support/repository.ts';

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index}\n`).join('');

/** A line of commits, each with an edit, a rename and a side branch that is merged. */
const plan: Readonly<Record<string, PlannedCommit>> = {
  first: { puts: { 'a.ts': lines(0, 20), 'b.ts': lines(50, 70), 'same.ts': lines(80, 90) } },
  second: { puts: { 'a.ts': `second\n${lines(1, 20)}` } },
  third: { puts: { 'a.ts': gone, 'moved.ts': `second\nthird\n${lines(2, 20)}` } },
  fourth: { puts: { 'same.ts': gone, 'same-moved.ts': lines(80, 90) } },
  side: { parents: ['second'], puts: { 'b.ts': `side\n${lines(51, 70)}` } },
  merge: { parents: ['fourth', 'side'], puts: { 'b.ts': `side\n${lines(51, 70)}` } },
  last: { puts: { 'moved.ts': `second\nthird\nlast\n${lines(3, 20)}` } },
};

function history(t: TestContext) {
  const tree = gitRepository(t);
  const hashes = addHistory(tree, plan, 'refs/heads/main');
  tree.git('branch', 'side-branch', hashes.get('side')!);
  tree.git('config', 'uploadpack.allowFilter', 'true');
  tree.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  const named = (name: string) => hashes.get(name)!;
  const cloned = (...flags: readonly string[]): Workspace => {
    const holder = temporaryFolder(t);
    holder.git('clone', '--quiet', '--no-checkout', ...flags, `file://${tree.root}`, 'clone');
    return workspace(holder.path('clone'));
  };
  return { tree, named, cloned };
}

async function commitsOf(git: Git, repository: GitRepository, from: string): Promise<readonly CommitFacts[]> {
  const commits: CommitFacts[] = [];
  await git.commitsFrom(repository, from, [], commit => commits.push(commit));
  return commits;
}

async function countedOf(git: Git, repository: GitRepository, asked: readonly string[]) {
  const counted = new Map<string, number>();
  await git.lineCounts(repository, asked, (hash, counts) => counted.set(hash, counts.length));
  return counted;
}

for (const depth of [1, 2, 3]) {
  test(`a clone of the last ${depth} ends where git has it end`, async t => {
    const { git } = askedGit(t);
    const { named, cloned } = history(t);
    const clone = cloned(`--depth=${depth}`);
    const repository = repositoryAt(clone.root);
    const tip = named('last');
    const commits = await commitsOf(git, repository, tip);
    const hashes = clone.git('log', '--format=%H', tip).split('\n');
    assert.deepEqual(
      commits.map(({ hash }) => hash),
      hashes,
    );
    const counted = await countedOf(git, repository, hashes);
    for (const { hash, changes, parents } of commits) {
      const plain = plainChangesOf(clone, hash);
      assert.equal(parents.join(' '), clone.git('log', '-1', '--format=%P', hash));
      assert.deepEqual(
        changes,
        plain.map(({ lines: _, ...change }) => change),
      );
      assert.equal(counted.get(hash), plain.length);
    }
    const runs = await git.blame(repository, tip, 'moved.ts', []);
    const plain = clone.git('blame', '--line-porcelain', tip, '--', 'moved.ts');
    assert.deepEqual(
      runs?.flatMap(({ commit, count }) => Array<string>(count).fill(commit)),
      [...plain.matchAll(/^([0-9a-f]{40}) \d+ \d+/gm)].map(([, hash]) => hash),
    );
    const files = await git.diff(repository, hashes.at(-1)!, tip);
    assert.deepEqual(
      files.map(({ hunks, oldBlob, newBlob, ...file }) => file),
      plainChanges(clone.git('diff-tree', '-r', '-M', '--raw', '--numstat', '-z', hashes.at(-1)!, tip)),
    );
    assert.deepEqual(await git.commitsHere(repository, Object.keys(plan).map(named)), new Set(hashes));
    await git.writeCommitGraph(repository, [tip]);
    clone.git('fetch', '--quiet', '--unshallow');
    assert.equal((await commitsOf(git, repository, tip)).length, Object.keys(plan).length, 'the rest came');
    await git.writeCommitGraph(repository, [tip]);
    assert.equal((await commitsOf(git, repository, tip)).length, Object.keys(plan).length);
  });
}

test('a better ancestor that may lie where history is cut is not denied', async t => {
  const { git } = askedGit(t);
  const tree = gitRepository(t);
  const plain = (parents: readonly string[], at: number): PlannedCommit => ({ parents, at, puts: {} });
  const hashes = addHistory(tree, {
    old: plain([], 1000),
    base: plain(['old'], 2000),
    'side 1': plain(['old'], 3000),
    'side 2': plain(['side 1'], 3500),
    topic: plain(['base'], 4000),
    'topic with side 1': plain(['topic', 'side 1'], 4500),
    'main with side 2': plain(['base', 'side 2'], 5000),
    'young topic': plain(['base'], 6000),
  });
  const [old, base, side1, side2, topic, withSide1, withSide2, young] = [...hashes.values()] as string[];
  tree.git('branch', 'kept', withSide1!);
  const repository = repositoryAt(tree.root);
  const best = async (one: string | undefined, other: string | undefined) =>
    (await git.mergeBases(repository, one!, other!))[0];
  const cut = (...at: (string | undefined)[]) => writeFileSync(tree.path('.git/shallow'), `${at.join('\n')}\n`);
  const refused = { name: 'GitFailed', reason: 'failed' };
  assert.equal(await best(young, withSide2), base);
  cut(base);
  assert.equal(await best(topic, young), base, 'it is where the history ends');
  assert.equal(await best(base, young), base);
  await assert.rejects(best(old, young), refused);
  cut(side2);
  assert.equal(await best(young, withSide2), base, 'what is younger than a cut does not lie behind it');
  await assert.rejects(best(withSide1, withSide2), refused, 'side 1 is behind side 2');
  cut(side1, side2);
  await assert.rejects(best(withSide1, withSide2), refused, 'both come from what is not here');
  cut();
  tree.remove('.git/shallow');
  assert.equal(tree.git('merge-base', '--all', withSide1!, withSide2!).split('\n').includes(side1!), true);
});

test('of a clone without old contents names are told, and lines and blame where they are here', async t => {
  const { git } = askedGit(t);
  const { tree, named, cloned } = history(t);
  const clone = cloned('--filter=blob:none', '--bare');
  const repository = repositoryAt(clone.root);
  const tip = named('last');
  const commits = await commitsOf(git, repository, tip);
  const hashes = tree.git('log', '--format=%H', tip).split('\n');
  assert.deepEqual(
    commits.map(({ hash }) => hash),
    hashes,
  );
  const changesOf = (hash: string) => commits.find(commit => commit.hash === hash)!.changes;
  assert.deepEqual(
    changesOf(named('third')),
    [
      { kind: 'deleted', path: 'a.ts' },
      { kind: 'added', path: 'moved.ts' },
    ],
    'nobody can tell that it was a rename',
  );
  assert.deepEqual(
    changesOf(named('fourth')),
    [{ kind: 'renamed', path: 'same-moved.ts', from: 'same.ts' }],
    'but of the same content',
  );
  const none = new Map([[named('merge'), 0]]);
  assert.deepEqual(await countedOf(git, repository, hashes), none, 'a merge has no lines in any case');
  const incomplete = { name: 'GitFailed', reason: 'incomplete', exitCode: 128 };
  await assert.rejects(git.blame(repository, tip, 'moved.ts', []), incomplete);
  await assert.rejects(git.diff(repository, named('first'), tip), incomplete);

  // What was asked for elsewhere is here from then on.
  for (const name of ['second', 'third', 'last']) {
    for (const path of ['a.ts', 'moved.ts']) {
      const hash = tree.git('ls-tree', named(name), path).slice(12, 52);
      if (hash === '') continue;
      writeFileSync(clone.path('blob'), tree.git('cat-file', 'blob', hash).concat('\n'));
      assert.equal(clone.git('hash-object', '-w', 'blob'), hash);
    }
  }
  const counted = await countedOf(git, repository, hashes);
  assert.deepEqual(new Set(counted.keys()), new Set(['last', 'merge', 'third'].map(named)));
  assert.deepEqual(
    [...counted.keys()],
    hashes.filter(hash => counted.has(hash)),
    'in their order',
  );
  assert.deepEqual(
    (await commitsOf(git, repository, tip)).map(({ hash }) => hash),
    hashes,
  );
  assert.deepEqual(
    readdirSync(clone.root).filter(name => /shallow|FETCH/.test(name)),
    [],
  );
});

test('what is missing of a clone that is not partial is no such excuse', async t => {
  const { git } = askedGit(t);
  const { tree, named } = history(t);
  const blob = tree.git('rev-parse', `${named('second')}:a.ts`);
  const repository = repositoryAt(tree.root);
  tree.remove(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`);
  await assert.rejects(git.blame(repository, named('last'), 'moved.ts', []), { name: 'GitFailed', reason: 'failed' });
});

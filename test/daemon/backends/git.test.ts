import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createGit, type Git } from '../../../daemon/backends/git.ts';
import { findRepository } from '../../../daemon/backends/git-repository.ts';
import { repositoryAt } from '../../support/asked-git.ts';
import { gitRepository, temporaryFolder, workspace } from '../../support/repository.ts';

const home = { PATH: process.env['PATH'], HOME: '/nonexistent' };

function gitFor(t: TestContext): Git {
  return createGit({ shadowFolder: temporaryFolder(t).path('shadow'), environment: home });
}

const files = '-- a.ts --\nconst a = 1;\n-- src/b.ts --\n-- link -> a.ts --';

test('tells git’s version, or why there is none', async t => {
  const here = await gitFor(t).availability();
  assert.ok(here.available && /^\d+\.\d+/.test(here.version) && here.latencyMs >= 0);
  const shadowFolder = temporaryFolder(t).path('shadow');
  const absent = createGit({ shadowFolder, program: '/nonexistent/git', environment: home });
  assert.deepEqual(await absent.availability(), { available: false, reason: 'missing' });
  assert.deepEqual(await absent.tracked(repositoryAt(gitRepository(t, files).root)), []);
  const script = temporaryFolder(t);
  writeFileSync(script.path('git'), '#!/bin/sh\necho git version 1.7.1\n', { mode: 0o755 });
  const old = createGit({ shadowFolder, program: script.path('git'), environment: home });
  assert.deepEqual(await old.availability(), { available: false, reason: 'too_old' });
});

test('what stands in the place of something that svc makes for git gives way to it', async t => {
  const shadowFolder = temporaryFolder(t).path('shadow');
  const git = createGit({ shadowFolder, environment: home });
  const repository = repositoryAt(gitRepository(t, files).root);
  const tracked = await git.tracked(repository);
  assert.ok(tracked.length > 0);
  const asked = async (what: string): Promise<void> => {
    assert.deepEqual(await git.tracked(repository), tracked, what);
    assert.ok((await git.availability()).available, what);
  };
  for (const name of readdirSync(shadowFolder)) {
    const shadow = join(shadowFolder, name);
    for (const part of ['HEAD', 'config', 'objects/info/alternates']) {
      rmSync(join(shadow, part), { force: true });
      mkdirSync(join(shadow, part, 'x'), { recursive: true });
      await asked(`a folder as ${part} of ${name}`);
    }
    for (const part of ['', 'objects', 'refs']) {
      rmSync(join(shadow, part), { recursive: true });
      writeFileSync(join(shadow, part), 'x');
      await asked(`a file as ${part} of ${name}`);
    }
  }
  for (const put of [writeFileSync, (path: string) => symlinkSync(`${path}.none`, path)]) {
    rmSync(shadowFolder, { recursive: true });
    put(shadowFolder, 'x');
    await asked('in the place of all of them');
  }
});

test('finds the repository of a folder in all its forms', t => {
  const main = gitRepository(t, files);
  const dotGit = main.path('.git');
  assert.deepEqual(repositoryAt(main.path('src')), {
    workTree: main.root,
    gitDir: dotGit,
    commonDir: dotGit,
    kind: 'main',
  });

  const place = join(temporaryFolder(t).root, 'tree');
  main.git('worktree', 'add', '--quiet', '-b', 'other', place);
  assert.deepEqual(repositoryAt(place), {
    workTree: place,
    gitDir: join(dotGit, 'worktrees/tree'),
    commonDir: dotGit,
    kind: 'worktree',
  });

  const outer = gitRepository(t);
  outer.git('submodule', '--quiet', 'add', main.root, 'module');
  const gitDir = outer.path('.git/modules/module');
  assert.deepEqual(repositoryAt(outer.path('module/src')), {
    workTree: outer.path('module'),
    gitDir,
    commonDir: gitDir,
    kind: 'submodule',
  });

  const bare = join(temporaryFolder(t).root, 'bare.git');
  main.git('clone', '--quiet', '--bare', main.root, bare);
  assert.equal(repositoryAt(bare).kind, 'bare');
  assert.equal(repositoryAt(bare).workTree, undefined);
  assert.deepEqual(findRepository(temporaryFolder(t).root), { found: 'none' });
  assert.deepEqual(findRepository('/nonexistent/folder'), { found: 'none' });
});

test('a repository of another user is not trusted', t => {
  const tree = gitRepository(t, files);
  const us = process.getuid?.() ?? 0;
  assert.deepEqual(findRepository(tree.root, us + 1), { found: 'untrusted_owner', path: tree.root, uid: us });
  if (us !== 0) return;
  chownSync(tree.path('.git'), 12_345, 12_345);
  assert.deepEqual(findRepository(tree.root), { found: 'untrusted_owner', path: tree.path('.git'), uid: 12_345 });
});

test('reads HEAD: on a branch, detached, unborn, packed', async t => {
  const git = gitFor(t);
  const tree = gitRepository(t, files);
  const commit = tree.git('rev-parse', 'HEAD');
  const head = () => git.head(repositoryAt(tree.root));
  assert.deepEqual(await head(), { commit, branch: 'main' });
  tree.git('switch', '--quiet', '-c', 'feature/x');
  tree.git('pack-refs', '--all');
  assert.deepEqual(await head(), { commit, branch: 'feature/x' });
  for (const branch of ['a\u3000b', 'end\u00a0', '"}{"\u2028']) {
    tree.git('checkout', '--quiet', '-b', branch);
    assert.deepEqual(await head(), { commit, branch });
    tree.git('pack-refs', '--all');
    assert.deepEqual(await head(), { commit, branch }, 'packed');
  }
  tree.git('switch', '--quiet', '--detach');
  assert.deepEqual(await head(), { commit, branch: undefined });
  tree.git('symbolic-ref', 'HEAD', 'refs/heads/unborn');
  assert.deepEqual(await head(), { commit: undefined, branch: 'unborn' });
  tree.write('.git/HEAD', 'ref: refs/../../../../etc/passwd\n');
  const unknown = { commit: undefined, branch: undefined };
  assert.deepEqual(await head(), { ...unknown, trouble: 'HEAD names no branch and no commit' });
  tree.write('.git/HEAD', '');
  assert.deepEqual(await head(), { ...unknown, trouble: 'HEAD is empty' });
  tree.write('.git/HEAD', 'ref: refs/heads/odd\n');
  tree.write('.git/refs/heads/odd', 'garbage\n');
  const odd = { commit: undefined, branch: 'odd' };
  assert.deepEqual(await head(), { ...odd, trouble: 'refs/heads/odd names no branch and no commit' });
  tree.remove('.git/refs/heads/odd');
  symlinkSync('/etc/passwd', tree.path('.git/refs/heads/odd'));
  assert.deepEqual(await head(), { ...odd, trouble: 'refs/heads/odd is no file that can be read' });
  tree.remove('.git/refs/heads/odd');
  tree.write('.git/refs/heads/odd/x', '');
  assert.deepEqual(await head(), odd);
});

for (const format of ['sha1', 'sha256']) {
  test(`lists what git tracks (${format})`, async t => {
    const git = gitFor(t);
    const tree = gitRepository(t, files, [`--object-format=${format}`]);
    tree.write('näme\n"x".ts', '');
    tree.git('add', '--all');
    tree.git('update-index', '--chmod=+x', 'a.ts');
    const repository = repositoryAt(tree.root);
    const entries = await git.tracked(repository);
    assert.deepEqual(
      entries.map(({ path, mode }) => [path, mode]),
      [
        ['a.ts', '100755'],
        ['link', '120000'],
        ['näme\n"x".ts', '100644'],
        ['src/b.ts', '100644'],
      ],
    );
    assert.equal(entries[0]?.hash, tree.git('hash-object', 'a.ts'));
    assert.deepEqual([...(await git.trackedAmong(repository, ['src/b.ts', 'src', '*.ts']))], ['src/b.ts']);
    const asked = Array.from({ length: 500 }, (_, n) => `x${n}`);
    assert.deepEqual(await git.trackedAmong(repository, [...asked, 'a.ts']), new Set(['a.ts']));
  });
}

for (const format of ['sha1', 'sha256']) {
  test(`tells what a commit has at some paths (${format})`, async t => {
    const git = gitFor(t);
    t.after(() => git.close());
    const tree = gitRepository(t, files, [`--object-format=${format}`]);
    tree.write('src/deep/er/näme\n"x".ts', 'x');
    tree.write('src.ts', '');
    tree.git('add', '--all');
    tree.git('update-index', '--chmod=+x', 'a.ts');
    tree.git('commit', '--quiet', '-m', 'more');
    const repository = repositoryAt(tree.root);
    const commit = tree.git('rev-parse', 'HEAD');
    const all = await git.treeOf(repository, commit);
    assert.deepEqual(new Map([...(await git.filesAt(repository, commit, [...all.keys()]))].sort()), all);
    assert.equal(all.get('link')?.mode, '120000');
    const absent = [
      'src',
      'src/deep',
      'src/none.ts',
      'none/b.ts',
      'a.ts/b.ts',
      'link/b.ts',
      '*.ts',
      `${commit}^{tree}`,
    ];
    assert.deepEqual(await git.filesAt(repository, commit, [...absent, 'a.ts']), new Map([['a.ts', all.get('a.ts')]]));
    const before = await git.filesAt(repository, tree.git('rev-parse', 'HEAD~1'), ['a.ts', 'src.ts']);
    assert.deepEqual([...before.keys()], ['a.ts']);
    for (const missing of ['0'.repeat(commit.length), all.get('a.ts')!.hash]) {
      await assert.rejects(git.filesAt(repository, missing, ['a.ts']), { name: 'GitFailed', reason: 'failed' });
    }
    assert.equal(await git.commitOf(repository, 'HEAD~1'), tree.git('rev-parse', 'HEAD~1'));
    assert.equal(await git.commitOf(repository, 'HEAD~2'), undefined);
    for (const name of [commit, commit.slice(0, 9), `${commit}~0`]) {
      assert.equal(await git.commitOf(repository, name.toUpperCase()), commit, 'git reads hashes in capitals');
    }
    assert.equal(await git.commitOf(repository, all.get('a.ts')!.hash), undefined);
    const first = tree.git('rev-parse', 'HEAD~1');
    assert.equal(await git.isReached(repository, first, commit), true);
    assert.equal(await git.isReached(repository, commit, first), false);
    assert.equal(await git.isReached(repository, commit, commit), true);
    const beside = tree.git('commit-tree', '-m', 'beside', '-p', first, `${first}^{tree}`);
    const merged = tree.git('commit-tree', '-m', 'merged', '-p', beside, '-p', commit, `${commit}^{tree}`);
    const reached = (one: string, from: string) => git.isReached(repository, one, from);
    assert.deepEqual(await Promise.all([reached(merged, beside), reached(merged, commit)]), [false, false]);
    assert.deepEqual(await Promise.all([reached(beside, commit), reached(beside, merged)]), [false, true]);
    await assert.rejects(git.isReached(repository, '0'.repeat(commit.length), commit), { name: 'GitFailed' });
  });
}

test('finds objects that come while a process is asked: loose, packed, of another repository', async t => {
  const git = gitFor(t);
  t.after(() => git.close());
  const tree = gitRepository(t, files);
  const repository = repositoryAt(tree.root);
  const other = gitRepository(t, '-- other.ts --\nlater');
  const theirs = other.git('rev-parse', 'HEAD');
  assert.equal(await git.commitOf(repository, theirs), undefined);
  tree.write('a.ts', 'again');
  tree.commit();
  assert.equal(await git.commitOf(repository, 'HEAD'), tree.git('rev-parse', 'HEAD'));
  tree.write('.git/objects/info/alternates', `${other.path('.git/objects')}\n`);
  assert.equal(await git.commitOf(repository, theirs), theirs);
  tree.git('repack', '-a', '-d', '--quiet');
  assert.equal(await git.commitOf(repository, 'HEAD~1'), tree.git('rev-parse', 'HEAD~1'));
});

test('reads indexes that are split, in conflict, of a worktree, or not there', async t => {
  const git = gitFor(t);
  const tree = gitRepository(t, files);
  const paths = async (root: string) => (await git.tracked(repositoryAt(root))).map(entry => entry.path);
  tree.git('update-index', '--split-index');
  tree.write('c.ts', '');
  tree.git('add', 'c.ts');
  assert.ok(readdirSync(tree.path('.git')).some(name => name.startsWith('sharedindex.')));
  assert.deepEqual(await paths(tree.root), ['a.ts', 'c.ts', 'link', 'src/b.ts']);

  const place = join(temporaryFolder(t).root, 'tree');
  tree.git('worktree', 'add', '--quiet', '-b', 'other', place);
  workspace(place).write('a.ts', 'theirs');
  workspace(place).commit();
  assert.deepEqual(await paths(place), ['a.ts', 'link', 'src/b.ts']);
  tree.write('a.ts', 'ours');
  tree.commit();
  assert.throws(() => tree.git('merge', '--quiet', 'other'));
  assert.deepEqual(await paths(tree.root), ['a.ts', 'c.ts', 'link', 'src/b.ts']);

  const empty = gitRepository(t);
  assert.deepEqual(await paths(empty.root), []);
});

test('names the files that say what is ignored', async t => {
  const user = temporaryFolder(t);
  const tree = gitRepository(t, files);
  const repository = repositoryAt(tree.root);
  const exclude = tree.path('.git/info/exclude');
  const git = createGit({
    shadowFolder: temporaryFolder(t).path('shadow'),
    environment: { PATH: process.env['PATH'], HOME: user.root },
  });
  const patternsOf = async (of: typeof repository | undefined) => (await git.excludeFiles(of)).patterns;
  assert.deepEqual(await patternsOf(repository), [user.path('.config/git/ignore'), exclude]);
  assert.deepEqual(await patternsOf(undefined), [user.path('.config/git/ignore')]);
  user.write('.gitconfig', '[include]\n\tpath = more\n');
  user.write('more', '[core]\n\texcludesFile = ~/mine\n');
  assert.deepEqual(await patternsOf(repository), [user.path('mine'), exclude]);
  tree.write('evil', '[core]\n\texcludesFile = /etc/passwd\n');
  tree.git('config', 'include.path', '../evil');
  assert.deepEqual(await patternsOf(repository), [user.path('mine'), exclude], 'a repository includes nothing');
  tree.git('config', 'core.excludesFile', 'theirs');
  assert.deepEqual(await patternsOf(repository), [tree.path('theirs'), exclude]);
});

test('a configuration that says nothing of it is not shown to git', async t => {
  const [tree, asked] = [gitRepository(t, files), temporaryFolder(t)];
  const repository = repositoryAt(tree.root);
  asked.write('git', `#!/bin/sh\necho "$@" >> ${asked.path('log')}\nexec git "$@"\n`);
  chmodSync(asked.path('git'), 0o755);
  const git = createGit({ shadowFolder: asked.path('shadow'), program: asked.path('git'), environment: home });
  const askedOf = () => (existsSync(asked.path('log')) ? readFileSync(asked.path('log'), 'utf8') : '');
  await git.excludeFiles(repository);
  assert.doesNotMatch(askedOf(), new RegExp(`${tree.root}/`));
  tree.git('config', 'core.excludesFile', 'theirs');
  assert.equal((await git.excludeFiles(repository)).patterns[0], tree.path('theirs'));
  assert.match(askedOf(), new RegExp(`${tree.root}/`));
});

test('what git can’t do is said without its words', async t => {
  const git = gitFor(t);
  const tree = gitRepository(t, files);
  tree.write('.git/shallow', 'root:x:0:0 no hash at all, but a line to quote');
  const [commit, first] = [tree.git('rev-parse', 'HEAD'), '0'.repeat(40)];
  const failure = await git.mergeBases(repositoryAt(tree.root), commit, first).then(
    () => assert.fail('it must fail'),
    (error: Error) => error,
  );
  assert.equal(failure.name, 'GitFailed');
  assert.match(failure.message, /^git merge-base failed with exit code \d+$/);
  await assert.rejects(git.tracked(repositoryAt(tree.root), { signal: AbortSignal.abort() }), { reason: 'cancelled' });
});

test('shadows survive folders with odd names', async t => {
  const holder = temporaryFolder(t);
  const odd = holder.path('q"uote\\ ü: x');
  mkdirSync(odd);
  const tree = workspace(realpathSync(odd));
  tree.git('init', '--quiet');
  tree.write('a.ts', '');
  tree.commit();
  assert.deepEqual(
    (await gitFor(t).tracked(repositoryAt(odd))).map(entry => entry.path),
    ['a.ts'],
  );
});

test('tells where two commits parted, and that a history that is cut short does not tell', async t => {
  const git = gitFor(t);
  const main = gitRepository(t, files);
  const first = main.git('rev-parse', 'HEAD');
  main.git('checkout', '--quiet', '-b', 'side');
  main.write('side.ts', '');
  const side = main.commit();
  main.git('checkout', '--quiet', 'main');
  main.write('main.ts', '');
  const ahead = main.commit();
  const repository = repositoryAt(main.root);
  assert.deepEqual(await git.mergeBases(repository, ahead, side), [first]);
  assert.deepEqual(await git.mergeBases(repository, ahead, first), [first]);
  assert.deepEqual(await git.mergeBases(repository, side, side), [side]);
  main.git('checkout', '--quiet', '--orphan', 'apart');
  assert.deepEqual(await git.mergeBases(repository, ahead, main.commit()), []);
  await assert.rejects(git.mergeBases(repository, '0'.repeat(ahead.length), ahead), { name: 'GitFailed' });
  assert.equal(git.isShallow(repository), false);

  const clone = temporaryFolder(t);
  clone.git('clone', '--quiet', '--depth=1', '--no-single-branch', `file://${main.root}`, 'cut');
  const cut = repositoryAt(clone.path('cut'));
  assert.equal(git.isShallow(cut), true);
  await assert.rejects(git.mergeBases(cut, ahead, side), { name: 'GitFailed' });
});

test('tells the paths at which two commits differ, whatever they are called', async t => {
  const git = gitFor(t);
  const main = gitRepository(t, `${files}\n-- gone.ts --\n-- old.ts --\nsame\n`);
  const first = main.git('rev-parse', 'HEAD');
  main.remove('gone.ts');
  main.git('mv', 'old.ts', 'new\nä.ts');
  main.write('src/b.ts', '1');
  main.write('src/c.ts', '1');
  const second = main.commit();
  const repository = repositoryAt(main.root);
  assert.deepEqual([...(await git.changedBetween(repository, first, second))].sort(), [
    ['gone.ts', 'deleted'],
    ['new\nä.ts', 'present'],
    ['old.ts', 'deleted'],
    ['src/b.ts', 'present'],
    ['src/c.ts', 'present'],
  ]);
  assert.deepEqual([...(await git.changedBetween(repository, second, second))], []);
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';
import { repositoryAt } from '../../support/asked-git.ts';
import { type GitUser, gitUser } from '../../support/git-user.ts';
import { gitRepository, temporaryFolder, type Workspace, workspace } from '../../support/repository.ts';

const ignoring = (file: string) => `[core]\n\texcludesFile = ${file}\n`;
const including = (path: string) => `[include]\n\tpath = ${path}\n`;
const includingIf = (condition: string, path: string) => `[includeIf "${condition}"]\n\tpath = ${path}\n`;

/** The user's ignore file as git reads it, and as it is read here. */
async function bothSay({ git, ask, home }: GitUser, { root }: Workspace): Promise<readonly [string, string]> {
  const said = ask(root, 'config', '--default', home.path('.config/git/ignore'), '--type=path', 'core.excludesFile');
  return [said.trimEnd(), (await git.excludeFiles(repositoryAt(root))).patterns[0] ?? ''];
}

/** Code/Deep/app on branch feature/One, with a worktree on branch main. */
function deepRepository({ home }: GitUser) {
  const root = home.path('Code/Deep/app');
  mkdirSync(root, { recursive: true });
  const app = workspace(root);
  app.git('init', '--quiet', '--initial-branch=main');
  app.commit();
  app.git('checkout', '--quiet', '-b', 'feature/One');
  app.git('worktree', 'add', '--quiet', home.path('beside'), 'main');
  return { app, worktree: workspace(home.path('beside')) };
}

test('an include holds on the conditions on which it does in git', async t => {
  const user = gitUser(t);
  const { app, worktree } = deepRepository(user);
  const detached = temporaryFolder(t);
  app.git('worktree', 'add', '--quiet', '--detach', detached.path('tree'));
  const { root } = user.home;
  user.home.write('yes', ignoring('/yes'));
  const holding = new Map<string, readonly boolean[]>();
  for (const condition of [
    ...[`gitdir:${root}/Code/`, `gitdir:${root}/Code/**`, `gitdir:${root}/Code/Deep/app/.git`, `gitdir:${root}/Code`],
    ...[`gitdir:${root}/Code/*/app/.git`, `gitdir:${root}/Code/*`, `gitdir:${root}/C**/`, `gitdir:${root}/C*/.git`],
    ...[`gitdir:${root}/code/`, `gitdir/i:${root}/CODE/`, `gitdir/i:${root}/[B-D]ode/`, `gitdir/i:${root}/\\\\CODE/`],
    ...['gitdir:~/Code/', 'gitdir:~', 'gitdir:~/', 'gitdir:./Code/', 'gitdir:./', 'gitdir:./*/', 'gitdir/i:./cODE/'],
    ...['gitdir:app/', 'gitdir:app/.git', 'gitdir:App/', 'gitdir/i:App/', 'gitdir:Deep/**/.git', 'gitdir:worktrees/'],
    ...['gitdir:**', 'gitdir:', 'gitdir:/', 'gitdir:../', 'gitdir:[', 'GITDIR:**', 'elsewhere:**', ''],
    ...['onbranch:feature/One', 'onbranch:feature/', 'onbranch:feature', 'onbranch:*', 'onbranch:**', 'onbranch:*/One'],
    ...['onbranch:main', 'onbranch:feature/one', 'onbranch:', 'onbranch:f**'],
  ]) {
    user.home.write('.gitconfig', includingIf(condition, 'yes'));
    const held: boolean[] = [];
    for (const tree of [app, worktree, workspace(detached.path('tree'))]) {
      const [gits, ours] = await bothSay(user, tree);
      assert.equal(ours, gits, `${condition} in ${tree.root}`);
      held.push(ours === '/yes');
    }
    holding.set(condition, held);
  }
  assert.deepEqual(holding.get(`gitdir:${root}/Code/`), [true, true, true]);
  assert.deepEqual(holding.get('gitdir:worktrees/'), [false, true, true]);
  assert.deepEqual(holding.get('onbranch:main'), [false, true, false]);
  const patterns = async () => (await user.git.excludeFiles(undefined)).patterns;
  for (const condition of ['gitdir:**', 'onbranch:**']) {
    user.home.write('.gitconfig', includingIf(condition, 'yes'));
    assert.deepEqual(await patterns(), [user.home.path('.config/git/ignore')], `${condition} without a repository`);
  }
});

test('what is included counts in its place, from the file that names it, as deep as in git', async t => {
  const user = gitUser(t);
  const tree = gitRepository(t);
  const { write } = user.home;
  write('a/one', including('../b/two') + ignoring('/one'));
  write('b/two', ignoring('/two') + including('absent') + including('~/b/three'));
  write('b/three', includingIf('gitdir:**', 'four') + ignoring('/three'));
  write('b/four', ignoring('/four'));
  for (let depth = 1; depth <= 10; depth++) write(`deep/${depth}`, including(`${depth + 1}`));
  write('deep/10', ignoring('/deep'));
  for (const text of [
    ignoring('/before') + including('a/one'),
    including('a/one') + ignoring('/after'),
    ignoring('/before') + including('b/two'),
    ignoring('/before') + including('~/b/three'),
    ignoring('/before') + including(user.home.path('b/four')),
    ignoring('/before') + including('b/absent') + including('nowhere/absent'),
    including('deep/1'),
    '[core]\n\texcludesFile = ~/of-home\n',
  ]) {
    write('.gitconfig', text);
    const [gits, ours] = await bothSay(user, tree);
    assert.equal(ours, gits, text);
  }
  write('linked', including('b/four'));
  user.home.remove('.gitconfig');
  symlinkSync('linked', user.home.path('.gitconfig'));
  const [gits, ours] = await bothSay(user, tree);
  assert.deepEqual([gits, ours], ['/four', '/four'], 'by way of a link');
});

test('a file that is included is named whether it is there, empty, or neither', async t => {
  const user = gitUser(t);
  const repository = repositoryAt(gitRepository(t).root);
  const { write, path } = user.home;
  const said = () => user.git.excludeFiles(repository);
  write('.gitconfig', including('sub/empty') + including('~/sub/absent') + includingIf('onbranch:x', 'never'));
  write('sub/empty', '');
  const { configuration, patterns } = await said();
  for (const file of [path('sub/empty'), path('sub/absent'), `${repository.gitDir}/HEAD`])
    assert.ok(configuration.includes(file), file);
  assert.ok(!configuration.includes(path('never')));
  assert.equal(patterns[0], path('.config/git/ignore'));
  write('sub/empty', ignoring('/one'));
  assert.equal((await said()).patterns[0], '/one');
  write('sub/absent', ignoring('/two'));
  assert.equal((await said()).patterns[0], '/two');
});

test('what includes itself, or what is no file, ends', async t => {
  const user = gitUser(t);
  const repository = repositoryAt(gitRepository(t).root);
  const { write, path } = user.home;
  const patterns = async () => (await user.git.excludeFiles(repository)).patterns[0];
  execFileSync('mkfifo', [path('pipe')]);
  write('.gitconfig', including('pipe') + including('/dev/zero') + including('.') + ignoring('/mine'));
  assert.equal(await patterns(), '/mine');
  write('.gitconfig', ignoring('/mine') + including('.gitconfig').repeat(50));
  assert.equal(await patterns(), '/mine');
});

test('a repository’s own configuration includes nothing and is asked nothing else, whatever it says', async t => {
  const user = gitUser(t);
  const tree = gitRepository(t);
  const repository = repositoryAt(tree.root);
  user.home.write('.gitconfig', includingIf('gitdir:**', 'mine'));
  user.home.write('mine', ignoring('/mine'));
  const own = `[core]\n\trepositoryFormatVersion = 0\n[extensions]\n\tworktreeConfig = true\n`;
  const patterns = async () => (await user.git.excludeFiles(repository)).patterns[0];
  for (const [name, text] of Object.entries({
    pipe: including(user.home.path('pipe')),
    'no end': including('/dev/zero') + includingIf('gitdir:**', '/dev/zero'),
    'another’s': including(user.home.path('theirs')) + includingIf('onbranch:**', user.home.path('theirs')),
    programs: `[core]\n\tfsmonitor = touch ${user.home.path('ran')}\n\tworktree = /nowhere\n[pager]\n\tconfig = false\n`,
    broken: '[core\n',
    'more lines than a call takes arguments': `[a]\n${'x\n'.repeat(400_000)}`,
  })) {
    user.home.write('theirs', ignoring('/theirs'));
    user.home.remove('pipe');
    execFileSync('mkfifo', [user.home.path('pipe')]);
    tree.write('.git/config', own + text);
    tree.write('.git/config.worktree', text);
    assert.equal(await patterns(), '/mine', name);
  }
  tree.write('.git/config', own);
  tree.remove('.git/config.worktree');
  execFileSync('mkfifo', [tree.path('.git/config.worktree')]);
  assert.equal(await patterns(), '/mine', 'a pipe for a worktree’s configuration');
});

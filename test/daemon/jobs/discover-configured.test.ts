import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discover } from '../../../daemon/jobs/discover.ts';
import { gitUser } from '../../support/git-user.ts';
import { gitRepository, temporaryFolder, type Workspace, workspace } from '../../support/repository.ts';

interface Places {
  readonly home: Workspace;
  readonly tree: Workspace;
}

/** Each upon the one before. */
const steps: readonly { readonly edit: string; act(places: Places): void }[] = [
  {
    edit: 'the user includes a file that is not there, and ignores nothing',
    act: ({ home }) => {
      home.write('.gitconfig', '[include]\n\tpath = sub/more\n');
      home.write('a', 'a.ts\n');
      home.write('b', 'b.ts\n');
      home.write('c', 'c.ts\n');
    },
  },
  { edit: 'it is there and empty', act: ({ home }) => home.write('sub/more', '') },
  { edit: 'it names another', act: ({ home }) => home.write('sub/more', '[include]\n\tpath = ~/sub/deeper\n') },
  { edit: 'which names a file', act: ({ home }) => home.write('sub/deeper', '[core]\n\texcludesFile = ~/a\n') },
  {
    edit: 'one for folders above this one',
    act: ({ home, tree }) => {
      home.write('.gitconfig', `[includeIf "gitdir:${tree.root}/"]\n\tpath = here\n[include]\n\tpath = sub/more\n`);
      home.write('here', '[core]\n\texcludesFile = ~/b\n');
      home.write('sub/deeper', '');
    },
  },
  {
    edit: 'one for another',
    act: ({ home }) => home.write('.gitconfig', '[includeIf "gitdir:/other/"]\n\tpath = here'),
  },
  {
    edit: 'one for a branch',
    act: ({ home }) => home.write('.gitconfig', '[includeIf "onbranch:odd"]\n\tpath = here'),
  },
  { edit: 'the branch', act: ({ tree }) => tree.git('checkout', '--quiet', '-b', 'odd') },
  {
    edit: 'a worktree’s own configuration, of which nothing is said',
    act: ({ tree }) => worktreeSays(tree, 'excludesFile = ~/c'),
  },
  {
    edit: 'of which the user says it',
    act: ({ home }) => home.write('.gitconfig', '[extensions]\n\tworktreeConfig = true\n'),
  },
  { edit: 'of which the repository does', act: ({ tree }) => tree.git('config', 'extensions.worktreeConfig', 'yes') },
  { edit: 'in any case, by the worktree', act: ({ tree }) => worktreeSays(tree, 'ignoreCase') },
  { edit: 'not by the worktree', act: ({ tree }) => worktreeSays(tree, 'ignoreCase =') },
  {
    edit: 'in any case, by the repository',
    act: ({ tree }) => {
      tree.remove('.git/config.worktree');
      tree.git('config', 'core.ignoreCase', 'TRUE');
    },
  },
  {
    edit: 'in any case, by the user',
    act: ({ home, tree }) => {
      tree.git('config', '--unset', 'core.ignoreCase');
      home.write('.gitconfig', '[core]\n\tignoreCase = on\n');
    },
  },
  { edit: 'not by the repository', act: ({ tree }) => tree.git('config', 'core.ignoreCase', 'false') },
];

function worktreeSays(tree: Workspace, text: string): void {
  tree.write('.git/config.worktree', `[core]\n\t${text}\n`);
}

test('lists what git lists, whatever configuration says and includes, as soon as it does', async t => {
  const { home, git, ask } = gitUser(t);
  const tree = gitRepository(t, '-- .gitignore --\nGEN/\nsrc/*.LOG\n');
  for (const path of ['a.ts', 'b.ts', 'c.ts', 'gen/x.ts', 'src/x.log', 'A.ts/x', '.GIT/x']) tree.write(path, '');
  const listed = new Set<string>();
  for (const { edit, act } of steps) {
    act({ home, tree });
    const gits = ask(tree.root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
    const ours = (await discover(tree.root, { git })).files.map(file => file.path as string);
    assert.deepEqual(ours, gits.filter(path => path !== '').sort(), edit);
    listed.add(ours.join());
  }
  assert.equal(listed.size, 5, 'nothing, each of three files, and the case of letters');
});

test('a worktree has its own configuration beside the one that it shares', async t => {
  const { home, git, ask } = gitUser(t);
  const tree = gitRepository(t, '-- b.ts --\n');
  const other = workspace(temporaryFolder(t).path('other'));
  tree.git('worktree', 'add', '--quiet', '-b', 'other', other.root);
  home.write('a', 'a.ts\n');
  tree.git('config', 'extensions.worktreeConfig', 'true');
  other.git('config', '--worktree', 'core.excludesFile', '~/a');
  for (const { root, write } of [tree, other]) {
    write('a.ts', '');
    const gits = ask(root, 'ls-files', '--cached', '--others', '--exclude-standard').trimEnd();
    const { files } = await discover(root, { git });
    assert.equal(files.map(file => file.path).join('\n'), gits.split('\n').sort().join('\n'));
    assert.equal(files.length, root === tree.root ? 2 : 1);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ready } from '../../oracle/stored.ts';
import { startDaemon, type TestDaemon, temporaryHome, until } from '../../support/daemon.ts';
import { gitRepository, temporaryFolder, type Workspace, workspace, writeTree } from '../../support/repository.ts';

/** Not tracked: what git tracks belongs to the tree whatever is ignored. */
const files = `
-- a.ts --
export function functionA() {}
-- b.ts --
export function functionB() {}
-- c.ts --
export function functionC() {}
`;

interface Places {
  readonly user: Workspace;
  readonly repository: Workspace;
}

interface Step {
  readonly edit: string;
  act(places: Places): void;
  readonly left: string;
}

const steps: readonly Step[] = [
  {
    edit: 'info/exclude, which a repository’s worktrees share',
    act: ({ repository }) => repository.write('.git/info/exclude', 'a.ts\n'),
    left: 'b c',
  },
  {
    edit: 'the same file, to as many bytes',
    act: ({ repository }) => repository.write('.git/info/exclude', 'b.ts\n'),
    left: 'a c',
  },
  {
    edit: 'the user’s ignore file, in a folder that was not there',
    act: ({ user }) => user.write('.config/git/ignore', 'a.ts\n'),
    left: 'c',
  },
  {
    edit: 'a user’s configuration that names another, by way of an included file',
    act({ user }) {
      user.write('mine', 'c.ts\n');
      user.write('more', `[core]\n\texcludesFile = ~/mine\n`);
      user.write('.gitconfig', '[include]\n\tpath = more\n');
    },
    left: 'a',
  },
  { edit: 'the file that is named now', act: ({ user }) => user.write('mine', '# nothing\n'), left: 'a c' },
  {
    edit: 'the included file',
    act: ({ user }) => user.write('more', '[user]\n\tname = Somebody\n'),
    left: 'c',
  },
  {
    edit: 'the repository’s own configuration',
    act: ({ repository }) => repository.git('config', 'core.excludesFile', '/dev/null'),
    left: 'a c',
  },
  { edit: 'no info/exclude', act: ({ repository }) => repository.remove('.git/info/exclude'), left: 'a b c' },
];

test('what is ignored follows files that lie outside the tree: by the next synced answer, and soon by itself', async t => {
  const user = temporaryFolder(t);
  const repository = gitRepository(t, '-- readme --\n');
  const other = workspace(temporaryFolder(t).path('worktree'));
  repository.git('worktree', 'add', '--quiet', '-b', 'other', other.root);
  for (const { root } of [repository, other]) writeTree(root, files);
  const daemon = await startDaemon(t, temporaryHome(t, { SVC_HTTP_ENABLED: 'false', HOME: user.root }));
  await daemon.client.daemon.addRepo({ root: repository.root, id: 'main' });
  await daemon.client.daemon.addRepo({ root: other.root, id: 'worktree' });
  await ready(daemon);
  assert.equal(await found(daemon, 'main', true), 'a b c');
  for (const { edit, act, left } of steps) {
    act({ user, repository });
    assert.equal(await found(daemon, 'main', true), left, edit);
    await until(`${edit}: the worktree’s`, async () => (await found(daemon, 'worktree', false)) === left);
  }
});

const configured: readonly Step[] = [
  {
    edit: 'an included file that is empty, and one in a folder that is not there',
    act({ user }) {
      user.write('a', 'a.ts\n');
      user.write('b', 'b.ts\n');
      user.write('.gitconfig', '[include]\n\tpath = ~/sub/more\n\tpath = no/where\n');
      user.write('sub/more', '');
    },
    left: 'a b c',
  },
  {
    edit: 'the empty one',
    act: ({ user }) => user.write('sub/more', '[core]\n\texcludesFile = ~/a\n'),
    left: 'b c',
  },
  {
    edit: 'the one that was not there',
    act: ({ user }) => user.write('no/where', '[core]\n\texcludesFile = ~/b\n'),
    left: 'a c',
  },
  {
    edit: 'a condition for folders and one for a branch',
    act: ({ user, repository }) =>
      user.write(
        '.gitconfig',
        `[includeIf "gitdir:${repository.root}/"]\n\tpath = sub/more\n[includeIf "onbranch:odd"]\n\tpath = no/where\n`,
      ),
    left: 'b c',
  },
  {
    edit: 'the branch',
    act: ({ repository }) => repository.git('symbolic-ref', 'HEAD', 'refs/heads/odd'),
    left: 'a c',
  },
  {
    edit: 'a worktree’s own configuration',
    act({ repository }) {
      repository.write('.git/info/exclude', '/C.ts\n');
      repository.git('config', 'extensions.worktreeConfig', 'true');
      repository.git('config', '--worktree', 'core.excludesFile', '/dev/null');
    },
    left: 'a b c',
  },
  {
    edit: 'the same file, about the case of letters',
    act: ({ repository }) => repository.git('config', '--worktree', 'core.ignoreCase', 'true'),
    left: 'a b',
  },
];

test('what is ignored follows configuration and whatever it includes: by the next synced answer', async t => {
  const user = temporaryFolder(t);
  const repository = gitRepository(t, '-- readme --\n');
  writeTree(repository.root, files);
  const daemon = await startDaemon(t, temporaryHome(t, { SVC_HTTP_ENABLED: 'false', HOME: user.root }));
  await daemon.client.daemon.addRepo({ root: repository.root, id: 'main' });
  await ready(daemon);
  for (const { edit, act, left } of configured) {
    act({ user, repository });
    assert.equal(await found(daemon, 'main', true), left, edit);
  }
});

async function found({ client }: TestDaemon, repo: string, sync: boolean): Promise<string> {
  const { results } = await client.symbols.search({ q: 'function', repo, sync });
  return results
    .map(({ name }) => name.replace('function', '').toLowerCase())
    .sort()
    .join(' ');
}

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createGit } from '../../../daemon/backends/git.ts';
import { discover, lookAt } from '../../../daemon/jobs/discover.ts';
import { gitRepository, temporaryFolder, type Workspace, workspace, writeTree } from '../../support/repository.ts';
import { whileWithoutRights } from '../../support/without-rights.ts';

const home = { PATH: process.env['PATH'], HOME: '/nonexistent' };

function gitFor(t: TestContext) {
  return createGit({ shadowFolder: temporaryFolder(t).path('shadow'), environment: home });
}

async function found(t: TestContext, root: string): Promise<readonly string[]> {
  return (await discover(root, { git: gitFor(t) })).files.map(file => file.path);
}

/** What git lists and is there, without folders (submodules and repositories inside). */
function listedByGit(root: string): readonly string[] {
  const listed = workspace(root).git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
  return [...new Set(listed)]
    .filter(path => path !== '' && lstatSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === false)
    .sort();
}

const sources = `
  -- .gitignore --
  out/
  *.log
  !keep.log
  -- src/a.ts --
  -- src/.gitignore --
  gen*
  -- src/gen.ts --
  -- src/deep/keep.log --
  -- src/deep/x.log --
  -- link -> src/a.ts --
  -- folder-link -> src --
  -- broken -> nowhere --`;

test('lists what git lists', t => check(t, gitRepository(t, sources)));

test('lists tracked files that are ignored, and not their neighbours', async t => {
  const tree = gitRepository(t, sources);
  tree.write('out/kept/tracked.ts', '');
  tree.write('out/kept/other.ts', '');
  tree.git('add', '--force', 'out/kept/tracked.ts', 'src/deep/x.log');
  await check(t, tree);
  const { trackedButIgnored } = await discover(tree.root, { git: gitFor(t) });
  assert.deepEqual(trackedButIgnored, ['out/kept/tracked.ts', 'src/deep/x.log']);
});

test('of folders that are closed nothing is listed or looked at, tracked or not, ignored or not', async t => {
  const tree = gitRepository(t, sources);
  const closed = ['own', 'out/own'].map(path => tree.path(path));
  for (const path of ['own/lock.db', 'own/deep/a.ts', 'out/own/a.ts', 'out/tracked.ts', 'ownership.ts'])
    tree.write(path, '');
  tree.git('add', '--force', 'own/lock.db', 'out/own/a.ts', 'out/tracked.ts');
  const options = { git: gitFor(t), closed };
  const { files, trackedButIgnored } = await discover(tree.root, options);
  const added = files.map(file => file.path).filter(path => path.startsWith('o'));
  assert.deepEqual(added, ['out/tracked.ts', 'ownership.ts']);
  assert.deepEqual(trackedButIgnored, ['out/tracked.ts']);
  const at = async (...paths: string[]) => (await lookAt(tree.root, paths, options)).files.map(file => file.path);
  assert.deepEqual(await at('own', 'own/lock.db', 'own/deep', 'out/own/a.ts'), []);
  assert.deepEqual(await at('own/lock.db', 'out', 'ownership.ts'), added);
  assert.deepEqual(
    await at(''),
    files.map(file => file.path),
  );
});

test('lists neither submodules nor repositories inside', async t => {
  const other = gitRepository(t, '-- inner.ts --');
  const tree = gitRepository(t, sources);
  tree.git('submodule', '--quiet', 'add', other.root, 'module');
  tree.commit();
  execFileSync('git', ['init', '--quiet', tree.path('nested')]);
  tree.write('nested/n.ts', '');
  await check(t, tree);
  assert.deepEqual(await found(t, tree.path('module')), ['inner.ts'], 'a submodule is a tree of its own');
});

test('lists a worktree by its own index', async t => {
  const tree = gitRepository(t, sources);
  const place = join(temporaryFolder(t).root, 'second');
  tree.git('worktree', 'add', '--quiet', '-b', 'second', place);
  const second = workspace(place);
  second.write('only-here.ts', '');
  second.write('forced.log', '');
  second.git('add', '--force', 'forced.log');
  await check(t, second);
  await check(t, tree);
});

test('lists a folder inside a work tree by the rules above it', async t => {
  const tree = gitRepository(t, sources);
  tree.write('src/y.log', '');
  assert.deepEqual(await found(t, tree.path('src')), listedByGit(tree.path('src')));
});

test('lists what info/exclude and core.excludesFile leave', async t => {
  const tree = gitRepository(t, sources);
  tree.write('.git/info/exclude', 'excluded.ts\n');
  tree.write('my-ignores', 'mine.ts\n');
  tree.git('config', 'core.excludesFile', tree.path('my-ignores'));
  for (const path of ['excluded.ts', 'mine.ts', 'stays.ts']) tree.write(path, '');
  await check(t, tree);
});

test('lists odd names, and says which it can’t', async t => {
  const tree = gitRepository(t);
  for (const name of ['ü.ts', ' ', 'new\nline', 'q"uote', "it's", '-x', '\ufffd.ts', '__proto__']) tree.write(name, '');
  writeFileSync(Buffer.concat([Buffer.from(`${tree.root}/`), Buffer.from([0x62, 0xff, 0x2e, 0x74, 0x73])]), '');
  mkdirSync(tree.path(Array.from({ length: 230 }, () => 'd').join('/')), { recursive: true });
  const { files, unlisted } = await discover(tree.root, { git: gitFor(t) });
  assert.deepEqual(
    files.map(file => file.path),
    [' ', '-x', '__proto__', "it's", 'new\nline', 'q"uote', 'ü.ts', '\ufffd.ts'],
  );
  assert.deepEqual(unlisted.map(one => one.reason).sort(), ['name_not_utf8', 'too_deep']);
  assert.equal(unlisted.find(one => one.reason === 'name_not_utf8')?.path, String.raw`b\xff.ts`);
});

test('a folder that is closed is told by its name, be it looked at as part of the tree, by name, or on the way to a file', async t => {
  const tree = temporaryFolder(
    t,
    '-- a.ts --\n-- unread/b.ts --\n-- shut/c.ts --\n-- shut/deep/d.ts --\n-- open/e.ts --',
  );
  chmodSync(tree.root, 0o755);
  const modes = (unread: number, shut: number): void => {
    chmodSync(tree.path('unread'), unread);
    chmodSync(tree.path('shut'), shut);
  };
  const seen = async (look: () => ReturnType<typeof lookAt>) => {
    const { files, unlisted } = await whileWithoutRights(look);
    const told = unlisted.map(({ path, reason }) => `${path}: ${reason}`).sort();
    return [files.map(file => file.path), told];
  };
  const named = ['unread', 'shut/c.ts', 'shut/deep/d.ts', 'open'];
  modes(0o000, 0o644);
  const both = ['shut: unreadable', 'unread: unreadable'];
  assert.deepEqual(await seen(() => discover(tree.root)), [['a.ts', 'open/e.ts'], both]);
  assert.deepEqual(await seen(() => lookAt(tree.root, named)), [['open/e.ts'], both]);
  modes(0o755, 0o755);
  assert.deepEqual((await seen(() => lookAt(tree.root, named)))[1], []);
});

test('a git that is closed is told by its name where git is asked, for it tracks what is ignored', async t => {
  const tree = gitRepository(t, '-- a.ts --\n-- gen/b.ts --\n');
  tree.write('.gitignore', 'gen/\n');
  chmodSync(tree.root, 0o755);
  const git = gitFor(t);
  const seen = async (look: () => ReturnType<typeof lookAt>) => {
    const { files, unlisted } = await whileWithoutRights(look);
    return [files.map(file => file.path), unlisted.map(({ path, reason }) => `${path}: ${reason}`)];
  };
  chmodSync(tree.path('.git'), 0o000);
  const told = ['.git: git_unreadable'];
  assert.deepEqual(await seen(() => discover(tree.root, { git })), [['.gitignore', 'a.ts'], told]);
  assert.deepEqual(await seen(() => lookAt(tree.root, ['gen/b.ts'], { git })), [[], told]);
  assert.deepEqual(await seen(() => discover(tree.root)), [['.gitignore', 'a.ts'], []]);
});

test('a root that is closed is not taken for an empty one', async t => {
  const tree = temporaryFolder(t, '-- a.ts --');
  for (const mode of [0o000, 0o644, 0o311]) {
    chmodSync(tree.root, mode);
    await assert.rejects(
      whileWithoutRights(() => discover(tree.root)),
      { code: 'EACCES' },
    );
  }
});

test('never follows a link, waits for a pipe or lists what is no file', async t => {
  const tree = gitRepository(t, '-- a.ts --');
  symlinkSync('.', tree.path('self'));
  symlinkSync('/etc', tree.path('etc'));
  execFileSync('mkfifo', [tree.path('pipe.ts'), tree.path('.gitignore')]);
  assert.deepEqual(await found(t, tree.root), ['a.ts', 'etc', 'self']);
  tree.remove('.gitignore'); // git itself would wait for it
  tree.write('gone/b.ts', '');
  tree.git('add', 'gone/b.ts');
  tree.remove('gone');
  writeTree(tree.root, '-- elsewhere/b.ts --');
  symlinkSync('elsewhere', tree.path('gone'));
  assert.ok(!(await found(t, tree.root)).includes('gone/b.ts'), 'the index names a path that now leads through a link');
});

test('outside a repository ignore files and the usual ignores hold', async t => {
  const tree = temporaryFolder(
    t,
    `
    -- a.ts --
    -- node_modules/x/index.js --
    -- lib/.gitignore --
    *.gen.ts
    -- lib/b.gen.ts --
    -- .hg/store --`,
  );
  assert.deepEqual(await found(t, tree.root), ['a.ts', 'lib/.gitignore']);
  tree.write('.gitignore', '!node_modules/\n');
  assert.ok((await found(t, tree.root)).includes('node_modules/x/index.js'), 'who says otherwise is heard');
});

test('a missing git leaves the ignore files', async t => {
  const tree = gitRepository(t, sources);
  const git = createGit({ shadowFolder: temporaryFolder(t).path('s'), program: '/nonexistent/git', environment: home });
  for (const options of [{ git }, {}]) {
    assert.deepEqual(
      (await discover(tree.root, options)).files.map(file => file.path),
      listedByGit(tree.root),
    );
  }
});

test('looks at paths as discovery would, files and folders alike', async t => {
  const tree = gitRepository(t, sources);
  tree.write('out/tracked.ts', '');
  tree.git('add', '--force', 'out/tracked.ts');
  tree.write('out/other.ts', '');
  const git = gitFor(t);
  const at = async (...paths: string[]) => (await lookAt(tree.root, paths, { git })).files.map(file => file.path);
  assert.deepEqual(await at('src/a.ts', 'absent.ts', 'src/gen.ts', 'out/tracked.ts', 'out/other.ts'), [
    'out/tracked.ts',
    'src/a.ts',
  ]);
  assert.deepEqual(await at('src', 'src/deep'), ['src/.gitignore', 'src/a.ts', 'src/deep/keep.log']);
  assert.deepEqual(await at('out'), ['out/tracked.ts']);
  assert.deepEqual(await at('folder-link/a.ts', '../outside', '.git/config', '/etc/passwd'), []);
  assert.deepEqual(await at(''), await found(t, tree.root));
});

test('tells size, times, inode and mode', async t => {
  const tree = gitRepository(t, '-- run.sh --\necho');
  const [file] = (await discover(tree.root, { git: gitFor(t) })).files;
  const stat = lstatSync(tree.path('run.sh'), { bigint: true });
  assert.deepEqual(file, {
    path: 'run.sh',
    size: Number(stat.size),
    mtimeNs: stat.mtimeNs,
    ctimeNs: stat.ctimeNs,
    ino: stat.ino,
    nlink: stat.nlink,
    mode: Number(stat.mode),
  });
});

test('stops when told', async t => {
  const tree = gitRepository(t, sources);
  await assert.rejects(discover(tree.root, { git: gitFor(t), signal: AbortSignal.abort() }));
});

async function check(t: TestContext, tree: Workspace): Promise<void> {
  const listed = listedByGit(tree.root);
  assert.ok(listed.length > 3);
  assert.deepEqual(await found(t, tree.root), listed);
}

test('a file in the place of a folder whose files git still tracks is one file', async t => {
  const tree = gitRepository(t, '-- pkg/a.ts --\n-- pkg/deep/b.ts --');
  const git = gitFor(t);
  tree.remove('pkg');
  tree.write('pkg', 'now a file');
  assert.deepEqual(
    (await lookAt(tree.root, ['pkg', 'pkg/a.ts', 'pkg/deep/b.ts'], { git })).files.map(file => file.path),
    ['pkg'],
  );
});

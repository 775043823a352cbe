import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { findRepository } from '../../../daemon/backends/git-repository.ts';
import { discover, lookAt } from '../../../daemon/jobs/discover.ts';
import { openTreeRules } from '../../../daemon/jobs/follow/tree-rules.ts';
import { withoutGit } from '../../../daemon/jobs/git-trouble.ts';
import { gitFilesCheck } from '../../../daemon/operations/doctor/git-files.ts';
import { commonFolderOf } from '../../../daemon/server/common-folder.ts';
import { askedGit, repositoryAt } from '../../support/asked-git.ts';
import { afterAll, gitRepository, temporaryFolder, type Workspace } from '../../support/repository.ts';

const files = '-- a.ts --\n-- gen/b.ts --\n';
const { git } = askedGit(afterAll);
const pipe = (path: string): void => void execFileSync('mkfifo', [path]);

function inPlace(path: string, make: (tree: Workspace) => unknown) {
  return (tree: Workspace): void => {
    tree.remove(path);
    make(tree);
  };
}

/** Follows a remedy to the letter. */
function follow(command: string | undefined, folder: string): void {
  execFileSync('sh', ['-ec', command ?? 'false'], { cwd: folder, stdio: 'ignore' });
}

/** What becomes of `.git`, what is said of it, and the kind that the remedy leaves there. */
const broken: readonly (readonly [said: RegExp, left: 'none' | 'repository', breaks: (tree: Workspace) => void])[] = [
  [/leads to \/nonexistent, which/, 'none', inPlace('.git', tree => tree.write('.git', 'gitdir: /nonexistent\n'))],
  [/\.git leads to .*\.git, which/, 'none', inPlace('.git', tree => tree.write('.git', 'gitdir: .git\n'))],
  [/names no git folder/, 'none', inPlace('.git', tree => tree.write('.git', 'words\n'))],
  [/neither a folder nor a file/, 'none', inPlace('.git', tree => pipe(tree.path('.git')))],
  [/leads to .*nowhere, which/, 'none', inPlace('.git', tree => symlinkSync('nowhere', tree.path('.git')))],
  [/HEAD is missing/, 'repository', inPlace('.git', tree => mkdirSync(tree.path('.git')))],
  [/HEAD is missing/, 'repository', tree => tree.remove('.git/HEAD')],
  [/refs is missing/, 'repository', tree => tree.remove('.git/refs')],
  [/objects is missing/, 'repository', tree => tree.remove('.git/objects')],
];

test('a `.git` that leads to no repository is not taken for none, and its remedy does what it says', async t => {
  const origin = gitRepository(t, files);
  origin.commit();
  for (const [said, left, breaks] of broken) {
    const tree = temporaryFolder(t);
    tree.git('clone', '--quiet', origin.root, '.');
    breaks(tree);
    const found = findRepository(tree.root);
    assert.equal(found.found, 'unusable', `${said}`);
    const { status, message, fixes = [] } = gitFilesCheck(tree.root);
    assert.deepEqual([status, said.test(message)], ['fail', true], message);
    const fault = withoutGit(found, tree.root, 'no history');
    assert.deepEqual([fault.extras.details, fault.extras.suggestedFixes], [{ reason: 'git_unreadable' }, fixes]);
    assert.match(fault.message, said);
    const told = [{ path: '.git', reason: 'git_unreadable' }];
    assert.deepEqual((await discover(tree.root, { git })).unlisted, told);
    assert.deepEqual((await lookAt(tree.root, ['a.ts'], { git })).unlisted, told);
    assert.deepEqual([commonFolderOf(tree.root), commonFolderOf(tree.root, '/known')], ['', '/known']);
    follow(fixes[0]?.command, tree.root);
    assert.deepEqual([findRepository(tree.root).found, gitFilesCheck(tree.root).status], [left, 'pass'], `${said}`);
  }
});

test('no repository around is meant for one whose `.git` leads nowhere; an empty folder is passed over, as by git', t => {
  const outer = gitRepository(t, files);
  mkdirSync(outer.path('gen/.git'));
  assert.equal(repositoryAt(outer.path('gen')).workTree, outer.root);
  outer.write('gen/.git/config', '');
  assert.equal(findRepository(outer.path('gen')).found, 'unusable');
  const plain = temporaryFolder(t, '-- below/a.ts --\n');
  mkdirSync(plain.path('.git'));
  assert.deepEqual(findRepository(plain.path('below')), { found: 'none' });
});

test('a second work tree is led to the first one where that has been moved to', t => {
  const place = temporaryFolder(t);
  const main = gitRepository(t, files);
  main.commit();
  renameSync(main.root, place.path('main'));
  execFileSync('git', ['-C', place.path('main'), 'worktree', 'add', '--quiet', place.path('second')], {
    stdio: 'ignore',
  });
  renameSync(place.path('main'), place.path('moved'));
  const { message, fixes } = gitFilesCheck(place.path('second'));
  assert.ok(message.includes(`: its repository is at ${place.path('moved')} now;`), message);
  follow(fixes?.[0]?.command, '/');
  assert.equal(repositoryAt(place.path('second')).commonDir, place.path('moved/.git'));
  renameSync(place.path('moved'), place.path('far'));
  place.remove('far');
  assert.match(gitFilesCheck(place.path('second')).message, /: bring that back;/);
});

test('who watches a tree hears of git that can be used no more, and of the way back', async t => {
  const tree = gitRepository(t, files);
  const rules = await openTreeRules(tree.root, git, []);
  await rules.refresh();
  assert.equal(await rules.refresh(), 'nothing');
  renameSync(tree.path('.git/objects'), tree.path('.git/aside'));
  assert.deepEqual([await rules.refresh(), rules.repository()], ['rules', undefined]);
  assert.equal(await rules.refresh(), 'nothing');
  renameSync(tree.path('.git/aside'), tree.path('.git/objects'));
  assert.deepEqual([await rules.refresh(), rules.repository()?.workTree], ['rules', tree.root]);
});

test('a file of git’s own that is none, and objects borrowed from what is gone, are told while that lasts', t => {
  const lender = gitRepository(t, files);
  const commit = lender.commit();
  const tree = temporaryFolder(t);
  tree.git('clone', '--quiet', '--shared', lender.root, '.');
  tree.git('pack-refs', '--all');
  for (const name of ['config', 'shallow', 'packed-refs']) {
    tree.remove(`.git/${name}`);
    pipe(tree.path(`.git/${name}`));
    const { status, message, fixes } = gitFilesCheck(tree.root);
    assert.equal(status, 'warn');
    assert.ok(message.startsWith(`${tree.path(`.git/${name}`)} is no regular file`), message);
    follow(fixes?.[0]?.command, tree.root);
    assert.equal(gitFilesCheck(tree.root).status, 'pass', name);
  }
  assert.equal(tree.git('rev-parse', 'HEAD'), commit);
  renameSync(lender.path('.git/objects'), lender.path('.git/aside'));
  const { status, message } = gitFilesCheck(tree.root);
  assert.deepEqual([status, message.startsWith(`${lender.path('.git/objects')}, where `)], ['warn', true], message);
  writeFileSync(tree.path('.git/objects/info/alternates'), `${lender.path('.git/aside')}\n`);
  assert.equal(gitFilesCheck(tree.root).status, 'pass');
});

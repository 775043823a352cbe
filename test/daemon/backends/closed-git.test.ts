import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { readHead } from '../../../daemon/backends/git-refs.ts';
import { findRepository } from '../../../daemon/backends/git-repository.ts';
import { knownHead } from '../../../daemon/jobs/known-head.ts';
import { gitFilesCheck } from '../../../daemon/operations/doctor/git-files.ts';
import { commitNamed } from '../../../daemon/operations/readers/revisions.ts';
import { commonFolderOf } from '../../../daemon/server/common-folder.ts';
import { askedGit, repositoryAt } from '../../support/asked-git.ts';
import { gitRepository, temporaryFolder, type Workspace } from '../../support/repository.ts';
import { whileWithoutRights, withoutRights } from '../../support/without-rights.ts';

const files = '-- a.ts --\n';

/** A repository that lies in another one. */
function inner(t: Parameters<typeof gitRepository>[0]): Workspace {
  const outer = gitRepository(t, files);
  chmodSync(outer.root, 0o755);
  mkdirSync(outer.path('inner'));
  outer.git('init', '--quiet', 'inner');
  return { ...outer, root: outer.path('inner'), path: (path: string) => outer.path(`inner/${path}`) };
}

function refusal(work: () => unknown): Fault {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof Fault);
    return error;
  }
  assert.fail('it is not refused');
}

const commands = ({ extras }: Fault) => extras.suggestedFixes?.map(one => one.command);

test('git that may not be looked into is neither none nor the one around it, and is told with what lets us in', t => {
  const tree = inner(t);
  const git = tree.path('.git');
  for (const mode of [0o000, 0o644]) {
    chmodSync(git, mode);
    const found = withoutRights(() => findRepository(tree.root));
    assert.deepEqual(found, { found: 'unreadable', path: `${git}/HEAD` });
    const { message, reason, extras } = refusal(() => withoutRights(() => commonFolderOf(tree.root)));
    assert.deepEqual([reason, extras.details], ['preconditionFailed', { reason: 'git_unreadable' }]);
    assert.ok(message.startsWith(`root: its git can’t be looked into: ${git} belongs to `), message);
    const finding = withoutRights(() => gitFilesCheck(tree.root));
    assert.equal(finding.status, 'fail');
    assert.ok(finding.message.startsWith(`${git} belongs to `), finding.message);
    assert.match(finding.fixes?.[0]?.command ?? '', /^(sudo chown \d+|chmod u\+rX) .*\/\.git$/);
  }
  chmodSync(git, 0o311);
  assert.equal(
    withoutRights(() => commonFolderOf(tree.root)),
    git,
    'what is asked for by name is found',
  );
});

test('a file that leads to git and may not be read, or leads to a closed folder, does not lead past it', t => {
  const main = gitRepository(t, files);
  chmodSync(main.root, 0o755);
  const tree = inner(t);
  main.git('commit', '--quiet', '--allow-empty', '--message', 'x');
  main.git('worktree', 'add', '--quiet', tree.path('more'));
  const found = () => withoutRights(() => findRepository(tree.path('more')));
  assert.equal(found().found, 'repository');
  const closings: readonly (readonly [closed: string, told: string])[] = [
    [tree.path('more/.git'), tree.path('more/.git')],
    [main.path('.git/worktrees/more/commondir'), main.path('.git/worktrees/more/commondir')],
    [main.path('.git/worktrees'), main.path('.git/worktrees/more')],
  ];
  for (const [closed, told] of closings) {
    chmodSync(closed, 0o000);
    assert.deepEqual(found(), { found: 'unreadable', path: told });
    chmodSync(closed, 0o755);
  }
  assert.equal(found().found, 'repository');
});

test('packed refs that can’t be read are trouble, and no branch without a commit', async t => {
  const tree = gitRepository(t, files);
  chmodSync(tree.root, 0o755);
  tree.git('commit', '--quiet', '--allow-empty', '--message', 'x');
  const unpacked = repositoryAt(tree.root);
  const commit = tree.git('rev-parse', 'HEAD');
  tree.git('pack-refs', '--all');
  const head = () => whileWithoutRights(() => readHead(unpacked));
  assert.equal((await head()).commit, commit);
  const trouble = { commit: undefined, branch: 'main', trouble: 'packed-refs is no file that can be read' };
  const packed = tree.path('.git/packed-refs');
  chmodSync(packed, 0o000);
  assert.deepEqual(await head(), trouble);
  await assert.rejects(
    whileWithoutRights(() => knownHead(readHead(unpacked), unpacked)),
    (error: Fault) => error.message.startsWith(`HEAD can’t be read: ${packed} belongs to `),
  );
  tree.remove('.git/packed-refs');
  assert.deepEqual(await head(), { commit: undefined, branch: 'main' });
  mkdirSync(packed);
  assert.deepEqual(await head(), trouble);
});

test('a HEAD or an index that is closed is to be opened, and not to be written anew', async t => {
  const tree = gitRepository(t, files);
  chmodSync(tree.root, 0o755);
  const repository = repositoryAt(tree.root);
  const opens = (path: string) => new RegExp(`^(sudo chown \\d+|chmod u\\+rX) ${tree.path(path)}$`);
  chmodSync(tree.path('.git/index'), 0o000);
  const { message, fixes } = withoutRights(() => gitFilesCheck(tree.root));
  assert.match(message, /^git’s index can’t be read/);
  assert.deepEqual([fixes?.length, opens('.git/index').test(fixes?.[0]?.command ?? '')], [1, true]);
  chmodSync(tree.path('.git/HEAD'), 0o000);
  const refused = await whileWithoutRights(() => knownHead(readHead(repository), repository)).catch(error => error);
  assert.match(commands(refused)?.join() ?? '', opens('.git/HEAD'));
});

test('no revision is said to name nothing for a part of git that is closed, and doctor fails over it', async t => {
  const tree = gitRepository(t, files);
  chmodSync(tree.root, 0o755);
  for (const message of ['one', 'two']) tree.git('commit', '--quiet', '--allow-empty', '--message', message);
  tree.git('branch', 'feat', 'HEAD~1');
  tree.git('tag', 'v1', 'HEAD~1');
  tree.git('pack-refs', '--all');
  tree.git('branch', 'loose', 'HEAD~1');
  const head = tree.git('rev-parse', 'HEAD');
  // What asks git is loaded before modes apply.
  await askedGit(t).git.availability();
  const { git, shadows } = askedGit(t);
  if (process.getuid!() === 0) chownSync(shadows.root, 1234, 1234);
  const { workTree = tree.root, ...found } = repositoryAt(tree.root);
  const place = { git, repository: { ...found, workTree } };
  const asked = (revision: string) => whileWithoutRights(() => commitNamed(revision, place));
  const parts: readonly (readonly [part: string, refused: readonly string[]])[] = [
    ['.git/config', ['main', 'feat', 'HEAD', head]],
    ['.git/packed-refs', ['feat', 'v1', 'main', 'HEAD']],
    ['.git/HEAD', ['HEAD', '@', 'HEAD~1']],
    ['.git/refs/heads', ['loose', 'feat']],
    ['.git/objects', ['main', 'HEAD', 'loose', head]],
    [`.git/objects/${head.slice(0, 2)}`, ['main', head]],
  ];
  for (const [part, refused] of parts) {
    const path = tree.path(part);
    const { mode } = statSync(path);
    for (const revision of refused) {
      chmodSync(path, 0o000);
      const fault = await asked(revision).catch(error => error);
      const finding = withoutRights(() => gitFilesCheck(tree.root));
      chmodSync(path, mode);
      const about = `${part} ${revision} ${fault}`;
      assert.ok(fault instanceof Fault, about);
      assert.deepEqual(
        [fault.reason, fault.extras.details],
        ['preconditionFailed', { reason: 'git_unreadable' }],
        about,
      );
      assert.ok(fault.message.startsWith(`git can’t be read: ${path} `), about);
      assert.match(commands(fault)?.join() ?? '', new RegExp(`^(sudo chown \\d+|chmod u\\+rX) ${path}$`));
      assert.deepEqual([finding.status, finding.fixes], ['fail', fault.extras.suggestedFixes], about);
      assert.ok(finding.message.startsWith(`${path} `), finding.message);
    }
  }
  // What git left behind of a pack that came to nothing counts for nothing.
  tree.write('.git/objects/pack/tmp_pack_a', '');
  chmodSync(tree.path('.git/objects/pack/tmp_pack_a'), 0o000);
  assert.equal(await asked('main'), head);
  assert.equal(withoutRights(() => gitFilesCheck(tree.root)).status, 'pass');
  await assert.rejects(asked('none'), (fault: Fault) => fault.extras.details?.['reason'] === 'unknown_revision');
});

test('git of another user is named with the path that is theirs, and doctor fails over it', t => {
  if (process.getuid!() !== 0) return;
  const tree = gitRepository(t, files);
  const git = tree.path('.git');
  chownSync(git, 12_345, 12_345);
  const why = `${git} belongs to user 12345, not to user 0: make it yours, or run svc as user 12345`;
  const { message, reason } = refusal(() => commonFolderOf(tree.root));
  assert.deepEqual([reason, message.startsWith(`root: ${why} (safe.directory`)], ['unsafeOwner', true], message);
  const finding = gitFilesCheck(tree.root);
  assert.deepEqual([finding.status, finding.message.startsWith(why)], ['fail', true], finding.message);
  assert.equal(gitFilesCheck(temporaryFolder(t).root).message, 'there are none');
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Fault, type FaultBody } from '../../../client/protocol/faults.ts';
import { addRepo, startDaemon, svc, until } from '../../support/daemon.ts';
import { afterAll, gitRepository, temporaryFolder } from '../../support/repository.ts';

/** The tests share a daemon: each leaves it without a repository. */
const shared = await startDaemon(afterAll);

test('a git repository inside a registered one is another: it is not answered for, and the way to register it is named', async context => {
  const { home } = shared;
  const { root } = gitRepository(context, '-- src/a.ts --\nexport const alpha = 1;\n');
  const nested = join(root, 'vendor/inner');
  mkdirSync(join(nested, 'src'), { recursive: true });
  execFileSync('git', ['init', '-q', nested]);
  // A `.git` that leads nowhere makes no repository, and its folder is indexed with the rest.
  mkdirSync(join(root, 'stray'));
  writeFileSync(join(root, 'stray/.git'), '');
  await addRepo(context, shared, { root, id: 'outer' });

  for (const folder of [root, join(root, 'src'), join(root, 'vendor'), join(root, 'stray')]) {
    const { code, stderr } = await svc(home, ['status', '--json'], folder);
    assert.equal(code, 0, `${folder}: ${stderr}`);
  }
  for (const folder of [nested, join(nested, 'src')]) {
    const { code, stderr } = await svc(home, ['search', 'alpha'], folder);
    assert.equal(code, 4, stderr);
    assert.ok(stderr.includes(`svc repo add ${nested}`), stderr);
    const named = await svc(home, ['search', 'alpha', '--repo', folder], root);
    assert.equal(named.code, 4, named.stderr);
  }
  await addRepo(context, shared, { root: nested, id: 'inner' });
  const { stdout } = await svc(home, ['status', '--json'], join(nested, 'src'));
  assert.equal((JSON.parse(stdout) as { repository: { id: string } }).repository.id, 'inner');
});

test('a root that can be none is refused, with its reason', async context => {
  const { client, home } = shared;
  const { root } = temporaryFolder(context);
  const at = (name: string) => join(root, name);
  execFileSync('mkfifo', [at('pipe')]);
  writeFileSync(at('file'), '');
  symlinkSync('/', at('everything'));
  symlinkSync(home.places.data, at('ours'));
  const table: readonly (readonly [string, RegExp])[] = [
    ['src', /^root: must be an absolute path/],
    [at('absent'), /^root: there is no such folder$/],
    [at('pipe'), /^root: is not a folder$/],
    [at('file'), /^root: is not a folder$/],
    ['/', /^root: the whole file system is no repository$/],
    [at('everything'), /^root: the whole file system is no repository$/],
    [at('a\0b'), /^root: must not contain a NUL character$/],
    [home.places.state, /^root: lies inside the folders of this service$/],
    [at('ours'), /^root: lies inside the folders of this service$/],
  ];
  for (const [given, message] of table) {
    const isRefused = (error: unknown) =>
      error instanceof Fault && error.row.rpc === -32602 && error.row.exit === 2 && message.test(error.message);
    await assert.rejects(client.daemon.addRepo({ root: given }), isRefused, given);
  }
  assert.equal((await client.daemon.listRepos({})).total, 0);
});

test('a folder of git’s own is registered by nobody: there are no files of a repository in it, and the remedy is told', async context => {
  const { client, home } = shared;
  const { root } = gitRepository(context, '-- a.ts --\nexport const a = 1;\n');
  const outside = temporaryFolder(context).root;
  const bare = join(outside, 'bare.git');
  execFileSync('git', ['clone', '-q', '--bare', root, bare]);
  const isBare = `root: ${bare} is a bare git repository, which has no files: register a work tree of it (git worktree add, git clone)`;
  const isGits = `root: ${root}/.git is git’s own folder: register its work tree`;
  const remedy = [`svc repo add ${root}`];
  for (const [given, message, fixes] of [
    [bare, isBare, []],
    [join(bare, 'hooks'), isBare, []],
    [join(root, '.git'), isGits, remedy],
    [join(root, '.git/refs'), isGits, remedy],
  ] as const) {
    const { code, stdout } = await svc(home, ['repo', 'add', given, '--json'], outside);
    const told = JSON.parse(stdout) as FaultBody;
    assert.deepEqual([code, told.error, told.suggestedFixes.map(({ command }) => command)], [2, message, fixes]);
    const { http } = await client.daemon.status({});
    const answer = await fetch(`http://localhost:${http!.port}/daemon/repos`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${readFileSync(home.places.tokenFile, 'utf8').trim()}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ root: given }),
    });
    assert.deepEqual([answer.status, await answer.json()], [422, told]);
    await assert.rejects(client.daemon.addRepo({ root: given }), error => {
      return error instanceof Fault && error.row.rpc === -32602 && error.message === message;
    });
  }
  for (const words of [['index'], ['index', bare], ['repo', 'add']]) {
    const { code, stderr } = await svc(home, words, bare);
    assert.deepEqual([code, stderr], [2, `svc: ${isBare}\n`], words.join(' '));
  }
  assert.equal((await client.daemon.listRepos({})).total, 0);
  execFileSync('git', ['-C', bare, 'worktree', 'add', '-q', 'main'], { stdio: 'ignore' });
  const { repo } = await addRepo(context, shared, { root: join(bare, 'main'), id: 'main' });
  assert.equal(repo.root, join(bare, 'main'), 'its work tree may lie inside');
});

test('a root that holds the folders of the service is indexed without them, and comes to rest', async context => {
  const { client, home } = shared;
  writeFileSync(join(home.path, 'mine.ts'), 'export const mine = 1;\n');
  const { jobId } = await addRepo(context, shared, { root: home.path, id: 'home' });
  await until('it is indexed', async () => (await client.jobs.get({ id: jobId! })).status === 'completed');
  // Whatever the daemon itself has written by now has been looked at.
  const first = await client.symbols.search({ q: 'mine', sync: true });
  const { repos } = await client.daemon.listRepos({});
  assert.deepEqual([first.total, repos[0]?.fileCount], [1, 1]);
  assert.equal((await client.symbols.search({ q: 'mine', sync: true })).snapshotId, first.snapshotId);
  assert.equal(home.log().filter(({ msg, repo }) => msg === 'snapshot.published' && repo === 'home').length, 1);
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type OperationName, operationNames, operations } from '../../client/protocol/registry.ts';
import { createGit } from '../../daemon/backends/git.ts';
import { findRepository } from '../../daemon/backends/git-repository.ts';
import { discover, lookAt } from '../../daemon/jobs/discover.ts';
import { createWatcher } from '../../daemon/jobs/follow/watcher.ts';
import { ready } from '../oracle/stored.ts';
import { askedGit, repositoryAt } from '../support/asked-git.ts';
import { patienceMs, startDaemon, svc, svcProgram, temporaryHome } from '../support/daemon.ts';
import { addHistory, gone } from '../support/history.ts';
import { gitRepository, temporaryFolder } from '../support/repository.ts';
import { evilRepository } from './evil-repository.ts';
import { callsOf, programsRun, tracers } from './system-calls.ts';

test('the trap works: plain git runs what it is told', t => {
  const { tree, pwned } = evilRepository(t);
  assert.deepEqual(pwned(), [], 'making it sets nothing off');
  try {
    execFileSync('git', ['status'], { cwd: tree.root, stdio: 'ignore' });
  } catch {}
  assert.notDeepEqual(pwned(), []);
});

test('nothing of a repository runs while it is found, listed and watched (P41)', async t => {
  const { tree, pwned } = evilRepository(t);
  const runtime = temporaryFolder(t);
  const git = createGit({ shadowFolder: runtime.path('shadow') });
  const found = findRepository(tree.root);
  assert.equal(found.found, 'repository');
  if (found.found !== 'repository') return;
  const { repository } = found;

  assert.ok((await git.availability()).available);
  assert.match((await git.head(repository)).commit ?? '', /^[0-9a-f]{40}$/);
  assert.deepEqual(
    (await git.tracked(repository)).map(entry => entry.path),
    ['.gitignore', 'a.ts', 'image.bin', 'src/b.ts'],
  );
  assert.ok((await git.trackedAmong(repository, ['a.ts'])).has('a.ts'));
  assert.equal((await git.excludeFiles(repository)).patterns.at(-1), tree.path('.git/info/exclude'));
  const { files } = await discover(tree.root, { git });
  const paths = files.map(file => file.path as string);
  for (const path of ['a.ts', 'src/b.ts', 'src/bare/config', 'etc']) assert.ok(paths.includes(path), path);
  assert.ok(!paths.some(path => path.startsWith('module/') || path.startsWith('etc/') || path.startsWith('.git/')));
  assert.equal((await lookAt(tree.root, ['a.ts', 'src', 'ignored/x'], { git })).files.length > 1, true);
  assert.equal((await discover(tree.path('src/bare'), { git })).files.length > 0, true);

  const watcher = createWatcher({ cookieFolder: runtime.path('cookies'), shadowFolder: runtime.path('shadow') });
  const root = watcher.open(tree.root, { onChange: () => {}, onGit: () => {}, onStatus: () => {} });
  assert.equal(await root.sync(patienceMs), 'synced');
  tree.write('ignored/forced.ts', '');
  tree.write('a.ts', 'export const a = 4;\n');
  assert.equal(await root.sync(patienceMs), 'synced');
  await watcher.close();

  assert.deepEqual(pwned(), []);
});

test('nothing of a repository runs while its history is read (P41)', async t => {
  const { tree, pwned } = evilRepository(t);
  const { git } = askedGit(t);
  const repository = repositoryAt(tree.root);
  // Its objects come from another: committing in it would set all of it off.
  const made = gitRepository(t);
  const hashes = addHistory(made, {
    first: { puts: { '.gitattributes': '* diff=evil filter=evil\n', 'a.ts': 'one\ntwo\nthree\n', 'b.bin': '\0one' } },
    second: { puts: { 'a.ts': gone, 'c.ts': 'one\ntwo\nfour\n', 'b.bin': '\0two' } },
    beside: { parents: ['first'], puts: { 'a.ts': 'one\n' } },
    merge: { parents: ['second', 'beside'], puts: { link: { link: 'c.ts' } } },
    last: { puts: { link: 'a file' } },
  });
  cpSync(made.path('.git/objects'), tree.path('.git/objects'), { recursive: true });
  const [first, second, beside, , last] = [...hashes.values()] as [string, string, string, string, string];
  const all = [...hashes.values()];
  assert.deepEqual(await git.commitsHere(repository, all), new Set(all));
  for (const round of ['before', 'after'] as const) {
    const told: string[] = [];
    await git.commitsFrom(repository, last, [], ({ hash }) => told.push(hash), { priority: 'background' });
    assert.deepEqual(new Set(told), new Set(all), `${round} there is a graph`);
    const counted: string[] = [];
    await git.lineCounts(repository, all, hash => counted.push(hash));
    assert.deepEqual(counted, all);
    assert.deepEqual(
      (await git.blame(repository, last, 'c.ts', [beside]))?.map(({ commit, count }) => [commit, count]),
      [
        [first, 2],
        [second, 1],
      ],
    );
    assert.deepEqual(
      (await git.diff(repository, first, last)).map(({ path }) => path),
      ['b.bin', 'c.ts', 'link'],
    );
    assert.deepEqual(await git.mergeBases(repository, second, beside), [first]);
    await git.writeCommitGraph(repository, [last]);
  }
  // What is missing is to be fetched, as its configuration says.
  const blob = made.git('rev-parse', `${first}:a.ts`);
  tree.remove(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`);
  const incomplete = { name: 'GitFailed', reason: 'incomplete' };
  await assert.rejects(git.blame(repository, last, 'c.ts', []), incomplete);
  await assert.rejects(git.diff(repository, first, last), incomplete);
  await git.commitsFrom(repository, last, [], () => {});
  await git.lineCounts(repository, all, () => {});
  assert.deepEqual(pwned(), []);
});

/** What ends what the others ask, or makes the repository a trusted one. */
const notDriven: readonly OperationName[] = ['daemon.stop', 'daemon.removeRepo', 'daemon.events', 'daemon.trustRepo'];

test('nothing of a repository runs and no word of another file is told, whatever command is given in it (P41)', async t => {
  const { tree, pwned } = evilRepository(t);
  const trace = temporaryFolder(t).path('commands');
  const { through, env } = tracers[0]!.tracing(t, trace, ['execve']);
  const home = temporaryHome(t, env);
  const daemon = await startDaemon(t, home);
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  const commands = operationNames.flatMap(name => {
    const command = notDriven.includes(name) ? undefined : operations[name].cli?.command;
    return command === undefined
      ? []
      : [
          command
            .split(' ')
            .map(word => values[word] ?? word)
            .filter(word => word !== ''),
        ];
  });
  assert.ok(commands.length >= 20, `${commands.length} commands`);
  const told: string[] = [];
  const run = async (words: readonly string[], folder: string): Promise<void> => {
    const { stdout, stderr } = await svc(home, words, folder, through.length === 0 ? [] : [...through, '-A']);
    told.push(stdout, stderr);
  };
  // How a command finds the repository around it is the same for all of them: some show it from the one inside.
  for (const [at, words] of commands.entries()) {
    const inside = at % 4 === 0 ? run([...words, '--json'], tree.path('src/bare')) : undefined;
    await Promise.all([run(words, tree.root), inside]);
  }
  await run(['search', 'root', '--repo-state-mode', 'head'], tree.root);
  assert.deepEqual(pwned(), []);
  const ran = callsOf(readFileSync(trace, 'utf8')).filter(({ words }) => !words.includes(svcProgram));
  assert.deepEqual(
    [...programsRun(ran)].filter(program => program !== 'git'),
    [],
    'programs that were run',
  );
  assert.ok(!told.join().includes('root:x:'), 'no word of /etc/passwd');
  assert.ok(told.join().length > 5000, 'they answered');
});

/** What stands for the words of a command that are the user's. */
const values: Readonly<Record<string, string>> = { '[root]': '', '[path]': '', '<id>': 'app', '<q>': 'root' };

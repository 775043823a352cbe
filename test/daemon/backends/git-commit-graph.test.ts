import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createGit, type Git } from '../../../daemon/backends/git.ts';
import type { GitRepository } from '../../../daemon/backends/git-repository.ts';
import type { CommitFacts } from '../../../daemon/model/history.ts';
import { askedGit, repositoryAt } from '../../support/asked-git.ts';
import { until } from '../../support/daemon.ts';
import { addHistory, type PlannedCommit } from '../../support/history.ts';
import { oddHistory } from '../../support/odd-history.ts';
import { gitRepository, temporaryFolder, type Workspace } from '../../support/repository.ts';

/** Every file below a folder: where it is, what is in it, and when it was written. */
function everything(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    names.map(name => {
      const place = join(folder, name);
      const { mtimeMs, ctimeMs, mode, ino } = lstatSync(place);
      const bytes = lstatSync(place).isFile() ? readFileSync(place) : '';
      return [name, `${ino} ${mode} ${mtimeMs} ${ctimeMs} ${createHash('sha256').update(bytes).digest('hex')}`];
    }),
  );
}

/** The one git folder of ours in which there is a graph. */
function shadowWithGraph(shadows: Workspace): string | undefined {
  const all = readdirSync(shadows.path('shadow')).map(name => shadows.path(`shadow/${name}`));
  return all.find(shadow => existsSync(join(shadow, 'objects/info/commit-graph')));
}

const graphOf = (shadow: string) => join(shadow, 'objects/info/commit-graph');

/** How many commits a graph is of: the last entry of its fanout. */
function sizeOf(shadow: string): number {
  const bytes = readFileSync(graphOf(shadow));
  const chunks = bytes[6]!;
  for (let chunk = 0; chunk < chunks; chunk++) {
    const at = 8 + 12 * chunk;
    if (bytes.toString('latin1', at, at + 4) !== 'OIDF') continue;
    return bytes.readUInt32BE(Number(bytes.readBigUInt64BE(at + 4)) + 255 * 4);
  }
  return assert.fail('it has a fanout');
}

async function hashesFrom(git: Git, repository: GitRepository, tip: string): Promise<readonly string[]> {
  const hashes: string[] = [];
  await git.commitsFrom(repository, tip, [], ({ hash }: CommitFacts) => hashes.push(hash));
  return hashes;
}

/** So many commits in a line, each with a file of its own changed. */
function line(length: number, word = 'commit'): Readonly<Record<string, PlannedCommit>> {
  const names = Array.from({ length }, (_, index) => `${word} ${index}`);
  return Object.fromEntries(names.map((name, index) => [name, { puts: { [`${index % 7}.ts`]: `${name}\n` } }]));
}

for (const format of ['sha1', 'sha256']) {
  test(`a graph is kept where the repository’s own files stay as they are, and git reads it (${format})`, async t => {
    const { git, shadows } = askedGit(t);
    const tree = gitRepository(t, '', [`--object-format=${format}`]);
    const plan = oddHistory(format === 'sha1' ? 40 : 64);
    const tip = addHistory(tree, plan).get('after it')!;
    const repository = repositoryAt(tree.root);
    const before = await hashesFrom(git, repository, tip);
    const blamed = await git.blame(repository, tip, 'b.ts', []);
    const untouched = everything(tree.path('.git'));

    await git.writeCommitGraph(repository, [tip], { priority: 'background' });
    const shadow = shadowWithGraph(shadows) ?? assert.fail('there is one');
    assert.equal(sizeOf(shadow), before.length);
    assert.deepEqual(await hashesFrom(git, repository, tip), before);
    assert.deepEqual(await git.blame(repository, tip, 'b.ts', []), blamed);
    assert.deepEqual(everything(tree.path('.git')), untouched);

    const trace = shadows.path('trace');
    const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_DIR: shadow, GIT_TRACE2_EVENT: trace };
    execFileSync('git', ['commit-graph', 'verify'], { env, stdio: 'ignore' });
    execFileSync('git', ['log', '--format=%H', tip, '--', 'b.ts'], { env });
    const told = /"statistics","value":\{"filter_not_present":(\d+),.*?"definitely_not":(\d+)/.exec(
      readFileSync(trace, 'utf8'),
    );
    assert.equal(told?.[1], '0', 'paths of every commit are in it');
    assert.ok(Number(told?.[2]) > 5, 'and spare looking');
  });
}

test('one that lacks few commits is left as it is, and one that lacks many is made anew', async t => {
  const { git, shadows } = askedGit(t);
  const tree = gitRepository(t);
  const hashes = [...addHistory(tree, line(1200)).values()];
  const repository = repositoryAt(tree.root);
  const write = (...tips: readonly number[]) =>
    git.writeCommitGraph(
      repository,
      tips.map(tip => hashes[tip]!),
    );
  await write(99);
  const shadow = shadowWithGraph(shadows)!;
  const written = () => lstatSync(graphOf(shadow)).ino;
  const first = written();
  assert.equal(sizeOf(shadow), 100);
  for (const tip of [99, 50, 0, 100, 599]) await write(tip);
  await write(599, 99, 300);
  assert.equal(written(), first, '500 above it are few');
  await write(600);
  assert.equal(sizeOf(shadow), 601);
  await git.writeCommitGraph(repository, []);
  assert.equal(sizeOf(shadow), 601);
  await assert.rejects(git.writeCommitGraph(repository, ['f'.repeat(40)]), { name: 'GitFailed', reason: 'failed' });
  await assert.rejects(git.writeCommitGraph(repository, ['--all']), { name: 'GitFailed', message: /no hash/ });

  const others = [...addHistory(tree, line(700, 'beside'), 'refs/heads/beside').values()];
  await git.writeCommitGraph(repository, [others.at(-1)!]);
  assert.equal(sizeOf(shadow), 601 + 700, 'what others asked for stays');
  const both = written();
  await write(600);
  await git.writeCommitGraph(repository, [others.at(-1)!, hashes[650]!]);
  assert.equal(written(), both);

  rmSync(graphOf(shadow));
  await write(700);
  assert.equal(sizeOf(shadow), 701, 'a note without its graph counts for nothing');
});

test('several that write at once leave one that is whole', async t => {
  const { shadows } = askedGit(t);
  const tree = gitRepository(t);
  const hashes = [...addHistory(tree, line(1500)).values()];
  const repository = repositoryAt(tree.root);
  const gits = Array.from({ length: 4 }, () =>
    createGit({
      shadowFolder: shadows.path('shadow'),
      environment: { PATH: process.env['PATH'], HOME: '/nonexistent' },
    }),
  );
  await Promise.all(gits.map((git, index) => git.writeCommitGraph(repository, [hashes[index * 499]!])));
  const shadow = shadowWithGraph(shadows)!;
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_DIR: shadow };
  execFileSync('git', ['commit-graph', 'verify'], { env, stdio: 'ignore' });
  assert.deepEqual(
    readdirSync(shadow).filter(name => /^graph-[0-9a-f]+$/.test(name)),
    [],
  );
  await gits[0]!.writeCommitGraph(repository, [hashes.at(-1)!]);
  assert.deepEqual(await hashesFrom(gits[0]!, repository, hashes.at(-1)!), [...hashes].reverse());
});

test('what was left by one that was killed hinders nobody', async t => {
  const { git, shadows } = askedGit(t);
  const tree = gitRepository(t);
  const hashes = [...addHistory(tree, line(20)).values()];
  const repository = repositoryAt(tree.root);
  await git.commitsFrom(repository, hashes[0]!, [], () => {});
  const [name] = readdirSync(shadows.path('shadow')).filter(one => one !== 'blank.git');
  const shadow = shadows.path(`shadow/${name}`);
  const [young, old] = ['graph-00000000000a', 'graph-00000000000b'].map(one => join(shadow, one)) as [string, string];
  for (const left of [young, old]) mkdirSync(join(left, 'info'), { recursive: true });
  writeFileSync(join(old, 'info/commit-graph.lock'), 'half');
  writeFileSync(join(shadow, 'objects/info/commit-graph.lock'), 'half');
  utimesSync(old, 1, 1);
  await git.writeCommitGraph(repository, [hashes.at(-1)!]);
  assert.equal(sizeOf(shadow), 20);
  assert.deepEqual([existsSync(young), existsSync(old)], [true, false], 'the young one may be another’s');

  for (const damage of ['', 'garbage', readFileSync(graphOf(shadow)).subarray(0, 700)]) {
    rmSync(graphOf(shadow), { force: true });
    writeFileSync(graphOf(shadow), damage);
    assert.equal((await hashesFrom(git, repository, hashes.at(-1)!)).length, 20);
    await git.writeCommitGraph(repository, [hashes.at(-1)!]);
    assert.equal(sizeOf(shadow), 20);
  }
});

/** A git that waits before it writes a graph. */
function waitingGit(t: TestContext) {
  const folder = temporaryFolder(t);
  folder.write(
    'git',
    `#!/bin/sh\n[ "$1" = commit-graph ] && { : > '${folder.path('waits')}'; exec sleep 60; }\nexec git "$@"\n`,
  );
  execFileSync('chmod', ['+x', folder.path('git')]);
  return { program: folder.path('git'), waits: () => existsSync(folder.path('waits')) };
}

test('one that is given up, or whose process is killed, leaves the graph that was', async t => {
  const { git, shadows } = askedGit(t);
  const tree = gitRepository(t);
  const hashes = [...addHistory(tree, line(1000)).values()];
  const repository = repositoryAt(tree.root);
  await git.writeCommitGraph(repository, [hashes[9]!]);
  const shadow = shadowWithGraph(shadows)!;
  const given = waitingGit(t);
  const stop = new AbortController();
  const slow = createGit({ shadowFolder: shadows.path('shadow'), program: given.program });
  const refused = assert.rejects(slow.writeCommitGraph(repository, [hashes.at(-1)!], { signal: stop.signal }), {
    reason: 'cancelled',
  });
  await until('it waits', given.waits);
  stop.abort();
  await refused;
  assert.deepEqual(
    readdirSync(shadow).filter(name => /^graph-[0-9a-f]+$/.test(name)),
    [],
  );
  assert.equal(sizeOf(shadow), 10);

  const killed = waitingGit(t);
  const script = `
    import { createGit } from ${JSON.stringify(new URL('../../../daemon/backends/git.js', import.meta.url).href)};
    const git = createGit(${JSON.stringify({ shadowFolder: shadows.path('shadow'), program: killed.program })});
    await git.writeCommitGraph(${JSON.stringify(repository)}, [${JSON.stringify(hashes.at(-1))}]);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore', detached: true });
  const gone = new Promise(resolve => child.once('exit', resolve));
  await until('it waits', killed.waits);
  process.kill(-child.pid!, 'SIGKILL');
  await gone;
  assert.equal(readdirSync(shadow).filter(name => /^graph-[0-9a-f]+$/.test(name)).length, 1);
  await git.writeCommitGraph(repository, [hashes.at(-1)!]);
  assert.equal(sizeOf(shadow), 1000);
});

test('a graph of another repository, or of a history that was rewritten, makes no answer wrong', async t => {
  const { git, shadows } = askedGit(t);
  const tree = gitRepository(t);
  const old = [...addHistory(tree, line(30, 'old')).values()];
  const repository = repositoryAt(tree.root);
  await git.writeCommitGraph(repository, [old.at(-1)!]);
  const shadow = shadowWithGraph(shadows)!;

  const rewritten = [...addHistory(tree, line(30, 'rewritten')).values()];
  assert.deepEqual(await hashesFrom(git, repository, rewritten.at(-1)!), [...rewritten].reverse());
  tree.git('reflog', 'expire', '--expire=now', '--all');
  tree.git('gc', '--quiet', '--prune=now');
  await git.close();
  assert.deepEqual(await git.commitsHere(repository, [old.at(-1)!, rewritten.at(-1)!]), new Set([rewritten.at(-1)!]));
  await assert.rejects(hashesFrom(git, repository, old.at(-1)!), { name: 'GitFailed' });
  await assert.rejects(git.blame(repository, old.at(-1)!, '1.ts', []), { name: 'GitFailed' });

  tree.remove('.git');
  tree.git('init', '--quiet', '--initial-branch=main');
  const other = [...addHistory(tree, line(600, 'other')).values()];
  const place = repositoryAt(tree.root);
  assert.deepEqual(await hashesFrom(git, place, other.at(-1)!), [...other].reverse());
  await assert.rejects(hashesFrom(git, place, old.at(-1)!), { name: 'GitFailed' });
  await assert.rejects(git.mergeBases(place, other[3]!, old[3]!), { name: 'GitFailed' });
  await git.writeCommitGraph(place, [other.at(-1)!]);
  assert.equal(sizeOf(shadow), 600, 'and goes when there is much that it lacks');
  assert.deepEqual(await git.blame(place, other[599]!, '0.ts', []), [{ line: 0, count: 1, commit: other[595]! }]);
});

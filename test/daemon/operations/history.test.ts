import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { readDaemonRecord } from '../../../client/paths.ts';
import { addRepo, startDaemon, svc, temporaryHome, until } from '../../support/daemon.ts';
import { commitAs } from '../../support/dated-history.ts';
import { addHistory, gone, type PlannedCommit, type Put } from '../../support/history.ts';
import { afterAll, gitRepository, temporaryFolder, type Workspace, workspace } from '../../support/repository.ts';
import { randomFrom } from '../../support/synthetic.ts';

/** It is asked for all that it is to find out; beside that it would ask git about trees that are gone, before it counts lines of the next. */
const daemon = await startDaemon(afterAll, temporaryHome(afterAll, { SVC_HISTORY_BACKGROUND_BLAME: 'false' }));
const { client } = daemon;

/** Registers a work tree, and waits until it is indexed and all its lines are counted. */
async function registered(t: TestContext, { root }: Workspace, id: string): Promise<string> {
  await addRepo(t, daemon, { root, id });
  await until('the tree is indexed, and its history counted', async () => {
    const { index, history } = await client.system.status({ repo: id });
    return index.snapshotId !== null && history.status === 'ready' && history.uncountedCommits === 0;
  });
  return id;
}

const authors = ['Ann', 'Ben', 'Cay', 'Dan'] as const;

/** Some files that some people edit and move about, day after day. */
function edited(t: TestContext, seed: number): Workspace {
  const repository = gitRepository(t);
  const random = randomFrom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const files = new Map<string, string[]>();
  const line = (): string => `export const v${below(1e9)} = ${below(1e9)};`;
  const plan: Record<string, PlannedCommit> = {};
  for (let at = 0; at < 8; at++) files.set(`src/${at}.ts`, Array.from({ length: 30 }, line));
  for (let daysAgo = 60; daysAgo > 0; daysAgo--) {
    const puts: Record<string, Put> = {};
    for (let edits = 1 + below(3); edits > 0; edits--) {
      const [path, lines] = [...files][below(files.size)]!;
      lines.splice(below(lines.length), below(4), ...Array.from({ length: below(5) }, line));
      if (random() < 0.1) {
        files.delete(path);
        files.set(
          `src/${below(2) === 0 ? 'a/' : ''}${path.replace(/.*\//, '').replace('.ts', '')}${below(10)}.ts`,
          lines,
        );
        puts[path] = gone;
      }
    }
    for (const [path, lines] of files) puts[path] = lines.map(one => `${one}\n`).join('');
    const by = authors[below(authors.length)]!;
    const author = `${by} <${by.toLowerCase()}@example.com>`;
    plan[`${daysAgo} days ago`] = { author, at: Math.floor(Date.now() / 1000) - daysAgo * 86_400, puts };
  }
  addHistory(repository, plan, 'refs/heads/main');
  repository.git('reset', '--quiet', '--hard');
  return repository;
}

const tracked = ({ git }: Workspace): readonly string[] => git('ls-files', 'src').split('\n');

interface Written {
  lines: number;
  weight: number;
}

/** By `git blame`, whose lines those of a file are, by address. */
function blamed({ git }: Workspace, path: string, now: number, ...flags: readonly string[]): Map<string, Written> {
  const written = new Map<string, Written>();
  let mail = '';
  let time = 0;
  for (const text of git('blame', ...flags, '--line-porcelain', 'HEAD', '--', path).split('\n')) {
    mail = /^author-mail <(.*)>$/.exec(text)?.[1] ?? mail;
    time = Number(/^author-time (\d+)$/.exec(text)?.[1] ?? time);
    if (!text.startsWith('filename ')) continue;
    const one = written.get(mail) ?? { lines: 0, weight: 0 };
    one.lines++;
    one.weight += 0.5 ** ((now / 1000 - time) / 86_400 / 90);
    written.set(mail, one);
  }
  return written;
}

/** What is answered once git has said who wrote all of it. */
async function owned(repo: string, path?: string) {
  const ask = () => client.ownership.get({ ...(path === undefined ? {} : { path }), repo, sync: true });
  await until('git has said it', async () => (await ask()).coverage.pendingFiles === 0);
  return ask();
}

async function assertOwnedAsBlamed(repository: Workspace, repo: string, ...flags: readonly string[]): Promise<void> {
  for (const path of tracked(repository)) {
    const { owners, coverage, timestamp } = await owned(repo, path);
    const written = blamed(repository, path, Date.parse(timestamp), ...flags);
    const all = [...written.values()].reduce((sum, { weight }) => sum + weight, 0);
    assert.equal(
      coverage.lines,
      [...written.values()].reduce((sum, { lines }) => sum + lines, 0),
    );
    const expected = [...written].filter(([, { weight }]) => weight / all >= 0.05);
    const told = new Map(owners.map(one => [one.identity, one]));
    assert.deepEqual([...told.keys()].sort(), expected.map(([mail]) => mail).sort(), path);
    for (const [mail, { lines, weight }] of expected) {
      assert.equal(told.get(mail)?.lines, lines, `${path} ${mail}`);
      assert.ok(Math.abs(told.get(mail)!.share! - weight / all) < 0.001, `${path} ${mail}`);
    }
  }
}

for (const seed of [1, 2]) {
  test(`churn, authors and owners are those that git tells, renames followed (${seed})`, async t => {
    const repository = edited(t, seed);
    const repo = await registered(t, repository, `edited-${seed}`);
    const { hotspots, commit } = await client.hotspots.list({ days: 365, limit: 100, repo });
    assert.equal(commit, repository.git('rev-parse', 'HEAD'));
    assert.equal(hotspots.length, tracked(repository).length);
    for (const { targetId, metrics } of hotspots) {
      const log = repository.git('log', '--follow', '-M', '--format=%ae', '--', targetId).split('\n');
      assert.equal(metrics.churnCommits, log.length, targetId);
      assert.equal(metrics.churnAuthors, new Set(log).size, targetId);
    }
    await assertOwnedAsBlamed(repository, repo);
  });
}

test('a commit, a mailmap and revisions to be ignored count in the next answer', async t => {
  const repository = edited(t, 3);
  const repo = await registered(t, repository, 'next');
  await assertOwnedAsBlamed(repository, repo);
  const [path] = tracked(repository) as [string];
  const lines = readFileSync(repository.path(path), 'utf8').split('\n');
  repository.write(path, lines.map(line => (line === '' ? '' : `  ${line}`)).join('\n'));
  commitAs(repository, { by: 'Form', daysAgo: 0 });
  const formatted = repository.git('rev-parse', 'HEAD');
  const historyOf = async () => (await client.ownership.get({ path, includeHistory: true, repo })).history!;
  const after = await owned(repo, path);
  assert.equal(after.commit, formatted);
  assert.deepEqual(
    after.owners.map(({ identity, share }) => [identity, share]),
    [['form@example.com', 1]],
  );
  await until('its lines are counted', async () => (await historyOf()).some(one => one.identity.startsWith('form')));
  repository.write('.git-blame-ignore-revs', `# formatted\n${formatted}\n`);
  await assertOwnedAsBlamed(repository, repo, '--ignore-revs-file=.git-blame-ignore-revs');
  assert.ok(!(await historyOf()).some(one => one.identity.startsWith('form')));
  repository.write('.mailmap', 'Ann <ann@example.com> <ben@example.com>\n');
  await assertOwnedAsBlamed(repository, repo, '--ignore-revs-file=.git-blame-ignore-revs');
});

test('drift is of what others wrote than are declared', async t => {
  const repository = gitRepository(t);
  const text = (from: number) => Array.from({ length: 20 }, (_, at) => `export const v${from + at} = 1;\n`).join('');
  repository.write('.github/CODEOWNERS', 'src/kept.ts ann@example.com\nsrc/taken.ts ann@example.com\n');
  repository.write('src/kept.ts', text(0));
  repository.write('src/taken.ts', text(100));
  repository.write('src/nobodys.ts', text(200));
  commitAs(repository, { by: 'Ann', daysAgo: 200 });
  repository.write('src/taken.ts', text(300));
  commitAs(repository, { by: 'Ben', daysAgo: 10 });
  const repo = await registered(t, repository, 'drift');
  const drift = await client.ownership.drift({ threshold: 0, repo });
  const told = new Map(drift.driftedFiles.map(one => [one.path, one]));
  assert.equal(told.get('src/taken.ts')?.driftScore, 1);
  assert.deepEqual(told.get('src/taken.ts')?.actualOwners, [{ identity: 'ben@example.com', contribution: 1 }]);
  assert.equal(told.get('src/kept.ts')?.driftScore ?? 0, 0);
  assert.equal(told.has('src/nobodys.ts'), false);
  assert.deepEqual(
    (await client.ownership.drift({ repo })).driftedFiles.map(({ path }) => path),
    ['src/taken.ts'],
  );
});

test('files are coupled that change together, and commits of very many are told apart', async t => {
  const repository = gitRepository(t);
  for (let at = 1; at <= 5; at++) {
    repository.write('a.ts', `export const a = ${at};\n`);
    repository.write('b.md', `${at}\n`);
    if (at > 3) repository.write('c.ts', `export const c = ${at};\n`);
    commitAs(repository, { by: 'Ann', daysAgo: 10 - at });
  }
  repository.write('a.ts', 'export const a = 0;\n');
  for (let at = 0; at < 60; at++) repository.write(`many/${at}.ts`, `export const m = ${at};\n`);
  commitAs(repository, { by: 'Ann', daysAgo: 1 });
  const repo = await registered(t, repository, 'coupled');
  const { couplings, commits, commitsLeftOut } = await client.hotspots.coupling({ path: 'a.ts', repo });
  assert.deepEqual([commits, commitsLeftOut], [5, 1]);
  assert.deepEqual(
    couplings.map(({ path, together, strength, reverse }) => [path, together, strength, reverse]),
    [['b.md', 5, 1, 1]],
  );
});

test('what is wrong on the command line is named as it stands there, and to programs as the field', async t => {
  const repository = edited(t, 6);
  const repo = await registered(t, repository, 'refused');
  const line = ['coupling', 'src/0.ts', '--min-strength', '3', '--repo', repo];
  const { code, stderr } = await svc(daemon.home, line);
  assert.deepEqual([code, stderr.trim()], [2, 'svc: --min-strength: must be a number from 0 to 1']);
  const { error } = JSON.parse((await svc(daemon.home, [...line, '--json'])).stdout) as { error: string };
  assert.equal(error, 'minStrength: must be a number from 0 to 1');
});

test('an answer that the caller holds is not sent again, and any other is', async t => {
  const repository = edited(t, 4);
  const repo = await registered(t, repository, 'tagged');
  const [path] = tracked(repository) as [string];
  await until('HTTP is open', () => typeof readDaemonRecord(daemon.home.places)?.url === 'string');
  const { url, tokenFile } = readDaemonRecord(daemon.home.places)!;
  const authorization = `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`;
  const asked = async (question: string, held = '') => {
    const headers = { authorization, ...(held === '' ? {} : { 'if-none-match': held }) };
    const { status, headers: told } = await fetch(`${url}/${question}repo=${repo}&sync=true`, { headers });
    return { status, tag: told.get('etag') ?? '' };
  };
  const questions = [`ownership?path=${path}&`, 'ownership/drift?threshold=0&', 'hotspots?', `coupling?path=${path}&`];
  const tags = new Map<string, string>();
  const assertTagged = async (what: string, changed: readonly string[]): Promise<void> => {
    for (const question of questions) {
      const { status, tag } = await asked(question, tags.get(question));
      assert.equal(status, changed.includes(question) ? 200 : 304, `${question} ${what}`);
      tags.set(question, tag);
    }
  };
  await assertTagged('first', questions);
  await assertTagged('the same', []);
  repository.write('CODEOWNERS', `${path} @zoe\n`);
  await assertTagged('after CODEOWNERS', questions);
  repository.git('commit', '--quiet', '--allow-empty', '--message', 'nothing');
  await assertTagged('after a commit', questions);
});

test('what a shallow clone was told not to have is nobody’s, and comes with the rest', async t => {
  const repository = edited(t, 5);
  const folder = temporaryFolder(t);
  folder.git('clone', '--quiet', '--depth', '3', `file://${repository.root}`, 'clone');
  const clone = workspace(folder.path('clone'));
  const repo = await registered(t, clone, 'shallow');
  const paths = tracked(clone);
  const cut = clone.git('rev-list', '--max-parents=0', 'HEAD');
  const { hotspots, historyIsCut } = await client.hotspots.list({ days: 3650, limit: 100, repo });
  assert.equal(historyIsCut, true);
  for (const { targetId, metrics } of hotspots) {
    const commits = clone.git('rev-list', `${cut}..HEAD`, '--', targetId).split('\n');
    assert.equal(metrics.churnCommits, commits.filter(one => one !== '').length, targetId);
  }
  const { coverage } = await owned(repo);
  const lines = paths.flatMap(
    path => clone.git('blame', '--porcelain', 'HEAD', '--', path).match(/^[0-9a-f]{40} .*$/gm)!,
  );
  assert.equal(coverage.lines - coverage.knownLines, lines.filter(line => line.startsWith(cut)).length);
  clone.git('fetch', '--quiet', '--unshallow');
  const after = await client.hotspots.list({ days: 3650, limit: 100, repo });
  assert.equal(after.historyIsCut, undefined);
  await assertOwnedAsBlamed(clone, repo);
});

test('of what git can’t tell for want of contents, nobody is told to ask again', async t => {
  const repository = edited(t, 6);
  repository.git('config', 'uploadpack.allowFilter', 'true');
  const [path = ''] = tracked(repository);
  repository.write('CODEOWNERS', `${path} @zoe\n`);
  commitAs(repository, { by: 'Ann', daysAgo: 0 });
  const folder = temporaryFolder(t);
  folder.git('clone', '--quiet', '--filter=blob:none', `file://${repository.root}`, 'clone');
  const repo = await registered(t, workspace(folder.path('clone')), 'partial');
  const warnings = async (ask: { readonly sync?: true }) => {
    const [owners, drift] = [
      await client.ownership.get({ path, repo, ...ask }),
      await client.ownership.drift({ repo }),
    ];
    return [owners, drift].map(told => told.warnings?.map(({ message }) => message));
  };
  for (const ask of [{ sync: true }, { sync: true }, {}] as const) {
    assert.deepEqual(await warnings(ask), [
      ['git could not say who wrote 1 file: the shares are those of the others'],
      ['git could not say who wrote 1 file: whether these drifted is not known'],
    ]);
  }
});

test('a binary file has no lines that anybody wrote', async t => {
  const repository = gitRepository(t);
  repository.write('src/a.ts', 'export const a = 1;\n');
  repository.write('src/logo.ts', Buffer.from('\0\n\0\n'));
  commitAs(repository, { by: 'Ann', daysAgo: 2 });
  repository.git('mv', 'src/logo.ts', 'src/mark.ts');
  commitAs(repository, { by: 'Ben', daysAgo: 1 });
  const repo = await registered(t, repository, 'binary');
  const { owners, coverage } = await owned(repo, 'src/mark.ts');
  assert.deepEqual([owners, coverage.blamedFiles, coverage.pendingFiles], [[], 0, 0]);
  const all = await owned(repo);
  assert.deepEqual([all.coverage.blamedFiles, all.coverage.lines], [1, 1]);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDaemonRecord } from '../../client/paths.ts';
import { startDaemon, until } from '../support/daemon.ts';
import { afterAll, gitRepository, temporaryFolder, type Workspace, workspace } from '../support/repository.ts';
import { eachRow, svc } from './command.ts';

const text = `
-- package.json --
{ "name": "app" }
-- src/load.ts --
export function load(): number { return 1; }
-- src/other.ts --
export function other(): number { return 1; }
-- src/gone.ts --
export const gone = 1;
-- src/ä b.ts --
export const odd = 1;
-- test/load.test.ts --
import { load } from '../src/load.ts';
load();
-- test/other.test.ts --
import { other } from '../src/other.ts';
other();
-- test/odd.test.ts --
import { odd } from '../src/ä b.ts';
import { gone } from '../src/gone.ts';
console.log(odd, gone);
`;

const daemon = await startDaemon(afterAll);
const home = daemon.home.path;

/** A repository that the daemon follows: `main`, and a branch `side` with a change of its own, which is checked out. */
async function branched(t: Parameters<typeof gitRepository>[0], id: string): Promise<Workspace> {
  const folder = gitRepository(t, text);
  folder.git('checkout', '--quiet', '-b', 'side');
  folder.write('src/load.ts', 'export function load(): number { return 2; }\n');
  folder.commit('of side');
  folder.git('checkout', '--quiet', 'main');
  folder.write('src/other.ts', 'export function other(): number { return 2; }\n');
  folder.commit('of main');
  folder.git('checkout', '--quiet', 'side');
  await daemon.client.daemon.addRepo({ root: folder.root, id });
  await until('it is indexed', async () => {
    const { repos } = await daemon.client.daemon.listRepos({});
    return repos.some(one => one.id === id && one.status === 'ready' && one.watching !== 'off');
  });
  return folder;
}

type Row = readonly [words: string, stdout: readonly string[], more?: { shell?: string; cwd?: string }];

test('files and ranges of commits, from flags and standard input, lead to the paths of tests, one a line', async t => {
  const { root, path } = await branched(t, 'ranges');
  const [load, other, odd] = ['load', 'other', 'odd'].map(name => `test/${name}.test.ts`) as [string, string, string];
  const rows: readonly Row[] = [
    ['src/load.ts', [load]],
    ['src/load.ts src/other.ts', [load, other]],
    ['load.ts ./other.ts ../src/load.ts', [load, other], { cwd: 'src' }],
    [`${path('src/other.ts')}`, [other]],
    ['package.json', []],
    ['package.json --include-all', [load, odd, other]],
    ['--base main', [load]],
    ['--base main --head HEAD', [load]],
    ['--base main --head side --compare base', [load, other]],
    ['--base side', []],
    ['--base HEAD~1', [load]],
    ['--base @~1', [load]],
    ['--base @', []],
    ['main...HEAD', [load]],
    ['main..side', [load, other]],
    ['..main', [load, other]],
    ['src', [load, odd, other]],
    ['./', [load, odd, other], { cwd: 'src' }],
    ['. --limit 1', [load]],
    ['-', [load, odd, other], { shell: 'printf "src\\nsrc/none.ts\\n" | "$0" "$@"' }],
    ['-', [load], { shell: 'echo "main...HEAD " | "$0" "$@"' }],
    ['-', [load, other], { shell: 'echo ..main | "$0" "$@"' }],
    ['-', [load, other], { shell: 'echo main..HEAD | "$0" "$@"' }],
    ['-', [load], { shell: 'echo main... | "$0" "$@"' }],
    ['-', [load, other], { shell: 'git diff --name-only main | "$0" "$@"' }],
    ['-', [load, other], { shell: 'git diff --name-only main | "$0" "$@"', cwd: 'src' }],
    ['-', [load, other], { shell: 'git diff --name-only -z main | "$0" "$@"' }],
    ['-', [odd], { shell: 'git ls-files "src/*b.ts" | "$0" "$@"' }],
    ['-', [load], { shell: 'printf "./load.ts\\r\\n\\n" | "$0" "$@"', cwd: 'src' }],
    ['-', [], { shell: '"$0" "$@" < /dev/null' }],
  ];
  await eachRow(rows, async ([words, tests, { shell, cwd = '' } = {}]) => {
    const args = ['affected', ...words.split(' ')];
    const { code, stdout, stderr } = await svc(args, {
      ...{ home, cwd: path(cwd) },
      ...(shell === undefined ? {} : { shell }),
    });
    assert.deepEqual(
      [code, stdout.split('\n').slice(0, -1).sort()],
      [0, [...tests].sort()],
      `${words} ${shell}: ${stderr}`,
    );
  });
  const folder = await svc(['affected', 'src', 'src/none.ts'], { home, cwd: root });
  assert.match(folder.stderr, /^3 tests of 5 changed files\nsrc is a folder: 4 files of it\n/);
  assert.match(folder.stderr, /^1 file neither in the index nor in HEAD: src\/none\.ts$/m);
  const configured = await svc(['affected', 'package.json', 'src/none.ts'], { home, cwd: root });
  assert.match(configured.stderr, /^package\.json may make a difference to all tests: --include-all lists them$/m);
  const told = await svc(['affected', '--base', 'main', '--json'], { home, cwd: root });
  const { base, head, changed } = JSON.parse(told.stdout) as { base: string; head: null; changed: object[] };
  assert.deepEqual([base, head], [workspace(root).git('merge-base', 'main', 'side'), null]);
  assert.deepEqual(changed, [{ path: 'src/load.ts', status: 'known' }]);
});

test('what is not committed counts against the work tree, and what a work tree has not is told', async t => {
  const folder = await branched(t, 'dirty');
  folder.write('src/other.ts', 'export function other(): number { return 3; }\n');
  folder.remove('src/gone.ts');
  folder.write('test/new.test.ts', 'import "../src/load.ts";\n');
  const { stdout, stderr } = await svc(['affected', '--base', 'HEAD', '--json'], { home, cwd: folder.root });
  const { changed, tests } = JSON.parse(stdout) as { changed: object[]; tests: { path: string; relation: string }[] };
  assert.deepEqual(
    changed,
    [
      { path: 'src/gone.ts', status: 'deleted' },
      { path: 'src/other.ts', status: 'known' },
      { path: 'test/new.test.ts', status: 'known' },
    ],
    stderr,
  );
  assert.deepEqual(
    tests.map(({ path, relation }) => `${relation} ${path}`),
    ['changed test/new.test.ts', 'symbol test/other.test.ts', 'missing test/odd.test.ts'],
  );
  const both = await svc(['affected', '--base', 'main', '--head', 'HEAD'], { home, cwd: folder.root });
  assert.equal(both.stdout, 'test/load.test.ts\ntest/new.test.ts\n', 'by the index, which is of the work tree');
  assert.match(both.stderr, /3 files indexed otherwise than head has it/);
  const named = await svc(['affected', 'src/gone.ts', '--json'], { home, cwd: folder.root });
  assert.equal((JSON.parse(named.stdout) as { changed: { status: string }[] }).changed[0]?.status, 'deleted');
  folder.write('java/a/Gone.java', 'package a;\npublic class Gone { }\n');
  folder.write('java/a/GoneTest.java', 'package a;\nclass GoneTest { @Test void t() { new Gone(); } }\n');
  folder.commit('of Java');
  folder.remove('java/a/Gone.java');
  for (const words of [['--base', 'HEAD'], ['java/a/Gone.java']]) {
    const gone = await svc(['affected', ...words], { home, cwd: folder.root });
    assert.equal(gone.stdout, 'java/a/GoneTest.java\n', gone.stderr);
    assert.match(gone.stderr, /^1 file gone: known is who looks for what it defined/m);
  }
});

test('what names no file or commit, or says two things, is refused', async t => {
  const { root, path } = await branched(t, 'hostile');
  const cut = temporaryFolder(t);
  cut.git('clone', '--quiet', '--depth=1', '--branch=side', `file://${root}`, 'cut');
  cut.git('-C', 'cut', 'fetch', '--quiet', '--depth=1', 'origin', 'main:main');
  await daemon.client.daemon.addRepo({ root: cut.path('cut'), id: 'cut' });
  const plain = temporaryFolder(t, '-- a.ts --\nexport const a = 1;\n');
  await daemon.client.daemon.addRepo({ root: plain.root, id: 'plain' });
  const unborn = temporaryFolder(t, '-- a.ts --\nexport const a = 1;\n');
  unborn.git('init', '--quiet');
  await daemon.client.daemon.addRepo({ root: unborn.root, id: 'unborn' });
  const rows: readonly (readonly [args: readonly string[], code: number, says: RegExp, cwd?: string])[] = [
    [[], 2, /either these or a base/],
    [['src/load.ts', '--base', 'main'], 2, /go without a base/],
    [['src/load.ts', '--head', 'main'], 2, /goes with a base/],
    [['-', 'src/load.ts'], 2, /stands alone/],
    [[''], 2, /must not be empty/],
    [['../outside.ts'], 2, /lies outside of/],
    [['..'], 2, /lies outside of/],
    [['src/none.ts'], 4, /Neither the index nor HEAD has src\/none\.ts/],
    [['nowhere', 'nobody'], 4, /Neither the index nor HEAD has nobody, nowhere/],
    [['none..HEAD'], 4, /"none" names no commit of this clone: git fetch gets/],
    [['none..HEAD', 'src/no.ts'], 4, /Neither the index nor HEAD has none\.\.HEAD, src\/no\.ts/],
    [['main..side', '--base', 'main'], 2, /goes without a range/],
    [['--base', 'HEAD~99'], 4, /"HEAD~99" names no commit of this clone: its history does not go back so far\n$/],
    [['--base', '@~99'], 4, /its history does not go back so far/],
    ...['--output=/x', ''].map(base => [[`--base=${base}`], 2, /base: must name one commit/] as const),
    [['--base', 'main', '--head=--all'], 2, /head: must name one commit/],
    [['--base', 'none'], 4, /"none" names no commit of this clone: git fetch gets what others have\n$/],
    [['--base', 'main', '--head', '0'.repeat(40)], 4, /names no commit/],
    [['--base', 'main'], 5, /shallow.* git fetch --unshallow gets/, cut.path('cut')],
    [['--base', 'HEAD~1'], 5, /shallow: git fetch --unshallow gets/, cut.path('cut')],
    [['--base', 'HEAD'], 4, /"HEAD" names no commit of this clone: nothing has been committed/, unborn.root],
    [['--base', '@'], 4, /nothing has been committed/, unborn.root],
    [['--base', 'main'], 5, /not under git/, plain.root],
  ];
  await eachRow(rows, async ([args, code, says, cwd = root]) => {
    const ended = await svc(['affected', ...args], { home, cwd });
    assert.match(ended.stderr, says, JSON.stringify(args));
    assert.deepEqual([ended.code, ended.stdout], [code, ''], JSON.stringify(args));
  });
  for (const base of ['a..b', 'HEAD@{1}', 'a\nb', '-', 'a b', ':/x', 'x:y', 'a'.repeat(600)]) {
    const asked = daemon.client.analysis.affected({ base, repo: 'hostile' });
    await assert.rejects(asked, { reason: 'invalidParameter', message: /base: must name one commit/ }, base);
  }
  const known = await svc(['affected', '--base=main', '--compare=base'], { home, cwd: cut.path('cut') });
  assert.deepEqual([known.code, known.stdout], [0, 'test/load.test.ts\ntest/other.test.ts\n'], known.stderr);
  const outside = await svc(['affected', '-'], {
    home,
    cwd: root,
    shell: 'printf "../x.ts\\nsrc/load.ts\\n" | "$0" "$@"',
  });
  assert.equal(outside.stdout, 'test/load.test.ts\n');
  assert.match(outside.stderr, /1 file outside of the repository left out/);
  assert.equal(
    (await svc(['affected', path('src/../src/load.ts')], { home, cwd: root })).stdout,
    'test/load.test.ts\n',
  );
});

test('over HTTP a path that leads out makes no body, and one of an odd name is a path', async t => {
  const { write, root } = await branched(t, 'http');
  write('src/c:\\x.ts', 'export const x = 1;\n');
  write('..\\y.test.ts', 'import { x } from "./src/c:\\\\x.ts";\nconsole.log(x);\n');
  await until('HTTP is open', () => typeof readDaemonRecord(daemon.home.places)?.url === 'string');
  const { url, tokenFile } = readDaemonRecord(daemon.home.places)!;
  const headers = {
    authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`,
    'content-type': 'application/json',
  };
  const ask = async (files: readonly string[]) => {
    const asking = { method: 'POST', headers, body: JSON.stringify({ files }) };
    const answer = await fetch(`${url}/affected?repo=http&sync=true`, asking);
    return [answer.status, ((await answer.json()) as { tests?: { path: string }[] }).tests?.map(({ path }) => path)];
  };
  const rows: readonly (readonly [files: readonly string[], status: number, tests?: readonly string[]])[] = [
    [['../x'], 422],
    [['src/load.ts', '/etc/passwd'], 422],
    [['..\\x'], 422],
    [['C:\\x'], 422],
    [['none.ts'], 404],
    [['src/c:\\x.ts'], 200, ['..\\y.test.ts']],
    [['..\\y.test.ts'], 200, ['..\\y.test.ts']],
    [['src/load.ts'], 200, ['test/load.test.ts']],
  ];
  for (const [files, status, tests] of rows) assert.deepEqual(await ask(files), [status, tests], `${files} in ${root}`);
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { startDaemon, svc } from '../support/daemon.ts';
import { afterAll, type Cleanup, gitRepository, type Workspace } from '../support/repository.ts';

const shared = await startDaemon(afterAll);

/** A function of that many branches in a row. */
const branching = (name: string, count: number): string =>
  `export function ${name}(a: number) {\n${'  if (a > 1) a--;\n'.repeat(count)}}\n`;

const tree = `-- .gitignore --
out
-- README.md --
-- package.json --
{ "name": "app", "private": true, "bin": "src/main.ts" }
-- src/main.ts --
import { low } from './a.ts';
low(1);
-- src/a.ts --
${branching('low', 2)}${branching('high', 12)}
-- src/deep/b.py --
def flat():
    return 1
-- native/one.c --
/* one */
-- native/two.rb --
# two
-- native/three.c --
/* three */
-- src/c:\\odd.ts --
export {};
-- src/..\\odd.ts --
export {};
-- \\odd.ts --
export {};
-- out/made.ts --
${branching('made', 50)}
`;

async function repository(context: Cleanup, id: string): Promise<Workspace> {
  const workspace = gitRepository(context, tree);
  await shared.client.daemon.addRepo({ root: workspace.root, id });
  context.after(() => shared.client.daemon.removeRepo({ id }).catch(() => {}));
  return workspace;
}

const run = (line: string, cwd: string) => svc(shared.home, line.split(' '), cwd);

test('a gate fails over functions that have more than they may, of files and folders', async t => {
  const { root, path, write } = await repository(t, 'app');
  const rows: readonly (readonly [string, string, number | null, string])[] = [
    ['complexity src/a.ts --fail-over cognitive=12', root, 0, ''],
    [
      'complexity src/a.ts --fail-over cognitive=11',
      root,
      1,
      'src/a.ts:5:1: error: high: cognitive complexity 12, 11 at most\n',
    ],
    [
      'complexity src --fail-over cognitive=11,parameters=1',
      root,
      1,
      'src/a.ts:5:1: error: high: cognitive complexity 12, 11 at most\n',
    ],
    [
      'complexity a.ts deep/b.py --fail-over cyclomatic=12',
      path('src'),
      1,
      'src/a.ts:5:1: error: high: cyclomatic complexity 13, 12 at most\n',
    ],
    ['complexity . --fail-over cognitive=40', root, 0, ''],
    ['complexity src/a.ts README.md --fail-over cognitive=40', root, 0, ''],
    ['complexity src/a.ts src/none.ts --fail-over cognitive=40', root, 4, ''],
    ['complexity README.md --fail-over cognitive=40', root, 2, ''],
    ['complexity README.md package.json --fail-over cognitive=40', root, 2, ''],
    ['complexity native --fail-over cognitive=40', root, 2, ''],
    ['complexity native/one.c --fail-over cognitive=40', root, 2, ''],
    ['complexity out --fail-over cognitive=40', root, 0, ''],
    ['complexity ../.. --fail-over cognitive=40', root, 2, ''],
    ['complexity src/a.ts --fail-over depth=40', root, 2, ''],
    ['complexity src/a.ts src/deep/b.py', root, 2, ''],
    ['complexity src/a.ts --baseline none.json --fail-over lines=1', root, 78, ''],
    ['complexity src/a.ts --fail-over lines=1 --format xml', root, 2, ''],
    ['complexity src/a.ts --fail-over lines=1 --plain --format github', root, 2, ''],
    ['complexity src', root, 4, ''],
    // Split at the space, behind which there is nothing.
    ['complexity ', root, 2, ''],
  ];
  for (const [line, cwd, code, stdout] of rows) {
    const ended = await run(line, cwd);
    assert.deepEqual([ended.code, ended.stdout], [code, stdout], `${line}\n${ended.stderr}`);
  }
  const { stderr } = await run('complexity src/a.ts README.md --fail-over cognitive=40', root);
  assert.equal(stderr, '0 findings over cognitive=40 in 1 file\n1 file can’t be measured: README.md\n');
  const whole = await run('complexity . --fail-over cognitive=40', root);
  assert.equal(
    whole.stderr,
    '0 findings over cognitive=40 in 6 files\nnot measured: 2 files of c, 1 file of ruby\n',
    'and files with odd names among those that are',
  );
  const native = await run('complexity native --fail-over cognitive=40', root);
  assert.match(native.stderr, /^svc: Nothing of native can be measured: 2 files of c, 1 file of ruby\n/);
  write('src/-deep/c.ts', '');
  for (const [line, shown] of [
    ['complexity deep', 'deep'],
    ['complexity -- -deep', '-- -deep'],
  ] as const) {
    const folder = await run(line, path('src'));
    const [, again = ''] = /^svc: -?deep is a folder, .*\n {2}svc (\S.*?) {2}#/.exec(folder.stderr) ?? [];
    assert.equal(again, `complexity --fail-over cognitive=15,cyclomatic=20 ${shown}`);
    assert.equal((await run(again, path('src'))).code, 0, again);
  }
  const twice = await run('unwired --json --format sarif', root);
  assert.deepEqual([twice.code, JSON.parse(twice.stdout).error], [2, '--format sarif and --json exclude each other']);
});

test('with a baseline a gate fails over what is new alone, edits that have just been written included', async t => {
  const { root, path, write } = await repository(t, 'app');
  const written = await run('baseline --fail-over cognitive=10', root);
  const told = '1 finding of functions in 6 files, 2 symbols that no entrypoint reaches';
  assert.deepEqual([written.code, written.stdout], [0, `svc-baseline.json: ${told}\n`]);
  const { findings } = JSON.parse(readFileSync(path('svc-baseline.json'), 'utf8')) as {
    readonly findings: readonly { readonly rule: string; readonly path: string; readonly name: string }[];
  };
  assert.deepEqual(findings[0], { rule: 'complexity/cognitive', path: 'src/a.ts', name: 'high', value: 12 });
  assert.deepEqual(
    findings.slice(1).map(({ rule, path, name }) => [rule, path, name]),
    [
      ['unwired', 'src/a.ts', 'high'],
      ['unwired', 'src/deep/b.py', 'flat'],
    ],
  );
  const gate = () => run('complexity src --fail-over cognitive=10 --baseline svc-baseline.json', root);
  assert.deepEqual(await gate().then(({ code, stdout }) => [code, stdout]), [0, '']);

  write('src/a.ts', `\n\n${branching('high', 12)}${branching('other', 11)}`);
  const fresh = await gate();
  assert.deepEqual(
    [fresh.code, fresh.stdout],
    [1, 'src/a.ts:17:1: error: other: cognitive complexity 11, 10 at most\n'],
  );
  assert.match(fresh.stderr, /^1 finding over cognitive=10 in 5 files; 1 more that svc-baseline\.json knows\n$/);
  write('src/a.ts', branching('high', 13));
  assert.equal((await gate()).code, 1, 'what is known has grown');
  write('src/moved.ts', branching('high', 12));
  rmSync(path('src/a.ts'));
  assert.equal((await gate()).code, 0, 'its file has another name');
  write('src/a.ts', branching('high', 13));
  rmSync(path('src/moved.ts'));
  const document = JSON.parse((await run('complexity src --fail-over cognitive=10 --json', root)).stdout);
  assert.deepEqual([document.failed, document.findings.length, document.known], [true, 1, 0]);
});

test('a baseline knows what gates find that fail over no less, whatever a clone of it is called', async t => {
  const { root, path, write } = await repository(t, 'app');
  write('src/b.ts', branching('mid', 17));
  const gate = async (bounds: string, cwd = root) => {
    const words = `complexity src --fail-over ${bounds} --baseline svc-baseline.json`;
    const { code, stdout, stderr } = await run(words, cwd);
    return { code, found: stdout.split('\n').length - 1, stderr };
  };
  await run('baseline -o svc-baseline.json', root);
  assert.deepEqual(JSON.parse(readFileSync(path('svc-baseline.json'), 'utf8')).bounds, {
    cyclomatic: 10,
    cognitive: 10,
  });
  assert.deepEqual(await gate('cognitive=25,cyclomatic=15').then(({ code, found }) => [code, found]), [0, 0]);
  const lower = await gate('cognitive=25,cyclomatic=5,lines=9');
  assert.deepEqual([lower.code, lower.found], [78, 0]);
  assert.match(
    lower.stderr,
    /json: lists cyclomatic over 10 alone and nothing of lines, and the gate fails over less\n/,
  );
  const [, again = ''] = /^ {2}svc (baseline \S.*?) {2}#/m.exec(lower.stderr) ?? [];
  assert.equal(again, 'baseline -o svc-baseline.json --fail-over cyclomatic=5,cognitive=10,lines=9');
  assert.equal((await run(again, root)).code, 0);
  assert.deepEqual(await gate('cognitive=25,cyclomatic=5,lines=9').then(({ code }) => code), 0);

  const clone = gitRepository(t, `-- src/renamed.ts --\n${branching('mid', 17)}`);
  await shared.client.daemon.addRepo({ root: clone.root, id: 'otherwise' });
  t.after(() => shared.client.daemon.removeRepo({ id: 'otherwise' }));
  clone.write('svc-baseline.json', readFileSync(path('svc-baseline.json'), 'utf8'));
  assert.deepEqual(await gate('cyclomatic=15', clone.root).then(({ code }) => code), 0);
  write('svc-baseline.json', '{ "baselineVersion": 1, "repository": "app", "findings": [] }');
  assert.equal((await gate('cyclomatic=15')).code, 1, 'one from before bounds were written down');
});

test('a gate fails over exported symbols that nothing reaches, but for those of its baseline', async t => {
  const { root, write } = await repository(t, 'app');
  const unwired = async (flags: string) => {
    const { code, stdout } = await run(`unwired --min-confidence 0 ${flags}`, root);
    return [code, stdout.split('\n').filter(line => line !== '').length];
  };
  assert.deepEqual(await unwired('--fail-on 1'), [1, 2]);
  assert.deepEqual(await unwired('--fail-on 2'), [1, 2]);
  assert.deepEqual(await unwired('--fail-on 3'), [0, 2]);
  assert.deepEqual(await unwired('--fail-on 2 --limit 1'), [1, 1], 'a limit is one of what is shown');
  await run('baseline -o known.json', root);
  assert.deepEqual(await unwired('--fail-on 1 --baseline known.json'), [0, 0]);
  write('src/a.ts', `${branching('low', 2)}\n${branching('high', 1)}${branching('more', 1)}`);
  assert.deepEqual(await unwired('--fail-on 1 --baseline known.json'), [1, 1]);
  const { stdout } = await run('unwired --min-confidence 0 --fail-on 1 --baseline known.json --format github', root);
  assert.match(stdout, /^::error file=src\/a\.ts,line=9,title=svc unwired::function more is exported, /);
  assert.equal((await run('unwired --fail-on 0', root)).code, 2);
});

test('a baseline of something else is told from one, and none is written where the command is wrong', async t => {
  const { root, path, write } = await repository(t, 'app');
  write(
    'other.json',
    '{ "baselineVersion": 1, "repository": "lib", "findings": [{ "rule": "unwired", "path": "a", "name": "b" }] }',
  );
  write('broken.json', '{ "baselineVersion": 1,\n');
  write('word.json', '[\n  none]');
  for (const [file, message] of [
    ['broken.json', /broken\.json: 2:1: is no JSON/],
    ['word.json', /word\.json: 2:3: is no JSON/],
    ['src', /src: is no regular file/],
  ] as const) {
    const { code, stderr } = await run(`complexity src/a.ts --fail-over lines=1 --baseline ${file}`, root);
    assert.equal(code, 78);
    assert.match(stderr, message);
  }
  const other = await run('complexity src/a.ts --fail-over lines=1 --baseline other.json', root);
  assert.equal(other.code, 1);
  assert.match(other.stderr, /The baseline is of "lib", and no file that it lists is here/);
  assert.equal((await run('baseline --fail-over nothing', root)).code, 2);
  assert.ok(!existsSync(path('svc-baseline.json')));
  assert.equal((await run('baseline -o nowhere/b.json', root)).code, 78);
  const piped = await run('baseline src -o -', root);
  assert.equal(JSON.parse(piped.stdout).repository, 'app');
});

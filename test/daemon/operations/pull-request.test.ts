import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addRepo, startDaemon, until } from '../../support/daemon.ts';
import { commitAs } from '../../support/dated-history.ts';
import { afterAll, gitRepository, repositoryLike, type Workspace } from '../../support/repository.ts';
import { rejects } from './expected-faults.ts';

const daemon = await startDaemon(afterAll);
const { client } = daemon;

async function registered(t: TestContext, { root }: Workspace, id: string): Promise<void> {
  await addRepo(t, daemon, { root, id });
  await until('the tree is indexed', async () => (await client.system.status({ repo: id })).index.snapshotId !== null);
}

const numbers = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `  total += ${from + at};\n`).join('');
const sum = (to: number): string =>
  `export function sum(): number {\n  let total = 0;\n${numbers(0, to)}  return total;\n}\n`;

/** Ann wrote the sum, Ben a part of it, Cay the caller; what Dan does on a branch is the change. */
const changed = (t: TestContext): Workspace => repositoryLike(t, original);
const original = changedRepository();

function changedRepository(): Workspace {
  const repository = gitRepository(afterAll);
  repository.write('package.json', '{ "name": "app" }\n');
  repository.write('.github/CODEOWNERS', 'docs/ @erin\n*.png @fay\n');
  repository.write('src/sum.ts', sum(10));
  repository.write(
    'src/text.ts',
    `import { sum } from './sum.ts';\nexport const text = (): string => String(sum());\n`,
  );
  repository.write('docs/sum.md', '# Sum\n');
  repository.write('logo.png', Buffer.from([0x89, 0x50, 0, 1, 2, 3]));
  commitAs(repository, { by: 'Ann', daysAgo: 40 });
  repository.write('src/sum.ts', sum(20));
  commitAs(repository, { by: 'Ben', daysAgo: 20 });
  repository.git('switch', '--quiet', '--create', 'feature');
  repository.write(
    'src/sum.ts',
    `${sum(20).replace('  total += 3;\n', '  total += 33;\n').replace('  total += 13;\n', '')}export const more = 1;\n`,
  );
  commitAs(repository, { by: 'Dan', daysAgo: 2 });
  repository.git('mv', 'docs/sum.md', 'docs/total.md');
  repository.write('logo.png', Buffer.from([0x89, 0x50, 0, 3, 2, 1, 0]));
  repository.git('rm', '--quiet', 'src/text.ts');
  commitAs(repository, { by: 'Dan', daysAgo: 1 });
  repository.git('switch', '--quiet', 'main');
  repository.write('src/other.ts', 'export const other = 1;\n');
  commitAs(repository, { by: 'Ann', daysAgo: 1 });
  repository.git('switch', '--quiet', 'feature');
  return repository;
}

function symbolsIn({ symbolsChanged }: { readonly symbolsChanged: readonly { name: string; change: string }[] }) {
  return symbolsChanged.map(({ name, change }) => `${name} ${change}`).sort();
}

test('a branch is told by what it changes since it parted from its base', async t => {
  const repository = changed(t);
  await registered(t, repository, 'change');
  const summary = await client.pr.summary({ baseBranch: 'main', repo: 'change', sync: true });
  assert.ok(typeof summary !== 'string');
  const counts = repository
    .git('diff', '--numstat', '-M', 'main...HEAD')
    .split('\n')
    .map(line => line.split('\t'));
  const sumOf = (column: number): number => counts.reduce((all, line) => all + (Number(line[column]) || 0), 0);
  assert.deepEqual(
    [summary.filesChanged, summary.linesAdded, summary.linesRemoved],
    [counts.length, sumOf(0), sumOf(1)],
  );
  assert.deepEqual(
    summary.files.map(({ path, from = '', status, binary }) => [path, from, status, binary]),
    [
      ['docs/total.md', 'docs/sum.md', 'renamed', false],
      ['logo.png', '', 'modified', true],
      ['src/sum.ts', '', 'modified', false],
      ['src/text.ts', '', 'deleted', false],
    ],
  );
  assert.deepEqual([summary.commits, summary.authors], [2, ['dan@example.com']]);
  assert.equal(summary.mergeBase, repository.git('merge-base', 'main', 'feature'));
  assert.equal(summary.filesNotBlamed, 0);
  // Of the two lines of the sum that are taken away one is Ann's, one Ben's and newer; text.ts was Ann's.
  assert.deepEqual(
    summary.reviewers.map(({ identity, declaredFor }) => [identity, declaredFor]),
    [
      ['ann@example.com', 0],
      ['ben@example.com', 0],
      ['@erin', 1],
      ['@fay', 1],
    ],
  );
  assert.equal(summary.suggestedReviewers[0], 'ann@example.com');
  assert.deepEqual(symbolsIn(summary), ['more added', 'sum modified', 'text removed']);
  assert.deepEqual(summary.modulesAffected.includes('src'), true);
});

test('a branch does not choose its reviewers: the base says who owns what', async t => {
  const repository = changed(t);
  repository.write('.github/CODEOWNERS', '* @mallory\n');
  commitAs(repository, { by: 'Dan', daysAgo: 0 });
  await registered(t, repository, 'chosen');
  const summary = await client.pr.summary({ baseBranch: 'main', repo: 'chosen', sync: true });
  assert.ok(typeof summary !== 'string');
  const declared = summary.reviewers.filter(({ declaredFor }) => declaredFor > 0).map(({ identity }) => identity);
  assert.deepEqual(declared.sort(), ['@erin', '@fay']);
  const back = await client.pr.summary({ baseBranch: 'feature', headBranch: 'main', repo: 'chosen', sync: true });
  assert.ok(typeof back !== 'string' && back.suggestedReviewers.includes('@mallory'));
});

test('who wrote a change is not asked to review it', async t => {
  const repository = changed(t);
  repository.git('switch', '--quiet', 'feature');
  repository.write('src/sum.ts', sum(21));
  commitAs(repository, { by: 'Ann', daysAgo: 0 });
  await registered(t, repository, 'own');
  const summary = await client.pr.summary({ baseBranch: 'main', repo: 'own', sync: true });
  assert.ok(typeof summary !== 'string');
  assert.deepEqual(summary.authors, ['ann@example.com', 'dan@example.com']);
  assert.ok(!summary.suggestedReviewers.includes('ann@example.com'));
  assert.ok(summary.suggestedReviewers.includes('ben@example.com'));
  const without = await client.pr.summary({ baseBranch: 'main', includeOwnership: false, repo: 'own' });
  assert.ok(typeof without !== 'string');
  assert.deepEqual([without.suggestedReviewers, without.reviewers], [[], []]);
  const few = await client.pr.summary({ baseBranch: 'main', includeSymbols: false, limit: 1, repo: 'own' });
  assert.ok(typeof few !== 'string');
  assert.deepEqual([few.symbolsChanged, few.files.length, few.symbolsTotal], [[], 1, summary.symbolsTotal]);
  // What is told of a change makes it no more or less risky.
  for (const one of [without, few]) {
    assert.deepEqual([one.riskScore, one.riskFactors], [summary.riskScore, summary.riskFactors]);
  }
});

test('the first answer about many files waits for nobody: who changed them counts until git has said who wrote the lines', async t => {
  const repository = changed(t);
  repository.git('switch', '--quiet', 'main');
  for (let at = 0; at < 12; at++) repository.write(`many/${at}.ts`, `export const a = ${at};\n`);
  commitAs(repository, { by: 'Gil', daysAgo: 1 });
  repository.git('switch', '--quiet', '--create', 'wide');
  for (let at = 0; at < 12; at++) repository.write(`many/${at}.ts`, `export const a = ${at + 1};\n`);
  commitAs(repository, { by: 'Dan', daysAgo: 0 });
  await registered(t, repository, 'first');
  const first = await client.pr.summary({ baseBranch: 'main', repo: 'first' });
  assert.ok(typeof first !== 'string');
  assert.deepEqual([first.filesNotBlamed, first.filesNotRead, first.symbolsOmitted], [12, 12, 12]);
  assert.deepEqual(
    first.warnings?.map(({ code, backend }) => [code, backend]),
    [
      ['PARTIAL_RESULT', 'git'],
      ['PARTIAL_RESULT', 'tree-sitter'],
    ],
  );
  assert.deepEqual(first.suggestedReviewers, ['gil@example.com']);
  await until('git has said it', async () => {
    const later = await client.pr.summary({ baseBranch: 'main', repo: 'first' });
    return typeof later !== 'string' && later.filesNotBlamed === 0 && later.warnings === undefined;
  });
  const told = await client.pr.summary({ baseBranch: 'main', repo: 'first' });
  assert.ok(typeof told !== 'string');
  assert.deepEqual([told.filesNotRead, told.symbolsOmitted, told.symbolsTotal], [0, 0, 12]);
});

test('who changed files before they were renamed counts as well until git has said who wrote the lines', async t => {
  const repository = gitRepository(t);
  const names = Array.from({ length: 12 }, (_, at) => at);
  for (const at of names) repository.write(`old/${at}.ts`, sum(20 + at));
  commitAs(repository, { by: 'Gil', daysAgo: 3 });
  repository.git('switch', '--quiet', '--create', 'moved');
  repository.git('mv', 'old', 'new');
  for (const at of names) repository.write(`new/${at}.ts`, sum(20 + at).replace('  total += 3;\n', '  total += 33;\n'));
  commitAs(repository, { by: 'Dan', daysAgo: 1 });
  await registered(t, repository, 'moved');
  const moved = await client.pr.summary({ baseBranch: 'main', repo: 'moved' });
  assert.ok(typeof moved !== 'string');
  assert.deepEqual([moved.filesNotBlamed, moved.suggestedReviewers], [12, ['gil@example.com']]);
});

test('lines are counted as git diff counts them, by what attributes say of text as well', async t => {
  const repository = gitRepository(t);
  const names = ['a.gen', 'b.lock', 'c.txt2', 'd.ts', 'e.bin', 'sub/f.lock'];
  const contents = (line: string) => [
    `${line}\n`,
    `${line}\n`,
    Buffer.from(`\0${line}\n`),
    `${line}\n`,
    Buffer.from(`\0${line}`),
    line,
  ];
  repository.write('.gitattributes', '*.gen binary\n*.lock -diff\n*.txt2 diff\n');
  repository.write('sub/.gitattributes', '*.lock diff\n');
  const write = (line: string): void => {
    for (const [at, content] of contents(line).entries()) repository.write(names[at]!, content);
  };
  write('one');
  commitAs(repository, { by: 'Ann', daysAgo: 2 });
  repository.git('switch', '--quiet', '--create', 'attributed');
  write('two');
  repository.git('mv', 'd.ts', 'g.lock');
  commitAs(repository, { by: 'Dan', daysAgo: 1 });
  await registered(t, repository, 'attributed');
  const told = await client.pr.summary({ baseBranch: 'main', repo: 'attributed' });
  assert.ok(typeof told !== 'string');
  const lines = told.files.map(
    ({ path, binary, linesAdded, linesRemoved }) => `${binary ? '-\t-' : `${linesAdded}\t${linesRemoved}`}\t${path}`,
  );
  const counted = repository.git('diff', '--numstat', '--no-renames', 'main', 'attributed').split('\n');
  assert.deepEqual(lines.sort(), counted.sort());
});

test('where nobody else wrote what is changed, who else works there is asked', async t => {
  const repository = changed(t);
  repository.git('switch', '--quiet', 'main');
  repository.git('rm', '--quiet', '.github/CODEOWNERS');
  commitAs(repository, { by: 'Ann', daysAgo: 1 });
  repository.git('switch', '--quiet', '--create', 'beside');
  repository.write('src/new.ts', 'export const fresh = 1;\n');
  commitAs(repository, { by: 'Dan', daysAgo: 0 });
  await registered(t, repository, 'beside');
  const beside = await client.pr.summary({ baseBranch: 'main', repo: 'beside' });
  assert.ok(typeof beside !== 'string');
  assert.deepEqual([beside.reviewers, beside.suggestedReviewers], [[], ['ann@example.com', 'ben@example.com']]);
  repository.write('src/sum.ts', sum(20).replace('  total += 13;\n', '  total += 14;\n'));
  repository.git('commit', '--all', '--quiet', '--author', 'Ben <ben@example.com>', '--message', 'own');
  const own = await client.pr.summary({ baseBranch: 'HEAD~1', repo: 'beside', sync: true });
  assert.ok(typeof own !== 'string');
  assert.deepEqual([own.reviewers, own.suggestedReviewers], [[], ['ann@example.com', 'dan@example.com']]);
});

test('a package that a branch takes away is the module that its files were in, whatever is checked out', async t => {
  const repository = gitRepository(t);
  repository.write('package.json', '{ "name": "all", "workspaces": ["packages/*"] }\n');
  repository.write('packages/kept/package.json', '{ "name": "kept" }\n');
  repository.write('packages/kept/index.ts', 'export const kept = 1;\n');
  repository.write('packages/gone/package.json', '{ "name": "gone" }\n');
  repository.write('packages/gone/src/index.ts', 'export const gone = 1;\n');
  commitAs(repository, { by: 'Ann', daysAgo: 3 });
  repository.git('switch', '--quiet', '--create', 'feature');
  repository.git('rm', '--quiet', '-r', 'packages/gone');
  commitAs(repository, { by: 'Dan', daysAgo: 1 });
  await registered(t, repository, 'packages');
  for (const branch of ['feature', 'main']) {
    repository.git('switch', '--quiet', branch);
    const ask = { baseBranch: 'main', headBranch: 'feature', repo: 'packages', sync: true };
    const summary = await client.pr.summary(ask);
    assert.ok(typeof summary !== 'string');
    assert.deepEqual(summary.modulesAffected, ['packages/gone'], branch);
    assert.ok(summary.files.every(({ moduleId }) => moduleId === 'packages/gone'));
  }
});

test('the commits of a branch are those that its base has not, however often they were merged', async t => {
  const repository = gitRepository(t);
  const commit = (name: string): void => {
    repository.write(`${name}.ts`, `export const ${name} = 1;\n`);
    commitAs(repository, { by: 'Ann', daysAgo: 2 });
  };
  commit('start');
  repository.git('branch', 'feature');
  commit('one');
  const first = repository.git('rev-parse', 'HEAD');
  repository.git('switch', '--quiet', 'feature');
  commit('other');
  repository.git('merge', '--quiet', '--no-edit', first);
  repository.git('switch', '--quiet', 'main');
  repository.git('merge', '--quiet', '--no-ff', '--no-edit', 'feature^1');
  commit('two');
  repository.git('switch', '--quiet', 'feature');
  commit('last');
  await registered(t, repository, 'across');
  const summary = await client.pr.summary({ baseBranch: 'main', repo: 'across', sync: true });
  assert.ok(typeof summary !== 'string');
  assert.equal(repository.git('merge-base', '--all', 'main', 'feature').split('\n').length, 2);
  assert.equal(String(summary.commits), repository.git('rev-list', '--count', 'main..feature'));
});

test('whom a commit names as its author besides is not asked to review it', async t => {
  const repository = changed(t);
  repository.git('switch', '--quiet', 'feature');
  repository.write('src/sum.ts', sum(23));
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '-m', 'Sum\n\nCo-Authored-By: Ben <ben@example.com>\nco-authored-by: <nobody>');
  await registered(t, repository, 'besides');
  const summary = await client.pr.summary({ baseBranch: 'main', repo: 'besides', sync: true });
  assert.ok(typeof summary !== 'string');
  assert.ok(summary.authors.includes('ben@example.com'));
  assert.ok(!summary.suggestedReviewers.includes('ben@example.com'));
  assert.ok(summary.suggestedReviewers.includes('ann@example.com'));
});

test('what is taken away between symbols changes none of them, and symbols that are taken away are told with who misses them', async t => {
  const repository = gitRepository(t);
  const one = 'export function one(): number {\n  const a = 1;\n  const b = 2;\n  return a;\n}\n';
  repository.write(
    'a.ts',
    `${one}export function two(): number {\n  return 2;\n}\nexport function three(): number {\n  return 3;\n}\n`,
  );
  repository.write('b.ts', 'export class B {\n  x(): number {\n    return 1;\n  }\n}\nconst hidden = 1;\n');
  repository.write('user.ts', `import { two } from './a.ts';\nexport const four = two() + two();\n`);
  commitAs(repository, { by: 'Ann Lee', daysAgo: 40 });
  repository.git('switch', '--quiet', '--create', 'feature');
  repository.write('a.ts', `${one.replace('  const b = 2;\n', '')}export function three(): number {\n  return 3;\n}\n`);
  repository.git('rm', '--quiet', 'b.ts');
  commitAs(repository, { by: 'Dan', daysAgo: 1 });
  await registered(t, repository, 'away');
  const summary = await client.pr.summary({ baseBranch: 'main', repo: 'away', sync: true });
  assert.ok(typeof summary !== 'string');
  assert.deepEqual(
    summary.symbolsChanged.map(({ name, change, risk, directCount, path, line }) => [
      ...[name, change, risk, directCount, `${path}:${line}`],
    ]),
    [
      ['two', 'removed', 'high', 1, 'a.ts:6'],
      ['one', 'modified', 'unknown', 0, 'a.ts:1'],
      ['B', 'removed', 'unknown', 0, 'b.ts:1'],
      ['hidden', 'removed', 'low', 0, 'b.ts:6'],
    ],
  );
  assert.deepEqual([summary.symbolsTotal, summary.symbolsOmitted, summary.filesNotRead], [4, 0, 0]);
  assert.ok(summary.riskFactors.includes('takes 1 file of code away'));
  assert.ok(summary.riskFactors.includes('takes two away, which 1 file uses'));
});

test('the symbols of a branch are those of its head, whatever is checked out', async t => {
  const repository = gitRepository(t);
  repository.write('a.ts', 'export function kept(): number {\n  return 1;\n}\nexport function gone(): void {}\n');
  repository.write('moved.ts', 'export function same(): number {\n  return 1;\n}\nexport const last = 1;\n');
  commitAs(repository, { by: 'Ann', daysAgo: 3 });
  repository.git('switch', '--quiet', '--create', 'feature');
  repository.write('a.ts', 'export function kept(): number {\n  return 2;\n}\nexport function fresh(): void {}\n');
  repository.git('mv', 'moved.ts', 'there.ts');
  repository.write('there.ts', 'export function same(): number {\n  return 1;\n}\nexport const last = 2;\n');
  repository.write('new.ts', 'export const brandNew = 1;\n');
  commitAs(repository, { by: 'Dan', daysAgo: 1 });
  await registered(t, repository, 'elsewhere');
  const symbols = ['brandNew added', 'fresh added', 'gone removed', 'kept modified', 'last modified'];
  for (const branch of ['feature', 'main']) {
    repository.git('switch', '--quiet', branch);
    const ask = { baseBranch: 'main', headBranch: 'feature', repo: 'elsewhere', sync: true };
    const summary = await client.pr.summary(ask);
    assert.ok(typeof summary !== 'string');
    assert.deepEqual([symbolsIn(summary), summary.symbolsOmitted], [symbols, 0], branch);
  }
});

test('who still looks for what is moved, or exported no more, is told alike, whatever is checked out', async t => {
  const repository = gitRepository(t);
  repository.write('lib/kept.ts', 'export const kept = 1;\n\nexport function hidden(): number {\n  return kept;\n}\n');
  repository.write('lib/clause.ts', 'function listed(): number {\n  return 1;\n}\nexport { listed };\n');
  repository.write('app/hidden.ts', "import { hidden } from '../lib/kept.ts';\nexport const a = hidden();\n");
  repository.write(
    'old/tool.ts',
    'export function tool(): number {\n  return 1;\n}\nexport function spare(): void {}\n',
  );
  repository.write('old/near.ts', "import { tool } from './tool.ts';\nexport const near = tool();\n");
  repository.write('app/left.ts', "import { tool } from '../old/tool.ts';\nexport const b = tool();\n");
  repository.write('app/found.ts', "import { tool } from '../old/tool.ts';\nexport const c = tool();\n");
  repository.write('parts/one.ts', 'export const one = 1;\nexport const spared = 2;\n');
  repository.write('parts/two.ts', 'export const two = 2;\n');
  repository.write('parts/index.ts', "export { one, spared as other } from './one.ts';\nexport * from './two.ts';\n");
  repository.write('app/parts.ts', "import { one, two } from '../parts/index.ts';\nexport const d = one + two;\n");
  repository.write('app/listed.ts', "import { listed } from '../lib/clause.ts';\nexport const e = listed();\n");
  repository.write('py/__init__.py', '');
  repository.write('py/old.py', 'def helper():\n    return 1\n');
  repository.write('py/uses.py', 'from py.old import helper\n\nhelper()\n');
  commitAs(repository, { by: 'Ann', daysAgo: 3 });
  repository.git('switch', '--quiet', '--create', 'feature');
  repository.write('lib/kept.ts', 'export const kept = 1;\n\nfunction hidden(): number {\n  return kept;\n}\n');
  repository.write('lib/clause.ts', 'function listed(): number {\n  return 1;\n}\nlisted();\n');
  repository.write('parts/index.ts', 'export const three = 3;\n');
  repository.write('new/.keep', '');
  repository.git('mv', 'old/tool.ts', 'new/tool.ts');
  repository.git('mv', 'old/near.ts', 'new/near.ts');
  repository.git('mv', 'py/old.py', 'py/fresh.py');
  repository.write('app/found.ts', "import { tool } from '../new/tool.ts';\nexport const c = tool();\n");
  commitAs(repository, { by: 'Dan', daysAgo: 1 });
  await registered(t, repository, 'left');
  for (const branch of ['feature', 'main']) {
    repository.git('switch', '--quiet', branch);
    const ask = { baseBranch: 'main', headBranch: 'feature', repo: 'left', sync: true };
    const summary = await client.pr.summary(ask);
    assert.ok(typeof summary !== 'string');
    const taken = summary.symbolsChanged.filter(({ users }) => users !== undefined);
    assert.deepEqual(
      taken.map(({ name, change, path, risk, users = [] }) => [name, change, path, risk, ...users]).sort(),
      [
        ['helper', 'moved', 'py/fresh.py', 'high', 'py/uses.py'],
        ['hidden', 'unexported', 'lib/kept.ts', 'high', 'app/hidden.ts'],
        ['listed', 'unexported', 'lib/clause.ts', 'high', 'app/listed.ts'],
        ['one', 'unexported', 'parts/index.ts', 'high', 'app/parts.ts'],
        ['tool', 'moved', 'new/tool.ts', 'high', 'app/left.ts'],
        ['two', 'unexported', 'parts/index.ts', 'high', 'app/parts.ts'],
      ],
      branch,
    );
    assert.ok(summary.riskFactors.some(factor => /and 5 more that something uses$/.test(factor)));
  }
});

test('what becomes private, changes its package or takes other parameters is told alike, whatever is checked out', async t => {
  const repository = gitRepository(t);
  const java = (packageName: string, body: string): string => `package ${packageName};\n\npublic class A {\n${body}}\n`;
  const method = (word: string, parameters: string): string =>
    `    ${word} static int one(${parameters}) {\n        return 1;\n    }\n`;
  repository.write('java/com/a/A.java', java('com.a', method('public', '')));
  repository.write(
    'java/com/b/B.java',
    'package com.b;\n\nimport com.a.A;\n\npublic class B {\n    int two = A.one();\n}\n',
  );
  repository.write('java/com/c/A.java', java('com.c', method('public', '')));
  repository.write('rust/Cargo.toml', '[package]\nname = "r"\nversion = "0.1.0"\n');
  repository.write('rust/src/lib.rs', 'mod a;\n\npub fn run() -> i32 {\n    a::one() + a::two()\n}\n');
  repository.write('rust/src/a.rs', 'pub fn one() -> i32 {\n    1\n}\npub fn two() -> i32 {\n    2\n}\n');
  repository.write('go.mod', 'module example.com/m\n\ngo 1.22\n');
  repository.write('util/u.go', 'package util\n\nfunc One() int { return 1 }\n');
  repository.write('main.go', 'package main\n\nimport "example.com/m/util"\n\nfunc main() { _ = util.One() }\n');
  commitAs(repository, { by: 'Ann', daysAgo: 3 });
  repository.git('switch', '--quiet', '--create', 'feature');
  repository.write('java/com/a/A.java', java('com.a', method('private', '')));
  repository.write('java/com/c/A.java', java('com.c', method('public', 'int more')));
  repository.write('rust/src/a.rs', 'fn one() -> i32 {\n    1\n}\npub fn two() -> i32 {\n    2\n}\n');
  repository.git('mv', 'util', 'tools');
  repository.write('tools/u.go', 'package tools\n\nfunc One() int { return 1 }\n');
  commitAs(repository, { by: 'Dan', daysAgo: 1 });
  await registered(t, repository, 'languages');
  for (const branch of ['feature', 'main']) {
    repository.git('switch', '--quiet', branch);
    const ask = { baseBranch: 'main', headBranch: 'feature', repo: 'languages', sync: true };
    const summary = await client.pr.summary(ask);
    assert.ok(typeof summary !== 'string');
    assert.deepEqual(
      summary.symbolsChanged
        .map(({ name, container, change, path, users = [] }) => [change, path, container, name, ...users])
        .sort(),
      [
        ['modified', 'java/com/c/A.java', 'A', 'one'],
        ['moved', 'tools/u.go', '', 'One', 'main.go'],
        ['unexported', 'java/com/a/A.java', 'A', 'one', 'java/com/b/B.java'],
        ['unexported', 'rust/src/a.rs', '', 'one', 'rust/src/lib.rs'],
      ],
      branch,
    );
  }
});

test('what leaves somebody behind is told first, however much else changes', async t => {
  const repository = gitRepository(t);
  const bodies = (value: number): string =>
    Array.from(
      { length: 40 },
      (_, at) => `export function f${at}(): number {\n  const a = ${value};\n  return a;\n}\n`,
    ).join('');
  repository.write('lib.ts', `${bodies(1)}export const tiny = 1;\n`);
  repository.write('user.ts', "import { tiny } from './lib.ts';\nexport const two = tiny + tiny;\n");
  commitAs(repository, { by: 'Ann', daysAgo: 3 });
  repository.git('switch', '--quiet', '--create', 'feature');
  repository.write('lib.ts', bodies(2).replaceAll('  return a;\n', '  const b = a + a;\n  return b;\n'));
  commitAs(repository, { by: 'Dan', daysAgo: 1 });
  await registered(t, repository, 'crowd');
  const summary = await client.pr.summary({ baseBranch: 'main', symbolLimit: 1, repo: 'crowd', sync: true });
  assert.ok(typeof summary !== 'string');
  const [first] = summary.symbolsChanged;
  assert.deepEqual([first?.name, first?.users, summary.symbolsTotal], ['tiny', ['user.ts'], 41]);
  assert.ok(summary.riskFactors.includes('takes tiny away, which 1 file uses'));
});

test('what is found all the same where its file lies then is not told, whatever is checked out', async t => {
  const repository = gitRepository(t);
  repository.write('pkg/__init__.py', '');
  repository.write('pkg/core.py', 'def make():\n    return 1\n');
  repository.write('app.py', 'from pkg.core import make\n\nmake()\n');
  repository.write('go.mod', 'module example.com/m\n\ngo 1.22\n');
  repository.write('util/a.go', 'package util\n\nfunc One() int { return 1 }\n');
  repository.write('main.go', 'package main\n\nimport "example.com/m/util"\n\nfunc main() { _ = util.One() }\n');
  repository.write('src/x.ts', 'export function x(): number {\n  return 1;\n}\n');
  repository.write('src/user.ts', "import { x } from './x';\nexport const y = x();\n");
  commitAs(repository, { by: 'Ann', daysAgo: 3 });
  repository.git('switch', '--quiet', '--create', 'feature');
  repository.write('pkg/core/.keep', '');
  repository.write('src/x/.keep', '');
  repository.git('mv', 'pkg/core.py', 'pkg/core/__init__.py');
  repository.git('mv', 'util/a.go', 'util/z.go');
  repository.git('mv', 'src/x.ts', 'src/x/index.ts');
  commitAs(repository, { by: 'Dan', daysAgo: 1 });
  await registered(t, repository, 'absorbed');
  for (const branch of ['feature', 'main']) {
    repository.git('switch', '--quiet', branch);
    const ask = { baseBranch: 'main', headBranch: 'feature', repo: 'absorbed', sync: true };
    const summary = await client.pr.summary(ask);
    assert.ok(typeof summary !== 'string');
    assert.equal(summary.files.filter(({ status }) => status === 'renamed').length, 3);
    assert.deepEqual(summary.symbolsChanged, [], branch);
  }
});

test('who misses what a branch takes away is told alike, whatever is checked out', async t => {
  const repository = gitRepository(t);
  repository.write('lib/impl.ts', 'export function gone(): number {\n  return 1;\n}\nexport const stays = 1;\n');
  repository.write('lib/index.ts', "export * from './impl.ts';\n");
  repository.write('lib/whole.ts', 'export class Whole {}\n');
  repository.write('pkg/__init__.py', 'from .ctx import Context\n');
  repository.write('pkg/ctx.py', 'class Context:\n    pass\n');
  repository.write('lib/clean.ts', 'export function clean(): number {\n  return 1;\n}\nexport const other = 2;\n');
  repository.write('lib/moved.ts', 'export function moved(): number {\n  return 1;\n}\nexport const another = 2;\n');
  repository.write('app/moved.ts', "import { moved } from '../lib/moved.ts';\nexport const d = moved();\n");
  repository.write(
    'lib/main.ts',
    'export default function main(): number {\n  return 1;\n}\nexport const third = 3;\n',
  );
  repository.write('app/main.ts', "import start from '../lib/main.ts';\nexport const f = start();\n");
  repository.write('app/uses.ts', "import { gone } from '../lib/index.ts';\nexport const a = gone();\n");
  repository.write('app/whole.ts', "import { Whole } from '../lib/whole.ts';\nexport const b = new Whole();\n");
  repository.write('app/clean.ts', "import { clean } from '../lib/clean.ts';\nexport const c = clean();\n");
  commitAs(repository, { by: 'Ann', daysAgo: 3 });
  repository.git('switch', '--quiet', '--create', 'feature');
  repository.write('lib/impl.ts', 'export const stays = 1;\n');
  repository.git('rm', '--quiet', 'lib/whole.ts', 'pkg/ctx.py');
  repository.write('lib/clean.ts', 'export const other = 2;\n');
  repository.write('lib/main.ts', 'export const third = 3;\n');
  repository.write('app/clean.ts', 'export const c = 1;\n');
  repository.write('lib/moved.ts', 'export const another = 2;\n');
  repository.write('lib/there.ts', 'export function moved(): number {\n  return 1;\n}\n');
  repository.write('app/moved.ts', "import { moved } from '../lib/there.ts';\nexport const d = moved();\n");
  repository.write('app/late.ts', "import { Whole } from '../lib/whole.ts';\nexport const e = new Whole();\n");
  commitAs(repository, { by: 'Dan', daysAgo: 1 });
  await registered(t, repository, 'missed');
  for (const branch of ['feature', 'main']) {
    repository.git('switch', '--quiet', branch);
    const ask = { baseBranch: 'main', headBranch: 'feature', repo: 'missed', sync: true };
    const summary = await client.pr.summary(ask);
    assert.ok(typeof summary !== 'string');
    const removed = summary.symbolsChanged.filter(({ change }) => change === 'removed');
    assert.deepEqual(
      removed.map(({ name, risk, directCount }) => [name, risk, directCount]).sort(),
      [
        ['Context', 'high', 1],
        ['Whole', 'high', 2],
        ['clean', 'unknown', 0],
        ['gone', 'high', 1],
        ['main', 'high', 1],
        ['moved', 'unknown', 0],
      ],
      branch,
    );
    assert.deepEqual(removed.find(({ name }) => name === 'Whole')?.users, ['app/late.ts', 'app/whole.ts'], branch);
    assert.ok(summary.riskFactors.some(factor => /^takes \w+ away, .*and 3 more that something uses$/.test(factor)));
    const comment = await client.pr.summary({ ...ask, format: 'markdown' });
    assert.match(String(comment), /`Whole` .*still used in `app\/late\.ts`, `app\/whole\.ts`/);
  }
});

test('a hotspot that a branch takes away is one that it touches, whatever is checked out', async t => {
  const repository = gitRepository(t);
  const hot = (at: number): string =>
    `export function hot(n: number): number {\n${Array.from({ length: 40 }, (_, one) => `  if (n === ${one}) return ${one + at};\n`).join('')}  return n;\n}\n`;
  repository.write('calm.ts', 'export const calm = 1;\n');
  for (let at = 0; at < 12; at++) {
    repository.write('hot.ts', hot(at));
    commitAs(repository, { by: at % 2 === 0 ? 'Ann' : 'Ben', daysAgo: 20 - at });
  }
  repository.git('switch', '--quiet', '--create', 'feature');
  repository.git('rm', '--quiet', 'hot.ts');
  commitAs(repository, { by: 'Dan', daysAgo: 1 });
  await registered(t, repository, 'hot');
  for (const branch of ['feature', 'main']) {
    repository.git('switch', '--quiet', branch);
    const ask = { baseBranch: 'main', headBranch: 'feature', repo: 'hot', sync: true };
    const summary = await client.pr.summary(ask);
    assert.ok(typeof summary !== 'string');
    assert.deepEqual(
      summary.hotspotsTouched.map(({ path }) => path),
      ['hot.ts'],
      branch,
    );
  }
});

test('branches, tags, commits and their ancestors are compared, whatever is checked out', async t => {
  const repository = changed(t);
  repository.git('tag', 'v1', 'feature~1');
  repository.git('switch', '--quiet', 'main');
  await registered(t, repository, 'named');
  for (const [base, head] of [
    ['main', 'feature'],
    ['main', 'v1'],
    ['main~1', 'feature'],
    [repository.git('rev-parse', 'main'), 'HEAD~1'],
    ['feature', 'main'],
  ] as const) {
    const summary = await client.pr.summary({ baseBranch: base, headBranch: head, repo: 'named' });
    assert.ok(typeof summary !== 'string');
    const files = repository
      .git('diff', '--name-only', '-M', `${base}...${head}`)
      .split('\n')
      .filter(path => path !== '');
    assert.deepEqual(
      summary.files.map(({ path }) => path),
      files.sort(),
      `${base} ${head}`,
    );
  }
});

test('a name that is a branch and a tag is asked back, and the one or the other answered', async t => {
  const repository = changed(t);
  repository.git('tag', 'feature', 'feature~1');
  await registered(t, repository, 'twice');
  const ask = (headBranch: string) => client.pr.summary({ baseBranch: 'main', headBranch, repo: 'twice' });
  for (const head of ['feature', 'feature~1']) await rejects(ask(head), 'preconditionFailed');
  const [branch, tag] = await Promise.all([ask('refs/heads/feature'), ask('refs/tags/feature')]);
  assert.ok(typeof branch !== 'string' && typeof tag !== 'string');
  assert.deepEqual([branch.commits, tag.commits], [2, 1]);
  repository.git('tag', '--force', 'feature', 'refs/heads/feature');
  const same = await ask('feature');
  assert.ok(typeof same !== 'string' && same.head === branch.head);
});

test('what usually changes with a changed file is named', async t => {
  const repository = gitRepository(t);
  for (let count = 0; count < 6; count++) {
    repository.write('a.ts', `export const a = ${count};\n`);
    repository.write('a.md', `a is ${count}\n`);
    commitAs(repository, { by: 'Ann', daysAgo: 60 - count });
  }
  repository.git('switch', '--quiet', '--create', 'feature');
  repository.write('a.ts', 'export const a = 7;\n');
  commitAs(repository, { by: 'Ben', daysAgo: 1 });
  await registered(t, repository, 'usual');
  const summary = await client.pr.summary({ baseBranch: 'main', repo: 'usual', sync: true });
  assert.ok(typeof summary !== 'string');
  assert.deepEqual(
    summary.usuallyChangesWith.map(({ path, because }) => [path, because]),
    [['a.md', 'a.ts']],
  );
  const coupling = await client.hotspots.coupling({ path: 'a.md', repo: 'usual' });
  assert.deepEqual(
    coupling.couplings.map(({ path, together, strength }) => [path, together, strength]),
    [['a.ts', 6, 1]],
  );
});

test('a comment says it in Markdown, whose marks nothing of the repository can end', async t => {
  const repository = gitRepository(t);
  repository.write('a.ts', 'export const a = 1;\n');
  commitAs(repository, { by: 'Ann', daysAgo: 3 });
  repository.git('switch', '--quiet', '--create', 'feature`</details>');
  repository.write('odd`|<b>.ts', 'export const b = 1;\n');
  commitAs(repository, { by: 'Ben', daysAgo: 1 });
  await registered(t, repository, 'marked');
  const text = await client.pr.summary({
    ...{ baseBranch: 'main', headBranch: 'feature`</details>', format: 'markdown', repo: 'marked', sync: true },
  });
  assert.ok(typeof text === 'string');
  assert.match(text, /^### Risk: low/);
  assert.ok(text.includes('`` feature`</details> ``'));
  assert.ok(text.includes('| `` odd`\\|<b>.ts `` | added | +1 −0 |'));
});

test('what is no revision, or is not here, is refused', async t => {
  const repository = changed(t);
  await registered(t, repository, 'refused');
  for (const bad of ['--output=/x', 'a..b', 'HEAD@{1}', '-', 'a\nb', '']) {
    await rejects(client.pr.summary({ baseBranch: bad, repo: 'refused' }), 'invalidParameter');
  }
  for (const unknown of ['nowhere', 'HEAD~99', 'f'.repeat(40)]) {
    await rejects(client.pr.summary({ baseBranch: unknown, repo: 'refused' }), 'resourceNotFound');
  }
  const lonely = gitRepository(t);
  lonely.write('a.ts', 'export const a = 1;\n');
  commitAs(lonely, { by: 'Ann', daysAgo: 1 });
  lonely.git('switch', '--quiet', '--orphan', 'other');
  lonely.write('b.ts', 'export const b = 1;\n');
  commitAs(lonely, { by: 'Ann', daysAgo: 1 });
  await registered(t, lonely, 'lonely');
  await rejects(client.pr.summary({ baseBranch: 'main', repo: 'lonely' }), 'preconditionFailed');
});

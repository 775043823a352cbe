import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';
import { type IgnoreScope, type IgnoreSources, openIgnoreRules } from '../../watch/ignore.ts';
import { pathMatcher, segmentMatcher } from '../../watch/wildmatch.ts';
import { gitRepository, parseTree, temporaryFolder, type Workspace } from '../support/repository.ts';

/** Every file that the rules let in, in the order of `git ls-files`. */
function kept(tree: Workspace, options: Pick<IgnoreSources, 'exceptions' | 'ignoresCase'> = {}): readonly string[] {
  const excludeFiles = [tree.path('.git/info/exclude')];
  const walk = (scope: IgnoreScope): readonly string[] =>
    readdirSync(tree.path(scope.directory), { withFileTypes: true }).flatMap(entry => {
      const path = scope.directory === '' ? entry.name : `${scope.directory}/${entry.name}`;
      if (!entry.isDirectory()) return scope.ignores(entry.name, 'file') ? [] : [path];
      const inside = scope.enter(entry.name);
      return inside === undefined ? [] : walk(inside);
    });
  return [...walk(openIgnoreRules({ root: tree.root, excludeFiles, ...options }, () => assert.fail()).root)].sort();
}

function untracked(tree: Workspace, ignoresCase = false): readonly string[] {
  const listed = execFileSync(
    'git',
    ['-c', `core.ignoreCase=${ignoresCase}`, 'ls-files', '-z', '--others', '--exclude-standard'],
    {
      cwd: tree.root,
      env: { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_GLOBAL: '/dev/null' },
      encoding: 'utf8',
    },
  );
  return listed
    .split('\0')
    .filter(path => path !== '' && !path.endsWith('/'))
    .sort();
}

const trees: Readonly<Record<string, string>> = {
  'a later pattern wins, a nested file wins over the one above': `
    -- .gitignore --
    *.log
    !keep.log
    /build/
    -- a.log --
    -- keep.log --
    -- build/x.ts --
    -- src/build/x.ts --
    -- src/.gitignore --
    !a.log
    keep.log
    -- src/a.log --
    -- src/keep.log --
    -- src/deep/keep.log --`,
  'nothing comes back from an ignored folder': `
    -- .gitignore --
    out/
    !out/keep.ts
    dist/*
    !dist/keep.ts
    -- out/keep.ts --
    -- dist/keep.ts --
    -- dist/gone.ts --`,
  'stars, sets and escapes': `
    -- .gitignore --
    [a-c].ts
    [!x]y.ts
    \\!bang
    \\#hash
    q?.ts
    tr[[:digit:]].ts
    esc\\*.ts
    -- a.ts --
    -- d.ts --
    -- xy.ts --
    -- zy.ts --
    -- !bang --
    -- #hash --
    -- q1.ts --
    -- q.ts --
    -- tr1.ts --
    -- trx.ts --
    -- esc*.ts --
    -- escape.ts --`,
  'two stars': `
    -- .gitignore --
    **/foo/bar
    abc/**
    x/**/y
    a**b
    -- foo/bar --
    -- p/foo/bar --
    -- abc/1 --
    -- abc/d/2 --
    -- x/y --
    -- x/1/2/y --
    -- q/x/y --
    -- a12b --
    -- a/b --`,
  'a slash anchors, one at the end asks for a folder': `
    -- .gitignore --
    /top.ts
    mid/low.ts
    only/
    -- top.ts --
    -- sub/top.ts --
    -- mid/low.ts --
    -- sub/mid/low.ts --
    -- only --
    -- sub/only/x.ts --`,
  'a byte is a character': `
    -- .gitignore --
    ?.md
    ??.txt
    ü.ts
    -- é.md --
    -- e.md --
    -- é.txt --
    -- ü.ts --`,
};

for (const [name, text] of Object.entries(trees)) {
  test(`as git decides: ${name}`, t => {
    const tree = gitRepository(t);
    for (const [path, content] of parseTree(text)) tree.write(path, content);
    assert.deepEqual(kept(tree), untracked(tree));
  });
}

test('as git decides: odd lines', t => {
  const tree = gitRepository(t);
  tree.write('.gitignore', '\ufefffirst\r\nspaces   \nkept\\ \n\n#no\n!\n/\n//\n[broken\nend\\\n***\\x\ntab\t\n');
  for (const path of ['first', 'spaces', 'kept ', 'kept', '#no', '[broken', 'end', 'end\\', 'tab', 'x'])
    tree.write(path, '');
  tree.write('.git/info/exclude', 'from-exclude\n');
  tree.write('from-exclude', '');
  assert.deepEqual(kept(tree), untracked(tree));
});

test('as git decides: a .gitignore that is a link is none, repositories inside are left alone', t => {
  const tree = gitRepository(
    t,
    `
    -- rules --
    *.ts
  `,
  );
  symlinkSync('rules', tree.path('.gitignore'));
  tree.write('a.ts', '');
  tree.write('inner/b.ts', '');
  tree.write('hollow/c.ts', '');
  mkdirSync(tree.path('hollow/.git'));
  execFileSync('git', ['init', '--quiet', tree.path('inner')]);
  const own = kept(tree).filter(path => path !== 'rules');
  assert.deepEqual(own, untracked(tree));
  assert.ok(own.includes('hollow/c.ts') && !own.includes('inner/b.ts'));
});

test('exceptions stay in, their siblings do not', t => {
  const tree = temporaryFolder(
    t,
    `
    -- .gitignore --
    out/
    -- out/a/kept.ts --
    -- out/a/other.ts --
    -- out/b/other.ts --
  `,
  );
  assert.deepEqual(kept(tree, { exceptions: ['out/a/kept.ts'] }), ['.gitignore', 'out/a/kept.ts']);
});

test('random patterns over random trees: the same files as git', t => {
  for (let seed = 1; seed <= 60; seed++) {
    const ignoresCase = seed > 40;
    const caseOf = ignoresCase ? generator(-seed) : () => 1;
    const tree = gitRepository(t);
    const random = generator(seed);
    for (let n = 0; n < 40; n++) tree.write(inSomeCase(randomPath(random), caseOf), '');
    for (const place of ['', 'a/', 'a/b/', 'b/']) {
      if (random() < 0.6)
        tree.write(
          `${place}.gitignore`,
          Array.from({ length: 5 }, () => inSomeCase(randomPattern(random), caseOf)).join('\n'),
        );
    }
    assert.deepEqual(kept(tree, { ignoresCase }), untracked(tree, ignoresCase), `seed ${seed}`);
  }
});

test('as git decides where the case of letters makes no difference', t => {
  const tree = gitRepository(t);
  const lines = [
    'GEN/',
    '*.LOG',
    'Top*/Low',
    'Dir**/x',
    '\\Esc',
    'e\\SC2',
    '[A]one',
    '[!A]two',
    '[A-C]three',
    '[!A-C]four',
  ];
  tree.write(
    '.gitignore',
    [...lines, '[[:upper:]]five', '[^[:upper:]]six', 'É.ts', '!Keep.log', '/Sub/*.TS'].join('\n'),
  );
  tree.write('sub/.gitignore', 'NEAR\n');
  const paths = [
    'gen/x',
    'a.log',
    'topmost/low',
    'dirs/a/x',
    'esc',
    'Esc',
    'esc2',
    'eSC2',
    'aone',
    'Aone',
    'atwo',
    'btwo',
  ];
  const more = [
    'athree',
    'Cthree',
    'dthree',
    'afour',
    'Dfour',
    'afive',
    'Afive',
    '1five',
    'asix',
    '1six',
    'é.ts',
    'É.ts',
  ];
  for (const path of [...paths, ...more, 'keep.LOG', 'sub/a.ts', 'Sub/b.Ts', 'sub/near', '.GIT/x', '.Gitignore'])
    tree.write(path, '');
  for (const ignoresCase of [true, false])
    assert.deepEqual(kept(tree, { ignoresCase }), untracked(tree, ignoresCase), `${ignoresCase}`);
});

test('patterns made to be slow are not', () => {
  const patterns = [
    `${'*a'.repeat(12)}b`,
    `${'**/a/'.repeat(12)}b`,
    `${'*[ab]'.repeat(20)}c`,
    `${'?*'.repeat(30)}c`,
    `${'**/*a*/'.repeat(8)}b`,
  ];
  for (const pattern of patterns) {
    const name = segmentMatcher(pattern);
    const path = pathMatcher(pattern);
    const started = process.hrtime.bigint();
    assert.equal(name('a'.repeat(5000)), false);
    assert.equal(path(Array.from({ length: 2000 }, () => 'a')), false);
    assert.ok(process.hrtime.bigint() - started < 2_000_000_000n, pattern); // exponential would outlast the machine
  }
});

const names = ['a', 'b', 'ab', 'a.ts', 'b.ts', 'x-y', '.h'];
const pick = <T>(random: () => number, values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

function randomPath(random: () => number): string {
  const folders = Array.from({ length: Math.floor(random() * 4) }, () => pick(random, ['a', 'b', 'ab', 'c']));
  return [...folders, `${pick(random, names)}${pick(random, ['', '1', '.log'])}.f`].join('/');
}

function inSomeCase(path: string, random: () => number): string {
  return [...path].map(one => (random() < 0.3 ? one.toUpperCase() : one)).join('');
}

function randomPattern(random: () => number): string {
  const atoms = ['a', 'b', '*', '?', '**', '[ab]', '[!a]', '.ts', '.f', '*.f', 'a*', '**/', '/', 'c', '.log', '[a-b]*'];
  const body = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(random, atoms)).join('');
  return `${random() < 0.25 ? '!' : ''}${body}${random() < 0.2 ? '/' : ''}`;
}

/** mulberry32 */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

test('a folder’s ignore file is read when its rules are asked first, so that whoever watches it before misses nothing', t => {
  const tree = temporaryFolder(t, '-- .gitignore --\na\n-- sub/.gitignore --\na');
  const { root } = openIgnoreRules({ root: tree.root }, () => assert.fail());
  tree.write('.gitignore', 'b\n');
  assert.deepEqual([root.ignores('a', 'file'), root.ignores('b', 'file')], [false, true]);
  const sub = root.enter('sub')!;
  tree.write('sub/.gitignore', 'c\n');
  assert.deepEqual([sub.ignores('a', 'file'), sub.ignores('b', 'file'), sub.ignores('c', 'file')], [false, true, true]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredOwners } from '../../../../daemon/analysis/ownership/declared-owners.ts';
import { gitRepository } from '../../../support/repository.ts';
import { codeowners, type Owned, owned } from './codeowners-rows.ts';

interface Row {
  readonly what: string;
  readonly rules: string;
  readonly owned: Owned;
}

/** What GitHub's page "About code owners" says, a row for each thing that it says. */
const documented: readonly Row[] = [
  {
    what: 'a star alone owns everything, files without an extension and those that begin with a dot too',
    rules: '* @all @others',
    owned: { 'a.ts': '@all @others', 'a/b/c.ts': '@all @others', '.env': '@all @others', 'a/.b': '@all @others' },
  },
  {
    what: 'the last line that fits wins, and takes nothing over from lines before',
    rules: '* @all\n*.js @js',
    owned: { 'a.js': '@js', 'src/deep/a.js': '@js', 'a.jsx': '@all', js: '@all' },
  },
  {
    what: 'order alone decides, not how exact a pattern is',
    rules: '/src/a.js @exact\n* @all',
    owned: { 'src/a.js': '@all' },
  },
  {
    what: 'owners of one pattern stand in one line; a second line with it counts alone',
    rules: '*.js @one\n*.js @two',
    owned: { 'a.js': '@two' },
  },
  { what: 'a comment may stand behind the owners', rules: '*.js @js #that is one', owned: { 'a.js': '@js' } },
  { what: 'addresses are owners', rules: '*.go docs@example.com', owned: { 'cmd/x.go': 'docs@example.com' } },
  { what: 'teams are owners', rules: '*.txt @octo-org/octocats', owned: { 'a/b.txt': '@octo-org/octocats' } },
  {
    what: 'slashes around a folder mean the one at the top and all in it',
    rules: '/build/logs/ @doctocat',
    owned: {
      'build/logs/a': '@doctocat',
      'build/logs/b/c': '@doctocat',
      'x/build/logs/a': undefined,
      'build/logs': undefined,
      'build/logs2/a': undefined,
    },
  },
  {
    what: 'a star behind a slash is one level',
    rules: 'docs/* docs@example.com',
    owned: {
      'docs/getting-started.md': 'docs@example.com',
      'docs/build-app/troubleshooting.md': undefined,
      'x/docs/a.md': undefined,
    },
  },
  {
    what: 'a slash at the end alone means a folder of that name anywhere',
    rules: 'apps/ @octocat',
    owned: { 'apps/a': '@octocat', 'x/y/apps/z/a': '@octocat', apps: undefined, 'x/apps': undefined },
  },
  {
    what: 'a slash at the beginning means the top',
    rules: '/docs/ @doctocat',
    owned: { 'docs/a/b': '@doctocat', 'x/docs/a': undefined },
  },
  { what: 'several owners', rules: '/scripts/ @doctocat @octocat', owned: { 'scripts/a.sh': '@doctocat @octocat' } },
  {
    what: 'two stars are any folders, none included',
    rules: '**/logs @octocat',
    owned: {
      'build/logs/a': '@octocat',
      'scripts/logs/b/c': '@octocat',
      'deeply/nested/logs/d': '@octocat',
      'logs/e': '@octocat',
      'catalogs/f': undefined,
    },
  },
  {
    what: 'a line without owners takes them away from a part',
    rules: '/apps/ @octocat\n/apps/github',
    owned: { 'apps/x': '@octocat', 'apps/github/y': '', 'apps/github': '', 'apps/github2': '@octocat' },
  },
  {
    what: 'a later line gives a part to somebody else',
    rules: '/apps/ @octocat\n/apps/github @doctocat',
    owned: { 'apps/x': '@octocat', 'apps/github/y': '@doctocat' },
  },
  {
    what: 'paths are told apart by case',
    rules: 'Docs/ @docs\n*.MD @md',
    owned: { 'docs/a': undefined, 'Docs/a': '@docs', 'a.md': undefined, 'a.MD': '@md' },
  },
  {
    what: 'invalid lines are skipped, and what stands before them holds',
    rules: '* @all\n!/src/ @src\n[ab].ts @range\n\\#notes @notes\n*.ts nobody',
    owned: { 'src/x': '@all', 'a.ts': '@all', '#notes': '@all', '!/src/y': '@all' },
  },
];

/** What it says by way of "most of the same rules as ignore files", and what hostile files have. */
const others: readonly Row[] = [
  { what: 'no rules', rules: '', owned: { a: undefined, '/': undefined } },
  { what: 'comments alone', rules: '# * @all\n  # x\n\n\t\n', owned: { a: undefined } },
  { what: 'a name alone is a file or a folder anywhere', rules: 'docs @d', owned: { docs: '@d', 'x/docs/y/z': '@d' } },
  { what: 'a slash inside anchors', rules: 'a/b @ab', owned: { 'a/b': '@ab', 'a/b/c': '@ab', 'x/a/b': undefined } },
  { what: 'all below the top', rules: '/** @all', owned: { a: '@all', 'b/c': '@all' } },
  { what: 'the top level alone', rules: '/* @top', owned: { a: '@top', 'b/c': undefined, '.c': '@top' } },
  { what: 'two stars alone', rules: '** @all', owned: { a: '@all', 'b/c': '@all' } },
  { what: 'folders alone', rules: '*/ @in', owned: { a: undefined, 'b/c': '@in', 'b/c/d': '@in' } },
  {
    what: 'a folder with and without slashes and stars',
    rules: 'one @1\ntwo/ @2\n/three/** @3',
    owned: { 'x/one/a': '@1', 'x/two/a': '@2', 'three/a/b': '@3', 'x/three/a': undefined, three: undefined },
  },
  {
    what: 'two stars inside a name are one',
    rules: '**foo @1\nbar** @2',
    owned: { 'x/afoo': '@1', 'afoo/x': '@1', 'a/foo': '@1', fooa: undefined, barx: '@2', 'x/bar/y': '@2' },
  },
  {
    what: 'folders of a folder, and files of these',
    rules: 'a/**/ @a',
    owned: { 'a/x': undefined, 'a/x/y': '@a', 'a/x/y/z': '@a', 'x/a/y/z': undefined },
  },
  { what: 'any name anywhere', rules: '/**/x @x', owned: { x: '@x', 'a/b/x/c': '@x', ax: undefined } },
  {
    what: 'any folders in between, none included',
    rules: 'a/**/b @ab',
    owned: { 'a/b': '@ab', 'a/x/b': '@ab', 'a/x/y/b/c': '@ab', 'a/xb': undefined, 'x/a/b': undefined },
  },
  {
    what: 'one level in the middle',
    rules: 'a/*/b @ab',
    owned: { 'a/x/b': '@ab', 'a/x/b/c': '@ab', 'a/b': undefined, 'a/x/y/b': undefined },
  },
  { what: 'one character, and no slash', rules: 'a?b @ab', owned: { axb: '@ab', 'a/b': undefined, ab: undefined } },
  { what: 'a character beyond 16 bits is one', rules: 'a?b @ab', owned: { 'a😀b': '@ab', 'aé\u0301b': undefined } },
  { what: 'no star crosses a slash', rules: '/a*b @ab', owned: { axxb: '@ab', 'a/b': undefined, 'ax/xb': undefined } },
  {
    what: 'escaped blanks, at the end too',
    rules: 'a\\ b @ab\nc\\  @c\nd\\',
    owned: { 'a b': '@ab', 'x/a b/y': '@ab', a: undefined, 'c ': '@c', c: undefined, d: undefined },
  },
  { what: 'an escaped blank at the end of a line', rules: 'a @a\na\\ ', owned: { a: '@a', 'a ': '' } },
  {
    what: 'escaped wildcards are themselves',
    rules: 'a\\*b @star\nc\\?d @mark\n\\[id].ts @range\n\\!x @bang',
    owned: { 'a*b': '@star', axb: undefined, 'c?d': '@mark', cxd: undefined, '[id].ts': '@range', '!x': '@bang' },
  },
  { what: 'what an expression has is literal', rules: '(a+)+$ @x', owned: { '(a+)+$': '@x', aaaa: undefined } },
  { what: 'an absolute path begins at the top', rules: '/etc/passwd @x', owned: { 'etc/passwd': '@x' } },
  { what: 'a sign of comments inside of a word', rules: 'a#b @x', owned: { 'a#b': '@x', a: undefined } },
  { what: 'a comment behind a pattern without owners', rules: '* @x\na # b', owned: { a: '', b: '@x' } },
  { what: 'tabs, and blanks at both ends', rules: ' \ta\t@x  @y \t', owned: { a: '@x @y' } },
  { what: 'lines that end in both', rules: '* @x\r\n*.c @c\r\nd\r\n', owned: { a: '@x', 'b.c': '@c', d: '' } },
  { what: 'a mark of byte order', rules: '\ufeff* @x', owned: { a: '@x' } },
  { what: 'what looks the same is another name', rules: '\u00e9 @x', owned: { '\u00e9': '@x', 'e\u0301': undefined } },
  {
    what: 'names of members of objects',
    rules: '__proto__ @__proto__',
    owned: { __proto__: '@__proto__', 'a/constructor': undefined },
  },
  { what: 'an owner twice', rules: '* @x @X @y @x', owned: { a: '@x @y' } },
  { what: 'git’s own folder', rules: '.git/ @x', owned: { '.git/config': '@x', '.gitignore': undefined } },
  { what: 'stars behind stars', rules: '**/**/**/**/**/a @x', owned: { a: '@x', 'b/c/a': '@x', 'b/c': undefined } },
  {
    what: 'a folder as a whole has what fits all of it',
    rules: '* @all\n/a/ @a\n/a/*.ts @ts\n/a/b/* @one\n/a/c @c\n/a/d/** @d\n/a/e/**/* @e\n**/f @f',
    owned: {
      '/': '@all',
      'a/': '@a',
      'a/b/': '@a',
      'a/c/': '@c',
      'a/c/x/': '@c',
      'a/d/': '@d',
      'a/e/': '@e',
      'x/f/': '@f',
      'a.ts/': '@all',
    },
  },
  {
    what: 'a folder of which parts alone are owned',
    rules: '/a/b/ @b\n*.ts @ts',
    owned: { 'a/': undefined, 'a/b/': '@b' },
  },
];

for (const { what, rules, owned: expected } of [...documented, ...others]) {
  test(`owners: ${what}`, () => assert.deepEqual(owned(rules, Object.keys(expected)), expected));
}

test('a rule that fits is told with its line', () => {
  const owners = declaredOwners(codeowners('# first\n* @all\n\n*.ts  @ts @org/team # why\n'));
  const declared = owners.ofFile('a/b.ts');
  assert.ok(declared.kind === 'owned');
  const [rule] = declared.rules;
  assert.deepEqual([rule?.line, rule?.text, declared.rules.length], [4, '*.ts', 1]);
  assert.deepEqual(declared.owners, [
    { kind: 'user', text: '@ts' },
    { kind: 'team', text: '@org/team' },
  ]);
});

/** Patterns that ignore files have as well. Those that end in one star mean less here. */
const patterns = [
  ...[
    'a',
    'a/',
    '/a',
    '/a/',
    'a/b',
    '/a/b/',
    'a/b/c',
    '*.ts',
    '/*.ts',
    'a*',
    '/a*',
    '*a*',
    'a*c',
    '?',
    'a?',
    '/?',
    '??/',
  ],
  ...['**', '/**', '**/', '/**/', '**/a', '/**/a', 'a/**', 'a/**/', '/a/**/b', 'a/**/b/', '**/a/**', '**/a/**/b', '*/'],
  ...[
    '**a',
    'a**',
    'a**b',
    '/a**',
    'a/*/b',
    'a/*/b/',
    '*/b',
    '*/*/b',
    'a/*.ts',
    '**/*.ts',
    'a/**/*.ts',
    '***',
    'a/***',
    '***/b',
  ],
  ...[
    'a/?',
    'a/??',
    '?/b',
    'b/a/**/**/b',
    '.*',
    '/.*',
    '.a',
    '\\a',
    'a\\*',
    '\\*',
    'a/\\?',
    '*.*',
    '*.t?',
    'ab/',
    'a.ts/',
  ],
];
const names = ['a', 'b', 'ab', 'abc', 'a.ts', 'b.ts', '.a', 'a*'];
const paths = [
  ...names,
  ...names.flatMap(one => names.map(other => `${one}/${other}`)),
  ...names.flatMap(one => ['a/b', 'b/a', 'x/y/b', 'b/b.ts'].map(rest => `${one}/${rest}`)),
];

test('patterns fit what they fit in ignore files', t => {
  const { git, write } = gitRepository(t);
  const ignoring = (pattern: string): readonly string[] => {
    // git fails where it ignores none.
    write('.gitignore', `${pattern}\n/none\n`);
    const told = git('check-ignore', '--no-index', ...paths, 'none');
    return told.split('\n').filter(path => path !== 'none');
  };
  for (const pattern of patterns) {
    const owns = Object.entries(owned(`${pattern} @x`, paths)).filter(([, owners]) => owners !== undefined);
    assert.deepEqual(
      owns.map(([path]) => path),
      ignoring(pattern),
      pattern,
    );
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodeownersPlace } from '../../../daemon/extract/codeowners.ts';
import { codeowners, type Owned, owned } from '../analysis/ownership/codeowners-rows.ts';

/** A line that GitHub does not take. Nothing of it counts. */
const invalid: readonly (readonly [line: string, says: RegExp])[] = [
  ['* user', /^"user" is no @user, @org\/team or address$/],
  ['* @', /^"@" is no @user/],
  ['* @@x', /^"@@x" is no @user/],
  ['* @org/', /^"@org\/" is no @user/],
  ['* @org/team/sub', /is no @user/],
  ['* @/team', /is no @user/],
  ['* @a b@', /^"b@" is no @user/],
  ['* a@b@c', /is no @user/],
  ['* @a,@b', /is no @user/],
  ['* @<script>', /is no @user/],
  ['* @ok @b\u00a0', /is no @user/],
  [`* @${'x'.repeat(400)}`, /^"@x{59}" is no @user/],
  ['!src/ @x', /not negated with !/],
  ['!', /not negated with !/],
  ['[a-z]*.ts @x', /ranges of characters/],
  ['a/[b @x', /ranges of characters/],
  ['*.[ch] @x', /ranges of characters/],
  ['\\#x @x', /does not begin with an escaped #/],
  ['a\\', /a backslash at the end escapes nothing/],
  ['a/b\\/c @x', /a backslash at the end escapes nothing/],
  ['/ @x', /^\/ matches nothing; \* is everything$/],
  ['// @x', /two slashes in a row/],
  ['a//b @x', /two slashes in a row/],
  ['../x @x', /no path has \. or \.\. in it/],
  ['./x @x', /no path has \. or \.\. in it/],
  ['a/./b @x', /no path has \. or \.\. in it/],
  ['* @a\0', /the line holds NUL/],
  ['* @a\u001b[31m', /control character/],
  ['a @x\rb @y', /control character/],
];

for (const [line, says] of invalid) {
  test(`an invalid line is skipped, and told with its number: ${JSON.stringify(line.slice(0, 40))}`, () => {
    const file = codeowners(`# first\n\n${line}\n/kept @y\n`, '.github/CODEOWNERS');
    assert.deepEqual(
      file.rules.map(({ text }) => text),
      ['/kept'],
    );
    assert.equal(file.problemCount, 1);
    const [problem] = file.problems;
    assert.deepEqual([problem?.line, problem?.effect], [3, 'line']);
    assert.match(problem?.reason ?? '', says);
    assert.equal(problem?.text, line.slice(0, 200));
  });
}

test('what is no UTF-8 is told: a line by itself, a file of UTF-16 as a whole', () => {
  const { rules, problems } = codeowners(Buffer.from([0x61, 0xff, 0x20, 0x40, 0x78, 0x0a, 0x62, 0x20, 0x40, 0x78]));
  assert.deepEqual([rules.map(({ text }) => text), problems.map(({ line, reason }) => [line, reason])], [
    ['b'],
    [[1, 'the line is not UTF-8']],
  ] as const);
  for (const bytes of [Buffer.from('\ufeff* @x\n', 'utf16le'), Buffer.from('\ufeff* @x\n', 'utf16le').swap16()]) {
    const file = codeowners(bytes);
    assert.deepEqual([file.rules, file.problemCount, file.problems[0]?.reason], [
      [],
      1,
      'the file is UTF-16: save it as UTF-8',
    ] as const);
  }
  assert.equal(codeowners(Buffer.from('* @x\na @y\n', 'utf16le')).problems[0]?.reason, 'the line holds NUL');
});

test('owners are users, teams and addresses, each once', () => {
  const [rule] = codeowners('* @a-b @A.b_c @org/t.e-a_m me@here @a-b @__proto__ ünï@exämple.org').rules;
  assert.deepEqual(
    rule?.owners.map(({ kind, text }) => `${kind} ${text}`),
    ['user @a-b', 'user @A.b_c', 'team @org/t.e-a_m', 'email me@here', 'user @__proto__', 'email ünï@exämple.org'],
  );
});

interface SectionRow {
  readonly what: string;
  readonly rules: string;
  readonly owned: Owned;
  readonly place?: CodeownersPlace;
  /** Lines of problems. */
  readonly problems?: readonly number[];
}

/** GitLab's pages "Syntax of CODEOWNERS file" and "Advanced CODEOWNERS configuration". */
const sections: readonly SectionRow[] = [
  {
    what: 'the last line of each section counts, and all sections add up',
    rules:
      '* @admin\n[README Owners]\nREADME.md @user1 @user2\ninternal/README.md @user4\n[README other owners]\nREADME.md @user3',
    owned: { 'README.md': '@admin @user1 @user2 @user3', 'internal/README.md': '@admin @user4 @user3', x: '@admin' },
  },
  {
    what: 'lines without owners have those of the section’s head, others their own',
    rules:
      '[Documentation] @docs-team\ndocs/\nREADME.md\n[Database] @db @agarcia\nmodel/db/\nconfig/db/setup.md @docs-team',
    owned: {
      'docs/a/b': '@docs-team',
      'README.md': '@docs-team',
      'model/db/x': '@db @agarcia',
      'config/db/setup.md': '@docs-team',
    },
  },
  {
    what: 'sections of one name are one, in whatever case; each head gives its owners to what follows it',
    rules: '[Docs] @one\nREADME.md\n[Database]\nREADME.md @db\n[DOCS] @two\nREADME.md\nguide.md',
    owned: { 'README.md': '@two @db', 'guide.md': '@two' },
  },
  {
    what: 'optional sections, and numbers of approvals',
    rules: '^[Go]\n*.go @go\n[Ruby][2] @ruby\n*.rb',
    owned: { 'a.go': '@go', 'b.rb': '@ruby' },
  },
  {
    what: 'what is excluded stays so in its section, whatever comes behind',
    rules:
      '* @default\n!*.rb\n/special/*.rb @ruby\n[Ruby]\n*.rb @team\n!/config/**/*.rb\n/config/routes.rb @ops\n[Config]\n/config/ @ops-team',
    owned: {
      'a.ts': '@default',
      'a.rb': '@team',
      'special/a.rb': '@team',
      'config/routes.rb': '@ops-team',
      'config/x/a.rb': '@ops-team',
    },
  },
  {
    what: 'an exclusion alone takes away',
    rules: '* @x\n!pom.xml\n!**/generated/',
    place: '.gitlab/CODEOWNERS',
    owned: { 'pom.xml': '', 'a/pom.xml': '', 'a/generated/b': '', c: '@x' },
  },
  {
    what: 'a pattern begins anywhere unless a slash begins it',
    rules: '[All]\ninternal/README.md @a\n/docs/README.md @b\n/lib/*.md @c\n/docs/**/index.md @d',
    owned: {
      'internal/README.md': '@a',
      'x/y/internal/README.md': '@a',
      'docs/README.md': '@b',
      'x/docs/README.md': undefined,
      'lib/a.md': '@c',
      'lib/x/a.md': undefined,
      'docs/api/x/index.md': '@d',
    },
  },
  {
    what: 'words that name nobody are left out, and the others stand',
    rules: '[S]\n/path/* @group not_an_owner @user\nb @a # @b',
    owned: { 'path/a': '@group @user', b: '@a @b' },
    problems: [2, 3],
  },
  {
    what: 'groups in groups, and roles',
    rules: '[S]\na @g/s/u\nb @@developer @@Maintainers\nc @@guest',
    owned: { a: '@g/s/u', b: '@@developer @@Maintainers', c: '' },
    problems: [4, 4],
  },
  { what: 'an escaped # begins a name', rules: '[S]\n\\#a.rb @x', owned: { '#a.rb': '@x' } },
  {
    what: 'a line that begins with a bracket and is no head counts for nothing',
    rules: '* @group\n[Ok]\n[Section name\ndocs/ @docs\n[a[b]]\n[]\n[ ] @x\n[x]y @z',
    owned: { 'docs/a': '@group @docs', name: '@group' },
    problems: [3, 5, 6, 7, 8],
  },
  {
    what: 'in GitHub’s own place a head is an invalid line',
    rules: '* @all\n[Docs] @docs\ndocs/',
    place: '.github/CODEOWNERS',
    owned: { 'docs/a': '', b: '@all' },
    problems: [2],
  },
  {
    what: 'without a head a file is GitHub’s where GitHub looks, and GitLab’s elsewhere',
    rules: 'a/b @x\n* user',
    place: 'docs/CODEOWNERS',
    owned: { 'a/b': '@x', 'x/a/b': undefined },
    problems: [2],
  },
  {
    what: 'in GitLab’s own place a file is GitLab’s',
    rules: 'a/b @x\nc user',
    place: '.gitlab/CODEOWNERS',
    owned: { 'a/b': '@x', 'x/a/b': '@x', c: '' },
    problems: [2, 2],
  },
];

for (const { what, rules, owned: expected, place, problems = [] } of sections) {
  test(`sections: ${what}`, () => {
    assert.deepEqual(owned(rules, Object.keys(expected), place), expected);
    assert.deepEqual(
      codeowners(rules, place).problems.map(({ line }) => line),
      problems,
    );
  });
}

test('sections are told with what their heads say', () => {
  const file = codeowners('a @x\n[One][3]\na @y\n^[Two]\na @z\n[one][0]\n^[ONE][2]\n[two]\n');
  assert.equal(file.host, 'gitlab');
  assert.deepEqual(file.sections, [
    { name: '', optional: false, approvals: 1 },
    { name: 'One', optional: false, approvals: 3 },
    { name: 'Two', optional: false, approvals: 1 },
  ]);
});

test('what is told of a file has bounds, and what counts of it has none but the file’s', () => {
  const bad = codeowners('* user\n'.repeat(100_000));
  assert.deepEqual([bad.rules.length, bad.problems.length, bad.problemCount], [0, 1_000, 100_000]);
  const many = Array.from({ length: 5_000 }, (_, at) => `@owner${at}`);
  assert.equal(codeowners(`* ${many.join(' ')}`).rules[0]?.owners.length, 5_000);
  const heads = codeowners(Array.from({ length: 1_200 }, (_, at) => `[S${at}]\n*.c @o${at}`).join('\n'));
  assert.deepEqual([heads.sections.length, heads.rules.length, heads.problemCount], [1_001, 1_200, 200]);
});

const times = (text: string, count: number) => text.repeat(count);
const numbered = (line: (at: number) => string) => Array.from({ length: 100_000 }, (_, at) => line(at)).join('\n');
const aaa = `${times('a', 60)}/${times('a', 60)}`;

/** Each ends: none of them takes time beyond that of its length. */
const hostile: readonly (readonly [what: string, rules: string, paths: Owned])[] = [
  ['stars and a letter that is missing', `${times('*a', 12)}*b @x`, { [aaa]: undefined, [`${aaa}b`]: '@x' }],
  ['twelve stars', `${times('*', 12)} @x\n${times('*a', 12)} @y`, { [aaa]: '@y', b: '@x' }],
  ['stars and marks', `${times('*?', 40)}b @x`, { [aaa]: undefined, [`${aaa}b`]: '@x' }],
  [
    'folders of any number, many times',
    `${times('**/a/', 40)}b @x`,
    { [`${times('a/', 80)}b`]: '@x', [times('a/', 80)]: undefined },
  ],
  ['folders of any number in a row', '**/**/**/**/**/a @x', { a: '@x', 'b/c/d/a': '@x', b: undefined }],
  [
    'a path of five thousand folders',
    '**/a/**/b @x\n/c/ @y',
    { [`${times('a/', 5_000)}b`]: '@x', [times('c/', 5_000)]: '@y', [`d/${times('c/', 5_000)}`]: undefined },
  ],
  ['a pattern of 10 kB', `${times('a*', 5_000)} @x`, { [times('a', 4_000)]: undefined }],
  [
    'two thousand folders',
    `${times('a/', 2_000)} @x`,
    { [`${times('a/', 2_000)}b`]: '@x', [`${times('a/', 1_999)}b`]: undefined },
  ],
  ['a line of 1 MB that is a pattern', `/${times('a', 2 ** 20)} @x\n* @y`, { a: '@y' }],
  ['a line of 1 MB of folders', `${times('a/', 2 ** 19)} @x\n* @y`, { 'a/b': '@y' }],
  ['a line of 1 MB of blanks', `*${times(' ', 2 ** 20)}@y`, { a: '@y' }],
  ['a line of 1 MB of backslashes', `${times('\\', 2 ** 20)} @x\n* @y`, { a: '@y' }],
  ['100,000 names', numbered(at => `/d${at}/ @o${at % 100}`), { 'd99999/a': '@o99', 'd100000/a': undefined }],
  ['100,000 endings', numbered(at => `*.e${at} @o${at % 100}`), { 'a/b.e77': '@o77', 'b.f': undefined }],
  ['100,000 parts', numbered(at => `*a*${at}*b @x`), { [aaa]: undefined, xa777b: '@x' }],
  ['100,000 lines of one pattern', numbered(at => `*.ts @o${at}`), { 'a.ts': '@o99999' }],
  ['100,000 folders anywhere', numbered(at => `**/a*${at}/**/x @x`), { [`${aaa}/x`]: undefined, 'y/ab5/z/x': '@x' }],
];

for (const [what, rules, expected] of hostile) {
  test(`hostile: ${what}`, () => assert.deepEqual(owned(rules, Object.keys(expected)), expected));
}

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';
import {
  noSettings,
  parseRepositorySettings,
  repositoryKeys,
  settingsFiles,
} from '../../../daemon/extract/repository-settings.ts';
import { temporaryFolder } from '../../support/repository.ts';

test('what a repository may set is taken over', () => {
  const { problems, ...settings } = parseRepositorySettings(
    Buffer.from(`
      [history]
      bots = ["acme-*", "*[bot]"]
      [ownership.teams."@acme/core"]
      members = ["@alice", "bob@example.com"]
      [ownership.people."@alice"]
      emails = ["alice@example.com"]
      [ownership.people]
      "@bob" = { emails = ["bob@example.com"] }
      "@__proto__" = { emails = ["x@y"] }
      [decisions]
      folder = "./docs/adr/"
    `),
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(settings, {
    bots: ['acme-*', '*[bot]'],
    teams: new Map([['@acme/core', ['@alice', 'bob@example.com']]]),
    people: new Map([
      ['@alice', ['alice@example.com']],
      ['@bob', ['bob@example.com']],
      ['@__proto__', ['x@y']],
    ]),
    decisionsFolder: 'docs/adr',
  });
});

/** What does not count: `line key`, and why. */
const rows: readonly (readonly [toml: string, at: string, says: RegExp])[] = [
  ['\n[http]\nport = 80\n', '2 http', /nothing that a repository may set: that is history\.bots, .*decisions\.folder$/],
  ['[auth]\ntoken = "0123456789abcdef"', '1 auth', /nothing that a repository may set/],
  ['\nbots = ["x"]', '2 bots', /nothing that a repository may set/],
  ['[history]\n\nignore = ["x"]', '3 history.ignore', /nothing that a repository may set/],
  ['[index.indexers.scip-go]\npath = "/tmp/evil"', '1 index', /nothing that a repository may set/],
  ['__proto__ = 1', '1 __proto__', /nothing that a repository may set/],
  ['[constructor]\nx = 1', '1 constructor', /nothing that a repository may set/],
  ['ownership = 1', '1 ownership', /must be a table/],
  ['[history]\nbots = "x"', '2 history.bots', /must be a list/],
  ['[history]\nbots = [""]', '2 history.bots', /must be a list/],
  ['[history]\nbots = [1]', '2 history.bots', /must be a list/],
  ['[ownership]\nteams = ["x"]', '2 ownership.teams', /must be a table of tables/],
  ['[ownership]\npeople = 1979-05-27', '2 ownership.people', /must be a table of tables/],
  ['[ownership.teams.core]\nmembers = ["@a"]', '1 ownership.teams.core', /core is no team: write @org\/team/],
  ['[ownership.teams."@o/t"]\nmembers = ["a"]', '1 ownership.teams.@o/t', /a list of handles \(@alice\) and addresses/],
  ['[ownership.teams."@o/t"]\nmembers = ["@o/u"]', '1 ownership.teams.@o/t', /a list of handles/],
  ['[ownership.teams."@o/t"]\nmembers = []\nmore = 1', '1 ownership.teams.@o/t', /a table with members/],
  ['[ownership.people."alice"]\nemails = ["a@b"]', '1 ownership.people.alice', /alice is no handle: write @alice/],
  [
    '[ownership.people."@alice"]\nemails = ["@a"]',
    '1 ownership.people.@alice',
    /a table with emails, a list of addresses/,
  ],
  ['[decisions]\nfolder = 1', '2 decisions.folder', /a folder inside of the repository/],
  ['[decisions]\nfolder = "../x"', '2 decisions.folder', /a folder inside of the repository/],
  ['[decisions]\nfolder = "/etc"', '2 decisions.folder', /a folder inside of the repository/],
  ['[decisions]\nfolder = "."', '2 decisions.folder', /a folder inside of the repository/],
  ['[decisions]\nfolder = ""', '2 decisions.folder', /a folder inside of the repository/],
  ['[decisions]\nfolder = "a\\u0000b"', '2 decisions.folder', /a folder inside of the repository/],
  ['[history]\nbots = = 1', '2 ', /^is no TOML: invalid value \(column 8\)$/],
  ['[history]\nbots = ["x"]\n[history]\n', '3 ', /^is no TOML: /],
  [`a = ${'['.repeat(30_000)}`, '1 ', /^is no TOML: .*nested/],
  // A step for each way to split the spaces would be more than anybody lives.
  [`x = """\n${' '.repeat(60_000)}\n"""\n`, '1 x', /nothing that a repository may set/],
  [`${'a.'.repeat(15_000)}b = 1`, '1 a', /nothing that a repository may set/],
  [`[${'a.'.repeat(15_000)}b]`, '1 a', /nothing that a repository may set/],
];

for (const [toml, at, says] of rows) {
  test(`what a repository says and does not count is told with its line: ${JSON.stringify(toml.slice(0, 50))}`, () => {
    const { problems, ...settings } = parseRepositorySettings(Buffer.from(toml));
    const [first, ...more] = problems;
    assert.equal(`${first?.line} ${first?.key}`, at);
    assert.match(first?.reason ?? '', says);
    assert.deepEqual(more, []);
    const { problems: _, ...none } = noSettings;
    assert.deepEqual(settings, none);
  });
}

test('what is not UTF-8 is told with its place, and a mark before the text is none of it', () => {
  const [first] = parseRepositorySettings(Buffer.from('[history]\nbots = ["\xff"]', 'latin1')).problems;
  assert.deepEqual(first, { line: 2, key: '', reason: 'is no TOML: what stands there is not UTF-8 (column 10)' });
  const { bots, problems } = parseRepositorySettings(Buffer.from('\ufeff[history]\r\nbots = ["x"]\r\n'));
  assert.deepEqual([bots, problems], [['x'], []]);
});

test('one wrong key leaves the others in force, and what is told has a bound', () => {
  const wrong = Array.from({ length: 500 }, (_, at) => `k${at} = 1`).join('\n');
  const { bots, problems } = parseRepositorySettings(Buffer.from(`${wrong}\n[history]\nbots = ["x"]\n`));
  assert.deepEqual([bots, problems.length], [['x'], 100]);
});

test('what a repository may set decides nothing about the daemon', () => {
  assert.deepEqual(repositoryKeys, ['history.bots', 'ownership.teams', 'ownership.people', 'decisions.folder']);
});

test('the file of a tree is read when it has changed, and never through a link', t => {
  const { root, write, remove, path } = temporaryFolder(t);
  const files = settingsFiles();
  assert.deepEqual(files.of(root), noSettings);
  write('.svc.toml', '[history]\nbots = ["one"]\n');
  assert.deepEqual(files.of(root).bots, ['one']);
  assert.equal(files.of(root), files.of(root));
  write('.svc.toml', '[history]\nbots = ["two"]\n');
  assert.deepEqual(files.of(root).bots, ['two']);
  write('elsewhere', '[history]\nbots = ["link"]\n');
  remove('.svc.toml');
  symlinkSync('elsewhere', path('.svc.toml'));
  assert.deepEqual(files.of(root).problems, [{ line: undefined, key: '', reason: 'is a symbolic link' }]);
  remove('.svc.toml');
  write('.svc.toml', '#'.repeat(64 * 1024 + 1));
  assert.deepEqual(files.of(root).problems, [{ line: undefined, key: '', reason: 'is larger than 65536 bytes' }]);
  const whyAt = () => files.of(root).problems.map(({ reason }) => reason);
  remove('.svc.toml');
  execFileSync('mkfifo', [path('.svc.toml')]);
  assert.deepEqual(whyAt(), ['is no regular file']);
  remove('.svc.toml');
  mkdirSync(path('.svc.toml'));
  assert.deepEqual(whyAt(), ['is a folder']);
});

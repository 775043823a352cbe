import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';
import type { Person } from '../../../../daemon/model/history.ts';
import { ownershipChecks } from '../../../../daemon/operations/doctor/ownership-checks.ts';
import { ownershipFiles } from '../../../../daemon/operations/ownership/ownership-files.ts';
import { gitRepository, temporaryFolder } from '../../../support/repository.ts';

const configured = { bots: undefined, teams: new Map([['@acme/core', ['@alice']]]), people: new Map() };

function findings(root: string, known: readonly Person[] | 'not yet' = []): readonly string[] {
  const authors = known === 'not yet' ? undefined : known;
  return ownershipChecks(ownershipFiles(), { root, configured, authors }).map(
    ({ check, status, message }) => `${status} ${check}: ${message}`,
  );
}

const well = {
  codeowners: 'pass ownership.codeowners: there is no CODEOWNERS',
  lines: 'pass ownership.codeowners-lines: every line counts',
  teams: 'pass ownership.teams: it is known who is in each team',
  handles: 'pass ownership.handles: it is known for whom each handle stands',
  settings: 'pass repository.settings: all that .svc.toml says counts',
  mailmap: 'pass history.mailmap: there is no .mailmap',
  ignored: 'pass history.ignored-revisions: there are none',
};

const rows: readonly {
  readonly what: string;
  readonly tree: string;
  readonly says: Partial<Record<keyof typeof well, string | readonly string[]>>;
}[] = [
  { what: 'nothing', tree: '-- a.ts --\n', says: {} },
  {
    what: 'a file that counts',
    tree: '-- docs/CODEOWNERS --\n* @alice @Acme/Core\n*.c @bob',
    says: { codeowners: 'pass ownership.codeowners: docs/CODEOWNERS: 2 rules, as GitHub reads them' },
  },
  {
    what: 'several files',
    tree: '-- CODEOWNERS --\n[Docs] @alice\n-- docs/CODEOWNERS --\n* @alice\n-- .gitlab/CODEOWNERS --\n* @x',
    says: {
      codeowners:
        'warn ownership.codeowners: docs/CODEOWNERS does not count beside CODEOWNERS; .gitlab/CODEOWNERS does not count beside CODEOWNERS',
    },
  },
  {
    what: 'what is no file',
    tree: '-- .github/CODEOWNERS/a --\n* @alice\n-- CODEOWNERS -> /etc/passwd --\n',
    says: {
      codeowners:
        'warn ownership.codeowners: .github/CODEOWNERS is a folder, and is not read; CODEOWNERS is a symbolic link, and is not read',
    },
  },
  {
    what: 'lines that don’t count, each with its number',
    tree: '-- CODEOWNERS --\n* @alice\n!a @alice\n\n*.c nobody <b>"x"</b>\n',
    says: {
      codeowners: 'pass ownership.codeowners: CODEOWNERS: 1 rule, as GitHub reads them',
      lines: [
        'warn ownership.codeowners-lines: CODEOWNERS:2 is skipped: patterns are not negated with !: "!a @alice"',
        'warn ownership.codeowners-lines: CODEOWNERS:4 is skipped: "nobody" is no @user, @org/team or address: "*.c nobody <b>\\"x\\"</b>"',
      ],
    },
  },
  {
    what: 'lines of GitLab’s that count in part, or for nobody',
    tree: '-- .gitlab/CODEOWNERS --\na @alice x\nb',
    says: {
      codeowners: 'pass ownership.codeowners: .gitlab/CODEOWNERS: 2 rules, as GitLab reads them',
      lines: [
        'warn ownership.codeowners-lines: .gitlab/CODEOWNERS:1 counts in part: "x" is no @user, @group, @@role or address: "a @alice x"',
        'info ownership.codeowners-lines: .gitlab/CODEOWNERS:2 counts: nobody is named: GitLab asks for no approval: "b"',
      ],
    },
  },
  {
    what: 'teams that nobody told',
    tree: '-- CODEOWNERS --\n* @acme/core @acme/web\n*.c @acme/web @ACME/WEB @acme/ops\n-- .svc.toml --\n[ownership.teams."@acme/ops"]\nmembers = ["@bob"]\n',
    says: {
      codeowners: 'pass ownership.codeowners: CODEOWNERS: 2 rules, as GitHub reads them',
      teams:
        'info ownership.teams: it is not known who is in @acme/web: drift of their files can\'t be told; configure [ownership.teams."@acme/web"] members = ["@alice", "bob@example.com"]',
    },
  },
  {
    what: 'settings that don’t count',
    tree: '-- .svc.toml --\n[history]\nbots = 1\n[http]\nport = 80\n',
    says: {
      settings: [
        'warn repository.settings: .svc.toml:2: history.bots must be a list of at most 1000 patterns',
        'warn repository.settings: .svc.toml:3: http is nothing that a repository may set: that is history.bots, ownership.teams, ownership.people, decisions.folder',
      ],
    },
  },
  {
    what: 'settings that are no TOML',
    tree: '-- .svc.toml --\n[history]\n=\n',
    says: {
      settings: 'warn repository.settings: .svc.toml:2 is no TOML: unexpected end of key (column 1)',
    },
  },
  {
    what: 'settings that are a link',
    tree: '-- .svc.toml -> /etc/passwd --\n',
    says: { settings: 'warn repository.settings: .svc.toml is a symbolic link' },
  },
  {
    what: 'a .mailmap that is a link',
    tree: '-- .mailmap -> /etc/passwd --\n',
    says: { mailmap: 'warn history.mailmap: .mailmap is a symbolic link, and does not count' },
  },
  {
    what: 'revisions to be ignored, and a .mailmap',
    tree: `-- .mailmap --\nA <a@x>\n-- .git-blame-ignore-revs --\n# all\n${'a'.repeat(40)} # why\n\n${'B'.repeat(40)}\n`,
    says: {
      mailmap: 'pass history.mailmap: who is who is as .mailmap says',
      ignored: 'pass history.ignored-revisions: 2 commits of .git-blame-ignore-revs',
    },
  },
  {
    what: 'revisions that are none',
    tree: `-- .git-blame-ignore-revs --\nmain\n${'a'.repeat(40)}\nabc123\n`,
    says: {
      ignored:
        'warn history.ignored-revisions: no full hash, and does not count: .git-blame-ignore-revs:1, .git-blame-ignore-revs:3',
    },
  },
];

test('doctor on owners: revisions to be ignored that no file tells', t => {
  const { root, path, write, remove } = temporaryFolder(t);
  const said = () => findings(root).find(finding => finding.includes(' history.ignored-revisions: '));
  const file = '.git-blame-ignore-revs';
  const warning = (reason: string) => `warn history.ignored-revisions: ${file} ${reason}, and does not count`;
  execFileSync('mkfifo', [path(file)]);
  assert.equal(said(), warning('is no regular file'));
  remove(file);
  mkdirSync(path(file));
  assert.equal(said(), warning('is a folder'));
  remove(file);
  symlinkSync('/etc/passwd', path(file));
  assert.equal(said(), warning('is a symbolic link'));
  remove(file);
  write(file, '#'.repeat(1024 * 1024 + 1));
  assert.equal(said(), warning('is larger than 1048576 bytes'));
  remove(file);
  assert.equal(said(), well.ignored);
});

for (const { what, tree, says } of rows) {
  test(`doctor on owners: ${what}`, t => {
    const { root } = temporaryFolder(t, tree);
    assert.deepEqual(findings(root), Object.values({ ...well, ...says }).flat());
  });
}

const adams = { name: 'Alice Adams', email: 'alice@corp-a.com' };
const baker = { name: 'Alice Baker', email: 'alice@corp-b.org' };
const handles = (root: string, authors: readonly Person[] | 'not yet'): readonly string[] =>
  findings(root, authors).filter(finding => finding.includes(' ownership.handles: '));

test('doctor on owners: a handle that is guessed of two people, until somebody tells who is who', t => {
  const { root, write } = temporaryFolder(t, '-- CODEOWNERS --\n* @alice\n');
  assert.deepEqual(handles(root, [adams, baker]), [
    'warn ownership.handles: @alice is guessed to be Alice Adams <alice@corp-a.com> and Alice Baker <alice@corp-b.org>: where they are several, configure whose it is, as in [ownership.people."@alice"] emails = ["alice@corp-a.com"]; where they are one, say so in .mailmap, as in Alice Adams <alice@corp-a.com> <alice@corp-b.org>',
  ]);
  assert.match(handles(root, [adams, { ...baker, name: 'alice' }])[0]!, /^info /);
  assert.deepEqual(handles(root, 'not yet'), [], 'the history is still to be read');
  write('.mailmap', 'Alice Adams <alice@corp-a.com> <alice@corp-b.org>\n');
  assert.deepEqual(handles(root, [adams, baker]), [well.handles]);
  write('.mailmap', '');
  write('.svc.toml', '[ownership.people."@alice"]\nemails = ["alice@corp-a.com"]\n');
  assert.deepEqual(handles(root, [adams, baker]), [well.handles]);
});

test('doctor on owners: many handles are told by the first of them, and odd names shortly', t => {
  const names = Array.from({ length: 30 }, (_, at) => `u${at + 10}`);
  const { root } = temporaryFolder(t, `-- CODEOWNERS --\n* ${names.map(name => `@${name}`).join(' ')}\n`);
  const authors = names.flatMap(name => [
    { name: `A\u001b[31m ${'x'.repeat(500)}`, email: `${name}@a.org` },
    { name: `B ${name}`, email: `${name}@b.org` },
  ]);
  const told = handles(
    root,
    authors.map((author, at) => ({ ...author, name: `${author.name}${at}` })),
  );
  assert.deepEqual([told.length, told.at(-1)], [21, 'info ownership.handles: and 10 more handles']);
  assert.ok(told.every(one => one.length < 1000 && !one.includes('\u001b')));
});

test('doctor on owners: many lines are told by the first of them', t => {
  const { root, write } = temporaryFolder(t);
  write('CODEOWNERS', '* user\n'.repeat(5_000));
  const lines = findings(root).filter(finding => finding.startsWith('warn ownership.codeowners-lines'));
  assert.equal(lines.length, 101);
  assert.equal(lines.at(-1), 'warn ownership.codeowners-lines: and 4900 more lines');
});

test('doctor on owners: the files lie at the top of the work tree, wherever the root is in it', t => {
  const { path, write } = gitRepository(t, '-- lib/a.ts --\nexport const a = 1;');
  write('CODEOWNERS', '* user\n');
  write('lib/CODEOWNERS', '* @alice\n');
  assert.ok(
    findings(path('lib')).some(finding => finding.startsWith('warn ownership.codeowners-lines: CODEOWNERS:1 ')),
  );
  symlinkSync('/etc/passwd', path('.svc.toml'));
  assert.ok(findings(path('lib')).includes('warn repository.settings: .svc.toml is a symbolic link'));
});

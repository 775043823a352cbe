import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { createDecisionFiles, type SeenFiles } from '../../../../daemon/jobs/decisions/decision-files.ts';
import { decisionsOf } from '../../../../daemon/jobs/decisions/decisions.ts';
import { decisionFolders } from '../../../../daemon/jobs/decisions/folders.ts';
import { temporaryFolder } from '../../../support/repository.ts';
import { withoutRights } from '../../../support/without-rights.ts';

const accepted = '# A\n\n## Status\n\naccepted\n';
const goOn = new AbortController().signal;

function seenIn(root: string, configured = ''): Promise<SeenFiles> {
  return createDecisionFiles().read(root, configured, goOn);
}

/** Trees, where a new decision goes in them, and which folders are read. */
const folders: readonly (readonly [
  what: string,
  tree: string,
  configured: string,
  written: unknown,
  read: string[],
])[] = [
  ['none', '', '', 'docs/decisions', []],
  ['the first of the usual ones', '-- doc/adr/ --\n-- docs/adr/ --', '', 'docs/adr', ['docs/adr', 'doc/adr']],
  [
    'one that is only read',
    '-- docs/architecture-decisions/ --',
    '',
    'docs/decisions',
    ['docs/architecture-decisions'],
  ],
  ['a named one', '-- .adr-dir --\nx/y\n-- x/y/ --\n-- docs/adr/ --', '', 'x/y', ['x/y', 'docs/adr']],
  ['a named one that is not there', '-- .adr-dir --\n./x/y/\n-- docs/adr/ --', '', 'x/y', ['docs/adr']],
  ['a named one outside', '-- .adr-dir --\n../x\n-- docs/adr/ --', '', undefined, ['docs/adr']],
  ['an absolute one', '-- .adr-dir --\n/etc\n', '', undefined, []],
  ['git’s own', '-- .adr-dir --\n.git/hooks\n-- .git/hooks/ --', '', undefined, []],
  ['an empty name', '-- .adr-dir --\n\n-- docs/adrs/ --', '', 'docs/adrs', ['docs/adrs']],
  ['a configured one', '-- d/ --\n-- docs/adr/ --', 'd', 'd', ['d', 'docs/adr']],
  ['a configured one that is not there', '-- docs/adr/ --', 'd', 'docs/adr', ['docs/adr']],
  ['a configured one, and none at all', '', 'd/e', 'd/e', []],
  ['a configured one outside', '-- docs/adr/ --', '../d', 'docs/adr', ['docs/adr']],
  ['a named one and a configured one', '-- .adr-dir --\nx\n-- d/ --', 'd', 'x', ['d']],
  [
    'a file in the place of one',
    '-- adr --\nx\n-- docs/architecture/decisions/ --',
    '',
    'docs/architecture/decisions',
    ['docs/architecture/decisions'],
  ],
  ['a link in the place of one', '-- docs/decisions -> /etc --\n-- doc/adr/ --', '', 'docs/decisions', ['doc/adr']],
  ['a link above one', '-- docs -> elsewhere --\n-- elsewhere/adr/ --', '', 'docs/decisions', []],
  ['a name that is a link', '-- .adr-dir -> /etc/hostname --\n-- doc/adr/ --', '', 'doc/adr', ['doc/adr']],
];

test('where decisions lie, and where a new one goes', t => {
  for (const [what, tree, configured, written, read] of folders) {
    const { root } = temporaryFolder(t, tree);
    const found = decisionFolders(root, configured);
    assert.deepEqual([found.written, found.read], [written, read], what);
    const isNamedWrong = written === undefined || configured.startsWith('..');
    assert.equal(
      found.problems.some(({ code }) => code === 'folder_outside'),
      isNamedWrong,
      what,
    );
    assert.equal(
      found.problems.some(({ code }) => code === 'folder_not_real'),
      what.startsWith('a link in'),
      what,
    );
  }
});

test('what names the folder and may not be read leaves no other to write into, and a closed folder is told', t => {
  const { root, path } = temporaryFolder(t, '-- .adr-dir --\nx\n-- x/ --\n-- docs/adr/ --\n-- adr/ --');
  chmodSync(root, 0o755);
  const found = () => withoutRights(() => decisionFolders(root, ''));
  const told = ({ problems }: ReturnType<typeof found>) => problems.map(problem => [problem.path, problem.code]);
  assert.deepEqual([found().written, told(found())], ['x', []]);
  chmodSync(path('.adr-dir'), 0o000);
  assert.deepEqual([found().written, told(found())], [undefined, [['.adr-dir', 'unreadable']]]);
  rmSync(path('.adr-dir'));
  chmodSync(path('docs'), 0o000);
  assert.deepEqual([found().written, found().read], ['docs/decisions', ['adr']]);
  assert.deepEqual(told(found()), [['docs', 'unreadable']]);
});

test('the answer is what lies there now: what is edited, new and gone is seen, what is as it was is not read again', async t => {
  const { root, write, remove, path } = temporaryFolder(
    t,
    `-- docs/adr/0001-a.md --\n${accepted}-- docs/adr/0002-b.md --\n# B\n`,
  );
  const files = createDecisionFiles();
  const titles = async () => (await files.read(root, '', goOn)).files.map(({ text }) => text.title);
  const first = await files.read(root, '', goOn);
  assert.deepEqual(await titles(), ['A', 'B']);
  assert.equal(await files.read(root, '', goOn), first, 'nothing has changed');
  write('docs/adr/0002-b.md', '# C\n');
  utimesSync(path('docs/adr/0002-b.md'), 1, 1);
  assert.deepEqual(await titles(), ['A', 'C'], 'of the same size, and older');
  write('docs/adr/0003-d.md', '# D\n');
  assert.deepEqual(await titles(), ['A', 'C', 'D']);
  const { files: before } = await files.read(root, '', goOn);
  remove('docs/adr/0001-a.md');
  const { files: after } = await files.read(root, '', goOn);
  assert.deepEqual(after, before.slice(1));
  assert.equal(after[0], before[1], 'the others are not read again');
  remove('docs/adr');
  assert.deepEqual(await titles(), []);
  write('doc/adr/1-e.md', '# E\n');
  assert.deepEqual(await titles(), ['E']);
  write('doc/adr/ui/1-f.md', '# F\n');
  assert.deepEqual(await titles(), ['E', 'F']);
  write('doc/adr/ui/1-f.md', '# G\n');
  assert.deepEqual(await titles(), ['E', 'G']);
  remove('doc/adr/ui');
  assert.deepEqual(await titles(), ['E']);
});

test('what can’t be read is told, and no more', async t => {
  const { root, path, write } = temporaryFolder(
    t,
    `-- docs/adr/0001-a.md --\n${accepted}-- docs/adr/0008-folder.md/ --\n`,
  );
  symlinkSync('/etc/passwd', path('docs/adr/0002-link.md'));
  symlinkSync('0001-a.md', path('docs/adr/0003-link.md'));
  symlinkSync('nowhere', path('docs/adr/notes.md'));
  execFileSync('mkfifo', [path('docs/adr/0004-pipe.md')]);
  write('docs/adr/0005-binary.md', Buffer.from([0x23, 0x20, 0x00]));
  write('docs/adr/0006-sparse.md', '');
  truncateSync(path('docs/adr/0006-sparse.md'), 2 ** 40);
  write('docs/adr/0007-large.md', `# Large\n\n## Status\n\nrejected\n\n${'x'.repeat(5_000_000)}`);
  writeFileSync(
    Buffer.concat([Buffer.from(`${path('docs/adr')}/0009-`), Buffer.from([0xff]), Buffer.from('.md')]),
    accepted,
  );
  write('docs/adr/README.md', accepted);
  write('docs/adr/glossary.md', '# Words\n\nSome.\n');
  write('docs/adr/use-a-queue.md', accepted);
  const { files, unread } = await seenIn(root);
  assert.deepEqual(
    files.map(({ path, text }) => [path, text.status, text.problems.map(({ code }) => code).join()]),
    [
      ['docs/adr/0001-a.md', 'accepted', ''],
      ['docs/adr/0007-large.md', 'deprecated', 'cut'],
      ['docs/adr/use-a-queue.md', 'accepted', ''],
    ],
  );
  assert.deepEqual(
    unread.map(({ path, code }) => [path, code]),
    [
      ['docs/adr/0002-link.md', 'not_regular'],
      ['docs/adr/0003-link.md', 'not_regular'],
      ['docs/adr/0004-pipe.md', 'not_regular'],
      ['docs/adr/0005-binary.md', 'binary'],
      ['docs/adr/0006-sparse.md', 'too_large'],
      ['docs/adr/0009-\ufffd.md', 'name_not_utf8'],
    ],
  );
});

test('more files than anybody has are not read', async t => {
  const { root, path, write } = temporaryFolder(t, '-- docs/adr/ --');
  for (let n = 1; n <= 20_001; n++) writeFileSync(path(`docs/adr/${n}.md`), '');
  const { files, unread } = await seenIn(root);
  assert.deepEqual([files.length, unread.map(({ code }) => code)], [20_000, ['too_many']]);
  write('docs/adr/1.md', accepted);
});

test('those who ask at once share a look, each but the first one that begins after it has asked', async t => {
  const { root, path } = temporaryFolder(t, '-- docs/adr/ --');
  for (let n = 1; n <= 2_000; n++) writeFileSync(path(`docs/adr/${n}.md`), accepted.repeat(20));
  const files = createDecisionFiles();
  const first = files.read(root, '', goOn);
  await new Promise(resolve => setImmediate(resolve));
  writeFileSync(path('docs/adr/1.md'), '# Changed\n');
  const others = await Promise.all([1, 2, 3].map(() => files.read(root, '', goOn)));
  assert.equal((await first).files.length, 2_000);
  for (const other of others) {
    assert.equal(other, others[0]);
    assert.equal(other.files.find(file => file.path === 'docs/adr/1.md')?.text.title, 'Changed');
  }
});

test('a look ends when nobody waits for it any more, and goes on while one does', async t => {
  const { root, path } = temporaryFolder(t, '-- docs/adr/ --');
  for (let n = 1; n <= 2_000; n++) writeFileSync(path(`docs/adr/${n}.md`), accepted.repeat(20));
  const files = createDecisionFiles();
  const over = new Error('over');
  const [one, other] = [new AbortController(), new AbortController()];
  const both = [one, other].map(({ signal }) => files.read(root, '', signal));
  one.abort(over);
  await assert.rejects(both[0]!, over);
  assert.equal((await both[1]!).files.length, 2_000);
  const alone = createDecisionFiles().read(root, '', one.signal);
  await assert.rejects(alone, over);
});

const status = (text: string): string => `## Status\n\n${text}\n`;

test('decisions have ids of their files, else of their titles, else of their names; what does not fit is told', async t => {
  const { root } = temporaryFolder(
    t,
    `
-- docs/adr/0002-b.md --
# 2. B

${status('accepted')}
-- docs/adr/0005-x.md --
# 6. X

${status('accepted')}
-- docs/adr/0007-one.md --
# One
-- doc/adr/7-other.md --
# Other
-- docs/adr/ADR-99999999999999999999.md --
-- docs/adr/ADR-0x1.md --
# Odd

${status('accepted')}
-- docs/adr/use-a-queue.md --
# 31. Queue

${status('accepted')}
-- docs/adr/20200131-use-a-log.md --
# Log
-- docs/adr/1234-no-title.md --
${status('accepted')}
`,
  );
  const found = decisionsOf((await seenIn(root)).files);
  assert.deepEqual(
    found.map(({ id, number, title, problems }) => [id, number, title, problems.map(({ code }) => code).join()]),
    [
      ['ADR-002', 2, 'B', ''],
      ['ADR-005', 5, 'X', 'id_mismatch'],
      ['ADR-007', 7, 'Other', 'duplicate_id'],
      ['ADR-007', 7, 'One', 'duplicate_id'],
      ['ADR-031', 31, 'Queue', ''],
      ['ADR-1234', 1234, 'No title', 'no_title'],
      ['ADR-20200131-use-a-log', undefined, 'Log', ''],
      ['ADR-0x1', undefined, 'Odd', ''],
      [`ADR-${'9'.repeat(20)}`, undefined, `ADR-${'9'.repeat(20)}`, 'no_title,number_out_of_range'],
    ],
  );
  assert.match(found[2]!.problems[0]!.message, /docs\/adr\/0007-one\.md is ADR-007 as well/);
  const sources = found.map(({ createdAtSource }) => createdAtSource);
  assert.deepEqual([sources[0], sources[6]], ['file-time', 'file-name']);
});

test('what decisions say of others: both sides are told, and what leads nowhere or in a circle is a problem', async t => {
  const linked: readonly (readonly [name: string, status: string])[] = [
    ['0001-a', 'Superseded by [2. B](0002-b.md)'],
    ['0002-b', 'Accepted\n\nAmends [3](./0003-c.md#top)'],
    ['0003-c', 'Superseded by [ADR-0009](0009-gone.md)'],
    ['0004-d', 'Superseded by [4](0004-d.md)'],
    ['0005-e', 'Superseded by ADR-6'],
    ['0006-f', 'Superseded by ADR-0005'],
    ['0007-g', 'Accepted, supersedes [an old one](0001-a.md) and [ADR-8](renamed%20since.md)'],
    ['0008-h', 'Accepted\n\nSee [the web](https://example.com/0001-a.md)'],
  ];
  const tree = linked.map(([name, text]) => `-- docs/adr/${name}.md --\n# ${name}\n\n${status(text)}`).join('\n');
  const { root } = temporaryFolder(t, tree);
  const found = decisionsOf((await seenIn(root)).files);
  const told = found.map(({ supersedes, supersededBy, problems }) => [
    supersedes.join(),
    supersededBy.join(),
    problems.map(({ code }) => code).join(),
  ]);
  assert.deepEqual(told, [
    ['', 'ADR-002,ADR-007', ''],
    ['ADR-001', '', ''],
    ['', '', 'missing_target'],
    ['', '', 'supersedes_itself'],
    ['ADR-006', 'ADR-006', 'superseded_cycle'],
    ['ADR-005', 'ADR-005', 'superseded_cycle'],
    ['ADR-001,ADR-008', '', ''],
    ['', 'ADR-007', ''],
  ]);
  assert.deepEqual(found[1]!.links, [{ relation: 'amends', label: '3', target: './0003-c.md#top', id: 'ADR-003' }]);
  assert.equal(found[7]!.links[0]!.id, undefined);
});

/** Two categories that count for themselves, a folder of old ones, and what lies beside them. */
const categories = `
-- docs/decisions/0001-a.md --
# A

${status('accepted')}
-- docs/decisions/0003-c.md --
# C

Supersedes: ADR-2, backend/1

${status('accepted')}
-- docs/decisions/backend/0001-kafka.md --
# Kafka

${status('Superseded by ADR-0002')}
-- docs/decisions/backend/0002-redis.md --
# Redis

${status('Accepted\n\nSupersedes [ADR-1](../0001-a.md)\n\nSupersedes ui/0001')}
-- docs/decisions/backend/storage/2020-01-31-log.md --
# Log

${status('Superseded by ADR-3')}
-- docs/decisions/ui/0001-react.md --
# React

${status('accepted')}
-- docs/decisions/old/0004-d.md --
# D

${status('accepted')}
-- docs/decisions/ui/README.md --
${accepted}
-- docs/decisions/ui/notes.md --
${accepted}
-- docs/decisions/templates/nygard.md --
${accepted}
-- docs/decisions/a/b/c/d/0001-deep.md --
${accepted}
-- docs/decisions/.hidden/0001-hidden.md --
${accepted}
-- elsewhere/0001-linked.md --
${accepted}
-- docs/decisions/linked -> ../../elsewhere --
`;

test('folders below are read as categories, each with numbers of its own', async t => {
  const { root } = temporaryFolder(t, categories);
  const { files, folders, unread } = await seenIn(root);
  const found = decisionsOf(files);
  assert.deepEqual(
    found.map(({ id, number, supersedes, supersededBy }) => [id, number, supersedes.join(), supersededBy.join()]),
    [
      ['ADR-001', 1, '', 'ADR-backend/002'],
      ['ADR-003', 3, 'ADR-backend/001,ADR-backend/002,ADR-backend/storage/2020-01-31-log', ''],
      ['ADR-backend/001', 1, '', 'ADR-003,ADR-backend/002'],
      ['ADR-backend/002', 2, 'ADR-001,ADR-backend/001,ADR-ui/001', 'ADR-003'],
      ['ADR-backend/storage/2020-01-31-log', undefined, '', 'ADR-003'],
      ['ADR-old/004', 4, '', ''],
      ['ADR-ui/001', 1, '', 'ADR-backend/002'],
    ],
  );
  assert.deepEqual(
    found.flatMap(({ problems }) => problems),
    [],
  );
  assert.deepEqual([folders.read, unread], [['docs/decisions'], []]);
});

test('a folder of decisions within another is no category of that', async t => {
  const { root } = temporaryFolder(t, `-- .adr-dir --\ndocs\n-- docs/adr/0001-a.md --\n${accepted}`);
  const found = decisionsOf((await seenIn(root)).files);
  assert.deepEqual(
    found.map(({ id, file }) => [id, file.path]),
    [['ADR-001', 'docs/adr/0001-a.md']],
  );
});

test('more folders than anybody has are not looked into, which is told', async t => {
  const { root, path } = temporaryFolder(t, `-- docs/adr/0001-a.md --\n${accepted}`);
  for (let n = 0; n <= 1_000; n++) {
    mkdirSync(path(`docs/adr/${String(n).padStart(4, '0')}`));
    writeFileSync(path(`docs/adr/${String(n).padStart(4, '0')}/0001-a.md`), accepted);
  }
  const { files, unread } = await seenIn(root);
  assert.deepEqual([files.length, unread.map(({ code }) => code)], [1_001, ['too_many']]);
});

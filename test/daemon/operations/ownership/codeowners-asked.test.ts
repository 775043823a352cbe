import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, truncateSync } from 'node:fs';
import { test } from 'node:test';
import { readDaemonRecord } from '../../../../client/paths.ts';
import { ready } from '../../../oracle/stored.ts';
import { startDaemon, svc, until } from '../../../support/daemon.ts';
import { gitRepository, type Workspace } from '../../../support/repository.ts';

const times = (text: string, count: number): string => text.repeat(count);
const numbered = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

/** The file, who owns the path by it (`-`: a rule says nobody; undefined: no rule fits), and the lines that doctor tells. */
type Row = readonly [
  what: string,
  rules: string | Uint8Array | ((tree: Workspace) => void),
  owner: string | undefined,
  lines?: readonly number[],
  path?: string,
];

const deep = 'src/deep/b.ts';

const rows: readonly Row[] = [
  ['no owner clears', '* @x\na.ts\n', '-'],
  ['@ alone', '* @\n', undefined, [1]],
  ['two @', '* @@x\n', undefined, [1]],
  ['a team without a name', '* @org/\n', undefined, [1]],
  ['a user without @', '* user\n', undefined, [1]],
  ['an address', '* a@b\n', 'a@b'],
  ['a negation', '!src/ @x\n', undefined, [1]],
  ['a range of characters', '[a-z]*.ts @x\n', undefined, [1]],
  ['an escaped # at the beginning', '\\#x @x\n', undefined, [1]],
  ['a backslash at the end', 'a.ts\\', undefined, [1]],
  ['a bracket that nothing closes', 'a[ @x\n', undefined, [1]],
  ['sections', '[Docs] @docs\na.ts\n', '@docs'],
  ['good lines between bad ones', '* user\na.ts @x\n!b @y\n', '@x', [1, 3]],
  ['stars between folders', '**/**/**/**/**/a.ts @x\n', '@x'],
  ['stars between letters', `${times('*a', 12)}*b @x\n`, undefined],
  ['twelve stars', `${times('*', 12)} @x\n`, '@x'],
  ['a pattern of 10 kB', `${times('a*', 5_000)} @x\n`, undefined],
  ['two thousand folders', `${times('a/', 2_000)} @x\n* @y\n`, '@y'],
  ['100,000 rules', numbered(100_000, at => `/d${at}/ @o${at}`).concat('\na.ts @x'), '@x'],
  ['5,000 owners', `* ${Array.from({ length: 5_000 }, (_, at) => `@o${at}`).join(' ')}\na.ts @x\n`, '@x'],
  ['a line of 1 MB', `/${times('a', 2 ** 20)} @x\na.ts @y\n`, '@y'],
  ['a byte too many', tree => truncateSync(written(tree, '* @x\n'), 3 * 2 ** 20 + 1), undefined],
  ['NUL', '* @a\0\na.ts @x\n', '@x', [1]],
  ['bytes that are no UTF-8', Buffer.from([0x2a, 0x20, 0x40, 0x78, 0xff, 0x0a]), undefined, [1]],
  ['UTF-16', Buffer.from('\ufeff* @x\n', 'utf16le'), undefined, [1]],
  ['a mark of the byte order', '\ufeff* @x\n', '@x'],
  ['Windows’ line ends', '* @x\r\na.ts @y\r\n', '@y'],
  ['tabs', '*\t@x\t@y\n', '@x @y'],
  ['blanks at the end', 'a.ts @x   \n', '@x'],
  ['a comment behind', 'a.ts @x # @y\n', '@x'],
  ['an escaped blank', 'with\\ blank.ts @x\n', '@x', [], 'with blank.ts'],
  ['composed letters for others', 'e\u0301.ts @x\n', undefined, [], '\u00e9.ts'],
  ['the same letters', '\u00e9.ts @x\n', '@x', [], '\u00e9.ts'],
  ['another case', 'A.TS @x\n', undefined],
  ['a slash', '/ @x\n', undefined, [1]],
  ['a star', '* @x\n', '@x', [], deep],
  ['a star at the top', '/* @x\n', undefined, [], deep],
  ['two stars', '** @x\n', '@x', [], deep],
  ['a folder’s name', 'src @x\n', '@x', [], deep],
  ['a folder', 'src/ @x\n', '@x', [], deep],
  ['all that is in a folder', '/src/** @x\n', '@x', [], deep],
  ['what is in a folder itself', '/src/* @x\n', undefined, [], deep],
  ['a way out', '../x @x\n', undefined, [1]],
  ['a place on the disk', '/etc/passwd @x\n', undefined],
  ['git’s folder', '.git/ @x\n', undefined],
  ['what means something to expressions', '(a+)+$ @x\na.ts$ @x\n', undefined],
  ['a pattern twice', 'a.ts @x\na.ts @y\n', '@y'],
  ['stars before a name', '**b.ts @x\n', '@x', [], deep],
  ['stars behind a name', 'src** @x\n', '@x', [], deep],
  ['stars at the end', 'src/**/ @x\n', '@x', [], deep],
  ['stars at the beginning', '/**/b.ts @x\n', '@x', [], deep],
  ['a question mark', '?.ts @x\n', '@x'],
  ['a question mark for a slash', 'src?deep/b.ts @x\n', undefined, [], deep],
  ['a star for a slash', 'src*b.ts @x\n', undefined, [], deep],
  ['a star for a dot', '*.ts @x\n', '@x', [], '.hidden.ts'],
  ['nothing but comments', '# a\n# b\n', undefined],
  ['nothing', '', undefined],
  ['an owner twice', '* @x @y @x\n', '@x @y'],
  ['a team that nobody told', '* @org/none\n', '@org/none'],
  ['an owner that objects have', '* @__proto__ @constructor\n', '@__proto__ @constructor'],
  ['owners with what a terminal or a page reads', '* @a\u001b[31m\nb @<script>\na.ts @x\ry @z\n', undefined, [1, 2, 3]],
  ['words of a shell', '* @$(id) @`id` @a;b @a|b\n', undefined, [1]],
  ['a link', tree => symlinkSync('/etc/passwd', tree.path('CODEOWNERS')), undefined],
  ['a folder in its place', tree => tree.write('CODEOWNERS/x', '* @x\n'), undefined],
  ['a pipe', tree => void execFileSync('mkfifo', [tree.path('CODEOWNERS')]), undefined],
  [
    'three files',
    tree => {
      for (const folder of ['docs/', '', '.github/']) tree.write(`${folder}CODEOWNERS`, `* @x${folder.length}\n`);
    },
    '@x8',
  ],
  ['one on another branch', tree => void tree.git('branch', '--force', 'other', onOtherBranch(tree)), undefined],
];

function written(tree: Workspace, text: string): string {
  tree.write('CODEOWNERS', text);
  return tree.path('CODEOWNERS');
}

/** A commit beside HEAD that has the file. */
function onOtherBranch(tree: Workspace): string {
  const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], {
    cwd: tree.root,
    input: '* @x\n',
    encoding: 'utf8',
  });
  const made = execFileSync('git', ['mktree'], {
    cwd: tree.root,
    input: `100644 blob ${blob.trim()}\tCODEOWNERS\n`,
    encoding: 'utf8',
  });
  return tree.git('commit-tree', '-m', 'other', '-p', 'HEAD', made.trim());
}

test('whatever CODEOWNERS holds or is, no question fails, and doctor tells each line that does not count', async t => {
  const tree = gitRepository(
    t,
    `-- a.ts --\nexport const a = 1;\n-- ${deep} --\nexport const b = 1;\n-- with blank.ts --\n-- \u00e9.ts --\n-- .hidden.ts --\n`,
  );
  const daemon = await startDaemon(t);
  await until('HTTP listens', () => readDaemonRecord(daemon.home.places)?.url);
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  const { url, tokenFile } = readDaemonRecord(daemon.home.places)!;
  const headers = { authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}` };
  const told: string[] = [];
  const ask = async (path: string): Promise<unknown> => {
    const reply = await fetch(`${url}${path}${path.includes('?') ? '&' : '?'}repo=app`, { headers });
    const text = await reply.text();
    assert.equal(reply.status, 200, `${path}: ${text}`);
    told.push(text);
    return JSON.parse(text);
  };
  for (const [what, rules, owner, lines = [], path = 'a.ts'] of rows) {
    for (const place of ['CODEOWNERS', 'docs', '.github']) tree.remove(place);
    if (typeof rules === 'function') rules(tree);
    else tree.write('CODEOWNERS', rules);
    const { owners, declared } = (await ask(`/ownership?path=${encodeURIComponent(path)}`)) as {
      owners: { identity: string; source: string }[];
      declared: { status: 'owned' | 'cleared' | 'unnamed' };
    };
    const named = owners.filter(({ source }) => source === 'codeowners').map(({ identity }) => identity);
    const seen = { owned: named.join(' '), cleared: '-', unnamed: undefined }[declared.status];
    assert.equal(seen, owner, what);
    const { issues } = (await ask('/doctor')) as { issues: { check: string; message: string }[] };
    const numbers = issues
      .filter(({ check, message }) => check === 'ownership.codeowners-lines' && !/ counts: nobody/.test(message))
      .map(({ message }) => Number(/^\S+?:(\d+) /.exec(message)?.[1]));
    assert.deepEqual(numbers, lines, what);
    await ask('/ownership/drift');
  }
  assert.ok(!told.join().includes('root:x:'), 'no word of a file outside');
  // What a terminal would obey is shown and not done.
  tree.write('CODEOWNERS', '* @a\u001b[31m\n');
  const shown = await svc(daemon.home, ['doctor'], tree.root);
  assert.ok(shown.stdout.includes('CODEOWNERS:1') && !shown.stdout.includes('\u001b[31m'), shown.stdout);
});

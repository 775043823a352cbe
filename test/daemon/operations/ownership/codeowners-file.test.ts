import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { test } from 'node:test';
import { mostCodeownersBytes } from '../../../../daemon/extract/codeowners.ts';
import { type CodeownersFile, codeownersFiles } from '../../../../daemon/operations/ownership/codeowners-file.ts';
import { temporaryFolder, type Workspace } from '../../../support/repository.ts';
import { withoutRights } from '../../../support/without-rights.ts';

function ownerOf({ declared }: CodeownersFile, path = 'a.ts'): string | undefined {
  const found = declared().ofFile(path);
  return found.kind === 'owned' ? found.owners.map(({ text }) => text).join(' ') : undefined;
}

interface Row {
  readonly what: string;
  readonly tree: string;
  readonly and?: (place: Workspace) => void;
  /** The file that counts, who owns by it, and what is told of others. */
  readonly counts: readonly [path: string | undefined, owner: string | undefined, notRead?: string];
  readonly passedOver?: readonly string[];
}

const rows: readonly Row[] = [
  { what: 'there is none', tree: '-- a.ts --\n', counts: [undefined, undefined] },
  {
    what: 'there are three',
    tree: three('.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'),
    counts: ['.github/CODEOWNERS', '@github'],
  },
  { what: 'there are two', tree: three('CODEOWNERS', 'docs/CODEOWNERS'), counts: ['CODEOWNERS', '@root'] },
  { what: 'it lies in docs', tree: three('docs/CODEOWNERS'), counts: ['docs/CODEOWNERS', '@docs'] },
  { what: 'GitLab alone looks there', tree: three('.gitlab/CODEOWNERS'), counts: ['.gitlab/CODEOWNERS', '@gitlab'] },
  {
    what: 'GitHub looks there first',
    tree: three('.gitlab/CODEOWNERS', 'docs/CODEOWNERS'),
    counts: ['docs/CODEOWNERS', '@docs'],
  },
  {
    what: 'its name is written otherwise',
    tree: '-- codeowners --\n* @x\n-- .github/CODEOWNERS.md --\n* @y',
    counts: [undefined, undefined],
  },
  {
    what: 'a link leads out of the tree',
    tree: '-- CODEOWNERS -> /etc/passwd --\n',
    counts: [undefined, undefined],
    passedOver: ['CODEOWNERS is a symbolic link'],
  },
  {
    what: 'a link leads to the next place',
    tree: `-- .github/CODEOWNERS -> ../CODEOWNERS --\n${three('CODEOWNERS')}`,
    counts: ['CODEOWNERS', '@root'],
    passedOver: ['.github/CODEOWNERS is a symbolic link'],
  },
  {
    what: 'the folder is a link',
    tree: `-- elsewhere/CODEOWNERS --\n* @x\n-- .github -> elsewhere --\n`,
    counts: [undefined, undefined],
    passedOver: ['.github/CODEOWNERS lies behind a symbolic link'],
  },
  {
    what: 'it is a folder',
    tree: `-- CODEOWNERS/a --\n* @x\n${three('docs/CODEOWNERS')}`,
    counts: ['docs/CODEOWNERS', '@docs'],
    passedOver: ['CODEOWNERS is a folder'],
  },
  {
    what: 'it is a pipe',
    tree: '-- a.ts --\n',
    and: ({ path }) => execFileSync('mkfifo', [path('CODEOWNERS')]),
    counts: [undefined, undefined],
    passedOver: ['CODEOWNERS is no regular file'],
  },
  { what: 'the folder is a file', tree: `-- .github --\n${three('CODEOWNERS')}`, counts: ['CODEOWNERS', '@root'] },
  {
    what: 'it is as large as may be',
    tree: three('CODEOWNERS'),
    and: ({ path }) => writeFileSync(path('CODEOWNERS'), '* @x\n'.padEnd(mostCodeownersBytes, '\n')),
    counts: ['CODEOWNERS', '@x'],
  },
  {
    what: 'it is a byte too large, and still counts',
    tree: three('.github/CODEOWNERS', 'CODEOWNERS'),
    and: ({ path }) => truncateSync(path('.github/CODEOWNERS'), mostCodeownersBytes + 1),
    counts: ['.github/CODEOWNERS', undefined, 'is larger than 3145728 bytes'],
  },
  {
    what: 'it is a terabyte',
    tree: three('CODEOWNERS'),
    and: ({ path }) => truncateSync(path('CODEOWNERS'), 1024 ** 4),
    counts: ['CODEOWNERS', undefined, 'is larger than 3145728 bytes'],
  },
  {
    what: 'nobody may read it',
    tree: three('CODEOWNERS', 'docs/CODEOWNERS'),
    and: ({ path }) => chmodSync(path('CODEOWNERS'), 0),
    counts: ['CODEOWNERS', undefined, 'can’t be read'],
  },
  {
    what: 'nobody may look where it may lie',
    tree: three('.github/CODEOWNERS', 'CODEOWNERS'),
    and: ({ path }) => chmodSync(path('.github'), 0),
    counts: ['.github/CODEOWNERS', undefined, 'can’t be read'],
  },
  { what: 'it is empty', tree: '-- CODEOWNERS --\n', counts: ['CODEOWNERS', undefined] },
];

function three(...paths: readonly string[]): string {
  const folderOf = (path: string): string =>
    path.includes('/') ? path.slice(path.startsWith('.') ? 1 : 0, path.indexOf('/')) : 'root';
  return paths.map(path => `-- ${path} --\n* @${folderOf(path)}\n`).join('');
}

for (const { what, tree, and, counts, passedOver = [] } of rows) {
  test(`which CODEOWNERS counts where ${what}`, t => {
    const place = temporaryFolder(t, tree);
    and?.(place);
    chmodSync(place.root, 0o755);
    // Nothing keeps root from reading.
    const file = withoutRights(() => codeownersFiles().of(place.root));
    assert.deepEqual([file.path, ownerOf(file), file.notRead], [counts[0], counts[1], counts[2]]);
    assert.deepEqual(
      [...file.passedOver].map(([path, reason]) => `${path} ${reason}`),
      passedOver,
    );
  });
}

test('an edit is in the next answer, and what nobody touched is not read again', t => {
  const { root, path, write, remove } = temporaryFolder(t, three('docs/CODEOWNERS'));
  const files = codeownersFiles();
  const first = files.of(root);
  assert.equal(ownerOf(first), '@docs');
  assert.equal(files.of(root).content, first.content);
  // The same size within the same tick.
  write('docs/CODEOWNERS', '* @duck');
  write('docs/CODEOWNERS', '* @dock');
  assert.equal(ownerOf(files.of(root)), '@dock');
  write('docs/CODEOWNERS', '* @deck');
  assert.equal(ownerOf(files.of(root)), '@deck');
  appendFileSync(path('docs/CODEOWNERS'), '\n*.ts @ts');
  assert.equal(ownerOf(files.of(root)), '@ts');
  write('other', '* @new');
  renameSync(path('other'), path('docs/CODEOWNERS'));
  assert.equal(ownerOf(files.of(root)), '@new');
  write('CODEOWNERS', '* @root');
  assert.equal(ownerOf(files.of(root)), '@root');
  remove('CODEOWNERS');
  assert.equal(ownerOf(files.of(root)), '@new');
  renameSync(path('docs'), path('away'));
  assert.equal(files.of(root).path, undefined);
  symlinkSync('away', path('docs'));
  assert.equal(files.of(root).path, undefined);
  rmSync(path('docs'));
  mkdirSync(path('docs'));
  renameSync(path('away/CODEOWNERS'), path('docs/CODEOWNERS'));
  assert.equal(ownerOf(files.of(root)), '@new');
});

test('what is written while it is read is not told', t => {
  const { root, path, write } = temporaryFolder(t, three('CODEOWNERS'));
  const busy = codeownersFiles({
    nowMs: () => Date.now(),
    sleep: () => appendFileSync(path('CODEOWNERS'), '# more\n'),
  });
  write('CODEOWNERS', '* @begun\n');
  const { path: counts, notRead, content } = busy.of(root);
  assert.deepEqual([counts, notRead, content], ['CODEOWNERS', 'is being written', undefined]);
});

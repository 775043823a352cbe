import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { createGit, type Git } from '../../../daemon/backends/git.ts';
import { checkedOut } from '../../../daemon/backends/git-conversion.ts';
import { repositoryAt } from '../../support/asked-git.ts';
import { gitRepository, temporaryFolder, type Workspace } from '../../support/repository.ts';

/** What git makes of blobs when it checks them out, held against git. */

const home = { PATH: process.env['PATH'], HOME: '/nonexistent' };

function gitFor(t: TestContext): Git {
  return createGit({ shadowFolder: temporaryFolder(t).path('shadow'), environment: home });
}

const limits = { eachBytes: 1e6, allBytes: 1e8 };

/** Each file of HEAD as it would be checked out; those that something else would convert are told of by that. */
async function convertedFiles(git: Git, tree: Workspace): Promise<ReadonlyMap<string, Buffer | string>> {
  const repository = repositoryAt(tree.root);
  const { commit } = await git.head(repository);
  const files = await git.treeOf(repository, commit!);
  const attributes = new Map([...files].filter(([path]) => path.endsWith('.gitattributes')));
  const conversions = await git.conversions(repository, attributes, [...files.keys()]);
  const blobs = await git.blobs(repository, [...new Set([...files.values()].map(({ hash }) => hash))], limits);
  return new Map(
    [...files].map(([path, { hash }]) => {
      const blob = blobs.get(hash)!;
      assert.ok(blob.kind === 'bytes');
      const conversion = conversions.get(path);
      return [
        path,
        conversion?.by ?? (conversion === undefined ? blob.bytes : checkedOut(blob.bytes, hash, conversion)),
      ];
    }),
  );
}

/** Writes the work tree anew, with what configuration and attributes say now. */
function checkOutAnew(tree: Workspace): void {
  for (const name of readdirSync(tree.root)) if (name !== '.git') rmSync(tree.path(name), { recursive: true });
  rmSync(tree.path('.git/index'));
  tree.git('reset', '--quiet', '--hard');
}

const contents: Readonly<Record<string, string | Uint8Array>> = {
  lf: 'one\ntwo\n',
  crlf: 'one\r\ntwo\r\n',
  mixed: 'one\r\ntwo\n',
  'lone-cr': 'one\rtwo\n',
  empty: '',
  'no-end': 'one\ntwo',
  binary: new Uint8Array([65, 0, 10, 66, 10]),
  controls: new Uint8Array([...Array.from({ length: 200 }, () => 65), 1, 10, 2, 10]),
  'few-controls': new Uint8Array([...Array.from({ length: 300 }, () => 65), 1, 10, 127, 10]),
  'dos-end': 'one\ntwo\n\u001a',
  escapes: '\u001b[1m\b\t\fx\n',
  bytes: new Uint8Array([0xe9, 10, 0xff, 10]),
  ident: 'a $Id$ b\n$Id: $ $Id:$ $Id:x$ $Id: y $\n$Id: some one else $\n$Id: broken\n$ $Idx$ $Id',
};

const attributes = [
  '',
  '* text',
  '* text=auto',
  '* -text',
  '* text eol=crlf',
  '* text=auto eol=crlf',
  '* text=auto eol=lf',
  '* eol=crlf',
  '* crlf',
  '* crlf=input',
  '* -crlf eol=crlf',
  '* ident',
  '* ident text eol=crlf',
  '[attr]dos text eol=crlf\n* dos\nlf -dos\ncrlf !text !eol',
  '* text=nonsense eol=nonsense',
  'sub/* eol=crlf\nl* text',
];

const settings = [
  ['false', 'native'],
  ['false', 'crlf'],
  ['true', 'lf'],
  ['input', 'native'],
] as const;

test('converts as git does, whatever attributes and configuration say', async t => {
  const git = gitFor(t);
  const tree = gitRepository(t, '-- first --\n1');
  const compared = async (what: string): Promise<number> => {
    checkOutAnew(tree);
    const files = await convertedFiles(git, tree);
    for (const [path, bytes] of files) {
      assert.deepEqual(String(bytes), String(readFileSync(tree.path(path))), `${path}: ${what}`);
      assert.equal(Buffer.compare(bytes as Buffer, readFileSync(tree.path(path))), 0, `${path}: ${what}`);
    }
    return files.size;
  };
  for (const [name, content] of Object.entries(contents)) {
    tree.write(name, content);
    tree.write(`sub/${name}`, content);
  }
  tree.git('config', 'core.autocrlf', 'false');
  tree.commit('contents');
  const configuration = readFileSync(tree.path('.git/config'), 'utf8');
  for (const said of attributes) {
    tree.write('.git/config', configuration);
    tree.write('.gitattributes', said);
    tree.write('sub/.gitattributes', said === '* text' ? 'lf eol=crlf\nident -text' : '');
    // The blobs stay as they are: only attributes are added.
    tree.git('add', '.gitattributes', 'sub/.gitattributes');
    tree.git('commit', '--quiet', '--allow-empty', '--message', said || 'none');
    for (const [autocrlf, eol] of settings) {
      tree.write('.git/config', `${configuration}[core]\n\tautocrlf = ${autocrlf}\n\teol = ${eol}\n`);
      const count = await compared(`${said} autocrlf=${autocrlf} eol=${eol}`);
      assert.equal(count, 2 * Object.keys(contents).length + 3);
    }
  }
});

test('attributes count that are in no commit: the repository’s own and the user’s', async t => {
  const tree = gitRepository(t, '-- a.ts --\none\n-- b.ts --\ntwo');
  const folder = temporaryFolder(t);
  folder.write('.gitconfig', `[core]\n\tattributesFile = ${folder.path('mine')}\n`);
  folder.write('mine', '*.ts text eol=crlf\n');
  tree.write('.git/info/attributes', 'b.ts -text\n');
  const git = createGit({
    shadowFolder: folder.path('shadow'),
    environment: { PATH: process.env['PATH'], HOME: folder.root },
  });
  const files = await convertedFiles(git, tree);
  assert.deepEqual([String(files.get('a.ts')), String(files.get('b.ts'))], ['one\r\n', 'two\n']);
});

test('no filter runs: which would is told, and one without a program is none', async t => {
  const marks = temporaryFolder(t);
  const tree = gitRepository(t, '-- a.ts --\none\n-- b.ts --\ntwo\n-- c.ts --\nthree');
  const program = `touch ${marks.path('ran')}; cat`;
  for (const way of ['clean', 'smudge']) tree.git('config', `filter.rot.${way}`, program);
  tree.git('config', 'filter.clean-only.clean', program);
  tree.write('.gitattributes', 'a.ts filter=rot\nb.ts filter=clean-only\nc.ts working-tree-encoding=UTF-16LE\n');
  tree.git('add', '.gitattributes');
  tree.git('commit', '--quiet', '--message', 'attributes');
  rmSync(marks.path('ran'), { force: true });
  const files = await convertedFiles(gitFor(t), tree);
  assert.deepEqual(
    ['a.ts', 'b.ts', 'c.ts'].map(path => String(files.get(path))),
    ['the filter rot', 'two\n', 'the encoding UTF-16LE'],
  );
  assert.equal(existsSync(marks.path('ran')), false);
});

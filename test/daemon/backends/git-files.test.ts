import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { alternatesTrouble, indexTrouble } from '../../../daemon/backends/git-files.ts';
import { repositoryAt } from '../../support/asked-git.ts';
import { gitRepository, temporaryFolder, type Workspace } from '../../support/repository.ts';

const index = '.git/index';
const pipe = (path: string): void => void execFileSync('mkfifo', [path]);

function inItsPlace(tree: Workspace, make: (path: string) => void): void {
  tree.remove(index);
  make(tree.path(index));
}

/** What becomes of an index, and what is said of it. */
const indexes: readonly (readonly [said: string | undefined, make: (tree: Workspace) => void])[] = [
  [undefined, () => {}],
  [undefined, tree => tree.remove(index)],
  [undefined, tree => tree.git('update-index', '--index-version=4')],
  [undefined, tree => tree.git('-c', 'index.skipHash=true', 'update-index', '--force-write-index')],
  [undefined, tree => tree.git('update-index', '--split-index')],
  ['is empty', tree => tree.write(index, '')],
  ['is no index', tree => tree.write(index, 'DIRC')],
  ['is no index', tree => tree.write(index, 'root:x:0:0:root:/root:/bin/sh\n')],
  ['is no index', tree => truncateSync(tree.path(index), 0) ?? truncateSync(tree.path(index), 2 ** 40)],
  ['is damaged', tree => truncateSync(tree.path(index), 60)],
  ['is damaged', tree => appendFileSync(tree.path(index), 'x')],
  ['is no regular file', tree => inItsPlace(tree, pipe)],
  ['is no regular file', tree => inItsPlace(tree, path => symlinkSync('/etc/passwd', path))],
];

for (const format of ['sha1', 'sha256']) {
  test(`an index that git can’t read is told by what is wrong with it (${format})`, t => {
    const tree = gitRepository(t, '-- a.ts --\n', [`--object-format=${format}`]);
    const whole = readFileSync(tree.path(index));
    for (const [said, make] of indexes) {
      tree.remove(index);
      writeFileSync(tree.path(index), whole);
      make(tree);
      assert.equal(indexTrouble(repositoryAt(tree.root)), said, `${make}`);
    }
  });
}

test('what objects are borrowed from is followed as git does, and told where git would come to no end', t => {
  const [tree, lender, last] = [gitRepository(t), gitRepository(t), gitRepository(t)];
  const alternates = '.git/objects/info/alternates';
  const said = () => alternatesTrouble(repositoryAt(tree.root));
  assert.equal(said(), undefined);
  tree.write(alternates, `# a word\n\n"${lender.path('.git/objects')}"\n/nowhere\n/etc/passwd\n\0\n../objects\n`);
  lender.write(alternates, `${last.path('.git/objects')}\n`);
  last.write(alternates, `${tree.path('.git/objects')}\n`);
  assert.equal(said(), undefined, 'a circle ends');
  last.remove(alternates);
  pipe(last.path(alternates));
  assert.equal(said(), `${last.path(alternates)} is no regular file`);
  lender.remove(alternates);
  assert.equal(said(), undefined);
  tree.write(alternates, '');
  truncateSync(tree.path(alternates), 2 ** 40);
  assert.equal(said(), `${tree.path(alternates)} is larger than 1 MiB`);
  const folder = temporaryFolder(t);
  tree.write(alternates, Array.from({ length: 1001 }, (_, n) => `${folder.path(`${n}`)}\n`).join(''));
  assert.match(said() ?? '', /is one of too many$/);
});

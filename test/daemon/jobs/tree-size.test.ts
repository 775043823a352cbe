import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { isLargeTree } from '../../../daemon/jobs/follow/tree-size.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';

const files = (count: number) => Array.from({ length: count }, (_, n) => `-- f${n % 20}/${n}.ts --\n`).join('');

test('a tree is large by git’s index, elsewhere by what lies in it', context => {
  assert.equal(isLargeTree(gitRepository(context, files(10)).root), false);
  assert.equal(isLargeTree(gitRepository(context, files(1000)).root), true);
  assert.equal(isLargeTree(temporaryFolder(context, files(10)).root), false);
  assert.equal(isLargeTree(temporaryFolder(context, files(600)).root), true);
});

test('what git ignores makes no tree large, and what is not there is none', context => {
  const tree = gitRepository(context, '-- .gitignore --\ndeps\n-- a.ts --\n');
  for (let n = 0; n < 600; n++) tree.write(`deps/${n}.js`, '');
  assert.equal(isLargeTree(tree.root), false);
  assert.equal(isLargeTree(join(tree.root, 'absent')), false);
  assert.equal(isLargeTree(undefined), false);
});

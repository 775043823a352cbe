import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../../support/repository.ts';
import { indexedTree } from './indexed-tree.ts';

test('a source that brings its grammar down costs itself, not those that wait behind it', async t => {
  const { root, write } = temporaryFolder(t);
  write('1-bad.java', `${`${'([{'.repeat(300)}\n`.repeat(100)}\n`);
  for (let n = 0; n < 6; n++) write(`${n}-good.java`, `class Good${n} { void m() {} }\n`);
  const tree = indexedTree(t, root, { parseSteps: 3000, extractWorkers: 1 });
  assert.equal((await tree.crawl()).symbolCount, 12);
  assert.match(tree.entry('1-bad.java')?.at(-1) ?? '', /^parse/);
});

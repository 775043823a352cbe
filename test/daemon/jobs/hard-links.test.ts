import assert from 'node:assert/strict';
import { appendFileSync, linkSync, rmSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../support/repository.ts';
import { dumpDifference, freshDump, type IndexedTree, indexedTree } from './indexed-tree.ts';

async function linked(t: TestContext) {
  const { root, path } = temporaryFolder(t, '-- a.ts --\nexport const a = 1;\n-- c.ts --\nexport const c = 1;\n');
  const tree = indexedTree(t, root);
  linkSync(path('a.ts'), path('b.ts'));
  await tree.crawl();
  return { tree, path, isFresh: () => isFresh(t, tree) };
}

async function isFresh(t: TestContext, tree: IndexedTree): Promise<void> {
  const fresh = await freshDump(t, tree.repo.root);
  assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
}

test('a write through one name is a change of the others', async t => {
  const { tree, path, isFresh } = await linked(t);
  appendFileSync(path('b.ts'), 'export const more = 1;\n');
  assert.equal((await tree.changed('b.ts')).changedPaths, 2);
  await isFresh();
});

test('a write through a name that is gone by the time of the look too', async t => {
  const { tree, path, isFresh } = await linked(t);
  appendFileSync(path('b.ts'), 'export const more = 1;\n');
  rmSync(path('b.ts'));
  assert.equal((await tree.changed('b.ts')).changedPaths, 2);
  await isFresh();
});

test('and through one that is another file’s by then', async t => {
  const { tree, path, isFresh } = await linked(t);
  appendFileSync(path('b.ts'), 'export const more = 1;\n');
  rmSync(path('b.ts'));
  linkSync(path('c.ts'), path('b.ts'));
  assert.equal((await tree.changed('b.ts')).changedPaths, 2);
  await isFresh();
});

test('and through one that came and went unseen', async t => {
  const { tree, path, isFresh } = await linked(t);
  linkSync(path('c.ts'), path('d.ts'));
  appendFileSync(path('d.ts'), 'export const more = 1;\n');
  rmSync(path('d.ts'));
  assert.equal((await tree.changed('d.ts')).changedPaths, 1);
  await isFresh();
});

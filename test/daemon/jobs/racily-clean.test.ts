import assert from 'node:assert/strict';
import { lstatSync, utimesSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileStatOf, sameFileStat } from '../../../daemon/model/file-stat.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';
import { openIndexWriter } from '../../../daemon/store/index-db.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { type IndexedTree, indexedTree } from './indexed-tree.ts';

const path = 'a.ts' as RepoPath;

async function withWriter<T>({ engine, repo }: IndexedTree, work: (of: ReturnType<typeof openIndexWriter>) => T) {
  await engine.release(repo.indexFile);
  const writer = openIndexWriter(repo.indexFile);
  try {
    return work(writer);
  } finally {
    writer.close();
  }
}

test('stat data of a file that was written just before it was indexed prove nothing: it is read again (P17)', async t => {
  const { root, path: at } = temporaryFolder(t, '-- a.ts --\nexport const a = 1;\n');
  const written = Date.now() / 1000 + 3600; // whatever the machine needs until it is read
  utimesSync(at(path), written, written);
  const tree = indexedTree(t, root);
  await tree.crawl();
  const stored = await withWriter(tree, writer => [...writer.manifest(tree.repo.worktreeKey)][0]?.stat);
  assert.equal(sameFileStat(stored, fileStatOf(lstatSync(at(path), { bigint: true }))), false);
});

test('another text of the same length under the same modification time is found by a look at the tree (P17)', async t => {
  const { root, path: at } = temporaryFolder(t, '-- a.ts --\nexport const one = 1;\n');
  const written = 1_700_000_000;
  utimesSync(at(path), written, written);
  const tree = indexedTree(t, root);
  const first = await tree.crawl();
  const before = lstatSync(at(path), { bigint: true });
  // As it is of a file that has been left alone for a while.
  await withWriter(tree, writer => writer.touch(tree.repo.worktreeKey, [{ path, stat: fileStatOf(before) }]));
  assert.equal((await tree.crawl()).snapshotId, first.snapshotId);
  writeFileSync(at(path), 'export const two = 2;\n');
  utimesSync(at(path), written, written);
  assert.notEqual((await tree.crawl()).snapshotId, first.snapshotId);
  assert.equal(tree.dump().lines.filter(line => line.includes('\ttwo\t')).length > 0, true);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSourceLimits } from '../../../daemon/extract/read-file.ts';
import { snapshotMaking } from '../../../daemon/jobs/snapshot-making.ts';
import { linkerVersion } from '../../../daemon/link/linker.ts';
import { TreeManifest } from '../../../daemon/model/manifest.ts';
import { openIndexWriter } from '../../../daemon/store/index-db.ts';
import { type Connection, Database } from '../../../daemon/store/sqlite.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { dumpDifference, freshDump, type IndexedTree, indexedTree, manyFiles } from './indexed-tree.ts';

const twoLanguages = `${manyFiles(4)}\n-- a.py --\ndef a(): pass\n-- b.py --\nfrom a import a\ndef b(): a()\n`;

/** Makes the index file one that another version wrote: `age` ages its rows, the snapshot's id follows. */
async function aged(tree: IndexedTree, linker: number, age: (database: Connection) => void): Promise<void> {
  await tree.engine.release(tree.repo.indexFile);
  const database = new Database(tree.repo.indexFile);
  age(database);
  const writer = openIndexWriter(tree.repo.indexFile);
  const id = new TreeManifest(writer.manifest(tree.repo.worktreeKey)).snapshotId({
    ...snapshotMaking(defaultSourceLimits),
    linkerVersion: linker,
  });
  writer.close();
  database.prepare('UPDATE snapshot SET id = ?').run(id);
  database.close();
}

test('another linker’s links are made anew from the stored facts, scopes too, in one publication', async t => {
  const { root, write } = temporaryFolder(t, twoLanguages);
  const tree = indexedTree(t, root);
  const first = await tree.crawl();
  await aged(tree, linkerVersion + 1, database => {
    database.prepare(`UPDATE entry SET scope = 'elsewhere' WHERE dialect = 'python'`).run();
  });
  // Not even the rest of the tree needs to be named.
  write('src/f9.ts', 'export const f9 = 9;\n');
  const upgraded = await tree.changed('src/f9.ts');
  assert.deepEqual([upgraded.seq, upgraded.filesParsed, upgraded.documentsLinked], [2, 1, first.fileCount + 1]);
  const fresh = await freshDump(t, root);
  assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
  assert.equal((await tree.crawl()).seq, 2, 'and once is enough');
});

test('an upgrade of the linker alone is published though no file differs', async t => {
  const { root } = temporaryFolder(t, twoLanguages);
  const tree = indexedTree(t, root);
  const first = await tree.crawl();
  await aged(tree, linkerVersion + 1, () => {});
  const upgraded = await tree.crawl();
  assert.deepEqual([upgraded.seq, upgraded.filesParsed, upgraded.documentsLinked], [2, 0, first.fileCount]);
  assert.equal(upgraded.snapshotId, first.snapshotId);
});

test('another extractor’s facts are extracted anew, those of its dialect alone', async t => {
  const { root } = temporaryFolder(t, twoLanguages);
  const tree = indexedTree(t, root);
  const first = await tree.crawl();
  await aged(tree, linkerVersion, database => {
    for (const table of ['entry', 'fact']) {
      database.prepare(`UPDATE ${table} SET version = version + 1 WHERE dialect = 'python'`).run();
    }
  });
  const upgraded = await tree.crawl();
  assert.deepEqual([upgraded.seq, upgraded.filesParsed, upgraded.documentsLinked], [2, 2, 2]);
  assert.equal(upgraded.snapshotId, first.snapshotId);
  const fresh = await freshDump(t, root);
  assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
});

test('other limits are other snapshots, as fresh indexes under them have', async t => {
  const long = `export const long = '${'x'.repeat(300)}';\n`;
  const broken = 'export const a = [1, 2, 3];\n'.repeat(500);
  const { root } = temporaryFolder(t, `${twoLanguages}\n-- long.ts --\n${long}-- broken.ts --\n${broken}`);
  const tree = indexedTree(t, root);
  const first = await tree.crawl();
  const limits = [
    { sourceLimits: { bytes: 2000, lineCharacters: 20_000 } },
    { sourceLimits: { bytes: 2_000_000, lineCharacters: 200 } },
    { parseSteps: 10 },
    {},
  ];
  const ids = new Set([first.snapshotId]);
  for (const options of limits) {
    await tree.restart(options);
    const again = await tree.crawl();
    const fresh = await freshDump(t, root, options);
    assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
    ids.add(again.snapshotId);
  }
  assert.equal(ids.size, 4, 'the limits of the first and the last are the same');
});

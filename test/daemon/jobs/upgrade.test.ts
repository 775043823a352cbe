import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSourceLimits } from '../../../daemon/extract/read-file.ts';
import { snapshotMaking } from '../../../daemon/jobs/snapshot-making.ts';
import { linkerVersion } from '../../../daemon/link/linker.ts';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { type ManifestLine, TreeManifest } from '../../../daemon/model/manifest.ts';
import { addEntry } from '../../../daemon/store/entry-table.ts';
import { openIndexWriter } from '../../../daemon/store/index-db.ts';
import { preparer } from '../../../daemon/store/rows.ts';
import { addSnapshot, repoRow } from '../../../daemon/store/snapshot-table.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { dumpDifference, freshDump, type IndexedTree, indexedTree, manyFiles } from './indexed-tree.ts';

const twoLanguages = `${manyFiles(4)}\n-- a.py --\ndef a(): pass\n-- b.py --\nfrom a import a\ndef b(): a()\n`;

/** Makes the index file one that another version wrote: `age` ages the lines of its manifest, the snapshot's id follows. */
async function aged(tree: IndexedTree, linker: number, age: (line: ManifestLine) => ManifestLine): Promise<void> {
  await tree.engine.release(tree.repo.indexFile);
  const key = tree.repo.worktreeKey;
  const writer = openIndexWriter(tree.repo.indexFile);
  const snapshot = writer.snapshot(key)!;
  const lines = [...writer.manifest(key)].map(line => (line.entry.dialect === 'python' ? age(line) : line));
  writer.close();
  const database = new Database(tree.repo.indexFile);
  const prepare = preparer(database);
  database.exec('DELETE FROM entry; DELETE FROM snapshot');
  const find = database.prepare<[string], { id: number }>('SELECT id FROM document WHERE path = ?');
  for (const line of lines) addEntry(find.get(line.entry.path)!.id, snapshot.seq, line, prepare);
  const making = { ...snapshotMaking(defaultSourceLimits), linkerVersion: linker };
  addSnapshot(repoRow(key, prepare)!, { ...snapshot, snapshotId: new TreeManifest(lines).snapshotId(making) }, prepare);
  database.close();
}

test('another linker’s links are made anew from the stored facts, scopes too, in one publication', async t => {
  const { root, write } = temporaryFolder(t, twoLanguages);
  const tree = indexedTree(t, root);
  const first = await tree.crawl();
  await aged(tree, linkerVersion + 1, line => ({ ...line, scope: 'elsewhere' as ScopeKey }));
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
  await aged(tree, linkerVersion + 1, line => line);
  const upgraded = await tree.crawl();
  assert.deepEqual([upgraded.seq, upgraded.filesParsed, upgraded.documentsLinked], [2, 0, first.fileCount]);
  assert.equal(upgraded.snapshotId, first.snapshotId);
});

test('another extractor’s facts are extracted anew, those of its dialect alone', async t => {
  const { root } = temporaryFolder(t, twoLanguages);
  const tree = indexedTree(t, root);
  const first = await tree.crawl();
  await aged(tree, linkerVersion, line => ({ ...line, version: line.version + 1 }));
  const database = new Database(tree.repo.indexFile);
  database.exec(`UPDATE fact SET version = version + 1 WHERE dialect = 'python'`);
  database.close();
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

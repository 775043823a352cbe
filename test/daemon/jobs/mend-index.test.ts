import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { EngineNotice } from '../../../daemon/jobs/engine.ts';
import { quarantined } from '../../../daemon/store/quarantine.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { dumpDifference, freshDump, type IndexedTree, indexedTree, manyFiles } from './indexed-tree.ts';

/** The row of a file in a table, for statements that damage it. */
const document = "(SELECT id FROM document WHERE path = 'src/f3.ts')";
const link = `(SELECT max(from_seq) FROM link WHERE document = ${document})`;
const fact = `(SELECT fact FROM link WHERE document = ${document} ORDER BY from_seq DESC LIMIT 1)`;
const body = `(SELECT body FROM link WHERE document = ${document} ORDER BY from_seq DESC LIMIT 1)`;
const symbol = `(SELECT key FROM definition WHERE document = ${document} LIMIT 1)`;

const damages: Readonly<Record<string, string>> = {
  facts: `UPDATE fact_body SET facts = zeroblob(length(facts)) WHERE id = ${fact}`,
  'the digest of facts': `UPDATE fact_body SET digest = zeroblob(length(digest)) WHERE id = ${fact}`,
  text: `UPDATE fact_body SET text = zeroblob(length(text)) WHERE id = ${fact}`,
  'missing facts': `DELETE FROM fact_body WHERE id = ${fact}`,
  'the body of links': `UPDATE link_body SET body = zeroblob(length(body)) WHERE id = ${body}`,
  'a missing body of links': `DELETE FROM link_body WHERE id = ${body}`,
  'a row of links': `UPDATE link SET is_test = 1 - is_test WHERE document = ${document} AND from_seq = ${link}`,
  'a missing row of links': `DELETE FROM link WHERE document = ${document} AND from_seq = ${link}`,
  'a definition’s hint': `DELETE FROM definition WHERE document = ${document} AND key = ${symbol}`,
  'the hints of a document': `DELETE FROM bearer WHERE document = ${document}`,
};

async function damaged(t: TestContext, statement: string): Promise<IndexedTree> {
  const { root, write } = temporaryFolder(t, manyFiles(8));
  const tree = indexedTree(t, root);
  await tree.crawl();
  write('src/f3.ts', "import { f2 } from './f2.ts';\nexport function f3(): number {\n  return f2() + 3;\n}\n");
  await tree.changed('src/f3.ts');
  await tree.engine.release(tree.repo.indexFile);
  const database = new Database(tree.repo.indexFile);
  assert.ok(database.prepare(statement).run().changes > 0);
  database.close();
  return tree;
}

const mended = (tree: IndexedTree) =>
  tree.notices.flatMap(notice => (notice.kind === 'index_mended' ? [notice.documents] : []));
const isPutAside = (notice: EngineNotice) => notice.kind === 'index_quarantined';

for (const [what, statement] of Object.entries(damages)) {
  test(`${what}: that document is made anew, the rest stands`, async t => {
    const tree = await damaged(t, statement);
    assert.equal(await tree.engine.mend(tree.repo, 'a digest does not hold'), true);
    assert.deepEqual(mended(tree), [['src/f3.ts']]);
    assert.ok(!tree.notices.some(isPutAside));
    assert.deepEqual(quarantined(tree.repo.indexFile), []);
    const fresh = await freshDump(t, tree.repo.root);
    assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
    assert.equal((await tree.crawl()).changedPaths, 0);
  });
}

test('what only an older snapshot knew goes with that snapshot', async t => {
  const older = `(SELECT fact FROM link WHERE document = ${document} ORDER BY from_seq LIMIT 1)`;
  const tree = await damaged(t, `UPDATE fact_body SET facts = zeroblob(length(facts)) WHERE id = ${older}`);
  assert.equal(await tree.engine.mend(tree.repo, 'a digest does not hold'), true);
  const fresh = await freshDump(t, tree.repo.root);
  assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
  const database = new Database(tree.repo.indexFile, { readonly: true });
  assert.equal(database.prepare<[], { n: number }>('SELECT count(*) AS n FROM snapshot').get()?.n, 1);
  database.close();
});

test('a run that comes upon damage makes it good and goes on', async t => {
  const tree = await damaged(t, damages['facts']!);
  writeFileSync(`${tree.repo.root}/src/f2.ts`, 'export function other() {}\n');
  const done = await tree.changed('src/f2.ts');
  assert.deepEqual([done.type, done.changedPaths], ['delta', 1]);
  assert.deepEqual(mended(tree), [['src/f3.ts']]);
  const fresh = await freshDump(t, tree.repo.root);
  assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
});

const beyond: Readonly<Record<string, string>> = {
  'a path': `UPDATE document SET path = path || 'x' WHERE id = ${document}`,
  'a line of the manifest': `DELETE FROM entry WHERE document = ${document}`,
  'what facts are of': `UPDATE fact SET hash = zeroblob(32) WHERE id = ${fact}`,
};

for (const [what, statement] of Object.entries(beyond)) {
  test(`${what}: what can’t be made good of itself is built anew whole`, async t => {
    const tree = await damaged(t, statement);
    assert.equal(await tree.engine.mend(tree.repo, 'a digest does not hold'), false);
    assert.deepEqual(mended(tree), []);
    assert.equal(quarantined(tree.repo.indexFile).length, 1);
    assert.equal((await tree.crawl()).type, 'full');
    const fresh = await freshDump(t, tree.repo.root);
    assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
  });
}

test('a file that has changed since can’t vouch for what it was', async t => {
  const tree = await damaged(t, damages['facts']!);
  writeFileSync(`${tree.repo.root}/src/f3.ts`, 'export const other = 1;\n');
  assert.equal(await tree.engine.mend(tree.repo, 'a digest does not hold'), false);
  await tree.crawl();
  const fresh = await freshDump(t, tree.repo.root);
  assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
});

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Database } from '../../../daemon/store/sqlite.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { scipBytes } from '../../support/scip.ts';
import { indexedTree } from './indexed-tree.ts';

const one = 'scip-python python app 1 a/one().';

/** What an indexer says of the two files of `bench`. */
const said = {
  metadata: { toolInfo: { name: 'scip-python', version: '1' }, textDocumentEncoding: 1 },
  documents: [
    { relativePath: 'a.py', occurrences: [{ range: [0, 4, 7], symbol: one, symbolRoles: 1 }] },
    { relativePath: 'b.py', occurrences: [{ range: [0, 14, 17], symbol: one }] },
  ],
};

/** An indexed tree, and a way to take in what an indexer says of it. */
async function bench(t: TestContext) {
  const work = temporaryFolder(t, '-- a.py --\ndef one(): return 1\n-- b.py --\nfrom a import one\n');
  const tree = indexedTree(t, work.root);
  await tree.crawl();
  const folder = temporaryFolder(t);
  folder.write('index.scip', scipBytes(said));
  const ingest = (signal?: AbortSignal) =>
    tree.engine.ingestScip(tree.repo, { file: folder.path('index.scip'), seen: { kind: 'tree' } }, { signal });
  return { tree, ingest };
}

test('what an indexer says is published; said again, it is nothing new', async t => {
  const { tree, ingest } = await bench(t);
  const first = await ingest();
  assert.deepEqual([first.outcome.joined, first.published.documentsLinked, first.published.seq], [2, 2, 2]);
  assert.match(first.published.evidenceId, /^[0-9a-f]{64}$/);
  const again = await ingest();
  assert.deepEqual([again.outcome.joined, again.published.documentsLinked, again.published.seq], [2, 0, 2]);
  assert.equal(again.published.evidenceId, first.published.evidenceId);
  assert.equal(tree.notices.filter(({ kind }) => kind === 'published').length, 3);
});

test('a run that is cancelled publishes nothing and says why', async t => {
  const { tree, ingest } = await bench(t);
  await assert.rejects(ingest(AbortSignal.abort()), { name: 'Fault', reason: 'cancelled' });
  const { seq, evidenceId } = await tree.crawl();
  assert.deepEqual([seq, evidenceId], [1, '']);
});

test('of a damaged index file those who keep it are told; once it is mended, the index is taken in', async t => {
  const { tree, ingest } = await bench(t);
  await tree.engine.release(tree.repo.indexFile);
  const database = new Database(tree.repo.indexFile);
  database.exec('UPDATE fact_body SET facts = zeroblob(length(facts))');
  database.close();
  await assert.rejects(ingest(), { name: 'Fault', reason: 'storageFailed' });
  assert.equal(tree.notices.filter(({ kind }) => kind === 'write_failed').length, 1);
  assert.equal(await tree.engine.mend(tree.repo, 'a digest does not hold'), true);
  assert.equal((await ingest()).published.documentsLinked, 2);
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { symbolHash } from '../../../daemon/model/identity.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import type { Merge } from '../../../daemon/store/reference-rows.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { scipBytes } from '../../support/scip.ts';
import { indexedTree } from './indexed-tree.ts';

const tree = `
  -- app.py --
  class App:
      def route(self): ...
      def serve(self): ...

  app = App()
  app.route()
  app.serve()
  -- test_app.py --
  def test_it(client):
      client.route()
  -- tool.py --
  def run(app):
      app.route()
`;
const symbol = (rest: string): string => `scip-python python app 1.0 app/${rest}`;

test('of a symbol that an indexer names its list is the answer where it saw the document; a union adds what syntax finds', async t => {
  const { root } = temporaryFolder(t, tree);
  const { engine, repo, crawl } = indexedTree(t, root);
  await crawl();
  const file = join(temporaryFolder(t).root, 'index.scip');
  const definition = { symbolRoles: 1 };
  const documents = [
    {
      relativePath: 'app.py',
      occurrences: [
        { range: [0, 6, 9], symbol: symbol('App#'), ...definition },
        { range: [1, 8, 13], symbol: symbol('App#route().'), ...definition },
        { range: [4, 6, 9], symbol: symbol('App#') },
        { range: [5, 4, 9], symbol: symbol('App#route().') },
      ],
    },
    { relativePath: 'test_app.py', occurrences: [{ range: [0, 4, 11], symbol: symbol('test_it().'), ...definition }] },
  ];
  writeFileSync(file, scipBytes({ metadata: { projectRoot: `file://${root}` }, documents }));
  const { published, outcome } = await engine.ingestScip(repo, { parts: [{ file }], seen: { kind: 'tree' } });
  assert.deepEqual([outcome.joined, outcome.otherContent], [2, 0]);
  const reader = openIndexReader(repo.indexFile);
  t.after(() => reader.close());
  const asked = (tail: string, merge: Merge) => {
    const query = { includeTests: true, includeDefinition: false, merge, offset: 0, limit: 100 };
    const hash = symbolHash('app.py' as ScopeKey, tail);
    const { rows, total, unresolvedCandidates } = reader.references(repo.worktreeKey, published.seq, hash, query)!;
    assert.equal(total, rows.length);
    return [rows.map(row => `${row.path}:${row.range.startLine + 1} ${row.confidence}`).sort(), unresolvedCandidates];
  };
  assert.deepEqual(asked('App#route().', 'prefer-first'), [['app.py:6 1', 'tool.py:2 0.5'], 2]);
  assert.deepEqual(asked('App#route().', 'union'), [['app.py:6 1', 'test_app.py:2 0.5', 'tool.py:2 0.5'], 2]);
  // The indexer has no name for this one: what syntax says stands.
  assert.deepEqual(asked('App#serve().', 'prefer-first'), asked('App#serve().', 'union'));
  assert.deepEqual(asked('App#serve().', 'prefer-first')[0], ['app.py:7 0.9']);
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { symbolHash } from '../../../daemon/model/identity.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { scipBytes } from '../../support/scip.ts';
import { indexedTree } from './indexed-tree.ts';

const tree = `
  -- app.py --
  class App:
      def get(self):
          def wrap(): ...
          return wrap
      def post(self):
          def wrap(): ...
          return wrap
`;

test('an indexer that calls several of our symbols by one name says nothing of them: syntax tells their uses apart', async t => {
  const { root } = temporaryFolder(t, tree);
  const { engine, repo, crawl } = indexedTree(t, root);
  await crawl();
  const file = `${temporaryFolder(t).root}/index.scip`;
  const symbol = 'scip-python python app 1.0 app/App#wrap().';
  const occurrences = [
    { range: [2, 12, 16], symbol, symbolRoles: 1 },
    { range: [3, 15, 19], symbol },
    { range: [5, 12, 16], symbol, symbolRoles: 1 },
    { range: [6, 15, 19], symbol },
  ];
  const documents = [{ relativePath: 'app.py', occurrences }];
  writeFileSync(file, scipBytes({ metadata: { projectRoot: `file://${root}` }, documents }));
  const { published } = await engine.ingestScip(repo, { parts: [{ file }], seen: { kind: 'tree' } });
  const reader = openIndexReader(repo.indexFile);
  t.after(() => reader.close());
  const query = { includeTests: true, includeDefinition: false, merge: 'prefer-first', offset: 0, limit: 9 } as const;
  const uses = (tail: string) =>
    reader
      .references(repo.worktreeKey, published.seq, symbolHash('app.py' as ScopeKey, tail), query)!
      .rows.map(row => [row.range.startLine, row.by]);
  assert.deepEqual(uses('App#get().wrap().'), [[3, 'syntax']]);
  assert.deepEqual(uses('App#post().wrap().'), [[6, 'syntax']]);
});

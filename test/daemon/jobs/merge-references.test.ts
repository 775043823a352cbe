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
  -- test_make.py --
  from app import App

  made = App()
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
    {
      relativePath: 'test_make.py',
      occurrences: [{ range: [2, 7, 10], symbol: 'scip-python python app 1.0 lib/App#' }],
    },
  ];
  writeFileSync(file, scipBytes({ metadata: { projectRoot: `file://${root}` }, documents }));
  const { published, outcome } = await engine.ingestScip(repo, { parts: [{ file }], seen: { kind: 'tree' } });
  assert.deepEqual([outcome.joined, outcome.otherContent], [3, 0]);
  const reader = openIndexReader(repo.indexFile);
  t.after(() => reader.close());
  const asked = (tail: string, merge: Merge) => {
    const query = { includeTests: true, includeDefinition: false, merge, offset: 0, limit: 100 };
    const hash = symbolHash('app.py' as ScopeKey, tail);
    const page = reader.references(repo.worktreeKey, published.seq, hash, query)!;
    assert.equal(page.total, page.rows.length);
    const places = page.rows.map(row => `${row.path}:${row.range.startLine + 1} ${row.confidence}`).sort();
    return [places, page.unresolvedCandidates, page.syntaxOnly];
  };
  assert.deepEqual(asked('App#route().', 'prefer-first'), [['app.py:6 1', 'tool.py:2 0.5'], 2, 0]);
  assert.deepEqual(asked('App#route().', 'union'), [['app.py:6 1', 'test_app.py:2 0.5', 'tool.py:2 0.5'], 2, 0]);
  // Another name for the same in the file that imports it: the list has not what only syntax says, the count has.
  assert.deepEqual(asked('App#', 'prefer-first'), [['app.py:5 1'], 0, 2]);
  assert.deepEqual(asked('App#', 'union'), [['app.py:5 1', 'test_make.py:1 1', 'test_make.py:3 1'], 0, 0]);
  // The indexer has no name for this one: what syntax says stands.
  assert.deepEqual(asked('App#serve().', 'prefer-first'), asked('App#serve().', 'union'));
  assert.deepEqual(asked('App#serve().', 'prefer-first')[0], ['app.py:7 0.9']);
});

test('an indexer still names a symbol whose file has changed since, where it saw others use it', async t => {
  const used = `
    -- app.py --
    class App: ...
    -- test_make.py --
    from app import App
    -- tool.py --
    from app import App
  `;
  const { root } = temporaryFolder(t, used);
  const { engine, repo, crawl } = indexedTree(t, root);
  await crawl();
  const file = join(temporaryFolder(t).root, 'index.scip');
  const documents = [
    { relativePath: 'app.py', occurrences: [{ range: [0, 6, 9], symbol: symbol('App#'), symbolRoles: 1 }] },
    {
      relativePath: 'test_make.py',
      occurrences: [{ range: [0, 16, 19], symbol: 'scip-python python app 1.0 lib/App#' }],
    },
    { relativePath: 'tool.py', occurrences: [{ range: [0, 16, 19], symbol: symbol('App#') }] },
  ];
  writeFileSync(file, scipBytes({ metadata: { projectRoot: `file://${root}` }, documents }));
  const { published } = await engine.ingestScip(repo, { parts: [{ file }], seen: { kind: 'tree' } });
  const placesAt = (seq: number): readonly string[] => {
    const reader = openIndexReader(repo.indexFile);
    const query = { includeTests: true, includeDefinition: false, merge: 'prefer-first', offset: 0, limit: 9 } as const;
    const page = reader.references(repo.worktreeKey, seq, symbolHash('app.py' as ScopeKey, 'App#'), query)!;
    reader.close();
    return page.rows.map(({ path, by }) => `${path} ${by}`);
  };
  assert.deepEqual(placesAt(published.seq), ['tool.py indexer']);
  writeFileSync(join(root, 'app.py'), 'import os\nclass App: ...\n');
  assert.deepEqual(placesAt((await crawl()).seq), ['tool.py indexer']);
});

test('a further site of a symbol is a definition, though an indexer lists it as a use', async t => {
  const overloads = `
    -- box.py --
    from typing import overload

    @overload
    def pick(a: int) -> int: ...
    @overload
    def pick(a: str) -> str: ...
    def pick(a): return a

    pick(1)
  `;
  const { root } = temporaryFolder(t, overloads);
  const { engine, repo, crawl } = indexedTree(t, root);
  await crawl();
  const file = join(temporaryFolder(t).root, 'index.scip');
  const pick = 'scip-python python app 1.0 box/pick().';
  const occurrences = [
    { range: [3, 4, 8], symbol: pick, symbolRoles: 1 },
    { range: [5, 4, 8], symbol: pick, symbolRoles: 8 },
    { range: [6, 4, 8], symbol: pick, symbolRoles: 8 },
    { range: [8, 0, 4], symbol: pick, symbolRoles: 8 },
  ];
  const documents = [{ relativePath: 'box.py', occurrences }];
  writeFileSync(file, scipBytes({ metadata: { projectRoot: `file://${root}` }, documents }));
  const { published } = await engine.ingestScip(repo, { parts: [{ file }], seen: { kind: 'tree' } });
  const reader = openIndexReader(repo.indexFile);
  t.after(() => reader.close());
  const listed = (includeDefinition: boolean) => {
    const query = { includeTests: true, includeDefinition, merge: 'prefer-first', offset: 0, limit: 100 } as const;
    const hash = symbolHash('box.py' as ScopeKey, 'pick().');
    const { rows, total } = reader.references(repo.worktreeKey, published.seq, hash, query)!;
    assert.equal(total, rows.length);
    return rows.map(({ range, kind }) => `${range.startLine + 1} ${kind}`);
  };
  assert.deepEqual(listed(false), ['9 call']);
  assert.deepEqual(listed(true), ['4 definition', '6 definition', '7 definition', '9 call']);
});

test('only its name ties a call to a method of Java that takes as many arguments', async t => {
  const calls = `
    -- a/Token.java --
    package a;
    public class Token {
      boolean matches(Object one, Object other) { return true; }
      void log(String format, Object... values) {}
    }
    -- b/Use.java --
    package b;
    class Use {
      void go(Unknown x) {
        x.find().matches();
        x.find().matches(1, 2);
        x.find().log();
        x.find().log("", 1, 2, 3);
      }
    }
  `;
  const { root } = temporaryFolder(t, calls);
  const { repo, crawl } = indexedTree(t, root);
  const { seq } = await crawl();
  const reader = openIndexReader(repo.indexFile);
  t.after(() => reader.close());
  const linesOf = (tail: string) => {
    const query = { includeTests: true, includeDefinition: false, merge: 'prefer-first', offset: 0, limit: 9 } as const;
    const page = reader.references(repo.worktreeKey, seq, symbolHash('java:a#a' as ScopeKey, tail), query)!;
    return [page.rows.map(({ range, confidence }) => [range.startLine + 1, confidence]), page.unresolvedCandidates];
  };
  assert.deepEqual(linesOf('Token#matches(Object,Object).'), [[[5, 0.5]], 2]);
  assert.deepEqual(linesOf('Token#log(String,Object[]).'), [[[7, 0.5]], 2]);
});

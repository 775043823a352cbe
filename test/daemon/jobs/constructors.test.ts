import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { symbolHash } from '../../../daemon/model/identity.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import type { Merge } from '../../../daemon/store/reference-rows.ts';
import { type Cleanup, temporaryFolder } from '../../support/repository.ts';
import { scipBytes } from '../../support/scip.ts';
import { type IndexedTree, indexedTree } from './indexed-tree.ts';

/** Line, kind and confidence of what is listed, how many places an indexer's list leaves out, and how many are not settled. */
function uses(t: Cleanup, { repo }: Pick<IndexedTree, 'repo'>, seq: number) {
  const reader = openIndexReader(repo.indexFile);
  t.after(() => reader.close());
  return (
    scope: ScopeKey,
    tail: string,
    merge: Merge = 'prefer-first',
  ): readonly [readonly string[], number, number] => {
    const query = { includeTests: true, includeDefinition: false, merge, offset: 0, limit: 100 };
    const page = reader.references(repo.worktreeKey, seq, symbolHash(scope, tail), query)!;
    return [
      page.rows.map(row => `${row.range.startLine + 1} ${row.kind} ${row.confidence}`),
      page.syntaxOnly,
      page.unresolvedCandidates,
    ];
  };
}

test('of several constructors each has the calls that mean it, of those that may the number, and their class has all', async t => {
  const { root } = temporaryFolder(
    t,
    `
    -- Js.java --
    class Js { Js(int a) {} Js() {} Js(String s) {} Js(int a, int b, int... more) {} }
    class One { One(int a) {} }
    class Ju { void f(Object o) {
      new Js();
      new Js(3);
      new Js("x");
      new Js(o);
      new Js(1, 2, 3);
      new One(1);
      Js kept;
    } }
    `,
  );
  const tree = indexedTree(t, root);
  const of = uses(t, tree, (await tree.crawl()).seq);
  const linesOf = (tail: string): readonly string[] => of('java:#' as ScopeKey, tail)[0];
  const all = [...[4, 5, 6, 7, 8].map(line => `${line} call 1`), '10 type 1'];
  assert.deepEqual(linesOf('Js#'), all);
  assert.deepEqual(linesOf('Js#Js().'), ['4 call 1']);
  assert.deepEqual(linesOf('Js#Js(int).'), ['5 call 1']);
  assert.deepEqual(linesOf('Js#Js(String).'), ['6 call 1']);
  const unresolved = ['Js#', 'Js#Js(int).', 'Js#Js(String).', 'Js#Js(int,int,int[]).', 'Js#Js().'];
  assert.deepEqual(
    unresolved.map(tail => of('java:#' as ScopeKey, tail)[2]),
    [0, 1, 1, 0, 0],
  );
  assert.deepEqual(linesOf('Js#Js(int,int,int[]).'), ['8 call 1']);
  assert.deepEqual([linesOf('One#'), linesOf('One#One(int).')], [['9 call 1'], ['9 call 1']]);
});

test('where an indexer lists what makes a value under the constructor, its class has that in a union and a count else', async t => {
  const { root } = temporaryFolder(
    t,
    `
    -- a.ts --
    class Only { constructor(readonly n: number) {} }
    class More extends Only { constructor() { super(1); } }
    new Only(1);
    let kept: Only;
    `,
  );
  const tree = indexedTree(t, root);
  await tree.crawl();
  const symbol = (rest: string): string => `scip-typescript npm app 1.0.0 \`a.ts\`/${rest}`;
  const [type, make] = [symbol('Only#'), symbol('Only#`<constructor>`().')];
  const occurrences = [
    { range: [0, 6, 10], symbol: type, symbolRoles: 1 },
    { range: [0, 13, 24], symbol: make, symbolRoles: 1 },
    { range: [1, 19, 23], symbol: type },
    { range: [1, 42, 47], symbol: make },
    { range: [2, 4, 8], symbol: make },
    { range: [3, 10, 14], symbol: type },
  ];
  const file = `${temporaryFolder(t).root}/index.scip`;
  const documents = [{ relativePath: 'a.ts', occurrences }];
  writeFileSync(file, scipBytes({ metadata: { projectRoot: `file://${root}` }, documents }));
  const { published } = await tree.engine.ingestScip(tree.repo, { parts: [{ file }], seen: { kind: 'tree' } });
  const of = uses(t, tree, published.seq);
  const scope = 'a.ts' as ScopeKey;
  assert.deepEqual(of(scope, 'Only#').slice(0, 2), [['2 implementation 1', '4 type 1'], 2]);
  assert.deepEqual(of(scope, 'Only#', 'union').slice(0, 2), [
    ['2 implementation 1', '2 call 1', '3 call 1', '4 type 1'],
    0,
  ]);
  assert.equal(of(scope, 'Only#`<constructor>`().')[0].length, 2);
});

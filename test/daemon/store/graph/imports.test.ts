import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScopeKey } from '../../../../daemon/model/document.ts';
import { importOf } from '../../../../daemon/model/graph.ts';
import { symbolHash } from '../../../../daemon/model/identity.ts';
import { type IndexReader, openIndexReader } from '../../../../daemon/store/index-reader.ts';
import { temporaryFolder } from '../../../support/repository.ts';
import { indexedTree } from '../../jobs/indexed-tree.ts';

const tree = `
-- a.ts --
export const a = 1;
-- b.ts --
export * from './a.ts';
import { c } from './c';
import data from './data.json';
import type { R } from 'react';
-- data.json --
{}
-- go.mod --
module m
-- p/one.go --
package p
-- p/two.go --
package p
-- main.go --
package main

import (
	"fmt"
	"m/p"
)
-- src/a/b/C.java --
package a.b;
class C {}
-- src/u/Use.java --
package u;
import a.b.C;
import a.b.*;
class Use {}
`;

const edits: readonly (readonly [what: string, Readonly<Record<string, string | undefined>>])[] = [
  ['a file that an import waited for', { 'c.ts': 'export const c = 1;\n' }],
  ['a file of a package that comes, and one that goes', { 'p/three.go': 'package p\n', 'p/one.go': undefined }],
  ['a class in another file', { 'src/a/b/C.java': undefined, 'src/a/b/Other.java': 'package a.b;\nclass C {}\n' }],
  ['a file that goes', { 'a.ts': undefined }],
  ['a folder in its place', { 'a/index.ts': 'export const a = 1;\n', 'b.ts': "export * from './a';\n" }],
];

/** All imports with where they lead, and all files with who imports them. */
function told(reader: IndexReader, seq: number): readonly string[] {
  const graph = reader.graph('main', seq)!;
  return graph.documents().flatMap(one => {
    const imports = Array.from(one.imports.targets, (_, at) => {
      const { to, line, typeOnly } = importOf(one, at);
      const places = to === undefined ? '?' : graph.documentsAt(to).map(graph.pathOf).sort();
      const dependency = to?.kind === 'external' ? graph.external(to.symbol) : undefined;
      const where = dependency === undefined ? places : `${dependency.manager}:${dependency.package}`;
      return `${one.path}:${line + 1} ${typeOnly ? 'type ' : ''}${to?.kind} ${where}`;
    });
    const importers: string[] = [];
    graph.eachImport(one, (importer, at) => importers.push(`${importer.path}:${importOf(importer, at).line + 1}`));
    return [...imports.sort(), `${one.path} from ${importers.sort()}`];
  });
}

test('imports lead to documents and back, brought along as made anew', async t => {
  const folder = temporaryFolder(t, tree);
  const indexed = indexedTree(t, folder.root);
  const { seq } = await indexed.crawl();
  const kept = openIndexReader(indexed.repo.indexFile);
  t.after(() => kept.close());
  assert.deepEqual(
    told(kept, seq).filter(line => !/^(?:data\.json|go\.mod) /.test(line)),
    [
      'a.ts from b.ts:1',
      'b.ts:1 file a.ts',
      'b.ts:2 undefined ?',
      'b.ts:3 file data.json',
      'b.ts:4 type external npm:react',
      'b.ts from ',
      'main.go:4 external std:go',
      'main.go:5 scope p/one.go,p/two.go',
      'main.go from ',
      'p/one.go from main.go:5',
      'p/two.go from main.go:5',
      'src/a/b/C.java from src/u/Use.java:2,src/u/Use.java:3',
      'src/u/Use.java:2 definition src/a/b/C.java',
      'src/u/Use.java:3 scope src/a/b/C.java',
      'src/u/Use.java from ',
    ],
  );
  for (const [what, files] of edits) {
    for (const [path, content] of Object.entries(files)) {
      if (content === undefined) folder.remove(path);
      else folder.write(path, content);
    }
    const { seq } = await indexed.changed(...Object.keys(files));
    const fresh = openIndexReader(indexed.repo.indexFile);
    assert.deepEqual(told(kept, seq), told(fresh, seq), what);
    fresh.close();
  }
  const last = told(kept, (await indexed.crawl()).seq);
  assert.ok(last.includes('a/index.ts from b.ts:1'), String(last));
});

test('what stands for an imported file or dependency is no symbol that anybody is shown', async t => {
  const folder = temporaryFolder(t, tree);
  const indexed = indexedTree(t, folder.root);
  const { seq } = await indexed.crawl();
  const reader = openIndexReader(indexed.repo.indexFile);
  t.after(() => reader.close());
  for (const scope of ['a.ts', 'go:p#p', 'external:npm:react']) {
    const hash = symbolHash(scope as ScopeKey, '');
    assert.equal(reader.symbol('main', seq, hash), undefined, scope);
    assert.equal(reader.external('main', seq, hash), undefined, scope);
  }
  assert.deepEqual(reader.externals('main'), []);
});

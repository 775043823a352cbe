import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScopeKey } from '../../../../daemon/model/document.ts';
import { type GraphDocument, useOf } from '../../../../daemon/model/graph.ts';
import { symbolHash } from '../../../../daemon/model/identity.ts';
import { type IndexReader, openIndexReader } from '../../../../daemon/store/index-reader.ts';
import { temporaryFolder } from '../../../support/repository.ts';
import { bench } from '../../jobs/evident-tree.ts';
import { indexedTree } from '../../jobs/indexed-tree.ts';

const tree = `
-- a.ts --
export function alpha(): number { return 1; }
export class Kept { close(): void {} }
-- b.ts --
import { alpha, Kept } from './a.ts';
export function beta(): number { return alpha() + alpha(); }
export function close(kept: Kept): void { kept.close(); unknown.close(); }
alpha();
-- c.ts --
export * from './a.ts';
-- d.ts --
import { alpha } from './c.ts';
export const delta = { run: () => alpha() };
`;

const edits: readonly (readonly [what: string, Readonly<Record<string, string | undefined>>])[] = [
  ['a body', { 'a.ts': 'export function alpha(): number { return 2; }\nexport class Kept { close(): void {} }\n' }],
  ['a name that is gone', { 'a.ts': 'export function omega(): number { return 2; }\n' }],
  ['a name that is back, in another file', { 'c.ts': 'export function alpha(): number { return 3; }\n' }],
  ['a file that is gone', { 'b.ts': undefined }],
  ['a file that comes', { 'e.ts': "import { alpha } from './c.ts';\nalpha();\n" }],
];

/** A graph as text: equal texts say the same of the same documents. */
function told(reader: IndexReader, seq: number): string {
  const graph = reader.graph('main', seq)!;
  const line = (one: GraphDocument, at: number): string => {
    const { symbols, uses, traits, containers, openCalls } = one;
    const users: string[] = [];
    graph.eachUse(symbols[at]!, (user, use) => {
      const how = useOf(user.uses.marks[use]!);
      users.push(`${user.path}:${user.uses.users[use]} ${how.kind} ${how.confidence} ×${user.uses.counts[use]}`);
    });
    const own = `${one.path}#${symbols[at]} ${traits[at]} in ${containers[at]}, ${openCalls[at]} open`;
    return [own, ...users.sort(), `${uses.targets}`].join('\n  ');
  };
  return graph
    .documents()
    .map(one => Array.from(one.symbols, (_, at) => line(one, at)).join('\n'))
    .join('\n');
}

test('a graph that was brought along is the one that is made anew, and tells who uses what', async t => {
  const folder = temporaryFolder(t, tree);
  const indexed = indexedTree(t, folder.root);
  const first = await indexed.crawl();
  const kept = openIndexReader(indexed.repo.indexFile);
  t.after(() => kept.close());
  assert.match(told(kept, first.seq), /b\.ts:\d call 1 ×2/);
  for (const [what, files] of edits) {
    for (const [path, content] of Object.entries(files)) {
      if (content === undefined) folder.remove(path);
      else folder.write(path, content);
    }
    const { seq } = await indexed.changed(...Object.keys(files));
    const fresh = openIndexReader(indexed.repo.indexFile);
    assert.equal(told(kept, seq), told(fresh, seq), what);
    fresh.close();
  }
});

test('where the users of what changed are read anew, what is known of their own symbols goes with them', async t => {
  const { tree, work, arrive, edit } = await bench(t);
  const arrived = await arrive([
    'src/a.ts open defines a/Box#open().',
    'src/b.ts use defines b/use().',
    'src/b.ts open means a/Box#open().',
  ]);
  const kept = openIndexReader(tree.repo.indexFile);
  t.after(() => kept.close());
  const key = tree.repo.worktreeKey;
  const placesOf = (path: string, tail: string, seq: number) => {
    const graph = kept.graph(key, seq)!;
    const symbol = graph.numberOf(symbolHash(path as ScopeKey, tail))!;
    return graph.sitesOf(symbol).map(site => graph.shown(site).path);
  };
  const open = (seq: number) => placesOf('src/a.ts', 'Box#open().', seq);
  const use = (seq: number) => placesOf('src/b.ts', 'use().', seq);
  assert.deepEqual([open(arrived.seq), use(arrived.seq)], [['src/a.ts'], ['src/b.ts']]);
  assert.deepEqual(open((await edit('src/a.ts', 'export class Box {}\n')).seq), []);
  work.git('mv', 'src/b.ts', 'src/d.ts');
  const { seq } = await tree.changed('src/b.ts', 'src/d.ts');
  assert.deepEqual(use(seq), []);
});

test('what an indexer says of a symbol ends with it, whether or not anybody asked where that is', async t => {
  const { tree, arrive, edit } = await bench(t);
  const arrived = await arrive(['src/a.ts open defines a/Box#open().', 'src/b.ts open means a/Box#open().']);
  const kept = openIndexReader(tree.repo.indexFile);
  t.after(() => kept.close());
  const open = (seq: number) =>
    kept
      .graph(tree.repo.worktreeKey, seq)!
      .documentAt('src/b.ts')!
      .openCalls.reduce((sum, count) => sum + count, 0);
  assert.equal(open(arrived.seq), 0);
  const { seq } = await edit('src/a.ts', 'export class Box {}\n');
  assert.equal(open(seq), 1);
});

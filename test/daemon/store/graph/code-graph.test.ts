import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GraphDocument, useOf } from '../../../../daemon/model/graph.ts';
import { type IndexReader, openIndexReader } from '../../../../daemon/store/index-reader.ts';
import { temporaryFolder } from '../../../support/repository.ts';
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

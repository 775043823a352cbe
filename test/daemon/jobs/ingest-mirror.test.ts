import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRemoteIndex } from '../../../daemon/backends/remote-index.ts';
import { defaultScipLimits } from '../../../daemon/extract/scip/limits.ts';
import { mirrorIndex } from '../../../daemon/jobs/mirror/service.ts';
import { syncMirror } from '../../../daemon/jobs/mirror/sync-mirror.ts';
import type { Privacy } from '../../../daemon/model/privacy.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { scrub } from '../../../daemon/store/scrub.ts';
import { isSealed, isSound } from '../../../daemon/store/seal.ts';
import { type Cleanup, gitRepository, temporaryFolder } from '../../support/repository.ts';
import { allRows, pageRows, type ServedFile, type StandIn, servedFile, standIn } from '../../support/served-index.ts';
import { indexedTree } from './indexed-tree.ts';

const source = `
-- src/shapes.ts --
import { log } from 'winston';
/** A shape of any kind. */
export abstract class Shape {
  static count = 0;
  constructor(readonly name: string) { Shape.count++; log(name); }
  abstract area(): number;
  describe(): string { return helper(this.name) + this.area(); }
}
export namespace Outer { export namespace Inner { export function deep() { return helper('deep'); } } }
export const routes = { '/a/b.c': { get() { return helper('x'); } } };
function helper(text: string) { return text.trim(); }
-- src/square.ts --
import { Outer, Shape, routes } from './shapes.ts';
export class Square extends Shape {
  constructor(private readonly side: number) { super('square'); }
  area() { return this.side ** 2; }
}
new Square(2).describe();
Outer.Inner.deep();
routes['/a/b.c'].get();
-- lib/a.rb --
module Billing
  Rate = 3
  Invoice.total(Rate)
  class Invoice
    def self.total(rate) = rate * 2
  end
end
-- lib/b.rb --
module Billing
  Invoice.total(4)
end
-- other/shapes.ts --
export const other = () => elsewhere();
function elsewhere() { return 1; }
-- package.json --
{ "name": "app", "dependencies": { "winston": "1" } }
`;

/** What the mirror of a served file answers. */
async function mirrorOf(context: Cleanup, served: ServedFile, change?: StandIn['change']): Promise<ServedFile> {
  const folder = temporaryFolder(context);
  const server = await standIn(context, served);
  if (change !== undefined) server.change = change;
  const { signal } = new AbortController();
  const remote = openRemoteIndex({ url: server.url, repo: served.id, token: undefined, signal });
  const file = folder.path('mirror.db');
  const options = { file, source: 'test', isFull: false, limits: defaultScipLimits, onRead: () => {} };
  assert.equal((await syncMirror(remote, options)).mode, 'full');
  await remote.close();
  const indexFile = folder.path('index.db');
  const repo = { id: 'billing', indexFile, worktreeKey: 'main' };
  const cancelFlag = new SharedArrayBuffer(4);
  const uploaded = await mirrorIndex({ run: 1, repo, file, isDoubted: false, cancelFlag }, signal, () => {});
  assert.ok(isSealed(indexFile) && isSound(indexFile));
  assert.equal(
    scrub(indexFile, undefined, () => false),
    undefined,
  );
  const again = await mirrorIndex({ run: 1, repo, file, isDoubted: true, cancelFlag }, signal, () => {});
  assert.equal(again.snapshotId, uploaded.snapshotId, 'the same rows give the same snapshot');
  return servedFile(indexFile, {}, served.id);
}

/** Which the mirror has of its own. */
const withoutHash = (rows: readonly Record<string, unknown>[]) => rows.map(({ hash: _, ...row }) => row);
/** Where nothing is told of them, a mirror has none. */
const withTexts = (rows: readonly Record<string, unknown>[]) =>
  rows.map(row => ({ documentation: '', signature: '', ...row }));

const byPlace = (rows: readonly Record<string, unknown>[]) =>
  rows
    .map(({ id, ...row }) =>
      JSON.stringify([row['file_path'], row['line'], row['column'], id, Object.entries(row).sort()]),
    )
    .sort();

const redactions: Readonly<Record<string, Partial<Privacy>>> = {
  nothing: {},
  'documentation and signatures': { exposeDocs: false, exposeSignatures: false },
  'a part of the paths': { pathPrefixStrip: 'src/' },
};

for (const [what, privacy] of Object.entries(redactions)) {
  test(`a mirror tells the rows that its server told, where ${what} is kept back`, async context => {
    const { repo, crawl } = indexedTree(context, gitRepository(context, source).root);
    await crawl();
    pageRows.most = 7;
    const served = servedFile(repo.indexFile, privacy);
    const told = allRows(served);
    assert.ok(told.symbols.length > 15 && told.refs.length > 15 && told.edges.length > 6, JSON.stringify(told));
    assert.ok(told.edges.some(({ caller_id }) => caller_id === ''));
    const mirrored = allRows(await mirrorOf(context, served));
    assert.deepEqual(withoutHash(mirrored.files), withoutHash(told.files));
    // Within a file, where they stand is all that a mirror knows of their order.
    assert.deepEqual(byPlace(mirrored.symbols), byPlace(withTexts(told.symbols)));
    assert.deepEqual(mirrored.refs, told.refs);
    assert.deepEqual(mirrored.edges, told.edges);
  });
}

test('of a server that keeps paths back, files of one name are one', async context => {
  const { repo, crawl } = indexedTree(context, gitRepository(context, source).root);
  await crawl();
  pageRows.most = 7;
  const served = servedFile(repo.indexFile, { exposePaths: false });
  const told = allRows(served);
  const mirrored = allRows(await mirrorOf(context, served));
  const inOrder = (rows: readonly object[]) => rows.map(row => JSON.stringify(row)).sort();
  const names = told.files.map(({ path }) => path);
  assert.deepEqual(
    mirrored.files.map(({ path }) => path),
    [...new Set(names)],
  );
  assert.ok(names.length > mirrored.files.length);
  for (const list of ['refs', 'edges'] as const) assert.deepEqual(inOrder(mirrored[list]), inOrder(told[list]));
  const sorted = (rows: readonly Record<string, unknown>[]) =>
    inOrder(rows.map(row => Object.fromEntries(Object.entries(row).sort())));
  assert.deepEqual(sorted(mirrored.symbols), sorted(told.symbols));
});

test('what is somebody else’s stays that, and who calls is known', async context => {
  const { repo, crawl } = indexedTree(context, gitRepository(context, source).root);
  await crawl();
  const served = servedFile(repo.indexFile);
  const { indexFile } = await mirrorOf(context, served);
  const reader = openIndexReader(indexFile);
  context.after(() => reader.close());
  const { seq } = reader.snapshot('main')!;
  const told = allRows(served);
  const hashOf = (name: string) => String(told.symbols.find(row => row['name'] === name)!['id']).slice(-32);
  const all = { includeTests: true, includeDefinition: false, merge: 'prefer-first', offset: 0, limit: 100 } as const;
  const { rows } = reader.references('main', seq, hashOf('helper'), all)!;
  assert.deepEqual(
    rows.map(({ range, enclosing }) => `${range.startLine}-${range.endColumn - range.startColumn} ${enclosing?.name}`),
    ['6-6 describe', '8-6 deep', '9-6 get'],
  );
  assert.deepEqual(reader.symbol('main', seq, hashOf('get'))!.containers, ['routes', '/a/b', 'c']);
  const winston = told.refs.find(row => !told.symbols.some(({ id }) => id === row['to_symbol_id']));
  assert.ok(reader.external('main', seq, String(winston!['to_symbol_id']).slice(-32)) !== undefined);
});

test('what encloses a reference is known of every one, or where the server does not say it of calls alone', async context => {
  const { repo, crawl } = indexedTree(context, gitRepository(context, source).root);
  await crawl();
  const served = servedFile(repo.indexFile);
  const enclosings = ({ indexFile }: ServedFile): readonly string[] => {
    const reader = openIndexReader(indexFile);
    try {
      const { seq } = reader.snapshot('main')!;
      const all = {
        includeTests: true,
        includeDefinition: false,
        merge: 'prefer-first',
        offset: 0,
        limit: 100,
      } as const;
      // That to make a value calls its constructor too is no row of the server's.
      const symbols = allRows(served).symbols.filter(({ kind }) => kind !== 'constructor');
      return symbols.flatMap(({ id, name }) => {
        const { rows } = reader.references('main', seq, String(id).slice(-32), all)!;
        return rows.map(({ kind, range, path, enclosing }) =>
          [name, kind, path, range.startLine, range.startColumn, enclosing?.hash ?? '', enclosing?.name ?? ''].join(
            ' ',
          ),
        );
      });
    } finally {
      reader.close();
    }
  };
  const told = enclosings(served);
  const kinds = told.filter(row => !row.endsWith(' ')).map(row => row.split(' ')[1]);
  for (const kind of ['call', 'read', 'write', 'implementation']) assert.ok(kinds.includes(kind), kind);
  assert.deepEqual(enclosings(await mirrorOf(context, served)), told);
  const silent = await mirrorOf(context, served, (_, answer) =>
    JSON.parse(JSON.stringify(answer, (key, value) => (key === 'in_symbol_id' ? undefined : value))),
  );
  const lesser = enclosings(silent);
  assert.notDeepEqual(lesser, told);
  const calls = (rows: readonly string[]) => rows.filter(row => row.split(' ')[1] === 'call');
  assert.ok(calls(told).length > 5);
  assert.deepEqual(calls(lesser), calls(told));
});

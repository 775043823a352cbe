import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { afterAll } from '../../support/repository.ts';
import { daemonOf, faultOf, serving } from './mirroring.ts';

type Row = Record<string, unknown>;
interface Answer {
  readonly data: Record<string, Row[]>;
  readonly meta: Row;
}
type Change = (path: string, answer: Answer, asked: number) => Answer;

const { client } = await daemonOf(afterAll);

/** Goes with the test: the daemon is that of all. */
async function mirrored(context: TestContext, url: string) {
  context.after(() => client.remote.remove({ id: 'billing' }));
  return client.remote.add({ id: 'billing', url, remoteRepo: 'acme/app' });
}

/** The list `/files` with a next page. */
const filesWith = (next: (asked: number) => string, rows: (asked: number, files: Row[]) => Row[]): Change => {
  return (path, { data, meta }, asked) =>
    path === 'files'
      ? { data: { files: rows(asked, data['files']!) }, meta: { ...meta, has_more: true, cursor: next(asked) } }
      : { data, meta };
};
const another = (asked: number, files: Row[]): Row[] =>
  files.map(row => ({ ...row, path: `p${asked}/${row['path']}` }));
const manyMore = (asked: number, files: Row[]): Row[] =>
  Array.from({ length: 1000 }, (_, index) => ({ ...files[0], path: `p${asked}/${index}.ts` }));
const twice: Change = (path, { data, meta }) =>
  path === 'files' ? { data: { files: [...data['files']!, data['files']![0]!] }, meta } : { data, meta };

const lists: Readonly<Record<string, [change: Change, told: RegExp, mostAsked: number]>> = {
  'whose cursor is always the same': [filesWith(() => 'same', another), /lead back to one before/, 2],
  'whose cursors go round': [filesWith(asked => `${asked % 7}`, another), /lead back to one before/, 20],
  'that come to a circle late': [
    filesWith(asked => `${asked < 40 ? asked : 40 + (asked % 11)}`, another),
    /lead back to one before/,
    200,
  ],
  'that give nothing for ever': [
    filesWith(
      asked => `${asked}`,
      () => [],
    ),
    /goes on for ever/,
    1_001,
  ],
  'that give more than there is': [filesWith(asked => `${asked}`, manyMore), /more files than its meta says/, 3],
  'with one path for two files': [twice, /do not belong together/, 1],
};

for (const [what, [change, told, mostAsked]] of Object.entries(lists)) {
  test(`lists ${what} are refused, and what was mirrored stays`, async context => {
    const { server, served } = await serving(context);
    await mirrored(context, server.url);
    // A cursor of ours is signed, and none of these is one: the first page answers for all.
    let asked = 0;
    server.change = ((path: string, answer: Answer) =>
      change(path, answer, path === 'files' ? ++asked : 0)) as typeof server.change;
    served.readsCursors = false;
    const fault = await faultOf(client.remote.sync({ id: 'billing', full: true }));
    assert.match(fault.message, told);
    assert.ok(asked <= mostAsked, `asked ${asked} times`);
    const [kept] = (await client.remote.list({})).remotes;
    assert.deepEqual([kept!.fileCount, kept!.syncSeq], [2, 1]);
  });
}

test('changes without end are read no further than a full read would go', async context => {
  const { server, served, edit } = await serving(context);
  await mirrored(context, server.url);
  await edit('src/b.ts', "import { add } from './a.ts';\nadd(1, 1);\n");
  served.readsCursors = false;
  let asked = 0;
  const paths = Array.from({ length: 100 }, (_, at) => `x${at}.ts`);
  const added = paths.map(path => ({ path, basename: path, language: 'typescript', symbol_count: 0, hash: '' }));
  const change = (isSame: boolean) => (path: string, answer: Answer) => {
    if (path !== 'changes') return answer;
    asked++;
    const nothing = { added: [], modified: [], deleted: [] };
    // The same files come and go for ever.
    const files = asked % 2 === 1 ? { ...nothing, added } : { ...nothing, deleted: paths };
    const deltas = { files, symbols: nothing, refs: { added: [], deleted: [] }, callgraph: { added: [], deleted: [] } };
    return {
      data: { since: 1, full_read: false, deltas },
      meta: { ...answer.meta, has_more: true, cursor: isSame ? 'same' : `${asked}` },
    };
  };
  server.change = change(true) as unknown as typeof server.change;
  assert.match((await faultOf(client.remote.sync({ id: 'billing' }))).message, /lead back to one before/);
  assert.equal(asked, 2);
  asked = 0;
  server.change = change(false) as unknown as typeof server.change;
  const [synced] = (await client.remote.sync({ id: 'billing' })).results;
  assert.deepEqual([synced!.status, synced!.mode, synced!.syncSeq], ['success', 'full', 2]);
  assert.ok(asked < 25, `asked ${asked} times`);
});

for (const [what, privacy] of Object.entries({
  'paths are kept back': { exposePaths: false },
  'the beginnings of paths are': { pathPrefixStrip: 'src/' },
})) {
  test(`where ${what} two files of one path are none too many`, async context => {
    const { server } = await serving(context, privacy);
    server.change = twice as unknown as typeof server.change;
    const { sync } = await mirrored(context, server.url);
    assert.equal(sync?.status, 'success');
  });
}

test('what a later server tells beside what is known here is passed over', async context => {
  const { server, edit } = await serving(context);
  const more = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(more);
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).map(([name, inside]) => [name, more(inside)]);
    return Object.fromEntries([...fields, ['later', { of: ['any', 1] }]]);
  };
  server.change = ((_: string, answer: Answer) => more(answer)) as unknown as typeof server.change;
  const { sync } = await mirrored(context, server.url);
  assert.equal(sync?.mode, 'full');
  await edit('src/b.ts', "import { add } from './a.ts';\nadd(1, 1);\n");
  const [next] = (await client.remote.sync({})).results;
  assert.deepEqual([next!.status, next!.mode], ['success', 'changes']);
  assert.equal((await client.symbols.search({ repo: 'billing', q: 'add' })).results[0]?.name, 'add');
});

test('a symbol of long texts is cut to what an index here would keep, and is found', async context => {
  const { server } = await serving(context);
  await mirrored(context, server.url);
  const found = async () => (await client.symbols.search({ repo: 'billing', q: 'add' })).results.find(isAdd)!;
  const isAdd = ({ name }: { readonly name: string }): boolean => name.startsWith('add');
  const before = await found();
  const long = (path: string, answer: Answer): Answer => {
    if (path !== 'symbols') return answer;
    const texts = {
      documentation: 'd'.repeat(20_000_000),
      signature: 's'.repeat(1_000_000),
      container: '.'.repeat(1e6),
    };
    const symbols = answer.data['symbols']!.map(row =>
      row['name'] === 'add' ? { ...row, ...texts, name: `add${'x'.repeat(1_000_000)}` } : row,
    );
    return { ...answer, data: { symbols } };
  };
  server.change = long as unknown as typeof server.change;
  await client.remote.sync({ id: 'billing', full: true });
  const cut = await found();
  assert.equal(cut.id, before.id);
  const { name, signature, documentation } = await client.symbols.get({ repo: 'billing', id: cut.id });
  assert.deepEqual([name.length, signature.length, documentation.length], [4096, 400, 4000]);
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Fault, type FaultReason } from '../../../client/protocol/faults.ts';
import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { systemClock } from '../../../daemon/clock.ts';
import { defaultParseSteps } from '../../../daemon/extract/budget.ts';
import { defaultSourceLimits } from '../../../daemon/extract/read-file.ts';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { symbolHash, symbolId } from '../../../daemon/model/identity.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';
import { encodedBodyOf, type RequestContext } from '../../../daemon/operations/handler.ts';
import { createReadPool, type ReadPool } from '../../../daemon/operations/read-pool.ts';
import { type SymbolsHandlers, symbolsHandlers } from '../../../daemon/operations/symbols.ts';
import { type IndexWriter, openIndexWriter } from '../../../daemon/store/index-db.ts';
import { linkBatch } from '../../../daemon/store/link-batch.ts';
import { countWorkers } from '../../../daemon/workers/count.ts';
import { until } from '../../support/daemon.ts';
import { plainSearch } from '../../support/plain-search.ts';
import { type HandMade, made, symbolTarget } from '../../support/synthetic.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-symbols-'));
const file = join(folder, 'index.db');
const now = new Date(1_700_000_000_000);
let writer: IndexWriter;
let pool: ReadPool;
let handlers: SymbolsHandlers;
let dirtyFiles = 3;

const documents: readonly HandMade[] = [
  {
    path: 'src/server.ts',
    definitions: [
      { name: 'Server', kind: 'class', tail: 'Server#', documentation: 'Serves.' },
      { name: 'close', kind: 'method', tail: 'Server#close().', container: 0, line: 3 },
      { name: 'parsePort', line: 7 },
    ],
  },
  {
    path: 'src/client.ts',
    definitions: [
      { name: 'Client', kind: 'class', tail: 'Client#' },
      // Outside of the class that its tail names, as a method in an `impl` block or behind a receiver is.
      { name: 'close', kind: 'method', tail: 'Client#close().', line: 2 },
      { name: 'parseHost', line: 5, exported: false },
    ],
    uses: Array.from({ length: 12 }, (_, line) => ({
      name: 'parsePort',
      line,
      enclosing: 1,
      target: symbolTarget('src/server.ts', 'parsePort().'),
    })),
    text: 'parsePort()\n'.repeat(12),
  },
  { path: 'test/server.test.ts', isTest: true, definitions: [{ name: 'parseFixture' }] },
  { path: 'crates/kept/Cargo.toml', language: 'configuration', scope: 'cargo:well-kept' },
  {
    path: 'crates/kept/src/deep/mod.rs',
    language: 'rust',
    definitions: [{ name: 'Wand', kind: 'struct', tail: 'Wand#' }],
  },
];

before(() => {
  writer = openIndexWriter(file);
  publish(documents);
  pool = createReadPool({ idleMs: 1_000 });
  handlers = symbolsHandlers({
    clock: systemClock,
    readPool: pool,
    lsp: { references: () => assert.fail('nobody asked for what servers say') },
    cursorSecret: 'ab'.repeat(32),
    tombstone: (_, hash) =>
      hash === '0'.repeat(32) ? { symbolHash: hash, replacedBy: '1'.repeat(32), goneAt: 5 } : undefined,
    dirtyFiles: () => dirtyFiles,
    headSettings: () => ({
      root: folder,
      shadowFolder: join(folder, 'shadow'),
      sourceLimits: defaultSourceLimits,
      parseSteps: defaultParseSteps,
      quarantined: [],
    }),
  });
});
after(async () => {
  handlers.close();
  await pool.close();
  writer.close();
  rmSync(folder, { recursive: true });
});

function publish(list: readonly HandMade[], removed: readonly string[] = [], publishedAt = now.getTime()): void {
  const all = list.map(made);
  writer.publish('main', {
    facts: all.map(one => one.fact),
    entries: all.map(one => one.entry),
    removed: removed as RepoPath[],
    linked: linkBatch(all.map(one => one.linked)),
    snapshotId: `sha256:${publishedAt}`,
    publishedAt,
  });
}

function context(): RequestContext {
  const snapshot = writer.snapshot('main')!;
  return {
    requestId: 'test',
    signal: new AbortController().signal,
    principal: { kind: 'owner' },
    repository: { id: 'app', root: folder, indexFile: file, worktreeKey: 'main', trusted: false },
    snapshot: { ...snapshot, publishedAt: new Date(snapshot.publishedAt) },
    now,
    onProgress: () => {},
    connection: undefined,
  };
}

function decoded<Output>(answer: unknown): Output {
  const body = encodedBodyOf(answer);
  return (body === undefined ? answer : JSON.parse(Buffer.from(body as Uint8Array).toString())) as Output;
}

const get = async (id: string) =>
  decoded<OutputOf<Operations['symbols.get']>>(await handlers['symbols.get']({ id, sync: false }, context()));
const search = async (q: string, more: Partial<Parameters<SymbolsHandlers['symbols.search']>[0]> = {}) => {
  const input = { q, limit: 50, ...plainSearch, ...more };
  return decoded<OutputOf<Operations['symbols.search']>>(await handlers['symbols.search'](input, context()));
};
const refs = async (id: string, more: Partial<Parameters<SymbolsHandlers['symbols.refs']>[0]> = {}) => {
  const input = {
    id,
    limit: 500,
    includeTests: true,
    includeDefinition: false,
    merge: 'prefer-first',
    sync: false,
    ...more,
  } as const;
  return decoded<OutputOf<Operations['symbols.refs']>>(await handlers['symbols.refs'](input, context()));
};
const idOf = (path: string, tail: string): string => symbolId('app', symbolHash(path as ScopeKey, tail));

const isFault =
  (reason: FaultReason, check: (fault: Fault) => boolean = () => true) =>
  (error: unknown) =>
    error instanceof Fault && error.reason === reason && check(error);

test('a symbol is answered with what people count from one', async () => {
  const symbol = await get(idOf('src/server.ts', 'Server#close().'));
  assert.deepEqual(
    { ...symbol, id: '' },
    {
      id: '',
      name: 'close',
      kind: 'method',
      location: { file: 'src/server.ts', line: 4, column: 1, endLine: 4, endColumn: 6 },
      module: 'src',
      signature: 'function close(): void',
      documentation: '',
      visibility: 'public',
      container: 'Server',
      language: 'typescript',
      exported: true,
      source: 'tree-sitter',
      confidence: 1,
      snapshotId: `sha256:${now.getTime()}`,
    },
  );
});

for (const [name, path] of [
  ['parsePort', 'src/server.ts'],
  ['Server.close', 'src/server.ts'],
  ['Client::close', 'src/client.ts'],
  ['client.ts#close', 'src/client.ts'],
  ['src/server.ts#Server.close', 'src/server.ts'],
  ['src/client.ts:close', 'src/client.ts'],
  ['client.ts:Client::close', 'src/client.ts'],
  ['server.parsePort', 'src/server.ts'],
  ['src.server.Server.close', 'src/server.ts'],
  ['src::Client.close', 'src/client.ts'],
  ['Client#close', 'src/client.ts'],
  ['src/client/Client', 'src/client.ts'],
  ['well_kept::Wand', 'crates/kept/src/deep/mod.rs'],
] as const) {
  test(`${name} names one symbol`, async () => assert.equal((await get(name)).location.file, path));
}

for (const [query, found] of [
  ['Server.close', ['src/server.ts']],
  ['server::clo', ['src/server.ts']],
  ['client.ts#close', ['src/client.ts']],
  ['src/server.ts#Server.close', ['src/server.ts']],
  ['server.ts:Server.close', ['src/server.ts']],
  ['src.client.Client', ['src/client.ts']],
  ['Client#close', ['src/client.ts']],
  ['client->close', ['src/client.ts']],
  ['well_kept::Wand', ['crates/kept/src/deep/mod.rs']],
  ['well_kept::close', []],
  ['Server.parsePort', []],
  ['other.ts#close', []],
] as const) {
  test(`a search for ${query} finds ${found.length} symbols`, async () => {
    const { results, total } = await search(query);
    assert.deepEqual([results.map(one => one.location.file), total], [found, found.length]);
  });
}

test('a name that nobody bears is searched for in the repository that was asked', async () => {
  await assert.rejects(
    get('Nobody.knows'),
    isFault('symbolNotFound', fault => {
      const [command] = fault.extras.suggestedFixes ?? [];
      const [query] = fault.extras.drilldowns ?? [];
      assert.match(command!.command, /^svc search --repo \S+ knows$/);
      assert.match(query!.query, /^\/search\?q=Nobody\.knows&repo=[^&]+$/);
      return true;
    }),
  );
});

test('a name that several bear is ambiguous, with each of them to go on with', async () => {
  await assert.rejects(
    get('close'),
    isFault('ambiguous', fault => {
      const queries = fault.extras.drilldowns?.map(one => decodeURIComponent(one.query));
      const expected = ['src/client.ts', 'src/server.ts'].map(
        path => `/symbol/${idOf(path, path === 'src/client.ts' ? 'Client#close().' : 'Server#close().')}`,
      );
      assert.deepEqual(queries, expected);
      return true;
    }),
  );
});

test('what never was is not found; what is gone says what took its place', async () => {
  for (const id of ['nobody', 'close.close', symbolId('app', 'f'.repeat(32))]) {
    await assert.rejects(get(id), isFault('symbolNotFound'), id);
    await assert.rejects(refs(id), isFault('symbolNotFound'), id);
  }
  const commandsOf = async (unknownId: string) => {
    const fault = await Promise.resolve(get(unknownId)).catch((error: Fault) => error);
    return (fault as Fault).extras.suggestedFixes?.map(({ command }) => command);
  };
  const unknownId = symbolId('app', 'f'.repeat(32));
  assert.deepEqual(await commandsOf(unknownId), ['svc help search', 'svc index --repo app']);
  dirtyFiles = 0;
  assert.deepEqual(await commandsOf(unknownId), ['svc help search']);
  dirtyFiles = 3;
  const replacedBy = symbolId('app', '1'.repeat(32));
  const gone = isFault('symbolGone', fault => fault.extras.details?.['replacedBy'] === replacedBy);
  await assert.rejects(get(symbolId('app', '0'.repeat(32))), gone);
  await assert.rejects(refs(symbolId('app', '0'.repeat(32)), { limit: 10_000 }), gone);
});

test('before the first snapshot every question is too early', async () => {
  const early = { ...context(), snapshot: undefined };
  await assert.rejects(async () => handlers['symbols.get']({ id: 'x', sync: false }, early), isFault('notReady'));
});

test('a search ranks, counts all and narrows by kind and scope', async () => {
  const all = await search('parse');
  assert.deepEqual(
    all.results.map(one => [one.name, one.match]),
    [
      ['parsePort', 'prefix'],
      ['parseHost', 'prefix'],
      ['parseFixture', 'prefix'],
    ],
  );
  assert.equal(all.completeness.dirtyFiles, 3);
  assert.deepEqual(
    (await search('parse', { scope: 'test' })).results.map(one => one.name),
    ['parseFixture'],
  );
  await assert.rejects(search('parse', { scope: 'tes' }), (error: Fault) =>
    /^scope: no module .* under "tes"; did you mean test\?$/.test(error.message),
  );
  for (const scope of ['./src/', 'src/server.ts', '@root']) {
    assert.equal((await search('nobody', { scope })).warnings, undefined, scope);
  }
  assert.deepEqual(
    (await search('c', { kinds: ['class'] })).results.map(one => one.name),
    ['Client'],
  );
  assert.deepEqual([(await search('p')).total, (await search('zz')).total], [3, 0]);
});

test('what a search finds is what each symbol says of itself, asked again and from whichever worktree', async () => {
  const ids = ['app', 'app', 'a "quoted"\n☕ one', 'app'];
  for (const id of ids) {
    const asked = { ...context(), repository: { ...context().repository, id } };
    const answer = await handlers['symbols.search']({ q: 'e', limit: 50, ...plainSearch }, asked);
    const { results } = decoded<OutputOf<Operations['symbols.search']>>(answer);
    assert.equal(results.length, 7);
    for (const { score, match, ...symbol } of results) {
      assert.deepEqual(symbol, await handlers['symbols.get']({ id: symbol.id, sync: false }, asked));
      assert.ok(score > 0 && score <= 1 && match.length > 0);
    }
  }
});

test('pages of a search go on over the snapshot that they began with', async () => {
  const first = await search('parse', { limit: 2 });
  assert.deepEqual([first.results.length, first.total, first.hasMore], [2, 3, true]);
  publish([], ['test/server.test.ts'], now.getTime() + 1);
  const second = await search('parse', { limit: 2, cursor: first.cursor! });
  assert.deepEqual([second.results.map(one => one.name), second.hasMore], [['parseFixture'], false]);
  assert.equal(second.snapshotId, first.snapshotId);
  assert.equal((await search('parse')).total, 2);
});

test('references are the same whether the main thread or the worker reads them, and in pages', async () => {
  const short = await refs('parsePort', { includeDefinition: true });
  const long = await refs('parsePort', { includeDefinition: true, limit: 10_000 });
  assert.deepEqual(long, short);
  assert.deepEqual(
    [short.total, short.references[0]?.context, short.references[0]?.enclosingSymbol?.name],
    [13, 'parsePort()', 'close'],
  );
  const first = await refs('parsePort', { limit: 8 });
  const second = await refs('parsePort', { limit: 8, cursor: first.cursor! });
  assert.deepEqual([...first.references, ...second.references], (await refs('parsePort')).references);
});

test('a cursor of another list, another filter or another hand is refused', async () => {
  const { cursor } = await refs('parsePort', { limit: 8 });
  const broken = isFault('invalidParameter');
  await assert.rejects(refs('parsePort', { includeTests: false, cursor: cursor! }), broken);
  await assert.rejects(search('parse', { cursor: cursor! }), broken);
  for (let at = 0; at < cursor!.length; at++) {
    const other = cursor![at] === 'A' ? 'B' : 'A';
    const forged = cursor!.slice(0, at) + other + cursor!.slice(at + 1);
    await assert.rejects(refs('parsePort', { cursor: forged }), broken, forged);
  }
  for (const text of ['x', '.', '..', 'e30.e30', 'e30'])
    await assert.rejects(refs('parsePort', { cursor: text }), broken, text);
});

test('a walk gives each reference once, of the snapshot that it began with, whatever is published meanwhile', async () => {
  const whole = await refs('parsePort', { includeDefinition: true });
  const walked: unknown[] = [];
  let page = await refs('parsePort', { includeDefinition: true, limit: 3 });
  for (let edit = 0; ; edit++) {
    walked.push(...page.references);
    assert.deepEqual([page.total, page.snapshotId], [whole.total, whole.snapshotId]);
    if (!page.hasMore) break;
    const { uses = [], ...client } = documents[1]!;
    const edited = { ...client, uses: uses.slice(edit + 1), text: `// ${edit}\n` };
    const added = { path: `src/a${edit}.ts`, uses: uses.map(use => ({ ...use, enclosing: -1 })) };
    publish([edited, added], [], now.getTime() + 10 + edit);
    assert.notEqual((await refs('parsePort', { includeDefinition: true })).total, whole.total);
    page = await refs('parsePort', { includeDefinition: true, limit: 3, cursor: page.cursor! });
  }
  assert.deepEqual(walked, whole.references);
  assert.ok(walked.length > 9);
  publish(documents.slice(0, 2), ['src/a0.ts', 'src/a1.ts', 'src/a2.ts', 'src/a3.ts'], now.getTime() + 20);
});

test('a cursor that outlived its snapshot says so', async () => {
  const { cursor } = await refs('parsePort', { limit: 8 });
  for (let at = 0; at < 6; at++) publish([], [], now.getTime() + 2 + at);
  while (writer.collect(now.getTime() + 60 * 60_000));
  await assert.rejects(refs('parsePort', { cursor: cursor! }), isFault('cursorExpired'));
});

test('without git there is no head', async () => {
  await assert.rejects(
    search('parse', { repoStateMode: 'head' }),
    isFault('preconditionFailed', ({ extras }) => extras.details?.['reason'] === 'no_repository'),
  );
});

test('who asks for a symbol finds the worker of searches started; a publication alone starts none', async () => {
  const { repository, snapshot } = context();
  await pool.close();
  const live = countWorkers();
  handlers.published(repository, snapshot!);
  assert.equal(await pool.forget(file), false);
  assert.equal(live(), 0);
  await get('parsePort');
  await until('the worker has started', () => live() === 1);
  // One after the other, and the last of them holds.
  for (let at = 0; at < 3; at++) handlers.published(repository, { ...snapshot!, seq: snapshot!.seq - at });
  assert.equal((await search('parsePort')).total, 1);
});

test('the worker leaves when nobody has asked for a while, also where a publication came behind the last question', async () => {
  const { repository, snapshot } = context();
  await pool.close();
  const live = countWorkers();
  const answer = search('parsePort');
  handlers.published(repository, snapshot!);
  await answer;
  assert.equal(live(), 1);
  await until('the worker has left', () => live() === 0);
});

test('a closed file is opened anew, and the worker starts again after it ended', async () => {
  handlers.forget(file);
  await pool.close();
  assert.equal((await search('parsePort')).total, 1);
  assert.equal((await get('parsePort')).name, 'parsePort');
});

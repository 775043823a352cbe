import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../../../client/protocol/faults.ts';
import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { symbolId } from '../../../daemon/model/identity.ts';
import { plainSearch } from '../../support/plain-search.ts';

import {
  context,
  decoded,
  get,
  handlers,
  idOf,
  isFault,
  now,
  pretendDirty,
  refs,
  search,
} from './symbols-under-test.ts';

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
  pretendDirty(0);
  assert.deepEqual(await commandsOf(unknownId), ['svc help search']);
  pretendDirty(3);
  const replacedBy = symbolId('app', '1'.repeat(32));
  const gone = isFault('symbolGone', fault => fault.extras.details?.['replacedBy'] === replacedBy);
  await assert.rejects(get(symbolId('app', '0'.repeat(32))), gone);
  await assert.rejects(refs(symbolId('app', '0'.repeat(32)), { limit: 10_000 }), gone);
  assert.deepEqual(await commandsOf(symbolId('app', '0'.repeat(32))), [`svc symbol ${replacedBy}`]);
  await assert.rejects(get(symbolId('app', '2'.repeat(32))), isFault('symbolGone'));
  assert.deepEqual(await commandsOf(symbolId('app', '2'.repeat(32))), ['svc help search']);
});

test('before the first snapshot every question is too early', async () => {
  const early = { ...context(), snapshot: undefined };
  await assert.rejects(
    async () => handlers['symbols.get']({ id: 'x', repoStateMode: 'full', sync: false }, early),
    isFault('notReady'),
  );
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
      assert.deepEqual(
        symbol,
        await handlers['symbols.get']({ id: symbol.id, repoStateMode: 'full', sync: false }, asked),
      );
      assert.ok(score > 0 && score <= 1 && match.length > 0);
    }
  }
});

test('without git there is no head', async () => {
  await assert.rejects(
    search('parse', { repoStateMode: 'head' }),
    isFault('preconditionFailed', ({ extras }) => extras.details?.['reason'] === 'no_repository'),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { startDaemon, svc, temporaryHome, until } from '../../support/daemon.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';
import { scipBytes } from '../../support/scip.ts';

const tree = `
  -- src/box.ts --
  import { watch } from 'chokidar'
  export class Box {
    lid = 1
    open() {
      const inner = { deep() { return watch } }
      return inner
    }
  }
  -- pack/shelf.go --
  package pack

  type Shelf struct { Rows int }

  func (s *Shelf) Dust() {}
  -- pack/more.go --
  package pack

  func (s *Shelf) Fill() {}
`;

const index = scipBytes({
  metadata: { toolInfo: { name: 'scip-typescript', version: '0.4.0' }, projectRoot: 'file:///r' },
  documents: [
    {
      relativePath: 'src/box.ts',
      occurrences: [
        { range: [1, 13, 16], symbol: 'scip-typescript npm app 1.0.0 src/`box.ts`/Box#', symbolRoles: 1 },
        { range: [0, 9, 14], symbol: 'scip-typescript npm chokidar 4.0.1 `index.d.ts`/watch().' },
        { range: [4, 36, 41], symbol: 'scip-typescript npm chokidar 4.0.1 `index.d.ts`/watch().' },
      ],
    },
  ],
  externalSymbols: [
    {
      symbol: 'scip-typescript npm chokidar 4.0.1 `index.d.ts`/watch().',
      documentation: ['```ts\nfunction watch(paths: string): FSWatcher\n```', 'Watches files.'],
    },
    { symbol: 'scip-typescript npm unused 1.0.0 `index.d.ts`/watch().', documentation: ['Nobody uses it.'] },
  ],
});

test('depth, includeExternal, scope and refresh mean what they say', async t => {
  const { client, home } = await startDaemon(t, temporaryHome(t));
  const work = gitRepository(t, tree);
  const given = temporaryFolder(t);
  given.write('app.scip', index);
  await client.daemon.addRepo({ root: work.root, id: 'app' });
  await until('it is indexed', async () => (await client.daemon.listRepos({})).repos[0]!.status === 'ready');
  await client.indexing.index({ repo: 'app', scip: given.path('app.scip'), commit: 'HEAD' });
  const search = async (q: string, more: object = {}) =>
    (await client.symbols.search({ repo: 'app', q, sync: true, ...more })).results;
  const membersOf = async (q: string, depth: number) => {
    const [hit] = await search(q, { depth, limit: 1 });
    const names = new Map([hit!, ...(hit!.members ?? [])].map(({ id, name }) => [id, name]));
    return hit!.members?.map(({ name, depth, parentId }) => `${depth} ${names.get(parentId)}.${name}`);
  };
  assert.equal(await membersOf('Box', 1), undefined);
  assert.deepEqual(await membersOf('Box', 2), ['2 Box.lid', '2 Box.open']);
  const deep = await membersOf('Box', 5);
  assert.deepEqual(deep?.slice(0, 2), ['2 Box.lid', '2 Box.open']);
  assert.deepEqual((await membersOf('Shelf', 2))?.sort(), ['2 Shelf.Dust', '2 Shelf.Fill', '2 Shelf.Rows']);
  assert.deepEqual(await search('watch'), []);
  const [external, ...more] = await search('watch', { includeExternal: true });
  const { name, kind, module, source, location, signature, documentation } = external!;
  assert.deepEqual(
    [name, kind, module, source, location.file, more],
    ['watch', 'function', 'npm chokidar', 'scip', '', []],
  );
  assert.deepEqual([signature, documentation], ['function watch(paths: string): FSWatcher', 'Watches files.']);
  assert.equal(external!.external, true);
  const { score: _, match: __, ...symbol } = external!;
  assert.deepEqual(await client.symbols.get({ repo: 'app', id: external!.id }), symbol);
  const { references, total } = await client.symbols.refs({ repo: 'app', id: external!.id, includeDefinition: true });
  assert.deepEqual(
    [total, references.map(({ location, kind, source }) => [location.file, location.line, kind, source])],
    [
      2,
      [
        ['src/box.ts', 1, 'import', 'scip'],
        ['src/box.ts', 5, 'read', 'scip'],
      ],
    ],
  );
  const shown = await svc(home, ['symbol', external!.id, '--repo', 'app'], work.root);
  assert.match(shown.stdout, /^where +npm chokidar$/m);
  assert.deepEqual(await search('watch', { includeExternal: true, kinds: ['class'] }), []);
  const first = await client.symbols.search({ repo: 'app', q: 'w', includeExternal: true, limit: 1 });
  assert.equal(first.hasMore, first.total > 1);
  await assert.rejects(search('Box', { scope: 'scr' }), (error: Fault) => {
    return error instanceof Fault && /^scope: .*under "scr"; did you mean src\?$/.test(error.message);
  });
  await assert.rejects(search('Box', { scope: 'elsewhere/entirely' }), /there are pack, src$/);
  work.write('src/late.ts', 'export const latecomer = 1\n');
  assert.equal((await client.symbols.search({ repo: 'app', q: 'latecomer', refresh: true })).total, 1);
  const wrong = [
    ['--depth', '0'],
    ['--depth', '6'],
    ['--merge', 'all'],
    ['--kinds', 'klass'],
    ['--scope', 'nope'],
  ];
  for (const words of wrong) {
    const { code, stderr } = await svc(home, ['search', 'Box', '--repo', 'app', ...words], work.root);
    assert.deepEqual([words, code], [words, 2], stderr);
    assert.match(stderr, /depth|prefer-first, union|function, method|scope: /);
  }
});

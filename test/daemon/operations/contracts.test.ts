import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDaemon } from '../../support/daemon.ts';
import { afterAll, gitRepository } from '../../support/repository.ts';
import { shopOf } from '../../support/shop.ts';
import { rejects } from './expected-faults.ts';

const daemon = await startDaemon(afterAll);
const { client } = daemon;
const shop = await shopOf(afterAll, daemon);
const name = 'shop';

const edgesNow = async (more: Readonly<Record<string, unknown>> = {}) =>
  (await client.contracts.edges({ name, ...more })).edges;

type Row = readonly [input: Readonly<Record<string, unknown>>, found: readonly string[]];

const lists: readonly Row[] = [
  [{}, ['cart proto/cart.proto', 'checkout api/openapi.yaml', 'checkout proto/checkout.proto']],
  [{ repoId: 'cart' }, ['cart proto/cart.proto']],
  [{ repoId: 'web' }, []],
  [{ contractType: 'openapi' }, ['checkout api/openapi.yaml']],
  [{ contractType: 'proto', repoId: 'checkout' }, ['checkout proto/checkout.proto']],
  [{ visibility: 'unknown', contractType: 'proto' }, ['cart proto/cart.proto', 'checkout proto/checkout.proto']],
  [{ visibility: 'public' }, ['checkout api/openapi.yaml']],
  [{ visibility: 'internal', repoId: 'cart' }, []],
];

for (const [input, found] of lists) {
  test(`contracts: ${JSON.stringify(input)}`, async () => {
    const { contracts, total } = await client.contracts.list({ name, ...input });
    assert.deepEqual(
      contracts.map(({ repoId, path }) => `${repoId} ${path}`),
      found,
    );
    assert.equal(total, found.length);
    const few = await client.contracts.list({ name, ...input, limit: 1 });
    assert.deepEqual([few.contracts, few.total], [contracts.slice(0, 1), total]);
  });
}

test('a contract is told with its services, its owners and when a commit changed it', async () => {
  const [contract] = (await client.contracts.list({ name, repoId: 'cart' })).contracts;
  const committed = shop.cart.git('log', '-1', '--format=%cI', '--', 'proto/cart.proto');
  assert.equal(contract!.lastModified, new Date(committed).toISOString());
  const { lastModified: _, ...told } = contract!;
  assert.deepEqual(told, {
    ...{ repoId: 'cart', path: 'proto/cart.proto', contractType: 'proto', visibility: 'unknown' },
    ...{
      visibilityReason: 'neither its path nor its text says whom it is for',
      name: 'shop.cart.v1',
      version: 'proto3',
      operationCount: 2,
      typeCount: 2,
    },
    ...{
      services: ['shop.cart.v1.CartService'],
      providers: ['cart'],
      copies: [],
      owners: ['@acme/api'],
      problem: null,
    },
  });
});

const filters: readonly Row[] = [
  [{}, ['checkout cart derived', 'web checkout heuristic', 'web checkout derived']],
  [{ tier: 'derived' }, ['checkout cart derived', 'web checkout derived']],
  [{ tier: 'declared' }, []],
  [{ repoId: 'cart' }, ['checkout cart derived']],
  [{ repoId: 'web', tier: 'heuristic' }, ['web checkout heuristic']],
  [{ service: 'shop.checkout.v1.CheckoutService' }, ['web checkout derived']],
  [{ service: 'CheckoutService' }, []],
  [{ suppressed: true }, []],
];

for (const [input, found] of filters) {
  test(`edges: ${JSON.stringify(input)}`, async () => {
    const { edges, total } = await client.contracts.edges({ name, ...input });
    assert.deepEqual(
      edges.map(({ from, contract, tier }) => `${from} ${contract.repoId} ${tier}`),
      found,
    );
    assert.equal(total, found.length);
  });
}

test('evidence can be checked: the file has that on that line', async () => {
  for (const { from, evidences, evidence, evidenceCount } of await edgesNow()) {
    assert.equal(evidences.length, evidenceCount);
    assert.ok(evidence.startsWith(`${evidences[0]!.file}:${evidences[0]!.line}: ${evidences[0]!.seen}`));
    for (const { file, line, seen } of evidences) {
      const text = shop[from as keyof typeof shop].git('show', `HEAD:${file}`).split('\n')[line - 1]!;
      assert.equal(seen, text.trim());
    }
  }
});

test('impact: who consumes it directly, who by way of them, and who owns what is hit', async () => {
  const input = { name, repoId: 'cart', path: 'proto/cart.proto' };
  const told = await client.contracts.impact(input);
  assert.deepEqual(told.contract, { repoId: 'cart', path: 'proto/cart.proto', visibility: 'unknown' });
  assert.deepEqual(
    told.directConsumers.map(({ repoId, tier, owners }) => [repoId, tier, owners]),
    [['checkout', 'derived', ['@acme/checkout']]],
  );
  assert.deepEqual(told.transitiveConsumers, [
    { repoId: 'web', depth: 2, path: ['cart', 'checkout', 'web'], confidence: 0.7225 },
  ]);
  assert.deepEqual(told.ownership, {
    contractOwners: ['@acme/api'],
    affectedOwners: ['@acme/checkout', 'ann@example.com'],
  });
  assert.equal(told.riskAssessment.level, 'medium');
  for (const fewer of [{ maxDepth: 1 }, { includeTransitive: false }]) {
    const short = await client.contracts.impact({ ...input, ...fewer });
    assert.deepEqual([short.directConsumers, short.transitiveConsumers], [told.directConsumers, []]);
    assert.deepEqual(short.ownership.affectedOwners, ['@acme/checkout']);
  }
  const openapi = { name, repoId: 'checkout', path: 'api/openapi.yaml' };
  assert.deepEqual((await client.contracts.impact(openapi)).directConsumers, []);
  assert.equal((await client.contracts.impact({ ...openapi, includeHeuristic: true })).directConsumers.length, 1);
  for (const unknown of [
    { path: 'none.proto' },
    { repoId: 'none' },
    { path: '../cart/proto/cart.proto' },
    { name: 'none' },
  ]) {
    await rejects(client.contracts.impact({ ...input, ...unknown }), 'resourceNotFound');
  }
});

test('dependencies: both directions, of one module, and with guesses where they are asked for', async () => {
  const deps = async (input: Readonly<Record<string, unknown>>) => {
    const { consumers, dependencies } = await client.contracts.deps({ name, repoId: 'checkout', ...input });
    const told = (all: typeof consumers): string =>
      all.map(one => `${one.repoId} ${one.contracts.join('+')} ${one.tier}`).join();
    return [told(consumers), told(dependencies)];
  };
  const [web, cart] = ['web proto/checkout.proto derived', 'cart proto/cart.proto derived'];
  const guessed = 'web api/openapi.yaml+proto/checkout.proto derived';
  assert.deepEqual(await deps({}), [web, cart]);
  assert.deepEqual(await deps({ direction: 'consumers' }), [web, '']);
  assert.deepEqual(await deps({ direction: 'dependencies' }), ['', cart]);
  assert.deepEqual(await deps({ includeHeuristic: true }), [guessed, cart]);
  const modules = new Set(
    (await client.federation.modules({ name, repos: ['checkout'] })).modules.map(one => one.moduleId),
  );
  assert.ok(modules.has('pay'));
  assert.deepEqual(await deps({ moduleId: 'pay' }), ['', '']);
  assert.deepEqual(await deps({ moduleId: '@root', includeHeuristic: true }), [guessed, cart]);
  assert.deepEqual(await deps({ repoId: 'web', moduleId: 'client' }), ['', 'checkout proto/checkout.proto derived']);
  assert.deepEqual(await deps({ repoId: 'web', moduleId: 'src' }), ['', '']);
  assert.deepEqual(await deps({ repoId: 'web', moduleId: 'src', includeHeuristic: true }), [
    '',
    'checkout api/openapi.yaml heuristic',
  ]);
  assert.deepEqual(await deps({ repoId: 'cart' }), ['checkout proto/cart.proto derived', '']);
  await rejects(client.contracts.deps({ name, repoId: 'none' }), 'resourceNotFound');
});

test('figures are those of the lists', async () => {
  const stats = await client.contracts.stats({ name });
  for (const contractType of ['proto', 'openapi'] as const) {
    assert.equal(stats.byType[contractType], (await client.contracts.list({ name, contractType })).total);
  }
  for (const visibility of ['public', 'internal', 'unknown'] as const) {
    assert.equal(stats.byVisibility[visibility], (await client.contracts.list({ name, visibility })).total);
  }
  for (const tier of ['declared', 'derived', 'heuristic'] as const) {
    assert.equal(stats.edgesByTier[tier], (await client.contracts.edges({ name, tier })).total);
  }
  assert.equal(stats.totalContracts, (await client.contracts.list({ name })).total);
  assert.equal(stats.totalEdges, (await client.contracts.edges({ name })).total);
  assert.equal(stats.suppressedEdges, (await client.contracts.edges({ name, suppressed: true })).total);
  assert.equal(stats.verifiedEdges, (await edgesNow()).filter(({ verified }) => verified).length);
});

test('a member whose contract can’t be read to its end tells of that, with the line', async t => {
  const repository = gitRepository(
    t,
    '-- proto/bad.proto --\nsyntax = "proto3";\nservice A { rpc X(M) returns (M); }\nmessage M {\n  int32 = ;\n',
  );
  await client.federation.create({ name: 'bad' });
  t.after(() => client.federation.delete({ name: 'bad' }));
  await client.federation.add({ name: 'bad', path: repository.root, repoId: 'bad' });
  const { results } = await client.federation.sync({ name: 'bad' });
  assert.deepEqual([results[0]?.status, results[0]?.contractsSynced], ['success', 1]);
  const [contract] = (await client.contracts.list({ name: 'bad' })).contracts;
  assert.match(contract!.problem!, /^line 4: /);
  assert.deepEqual(contract!.services, ['A']);
});

test('who has a copy of what another implements depends on that one, as do others who call it', async t => {
  const proto = 'syntax = "proto3";\npackage pay.v1;\nservice PayService { rpc Pay(P) returns (P); }\nmessage P {}\n';
  const calls = 'import pb "github.com/acme/pay/gen/pay/v1"\nvar c = pb.NewPayServiceClient(conn)\n';
  const members = {
    paying: `-- main.go --\npackage main\nimport pb "github.com/acme/pay/gen/pay/v1"\nfunc main() { pb.RegisterPayServiceServer(srv, &server{}) }\n`,
    copying: `-- proto/pay.proto --\n${proto}-- main.go --\npackage main\n${calls}`,
    calling: `-- main.go --\npackage main\n${calls}`,
  };
  await client.federation.create({ name: 'copies' });
  for (const [repoId, text] of Object.entries(members))
    await client.federation.add({ name: 'copies', repoId, path: gitRepository(t, text).root });
  await client.federation.sync({ name: 'copies' });
  const depsOf = async (repoId: string) => {
    const { consumers, dependencies } = await client.contracts.deps({ name: 'copies', repoId });
    return [consumers, dependencies].map(all => all.map(one => one.repoId).join(' '));
  };
  assert.deepEqual(await depsOf('paying'), ['calling copying', '']);
  assert.deepEqual(await depsOf('copying'), ['', 'paying']);
  assert.deepEqual(await depsOf('calling'), ['', 'paying']);
  const graph = await client.contracts.graph({ name: 'copies' });
  assert.ok(typeof graph !== 'string');
  assert.deepEqual(
    graph.edges.map(({ from, to }) => `${from} ${to}`),
    ['calling paying', 'copying paying'],
  );
});

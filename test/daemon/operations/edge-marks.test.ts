import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { startDaemon, until } from '../../support/daemon.ts';
import { afterAll } from '../../support/repository.ts';
import { shopOf } from '../../support/shop.ts';
import { rejects } from './expected-faults.ts';

const daemon = await startDaemon(afterAll);
const { client } = daemon;
const shop = await shopOf(afterAll, daemon);
const name = 'shop';

const edgesNow = async (more: Readonly<Record<string, unknown>> = {}) =>
  (await client.contracts.edges({ name, ...more })).edges;
const cartEdge = async () => (await edgesNow()).find(({ service }) => service === 'shop.cart.v1.CartService')!;
const routeEdge = async () => (await edgesNow()).find(({ tier }) => tier === 'heuristic')!;

test('a suppressed edge is left out, by whom and why is kept, over every synchronisation, until that is taken back', async () => {
  const { edgeId } = await cartEdge();
  const impact = () => client.contracts.impact({ name, repoId: 'cart', path: 'proto/cart.proto' });
  const told = await client.contracts.suppress({ name, edgeId, reason: 'a "fixture"' });
  assert.deepEqual([told.edgeId, told.suppressed, told.reason], [edgeId, true, 'a "fixture"']);
  const holds = async (): Promise<void> => {
    assert.equal(
      (await edgesNow()).some(one => one.edgeId === edgeId),
      false,
    );
    const [left] = await edgesNow({ suppressed: true });
    assert.deepEqual(
      [left?.edgeId, left?.suppressed?.by, left?.suppressed?.reason, left?.verification],
      [edgeId, userInfo().username, 'a "fixture"', null],
    );
    assert.equal(left!.suppressed!.at, told.timestamp);
    assert.deepEqual((await impact()).directConsumers, []);
    assert.deepEqual((await impact()).riskAssessment.level, 'low');
    assert.deepEqual((await client.contracts.deps({ name, repoId: 'cart' })).consumers, []);
    const { totalEdges, suppressedEdges, edgesByTier } = await client.contracts.stats({ name });
    assert.deepEqual([totalEdges, suppressedEdges, edgesByTier.derived], [2, 1, 1]);
  };
  await holds();
  await client.federation.sync({ name, force: true });
  await holds();
  const main = shop.checkout.git('show', 'HEAD:main.go');
  shop.checkout.write(
    'main.go',
    main.replace('var carts = cart.NewCartServiceClient(conn)', '').replace(/^\tcart .*$/m, ''),
  );
  await until('the edge is gone', async () => (await edgesNow({ suppressed: true })).length === 0);
  assert.equal((await client.contracts.stats({ name })).suppressedEdges, 0);
  shop.checkout.write('main.go', main);
  await until('it is back', async () => (await edgesNow({ suppressed: true })).length === 1);
  await holds();
  const undone = await client.contracts.unsuppress({ name, edgeId });
  assert.deepEqual([undone.edgeId, undone.suppressed], [edgeId, false]);
  assert.equal((await cartEdge()).edgeId, edgeId);
  assert.equal((await client.contracts.unsuppress({ name, edgeId })).suppressed, false, 'again is no harm');
});

test('a verified edge is sure, and counts where guesses do not, until that is taken back', async () => {
  const { edgeId } = await routeEdge();
  const told = await client.contracts.verify({ name, edgeId });
  assert.deepEqual([told.verified, told.previousConfidence, told.newConfidence], [true, 0.6, 1]);
  assert.equal((await client.contracts.verify({ name, edgeId })).previousConfidence, 1);
  await client.federation.sync({ name, force: true });
  const { confidence, verified, verification, tier } = await routeEdge();
  assert.deepEqual([confidence, verified, tier, verification?.by], [1, true, 'heuristic', userInfo().username]);
  const openapi = { name, repoId: 'checkout', path: 'api/openapi.yaml' };
  assert.equal((await client.contracts.impact(openapi)).directConsumers.length, 1);
  assert.equal((await client.contracts.stats({ name })).verifiedEdges, 1);
  const undone = await client.contracts.unverify({ name, edgeId });
  assert.deepEqual([undone.verified, undone.previousConfidence, undone.newConfidence], [false, 1, 0.6]);
  assert.equal((await client.contracts.impact(openapi)).directConsumers.length, 0);
});

test('an edge is suppressed or verified: what is said last counts', async () => {
  const { edgeId } = await cartEdge();
  await client.contracts.suppress({ name, edgeId, reason: 'no' });
  assert.equal((await client.contracts.verify({ name, edgeId })).verified, true);
  assert.equal((await cartEdge()).verified, true);
  await client.contracts.suppress({ name, edgeId, reason: 'no after all' });
  const [left] = await edgesNow({ suppressed: true });
  assert.deepEqual([left?.edgeId, left?.verified, left?.verification], [edgeId, false, null]);
  assert.equal((await client.contracts.stats({ name })).verifiedEdges, 0);
  await client.contracts.unsuppress({ name, edgeId });
  assert.deepEqual((await cartEdge()).verified, false);
});

test('what is said of edges belongs to one federation, stays when it is renamed, and what is of none is not found', async t => {
  await client.federation.create({ name: 'twin' });
  for (const repoId of ['cart', 'checkout', 'web']) await client.federation.add({ name: 'twin', repoId });
  const { edgeId } = await cartEdge();
  await client.contracts.suppress({ name: 'twin', edgeId, reason: 'here alone' });
  assert.equal((await client.contracts.edges({ name, suppressed: true })).total, 0);
  await client.federation.rename({ name: 'twin', newName: 'double' });
  t.after(() => client.federation.delete({ name: 'double' }).catch(() => {}));
  assert.equal((await client.contracts.edges({ name: 'double', suppressed: true })).total, 1);
  await client.federation.delete({ name: 'double' });
  await client.federation.create({ name: 'double' });
  for (const repoId of ['cart', 'checkout', 'web']) await client.federation.add({ name: 'double', repoId });
  assert.equal(
    (await client.contracts.edges({ name: 'double', suppressed: true })).total,
    0,
    'a new one knows nothing of it',
  );
  for (const unknown of [{ edgeId: 1 }, { name: 'none', edgeId }]) {
    const input = { name, ...unknown };
    await rejects(client.contracts.suppress({ ...input, reason: 'x' }), 'resourceNotFound');
    for (const operation of ['unsuppress', 'verify', 'unverify'] as const) {
      await rejects(client.contracts[operation](input), 'resourceNotFound');
    }
  }
});

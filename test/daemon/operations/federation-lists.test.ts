import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addRepo, startDaemon } from '../../support/daemon.ts';
import { afterAll, gitRepository } from '../../support/repository.ts';
import { indexed, overHttp, type ShopName, shopNames, shopOf } from '../../support/shop.ts';
import { rejects } from './expected-faults.ts';

const daemon = await startDaemon(afterAll);
const { client } = daemon;
const http = await overHttp(afterAll, daemon);
await shopOf(afterAll, daemon);
const name = 'shop';

const idsOf = (rows: readonly { readonly repoId: string; readonly moduleId: string }[]): readonly string[] =>
  rows.map(({ repoId, moduleId }) => `${repoId} ${moduleId}`);

test('modules are those that each repository tells of alone, with what they are for and who owns them', async () => {
  const { modules, total } = await client.federation.modules({ name });
  assert.equal(total, modules.length);
  for (const repo of shopNames) {
    const answer = await client.analysis.architecture({ repo });
    assert.ok(typeof answer !== 'string' && 'modules' in answer);
    const mine = modules.filter(({ repoId }) => repoId === repo);
    assert.deepEqual(mine.map(({ moduleId }) => moduleId).sort(), answer.modules!.map(({ id }) => id).sort(), repo);
    for (const { moduleId, responsibility, confidence, capabilities, ownerRef } of mine) {
      const alone = await client.responsibilities.get({ moduleId, repo });
      assert.deepEqual(
        [responsibility, confidence, capabilities],
        [alone.summary, alone.confidence, alone.capabilities],
        `${repo} ${moduleId}`,
      );
      const { owners } = await client.ownership.get({ moduleId, repo });
      assert.equal(ownerRef, owners[0]?.identity ?? '', `${repo} ${moduleId}`);
    }
  }
});

const searches: readonly (readonly [input: Readonly<Record<string, unknown>>, found: readonly string[]])[] = [
  [{ q: 'redis' }, ['cart store']],
  [{ q: 'REDIS keep' }, ['cart store']],
  [{ q: '"carts in Redis"' }, ['cart store']],
  [{ q: '"Redis carts"' }, []],
  [{ q: 'card' }, ['checkout pay']],
  [{ q: 'redis', repos: ['web'] }, []],
  [{ q: 'redis', repos: ['web', 'cart'] }, ['cart store']],
  [{ tags: ['front'] }, ['web @root', 'web client', 'web src']],
  [{ tags: ['back', 'front'] }, []],
  [{ tags: ['back', 'go'], q: 'redis' }, ['cart store']],
  [{ tags: ['none'] }, []],
  [{ repos: ['checkout'] }, ['checkout @root', 'checkout pay']],
  [{ limit: 1, repos: ['checkout'] }, ['checkout @root']],
];

for (const [input, found] of searches) {
  test(`modules: ${JSON.stringify(input)}`, async () => {
    const { modules, total } = await client.federation.modules({ name, ...input });
    assert.deepEqual(idsOf(modules), found);
    assert.equal(total, input['limit'] === undefined ? found.length : 2);
    for (const { score } of modules) assert.equal(score === undefined, input['q'] === undefined);
  });
}

/** What means something to the full text of databases, shells and patterns, and nothing here but itself. */
const strange = [
  ...[
    '"',
    "'",
    '""',
    'a AND',
    'AND',
    'OR',
    'NOT a',
    'NEAR(',
    '*',
    'a*',
    'col:x',
    'a^',
    '((((a',
    '%',
    '_',
    '\\',
    '-',
    '--',
  ],
  ...[
    "'; DROP TABLE member--",
    '🙂',
    '\u202eabc',
    'é',
    '[',
    ']',
    '{',
    '.*',
    '$',
    '\n',
    '\t x',
    'x'.repeat(1024),
    '<script>',
  ],
];

test('texts to search by mean what they say, whatever they are', async () => {
  for (const q of strange.filter(text => text.trim() !== '')) {
    for (const list of ['modules', 'decisions']) {
      const { status, text } = await http.send('GET', `/federations/shop/${list}?q=${encodeURIComponent(q)}`);
      assert.equal(status, 200, `${list} ${JSON.stringify(q)}: ${text}`);
    }
  }
  assert.equal((await client.federation.decisions({ name, q: '"short-lived", 100%' })).total, 1);
  assert.equal((await client.federation.decisions({ name, q: 'AND nobody' })).total, 1);
  assert.equal((await client.federation.decisions({ name, q: '"no queue between"' })).total, 1);
});

test('hotspots are those of each repository, the hottest first', async () => {
  const { hotspots, total } = await client.federation.hotspots({ name, minScore: 0, top: 1000 });
  assert.equal(total, hotspots.length);
  for (const repo of shopNames) {
    const alone = await client.hotspots.list({ repo, limit: 1000 });
    const mine = hotspots.filter(({ repoId }) => repoId === repo);
    const hot = alone.hotspots.filter(({ score }) => score > 0);
    assert.deepEqual(
      mine.map(({ targetId, churnCommits30d, complexityCyclomatic }) => [
        targetId,
        churnCommits30d,
        complexityCyclomatic,
      ]),
      hot.map(({ targetId, metrics }) => [targetId, metrics.churnCommits30d, metrics.complexityCyclomatic]),
      repo,
    );
    // Time has gone on since.
    for (const [at, { score }] of mine.entries()) assert.ok(Math.abs(score - hot[at]!.score) < 0.01, repo);
  }
  const scores = hotspots.map(({ score }) => score);
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  );
  const middle = scores[2]!;
  const hotter = await client.federation.hotspots({ name, minScore: middle, top: 1 });
  assert.deepEqual([hotter.total, hotter.hotspots], [scores.filter(one => one >= middle).length, hotspots.slice(0, 1)]);
  const ofCart = await client.federation.hotspots({ name, minScore: 0, repos: ['cart'] });
  assert.ok(ofCart.total > 0 && ofCart.hotspots.every(({ repoId }) => repoId === 'cart'));
  assert.equal((await client.federation.hotspots({ name })).total, scores.filter(one => one >= 0.3).length);
  assert.equal((await client.federation.hotspots({ name, minScore: 1 })).total, 0);
});

test('owners of a file are those that its repository tells, of each repository', async () => {
  const files: Readonly<Record<ShopName, readonly string[]>> = {
    cart: ['proto/cart.proto', 'main.go', 'store/redis.go', 'none/at/all.txt'],
    checkout: ['proto/checkout.proto', 'pay/pay.go'],
    web: ['src/orders.ts'],
  };
  for (const repo of shopNames) {
    for (const path of files[repo]) {
      const { matches } = await client.federation.ownership({ name, path, repos: [repo] });
      const declared = matches.flatMap(({ owners }) => owners.filter(({ source }) => source === 'codeowners'));
      const alone = path.startsWith('none')
        ? [{ identity: '@acme/cart', source: 'codeowners' }]
        : (await client.ownership.get({ path, repo })).owners;
      assert.deepEqual(
        declared.map(({ identity }) => identity),
        alone.filter(({ source }) => source === 'codeowners').map(({ identity }) => identity),
        `${repo}/${path}`,
      );
    }
  }
});

const patterns: readonly (readonly [input: Readonly<Record<string, unknown>>, found: readonly string[]])[] = [
  [{ path: 'proto/**' }, ['cart /proto/', 'cart *', 'checkout *', 'web *']],
  [
    { path: '**/*.proto' },
    ['cart *', 'cart /proto/', 'cart /store/', 'checkout *', 'checkout /pay/', 'web *', 'web /client/', 'web /src/'],
  ],
  [{ path: 'p*/**' }, ['cart *', 'cart /proto/', 'checkout *', 'checkout /pay/', 'web *']],
  [{ path: '/proto/' }, ['cart *', 'cart /proto/', 'checkout *', 'web *']],
  [{ path: '*', repos: ['web'] }, ['web *', 'web /client/', 'web /src/']],
  [{ path: 'nothing/*' }, ['cart *', 'checkout *', 'web *']],
];

for (const [input, found] of patterns) {
  test(`ownership: ${JSON.stringify(input)}`, async () => {
    const { matches } = await client.federation.ownership({ name, ...input });
    const told = matches.map(({ repoId, pattern }) => `${repoId} ${pattern}`);
    assert.deepEqual([...new Set(told)], found);
  });
}

test('decisions are those of each repository, the newest first, or those that fit best', async () => {
  const { decisions, total } = await client.federation.decisions({ name });
  const alone = await client.decisions.list({ repo: 'cart' });
  assert.equal(total, alone.total);
  assert.deepEqual(
    decisions.map(({ repoId, id, title, status }) => [repoId, id, title, status]).sort(),
    alone.decisions.map(({ id, title, status }) => ['cart', id, title, status]).sort(),
  );
  const found = async (input: Readonly<Record<string, unknown>>): Promise<readonly string[]> =>
    (await client.federation.decisions({ name, ...input })).decisions.map(({ id }) => id).sort();
  assert.deepEqual(await found({ status: ['accepted'] }), ['ADR-001']);
  assert.deepEqual(await found({ status: ['accepted', 'proposed'] }), ['ADR-001', 'ADR-002']);
  assert.deepEqual(await found({ status: ['superseded', 'deprecated'] }), []);
  assert.deepEqual(await found({ q: 'redis' }), ['ADR-001']);
  assert.deepEqual(await found({ q: 'queue', status: ['accepted'] }), []);
  assert.deepEqual(await found({ repos: ['web'] }), []);
  assert.deepEqual(await found({ module: 'store' }), []);
  assert.equal((await client.federation.decisions({ name, limit: 1 })).total, 2);
});

test('decisions that are recorded through svc are found by the modules that they affect', async t => {
  const { root } = gitRepository(t, '-- src/a.ts --\nexport const a = 1;\n');
  await addRepo(t, daemon, { root, id: 'recorded' });
  await indexed(client, 'recorded');
  await client.federation.create({ name: 'recorded' });
  t.after(() => client.federation.delete({ name: 'recorded' }));
  await client.federation.add({ name: 'recorded', repoId: 'recorded' });
  const record = { context: 'c', decision: 'd', consequences: ['x'], status: 'accepted' as const };
  await client.decisions.create({ repo: 'recorded', title: 'One "thing"', affectedModules: ['src'], ...record });
  await client.federation.sync({ name: 'recorded', force: true });
  const { decisions } = await client.federation.decisions({ name: 'recorded', module: 'src', status: ['accepted'] });
  assert.deepEqual(
    decisions.map(({ title, affectedModules }) => [title, affectedModules]),
    [['One "thing"', ['src']]],
  );
});

test('a repository that is none of the federation is not found, anywhere', async () => {
  for (const list of ['modules', 'ownership', 'hotspots', 'decisions'] as const) {
    await rejects(client.federation[list]({ name, repos: ['cart', 'none'] }), 'resourceNotFound');
    await rejects(client.federation[list]({ name: 'none' }), 'resourceNotFound');
    const { status, body } = await http.send('GET', `/federations/shop/${list}?repos=cart,none`);
    assert.deepEqual([status, (body as { code: string }).code], [404, 'RESOURCE_NOT_FOUND'], list);
  }
});

test('who owns files of a folder of a repository is told by paths from that folder', async t => {
  const { root } = gitRepository(
    t,
    `-- CODEOWNERS --
*.md @docs
/services/web/ @web
/services/inv/ @inv
/services/*/api/ @api
-- services/inv/main.go --
package main
-- services/web/a.js --
let a;
`,
  );
  await client.federation.create({ name: 'folders' });
  await client.federation.add({ name: 'folders', path: `${root}/services/inv`, repoId: 'inv' });
  await client.federation.sync({ name: 'folders' });
  const declared = async (path?: string) => {
    const { matches } = await client.federation.ownership({ name: 'folders', ...(path === undefined ? {} : { path }) });
    return matches
      .filter(({ owners }) => owners.some(({ source }) => source === 'codeowners'))
      .map(({ pattern, owners }) => `${pattern} ${owners.map(({ identity }) => identity).join(' ')}`);
  };
  assert.deepEqual(await declared(), ['*.md @docs', '* @inv', '/api/ @api']);
  assert.deepEqual(await declared('main.go'), ['* @inv']);
  assert.deepEqual(await declared('api/x.go'), ['/api/ @api']);
});

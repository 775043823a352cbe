import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDaemon } from '../../support/daemon.ts';
import { afterAll } from '../../support/repository.ts';
import { overHttp, shopRepository } from '../../support/shop.ts';

const daemon = await startDaemon(afterAll);
const { client } = daemon;
const http = await overHttp(afterAll, daemon);
await client.federation.create({ name: 'shop' });
for (const repoId of ['cart', 'checkout'] as const) {
  await client.federation.add({ name: 'shop', path: shopRepository(afterAll, repoId).root, repoId });
}
await client.federation.sync({ name: 'shop' });
const [edge] = (await client.contracts.edges({ name: 'shop' })).edges;
const edges = `/contracts/edges/${edge!.edgeId}`;

const limits = ['', '0', '-1', '1.5', '1e3', '0x10', 'abc', '%E2%88%9E', '9007199254740993', '10001', '+5', '05'];
const booleans = ['', 'yes', '1', 'TRUE', 'null'];
const shares = ['', 'NaN', '1.5', '-0.1', 'abc', 'Infinity', '1e-1x'];
const ids = [
  '',
  '..',
  '../x',
  '/x',
  'a//b',
  '.a',
  '-a',
  'a%20b',
  'a%00b',
  'a%0Ab',
  '%C3%A4',
  'x'.repeat(513),
  'a,,b',
  ',',
  'a,',
];
const texts = ['', '%20%09', 'a%00b', 'x'.repeat(1025)];
const limited = ['/modules', '/ownership', '/decisions', '/contracts', '/contracts/edges'];

const each = (target: string, values: readonly string[]): readonly string[] => values.map(value => `${target}${value}`);

/** Below `/federations/shop`. */
const refused: readonly string[] = [
  ...limited.flatMap(path => [...each(`${path}?limit=`, limits), `${path}?limit=1&limit=2`, `${path}?limit[]=1`]),
  ...each('/hotspots?top=', limits),
  ...each('/hotspots?minScore=', shares),
  ...['/modules', '/ownership', '/hotspots', '/decisions'].flatMap(path => each(`${path}?repos=`, ids)),
  ...['/contracts', '/contracts/edges', '/contracts/deps'].flatMap(path => each(`${path}?repoId=`, ids)),
  ...['/modules', '/decisions'].flatMap(path => each(`${path}?q=`, texts)),
  ...each('/modules?tags=', ['', ',', 'a,', '%20a', 'x'.repeat(101), 'a%00b']),
  ...each('/decisions?status=', ['', 'done', 'accepted,done', 'ACCEPTED', ',']),
  ...each('/decisions?module=', ['', 'a%00b', 'x'.repeat(4097)]),
  ...each('/ownership?path=', ['', 'a%00b', 'x'.repeat(1025)]),
  ...each('/repos?includeCompatibility=', booleans),
  ...each('/contracts?contractType=', ['', 'grpc', 'PROTO', 'proto,openapi']),
  ...each('/contracts?visibility=', ['', 'secret', 'Public']),
  ...each('/contracts/edges?tier=', ['', 'sure', 'Declared']),
  ...each('/contracts/edges?suppressed=', booleans),
  ...each('/contracts/edges?service=', ['', 'a%00b', 'x'.repeat(1025)]),
  '/contracts/deps',
  ...each('/contracts/deps?repoId=cart&direction=', ['', 'up', 'Both']),
  ...each('/contracts/deps?repoId=cart&moduleId=', ['', 'a%00b', 'x'.repeat(4097)]),
  ...each('/contracts/deps?repoId=cart&includeHeuristic=', booleans),
  ...each('/contracts/graph?format=', ['', 'png', 'JSON']),
  ...each('/contracts/graph?includeHeuristic=', booleans),
  ...[
    '/status',
    '/repos',
    '/modules',
    '/ownership',
    '/hotspots',
    '/decisions',
    '/contracts',
    '/contracts/stats',
  ].flatMap(path => [`${path}?unknown=1`, `${path}?__proto__=1`, `${path}?name=shop`, `${path}?repo=cart`]),
];

test('a parameter that is not what it must be is refused by name', async () => {
  for (const target of refused) {
    const { status, body, text } = await http.send('GET', `/federations/shop${target}`);
    assert.equal(status, 400, `${target}: ${text.slice(0, 200)}`);
    const { code, details } = body as { code: string; details: { problems: { path: string }[] } };
    assert.equal(code, 'INVALID_PARAMETER', target);
    const named = /[?&]([^=&[]+)[^&]*$/.exec(target)?.[1] ?? 'repoId';
    assert.ok(
      details.problems.some(({ path }) => path.replace(/\[.*$/, '') === named),
      `${target}: ${text}`,
    );
  }
});

test('a name is one whatever it is spelt like, and leads nowhere else', async () => {
  const spellings: readonly (readonly [spelt: string, status: number])[] = [
    ...(['shop', '%73hop', 'sh%6Fp'] as const).map(spelt => [spelt, 200] as const),
    ...(['SHOP', 'shop2', 'none', '__proto__', 'constructor', 'x'.repeat(100)] as const).map(
      spelt => [spelt, 404] as const,
    ),
    ...(
      [
        '%2e%2e',
        '.',
        '%2e',
        'a%2fb',
        '%2e%2e%2fx',
        'a%5cb',
        'shop%00',
        'shop%20',
        '%20shop',
        'shop%0a',
        '%C3%A4',
        '%252e',
        'sh%E2%80%A6p',
        'x'.repeat(101),
        '-x',
        'a;b',
        'a:b',
        '*',
        '%27',
        '%22',
      ] as const
    ).map(spelt => [spelt, 400] as const),
  ];
  for (const [spelt, expected] of spellings) {
    for (const path of ['status', 'modules', 'contracts', 'contracts/stats']) {
      const { status, text } = await http.send('GET', `/federations/${spelt}/${path}`);
      // A dot is a step of the path, which is taken before anybody asks.
      const isDots = spelt === '.' || /^(?:%2e){1,2}$/.test(spelt);
      assert.ok(status === expected || (isDots && status === 404), `${spelt}/${path}: ${status} ${text.slice(0, 200)}`);
    }
  }
});

type Sent = readonly [target: string, body: unknown, status: number];

const impact = { repoId: 'cart', path: 'proto/cart.proto' };
const bodies: readonly Sent[] = [
  ['/contracts/impact', impact, 200],
  ...[0, 11, -1, 1.5, '3', null, 2 ** 53].map(maxDepth => ['/contracts/impact', { ...impact, maxDepth }, 422] as const),
  ...['yes', 1, null, 'true'].map(value => ['/contracts/impact', { ...impact, includeHeuristic: value }, 422] as const),
  ...['yes', 1, null].map(value => ['/contracts/impact', { ...impact, includeTransitive: value }, 422] as const),
  ...[[], null, 'x', 1, {}].map(body => ['/contracts/impact', JSON.stringify(body), 422] as const),
  ...['', '../x', '/x', 'a//b', null, 1, 'a b'].map(
    repoId => ['/contracts/impact', { ...impact, repoId }, 422] as const,
  ),
  ...['', null, 1, 'a\0b', 'x'.repeat(4097)].map(path => ['/contracts/impact', { ...impact, path }, 422] as const),
  ...['none', '../../etc/passwd', '/etc/passwd', 'proto', '..\\x', '…/x'].map(
    path => ['/contracts/impact', { ...impact, path }, 404] as const,
  ),
  ['/contracts/impact', { ...impact, repoId: 'none' }, 404],
  ['/contracts/impact', { ...impact, unknown: 1 }, 422],
  ['/contracts/impact', '{"repoId":"cart","path":"proto/cart.proto","__proto__":{}}', 422],
  ['/contracts/impact', '{', 400],
  [`${edges}/suppress`, undefined, 422],
  [`${edges}/suppress`, {}, 422],
  ...['', ' ', '\t\n', null, 1, ['x'], 'x'.repeat(1001), 'x'.repeat(10_000), 'a\0b'].map(
    reason => [`${edges}/suppress`, { reason }, 422] as const,
  ),
  ['/contracts/edges/1/suppress', { reason: 'x' }, 404],
  ['/contracts/edges/9007199254740991/suppress', { reason: 'x' }, 404],
  ...['abc', '-1', '0', '1.5', '9223372036854775808', '9007199254740992', '1e3', '0x10', '%20', '01', '1%00'].flatMap(
    id =>
      [
        [`/contracts/edges/${id}/suppress`, { reason: 'x' }, 400],
        [`/contracts/edges/${id}/verify`, undefined, 400],
      ] as const,
  ),
  [`${edges}/verify`, { unknown: 1 }, 422],
  ['/contracts/edges/1/verify', undefined, 404],
  [`${edges}/suppress?reason=x`, undefined, 400],
];

test('bodies and edges that are not what they must be are refused, and change nothing', async () => {
  for (const [target, body, expected] of bodies) {
    const { status, text } = await http.send('POST', `/federations/shop${target}`, body);
    assert.equal(status, expected, `${target} ${JSON.stringify(body)?.slice(0, 100)}: ${text.slice(0, 300)}`);
  }
  assert.equal((await client.contracts.edges({ name: 'shop', suppressed: true })).total, 0);
  for (const id of ['abc', '-1', '0', '9223372036854775808']) {
    for (const mark of ['suppress', 'verify']) {
      assert.equal((await http.send('DELETE', `/federations/shop/contracts/edges/${id}/${mark}`)).status, 400);
    }
  }
  assert.equal((await http.send('DELETE', '/federations/shop/contracts/edges/1/verify')).status, 404);
});

test('other methods and other media are told as such', async () => {
  const methods = [
    ['POST', '/modules', 'GET'],
    ['DELETE', '/contracts', 'GET'],
    ['GET', '/sync', 'POST'],
    ['GET', `${edges}/suppress`, 'POST'],
    ['PUT', '/contracts/impact', 'POST'],
  ] as const;
  for (const [method, target, allowed] of methods) {
    const { status, headers } = await http.send(method, `/federations/shop${target}`);
    assert.equal(status, 405, target);
    assert.ok(headers.get('allow')?.includes(allowed), `${target}: ${headers.get('allow')}`);
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const answer = await http.send('POST', '/federations/shop/contracts/impact', impact, { 'Content-Type': type });
    assert.equal(answer.status, 415, type);
  }
  assert.equal((await http.send('GET', '/federations/shop')).status, 404);
  assert.equal((await http.send('GET', '/federations/shop/none')).status, 404);
});

test('a federation that there is not is told as such, wherever it is asked about', async () => {
  const gets = [
    '/status',
    '/repos',
    '/modules',
    '/ownership',
    '/hotspots',
    '/decisions',
    '/contracts',
    '/contracts/stats',
    '/contracts/edges',
    '/contracts/graph',
    '/contracts/deps?repoId=a',
  ];
  for (const target of gets) assert.equal((await http.send('GET', `/federations/none${target}`)).status, 404, target);
  const posts: readonly (readonly [string, unknown])[] = [
    ['/sync', {}],
    ['/contracts/impact', impact],
    ['/contracts/edges/1/suppress', { reason: 'x' }],
    ['/contracts/edges/1/verify', undefined],
  ];
  for (const [target, body] of posts) {
    assert.equal((await http.send('POST', `/federations/none${target}`, body)).status, 404, target);
  }
});

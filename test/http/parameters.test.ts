import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openListener, type RawAnswer, sendRequest, symbolId, tableDaemon } from './listener.ts';
import { literalQueries } from './literal-queries.ts';
import { assertOrderly } from './orderly.ts';

const limits = [
  '',
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  'abc',
  '%E2%88%9E',
  '9007199254740993',
  '10001',
  '+5',
  '%205',
  '05',
];
const shares = ['', 'NaN', '1.5', '-0.1', '2', '1e-1', 'Infinity', '%D9%A0'];
const texts: readonly (readonly [text: string, says: RegExp])[] = [
  ['', /characters|empty/],
  ['%20%09', /blank/],
  ['x'.repeat(1025), /1024/],
  [Array<string>(20_000).fill('a').join('+OR+').slice(0, 5000), /1024/],
  ['a%00b', /NUL/],
];
const counts: readonly (readonly [target: string, path: string, values: readonly string[]])[] = [
  [`/impact/${symbolId}`, 'depth', ['-1', '0', '11', '1.5']],
  [`/callgraph/${symbolId}`, 'depth', ['-1', '0', '11']],
  ['/search?q=x', 'depth', ['-1', '0', '6']],
  ['/architecture', 'depth', ['-1', '0', '11']],
  ['/hotspots', 'days', ['-1', '0', '36501', '7d']],
  ['/coupling?path=a', 'days', ['0', '36501']],
  ['/unwired', 'minConfidence', shares],
  ['/telemetry/dead-code', 'minConfidence', shares],
  ['/ownership/drift', 'threshold', shares],
  ['/federations/a/hotspots', 'minScore', shares],
  ['/federations/a/hotspots', 'top', ['0', '10001', 'all']],
  ['/docs/coverage', 'topN', ['0', '-1', 'all']],
  ['/index/repos/x/files', 'limit', ['0', '-1', '1.5', '1e3', '2147483648']],
  ['/index/repos/x/changes', 'since', ['-1', '1.5', '9007199254740993']],
];
const choices: readonly (readonly [target: string, path: string, value: string, says: RegExp])[] = [
  ['/complexity?path=a', 'sortBy', 'name', /cyclomatic, cognitive, lines/],
  ['/architecture', 'granularity', 'galaxy', /module, directory, file/],
  ['/architecture', 'format', 'png', /svg/],
  [`/callgraph/${symbolId}`, 'direction', 'up', /callers, callees, both/],
  ['/federations/a/contracts/deps?repoId=a', 'direction', 'up', /consumers, dependencies, both/],
  [`/telemetry/usage/${symbolId}`, 'period', '1y', /7d, 30d, 90d, all/],
  ['/decisions', 'status', 'done', /proposed, accepted/],
  ['/federations/a/contracts', 'contractType', 'grpc', /proto, openapi/],
  ['/federations/a/contracts', 'visibility', 'PUBLIC', /public, internal/],
  ['/search?q=x', 'merge', 'all', /prefer-first, union/],
  ['/index/repos/x/symbols', 'kind', 'klass', /function, method/],
];
/** With what goes before a further parameter. */
const joined = (target: string): string => `${target}${target.includes('?') ? '&' : '?'}`;
const booleans = ['', 'yes', '1', 'TRUE', 'True', 'on', 'null'];

const refused: readonly (readonly [target: string, path: string, says?: RegExp])[] = [
  ...limits.flatMap(
    value =>
      [
        [`/search?q=x&limit=${value}`, 'limit', /an integer from 1 to 10000/],
        [`/refs/${symbolId}?limit=${value}`, 'limit'],
        [`/jobs?limit=${value}`, 'limit'],
      ] as const,
  ),
  ...booleans.flatMap(
    value =>
      [
        [`/refs/${symbolId}?includeTests=${value}`, 'includeTests', /true or false/],
        [`/search?q=x&sync=${value}`, 'sync'],
        [`/complexity?path=a&includeFunctions=${value}`, 'includeFunctions'],
        [`/docs/coverage?exportedOnly=${value}`, 'exportedOnly'],
      ] as const,
  ),
  ...counts.flatMap(([target, path, values]) =>
    values.map(value => [`${joined(target)}${path}=${value}`, path, /from|at (?:least|most)/] as const),
  ),
  ...choices.map(([target, path, value, says]) => [`${joined(target)}${path}=${value}`, path, says] as const),
  ...texts.flatMap(([text, says]) => [
    [`/search?q=${text}`, 'q', says] as const,
    [`/index/repos/x/search/symbols?q=${text}`, 'q', says] as const,
    [`/index/repos/x/search/files?q=${text}`, 'q', says] as const,
  ]),
  ['/search?q=x&limit=1&limit=2', 'limit', /more than once/],
  ['/search?q=x&limit[]=1', 'limit[]', /did you mean limit\?/],
  ['/search?q=x&q=y', 'q', /more than once/],
  ['/search', 'q', /is required/],
  ['/search?q=x&kinds=,,', 'kinds[0]', /function, method/],
  ['/search?q=x&kinds=,,', 'kinds[2]', /^the same as kinds\[0\]$/],
  ['/search?q=x&kinds=', 'kinds[0]'],
  ['/search?q=x&kinds=function,clas', 'kinds[1]', /did you mean class\?/],
  ['/search?q=x&repoStateMode=dirty', 'repoStateMode', /head, full/],
  ['/search?q=x&cursor=', 'cursor'],
  [`/search?q=x&cursor=${'x'.repeat(4000)}`, 'cursor'],
  ['/search?q=x&kind=class', 'kind', /did you mean kinds\?/],
  ['/search?q=x&__proto__=1', '__proto__'],
  ['/search?q=x&constructor=1', 'constructor'],
  ['/search?q=x&toString=1', 'toString'],
  ['/search?q=x&repo=', 'repo'],
  ['/search?q=%zz', 'query'],
  ['/jobs?status=done', 'status', /queued, running/],
  ['/doctor?tier=ultra', 'tier', /fast, standard, full/],
  ['/health?x=1', 'x', /there are none/],
  ['/metrics?x=1', 'x'],
  ['/daemon/events?x=1', 'x'],
  ['/symbol/parseConfig', 'id', /svc:<repo>:sym:/],
  [`/symbol/${symbolId}0`, 'id'],
  [`/symbol/${symbolId}?id=x`, 'id', /belongs in the path/],
  [`/symbol/svc::sym:${'0'.repeat(32)}`, 'id'],
];

test('a parameter that is not what it must be is refused by name', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  for (const [target, path, says] of refused) {
    const answer = await sendRequest(listener, 'GET', target);
    assert.equal(answer.status, 400, target);
    assertOrderly(answer, target, target);
    const problem = problemsIn(answer).find(problem => problem.path === path);
    assert.ok(problem, `${target}: ${answer.body}`);
    if (says !== undefined) assert.match(problem.message, says, target);
  }
  assert.deepEqual(daemon.requests, []);
});

/** What is told to be wrong: the core lists it, the index server says all in one sentence. */
function problemsIn({ body }: RawAnswer): readonly { readonly path: string; readonly message: string }[] {
  const { code, details, error } = JSON.parse(body) as {
    readonly code?: string;
    readonly details?: { readonly problems: readonly { readonly path: string; readonly message: string }[] };
    readonly error: { readonly code: string; readonly message: string };
  };
  assert.equal(code ?? error.code.toUpperCase(), 'INVALID_PARAMETER');
  return (
    details?.problems ??
    error.message.split('; ').map(part => {
      const [path = '', ...words] = part.split(': ');
      return { path, message: words.join(': ') };
    })
  );
}

const body = (value: unknown): string => JSON.stringify(value);
const refusedBodies: readonly (readonly [path: string, body: string, field: string])[] = [
  ...['[]', 'null', '"x"', '1', 'true'].flatMap(text =>
    ['/index', '/pr/summary', '/refresh', '/decisions', '/index/repos/x/symbols:batchGet'].map(
      path => [path, text, 'body'] as const,
    ),
  ),
  ...['x', [1], [], [null], null, Array<string>(1001).fill('a')].map(
    ids => ['/index/repos/x/symbols:batchGet', body({ ids }), 'ids'] as const,
  ),
  ...['/index', '/docs/index', '/refresh', '/federations/a/sync'].flatMap(path =>
    ['true', 1, null].map(force => [path, body({ force }), 'force'] as const),
  ),
  ['/refresh', body({ scope: 'none' }), 'scope'],
  ['/index', body({ language: 'cobol' }), 'language'],
  ['/decisions', body({ title: 'a', status: 'done' }), 'status'],
  ['/decisions', body({ title: 'a', consequences: 'x' }), 'consequences'],
  ['/decisions', body({ title: '' }), 'title'],
  ['/decisions', body({}), 'title'],
  ...[0, -1, 1.5, '2'].map(
    maxDepth =>
      ['/federations/a/contracts/impact', body({ repoId: 'a', path: 'a.proto', maxDepth }), 'maxDepth'] as const,
  ),
  ['/federations/a/sync', body({ repoIds: [null] }), 'repoIds'],
  ['/federations/a/contracts/edges/1/suppress', '{}', 'reason'],
  ['/federations/a/contracts/edges/1/suppress', '', 'reason'],
  ['/federations/a/contracts/edges/1/suppress', body({ reason: '' }), 'reason'],
  ['/federations/a/contracts/edges/1/suppress', body({ reason: 'x'.repeat(10_000) }), 'reason'],
  ['/daemon/repos', body({ root: 7 }), 'root'],
  ['/cache/warm', body({ what: 1 }), 'what'],
];

test('a body that is not what it must be is refused by name: 422', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  for (const [path, text, field] of refusedBodies) {
    const answer = await sendRequest(listener, 'POST', path, {}, text);
    const label = `${path} ${text.slice(0, 80)}: ${answer.body}`;
    assert.equal(answer.status, 422, label);
    assertOrderly(answer, label, path);
    assert.ok(
      problemsIn(answer).some(problem => problem.path.split(/[[.]/)[0] === field),
      label,
    );
  }
  for (const id of ['abc', '-1', '0', '1.5', '01', '9223372036854775808']) {
    for (const does of ['suppress', 'verify']) {
      const path = `/federations/a/contracts/edges/${id}/${does}`;
      const answer = await sendRequest(listener, 'POST', path, {}, does === 'verify' ? '' : '{"reason":"r"}');
      assert.equal(answer.status, 400, path);
      assert.deepEqual(
        problemsIn(answer).map(problem => problem.path),
        ['edgeId'],
        path,
      );
    }
  }
  assert.deepEqual(daemon.requests, []);
});

test('every problem is listed at once, each once', async t => {
  const listener = await openListener(t, tableDaemon());
  const answer = await sendRequest(listener, 'GET', '/search?limit=0&limit=1&kinds=x&sync=1&qq=1');
  const { details } = JSON.parse(answer.body) as { details: { problems: { path: string }[] } };
  const paths = details.problems.map(problem => problem.path);
  assert.deepEqual([...paths].sort(), ['kinds[0]', 'limit', 'q', 'qq', 'sync']);
});

const literal = [...literalQueries, '_', '__proto__'];

test('a query means what it says', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  for (const q of literal) {
    const answer = await sendRequest(listener, 'GET', `/search?q=${encodeURIComponent(q)}`);
    assert.equal(answer.status, 200, q);
    assert.equal(daemon.requests.at(-1)?.input['q'], q);
  }
});

test('values arrive with their types, defaults in place', async t => {
  const listener = await openListener(t, tableDaemon());
  const ask = async (method: string, target: string, headers = {}, body = '') => {
    const answer = await sendRequest(listener, method, target, headers, body);
    assert.equal(answer.status, 200, `${target}: ${answer.body}`);
    return (JSON.parse(answer.body) as { input: unknown }).input;
  };
  assert.deepEqual(await ask('GET', '/search?q=a+b%2Bc&kinds=class,enum-member&sync=true'), {
    q: 'a b+c',
    kinds: ['class', 'enum-member'],
    sync: true,
    ...{ limit: 50, depth: 1, includeExternal: false, merge: 'prefer-first', refresh: false },
    repoStateMode: 'full',
  });
  assert.deepEqual(await ask('GET', '/jobs?limit=10000'), { limit: 10000 });
  assert.deepEqual(await ask('POST', '/index?repo=app&sync=true', {}, '{"force":true}'), {
    force: true,
    language: 'auto',
    repo: 'app',
    sync: true,
  });
  assert.deepEqual(await ask('POST', '/index', { 'X-SVC-Repo': '/src/app' }), {
    force: false,
    language: 'auto',
    repo: '/src/app',
    sync: false,
  });
});

test('ids hold slashes, raw or encoded', async t => {
  const listener = await openListener(t, tableDaemon());
  const id = `svc:acme/x y/ü:sym:${'a'.repeat(32)}`;
  const raw = encodeURI(id);
  for (const path of [raw, encodeURIComponent(id)]) {
    const answer = await sendRequest(listener, 'GET', `/symbol/${path}`);
    assert.equal((JSON.parse(answer.body) as { input: { id: string } }).input.id, id, path);
  }
  for (const path of ['/daemon/repos/acme/x/trust', '/daemon/repos/acme%2Fx/trust']) {
    const answer = await sendRequest(listener, 'POST', path, {}, '{"revoke":true}');
    const { operation, input } = JSON.parse(answer.body) as { operation: string; input: object };
    assert.deepEqual([operation, input], ['daemon.trustRepo', { id: 'acme/x', revoke: true }]);
  }
  const removed = await sendRequest(listener, 'DELETE', '/daemon/repos/acme/x');
  assert.deepEqual((JSON.parse(removed.body) as { input: object }).input, { id: 'acme/x' });
});

test('two places that disagree are refused, and where a field belongs is said', async t => {
  const listener = await openListener(t, tableDaemon());
  const cases = [
    ['/index?sync=true', '{"sync":false}', 'sync'],
    ['/index?force=true', '', 'force'],
    ['/daemon/repos/app/trust', '{"id":"other"}', 'id'],
  ] as const;
  for (const [target, body, path] of cases) {
    const answer = await sendRequest(listener, 'POST', target, {}, body);
    assert.equal(answer.status, 400, target);
    assert.match(answer.body, new RegExp(`"path":"${path}"`), target);
  }
  const twice = await sendRequest(listener, 'GET', '/status', { 'X-SVC-Repo': 'a\r\nX-SVC-Repo: a' });
  assert.deepEqual([twice.status, JSON.parse(twice.body).error], [400, 'X-SVC-Repo: is given more than once']);
});

test('names of the repository that differ are left to the daemon, which knows what they mean', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  const query = { place: 'the query', name: 'a' };
  const header = { place: 'X-SVC-Repo', name: 'b' };
  const cases = [
    ['GET', '/status?repo=a', 'b', '', 'a', [header]],
    ['POST', '/index?repo=a', undefined, '{"repo":"c"}', 'c', [query]],
    ['POST', '/index', 'b', '{"repo":"c"}', 'c', [header]],
    ['POST', '/index?repo=a', 'b', '{"repo":"c"}', 'c', [query, header]],
    ['POST', '/index?repo=a', 'b', '', 'a', [header]],
    ['POST', '/index?repo=a', 'a', '{"repo":"a"}', 'a', undefined],
    ['GET', '/status', 'a, a', '', 'a, a', undefined],
  ] as const;
  for (const [method, target, repoHeader, body, repo, others] of cases) {
    const answer = await sendRequest(listener, method, target, { 'X-SVC-Repo': repoHeader }, body);
    const { input, otherRepos } = daemon.requests.at(-1)!;
    assert.deepEqual(
      [answer.status, input['repo'], otherRepos],
      [200, repo, others],
      `${target} ${repoHeader} ${body}`,
    );
  }
});

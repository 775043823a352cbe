import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openListener, sendRequest, symbolId, tableDaemon } from './listener.ts';

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
      ] as const,
  ),
  ['/search?q=x&limit=1&limit=2', 'limit', /more than once/],
  ['/search?q=x&limit[]=1', 'limit[]', /did you mean limit\?/],
  ['/search?q=x&q=y', 'q', /more than once/],
  ['/search', 'q', /is required/],
  ['/search?q=', 'q'],
  ['/search?q=%20%09', 'q', /blank/],
  [`/search?q=${'x'.repeat(1025)}`, 'q'],
  ['/search?q=a%00b', 'q', /NUL/],
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
    const { code, details } = JSON.parse(answer.body) as {
      code: string;
      details: { problems: { path: string; message: string }[] };
    };
    assert.equal(code, 'INVALID_PARAMETER', target);
    const problem = details.problems.find(problem => problem.path === path);
    assert.ok(problem, `${target}: ${answer.body}`);
    if (says !== undefined) assert.match(problem.message, says, target);
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

const literal = [
  '"',
  'a AND',
  'NEAR(',
  '*',
  'col:x',
  'a^',
  '((((a',
  '%',
  '_',
  "'; DROP TABLE--",
  '😀',
  '\u202eabc',
  '__proto__',
];

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

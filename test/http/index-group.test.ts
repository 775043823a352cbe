import assert from 'node:assert/strict';
import { test } from 'node:test';
import { httpCaller } from '../../client/http.ts';
import type { AskedOfIndex } from '../../client/protocol/caller.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { matchRoute } from '../../http/routes.ts';
import { codeOf, doorOf, key } from './index-door.ts';
import { failingWith, openListener, sendRaw, sendRequest, tableDaemon, token } from './listener.ts';

const routed: readonly (readonly [method: string, path: string, found: string | readonly string[]])[] = [
  ['GET', '/index/repos', ['indexServer.repos']],
  ['HEAD', '/index/repos', ['indexServer.repos']],
  ['GET', '/index/repos/acme/x/meta', ['indexServer.meta', 'acme/x']],
  ['GET', '/index/repos/acme%2Fx/meta', ['indexServer.meta', 'acme%2Fx']],
  ['GET', '/index/repos/acme/x/files', ['indexServer.files', 'acme/x']],
  ['GET', '/index/repos/acme/x/symbols', ['indexServer.symbols', 'acme/x']],
  ['GET', '/index/repos/acme/x/symbols/svc:acme/x:sym:0', ['indexServer.symbol', 'acme/x', 'svc:acme/x:sym:0']],
  ['POST', '/index/repos/acme/x/symbols:batchGet', ['indexServer.batchGet', 'acme/x']],
  ['POST', '/index/repos/acme%2Fx/symbols%3AbatchGet', ['indexServer.batchGet', 'acme%2Fx']],
  ['POST', '/index/repos/acme%2Fx/symbols%3abatchGet', ['indexServer.batchGet', 'acme%2Fx']],
  ['GET', '/index/repos/acme/x/symbols%3AbatchGet', 'POST, OPTIONS'],
  ['GET', '/index/repos/acme/x/search/symbols', ['indexServer.searchSymbols', 'acme/x']],
  ['GET', '/index/repos/acme/x/search/files', ['indexServer.searchFiles', 'acme/x']],
  ['GET', '/index/repos/acme/x/changes', ['indexServer.changes', 'acme/x']],
  ['POST', '/index/repos/acme/x/upload', ['indexServer.upload', 'acme/x']],
  ['DELETE', '/index/repos/acme/x', ['indexServer.delete', 'acme/x']],
  ['GET', '/index/repos/acme/x', 'DELETE, OPTIONS'],
  ['GET', '/index/repos/acme%2Fx', 'DELETE, OPTIONS'],
  ['GET', '/index/repos/acme%2Fx/bogus', ''],
  ['GET', '/index/repos/x/upload', 'POST, OPTIONS'],
  ['POST', '/index/repos', 'GET, HEAD, OPTIONS'],
];

test('ids hold slashes, raw or encoded, and the longest template wins', () => {
  for (const [method, path, expected] of routed) {
    const match = matchRoute(method, path);
    const found =
      match.kind === 'route'
        ? [match.route.name, ...match.rawFields]
        : match.kind === 'wrong-method'
          ? match.allow
          : '';
    assert.deepEqual(found, expected, `${method} ${path}`);
  }
});

test('whoever the door lets in is the one who asks, of the index server that the listener has', async t => {
  const daemon = tableDaemon();
  const seen: AskedOfIndex[] = [];
  const listener = await openListener(t, daemon, {
    indexServer: doorOf({ verdict: key, remaining: 7.9, key: key.id }, seen),
  });
  const answer = await sendRequest(listener, 'GET', '/index/repos/acme%2Fx/meta', {
    Authorization: 'Bearer k',
    'X-Forwarded-For': '10.0.0.1',
  });
  assert.deepEqual([answer.status, answer.headers['x-ratelimit-remaining']], [200, '7']);
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.deepEqual(seen, [{ authorization: 'Bearer k', method: 'GET', address: '127.0.0.1' }]);
  const [request] = daemon.requests;
  assert.deepEqual([request?.indexServer, request?.principal, request?.input['repo']], ['mine', key, 'acme/x']);
  assert.deepEqual(
    listener.answered.map(({ key: id, operation }) => [id, operation]),
    [['svc_key_1', 'indexServer.meta']],
  );
  const elsewhere = await sendRequest(listener, 'GET', '/status', { Authorization: 'Bearer k' });
  assert.equal(elsewhere.status, 401, 'such a key is good for nothing else');
  assert.equal(seen.length, 1);
  const ours = await sendRequest(listener, 'GET', '/jobs');
  assert.deepEqual([ours.status, ours.headers['x-ratelimit-remaining']], [200, undefined]);
  assert.equal(daemon.requests.at(-1)?.indexServer, undefined);
});

test('what the door refuses is told in the group’s words, and nothing else with it', async t => {
  const daemon = tableDaemon();
  const refusals: readonly (readonly [
    Fault,
    number | undefined,
    number,
    string,
    Readonly<Record<string, string | undefined>>,
  ])[] = [
    [new Fault('missingToken', 'No key'), undefined, 401, 'missing_token', { 'www-authenticate': 'Bearer' }],
    [new Fault('invalidToken', 'No such'), undefined, 401, 'invalid_token', { 'www-authenticate': 'Bearer' }],
    [new Fault('expiredToken', 'Over'), undefined, 401, 'expired_token', { 'www-authenticate': 'Bearer' }],
    [new Fault('revokedToken', 'Gone'), 3, 401, 'revoked_token', { 'x-ratelimit-remaining': '3' }],
    [
      new Fault('rateLimited', 'Later', { retryAfterSeconds: 2.1 }),
      ...([0, 429, 'rate_limited', { 'retry-after': '3', 'x-ratelimit-remaining': '0' }] as const),
    ],
  ];
  for (const [verdict, remaining, status, code, headers] of refusals) {
    const listener = await openListener(t, daemon, { indexServer: doorOf({ verdict, remaining }) });
    for (const [method, path] of [...routed, ['GET', '/index/repos/', '']] as const) {
      const answer = await sendRequest(listener, method, path);
      if (method === 'HEAD') continue;
      assert.deepEqual([answer.status, codeOf(answer)], [status, code], `${method} ${path}`);
      for (const [name, value] of Object.entries(headers)) assert.equal(answer.headers[name], value, name);
      assert.equal(answer.headers['allow'], undefined);
    }
  }
  assert.deepEqual(daemon.requests, []);
});

test('a secret of the configuration is struck out of the query that the log is told', async t => {
  const secret = 'a-key/of=the+configuration';
  const encoded = encodeURIComponent(secret);
  const listener = await openListener(t, tableDaemon(), {
    indexServer: doorOf({ verdict: key, remaining: 1 }, [], secret),
  });
  for (const [query, told] of [
    [`q=${encoded}&limit=3`, 'q=***&limit=3'],
    [`limit=3&q=${secret}`, 'limit=3&q=***'],
    [`${encoded}&q=`, '***&q='],
    ['q=a-name-of-the-configuration', 'q=a-name-of-the-configuration'],
    ['q=%zz', 'q=%zz'],
  ] as const) {
    await sendRequest(listener, 'GET', `/index/repos/x/search/symbols?${query}`);
    assert.equal(listener.answered.at(-1)?.query, told);
  }
});

test('a listener without an index server says so', async t => {
  const listener = await openListener(t, tableDaemon(), { indexServer: undefined });
  for (const Authorization of [undefined, `Bearer ${token}`, 'Bearer x']) {
    const answer = await sendRequest(listener, 'GET', '/index/repos/x/files', { Authorization });
    assert.deepEqual([answer.status, codeOf(answer)], [404, 'index_server_disabled']);
  }
  const page = await sendRequest(listener, 'GET', '/index/repos', { Authorization: 'Bearer x', Origin: 'http://evil' });
  assert.deepEqual([page.status, codeOf(page)], [403, 'untrusted_origin']);
});

test('a page of another site is let in for a key alone', async t => {
  const nobody = { kind: 'key', id: 'anonymous', scope: 'read', repos: ['*'] } as const;
  for (const [verdict, Authorization, status] of [
    [key, 'Bearer k', 200],
    [nobody, 'Bearer k', 403],
    [nobody, undefined, 403],
    [{ kind: 'owner' }, `Bearer ${token}`, 200],
    [new Fault('missingToken', 'No'), undefined, 403],
  ] as const) {
    const listener = await openListener(t, tableDaemon(), { indexServer: doorOf({ verdict, remaining: 1 }) });
    const answer = await sendRequest(listener, 'GET', '/index/repos', {
      Authorization,
      Origin: 'https://evil.example',
    });
    assert.equal(answer.status, status);
    if (status === 403) assert.equal(codeOf(answer), 'untrusted_origin');
    assert.equal(
      (await sendRequest(listener, 'GET', '/index/repos', { Authorization })).status === 200,
      !(verdict instanceof Fault),
    );
  }
});

const wrong: readonly (readonly [
  label: string,
  method: string,
  target: string,
  status: number,
  code: string,
  body?: string,
])[] = [
  ['unknown path', 'GET', '/index/repos/', 404, 'not_found'],
  ['wrong method', 'GET', '/index/repos/x', 405, 'method_not_allowed'],
  ['no number', 'GET', '/index/repos/x/files?limit=0', 400, 'invalid_parameter'],
  ['bad encoding', 'GET', '/index/repos/%zz/files', 400, 'invalid_parameter'],
  ['bad encoding in the query', 'GET', '/index/repos/x/files?cursor=%zz', 400, 'invalid_parameter'],
  ['too long a URL', 'GET', `/index/repos/${'x'.repeat(9000)}/files`, 414, 'uri_too_long'],
  ['too long an id', 'GET', `/index/repos/${'x'.repeat(5000)}/files`, 400, 'invalid_parameter'],
  ['a body that breaks its schema', 'POST', '/index/repos/x/symbols:batchGet', 422, 'invalid_parameter', '{"ids":"x"}'],
  ['a body that is no JSON', 'POST', '/index/repos/x/symbols:batchGet', 400, 'invalid_parameter', '{'],
  [
    'a body beyond its limit',
    'POST',
    '/index/repos/x/symbols:batchGet',
    413,
    'payload_too_large',
    `"${'x'.repeat(1 << 20)}"`,
  ],
];

test('errors of the facade have the group’s body as well', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  for (const [label, method, target, status, code, body] of wrong) {
    const answer = await sendRequest(listener, method, target, {}, body);
    assert.deepEqual([answer.status, codeOf(answer, label)], [status, code], label);
  }
  const get = await sendRequest(listener, 'GET', '/index/repos/x');
  assert.equal(get.headers['allow'], 'DELETE, OPTIONS');
  const head = `GET /index/repos HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`;
  const raw: readonly (readonly [string, number, string])[] = [
    [`${head}X-Long: ${'x'.repeat(17_000)}\r\n\r\n`, 431, 'headers_too_large'],
    [`${head}X-Long: ${'x'.repeat(60_000)}\r\n\r\n`, 431, 'headers_too_large'],
    [`${head}a b\r\n\r\n`, 400, 'invalid_parameter'],
    [`GET /index/repos HTTP/1.1\r\n\r\n`, 400, 'invalid_parameter'],
    [`GET /index/repos HTTP/1.1\r\nHost: evil.example\r\n\r\n`, 403, 'untrusted_host'],
    [`${head}Expect: 200-maybe\r\n\r\n`, 417, 'expectation_failed'],
  ];
  for (const [bytes, status, code] of raw) {
    const answer = await sendRaw(listener.port, bytes);
    assert.deepEqual([answer.status, codeOf(answer)], [status, code], bytes.slice(0, 80));
  }
  assert.deepEqual(daemon.requests, []);
  const two = await sendRequest(listener, 'GET', '/index/repos/x/files?limit=0&x=1&x=2');
  assert.match(two.body, /limit: must be .*; x: |x: is given more than once.*; limit: must be/);
});

test('who asks is found out before what is asked is looked at, and what remains is told with every error', async t => {
  const daemon = tableDaemon();
  const stranger = new Fault('missingToken', 'No key');
  const long = 'x'.repeat(9000);
  const malformed: readonly (readonly [method: string, target: string, status: number, header?: string])[] = [
    ['GET', '/index/repos/%zz/files', 400],
    ['GET', '/index/repos/%ff', 400],
    ['POST', '/index/repos/%zz/upload', 400],
    ['GET', `/index/repos/${long}/files`, 414],
    ['GET', '/index/repos', 431, `X-Long: ${'x'.repeat(17_000)}`],
    ['GET', '/index/repos', 417, 'Expect: 200-maybe'],
    ['GET', '/index/repos/', 404],
    ['PUT', '/index/repos/x', 405],
    ['GET', '/index/repos/x/files?limit=0', 400],
    ['POST', '/index/repos/x/symbols:batchGet', 422, 'Content-Type: application/json'],
  ];
  for (const verdict of [key, stranger]) {
    const seen: AskedOfIndex[] = [];
    const listener = await openListener(t, daemon, { indexServer: doorOf({ verdict, remaining: 5 }, seen) });
    const ask = (method: string, target: string, header = '', host = 'localhost') =>
      sendRaw(
        listener.port,
        `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${header === '' ? '' : `${header}\r\n`}\r\n`,
      );
    for (const [method, target, status, header] of malformed) {
      const answer = await ask(method, target, header);
      const label = `${method} ${target.slice(0, 40)} ${header?.slice(0, 20)}`;
      assert.equal(answer.status, verdict === stranger ? 401 : status, label);
      assert.equal(answer.headers['x-ratelimit-remaining'], '5', label);
      codeOf(answer, label);
    }
    assert.equal(seen.length, malformed.length, 'each is counted once');
    for (const [method, target, status, host] of [
      ['GET', '/index/repos/%zz', 403, 'evil.example'],
      ['OPTIONS', '/index/repos/%zz', 400, 'localhost'],
      ['OPTIONS', '/index/repos', 204, 'localhost'],
      ['GET', '/status/%zz', 400, 'localhost'],
    ] as const) {
      const answer = await ask(method, target, '', host);
      assert.deepEqual([answer.status, answer.headers['x-ratelimit-remaining']], [status, undefined], target);
    }
    assert.equal(seen.length, malformed.length);
  }
  assert.deepEqual(daemon.requests, []);
});

test('what the daemon says comes in the group’s codes, and back through a client as the fault it was', async t => {
  const faults: readonly (readonly [Fault, number, string])[] = [
    [new Fault('repoNotFound', 'None'), 404, 'repo_not_found'],
    [new Fault('symbolNotFound', 'None'), 404, 'symbol_not_found'],
    [new Fault('insufficientScope', 'No'), 403, 'insufficient_scope'],
    [new Fault('repoNotAllowed', 'No'), 403, 'repo_not_allowed'],
    [new Fault('configRepo', 'No'), 403, 'config_repo'],
    [new Fault('invalidCursor', 'No'), 400, 'invalid_cursor'],
    [new Fault('cursorExpired', 'Old'), 410, 'cursor_expired'],
    [new Fault('invalidScip', 'No'), 400, 'invalid_scip'],
    [new Fault('tooLarge', 'Big'), 413, 'payload_too_large'],
    [new Fault('notReady', 'Wait', { retryAfterSeconds: 4 }), 503, 'not_ready'],
    [new Fault('rateLimited', 'Wait'), 429, 'rate_limited'],
    [new Fault('timeout', 'Late'), 504, 'timeout'],
    [new Fault('storageFailed', 'Full', { details: { reason: 'disk_full' } }), 503, 'disk_full'],
  ];
  for (const [fault, status, code] of faults) {
    const listener = await openListener(t, tableDaemon({ 'indexServer.files': failingWith(fault) }));
    const answer = await sendRequest(listener, 'GET', '/index/repos/x/files');
    assert.deepEqual([answer.status, codeOf(answer)], [status, code]);
    const client = httpCaller({ url: listener.url, token });
    await assert.rejects(client.call('indexServer.files', { repo: 'x' }), (error: unknown) => {
      assert.ok(error instanceof Fault);
      if (code !== 'disk_full') assert.equal(error.reason, fault.reason);
      assert.deepEqual([error.row.status, error.message], [status, fault.message]);
      return true;
    });
    await client.close();
  }
  const broken = await openListener(t, tableDaemon({ 'indexServer.files': failingWith(new Error('canary')) }));
  const answer = await sendRequest(broken, 'GET', '/index/repos/x/files');
  assert.deepEqual([answer.status, codeOf(answer)], [500, 'operation_failed']);
  assert.doesNotMatch(answer.body, /canary/);
});

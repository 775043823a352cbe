import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { httpCaller } from '../../client/http.ts';
import type { Admission, AskedOfIndex, IndexDoor } from '../../client/protocol/caller.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { matchRoute } from '../../http/routes.ts';
import { patienceMs } from '../support/daemon.ts';
import {
  failingWith,
  openListener,
  type RawAnswer,
  type Row,
  sendRaw,
  sendRequest,
  tableDaemon,
  token,
} from './listener.ts';

const key = { kind: 'key', id: 'svc_key_1', scope: 'read', repos: ['*'] } as const;

function doorOf(admission: Admission, seen: AskedOfIndex[] = []): { readonly name: string; readonly door: IndexDoor } {
  return {
    name: 'mine',
    door: {
      admit(asked) {
        seen.push(asked);
        return admission;
      },
    },
  };
}

/** Every error of the group has its body. */
function codeOf(answer: RawAnswer, label = ''): string {
  assert.equal(answer.headers['content-type'], 'application/json', label);
  const body = JSON.parse(answer.body) as { error: { code: string; message: string } };
  assert.deepEqual(Object.keys(body), ['error'], label);
  assert.deepEqual(Object.keys(body.error), ['code', 'message'], label);
  assert.match(body.error.code, /^[a-z_]+$/, label);
  assert.notEqual(body.error.message, '', label);
  return body.error.code;
}

const routed: readonly (readonly [method: string, path: string, found: string | readonly string[]])[] = [
  ['GET', '/index/repos', ['indexServer.repos']],
  ['HEAD', '/index/repos', ['indexServer.repos']],
  ['GET', '/index/repos/acme/x/meta', ['indexServer.meta', 'acme/x']],
  ['GET', '/index/repos/acme%2Fx/meta', ['indexServer.meta', 'acme%2Fx']],
  ['GET', '/index/repos/acme/x/files', ['indexServer.files', 'acme/x']],
  ['GET', '/index/repos/acme/x/symbols', ['indexServer.symbols', 'acme/x']],
  ['GET', '/index/repos/acme/x/symbols/svc:acme/x:sym:0', ['indexServer.symbol', 'acme/x', 'svc:acme/x:sym:0']],
  ['POST', '/index/repos/acme/x/symbols:batchGet', ['indexServer.batchGet', 'acme/x']],
  ['GET', '/index/repos/acme/x/search/symbols', ['indexServer.searchSymbols', 'acme/x']],
  ['GET', '/index/repos/acme/x/search/files', ['indexServer.searchFiles', 'acme/x']],
  ['GET', '/index/repos/acme/x/changes', ['indexServer.changes', 'acme/x']],
  ['POST', '/index/repos/acme/x/upload', ['indexServer.upload', 'acme/x']],
  ['DELETE', '/index/repos/acme/x', ['indexServer.delete', 'acme/x']],
  ['GET', '/index/repos/acme/x', 'DELETE, OPTIONS'],
  ['GET', '/index/repos/x/upload', 'POST, DELETE, OPTIONS'],
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
  const head = `GET /index/repos HTTP/1.1\r\nHost: localhost\r\n`;
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

/** Reads the body and says how much there was. */
const reading: Row = async (_, input) => {
  const bytes = await buffer(input['body'] as Readable);
  return {
    kind: 'document',
    body: JSON.stringify({ bytes: bytes.length, commit: input['commit'], encoding: input['encoding'] }),
  };
};
const uploadPath = '/index/repos/acme/x/upload';
const octets = { 'Content-Type': 'application/octet-stream' };
const commit = 'a'.repeat(40);

test('an upload’s body is handed on as it is, its headers are fields', async t => {
  const listener = await openListener(t, tableDaemon({ 'indexServer.upload': reading }));
  const body = 'x'.repeat(3 * 1024 * 1024);
  const headers = { ...octets, 'X-SVC-Commit': commit, 'Content-Encoding': 'gzip' };
  const answer = await sendRequest(listener, 'POST', uploadPath, headers, body);
  assert.deepEqual([answer.status, JSON.parse(answer.body)], [200, { bytes: body.length, commit, encoding: 'gzip' }]);
  const typed = { 'Content-Type': 'Application/Octet-Stream; v=1' };
  assert.equal((await sendRequest(listener, 'POST', uploadPath, typed, 'x')).status, 200);
  assert.equal((await sendRequest(listener, 'POST', uploadPath, octets)).status, 200, 'an empty one is the handler’s');
  const chunked = `5\r\nhello\r\n0\r\n\r\n`;
  const inChunks = { ...octets, 'Transfer-Encoding': 'chunked', 'Content-Length': undefined };
  const came = await sendRequest(listener, 'POST', uploadPath, inChunks, chunked);
  assert.equal((JSON.parse(came.body) as { bytes: number }).bytes, 5);
});

test('what is wrong with an upload’s headers is named by the header', async t => {
  const daemon = tableDaemon({ 'indexServer.upload': reading });
  const listener = await openListener(t, daemon);
  const refusals: readonly (readonly [string, string, number, string, RegExp])[] = [
    ['', 'Content-Type: application/json', 415, 'unsupported_media_type', /application\/octet-stream/],
    ['', 'Content-Type: application/octet-streams', 415, 'unsupported_media_type', /application\/octet-stream/],
    ['', 'X-Nothing: 1', 415, 'unsupported_media_type', /application\/octet-stream/],
    ['', 'X-SVC-Commit: HEAD', 400, 'invalid_parameter', /"X-SVC-Commit: must be the full hash/],
    [
      '',
      `X-SVC-Commit: ${commit}\r\nX-SVC-Commit: ${commit}`,
      400,
      'invalid_parameter',
      /"X-SVC-Commit: is given more than once/,
    ],
    [`?commit=${commit}`, 'A: b', 400, 'invalid_parameter', /commit: belongs in the header X-SVC-Commit/],
    ['?body=x', 'A: b', 400, 'invalid_parameter', /body: belongs in the body/],
  ];
  for (const [query, header, status, code, says] of refusals) {
    const type = status === 415 ? '' : 'Content-Type: application/octet-stream\r\n';
    const head = `POST ${uploadPath}${query} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${type}${header}\r\n`;
    const answer = await sendRaw(listener.port, `${head}Content-Length: 3\r\n\r\nabc`);
    assert.deepEqual([answer.status, codeOf(answer)], [status, code], header);
    assert.match(answer.body, says);
  }
  assert.deepEqual(daemon.requests, []);
});

test('who is refused in the middle of a body is told, and the connection ends', { timeout: patienceMs }, async t => {
  const leaving: Row = async (_, input) => {
    for await (const _chunk of input['body'] as Readable) throw new Fault('tooLarge', 'Too large');
    throw new Error('nothing came');
  };
  const refusing = failingWith(new Fault('insufficientScope', 'No'));
  for (const [row, code] of [
    [leaving, 'payload_too_large'],
    [refusing, 'insufficient_scope'],
  ] as const) {
    const listener = await openListener(t, tableDaemon({ 'indexServer.upload': row }), { limits: { lingerMs: 50 } });
    const socket = connect(listener.port, '127.0.0.1');
    let received = '';
    socket.on('data', chunk => {
      received += chunk.toString();
    });
    socket.on('error', () => {});
    socket.write(
      `POST ${uploadPath} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000000000\r\n\r\n${'x'.repeat(100_000)}`,
    );
    // It goes on sending, as one does who looks for answers at the end.
    const more = setInterval(() => socket.write('x'.repeat(100_000)), 5);
    await once(socket, 'close');
    clearInterval(more);
    assert.equal(listener.answered.length, 1);
    assert.match(received, new RegExp(`^HTTP/1.1 4\\d\\d [\\s\\S]*\r\nConnection: close\r\n[\\s\\S]*"${code}"`, 'i'));
  }
});

test('who asks first is told to go on when somebody reads, and not where nobody does', async t => {
  const row: Row = (request, input) =>
    input['encoding'] === 'none' ? failingWith(new Fault('configRepo', 'No'))(request, input) : reading(request, input);
  const listener = await openListener(t, tableDaemon({ 'indexServer.upload': row }), { limits: { lingerMs: 50 } });
  const ask = async (path: string, type: string, more: string, body: string): Promise<string> => {
    const socket = connect(listener.port, '127.0.0.1');
    let received = '';
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\n${more}Content-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
    socket.on('data', chunk => {
      received += chunk.toString();
      if (received === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body);
    });
    await once(socket, 'close');
    return received;
  };
  const type = 'application/octet-stream';
  assert.match(await ask(uploadPath, type, '', 'hello'), /^HTTP\/1.1 100 [\s\S]*HTTP\/1.1 200 [\s\S]*"bytes":5/);
  assert.match(await ask(uploadPath, type, 'Content-Encoding: none\r\n', 'hello'), /^HTTP\/1.1 403 [\s\S]*config_repo/);
  const json = await ask('/index/repos/x/symbols:batchGet', 'application/json', '', '{"ids":["a"]}');
  assert.match(json, /^HTTP\/1.1 100 [\s\S]*HTTP\/1.1 200 /);
});

test('a body that stops is cut: one that is handed on when nothing comes, any other when its time is over', {
  timeout: patienceMs,
}, async t => {
  const limits = { silentBodyMs: 150, requestTimeoutMs: 150, lingerMs: 20 };
  let failure: unknown;
  const row: Row = async (request, input) => {
    try {
      return await reading(request, input);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const daemon = tableDaemon({ 'indexServer.upload': row });
  const listener = await openListener(t, daemon, { limits });
  const head = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n`;
  const silent = await sendRaw(listener.port, `${head(uploadPath, 'application/octet-stream')}abc`);
  assert.deepEqual([silent.status, codeOf(silent)], [408, 'request_timeout']);
  assert.ok(failure instanceof Fault && failure.reason === 'requestTimeout');
  assert.equal(daemon.requests[0]?.abort.signal.aborted, true);

  const slow = await sendRaw(listener.port, `${head('/index/repos/x/symbols:batchGet', 'application/json')}{"ids"`);
  assert.deepEqual([slow.status, codeOf(slow)], [408, 'request_timeout']);
  assert.equal((await sendRaw(listener.port, `${head('/index', 'application/json')}{`)).status, 408);
  assert.deepEqual(
    listener.answered.filter(({ status }) => status === 408).map(({ fault }) => fault),
    ['requestTimeout', 'requestTimeout', 'requestTimeout'],
  );

  // Ten times as long as either limit, and never silent for as long.
  const socket = connect(listener.port, '127.0.0.1');
  socket.write(head(uploadPath, 'application/octet-stream'));
  let sent = 0;
  const drip = setInterval(() => {
    socket.write('xx');
    sent += 2;
    if (sent === 100) clearInterval(drip);
  }, 30);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  clearInterval(drip);
  assert.match(answer.toString(), /^HTTP\/1.1 200 [\s\S]*"bytes":100/);
  socket.destroy();
});

test('a client that goes away in the middle fails whoever reads', { timeout: patienceMs }, async t => {
  let failure: unknown;
  const row: Row = (request, input) =>
    Promise.resolve(reading(request, input)).catch((error: unknown) => {
      failure = error;
      throw error;
    });
  const daemon = tableDaemon({ 'indexServer.upload': row });
  const listener = await openListener(t, daemon);
  const socket = connect(listener.port, '127.0.0.1');
  socket.write(
    `POST ${uploadPath} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/octet-stream\r\nContent-Length: 100\r\n\r\nabc`,
  );
  while (daemon.requests.length === 0) await setImmediate();
  socket.destroy();
  while (!listener.answered.some(({ status }) => status === 499) || failure === undefined) await setImmediate();
  assert.match(String(failure), /went away/);
  const uploaded = listener.answered.filter(({ operation }) => operation === 'indexServer.upload');
  assert.deepEqual([uploaded[0]?.status, daemon.requests[0]?.abort.signal.aborted], [499, true]);
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Fault, type FaultReason, faultTable } from '../../client/protocol/faults.ts';
import { openApiDocument } from '../../client/protocol/openapi.ts';
import { packageRoot } from '../../daemon/package-root.ts';
import { matchRoute } from '../../http/routes.ts';
import { patienceMs } from '../support/daemon.ts';
import {
  failingWith,
  openListener,
  type RawAnswer,
  sendRaw,
  sendRequest,
  symbolId,
  tableDaemon,
  token,
} from './listener.ts';

/** Whatever came, the answer must be one that a program can read and a person can trace. */
function assertOrderly(answer: RawAnswer, label: string): Record<string, unknown> {
  assert.equal(answer.headers['access-control-allow-origin'], '*', label);
  assert.match(answer.headers['x-request-id'] ?? '', /^[\x20-\x7e]{1,128}$/, label);
  assert.equal(answer.headers['x-content-type-options'], 'nosniff', label);
  assert.equal(answer.headers['content-type'], 'application/json', label);
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  assert.deepEqual(Object.keys(body), ['error', 'code', 'details', 'suggestedFixes', 'drilldowns'], label);
  assert.doesNotMatch(answer.body, /node_modules|at .*\.js|SELECT|FST_ERR/, label);
  assert.equal(answer.body.includes(packageRoot), false, label);
  return body;
}

const described = openApiDocument({ version: '0.0.0' })['paths'] as Record<
  string,
  Record<string, { readonly responses: Readonly<Record<string, unknown>> }>
>;

/** Whoever reads the description knows every status that a route answers with. */
function assertDeclared(bytes: string, status: number, label: string): void {
  const [method = '', target = ''] = bytes.split(' ');
  const match = matchRoute(method, target.split('?')[0]!);
  if (match.kind !== 'route') return;
  const path = match.route.binding.path.replace(/(?<=\/):([A-Za-z]+)\*?/g, '{$1}');
  const { responses } = described[path]![match.route.binding.method.toLowerCase()]!;
  assert.ok(String(status) in responses, `${label}: ${method} ${path} does not declare ${status}`);
}

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n');

const corpus: readonly (readonly [label: string, status: number, bytes: string])[] = [
  ['not HTTP at all', 400, 'hello there\r\n\r\n'],
  ['TLS hello', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['no Host', 400, `GET /health HTTP/1.1\r\n\r\n`],
  ['HTTP/1.0 without Host', 400, `GET /health HTTP/1.0\r\n\r\n`],
  ['two Hosts', 400, get('/health', 'Host: localhost')],
  ['absolute-form target', 400, get('http://localhost/health')],
  ['absolute-form target of another host', 400, get('http://evil.example/health')],
  ['bad percent-encoding', 400, get('/symbol/%zz')],
  ['truncated percent-encoding', 400, get('/symbol/%4')],
  ['percent-encoding that is not UTF-8', 400, get('/symbol/%ff%fe')],
  ['bad percent-encoding in the query', 400, get('/search?q=%zz')],
  ['too long a parameter', 400, get(`/symbol/${'x'.repeat(5000)}`)],
  ['too long a URL', 414, get(`/symbol/${'x'.repeat(9000)}`)],
  ['headers beyond their limit', 431, get('/health', `X-Long: ${'x'.repeat(17_000)}`)],
  ['headers beyond what is read', 431, get('/health', `X-Long: ${'x'.repeat(60_000)}`)],
  ['an expectation nobody meets', 417, get('/status', 'Expect: 200-maybe')],
  ['CONNECT', 405, 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
  ['TRACE', 405, get('/health').replace('GET', 'TRACE')],
  ['a method that is known elsewhere', 405, get('/health').replace('GET', 'PROPFIND')],
  ['unknown path', 404, get('/no-such-thing')],
  ['two slashes', 404, get('//health')],
  ['dot segments', 404, get('/../../etc/passwd')],
  [
    'both length and chunks',
    400,
    get('/index', 'Content-Length: 2', 'Transfer-Encoding: chunked').replace('GET', 'POST'),
  ],
  ['two lengths', 400, get('/index', 'Content-Length: 2', 'Content-Length: 3').replace('GET', 'POST')],
  ['a length that is none', 400, get('/index', 'Content-Length: -1').replace('GET', 'POST')],
  ['a header that injects', 400, get('/health', 'X-A: b\rInjected: yes')],
  ['a space before the colon', 400, get('/health', 'X-A : b')],
];

test('every answer to a hostile request is orderly', async t => {
  const listener = await openListener(t, tableDaemon());
  for (const [label, status, bytes] of corpus) {
    const answer = await sendRaw(listener.port, Buffer.from(bytes, 'latin1'));
    assert.equal(answer.status, status, label);
    assertOrderly(answer, label);
    assertDeclared(bytes, status, label);
  }
  const healthy = await sendRequest(listener, 'GET', '/health');
  assert.equal(healthy.status, 200, 'the listener lives on');
  assert.ok(listener.answered.length >= corpus.length, 'each of them is noticed');
});

const accepted: readonly (readonly [accept: string, path: string, status: number])[] = [
  ['text/html', '/health', 406],
  ['image/*, text/plain;q=0.5', '/health', 406],
  ['application/json;q=0', '/jobs', 406],
  ['application/json;q=0.0, */*;q=0.000', '/jobs', 406],
  ['nonsense', '/jobs', 406],
  ['', '/jobs', 200],
  ['*/*', '/jobs', 200],
  ['text/html, application/xhtml+xml, */*;q=0.8', '/jobs', 200],
  ['Application/JSON; charset=utf-8', '/jobs', 200],
  ['application/*', '/jobs', 200],
  ['application/problem+json', '/jobs', 200],
  ['application/problem+json', '/no-such-thing', 404],
  ['text/html', '/no-such-thing', 404],
  ['application/json', '/metrics', 200],
  ['application/openmetrics-text', '/metrics', 200],
];

test('whoever accepts no JSON is told so, where there is nothing else', async t => {
  const listener = await openListener(t, tableDaemon());
  for (const [accept, path, status] of accepted) {
    const answer = await sendRequest(listener, 'GET', path, { Accept: accept });
    assert.equal(answer.status, status, `${path} ${accept}`);
    if (status === 200) continue;
    assertOrderly(answer, accept);
    assertDeclared(`GET ${path}`, status, accept);
  }
});

test('what goes wrong behind the door is told in good order, too', async t => {
  const faults = (Object.keys(faultTable) as FaultReason[]).map(reason => new Fault(reason, 'No'));
  for (const thrown of [new Error(`SELECT * FROM x at ${packageRoot}/http/app.js:1`), ...faults]) {
    const listener = await openListener(t, tableDaemon({ 'jobs.list': failingWith(thrown) }));
    const answer = await sendRequest(listener, 'GET', '/jobs', { 'X-Request-ID': 'mine' });
    assertOrderly(answer, String(thrown));
    assert.equal(answer.headers['x-request-id'], 'mine');
    if (!(thrown instanceof Fault)) assert.equal(answer.status, 500);
  }
});

test('a wrong method names the right ones, a wrong path the nearest', async t => {
  const listener = await openListener(t, tableDaemon());
  const method = await sendRequest(listener, 'DELETE', '/search');
  assert.equal(method.status, 405);
  assert.equal(method.headers['allow'], 'GET, HEAD, OPTIONS');
  const nested = await sendRequest(listener, 'GET', '/daemon/repos/acme/x/trust');
  assert.equal(nested.headers['allow'], 'POST, OPTIONS');
  const path = await sendRequest(listener, 'GET', '/serach?q=x');
  assert.match((JSON.parse(path.body) as { error: string }).error, /did you mean \/search\?/);
  const filled = await sendRequest(listener, 'GET', `/symbols/${symbolId}`);
  assert.match((JSON.parse(filled.body) as { error: string }).error, /did you mean \/symbol\/:id\?/);
});

test('an upgrade is declined by answering in HTTP/1.1', async t => {
  const listener = await openListener(t, tableDaemon());
  for (const upgrade of ['h2c', 'websocket']) {
    const answer = await sendRaw(listener.port, get('/health', 'Connection: Upgrade', `Upgrade: ${upgrade}`));
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['access-control-allow-origin'], '*');
  }
});

const brokenBodies: readonly (readonly [label: string, status: number, body: string | Buffer, headers?: object])[] = [
  ['not JSON', 400, '{force:true}'],
  ['cut off', 400, '{"force":'],
  ['not UTF-8', 400, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['nested 65 deep', 400, `${'['.repeat(65)}${']'.repeat(65)}`],
  ['a million brackets', 400, '['.repeat(1_000_000)],
  ['a field twice', 400, '{"force":true,"force":false}'],
  ['an array', 422, '[]'],
  ['null', 422, 'null'],
  ['a string', 422, '"x"'],
  ['force as text', 422, '{"force":"true"}'],
  ['an unknown language', 422, '{"language":"cobol"}'],
  ['an unknown field', 422, '{"forse":true}'],
  ['__proto__', 422, '{"__proto__":{"force":true}}'],
  ['constructor', 422, '{"constructor":{"prototype":{}}}'],
  ['over a mebibyte', 413, `{"force":false,"language":"${'x'.repeat(1024 * 1024)}"}`],
  ['form', 415, 'force=true', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['plain text', 415, '{"force":true}', { 'Content-Type': 'text/plain' }],
  ['no type', 415, '{"force":true}', { 'Content-Type': undefined }],
  ['nonsense type', 415, '{"force":true}', { 'Content-Type': ';;;' }],
  ['compressed', 415, '{"force":true}', { 'Content-Encoding': 'gzip' }],
];

test('a broken body is refused before anything is asked', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  for (const [label, status, body, headers] of brokenBodies) {
    const text = Buffer.from(body).toString('latin1');
    const length = String(Buffer.byteLength(text, 'latin1'));
    const head = { 'Content-Length': length, 'Content-Type': 'application/json', ...headers } as Record<string, string>;
    const lines = Object.entries(head).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
    const request = `${get('/index', ...lines).replace('GET', 'POST')}${text}`;
    const answer = await sendRaw(listener.port, Buffer.from(request, 'latin1'));
    assert.equal(answer.status, status, label);
    assertOrderly(answer, label);
    assertDeclared(request, status, label);
  }
  assert.deepEqual(daemon.requests, []);
});

test('strings and brackets inside strings do not count as nesting', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  const answer = await sendRequest(listener, 'POST', '/daemon/repos', {}, `{"root":"/${'[{'.repeat(100)}\\"["}`);
  assert.equal(answer.status, 200);
});

test('a request that never ends is cut, and told so', async t => {
  const limits = { headersTimeoutMs: 200, requestTimeoutMs: 300 };
  const listener = await openListener(t, tableDaemon(), { limits });
  const answer = await sendRaw(listener.port, 'GET /health HTTP/1.1\r\nHost: loc');
  assert.equal(answer.status, 408);
  assertDeclared('GET /health', 408, 'half a header');
  assertOrderly(answer, 'half a header');
});

test('a reader that leaves its answer unread is cut', { timeout: patienceMs }, async t => {
  const document = { kind: 'document', body: `"${'x'.repeat(16 * 1024 * 1024)}"` } as const;
  const daemon = tableDaemon({ 'jobs.list': () => document });
  const listener = await openListener(t, daemon, { limits: { stalledWriteMs: 100 } });
  const socket = connect(listener.port, '127.0.0.1');
  socket.write(get('/jobs'));
  await once(socket, 'readable');
  socket.pause();
  while (listener.answered.length === 0) await setImmediate();
  assert.equal(daemon.requests[0]?.abort.signal.aborted, true, 'it counts as gone');
  socket.destroy();
});

test('past the connection limit, a connection is told to come again', async t => {
  const listener = await openListener(t, tableDaemon(), { limits: { connections: 0 } });
  const answer = await sendRaw(listener.port, get('/health'));
  assert.equal(answer.status, 429);
  assertDeclared('GET /health', 429, 'flood');
  assert.equal(answer.headers['retry-after'], '1');
  assertOrderly(answer, 'flood');
});

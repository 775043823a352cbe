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
import { askFor, hostileBodies, hostileRequests } from './hostile-corpus.ts';
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

const get = (path: string, ...headers: readonly string[]) => askFor(token, path, ...headers);

test('every answer to a hostile request is orderly', async t => {
  const listener = await openListener(t, tableDaemon());
  const corpus = hostileRequests(token);
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

test('a broken body is refused before anything is asked', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  for (const [label, status, request] of hostileBodies(token)) {
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

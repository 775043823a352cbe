import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Fault, type FaultReason, faultTable } from '../../client/protocol/faults.ts';
import { packageRoot } from '../../daemon/package-root.ts';
import { patienceMs } from '../support/daemon.ts';
import { get, hostileBodies, hostileRequests } from './hostile-requests.ts';
import { openListener, type Row, sendForAll, sendRaw, sendRequest, symbolId, tableDaemon } from './listener.ts';
import { assertDeclared, assertMarked, assertOrderly } from './orderly.ts';

test('every answer to a hostile request is orderly, and what follows a broken one is not read (P26)', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  for (const [label, expected, bytes] of hostileRequests) {
    const statuses = [expected].flat();
    const asked = daemon.requests.length;
    const answers = await sendForAll(listener.port, Buffer.from(bytes, 'latin1'), statuses.length);
    assert.deepEqual(
      answers.map(({ status }) => status),
      statuses,
      label,
    );
    for (const answer of answers) assertOrderly(answer, label);
    assertDeclared(bytes, statuses[0]!, label);
    assert.equal(daemon.requests.length - asked, statuses.filter(status => status === 200).length, label);
  }
  const healthy = await sendRequest(listener, 'GET', '/health');
  assert.equal(healthy.status, 200, 'the listener lives on');
  assert.ok(listener.answered.length >= hostileRequests.length, 'each of them is noticed');
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

test('what goes wrong behind the door is told in good order, too, whoever is asked (P26)', async t => {
  const faults = (Object.keys(faultTable) as FaultReason[]).map(reason => new Fault(reason, 'No'));
  let thrown: Error = new Error(`SELECT * FROM x at ${packageRoot}/http/app.js:1`);
  const fails: Row = () => Promise.reject(thrown);
  const asked = [
    ['GET', '/jobs', 'jobs.list', {}],
    ['GET', '/index/repos/x/files', 'indexServer.files', {}],
    ['POST', '/v1/metrics', 'telemetry.ingestMetrics', { 'Content-Type': 'application/json' }],
  ] as const;
  const listener = await openListener(t, tableDaemon(Object.fromEntries(asked.map(([, , name]) => [name, fails]))));
  for (const one of [thrown, ...faults]) {
    thrown = one;
    for (const [method, path, , headers] of asked) {
      const answer = await sendRequest(listener, method, path, { 'X-Request-ID': 'mine', ...headers });
      assertOrderly(answer, `${path} ${thrown}`, path);
      assert.equal(answer.headers['x-request-id'], 'mine');
      assert.equal(answer.status, thrown instanceof Fault ? thrown.row.status : 500);
      assert.equal('retry-after' in answer.headers, [429, 503].includes(answer.status), String(thrown));
    }
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

test('an upgrade is declined by answering in HTTP/1.1 (P26)', async t => {
  const listener = await openListener(t, tableDaemon());
  for (const upgrade of ['h2c', 'websocket']) {
    const answer = await sendRaw(listener.port, get('/health', 'Connection: Upgrade', `Upgrade: ${upgrade}`));
    assert.equal(answer.status, 200);
    assertMarked(answer, upgrade);
  }
});

test('a broken body is refused before anything is asked (P26)', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  for (const [label, status, request] of hostileBodies) {
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

test('a request that never ends is cut, and told so (P26)', { timeout: patienceMs }, async t => {
  const limits = { headersTimeoutMs: 200, requestTimeoutMs: 300 };
  const listener = await openListener(t, tableDaemon(), { limits });
  const post = get('/index', 'Content-Type: application/json', 'Content-Length: 2').replace('GET', 'POST');
  const unended = [
    'GET /health HTTP/1.1\r\nHost: loc',
    'GET /hea',
    post,
    `${post}{`,
    `${post.replace('Content-Length: 2', 'Transfer-Encoding: chunked')}ffffffffffffffff\r\n{}`,
  ];
  const cut = async (bytes: string) => {
    const [answer, ...more] = await sendForAll(listener.port, bytes, 1);
    assert.deepEqual([answer?.status, answer?.headers['connection'], more], [408, 'close', []], bytes);
    assertDeclared(bytes, 408, bytes);
    assertOrderly(answer!, bytes);
  };
  await Promise.all(unended.map(cut));
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

test('past the connection limit, a connection is told to come again (P26)', async t => {
  const listener = await openListener(t, tableDaemon(), { limits: { connections: 0 } });
  const answer = await sendRaw(listener.port, get('/health'));
  assert.equal(answer.status, 429);
  assertDeclared('GET /health', 429, 'flood');
  assert.equal(answer.headers['retry-after'], '1');
  assertOrderly(answer, 'flood');
});

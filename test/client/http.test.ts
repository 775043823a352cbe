import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createClient } from '../../client/client.ts';
import { httpCaller, routeOf } from '../../client/http.ts';
import { Fault, faultBody } from '../../client/protocol/faults.ts';
import { type OperationName, operationNames } from '../../client/protocol/registry.ts';

const symbolId = `svc:acme/x:sym:${'a'.repeat(32)}`;

test('each field goes where its route has it', () => {
  const table: readonly (readonly [OperationName, Record<string, unknown>, string, string | undefined])[] = [
    ['system.health', {}, 'GET /health', undefined],
    ['symbols.search', { q: 'a b&c', limit: 5, sync: true }, 'GET /search?q=a+b%26c&limit=5&sync=true', undefined],
    ['symbols.search', { q: 'a', kinds: ['class', 'enum'] }, 'GET /search?q=a&kinds=class%2Cenum', undefined],
    ['symbols.get', { id: symbolId, repo: 'x' }, `GET /symbol/${encodeURIComponent(symbolId)}?repo=x`, undefined],
    ['indexing.index', { force: true, repo: '/a b' }, 'POST /index?repo=%2Fa+b', '{"force":true}'],
    ['daemon.removeRepo', { id: 'acme/x' }, 'DELETE /daemon/repos/acme%2Fx', undefined],
    ['daemon.trustRepo', { id: 'a', revoke: true }, 'POST /daemon/repos/a/trust', '{"revoke":true}'],
    ['jobs.list', { status: undefined }, 'GET /jobs', undefined],
  ];
  for (const [name, input, line, body] of table) {
    const route = routeOf(name, input);
    assert.equal(`${route.method} ${route.target}`, line, name);
    assert.equal(route.body, body, name);
  }
  assert.throws(() => routeOf('daemon.openListener', {}), /over the socket only/);
});

test('answers are parsed, faults keep reason and body, the token goes along (P5)', async t => {
  const thrown = new Fault('symbolGone', 'It was renamed', { details: { replacedBy: symbolId } });
  const seen: (string | undefined)[] = [];
  const url = await serving(t, (request, reply) => {
    seen.push(request.headers.authorization);
    if (request.url === '/metrics') return reply.setHeader('content-type', 'text/plain').end('svc_x 1\n');
    if (request.url === '/health') return json(reply, 200, { status: 'healthy' });
    if (request.url === '/jobs')
      return json(reply.setHeader('retry-after', '7'), 429, faultBody(new Fault('rateLimited', 'Slow')));
    if (request.url === '/jobs/17') return json(reply, 404, faultBody(new Fault('resourceNotFound', 'None')));
    if (request.url === '/ready') return reply.writeHead(302, { location: 'http://localhost:1/' }).end();
    return json(reply, 410, faultBody(thrown));
  });
  const caller = httpCaller({ url: `${url}/`, token: 'secret' });
  t.after(() => caller.close());
  const client = createClient(caller);
  assert.equal((await client.system.health({})).status, 'healthy');
  assert.equal(await client.system.metrics({}), 'svc_x 1\n');
  await assert.rejects(client.symbols.get({ id: symbolId }), (error: unknown) => {
    assert.ok(error instanceof Fault);
    assert.equal(error.reason, 'symbolGone');
    assert.deepEqual(faultBody(error), faultBody(thrown));
    return true;
  });
  await assert.rejects(client.jobs.list({}), { reason: 'rateLimited' });
  await assert.rejects(client.jobs.get({ id: '17' }), { reason: 'resourceNotFound' });
  await assert.rejects(client.system.ready({}), Fault, 'a redirect is not followed');
  assert.deepEqual(new Set(seen), new Set(['Bearer secret']));
});

test('what is no address is refused before anything is sent', () => {
  for (const url of ['', 'nonsense', 'localhost:9120', 'ftp://localhost', 'file:///etc/passwd', 'http://']) {
    assert.throws(() => httpCaller({ url, token: 'secret' }), { reason: 'invalidParameter' }, url);
  }
});

test('no answer, no time and no patience are three faults', async t => {
  const url = await serving(t, () => undefined);
  const caller = httpCaller({ url, token: undefined });
  await assert.rejects(caller.call('system.health', {}, { timeoutMs: 30 }), { reason: 'timeout' });
  const controller = new AbortController();
  const call = caller.call('system.health', {}, { signal: controller.signal });
  controller.abort();
  await assert.rejects(call, { reason: 'cancelled' });
  const nobody = httpCaller({ url: 'http://127.0.0.1:1', token: undefined });
  await assert.rejects(nobody.call('system.health', {}), { reason: 'unreachable' });
});

test('a signal that outlives calls remembers none of them; one that has fired lets nothing be asked', async t => {
  const asked: unknown[] = [];
  const url = await serving(t, (request, reply) => {
    asked.push(request.url);
    return json(reply, 200, { status: 'healthy' });
  });
  const caller = httpCaller({ url, token: undefined });
  t.after(() => caller.close());
  const lasting = new AbortController();
  const { signal } = lasting;
  await caller.call('system.health', {}, { signal, timeoutMs: 60_000 });
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
  const hidden = Object.getOwnPropertySymbols(signal).map(name => Reflect.get(signal, name) as unknown);
  assert.deepEqual(
    hidden.filter(value => value instanceof Set && value.size > 0),
    [],
  );
  lasting.abort();
  await assert.rejects(caller.call('system.health', {}, { signal }), { reason: 'cancelled' });
  assert.equal(asked.length, 1);
});

test('the client has a method for every operation, and none beside', () => {
  const client = createClient({ call: () => Promise.reject(new Error('not asked')) });
  const methods = Object.entries(client).flatMap(([group, verbs]) =>
    Object.keys(verbs).map(verb => `${group}.${verb}`),
  );
  assert.deepEqual(methods.sort(), [...operationNames].sort());
});

async function serving(test: TestContext, answer: (request: IncomingMessage, reply: ServerResponse) => unknown) {
  const server = createServer((request, reply) => void answer(request, reply));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

function json(reply: ServerResponse, status: number, body: object) {
  return reply.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

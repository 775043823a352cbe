import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Reply } from '../../client/protocol/caller.ts';
import { Fault, type FaultReason, faultTable } from '../../client/protocol/faults.ts';
import type { OperationName } from '../../client/protocol/registry.ts';
import { routes } from '../../http/routes.ts';
import { failingWith, openListener, sendRequest, symbolId, tableDaemon, token } from './listener.ts';

/** What those take that can't do without. */
const queries: { readonly [Name in OperationName]?: string } = {
  'symbols.search': '?q=x',
  'analysis.complexity': '?path=a.ts',
  'hotspots.coupling': '?path=a.ts',
  'analysis.trace': `?from=${symbolId}&to=${symbolId}`,
  'indexServer.searchSymbols': '?q=a',
  'indexServer.searchFiles': '?q=a',
  'indexServer.changes': '?since=0',
  'contracts.deps': '?repoId=cart',
};

/** What fields of paths take that are no ids: as text, and as what operations are given. */
const placed: Readonly<Record<string, readonly [text: string, value: unknown]>> = {
  name: ['shop', 'shop'],
  edgeId: ['7', 7],
};

/** Bodies of those that take nothing else. */
const bodies: Readonly<Record<string, string>> = {
  'daemon.addRepo': '{"root":"/src/app"}',
  'decisions.create': '{"title":"A"}',
  'indexServer.batchGet': '{"ids":["a"]}',
  'contracts.impact': '{"repoId":"cart","path":"a.proto"}',
  'contracts.diff': '{"repoId":"cart","path":"a.proto","base":"main"}',
  'contracts.suppress': '{"reason":"a fixture"}',
};

test('every route of the registry reaches its operation', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  for (const { binding, name, fields } of routes.filter(route => route.binding.produces !== 'events')) {
    const path = binding.path.replace(/(?<=\/):([A-Za-z]+)\*?/g, (_, field: string) => placed[field]?.[0] ?? symbolId);
    const query = queries[name] ?? '';
    const body = bodies[name] ?? '';
    const media = binding.stream === undefined ? {} : { 'Content-Type': binding.stream.media[0] };
    const answer = await sendRequest(listener, binding.method, `${path}${query}`, media, body);
    assert.equal(answer.status, 200, `${name}: ${answer.body}`);
    assert.equal(daemon.requests.at(-1)?.operation, name);
    for (const field of fields)
      assert.equal(daemon.requests.at(-1)?.input[field], placed[field]?.[1] ?? symbolId, name);
    const own = binding.speaks === undefined ? 'application/json' : binding.stream!.media[0];
    const type = binding.produces === 'text' ? 'text/plain; version=0.0.4; charset=utf-8' : own;
    assert.equal(answer.headers['content-type'], type, name);
  }
});

test('an answer carries its request’s id, a sane one or a new one', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon);
  for (const id of ['a', 'job 7 / try 2', 'x'.repeat(128)]) {
    const answer = await sendRequest(listener, 'GET', '/jobs', { 'X-Request-ID': id });
    assert.equal(answer.headers['x-request-id'], id);
    assert.equal(daemon.requests.at(-1)?.requestId, id);
  }
  const fresh = new Set<string | undefined>();
  for (const id of [undefined, '', 'x'.repeat(129), 'ä', 'tab\there']) {
    const answer = await sendRequest(listener, 'GET', '/jobs', { 'X-Request-ID': id });
    assert.match(answer.headers['x-request-id'] ?? '', /^[0-9a-f]{8}-[0-9a-f-]{27}$/, String(id));
    fresh.add(answer.headers['x-request-id']);
  }
  assert.equal(fresh.size, 5);
});

test('HEAD answers as GET does, without the body', async t => {
  const listener = await openListener(t, tableDaemon());
  for (const path of ['/health', `/symbol/${symbolId}`, '/metrics', '/no-such-thing', '/daemon/events']) {
    const head = await sendRequest(listener, 'HEAD', path).catch(error => error as Error);
    assert.ok(!(head instanceof Error), path);
    assert.equal(head.body, '', path);
    if (path === '/daemon/events') continue;
    const get = await sendRequest(listener, 'GET', path);
    assert.equal(head.status, get.status, path);
    assert.equal(head.headers['content-length'], get.headers['content-length'], path);
    assert.equal(head.headers['etag'], get.headers['etag'], path);
  }
});

test('an entity tag that still holds is answered by 304', async t => {
  // This one never looks at ifNoneMatch itself.
  const daemon = tableDaemon({ 'symbols.get': () => ({ kind: 'document', body: '{}', etag: 'W/"s1"' }) });
  const listener = await openListener(t, daemon);
  const first = await sendRequest(listener, 'GET', `/symbol/${symbolId}`);
  assert.equal(first.headers['etag'], 'W/"s1"');
  assert.equal(first.headers['cache-control'], 'private, no-cache');
  assert.match(first.headers['vary'] ?? '', /Accept-Encoding/);
  for (const names of ['W/"s1"', '"s1"', '*', '"a", W/"s1" , "b"']) {
    const answer = await sendRequest(listener, 'GET', `/symbol/${symbolId}`, { 'If-None-Match': names });
    assert.equal(answer.status, 304, names);
    assert.equal(answer.headers['etag'], 'W/"s1"');
    assert.equal(answer.body, '');
  }
  for (const names of ['"s2"', 's1', '"s1', '']) {
    const answer = await sendRequest(listener, 'GET', `/symbol/${symbolId}`, { 'If-None-Match': names });
    assert.equal(answer.status, 200, names);
  }
  const search = await sendRequest(listener, 'GET', '/search?q=x', { 'If-None-Match': 'W/"snapshot-1"' });
  assert.equal(search.status, 304, 'the daemon said unchanged');
});

test('answers over a kibibyte are compressed as asked', async t => {
  const long = JSON.stringify({ text: 'ä'.repeat(2000) });
  const daemon = tableDaemon({
    'symbols.search': () => ({ kind: 'document', body: long }),
    'symbols.get': () => ({ kind: 'document', body: Buffer.from(long) }),
    'jobs.list': () => ({ kind: 'document', body: `{"x":"${'y'.repeat(1015)}"}` }),
  });
  const listener = await openListener(t, daemon);
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync, undefined: (bytes: Buffer) => bytes };
  const cases: readonly (readonly [accept: string | undefined, coding: keyof typeof decoders])[] = [
    [undefined, 'undefined'],
    ['', 'undefined'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip;q=0', 'undefined'],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['identity;q=1, gzip;q=0.5', 'undefined'],
    ['GZIP ; Q=1.000', 'gzip'],
    ['gzip;q=2', 'undefined'],
    ['deflate', 'undefined'],
  ];
  for (const [accept, coding] of cases) {
    for (const path of ['/search?q=x', `/symbol/${symbolId}`]) {
      const answer = await sendRequest(listener, 'GET', path, { 'Accept-Encoding': accept });
      assert.equal(String(answer.headers['content-encoding']), coding, accept);
      assert.equal(decoders[coding](answer.bytes).toString(), long, accept);
    }
  }
  const short = await sendRequest(listener, 'GET', '/jobs', { 'Accept-Encoding': 'gzip' });
  assert.equal(short.headers['content-encoding'], undefined, '1023 bytes');
});

test('a fault keeps its status, code and advice; anything else stays in the log', async t => {
  const reasons = Object.keys(faultTable) as FaultReason[];
  for (const reason of reasons) {
    const daemon = tableDaemon({ 'jobs.list': failingWith(new Fault(reason, 'No', { retryAfterSeconds: 2.2 })) });
    const listener = await openListener(t, daemon);
    const answer = await sendRequest(listener, 'GET', '/jobs');
    const { status, code } = faultTable[reason];
    assert.deepEqual([answer.status, (JSON.parse(answer.body) as { code: string }).code], [status, code]);
    assert.equal(answer.headers['retry-after'], '3');
    assert.equal(listener.answered[0]?.fault, reason);
  }
  const secret = new Error('SQLITE_FULL: /home/me/index.db');
  const listener = await openListener(t, tableDaemon({ 'jobs.list': failingWith(secret) }));
  const answer = await sendRequest(listener, 'GET', '/jobs');
  assert.equal(answer.status, 500);
  assert.doesNotMatch(answer.body, /SQLITE|home/);
  assert.equal(listener.answered[0]?.cause, secret);
});

test('each request is noticed with what came, secrets struck out', async t => {
  const listener = await openListener(t, tableDaemon());
  const key = `svc_sk_${'f'.repeat(64)}`;
  await sendRequest(listener, 'GET', `/search?q=parse&token=hunter2&cursor=${key}`, { 'X-Request-ID': 'r1' });
  await sendRequest(listener, 'GET', `/${token}`);
  const [first, second] = listener.answered;
  assert.equal(first?.query, 'q=parse&token=***&cursor=***');
  assert.deepEqual(
    [first?.requestId, first?.method, first?.path, first?.status, first?.operation],
    ['r1', 'GET', '/search', 400, 'symbols.search'],
  );
  assert.ok(first !== undefined && first.durationMs >= 0);
  assert.equal(second?.path, '/***');
});

test('a client that goes away aborts its work', async t => {
  let aborted!: () => void;
  const abortion = new Promise<void>(resolve => {
    aborted = resolve;
  });
  let asked!: () => void;
  const asking = new Promise<void>(resolve => {
    asked = resolve;
  });
  const daemon = tableDaemon({
    'jobs.list': ({ abort: { signal } }) =>
      new Promise<Reply>((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted();
          reject(new Fault('cancelled', 'Cancelled'));
        });
        asked();
      }),
  });
  const listener = await openListener(t, daemon);
  const socket = connect(listener.port, '127.0.0.1');
  socket.write(`GET /jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await asking;
  socket.destroy();
  await abortion;
  assert.equal(listener.answered[0]?.status, 499);
});

test('a listener hands the daemon the repository that it serves, and who asks', async t => {
  const daemon = tableDaemon();
  const listener = await openListener(t, daemon, { defaultRepo: 'app' });
  await sendRequest(listener, 'GET', '/status');
  assert.equal(daemon.requests.at(-1)?.defaultRepo, 'app');
  assert.deepEqual(daemon.requests.at(-1)?.principal, { kind: 'owner' });
  const off = await openListener(t, daemon, { authentication: { kind: 'off' } });
  await sendRequest(off, 'GET', '/health', { Authorization: undefined, Origin: 'https://elsewhere.example' });
  assert.deepEqual(daemon.requests.at(-1)?.principal, { kind: 'anonymous' });
});

test('localhost means both loopback addresses', async t => {
  const listener = await openListener(t, tableDaemon(), { host: 'localhost' });
  const headers = { Authorization: `Bearer ${token}` };
  for (const host of ['127.0.0.1', '[::1]']) {
    const answer = await fetch(`http://${host}:${listener.port}/health`, { headers }).catch(() => undefined);
    if (host === '127.0.0.1') assert.equal(answer?.status, 200);
    else if (answer !== undefined) assert.equal(answer.status, 200);
  }
  assert.equal(listener.url, `http://localhost:${listener.port}`);
});

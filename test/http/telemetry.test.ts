import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { request as ask } from 'undici';
import { Fault } from '../../client/protocol/faults.ts';
import { patienceMs } from '../support/daemon.ts';
import { decoded, encodedMetrics, pointOf, requestOf, sumOf } from '../support/otlp.ts';
import { type Opened, openListener, sendRaw, sendRequest, token } from './listener.ts';
import { collector, telemetryDaemon } from './telemetry-intake.ts';

const limitBytes = 300_000;
const protobuf = 'application/x-protobuf';
const json = 'application/json';
const named = { 'code.function.name': 'Cart.total' };
const good = requestOf(sumOf('calls', [pointOf(named, 3)]));
const half = requestOf(sumOf('calls', [pointOf(named, 3), pointOf(named, -1)]));

async function post(
  { url }: Opened,
  path: string,
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>>,
) {
  const reply = await ask(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body,
  });
  const bytes = Buffer.from(await reply.body.arrayBuffer());
  assert.equal(reply.headers['access-control-allow-origin'], '*');
  assert.ok(reply.headers['x-request-id'] !== undefined);
  return { status: reply.statusCode, headers: reply.headers, bytes, text: bytes.toString() };
}

type Answer = Awaited<ReturnType<typeof post>>;

async function open(t: Parameters<typeof openListener>[0]) {
  const intake = collector(limitBytes);
  const listener = await openListener(t, telemetryDaemon(intake, limitBytes));
  return { intake, listener };
}

function statusOf({ headers, bytes, text }: Answer, media: string): Record<string, unknown> {
  assert.equal(headers['content-type'], media);
  if (media.startsWith(protobuf)) return decoded('Status', bytes);
  const { details, ...status } = JSON.parse(text) as Record<string, unknown>;
  assert.deepEqual(details, []);
  return status;
}

test('metrics are answered in the type that they came in, with nothing where all of them count', async t => {
  const { intake, listener } = await open(t);
  for (const type of [protobuf, 'Application/X-Protobuf; v=1']) {
    const answer = await post(listener, '/v1/metrics', encodedMetrics(good), {
      'content-type': type,
      accept: protobuf,
    });
    assert.deepEqual([answer.status, answer.headers['content-type'], answer.bytes.length], [200, type, 0]);
    assert.equal(answer.headers['content-length'], '0');
  }
  for (const type of [json, 'application/json; charset=utf-8']) {
    const answer = await post(listener, '/v1/metrics', JSON.stringify(good), {
      'content-type': type,
      accept: 'text/html',
    });
    assert.deepEqual([answer.status, answer.headers['content-type'], answer.text], [200, type, '{}']);
  }
  assert.deepEqual(
    intake.points.map(({ value }) => value),
    [3, 3, 3, 3],
  );
  for (const [body, type] of [
    ['', protobuf],
    ['', json],
    ['{}', json],
  ] as const) {
    assert.equal((await post(listener, '/v1/metrics', body, { 'content-type': type })).status, 200);
  }
  assert.deepEqual(intake.batches.map(batch => 'format' in batch && batch.format).slice(0, 3), [
    'protobuf',
    'protobuf',
    'json',
  ]);
});

test('what can’t be counted is told as a partial success', async t => {
  const { listener } = await open(t);
  const errorMessage = 'metric "calls": a data point counts -1 calls';
  const binary = await post(listener, '/v1/metrics', encodedMetrics(half), { 'content-type': protobuf });
  assert.equal(binary.status, 200);
  const told = { partialSuccess: { rejectedDataPoints: '1', errorMessage } };
  assert.deepEqual(decoded('ExportMetricsServiceResponse', binary.bytes), told);
  const text = await post(listener, '/v1/metrics', JSON.stringify(half), { 'content-type': json });
  assert.deepEqual([text.status, JSON.parse(text.text)], [200, told]);
});

test('codings: gzip, deflate with and without its head, none', async t => {
  const { intake, listener } = await open(t);
  const body = encodedMetrics(good);
  const coded: readonly (readonly [string, Uint8Array])[] = [
    ...[['gzip', gzipSync(body)] as const, ['x-gzip', gzipSync(body)] as const, ['GZIP', gzipSync(body)] as const],
    ...[
      ['deflate', deflateSync(body)] as const,
      ['deflate', deflateRawSync(body)] as const,
      ['identity', body] as const,
    ],
  ];
  for (const [coding, bytes] of coded) {
    const headers = { 'content-type': protobuf, 'content-encoding': coding };
    assert.equal((await post(listener, '/v1/metrics', bytes, headers)).status, 200, coding);
  }
  assert.equal(intake.points.length, coded.length);
  const calls = gzipSync('{"calls":[{"service_name":"a","function_name":"b","call_count":1}]}');
  const answer = await post(listener, '/api/v1/ingest/json', calls, {
    'content-type': json,
    'content-encoding': 'gzip',
  });
  assert.equal(answer.status, 200, answer.text);
});

test('every refusal is a Status in the type of the request', async t => {
  const { intake, listener } = await open(t);
  const body = encodedMetrics(good);
  const bomb = gzipSync(Buffer.alloc(100 * limitBytes));
  const cases: readonly (readonly [string, number, number, string, Uint8Array, Readonly<Record<string, string>>])[] = [
    ['no token', 401, 16, '', body, { authorization: 'Bearer x' }],
    ['another site', 403, 7, '', body, { origin: 'https://evil.example', authorization: '' }],
    ['unknown repository', 404, 5, '?repo=none', body, {}],
    ['no repository at that place', 404, 5, '?repo=/nowhere', body, {}],
    ['unknown parameter', 400, 3, '?rapo=x', body, {}],
    ['two repositories', 400, 3, '?repo=a&repo=b', body, {}],
    ['a coding that nobody knows', 415, 3, '', body, { 'content-encoding': 'zstd' }],
    ['two codings', 415, 3, '', body, { 'content-encoding': 'gzip, gzip' }],
    ['not gzip', 400, 3, '', body, { 'content-encoding': 'gzip' }],
    ['gzip that is cut off', 400, 3, '', gzipSync(body).subarray(0, 40), { 'content-encoding': 'gzip' }],
    ['a bomb', 413, 8, '', bomb, { 'content-encoding': 'gzip' }],
    ['too large', 413, 8, '', Buffer.alloc(limitBytes + 1), {}],
    ['undecodable', 400, 3, '', Buffer.from('hello'), {}],
  ];
  for (const [label, status, code, query, bytes, headers] of cases) {
    for (const type of [protobuf, json]) {
      const answer = await post(listener, `/v1/metrics${query}`, bytes, { 'content-type': type, ...headers });
      // Nothing at all is written where an undecodable body would be JSON, too.
      assert.equal(answer.status, status, `${label}: ${answer.text}`);
      const told = statusOf(answer, type);
      assert.equal(told['code'], code, label);
      assert.ok(String(told['message']).length > 5, label);
    }
  }
  const foreign = await post(listener, '/v1/metrics', body, { 'content-type': 'text/plain' });
  assert.deepEqual([foreign.status, statusOf(foreign, json)['code']], [415, 3]);
  const wrong = await sendRequest(listener, 'GET', '/v1/metrics');
  assert.deepEqual(
    [wrong.status, wrong.headers['allow'], Object.keys(JSON.parse(wrong.body))],
    [405, 'POST, OPTIONS', ['code', 'message', 'details']],
  );
  const broken = await sendRaw(
    listener.port,
    'POST /v1/metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n',
  );
  assert.deepEqual([broken.status, Object.keys(JSON.parse(broken.body))], [400, ['code', 'message', 'details']]);
  assert.equal(intake.points.length, 0);
  const elsewhere = await sendRequest(listener, 'POST', '/v1/traces', {}, '{}');
  assert.deepEqual([elsewhere.status, Object.keys(JSON.parse(elsewhere.body))[0]], [404, 'error']);
});

test('what may be tried again says when', async t => {
  const { intake, listener } = await open(t);
  const faults = [
    [new Fault('busy', 'Busy', { retryAfterSeconds: 3 }), 503, 14, '3'],
    [new Fault('storageFailed', 'No room'), 503, 14, '1'],
    [new Fault('rateLimited', 'Too many'), 429, 8, '1'],
    [new Fault('timeout', 'Late'), 504, 4, undefined],
    [new Fault('preconditionFailed', 'Telemetry is off'), 412, 9, undefined],
  ] as const;
  for (const [fault, status, code, retryAfter] of faults) {
    intake.failure = fault;
    const answer = await post(listener, '/v1/metrics', encodedMetrics(good), { 'content-type': protobuf });
    assert.deepEqual([answer.status, answer.headers['retry-after']], [status, retryAfter]);
    assert.deepEqual(statusOf(answer, protobuf), { code, message: fault.message });
  }
  intake.failure = new Error('SELECT secret') as Fault;
  const answer = await post(listener, '/v1/metrics', encodedMetrics(good), { 'content-type': protobuf });
  assert.deepEqual([answer.status, statusOf(answer, protobuf)['code']], [500, 13]);
  assert.doesNotMatch(answer.text, /SELECT/);
});

test('a body is refused by its length before it is read, and once it is too long', { timeout: patienceMs }, async t => {
  const { intake, listener } = await open(t);
  const head = `POST /v1/metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${json}\r\n`;
  const told = await sendRaw(listener.port, `${head}Content-Length: ${limitBytes + 1}\r\n\r\n`);
  assert.equal(told.status, 413);
  const chunk = `${(100_000).toString(16)}\r\n${' '.repeat(100_000)}\r\n`;
  const chunked = await sendRaw(listener.port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(4)}`);
  assert.equal(chunked.status, 413);
  assert.equal(intake.batches.length, 0);
});

test('bodies that lie in memory leave no room for more, until they are done', { timeout: patienceMs }, async t => {
  const { intake, listener } = await open(t);
  const release: (() => void)[] = [];
  const held = {
    ...intake,
    metrics: () => new Promise<never>((_, reject) => release.push(() => reject(new Fault('busy', 'x')))),
  };
  const slow = await openListener(t, telemetryDaemon(held, limitBytes));
  const large = Buffer.alloc(limitBytes - 10);
  const first = [1, 2].map(() => post(slow, '/v1/metrics', large, { 'content-type': protobuf }));
  while (release.length < 2) await new Promise(resolve => setImmediate(resolve));
  const refused = await post(slow, '/v1/metrics', encodedMetrics(good), { 'content-type': protobuf });
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1']);
  for (const one of release) one();
  assert.deepEqual(
    (await Promise.all(first)).map(({ status }) => status),
    [503, 503],
  );
  const later = post(slow, '/v1/metrics', encodedMetrics(good), { 'content-type': protobuf });
  while (release.length < 3) await new Promise(resolve => setImmediate(resolve));
  release[2]!();
  await later;
  assert.equal((await post(listener, '/v1/metrics', encodedMetrics(good), { 'content-type': protobuf })).status, 200);
});

test('calls as JSON: what came, whether it came before, and what is wrong with it', async t => {
  const { intake, listener } = await open(t);
  const path = '/api/v1/ingest/json';
  const body = JSON.stringify({ calls: [{ serviceName: 'shop', functionName: 'total', callCount: 3, errorCount: 1 }] });
  const answer = await post(listener, `${path}?repo=app`, body, { 'content-type': json });
  const success = { status: 'success', eventsReceived: 1, eventsMatched: 0, eventsUnmatched: 1 };
  assert.deepEqual(JSON.parse(answer.text), { ...success, timestamp: '1970-01-01T00:00:00.000Z' });
  assert.equal(intake.batches[0]?.repo, 'app');
  const again = await post(listener, path, body, { 'content-type': json, 'idempotency-key': 'again' });
  assert.equal((JSON.parse(again.text) as { duplicate?: boolean }).duplicate, true);
  const wrong = await post(listener, path, '{"calls":[{"service_name":"a","function_name":"b","call_count":-1}]}', {
    'content-type': json,
  });
  const told = JSON.parse(wrong.text) as { code: string; details: { problems: unknown } };
  assert.deepEqual([wrong.status, told.code], [422, 'INVALID_PARAMETER']);
  const message = 'must be an integer of at least 0, in plain digits';
  assert.deepEqual(told.details.problems, [{ path: 'calls[0].call_count', message }]);
  const codes = [
    [await post(listener, path, '{', { 'content-type': json }), 400],
    [await post(listener, path, '{}', { 'content-type': json }), 422],
    [await post(listener, path, '{}', { 'content-type': protobuf }), 415],
    [await post(listener, path, '{}', { 'content-type': json, 'content-encoding': 'br' }), 415],
    [await post(listener, path, ' '.repeat(limitBytes + 1), { 'content-type': json }), 413],
    [await post(listener, path, body, { 'content-type': json, accept: 'text/html' }), 406],
  ] as const;
  for (const [{ status, text }, expected] of codes) {
    assert.equal(status, expected, text);
    assert.equal(
      (JSON.parse(text) as { code: unknown }).code,
      expected === 413 ? 'BUDGET_EXCEEDED' : 'INVALID_PARAMETER',
    );
  }
});

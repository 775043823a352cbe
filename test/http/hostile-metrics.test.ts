import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { request as ask } from 'undici';
import { createTelemetryService } from '../../daemon/jobs/telemetry/telemetry-service.ts';
import { openDaemonDatabase } from '../../daemon/store/daemon-db.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { attributes, decoded, encodedMetrics, pointOf, requestOf, sumOf } from '../support/otlp.ts';
import { afterAll, temporaryFolder } from '../support/repository.ts';
import { openListener, token } from './listener.ts';
import { collector, telemetryDaemon } from './telemetry-intake.ts';

/** Metrics as no program should tell them, over HTTP, counted into a real file: status, what is rejected, what was counted. */

const limitBytes = 2 ** 20;
const clock = fakeClock();
const file = temporaryFolder(afterAll).path('daemon.db');
const database = openDaemonDatabase(file);
const service = createTelemetryService(file, clock);
after(() => {
  service.close();
  database.close();
});
const listener = await openListener(
  afterAll as never,
  telemetryDaemon(
    {
      ...collector(limitBytes),
      async metrics({ bytes, coding, format }) {
        const source = { kind: 'metrics', coding, format } as const;
        const keeping = { limitBytes, keptDays: 400, mostFunctions: 10_000 };
        const told = await service.take({ ...keeping, source, bytes, asked: '', key: undefined });
        assert.ok(told.kind === 'told');
        return told.value;
      },
    },
    limitBytes,
  ),
);

const media = { protobuf: 'application/x-protobuf', json: 'application/json' } as const;
type Form = keyof typeof media;

async function post(form: Form, body: Uint8Array | string, headers: Record<string, string> = {}) {
  const reply = await ask(`${listener.url}/v1/metrics`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': media[form], ...headers },
    body,
  });
  const bytes = Buffer.from(await reply.body.arrayBuffer());
  const kind = reply.statusCode === 200 ? 'ExportMetricsServiceResponse' : 'Status';
  const isBinary = reply.headers['content-type'] === media.protobuf;
  const told = (isBinary ? decoded(kind, bytes) : JSON.parse(bytes.toString())) as {
    readonly code?: number;
    readonly message?: string;
    readonly partialSuccess?: { readonly rejectedDataPoints?: string; readonly errorMessage?: string };
  };
  return { status: reply.statusCode, told };
}

/** Calls, errors and the last day of a service's functions, as they are stored. */
function counted(name: string): readonly (readonly [calls: number, errors: number, lastDay: number])[] {
  const ids = database.calls.services().flatMap(one => (one.name === name ? [one.id] : []));
  return database.calls.functionsOf(ids).map(one => [one.calls, one.errors, one.lastDay]);
}

const named = { 'code.function.name': 'Cart.total' };
const nowNs = BigInt(clock.now().getTime()) * 1_000_000n;
const daysAgo = (days: number): string => String(nowNs - BigInt(days) * 86_400_000_000_000n);
const today = { startTimeUnixNano: String(nowNs - 1_000_000_000n), timeUnixNano: String(nowNs) };
const dayNow = Math.floor(clock.now().getTime() / 86_400_000);
const sum = (...points: readonly object[]) => sumOf('calls', points);
const one = (value: number | string, more: object = {}) => sum(pointOf(named, value, { ...today, ...more }));
const bare = (more: object) => sum({ attributes: attributes(named), ...today, ...more });
const histogram = (more: object, temporality = 1) => ({
  ...{ name: 'time', unit: 's' },
  histogram: {
    dataPoints: [{ attributes: attributes(named), ...today, ...more }],
    aggregationTemporality: temporality,
  },
});
const deep = (depth: number): object =>
  depth === 0 ? { stringValue: 'x' } : { arrayValue: { values: [deep(depth - 1)] } };

/** What is told, how many points are rejected and why, and how many calls were counted, undefined of no function. */
const table: readonly (readonly [what: string, metric: object, rejected: number, says: RegExp, calls?: number])[] = [
  ['a good point', one(3), 0, /^$/, 3],
  ['zero calls', one(0), 0, /^$/, 0],
  ['less than none', one(-1), 1, /counts -1 calls/],
  ['the least number', one('-9223372036854775808'), 1, /counts -\d+ calls/],
  ['2^53', one('9007199254740992'), 1, /more than 9007199254740991 calls/],
  ['2^53 - 1', one('9007199254740991'), 0, /^$/, 2 ** 53 - 1],
  ['2^63 - 1', one('9223372036854775807'), 1, /more than 9007199254740991 calls/],
  ['NaN', bare({ asDouble: 'NaN' }), 1, /counts NaN calls/],
  ['infinity', bare({ asDouble: 'Infinity' }), 1, /more than 9007199254740991 calls/],
  ['less than nothing at all', bare({ asDouble: '-Infinity' }), 1, /counts -Infinity calls/],
  ['a share of a call', bare({ asDouble: 0.4 }), 0, /^$/, 0],
  ['one and a half', bare({ asDouble: 1.5 }), 0, /^$/, 2],
  ['no value', bare({}), 1, /has no value/],
  ['none recorded', bare({ flags: 1 }), 0, /^$/],
  ['no time', one(3, { startTimeUnixNano: '0', timeUnixNano: '0' }), 0, /^$/, 3],
  ['the end of time', one(3, { timeUnixNano: '18446744073709551615' }), 0, /^$/, 3],
  ['a year ahead', one(3, { timeUnixNano: daysAgo(-365) }), 0, /^$/, 3],
  ['a start behind its end', one(3, { startTimeUnixNano: daysAgo(-1), timeUnixNano: String(nowNs) }), 0, /^$/, 3],
  [
    'the day before the last that is kept',
    one(3, { timeUnixNano: daysAgo(401) }),
    1,
    /^1 data points are older than the 400 days/,
  ],
  ['1970', one(3, { timeUnixNano: '1000000000' }), 1, /older than the 400 days/],
  ['one point twice', sum(...[1, 2].map(() => pointOf(named, 3, today))), 0, /^$/, 6],
  [
    'a good one among bad',
    sum(...[3, -1, -2].map(value => pointOf(named, value, today))),
    2,
    /^2 data points are rejected/,
    3,
  ],
  ['no points', sum(), 0, /^$/],
  ['of no function', sum(pointOf({ route: '/' }, -5, today)), 0, /^$/],
  [
    'no temporality',
    sumOf('calls', [pointOf(named, 3, today)], { aggregationTemporality: 0 }),
    1,
    /does not say whether it is delta or cumulative/,
  ],
  [
    'a temporality nobody knows',
    sumOf('calls', [pointOf(named, 3, today)], { aggregationTemporality: 7 }),
    1,
    /does not say whether it is delta or cumulative/,
  ],
  ['a sum that goes down', sumOf('calls', [pointOf(named, 3, today)], { isMonotonic: false }), 0, /^$/],
  ['a gauge', { name: 'calls', gauge: { dataPoints: [pointOf(named, -3, today)] } }, 0, /^$/],
  ['a metric of no kind', { name: 'calls', unit: '{call}' }, 0, /^$/],
  ['a metric of no name', sumOf('', [pointOf(named, 3, today)]), 0, /^$/, 3],
  [
    'a name of 2,000',
    sumOf('x'.repeat(2000), [pointOf(named, 3, today)]),
    1,
    /metric "x{100}…": a data point has a name/,
  ],
  ['names of objects', sumOf('__proto__', [pointOf({ 'code.function.name': 'constructor' }, 3, today)]), 0, /^$/, 3],
  ['an empty function', sum(pointOf({ 'code.function.name': '' }, 3, today)), 0, /^$/],
  [
    'a function of 2,000',
    sum(pointOf({ 'code.function.name': 'f'.repeat(2000) }, 3, today)),
    1,
    /more than 1024 characters/,
  ],
  ['a function that is a number', sum(pointOf({ 'code.function.name': 5 }, 3, today)), 0, /^$/],
  ['a function with marks', sum(pointOf({ 'code.function.name': '<script>\u001b[2J\n' }, 3, today)), 0, /^$/, 3],
  ['a file of 5,000', sum(pointOf({ ...named, 'code.file.path': 'x'.repeat(5000) }, 3, today)), 1, /more than 4096/],
  ['a file outside', sum(pointOf({ ...named, 'code.file.path': '../../etc/passwd' }, 3, today)), 0, /^$/, 3],
  ['a line below none', sum(pointOf({ ...named, 'code.line.number': -5 }, 3, today)), 0, /^$/, 3],
  ['a line that is a text', sum(pointOf({ ...named, 'code.line.number': 'x' }, 3, today)), 0, /^$/, 3],
  ['values in values', sum(pointOf({ ...named, a: deep(17) as never }, 3, today)), 1, /more than 16 levels deep/],
  [
    '1,001 attributes',
    sum(pointOf({ ...named, ...Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`k${at}`, 1])) }, 3, today)),
    1,
    /more than 1000 attributes/,
  ],
  [
    '66,000 bytes of attributes',
    sum(pointOf({ ...named, x: 'x'.repeat(66_000) }, 3, today)),
    1,
    /more than 65536 bytes/,
  ],
  [
    'an attribute twice',
    sum({ ...pointOf(named, 3, today), attributes: [...attributes(named), ...attributes(named)] }),
    0,
    /^$/,
    3,
  ],
  [
    'an attribute of no value',
    sum({ ...pointOf(named, 3, today), attributes: [...attributes(named), { key: 'x' }] }),
    0,
    /^$/,
    3,
  ],
  ['a histogram', histogram({ count: '5', sum: -3 }), 0, /^$/, 5],
  ['a histogram of 2^64 - 1', histogram({ count: '18446744073709551615' }), 1, /more than 9007199254740991 calls/],
  ['a histogram without a count', histogram({ sum: 1 }), 0, /^$/, 0],
  ['a histogram of no temporality', histogram({ count: '5' }, 0), 1, /does not say whether it is delta or cumulative/],
  [
    'a histogram whose buckets don’t add up',
    histogram({ count: '5', bucketCounts: ['1', '9'], explicitBounds: [1] }),
    0,
    /^$/,
    5,
  ],
  [
    'a summary',
    { name: 'time', unit: 's', summary: { dataPoints: [{ attributes: attributes(named), ...today, count: '5' }] } },
    0,
    /^$/,
    5,
  ],
  ['failed calls', sum(pointOf({ ...named, 'error.type': 'E' }, 3, today)), 0, /^$/, 3],
];

for (const form of ['protobuf', 'json'] as const) {
  test(`what a point of ${form} tells is counted, or rejected with its reason, and nothing else is (P48)`, async () => {
    for (const [what, metric, rejected, says, calls] of table) {
      const name = `${what} as ${form}`;
      const request = requestOf(metric, { 'service.name': name });
      const body = form === 'protobuf' ? encodedMetrics(request) : JSON.stringify(request);
      const { status, told } = await post(form, body);
      const { rejectedDataPoints = '0', errorMessage = '' } = told.partialSuccess ?? {};
      assert.deepEqual([status, rejectedDataPoints], [200, String(rejected)], `${name}: ${errorMessage}`);
      assert.match(errorMessage, says, name);
      assert.equal(told.partialSuccess === undefined, rejected === 0, name);
      const stored = counted(name);
      assert.deepEqual(
        stored.map(([some]) => some),
        calls === undefined ? [] : [calls],
        name,
      );
      assert.ok(
        stored.every(([, , lastDay]) => lastDay <= dayNow),
        `${name}: of no day that is to come`,
      );
      const again = await post(form, body);
      assert.deepEqual(again.told, told, `${name}: told again as it was`);
      assert.deepEqual(counted(name), stored, `${name}: sent again it counts once`);
    }
  });
}

const good = { resourceMetrics: [{ scopeMetrics: [{ metrics: [one(3)] }] }] };
const text = JSON.stringify(good);
const binary = Buffer.from(encodedMetrics(good));
const json = (body: string | Uint8Array, headers: Record<string, string> = {}) => ['json', body, headers] as const;
const protobuf = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  ['protobuf', body, headers] as const;

/** Status over HTTP, its code in the body, and what is sent. */
const bodies: readonly (readonly [
  status: number,
  code: number | undefined,
  sent: ReturnType<typeof json | typeof protobuf>,
])[] = [
  [200, undefined, json('{}')],
  [200, undefined, json('')],
  [200, undefined, protobuf('')],
  [200, undefined, json('{"resourceMetrics":[]}')],
  [200, undefined, json('{"resourceMetrics":[{}]}')],
  [200, undefined, json('{"resourceMetrics":[{"resource":null,"scopeMetrics":null}]}')],
  [200, undefined, json('{"resource_metrics":5,"__proto__":{"x":1}}')],
  [200, undefined, json(`\ufeff${text}`)],
  [200, undefined, protobuf(Buffer.concat([binary, binary]))],
  [400, 3, json('null')],
  [400, 3, json('[]')],
  [400, 3, json('5')],
  [400, 3, json(text.slice(0, -1))],
  [400, 3, json(`${text}${text}`)],
  [400, 3, json(binary)],
  [400, 3, json(gzipSync(text))],
  [400, 3, json('{"resourceMetrics":{}}')],
  [400, 3, json('{"resourceMetrics":[null,5]}')],
  [400, 3, json(text.replace('"isMonotonic":true', '"isMonotonic":"true"'))],
  [400, 3, json(text.replace('"aggregationTemporality":1', '"aggregationTemporality":true'))],
  [200, undefined, json(text.replace('"aggregationTemporality":1', '"aggregationTemporality":"ODD"'))],
  [400, 3, json(text.replace('"asInt":"3"', '"asInt":3.5'))],
  [400, 3, json(text.replace('"asInt":"3"', '"asInt":NaN'))],
  [400, 3, json(`{"a":${'['.repeat(500_000)}`)],
  [400, 3, json(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))],
  [400, 3, protobuf(text)],
  [400, 3, protobuf(binary.subarray(0, -1))],
  [400, 3, protobuf(Buffer.concat([binary, Buffer.from([0])]))],
  [400, 3, protobuf(gzipSync(binary))],
  [400, 3, protobuf(binary, { 'content-encoding': 'gzip' })],
  [400, 3, protobuf(gzipSync(binary).subarray(0, 30), { 'content-encoding': 'gzip' })],
  [200, undefined, protobuf(gzipSync(binary), { 'content-encoding': 'gzip' })],
  [415, 3, protobuf(binary, { 'content-encoding': 'br' })],
  [415, 3, protobuf(binary, { 'content-encoding': 'zstd' })],
  [415, 3, json(text, { 'content-type': 'text/json' })],
  [415, 3, json(text, { 'content-type': 'application/grpc' })],
  [415, 3, json(text, { 'content-type': 'application/x-protobuf, application/json' })],
  [413, 8, protobuf(gzipSync(Buffer.alloc(20 * limitBytes)), { 'content-encoding': 'gzip' })],
  [413, 8, json(' '.repeat(limitBytes + 1))],
];

test('what is no request is refused with a Status, and what is one without a resource is taken', async () => {
  for (const [status, code, [form, body, headers]] of bodies) {
    const label = `${form} ${JSON.stringify(headers)} ${body.slice(0, 60)}`;
    const answer = await post(form, body, headers);
    assert.deepEqual([answer.status, answer.told.code], [status, code], `${label}: ${answer.told.message}`);
    if (code !== undefined) assert.ok(answer.told.message!.length > 5, label);
  }
  assert.equal(counted('').length, 1, 'one function, of no service');
});

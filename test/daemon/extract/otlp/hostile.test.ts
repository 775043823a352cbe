import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidCalls } from '../../../../daemon/extract/otlp/calls-body.ts';
import { OtlpProblem } from '../../../../daemon/extract/otlp/problem.ts';
import { readCalls } from '../../../../daemon/extract/otlp/read-calls.ts';
import { readMetrics } from '../../../../daemon/extract/otlp/read-metrics.ts';
import { attributes, encodedMetrics, pointOf, requestOf, sumOf } from '../../../support/otlp.ts';
import { bytesOf, number, run, tag, varint } from '../scip/wire-bytes.ts';

const readProtobuf = (bytes: Uint8Array) => readMetrics(bytes, 'protobuf', () => {});
const readJson = (text: string | Uint8Array) => readMetrics(Buffer.from(text as string), 'json', () => {});

/** Fields of a metric, in a request that holds nothing else. */
const metric = (...fields: readonly Uint8Array[]) => run(1, run(2, run(2, ...fields)));
const sum = (...fields: readonly Uint8Array[]) =>
  metric(run(1, 'calls'), run(7, number(2, 1), number(3, 1), ...fields));

function assertUndecodable(read: () => unknown, label: string, kind = 'undecodable'): void {
  assert.throws(read, (error: unknown) => error instanceof OtlpProblem && error.kind === kind, label);
}

test('a request that is cut off is undecodable, wherever', () => {
  const points = Array.from({ length: 50 }, (_, at) => pointOf({ 'code.function': `f${at}` }));
  const request = requestOf(sumOf('calls', points));
  const bytes = encodedMetrics(request);
  const text = JSON.stringify(request);
  assert.equal(readProtobuf(bytes).taken, 50);
  for (let tenth = 1; tenth < 10; tenth++) {
    assertUndecodable(() => readProtobuf(bytes.subarray(0, (bytes.length * tenth) / 10)), `${tenth} tenths`);
    assertUndecodable(() => readJson(text.slice(0, (text.length * tenth) / 10)), `${tenth} tenths of JSON`);
  }
});

test('what protocol buffers can’t be, or not so, is undecodable', () => {
  const cases: readonly (readonly [string, Uint8Array])[] = [
    ['text', Buffer.from('hello there')],
    ['JSON', Buffer.from('{"resourceMetrics":[]}')],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])],
    ['field 0', bytesOf(tag(0, 0), varint(1))],
    ['a varint of eleven bytes', bytesOf(tag(2, 0), Buffer.alloc(10, 0xff), Buffer.from([1]))],
    ['a length past the end', bytesOf(tag(1, 2), varint(100))],
    ['a length of 64 bits', bytesOf(tag(1, 2), varint(2n ** 63n))],
    ['a resource that is a number', number(1, 5)],
    ['a group that does not end', bytesOf(tag(9, 3))],
    ['a group that ends alone', bytesOf(tag(9, 4))],
    ['a wire type that there is not', bytesOf(tag(9, 6))],
    ['a time that is a varint', sum(run(1, number(3, 5)))],
    ['a value that is a varint', sum(run(1, number(6, 5)))],
    ['a temporality that is text', metric(run(7, run(2, 'x')))],
    ['points that are numbers', sum(number(1, 1))],
    ['an attribute that is a number', sum(run(1, number(7, 1)))],
    ['an attribute that is cut off', sum(run(1, run(7, bytesOf(tag(1, 2), varint(9)))))],
  ];
  for (const [label, bytes] of cases) assertUndecodable(() => readProtobuf(bytes), label);
  assertUndecodable(() => readProtobuf(Buffer.alloc(1000, tag(9, 3)[0])), 'groups in groups', 'too large');
});

test('what JSON can’t be, or not so, is undecodable', () => {
  const cases: readonly string[] = [
    ...['[]', '5', '"x"', 'null', '{', '{"resourceMetrics":{}}', '{"resourceMetrics":[5]}', '{"resourceMetrics":[[]]}'],
    ...[
      '{"resourceMetrics":[{"resource":[]}]}',
      '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":5,"sum":{}}]}]}]}',
    ],
    ...['{"resourceMetrics":[{"resource":{"attributes":[{"key":"a","value":{"intValue":"x"}}]}}]}'],
    ...['{"resourceMetrics":[{"resource":{"attributes":[{"key":"a","value":{"intValue":1.5}}]}}]}'],
  ];
  for (const text of cases) assertUndecodable(() => readJson(text), text);
  const point = (fields: object) => JSON.stringify(requestOf(sumOf('calls', [fields])));
  for (const fields of [
    { asInt: '1e3' },
    { asInt: '99999999999999999999' },
    { timeUnixNano: '-1' },
    { asDouble: '0x10' },
  ]) {
    assertUndecodable(() => readJson(point(fields)), JSON.stringify(fields));
  }
  assertUndecodable(() => readJson(`{"x":${'['.repeat(1e6)}`), 'a million brackets');
  assertUndecodable(() => readJson(`{"resourceMetrics":[${'{},'.repeat(4_000_000)}{}]}`), 'many values', 'too large');
  const fields = Array.from({ length: 1001 }, (_, at) => `"${at}":1`);
  assertUndecodable(() => readJson(`{"x":[{"a":1},{${fields.join(',')}}]}`), 'many fields');
  assert.equal(
    readJson(`{"\\\\":":,[{","x":[{${fields.slice(1).join(',')}},{${fields.slice(1).join(',')}}]}`).taken,
    0,
  );
  assertUndecodable(() => readJson(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), 'no UTF-8');
});

test('whatever stands where something else should is taken or refused, and breaks nothing', () => {
  const list = { arrayValue: { values: [{ kvlistValue: { values: attributes({ a: true }) } }] } };
  const named = { 'code.function': 'f', line: 3, list, bytes: { bytesValue: 'AA==' }, share: { doubleValue: 0.5 } };
  const scope = { name: 'a', version: '1', attributes: attributes({ b: 'c' }) };
  const metrics = requestOf(sumOf('calls', [pointOf(named)]), { 'service.name': 'shop' }, scope);
  const call = { service_name: 'shop', function_name: 'f', file_path: 'a.ts', namespace: 'n', line_number: 1 };
  const calls = [{ ...call, call_count: 2, error_count: 1, caller_service: 'web', timestamp: '2026-03-01T09:30:00Z' }];
  const bodies: readonly (readonly [object, (bytes: Uint8Array) => unknown])[] = [
    [metrics, bytes => readMetrics(bytes, 'json', () => {})],
    [{ calls, timestamp: 5, batch_id: 'b' }, bytes => readCalls(bytes, 0, () => {})],
  ];
  for (const [body, read] of bodies) {
    for (const text of withOther(body)) {
      try {
        read(Buffer.from(text));
      } catch (error) {
        assert.ok(error instanceof OtlpProblem || error instanceof InvalidCalls, `${text}: ${error}`);
      }
    }
  }
});

/** JSON of a value with each of its parts replaced by each of what it may not be. */
function withOther(value: unknown): readonly string[] {
  const others = [null, 5, -1.5, 'x', true, [], {}, [null], [5], ['x'], [[]], [{}], { a: null }].map(other =>
    JSON.stringify(other),
  );
  if (typeof value !== 'object' || value === null) return others;
  const parts = Object.entries(value).flatMap(([key, part]) =>
    withOther(part).map(other =>
      Array.isArray(value)
        ? `[${value.map((one, at) => (String(at) === key ? other : JSON.stringify(one)))}]`
        : `{${Object.entries(value).map(([name, one]) => `"${name}":${name === key ? other : JSON.stringify(one)}`)}}`,
    ),
  );
  return [...others, ...parts];
}

test('an attribute too deep in others has its points rejected, and no depth breaks anything', () => {
  let value: Uint8Array = run(1, 'x');
  for (let depth = 0; depth < 2000; depth++) value = run(5, run(1, value));
  const deep = (inner: Uint8Array) => sum(run(1, run(7, run(1, 'code.function'), run(2, inner))));
  const { rejected, message } = readProtobuf(deep(value));
  assert.equal(rejected, 1);
  assert.match(message, /more than 16 levels deep/);
  let json: object = { stringValue: 'x' };
  for (let depth = 0; depth < 17; depth++) json = { kvlistValue: { values: [{ key: 'a', value: json }] } };
  const request = requestOf(sumOf('calls', [pointOf({ a: json as never })]));
  assert.equal(readProtobuf(encodedMetrics(request)).rejected, 1);
});

test('millions of empty messages take neither memory nor much time', () => {
  const count = 4_000_000;
  const empties = (field: number) => Buffer.alloc(2 * count).fill(Buffer.from([field * 8 + 2, 0]));
  const before = process.memoryUsage().rss;
  const startedMs = performance.now();
  assert.equal(readProtobuf(sum(empties(1))).taken, 0, 'points');
  assert.equal(readProtobuf(metric(run(5, empties(1)))).taken, 0, 'points of a gauge');
  assert.equal(readProtobuf(sum(run(1, empties(7)))).rejected, 1, 'attributes');
  assert.equal(readProtobuf(empties(1)).taken, 0, 'resources');
  assert.equal(readProtobuf(run(1, empties(2))).taken, 0, 'scopes');
  assert.equal(readProtobuf(run(1, run(2, empties(2)))).taken, 0, 'metrics');
  assert.equal(readProtobuf(run(1, run(1, empties(1)))).taken, 0, 'attributes of a resource');
  const grownMb = (process.memoryUsage().rss - before) / 2 ** 20;
  assert.ok(grownMb < 200, `${grownMb} MB more`);
  assert.ok(performance.now() - startedMs < 30_000);
});

test('attributes that are all different, and names without end, are forgotten in time', () => {
  const many = Array.from({ length: 60_000 }, (_, at) =>
    run(
      1,
      run(7, run(1, 'code.function'), run(2, run(1, `f${at}`))),
      bytesOf(tag(6, 1), Buffer.from([1, 0, 0, 0, 0, 0, 0, 0])),
    ),
  );
  assert.equal(readProtobuf(sum(Buffer.concat(many))).taken, 60_000);
  const { rejected } = readProtobuf(
    run(1, run(2, run(2, run(1, 'x'.repeat(10_000_000)), run(7, number(2, 1), number(3, 1), many[0]!)))),
  );
  assert.equal(rejected, 1);
});

test('names that objects have from elsewhere are names', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const points = names.map(name => pointOf({ 'code.function': name, [name]: name }));
  for (const read of [
    readProtobuf(encodedMetrics(requestOf(sumOf('__proto__', points)))),
    readJson(JSON.stringify(requestOf(sumOf('__proto__', points)))),
  ]) {
    assert.deepEqual([read.taken, read.rejected], [4, 0]);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidCalls } from '../../../../daemon/extract/otlp/calls-body.ts';
import { OtlpProblem } from '../../../../daemon/extract/otlp/problem.ts';
import { readCalls } from '../../../../daemon/extract/otlp/read-calls.ts';
import type { CallPoint } from '../../../../daemon/model/usage.ts';

const nowMs = Date.parse('2026-03-01T09:30:00.000Z');

function read(body: unknown) {
  const points: CallPoint[] = [];
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { ...readCalls(Buffer.from(text), nowMs, point => points.push(point)), points };
}

function problemsOf(body: unknown): readonly string[] {
  try {
    read(body);
  } catch (error) {
    if (error instanceof InvalidCalls) return error.problems.map(({ path, message }) => `${path} ${message}`);
    throw error;
  }
  return [];
}

const call = { service_name: 'shop', function_name: 'total', call_count: 10 };

test('both letter cases say the same', () => {
  const snake = {
    ...{ ...call, file_path: 'src/a.ts', namespace: 'Cart', error_count: 2, line_number: 7 },
    ...{ caller_service: 'web', timestamp: 1700000000 },
  };
  const camel = {
    ...{ serviceName: 'shop', functionName: 'total', filePath: 'src/a.ts', namespace: 'Cart', callCount: 10 },
    ...{ errorCount: 2, lineNumber: 7, callerService: 'web', timestamp: '2023-11-14T22:13:20Z' },
  };
  const told = read({ calls: [snake], batch_id: 'b-1' });
  assert.deepEqual(read({ calls: [camel], batchId: 'b-1' }), told);
  assert.deepEqual(read({ calls: [{ ...camel, ...snake }], batchId: 'b-1' }), told, 'both at once, where they agree');
  assert.deepEqual([told.received, told.batchId, told.points.length], [1, 'b-1', 2]);
  const [calls, errors] = told.points;
  assert.deepEqual([calls!.counts, calls!.value, errors!.counts, errors!.value], ['calls', 10, 'errors', 2]);
  assert.deepEqual(calls!.function, { name: 'total', namespace: 'Cart', file: 'src/a.ts', line: 7 });
  const { service, repository } = calls!.source;
  assert.deepEqual([service, repository, calls!.caller, calls!.temporality], ['shop', '', 'web', 'delta']);
  assert.deepEqual([calls!.startUs, calls!.timeUs], [0, 1700000000000000]);
  assert.deepEqual([calls!.series, errors!.source, errors!.function], [0, calls!.source, calls!.function]);
});

test('what is left out, functions that nobody called, and times', () => {
  const { points } = read({ calls: [{ ...call, call_count: 0 }, call, { ...call, call_count: 2 ** 60 }] });
  assert.deepEqual(
    points.map(({ value, counts }) => [value, counts]),
    [
      [0, 'calls'],
      [10, 'calls'],
      [2 ** 53 - 1, 'calls'],
    ],
  );
  assert.ok(points.every(({ timeUs }) => timeUs === nowMs * 1000));
  assert.equal(new Set(points.map(({ source }) => source)).size, 1);
  assert.equal(new Set(points.map(point => point.function)).size, 1);
  const dated = read({ calls: [call, { ...call, timestamp: 5 }], timestamp: '2026-01-01T00:00:00+01:00' });
  assert.deepEqual(
    dated.points.map(({ timeUs }) => timeUs),
    [Date.parse('2025-12-31T23:00:00Z') * 1000, 5_000_000],
  );
  assert.deepEqual(read({ calls: [] }), { received: 0, batchId: '', points: [] });
  assert.deepEqual(problemsOf({ calls: [{ ...call, error_count: 11 }] }), [], 'errors of calls that others count');
});

test('times are those that there are: the others are refused, and none is taken for its neighbour', () => {
  const timed = (timestamp: string) => problemsOf({ calls: [call], timestamp });
  const taken: readonly string[] = [
    ...['2024-02-29T00:00:00Z', '2000-02-29T23:59:59.999999999Z', '2026-12-31T23:59+23:59', '1970-01-01T00:00:00Z'],
    ...['2026-03-29T02:30:00+01:00', '2026-03-01T00:00:00.5-00:30', '9999-12-31T23:59:59Z'],
  ];
  for (const timestamp of taken) {
    assert.deepEqual(timed(timestamp), [], timestamp);
    const [point] = read({ calls: [call], timestamp }).points;
    assert.equal(point!.timeUs, Date.parse(timestamp) * 1000, timestamp);
  }
  const refused: readonly string[] = [
    ...['2026-02-30T00:00:00Z', '2026-02-29T00:00:00Z', '2100-02-29T00:00:00Z', '2026-04-31T00:00:00Z'],
    ...['2026-00-10T00:00:00Z', '2026-13-01T00:00:00Z', '2026-01-00T00:00:00Z', '2026-01-32T00:00:00Z'],
    ...['2026-01-31T24:00:00Z', '2026-01-31T25:00:00Z', '2026-01-31T10:60:00Z', '2016-12-31T23:59:60Z'],
    ...[
      '2026-01-31T10:00:00+24:00',
      '2026-01-31T10:00:00+10:60',
      '2026-01-31T10:00:00',
      '2026-01-31',
      '+002026-01-31T10:00Z',
    ],
    ...['1969-12-31T23:59:59Z', '1970-01-01T00:00:00+01:00', '0026-01-01T00:00:00Z', '9999-12-31T23:59:59-01:00'],
  ];
  for (const timestamp of refused) {
    assert.match(String(timed(timestamp)), /^timestamp must be a time as 2026-03-01T09:30:00Z/, timestamp);
    const ofCall = problemsOf({ calls: [{ ...call, timestamp }] });
    assert.match(String(ofCall), /^calls\[0\]\.timestamp must be a time as/, timestamp);
  }
});

test('what breaks it is told by its place, and nothing is taken', () => {
  const problemOf = (fields: object): readonly string[] => problemsOf({ calls: [call, { ...call, ...fields }] });
  const cases: readonly (readonly [readonly string[], readonly RegExp[]])[] = [
    [problemOf({ call_count: -1 }), [/^calls\[1\]\.call_count must be an integer of at least 0, in plain digits$/]],
    [problemOf({ call_count: 1.5 }), [/call_count must be an integer/]],
    [problemOf({ call_count: '1' }), [/call_count must be an integer/]],
    [problemOf({ call_count: null }), [/call_count must be an integer/]],
    [problemOf({ call_count: undefined }), [/^calls\[1\]\.call_count is required$/]],
    [problemOf({ error_count: -1 }), [/error_count must be/]],
    [problemOf({ service_name: '' }), [/^calls\[1\]\.service_name must be text of 1 to 1024 characters$/]],
    [
      problemOf({ service_name: undefined, function_name: undefined }),
      [/service_name is required/, /function_name is required/],
    ],
    [problemOf({ function_name: 'x'.repeat(1025) }), [/function_name must be text/]],
    [problemOf({ function_name: 'a\0b' }), [/NUL/]],
    [problemOf({ file_path: 5 }), [/file_path must be text of at most 4096/]],
    [problemOf({ line_number: 2 ** 31 }), [/line_number must be an integer from 0 to 2147483647/]],
    [problemOf({ callCount: 11 }), [/^calls\[1\]\.callCount says otherwise than call_count$/]],
    [problemOf({ call_cuont: 1 }), [/^calls\[1\]\.call_cuont is not a known field; did you mean call_count\?$/]],
    [problemOf({ ['__proto__x']: 1 }), [/is not a known field; there are service_name/]],
    [problemOf({ timestamp: 'yesterday' }), [/timestamp must be a time as/]],
    [problemOf({ timestamp: 1700000000000 }), [/or Unix seconds/]],
    [problemsOf({ calls: 'x' }), [/^calls must be a list$/]],
    [problemsOf({}), [/^calls is required$/]],
    [problemsOf(''), [/^calls is required$/]],
    [problemsOf({ calls: [null] }), [/^calls\[0\] must be an object$/]],
    [problemsOf([]), [/^body must be a JSON object$/]],
    [problemsOf('null'), [/^calls is required$/]],
    [problemsOf({ calls: [], batch_id: '' }), [/^batch_id must be text of 1 to 256 characters$/]],
    [problemsOf({ calls: [], cals: [] }), [/^cals is not a known field; did you mean calls\?$/]],
  ];
  for (const [problems, says] of cases) {
    assert.equal(problems.length, says.length, String(problems));
    for (const [at, problem] of problems.entries()) assert.match(problem, says[at]!);
  }
  assert.equal(problemsOf({ calls: Array.from({ length: 1000 }, () => ({})) }).length, 20);
  const unknown = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`a${at}`, 1]));
  assert.equal(problemsOf({ calls: [], ...unknown }).length, 20);
});

test('what is no JSON is undecodable', () => {
  const refused = (text: string | Uint8Array) =>
    assert.throws(() => readCalls(Buffer.from(text as string), nowMs, () => {}), OtlpProblem);
  for (const text of ['{', 'x', '{"calls":[]}x', '{"calls":[],"calls":[]}']) refused(text);
  refused(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
  refused(`{"calls":${'['.repeat(100)}${']'.repeat(100)}}`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MetricsRead, readMetrics } from '../../../../daemon/extract/otlp/read-metrics.ts';
import type { CallPoint } from '../../../../daemon/model/usage.ts';
import { attributes, encodedMetrics, pointOf, requestOf, sumOf } from '../../../support/otlp.ts';

interface Read extends MetricsRead {
  readonly points: readonly CallPoint[];
}

/** What both forms of a request say, which must be the same. */
function read(request: object): Read {
  const [protobuf, json] = (['protobuf', 'json'] as const).map(format => {
    const bytes = format === 'protobuf' ? encodedMetrics(request) : Buffer.from(JSON.stringify(request));
    const points: CallPoint[] = [];
    return { ...readMetrics(bytes, format, point => points.push(point)), points };
  });
  assert.deepEqual(json, protobuf);
  return protobuf!;
}

function one(request: object): CallPoint {
  const { points, rejected, message } = read(request);
  assert.deepEqual([points.length, rejected, message], [1, 0, '']);
  return points[0]!;
}

const named = { 'code.function.name': 'Cart.total' };

test('a sum’s point tells of calls, with all that is said around it', () => {
  const resource = {
    'service.name': 'shop',
    'vcs.repository.url.full': 'https://host/acme/shop.git',
    'host.name': 'a',
  };
  const point = one(
    requestOf(
      sumOf('calls', [pointOf({ ...named, 'code.file.path': '/srv/a.ts', 'code.line.number': 12 }, 7)]),
      resource,
    ),
  );
  const { source, ...rest } = point;
  assert.deepEqual(rest, {
    function: { name: 'Cart.total', namespace: '', file: '/srv/a.ts', line: 12 },
    caller: '',
    metric: 'calls',
    counts: 'calls',
    isSameItem: false,
    temporality: 'delta',
    series: 0,
    startUs: 1700000000000000,
    timeUs: 1700000060000000,
    value: 7,
  });
  assert.deepEqual([source.service, source.repository], ['shop', 'shop']);
  assert.match(source.identity, /^[\w-]{20}$/);
});

test('the stable attributes win over the older ones, the nearer over those further out', () => {
  const both = { 'code.function': 'old', 'code.filepath': 'old.ts', 'code.lineno': '3', 'code.namespace': 'shop' };
  const told = { name: 'old', namespace: 'shop', file: 'old.ts', line: 3 };
  assert.deepEqual(one(requestOf(sumOf('calls', [pointOf(both)]))).function, told);
  const stable = { ...both, 'code.function.name': 'new', 'code.file.path': 'new.ts', 'code.line.number': 4 };
  const newer = { name: 'new', namespace: 'shop', file: 'new.ts', line: 4 };
  assert.deepEqual(one(requestOf(sumOf('calls', [pointOf(stable)]))).function, newer);
  const around = requestOf(
    sumOf('calls', [pointOf({ 'code.function': 'near' })]),
    { 'service.name': 'shop', 'code.namespace': 'resource', 'code.filepath': 'resource.ts' },
    { name: 'x', attributes: attributes({ 'code.namespace': 'scope' }) },
  );
  assert.deepEqual(one(around).function, { name: 'near', namespace: 'scope', file: 'resource.ts', line: 0 });
  const odd = { ...named, 'code.line.number': 'twelve', 'code.file.path': { doubleValue: 1 } };
  assert.deepEqual(one(requestOf(sumOf('calls', [pointOf(odd)]))).function, {
    ...told,
    ...{ name: 'Cart.total', namespace: '', file: '', line: 0 },
  });
  const place = { 'code.file.path': 'a.ts', 'code.line.number': { doubleValue: 4 } };
  assert.equal(one(requestOf(sumOf('calls', [pointOf(place)]))).function.line, 4, 'a line of a file is of a function');
});

test('what scope and resource say holds for them alone', () => {
  const scoped = (name: string) => ({
    scope: { name, attributes: attributes({ 'code.function': name }) },
    metrics: [sumOf('calls', [pointOf({}), pointOf({ x: 'y' })])],
  });
  const resourceMetrics = [{ resource: {}, scopeMetrics: [scoped('a'), scoped('b'), scoped('a')] }];
  const names = read({ resourceMetrics }).points.map(point => point.function.name);
  assert.deepEqual(names, ['a', 'a', 'b', 'b', 'a', 'a']);
});

test('which metrics count calls, and which are others', () => {
  const dataPoints = [pointOf(named), pointOf({ route: '/' })];
  const counts = [{ attributes: attributes(named), count: '5' }];
  const cases: readonly (readonly [string, object, string])[] = [
    ['no unit', { name: 'calls', sum: { dataPoints, aggregationTemporality: 2, isMonotonic: true } }, 'cumulative 1'],
    ['one', { name: 'calls', unit: '1', sum: { dataPoints, aggregationTemporality: 1, isMonotonic: true } }, 'delta 1'],
    [
      'seconds',
      { name: 'time', unit: 's', sum: { dataPoints, aggregationTemporality: 1, isMonotonic: true } },
      'nothing',
    ],
    ['by its name', sumOf('process_cpu_seconds_total', dataPoints, {}), 'delta 1'],
    ['by its name alone', { ...sumOf('cpu_seconds_total', dataPoints), unit: '' }, 'nothing'],
    ['goes down', { name: 'open', sum: { dataPoints, aggregationTemporality: 2 } }, 'nothing'],
    ['gauge', { name: 'load', gauge: { dataPoints } }, 'nothing'],
    [
      'histogram',
      { name: 'time', unit: 's', histogram: { dataPoints: counts, aggregationTemporality: 2 } },
      'cumulative 5',
    ],
    [
      'exponential',
      { name: 'time', unit: 'ms', exponentialHistogram: { dataPoints: counts, aggregationTemporality: 1 } },
      'delta 5',
    ],
    ['summary', { name: 'time', unit: 's', summary: { dataPoints: counts } }, 'cumulative 5'],
  ];
  for (const [label, metric, told] of cases) {
    const { points, rejected } = read(requestOf(metric));
    const found = points.length > 0 ? `${points[0]!.temporality} ${points[0]!.value}` : 'nothing';
    assert.deepEqual([found, rejected], [told, 0], label);
  }
  assert.deepEqual(read(requestOf({ name: 'nothing' })).taken, 0);
});

test('what can’t be counted is rejected, and the first of it named', () => {
  const sum = (value: object, more: object = {}) =>
    requestOf(sumOf('calls', [{ attributes: attributes(named), ...value }], more));
  const long = 'x'.repeat(1025);
  const cases: readonly (readonly [object, RegExp])[] = [
    [
      sum({ asInt: '1' }, { aggregationTemporality: 0 }),
      /^metric "calls": a data point does not say whether it is delta/,
    ],
    [sum({ asInt: '1' }, { aggregationTemporality: 7 }), /does not say/],
    [sum({ asInt: '-1' }), /counts -1 calls/],
    [sum({ asDouble: 'NaN' }), /counts NaN calls/],
    [sum({ asInt: '9007199254740992' }), /counts more than 9007199254740991 calls/],
    [sum({ asInt: '9223372036854775807' }), /counts more than 9007199254740991 calls/],
    [sum({ asDouble: 1e300 }), /counts more than 9007199254740991 calls/],
    [sum({}), /has no value/],
    [requestOf(sumOf('calls', [pointOf({ 'code.function': long })])), /more than 1024 characters/],
    [requestOf(sumOf('calls', [pointOf({ ...named, 'code.file.path': 'x'.repeat(4097) })])), /more than 4096/],
    [requestOf(sumOf('calls', [pointOf({ ...named, x: 'x'.repeat(66_000) })])), /more than 65536 bytes/],
    [
      requestOf(sumOf('calls', [pointOf(Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`${at}`, 1])))])),
      /more than 1000 attributes/,
    ],
    [requestOf(sumOf(long, [pointOf(named)])), /^metric "x{100}…": a data point has a name/],
    [requestOf(sumOf('calls', [pointOf(named)]), { 'service.name': long }), /more than 1024 characters/],
  ];
  for (const [request, says] of cases) {
    const { taken, rejected, message } = read(request);
    assert.deepEqual([taken, rejected], [0, 1], String(says));
    assert.match(message, says);
  }
  const several = read(requestOf(sumOf('calls', [pointOf(named), pointOf(named, -1), pointOf(named, -2)])));
  assert.deepEqual([several.taken, several.rejected], [1, 2]);
  assert.match(
    several.message,
    /^2 data points are rejected; the first: metric "calls": a data point counts -1 calls$/,
  );
  assert.deepEqual(read(requestOf(sumOf('calls', [pointOf({ x: long }, -1)]))).rejected, 0, 'what is of no function');
});

test('values: whole, rounded, and none where none was recorded', () => {
  const values = (...points: readonly object[]) =>
    read(
      requestOf(
        sumOf(
          'calls',
          points.map(point => ({ attributes: attributes(named), ...point })),
        ),
      ),
    ).points.map(({ value }) => value);
  assert.deepEqual(
    values(
      { asInt: '0' },
      { asDouble: 2.5 },
      { asDouble: 2.4 },
      { asInt: '4294967297' },
      { asInt: '9007199254740991' },
    ),
    [0, 3, 2, 4294967297, 2 ** 53 - 1],
  );
  const { taken, rejected } = read(requestOf(sumOf('calls', [{ attributes: attributes(named), flags: 1 }])));
  assert.deepEqual([taken, rejected], [0, 0]);
});

test('failed calls, errors alone, and who calls', () => {
  const countsOf = (more: Parameters<typeof attributes>[0], name = 'calls') =>
    one(requestOf(sumOf(name, [pointOf({ ...named, ...more })]))).counts;
  const failed: readonly Parameters<typeof attributes>[0][] = [
    ...[{ 'error.type': 'TypeError' }, { error: true }, { error: 'true' }, { 'otel.status_code': 'ERROR' }],
    ...[{ 'status.code': 'STATUS_CODE_ERROR' }, { status_code: 2 }, { outcome: 'failure' }, { result: 'error' }],
  ];
  for (const more of failed) assert.equal(countsOf(more), 'failed calls', JSON.stringify(more));
  for (const more of [{ 'error.type': '' }, { error: false }, { status_code: 200 }, { outcome: 'success' }]) {
    assert.equal(countsOf(more), 'calls', JSON.stringify(more));
  }
  for (const name of ['shop.errors', 'shop_exceptions_total', 'failures'])
    assert.equal(countsOf({ error: true }, name), 'errors');
  assert.equal(countsOf({}, 'errors.calls'), 'calls');
  const callerOf = (more: Parameters<typeof attributes>[0]) =>
    one(requestOf(sumOf('calls', [pointOf({ ...named, ...more })]))).caller;
  assert.equal(callerOf({ 'caller.service': 'web' }), 'web');
  assert.equal(callerOf({ 'peer.service': 'web', 'span.kind': 'SPAN_KIND_SERVER' }), 'web');
  assert.equal(callerOf({ 'peer.service': 'web', 'span.kind': 'server' }), 'web');
  assert.equal(callerOf({ 'peer.service': 'db', 'span.kind': 'CLIENT' }), '');
});

test('series and sources are told apart by what they say, whatever its order', () => {
  const sourceOf = (resource: Parameters<typeof attributes>[0]) =>
    one(requestOf(sumOf('calls', [pointOf(named)]), resource)).source;
  const a = sourceOf({ 'service.name': 'shop', 'host.name': 'a', pid: 1 });
  assert.deepEqual(sourceOf({ pid: 1, 'host.name': 'a', 'service.name': 'shop' }), a);
  assert.notEqual(sourceOf({ 'service.name': 'shop', 'host.name': 'b', pid: 1 }).identity, a.identity);
  assert.notEqual(sourceOf({ 'service.name': 'shop', 'host.name': 'a', pid: '1' }).identity, a.identity);
  const seriesOf = (request: object) => one(request).series;
  const more = {
    arrayValue: { values: [{ intValue: '1' }, { kvlistValue: { values: attributes({ a: 1, b: 'c' }) } }] },
  };
  const grown = { aggregationTemporality: 2 };
  const series = seriesOf(requestOf(sumOf('calls', [pointOf({ ...named, x: 'y', more })], grown)));
  assert.ok(Number.isSafeInteger(series) && series > 0);
  assert.equal(seriesOf(requestOf(sumOf('calls', [pointOf({ more, x: 'y', ...named }, 9)], grown))), series);
  const others = [
    requestOf(sumOf('calls', [pointOf({ ...named, x: 'z', more })], grown)),
    requestOf(sumOf('other.calls', [pointOf({ ...named, x: 'y', more })], grown)),
    requestOf(sumOf('calls', [pointOf({ ...named, x: 'y', more })], grown), {}, { name: 'test', version: '2' }),
    ...['a', 'b'].map(scope =>
      requestOf(
        sumOf('calls', [pointOf({ ...named, x: 'y', more })], grown),
        {},
        { name: 'test', version: '1', attributes: attributes({ scope }) },
      ),
    ),
    requestOf({
      name: 'calls',
      summary: { dataPoints: [{ attributes: attributes({ ...named, x: 'y', more }), count: '1' }] },
    }),
  ];
  assert.equal(new Set([series, ...others.map(seriesOf)]).size, 7);
});

test('a service that the resource does not name the point may; repositories by name or address', () => {
  const request = (resource: Parameters<typeof attributes>[0], point: Parameters<typeof attributes>[0]) =>
    one(requestOf(sumOf('calls', [pointOf({ ...named, ...point })]), resource)).source;
  assert.equal(request({}, { 'service.name': 'web' }).service, 'web');
  assert.equal(
    request({ 'service.name': 'unknown_service:node' }, { 'service.name': 'web' }).service,
    'unknown_service:node',
  );
  assert.equal(request({}, {}).service, '');
  const repositoryOf = (resource: Parameters<typeof attributes>[0]) => request(resource, {}).repository;
  assert.equal(repositoryOf({ 'vcs.repository.name': 'app', 'vcs.repository.url.full': 'https://h/x' }), 'app');
  assert.equal(repositoryOf({ 'vcs.repository.url.full': 'git@host:acme/shop.git' }), 'shop');
  assert.equal(repositoryOf({ 'vcs.repository.url.full': 'https://host/acme/shop/' }), 'shop');
  assert.equal(repositoryOf({}), '');
});

test('one function is one object, as one source is', () => {
  const outcomes = ['a', 'b', 'c'].map(kind => pointOf({ ...named, kind }));
  const { points } = read(requestOf(sumOf('calls', outcomes, { aggregationTemporality: 2 })));
  assert.equal(new Set(points.map(point => point.function)).size, 1);
  assert.equal(new Set(points.map(({ source }) => source)).size, 1);
  assert.equal(new Set(points.map(({ series }) => series)).size, 3);
});

test('JSON as others write it: numbers as numbers, names of enumerations, fields nobody knows', () => {
  const request = {
    resourceMetrics: [
      {
        newer: 1,
        scopeMetrics: [
          {
            metrics: [
              {
                name: 'calls',
                gauge: null,
                sum: {
                  aggregationTemporality: 'AGGREGATION_TEMPORALITY_CUMULATIVE',
                  isMonotonic: true,
                  dataPoints: [
                    { attributes: attributes(named), asInt: 3, timeUnixNano: 1700000000000000000, exemplars: [{}] },
                  ],
                },
              },
            ],
          },
        ],
      },
    ],
  };
  const points: CallPoint[] = [];
  readMetrics(Buffer.from(`\ufeff${JSON.stringify(request)}`), 'json', point => points.push(point));
  assert.deepEqual(
    points.map(({ value, temporality, startUs }) => [value, temporality, startUs]),
    [[3, 'cumulative', 0]],
  );
  for (const empty of ['', '{}', '{"resourceMetrics":null}', '{"resource_metrics":[{}]}']) {
    assert.equal(readMetrics(Buffer.from(empty), 'json', () => {}).taken, 0, empty);
  }
});

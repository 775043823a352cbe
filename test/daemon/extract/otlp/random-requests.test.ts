import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMetrics } from '../../../../daemon/extract/otlp/read-metrics.ts';
import type { CallPoint } from '../../../../daemon/model/usage.ts';
import { attributes, encodedMetrics } from '../../../support/otlp.ts';
import { randomFrom } from '../../../support/synthetic.ts';

const seeds = 300;

test('a request says the same as protocol buffers and as JSON, and in whatever order', () => {
  let taken = 0;
  let rejected = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const request = randomRequest(randomFrom(seed));
    const protobuf = read(encodedMetrics(request), 'protobuf');
    const json = read(Buffer.from(JSON.stringify(request)), 'json');
    assert.deepEqual(json, protobuf, `seed ${seed}`);
    const turned = read(encodedMetrics(inOtherOrder(request) as object), 'protobuf');
    assert.deepEqual(turned.points, protobuf.points, `seed ${seed}, attributes the other way round`);
    taken += protobuf.taken;
    rejected += protobuf.rejected;
  }
  assert.ok(taken > seeds && rejected > seeds, `${taken} taken, ${rejected} rejected`);
});

test('fields in any order, and in pieces, say the same', () => {
  for (let seed = 1; seed <= seeds / 3; seed++) {
    const request = encodedMetrics(randomRequest(randomFrom(seed)));
    assert.deepEqual(
      read(fieldsReversed(request, 3), 'protobuf').taken,
      read(request, 'protobuf').taken,
      `seed ${seed}`,
    );
  }
});

function read(bytes: Uint8Array, format: 'protobuf' | 'json') {
  const points: CallPoint[] = [];
  return { ...readMetrics(bytes, format, point => points.push(point)), points };
}

type Random = () => number;

const keys = [
  ...['code.function.name', 'code.function.name', 'code.function', 'code.namespace', 'code.file.path', 'code.filepath'],
  ...['code.lineno', 'error.type', 'error', 'span.kind', 'peer.service', 'service.name', 'status_code', 'x', 'y', ''],
];

function randomRequest(random: Random): object {
  const resourceMetrics = many(random, 3, () => ({
    ...maybe(random, () => ({ resource: { attributes: randomAttributes(random, 3) } })),
    scopeMetrics: many(random, 3, () => ({
      ...maybe(random, () => ({
        scope: { name: pick(random, ['a', 'b', '']), version: '1', attributes: randomAttributes(random, 1) },
      })),
      metrics: many(random, 4, () => randomMetric(random)),
    })),
  }));
  return { resourceMetrics };
}

function randomMetric(random: Random): object {
  const kind = pick(random, ['sum', 'sum', 'sum', 'histogram', 'exponentialHistogram', 'summary', 'gauge']);
  const isNumber = kind === 'sum' || kind === 'gauge';
  const dataPoints = many(random, 6, () => ({
    attributes: randomAttributes(random, 5),
    ...maybe(random, () => ({
      startTimeUnixNano: String(1_700_000_000_000_000_000n + BigInt(Math.floor(random() * 1e9))),
    })),
    timeUnixNano: '1700000000000000001',
    ...(isNumber ? randomNumber(random) : { count: pick(random, ['0', '3', '18446744073709551615']) }),
    ...(random() < 0.1 ? { flags: 1 } : {}),
  }));
  const aggregation = {
    aggregationTemporality: pick(random, [0, 1, 2, 2]),
    ...(kind === 'sum' ? { isMonotonic: random() < 0.9 } : {}),
  };
  return {
    name: pick(random, ['calls', 'http.errors', 'ü😀', 'cpu_seconds_total']),
    unit: pick(random, ['', '1', '{call}', 's']),
    [kind]: { dataPoints, ...(kind === 'gauge' || kind === 'summary' ? {} : aggregation) },
  };
}

function randomNumber(random: Random): object {
  return pick(random, [
    ...[{ asInt: '5' }, { asInt: '-5' }, { asInt: '9223372036854775807' }, { asDouble: 1.5 }, { asDouble: 1e15 }, {}],
    ...[{ asInt: String(Math.floor(random() * 2 ** 50)) }],
  ]);
}

function randomAttributes(random: Random, most: number): readonly object[] {
  const names = new Set(many(random, most, () => pick(random, keys)));
  return [...names].map(key => ({ key, value: randomValue(random, 0) }));
}

function randomValue(random: Random, depth: number): object {
  const texts = ['', 'a', 'Cart.total', 'src/a.ts', 'SERVER', 'ERROR', '12', 'ä\0"\\', '😀'];
  if (random() < 0.75) return { stringValue: pick(random, texts) };
  return pick<() => object>(random, [
    () => ({ boolValue: random() < 0.5 }),
    () => ({ intValue: pick(random, ['0', '2', '-1', '9223372036854775807', '-9223372036854775808', '300']) }),
    () => ({ doubleValue: pick(random, [0, 2, -1.5, 1e300]) }),
    () => ({ bytesValue: pick(random, ['', 'AAEC', 'AA==']) }),
    () => (depth > 3 ? {} : { arrayValue: { values: many(random, 3, () => randomValue(random, depth + 1)) } }),
    () => (depth > 3 ? {} : { kvlistValue: { values: attributes({ b: 1, a: 'x' }) } }),
    () => ({}),
  ])();
}

/** All lists of attributes turned round, those in values included. */
function inOtherOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOtherOrder);
  if (typeof value !== 'object' || value === null) return value;
  const turned = Object.entries(value).map(([name, inner]) => {
    const isSet =
      name === 'attributes' || (name === 'values' && Array.isArray(inner) && inner.some(one => 'key' in one));
    const same = inOtherOrder(inner);
    return [name, isSet ? (same as unknown[]).toReversed() : same];
  });
  return Object.fromEntries(turned);
}

/** The fields of a message, and those of its lists to some depth, the last first: what is said once then comes behind. */
function fieldsReversed(bytes: Uint8Array, depth: number): Uint8Array {
  const fields: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const from = at;
    const type = bytes[at++]! & 7;
    if (type === 0) while (bytes[at++]! >= 0x80);
    else if (type === 1) at += 8;
    else {
      let length = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++]!;
        length += (byte & 0x7f) * 2 ** shift;
        if (byte < 0x80) break;
      }
      const head = bytes.subarray(from, at);
      const inner = bytes.subarray(at, at + length);
      at += length;
      fields.push(
        depth > 0 && bytes[from]! >> 3 === 2
          ? Buffer.concat([head, fieldsReversed(inner, depth - 1)])
          : Buffer.concat([head, inner]),
      );
      continue;
    }
    fields.push(bytes.subarray(from, at));
  }
  return Buffer.concat(fields.reverse());
}

function many<T>(random: Random, most: number, make: () => T): T[] {
  return Array.from({ length: Math.floor(random() * (most + 1)) }, make);
}

function maybe(random: Random, make: () => object): object {
  return random() < 0.8 ? make() : {};
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Fault } from '../../../../client/protocol/faults.ts';
import {
  type BatchCall,
  type BatchTaken,
  createTelemetryService,
} from '../../../../daemon/jobs/telemetry/telemetry-service.ts';
import { dayMs, dayOf, type MatchQuality } from '../../../../daemon/model/usage.ts';
import { type DaemonDatabase, openDaemonDatabase } from '../../../../daemon/store/daemon-db.ts';
import { openBeside } from '../../../../daemon/store/daemon-file.ts';
import type { StoredFunction } from '../../../../daemon/store/telemetry/call-reader.ts';
import { type FakeClock, fakeClock } from '../../../support/fake-clock.ts';

let folder: string;
let file: string;
let clock: FakeClock;
let database: DaemonDatabase;
let service: ReturnType<typeof createTelemetryService>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-telemetry-'));
  file = join(folder, 'daemon.db');
  clock = fakeClock();
  database = openDaemonDatabase(file);
  service = createTelemetryService(file, clock);
});
afterEach(() => {
  service.close();
  database.close();
  rmSync(folder, { recursive: true });
});

const keeping = { limitBytes: 2 ** 26, keptDays: 400, mostFunctions: 10_000 };

async function take(source: BatchCall['source'], body: unknown, more: Partial<BatchCall> = {}): Promise<BatchTaken> {
  const bytes = new Uint8Array(Buffer.from(JSON.stringify(body)));
  const told = await service.take({ ...keeping, source, bytes, asked: '', key: undefined, ...more });
  assert.equal(told.kind, 'told');
  return (told as { readonly value: BatchTaken }).value;
}

const asCalls = { kind: 'calls', coding: 'identity' } as const;
const asMetrics = { kind: 'metrics', format: 'json', coding: 'identity' } as const;

interface Point {
  readonly value: number;
  readonly start?: number;
  readonly at?: number;
  readonly name?: string;
  readonly line?: number;
  readonly user?: number;
  readonly error?: boolean;
}

/** A sum of one service’s calls; times are seconds after the clock’s beginning. */
function sums(
  temporality: 'delta' | 'cumulative',
  points: readonly Point[],
  of: { pid?: number; metric?: string } = {},
) {
  const { pid = 1, metric = 'function.calls' } = of;
  const nanoseconds = (seconds: number): string => `${BigInt(clock.now().getTime() + seconds * 1000) * 1_000_000n}`;
  const attribute = (key: string, value: Record<string, unknown>) => ({ key, value });
  return {
    resourceMetrics: [
      {
        resource: {
          attributes: [attribute('service.name', { stringValue: 'shop' }), attribute('process.pid', { intValue: pid })],
        },
        scopeMetrics: [
          {
            metrics: [
              {
                name: metric,
                sum: {
                  aggregationTemporality: temporality === 'delta' ? 1 : 2,
                  isMonotonic: true,
                  dataPoints: points.map(({ value, start = 0, at = 1, name = 'add', line = 0, user, error }) => ({
                    attributes: [
                      attribute('code.function.name', { stringValue: name }),
                      attribute('code.file.path', { stringValue: '/app/src/cart.ts' }),
                      ...(line > 0 ? [attribute('code.line.number', { intValue: line })] : []),
                      ...(user === undefined ? [] : [attribute('user', { intValue: user })]),
                      ...(error ? [attribute('error.type', { stringValue: 'Error' })] : []),
                    ],
                    startTimeUnixNano: nanoseconds(start),
                    timeUnixNano: nanoseconds(at),
                    asInt: String(value),
                  })),
                },
              },
            ],
          },
        ],
      },
    ],
  };
}

function stored(): readonly StoredFunction[] {
  return database.calls.functionsOf(database.calls.services().map(({ id }) => id));
}

const counts = (): readonly (readonly [string, number, number])[] =>
  stored().map(({ name, calls, errors }) => [name, calls, errors]);

test('calls one by one are counted by function and day, whether they were called or not', async () => {
  const calls = [
    { service_name: 'shop', function_name: 'add', file_path: 'src/cart.ts', call_count: 10, error_count: 2 },
    { serviceName: 'shop', functionName: 'drop', filePath: 'src/cart.ts', callCount: 0 },
  ];
  const taken = await take(asCalls, { calls });
  assert.deepEqual([taken.points, taken.isRepeated, taken.fresh.length], [2, false, 2]);
  assert.deepEqual(
    taken.called.map(({ service: of, functions }) => [of, JSON.parse(Buffer.from(functions).toString())]),
    [
      [
        'shop',
        [
          { namespace: '', name: 'add', file: 'src/cart.ts', line: 0, items: 1 },
          { namespace: '', name: 'drop', file: 'src/cart.ts', line: 0, items: 1 },
        ],
      ],
    ],
  );
  assert.deepEqual(counts(), [
    ['add', 10, 2],
    ['drop', 0, 0],
  ]);
  const today = dayOf(clock.now().getTime());
  assert.deepEqual(database.calls.daysOf(stored()[0]!.id, 0), [{ day: today, calls: 10, errors: 2 }]);
  assert.deepEqual(database.calls.reportedDays([stored()[0]!.service]), [today]);
});

test('a batch that comes again counts once: without a time in it, as long as it may be the same one', async () => {
  const body = { calls: [{ service_name: 'shop', function_name: 'add', call_count: 3 }] };
  await take(asCalls, body);
  await clock.advance(10_000);
  assert.equal((await take(asCalls, body)).isRepeated, true);
  await clock.advance(60_000);
  assert.equal((await take(asCalls, body)).isRepeated, false);
  assert.deepEqual(counts(), [['add', 6, 0]]);
  const named = { ...body, batch_id: 'b1' };
  await take(asCalls, named);
  assert.equal((await take(asCalls, { batchId: 'b1', ...body })).isRepeated, true);
  await clock.advance(60 * 60_000);
  assert.equal((await take(asCalls, named)).isRepeated, true);
  assert.equal((await take(asCalls, body, { key: 'k' })).isRepeated, false);
  await clock.advance(60 * 60_000);
  assert.equal((await take(asCalls, body, { key: 'k' })).isRepeated, true);
  assert.deepEqual(counts(), [['add', 12, 0]]);
});

test('metrics that come again count once, however they were packed', async () => {
  const body = sums('delta', [{ value: 5 }]);
  await take(asMetrics, body);
  const bytes = new Uint8Array(gzipSync(JSON.stringify(body)));
  const again = await take({ ...asMetrics, coding: 'gzip' }, body, { bytes });
  assert.deepEqual([again.isRepeated, again.rejected], [true, 0]);
  assert.deepEqual(counts(), [['add', 5, 0]]);
});

test('deltas add up; of cumulative series what they grew by, a process that began anew from nothing', async () => {
  await take(asMetrics, sums('delta', [{ value: 5 }]));
  await take(asMetrics, sums('delta', [{ value: 6, start: 1, at: 2 }]));
  assert.deepEqual(counts(), [['add', 11, 0]]);
  const at = (value: number, more: Omit<Point, 'value'>, pid?: number) =>
    take(asMetrics, sums('cumulative', [{ value, name: 'drop', ...more }], pid === undefined ? {} : { pid }));
  await at(10, { start: 0, at: 10 });
  await at(14, { start: 0, at: 20 });
  // Told late, and told twice.
  await at(12, { start: 0, at: 15 });
  await at(14, { start: 0, at: 20.5 });
  assert.deepEqual(counts()[1], ['drop', 14, 0]);
  // Restarted, and without a new start.
  await at(3, { start: 30, at: 40 });
  await at(1, { start: 30, at: 50 });
  assert.deepEqual(counts()[1], ['drop', 18, 0]);
  // Another process beside it.
  await at(100, { start: 0, at: 60 }, 2);
  await at(4, { start: 30, at: 60 });
  await at(101, { start: 0, at: 70 }, 2);
  assert.deepEqual(counts()[1], ['drop', 122, 0]);
});

test('nobody knows since when a series without a start counts: only what it grows by is counted', async () => {
  const at = (value: number, seconds: number) => {
    const body = JSON.stringify(sums('cumulative', [{ value, at: seconds }])).replace(/"startTimeUnixNano":"\d+",/, '');
    return take(asMetrics, JSON.parse(body));
  };
  await at(1_000_000, 1);
  assert.deepEqual(counts(), [['add', 0, 0]]);
  await at(1_000_007, 2);
  assert.deepEqual(counts(), [['add', 7, 0]]);
});

test('a series that began with its first point goes on from there, whoever tells later when it began', async () => {
  const at = (value: number, start: number, seconds: number) =>
    take(asMetrics, sums('cumulative', [{ value, start, at: seconds }]));
  await at(5, 1, 1);
  await at(7, 1, 2);
  assert.deepEqual(counts(), [['add', 7, 0]]);
  // Who scrapes it was started anew, and it was not.
  await at(9, 3, 3);
  await at(12, 3, 4);
  assert.deepEqual(counts(), [['add', 12, 0]]);
  // It was.
  await at(2, 5, 5);
  await at(4, 5, 6);
  assert.deepEqual(counts(), [['add', 16, 0]]);
});

test('failed calls are calls and errors', async () => {
  await take(asMetrics, sums('delta', [{ value: 5 }, { value: 2, error: true }]));
  assert.deepEqual(counts(), [['add', 7, 2]]);
});

test('two metrics of a process that tell of the same time tell of the same calls, whichever comes first', async () => {
  const other = { metric: 'function.duration' };
  for (const at of [1, 2, 3]) {
    const point = { value: 7, start: at - 1, at };
    const bodies = [sums('delta', [point]), sums('delta', [point], other)];
    for (const body of at === 2 ? bodies.reverse() : bodies) await take(asMetrics, body);
    assert.deepEqual(counts(), [['add', 7 * at, 0]]);
  }
});

test('a process that goes over to another metric is counted on, and so is another process', async () => {
  const other = { metric: 'beta' };
  await take(asMetrics, sums('delta', [{ value: 0, start: 0, at: 1 }], { metric: 'alpha' }));
  await take(asMetrics, sums('delta', [{ value: 10, start: 1, at: 2 }], other));
  await take(asMetrics, sums('delta', [{ value: 10, start: 2, at: 3 }], other));
  assert.deepEqual(counts(), [['add', 20, 0]]);
  await take(asMetrics, sums('delta', [{ value: 5, start: 1, at: 2 }], { metric: 'alpha', pid: 2 }));
  assert.deepEqual(counts(), [['add', 25, 0]]);
  // Cumulative, both at once, until one is no longer told.
  const both = (alpha: number, beta: number, at: number) =>
    Promise.all([
      take(asMetrics, sums('cumulative', [{ value: alpha, start: 10, at, name: 'drop' }], { metric: 'alpha' })),
      take(asMetrics, sums('cumulative', [{ value: beta, start: 10, at, name: 'drop' }], other)),
    ]);
  await both(3, 3, 11);
  await both(5, 5, 12);
  assert.deepEqual(counts()[1], ['drop', 5, 0]);
  await take(asMetrics, sums('cumulative', [{ value: 9, start: 10, at: 13, name: 'drop' }], other));
  assert.deepEqual(counts()[1], ['drop', 9, 0]);
});

test('a batch that can’t be read stands in nobody’s way', async () => {
  const bytes = new Uint8Array(Buffer.from('{"resourceMetrics":['));
  const batch = { ...keeping, source: asMetrics, bytes, asked: '', key: undefined };
  await assert.rejects(service.take(batch), Fault);
  await assert.rejects(take(asCalls, { calls: [{}] }), Fault);
  await take(asMetrics, sums('delta', [{ value: 5 }]));
  assert.deepEqual(counts(), [['add', 5, 0]]);
});

test('one name at two lines of one process is two functions, and a line that moves is none', async () => {
  await take(asMetrics, sums('delta', [{ value: 1, line: 10 }]));
  await take(asMetrics, sums('delta', [{ value: 1, line: 12, start: 1, at: 2 }]));
  assert.deepEqual(
    stored().map(({ line, calls }) => [line, calls]),
    [[12, 2]],
  );
  const two = [
    { value: 3, line: 20, name: 'get' },
    { value: 4, line: 90, name: 'get' },
  ];
  await take(asMetrics, sums('delta', two));
  await take(asMetrics, sums('delta', [{ value: 5, line: 90, name: 'get', start: 1, at: 2 }]));
  assert.deepEqual(
    stored()
      .filter(({ name }) => name === 'get')
      .map(({ line, calls }) => [line, calls]),
    [
      [20, 3],
      [90, 9],
    ],
  );
});

test('a batch of many functions that was cut in the middle is counted to its end', async () => {
  const calls = Array.from({ length: 2500 }, (_, at) => ({
    ...{ service_name: 'shop', function_name: `f${at}`, call_count: at, timestamp: clock.now().toISOString() },
  }));
  const whole = take(asCalls, { calls });
  await whole;
  const right = counts();
  assert.equal(right.length, 2500);
  // The same on a file of its own, whose process ends after the first thousand.
  service.close();
  database.close();
  rmSync(file);
  database = openDaemonDatabase(file);
  service = createTelemetryService(file, clock);
  const cut = take(asCalls, { calls });
  await new Promise(resolve => setImmediate(resolve));
  const isCut = counts().length < 2500;
  service.close();
  await cut.catch(() => {});
  assert.equal(isCut, true);
  assert.equal(database.hasUnfinishedBatch() || counts().length === 2500, true);
  service = createTelemetryService(file, clock);
  await service.tidy(keeping);
  assert.deepEqual([database.hasUnfinishedBatch(), counts().length], [false, 2500]);
  assert.deepEqual(counts(), right);
  assert.equal((await take(asCalls, { calls })).isRepeated, true);
});

/** The first so many slices of a batch, as a process leaves it that dies then. */
async function cutOff(work: Promise<unknown>, slices: number): Promise<void> {
  for (let at = 0; at < slices; at++) await new Promise(resolve => setImmediate(resolve));
  service.close();
  await assert.rejects(work);
  assert.equal(database.hasUnfinishedBatch(), true);
  service = createTelemetryService(file, clock);
}

test('a batch that was cut off and comes again at once is counted on, from where it was', async () => {
  const calls = Array.from({ length: 2500 }, (_, at) => ({
    ...{ service_name: 'shop', function_name: `f${at}`, call_count: 3 },
  }));
  await cutOff(take(asCalls, { calls }), 3);
  const before = counts().length;
  assert.ok(before > 0 && before < 2500);
  // It has no time of its own: it is counted as of when it came first.
  await clock.advance(86_400_000);
  const again = await take(asCalls, { calls });
  assert.deepEqual([again.isRepeated, again.points, again.fresh.length], [false, 2500, 2500 - before]);
  assert.deepEqual(
    counts().filter(([, calls]) => calls !== 3),
    [],
  );
  assert.deepEqual([counts().length, database.hasUnfinishedBatch()], [2500, false]);
  assert.equal(new Set(stored().map(({ lastDay }) => lastDay)).size, 1);
});

test('a batch that takes long to be counted is the same to whoever waited in vain and sends it again', async () => {
  const calls = Array.from({ length: 2500 }, (_, at) => ({
    ...{ service_name: 'shop', function_name: `f${at}`, call_count: 3 },
  }));
  const first = take(asCalls, { calls });
  while (counts().length === 0) await new Promise(resolve => setImmediate(resolve));
  assert.ok(counts().length < 2500);
  await clock.advance(40_000);
  assert.equal((await first).isRepeated, false);
  assert.equal((await take(asCalls, { calls })).isRepeated, true);
  await clock.advance(40_000);
  assert.equal((await take(asCalls, { calls })).isRepeated, false, 'as many were made again, later');
});

test('what would take too much memory until it is counted is refused, and nothing of it is counted', async () => {
  const of = (length: number, name: (at: number) => string) => ({
    calls: Array.from({ length }, (_, at) => ({ service_name: 'shop', function_name: name(at), call_count: 1 })),
  });
  const refused = (body: unknown, message: RegExp) =>
    assert.rejects(
      take(asCalls, body),
      (error: unknown) => error instanceof Fault && error.reason === 'tooLarge' && message.test(error.message),
    );
  await refused(
    of(50_001, at => `f${at}`),
    /more than 50000 functions: send it in parts/,
  );
  await refused(
    of(8_000, at => `${at}`.padEnd(1024, 'x')),
    /more than 8000000 characters: send it in parts/,
  );
  assert.deepEqual([counts(), database.hasUnfinishedBatch()], [[], false]);
});

test('what is over the limits by the time it is counted to its end was not when it came', async () => {
  const calls = [0, 5].flatMap(daysAgo =>
    Array.from({ length: 800 }, (_, at) => ({
      ...{ service_name: 'shop', function_name: `f${daysAgo}.${at}`, call_count: 1 },
      timestamp: new Date(clock.now().getTime() - daysAgo * 86_400_000).toISOString(),
    })),
  );
  await cutOff(take(asCalls, { calls }), 2);
  await service.tidy({ ...keeping, limitBytes: 10, keptDays: 3 });
  assert.deepEqual([counts().length, database.hasUnfinishedBatch()], [800, false]);
});

test('a batch that can’t be read any more is told of, and stands in nobody’s way', async () => {
  const calls = Array.from({ length: 2500 }, (_, at) => ({
    ...{ service_name: 'shop', function_name: `f${at}`, call_count: 1 },
  }));
  await cutOff(take(asCalls, { calls }, { key: 'cut' }), 3);
  const before = counts().length;
  const sql = openBeside(file);
  sql.run(`UPDATE call_batch_body SET body = CAST(substr(body, 1, instr(body, char(10))) || '{' AS BLOB)`);
  sql.close();
  const told = await service.tidy({ ...keeping, keptDays: 4000 });
  assert.match(JSON.stringify(told), /a batch of 20.* is counted as far as [1-9].* is not gzip/);
  assert.equal(database.hasUnfinishedBatch(), false);
  assert.equal((await take(asCalls, { calls }, { key: 'cut' })).isRepeated, true);
  assert.equal(counts().length, before);
});

test('one function with very many points is counted in several transactions', async () => {
  const points = Array.from({ length: 10_000 }, (_, at) => ({ value: 1, start: at, at: at + 1, error: at % 2 === 0 }));
  await cutOff(take(asMetrics, sums('delta', points)), 2);
  const [, calls] = counts()[0]!;
  assert.ok(calls > 0 && calls < 10_000);
  await take(asMetrics, sums('delta', points));
  assert.deepEqual(counts(), [['add', 10_000, 5000]]);
});

test('of calls one by one each function is told once, and nothing of them is stored beside their counts', async () => {
  const call = { service_name: 'shop', function_name: 'add', call_count: 1 };
  const body = { calls: Array.from({ length: 500 }, () => call), batch_id: 'b' };
  for (const isRepeated of [false, true]) {
    const taken = await take(asCalls, body);
    assert.equal(taken.isRepeated, isRepeated);
    const items = taken.called.flatMap(({ functions }) => JSON.parse(Buffer.from(functions).toString()) as object[]);
    assert.deepEqual(items, [{ namespace: '', name: 'add', file: '', line: 0, items: 500 }]);
  }
  const sql = openBeside(file);
  assert.equal(sql.get<{ outcome: string }>('SELECT outcome FROM call_batch')?.outcome, outcomeOf500);
  sql.close();
});

test('an event is an item or a data point, whatever that tells', async () => {
  const call = { service_name: 'shop', function_name: 'add', call_count: 3 };
  const { points } = await take(asCalls, { calls: [{ ...call, error_count: 1 }, call, { ...call, call_count: 0 }] });
  assert.deepEqual([points, database.calls.services()[0]!.events], [3, 3]);
  await take(asMetrics, sums('delta', [{ value: 2 }, { value: 1, error: true }]));
  await take(asMetrics, sums('delta', [{ value: 1 }], { metric: 'function.errors' }));
  assert.equal(database.calls.services()[0]!.events, 6);
});

const outcomeOf500 = '{"rejected":0,"message":"","points":500}';

test('days are kept as long as is said, and no longer', async () => {
  const at = (daysAgo: number) => ({
    ...{ service_name: 'shop', function_name: 'add', call_count: 1 },
    timestamp: new Date(clock.now().getTime() - daysAgo * 86_400_000).toISOString(),
  });
  await take(asCalls, { calls: Array.from({ length: 20 }, (_, daysAgo) => at(daysAgo)) });
  await service.tidy({ ...keeping, keptDays: 5 });
  assert.deepEqual(counts(), [['add', 5, 0]]);
  assert.equal(database.calls.daysOf(stored()[0]!.id, 0).length, 5);
});

test('what is older than is kept is dropped, and points of such days are rejected', async () => {
  const at = (daysAgo: number, name: string) => ({
    ...{ service_name: 'shop', function_name: name, call_count: 2 },
    timestamp: new Date(clock.now().getTime() - daysAgo * 86_400_000).toISOString(),
  });
  const taken = await take(asCalls, { calls: [at(390, 'old'), at(390, 'both'), at(0, 'both'), at(500, 'ancient')] });
  assert.deepEqual(
    [taken.rejected, counts()],
    [
      1,
      [
        ['old', 2, 0],
        ['both', 4, 0],
      ],
    ],
  );
  await clock.advance(60 * 86_400_000);
  await service.tidy(keeping);
  assert.deepEqual(counts(), [['both', 2, 0]]);
});

test('of functions that are worth the same those go that were silent longest', async () => {
  const named = (name: string) => ({ calls: [{ service_name: 'shop', function_name: name, call_count: 1 }] });
  for (const name of ['a', 'b', 'c']) {
    await take(asCalls, named(name));
    await clock.advance(1000);
  }
  await take(asCalls, named('a'), { key: 'again' });
  await service.tidy({ ...keeping, mostFunctions: 2 });
  assert.deepEqual(counts(), [
    ['a', 2, 0],
    ['c', 1, 0],
  ]);
});

/** Has it remembered that functions of a name are a symbol. */
async function remember(functionName: string, quality: MatchQuality): Promise<void> {
  const seen = stored().filter(({ name }) => name === functionName);
  await service.remember(seen.map(({ id }) => ({ id, repoUid: 'uid', symbol: '0'.repeat(32), quality })));
}

test('of too many functions those go first of which nobody knows what they are, the least called of them', async () => {
  const named = (names: readonly string[], call_count = 1) =>
    take(asCalls, { calls: names.map(function_name => ({ service_name: 'shop', function_name, call_count })) });
  await named(['exact', 'weak']);
  await remember('exact', 'exact');
  await remember('weak', 'weak');
  await clock.advance(1000);
  await named(['busy'], 9);
  await clock.advance(1000);
  const names = Array.from({ length: 40 }, (_, at) => `made-up-${at}`);
  await named(names);
  const kept = async (mostFunctions: number) => {
    await service.tidy({ ...keeping, mostFunctions });
    return counts().map(([name]) => name);
  };
  // Whoever begins anew looks for room at once.
  assert.deepEqual(await kept(4), ['exact', 'weak', 'busy', 'made-up-39']);
  assert.deepEqual(database.calls.dropped(0), [{ kind: 'functions', dropped: 39, at: clock.now().getTime() }]);
  service.close();
  service = createTelemetryService(file, clock);
  assert.deepEqual(await kept(2), ['exact', 'weak']);
  service.close();
  service = createTelemetryService(file, clock);
  assert.deepEqual(await kept(1), ['exact']);
  assert.equal(database.calls.dropped(0)[0]?.dropped, 42);
  assert.deepEqual(database.calls.dropped(clock.now().getTime() + 1), []);
});

test('a flood of services makes room for itself, and leaves those that are known and those that report much', async () => {
  service.close();
  service = createTelemetryService(file, clock, { services: 10, series: 50 });
  const tell = (service_name: string, function_name: string, batch_id: string) =>
    take(asCalls, { calls: [{ service_name, function_name, call_count: 1 }], batch_id });
  await tell('known', 'alpha', 'known');
  await remember('alpha', 'exact');
  for (const at of [1, 2]) await tell('unmapped', 'beta', `unmapped ${at}`);
  for (let pod = 0; pod < 60; pod++) {
    await clock.advance(1000);
    await tell(`pod-${pod}`, 'made-up', `pod ${pod}`);
  }
  const names = database.calls.services().map(({ name }) => name);
  assert.deepEqual([...names].sort().slice(0, 1).concat(names.slice(0, 1)), ['known', 'unmapped']);
  assert.deepEqual(
    counts().filter(([name]) => name !== 'made-up'),
    [
      ['alpha', 1, 0],
      ['beta', 2, 0],
    ],
  );
  assert.deepEqual(
    database.calls.dropped(0).map(({ kind, dropped }) => [kind, dropped]),
    [['services', 62 - names.length]],
  );
});

test('a clock that is far ahead counts as of now, and leaves nothing behind that is', async () => {
  const now = clock.now().getTime();
  const ahead = 70 * 365 * 86_400;
  await take(asMetrics, sums('cumulative', [{ value: 5, start: ahead, at: ahead + 60 }]));
  assert.deepEqual([counts(), stored()[0]!.lastSeen], [[['add', 5, 0]], now]);
  // The clock is put right, and then the process begins anew.
  await clock.advance(120_000);
  await take(asMetrics, sums('cumulative', [{ value: 8, start: ahead, at: 0 }]));
  assert.deepEqual(counts(), [['add', 8, 0]]);
  await take(asMetrics, sums('cumulative', [{ value: 2, start: 1, at: 5 }]));
  assert.deepEqual(counts(), [['add', 10, 0]]);
});

test('what a process counts first after weeks counts, unless nobody has heard of the process for as long', async () => {
  const day = 86_400;
  const at = (points: readonly Point[], pid?: number) =>
    take(asMetrics, sums('cumulative', points, pid === undefined ? {} : { pid }));
  const start = clock.now().getTime() / 1000;
  const since = () => start - clock.now().getTime() / 1000;
  await at([{ value: 5, at: 1 }]);
  await at([{ value: 1, at: 1, name: 'drop' }], 2);
  for (let weeks = 1; weeks <= 3; weeks++) {
    await clock.advance(7 * day * 1000);
    await at([{ value: 5, start: since(), at: 1 }]);
  }
  await at([
    { value: 2, start: since(), at: 2, error: true },
    { value: 3, start: since(), at: 2, name: 'drop' },
  ]);
  assert.deepEqual(counts(), [
    ['add', 7, 2],
    ['drop', 4, 0],
  ]);
  // Of this one nobody knows what of it was counted already.
  await at([{ value: 100, start: since(), at: 3 }], 2);
  assert.deepEqual(counts()[0], ['add', 7, 2]);
  await at([{ value: 101, start: since(), at: 4 }], 2);
  assert.deepEqual(counts()[0], ['add', 8, 2]);
});

test('of services and series, too, those go that were silent longest, while more are taken in', async () => {
  service.close();
  service = createTelemetryService(file, clock, { services: 10, series: 50 });
  for (let pod = 0; pod < 40; pod++) {
    const calls = [{ service_name: `pod-${pod}`, function_name: 'add', call_count: 1 }];
    await take(asCalls, { calls });
    await take(asMetrics, sums('cumulative', [{ value: pod, at: pod + 1, name: `f${pod}` }], { pid: pod }));
    await clock.advance(1000);
  }
  const names = database.calls.services().map(({ name }) => name);
  assert.deepEqual(
    names.filter(name => name !== 'shop').sort(),
    [31, 32, 33, 34, 35, 36, 37, 38, 39].map(at => `pod-${at}`),
  );
  assert.equal(stored().filter(({ name }) => name === 'add').length, 9);
  assert.ok(seriesStored() <= 52, `${seriesStored()} series`);
  // All of one day, and far too many.
  service.close();
  service = createTelemetryService(file, clock, { services: 10, series: 3 });
  await service.tidy(keeping);
  assert.deepEqual([seriesStored(), processesStored()], [3, 3]);
});

test('processes go that were silent for weeks, and of the others what they tell of no more', async () => {
  await take(asMetrics, sums('cumulative', [{ value: 1, at: 1 }], { pid: 1 }));
  await take(asMetrics, sums('cumulative', [{ value: 1, at: 1 }], { pid: 2 }));
  await take(asMetrics, sums('cumulative', [{ value: 1, at: 1, name: 'drop' }], { pid: 2 }));
  for (let days = 0; days < 16; days++) {
    await clock.advance(dayMs);
    await take(asMetrics, sums('cumulative', [{ value: 2 + days, start: -days * 86_400, at: 1 }], { pid: 2 }));
  }
  await service.tidy(keeping);
  assert.deepEqual([seriesStored(), processesStored()], [1, 1]);
});

test('what a counter had when it was heard of first is no call of a day, and yet it was called', async () => {
  const ago = clock.now().getTime() / 1000;
  await take(asMetrics, sums('cumulative', [{ value: 519, start: -ago, at: 1 }]));
  await take(asMetrics, sums('cumulative', [{ value: 0, start: -ago, at: 1, name: 'never' }]));
  assert.deepEqual(
    stored().map(({ name, calls, called }) => [name, calls, called > 0]),
    [
      ['add', 0, true],
      ['never', 0, false],
    ],
  );
});

test('a clock that was ahead holds up no series that began when it did', async () => {
  const at = (value: number, seconds: number) => take(asMetrics, sums('cumulative', [{ value, at: seconds }]));
  await at(5, 3600);
  await at(50, 60);
  await at(50, 50);
  await at(80, 120);
  assert.deepEqual(counts(), [['add', 80, 0]]);
});

test('a function that is counted by user has all its series go on', async () => {
  const users = 1200;
  const of = (value: number) =>
    sums(
      'cumulative',
      Array.from({ length: users }, (_, user) => ({ value, at: value, user })),
    );
  await take(asMetrics, of(1));
  assert.deepEqual(counts(), [['add', users, 0]]);
  await take(asMetrics, of(3));
  await take(asMetrics, of(4));
  assert.deepEqual(counts(), [['add', 4 * users, 0]]);
  assert.equal(seriesStored(), users);
  // Those that stand apart go when they are silent for weeks, as do others that are with them.
  const begun = clock.now().getTime();
  for (let days = 0; days < 16; days++) {
    await clock.advance(dayMs);
    const start = (begun - clock.now().getTime()) / 1000;
    await take(asMetrics, sums('cumulative', [{ value: 1 + days, start, at: 1, user: users }]));
  }
  await service.tidy(keeping);
  assert.deepEqual(counts(), [['add', 4 * users + 16, 0]]);
  assert.equal(seriesStored(), 501);
});

test('what was one of its name goes on when it is one of several lines', async () => {
  const at = (points: readonly Point[]) => take(asMetrics, sums('cumulative', points));
  await at([{ value: 5, at: 1, line: 10 }]);
  await at([
    { value: 7, at: 2, line: 10 },
    { value: 3, at: 2, line: 20 },
  ]);
  await at([
    { value: 8, at: 3, line: 10 },
    { value: 4, at: 3, line: 20 },
  ]);
  assert.deepEqual(
    counts().reduce((sum, [, calls]) => sum + calls, 0),
    12,
  );
});

const seriesStored = (): number => numberOf('SELECT sum(weight) AS n FROM call_series');
const processesStored = (): number => numberOf('SELECT count(*) AS n FROM call_process');

function numberOf(query: string): number {
  const sql = openBeside(file);
  const { n } = sql.get<{ n: number }>(query)!;
  sql.close();
  return n;
}

test('of too many functions room is made while a batch is counted', async () => {
  const calls = Array.from({ length: 3000 }, (_, at) => ({
    ...{ service_name: 'shop', function_name: `f${at}`, call_count: 1 },
  }));
  await take(asCalls, { calls }, { mostFunctions: 1000 });
  assert.ok(counts().length <= 1050, `${counts().length} functions`);
  assert.equal(counts().at(-1)![0], 'f2999');
});

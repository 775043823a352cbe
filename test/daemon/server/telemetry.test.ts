import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { OTLPMetricExporter as JsonExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics';
import { Fault } from '../../../client/protocol/faults.ts';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { addRepo, startDaemon, type TestDaemon, temporaryHome, until } from '../../support/daemon.ts';
import { commitAs } from '../../support/dated-history.ts';
import { pointOf, requestOf, sumOf } from '../../support/otlp.ts';
import { type Cleanup, gitRepository, temporaryFolder, type Workspace } from '../../support/repository.ts';

const tree = `
-- package.json --
{ "name": "shop", "type": "module", "main": "src/main.js" }
-- src/cart.js --
export class Cart {
  add(item) {
    return check(item);
  }
  remove(item) {
    return item;
  }
}
export function check(item) {
  return item != null;
}
export function legacyTotal(cart) {
  return helperOfLegacy(cart);
}
function helperOfLegacy(cart) {
  return cart.length;
}
export function onlyTested() {
  return 1;
}
-- src/reports/report.js --
export function report() {
  return format();
}
export function format() {
  return '';
}
-- src/main.js --
import { Cart, check } from './cart.js';
const cart = new Cart();
export function handle(item) {
  cart.add(item);
  return check(item);
}
-- test/cart.test.js --
import { onlyTested } from '../src/cart.js';
onlyTested();
`;

/** Whatever begins in a test ends with the last. */
const endings: (() => unknown)[] = [];
const afterAll: Cleanup = { after: ending => void endings.push(ending as () => unknown) };
after(async () => {
  for (const ending of endings.reverse()) await ending();
});

let home: ReturnType<typeof temporaryHome>;
let daemon: TestDaemon;
let repository: Workspace;
const port = 20_000 + (process.pid % 20_000);

before(async () => {
  home = temporaryHome(afterAll, { SVC_HTTP_PORT: String(port) });
  repository = gitRepository(afterAll, tree);
  daemon = await startDaemon(afterAll, home);
  await addRepo(afterAll, daemon, { root: repository.root, id: 'shop' });
  await daemon.client.indexing.index({ repo: 'shop' });
});

const ask = daemonAsks();
function daemonAsks() {
  return {
    usage: async (symbolId: string, more: Partial<InputOf<Operations['telemetry.usage']>> = {}) =>
      daemon.client.telemetry.usage({ symbolId, repo: 'shop', sync: true, ...more }),
    status: () => daemon.client.telemetry.status({ repo: 'shop' }),
    dead: (minConfidence: number): Promise<OutputOf<Operations['telemetry.deadCode']>> =>
      daemon.client.telemetry.deadCode({ repo: 'shop', minConfidence }),
  };
}

const base = () => `http://127.0.0.1:${port}`;
const bearer = (): string => `Bearer ${readFileSync(home.places.tokenFile, 'utf8').trim()}`;

interface Posted {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Posted> {
  const bytes = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${base()}${path}`, {
    method: 'POST',
    headers: { Authorization: bearer(), 'Content-Type': 'application/json', ...headers },
    body: headers['Content-Encoding'] === 'gzip' ? new Uint8Array(gzipSync(bytes)) : bytes,
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const call = (functionName: string, filePath: string, callCount: number, more: object = {}) => ({
  ...{ serviceName: 'shop', functionName, filePath, callCount },
  ...more,
});

const forms = [
  ['protobuf', ProtobufExporter],
  ['json', JsonExporter],
] as const;

for (const [form, Exporter] of forms) {
  test(`what a program counts arrives once, in ${form}, also where the daemon is killed between`, async () => {
    const service = `worker-${form}`;
    const exporter: PushMetricExporter = new Exporter({
      url: `${base()}/v1/metrics`,
      headers: { Authorization: bearer() },
      compression: 'gzip' as never,
    });
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const resource = resourceFromAttributes({ 'service.name': service, 'vcs.repository.name': 'shop' });
    const provider = new MeterProvider({ resource, readers: [reader] });
    const calls = provider.getMeter('test').createCounter('function.calls', { unit: '{call}' });
    const recorded = (count: number): void => {
      for (let at = 0; at < count; at++) {
        calls.add(1, { 'code.function.name': 'Cart.remove', 'code.file.path': '/srv/shop/src/cart.js' });
      }
    };
    const before = (await ask.usage('Cart.remove')).callCount;
    recorded(5);
    await reader.forceFlush();
    daemon.process.kill('SIGKILL');
    await daemon.ended;
    recorded(7);
    daemon = await startDaemon(afterAll, home);
    await daemon.client.indexing.index({ repo: 'shop' });
    await until('HTTP answers', () =>
      fetch(`${base()}/health`, { headers: { Authorization: bearer() } }).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    await reader.forceFlush();
    recorded(2);
    await provider.shutdown();
    const usage = await ask.usage('Cart.remove');
    assert.deepEqual([usage.callCount - before, usage.matchQuality], [14, 'exact']);
    assert.ok(usage.observedAs.some(one => one.service === service && one.callCount === 14));
  });
}

test('calls come in both letter cases, and a batch that is sent again counts once', async () => {
  const calls = [
    {
      service_name: 'shop',
      function_name: 'add',
      file_path: '/app/src/cart.js',
      namespace: 'Cart',
      call_count: 40,
      error_count: 1,
    },
    call('check', 'src/cart.js', 90),
    call('handle', 'src/main.js', 30),
    call('nowhere', 'src/gone.js', 1),
  ];
  const first = await post(
    '/api/v1/ingest/json?repo=shop',
    { calls },
    { 'Content-Encoding': 'gzip', 'Idempotency-Key': 'a' },
  );
  const { timestamp: _, ...told } = first.body;
  assert.deepEqual(told, { status: 'success', eventsReceived: 4, eventsMatched: 3, eventsUnmatched: 1 });
  const again = await post(
    '/api/v1/ingest/json?repo=shop',
    { calls },
    { 'Content-Encoding': 'gzip', 'Idempotency-Key': 'a' },
  );
  assert.equal(again.body['duplicate'], true);
  const usage = await ask.usage('Cart.add', { includeCallers: true });
  assert.deepEqual(
    [usage.callCount, usage.errorCount, usage.matchQuality, usage.matchConfidence, usage.callers?.[0]?.service],
    [40, 1, 'exact', 0.95, 'shop'],
  );
  assert.equal((await ask.usage('check')).matchQuality, 'strong');
  const { functions } = await daemon.client.telemetry.unmapped({ repo: 'shop' });
  assert.deepEqual(
    functions.map(({ service, name, reason }) => [service, name, reason]),
    [['shop', 'nowhere', 'absent']],
  );
  const none = await ask.usage('report');
  assert.deepEqual([none.callCount, none.matchQuality, none.trend], [0, 'none', 'unknown']);
  assert.equal(none.warnings.length, 1);
});

test('a count past what numbers tell is rejected, and its sender told', async () => {
  const point = pointOf({ 'code.function.name': 'Cart.add' }, '9007199254740992');
  const request = JSON.stringify(requestOf(sumOf('calls', [point])));
  const tooMany = await post('/v1/metrics?repo=shop', request);
  assert.deepEqual(
    [tooMany.status, tooMany.body['partialSuccess']],
    [
      200,
      {
        rejectedDataPoints: '1',
        errorMessage: 'metric "calls": a data point counts more than 9007199254740991 calls',
      },
    ],
  );
});

test('what is known of calls is told with how far it can be relied on', async () => {
  const { coverage, services, functions, observationDays, unmappedServices } = await ask.status();
  assert.deepEqual([functions.unmatched, observationDays, unmappedServices], [1, 1, []]);
  assert.deepEqual(services.map(({ name, mappedBy }) => [name, mappedBy]).sort(), [
    ['shop', 'name'],
    ['worker-json', 'resource'],
    ['worker-protobuf', 'resource'],
  ]);
  assert.ok(Math.abs(coverage.overall - (0.3 * coverage.attribute + 0.5 * coverage.match + 0.2)) < 0.0015);
});

test('dead code is what production never calls, and nothing of which it can say nothing', async () => {
  const { candidates, summary, limitations } = await ask.dead(0);
  assert.deepEqual(
    candidates.map(({ name }) => name),
    ['legacyTotal', 'helperOfLegacy', 'onlyTested'],
  );
  const confidences = candidates.map(({ confidence }) => confidence);
  assert.deepEqual(
    confidences,
    [...confidences].sort((a, b) => b - a),
  );
  assert.deepEqual([summary.observed, summary.unobserved, candidates[2]?.testRefs], [4, 2, 1]);
  assert.ok(limitations.some(words => words.startsWith('observed on 1 day only')));
  assert.deepEqual((await ask.dead(0.7)).candidates, []);
  const calls = Array.from({ length: 40 }, (_, at) => ({
    ...{ service_name: 'shop', function_name: 'add', file_path: 'src/cart.js', namespace: 'Cart', call_count: 1 },
    timestamp: ago(at + 31),
  }));
  await post('/api/v1/ingest/json?repo=shop', { calls, batch_id: 'before' });
  const sure = (await ask.dead(0.7)).candidates;
  assert.deepEqual(
    sure.map(({ name }) => name),
    ['legacyTotal', 'helperOfLegacy', 'onlyTested'],
  );
  const surer = await ask.dead(sure[1]!.confidence);
  assert.deepEqual([surer.candidates.length, surer.summary.uncertain], [2, 1]);
  await assert.rejects(daemon.client.telemetry.deadCode({ repo: 'shop', repoId: 'elsewhere' }), Fault);
});

test('observed calls are a part of a risk, wire what they call, and rank what changes', async () => {
  const { impact } = await daemon.client.analysis.impact({ id: 'check', repo: 'shop' });
  const factor = impact.factors.find(({ name }) => name === 'observedCalls');
  assert.ok(factor !== undefined && factor.value > 0 && factor.weight === 0.2);
  const unseen = await daemon.client.analysis.impact({ id: 'report', repo: 'shop' });
  assert.equal(
    unseen.impact.factors.some(({ name }) => name === 'observedCalls'),
    false,
  );
  const unwired = async () =>
    (await daemon.client.analysis.unwired({ repo: 'shop', minConfidence: 0 })).unwiredModules.flatMap(({ symbols }) =>
      symbols.map(({ name }) => name),
    );
  assert.ok((await unwired()).includes('report'));
  await post('/api/v1/ingest/json?repo=shop', { calls: [call('report', 'src/reports/report.js', 5)], batch_id: 'r' });
  assert.ok(!(await unwired()).some(name => name === 'report' || name === 'format'));
  const { hotspots } = await daemon.client.hotspots.list({ repo: 'shop', rankBy: 'production' });
  assert.deepEqual([hotspots[0]?.targetId, hotspots[0]?.metrics.observedCalls], ['src/cart.js', 158]);
});

test('a function that is renamed keeps its calls, and has those that come under its old name still', async () => {
  const edit = (path: string, old: string, fresh: string): void => {
    const file = join(repository.root, path);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(old, fresh));
  };
  edit('src/cart.js', 'legacyTotal', 'formerTotal');
  edit('src/cart.js', 'check(', 'approve(');
  edit('src/main.js', 'check', 'approve');
  await until('the rename is seen', async () => (await ask.usage('approve')).callCount === 90);
  const former = await ask.usage('approve');
  assert.deepEqual([former.matchQuality, former.observedAs[0]?.isFormer], ['strong', true]);
  // As whoever looks at functions from time to time remembers it.
  remember('check', former.symbolId.replace(/^.*:/, ''));
  await post('/api/v1/ingest/json?repo=shop', { calls: [call('approve', 'src/cart.js', 10)], batch_id: 'n' });
  assert.equal((await ask.usage('approve')).callCount, 100);
  const old = call('check', 'src/cart.js', 7, { serviceName: 'shop-of-yesterday' });
  await post('/api/v1/ingest/json?repo=shop', { calls: [old], batch_id: 'o' });
  assert.equal((await ask.usage('approve')).callCount, 107);
  assert.equal((await ask.usage('formerTotal')).matchQuality, 'none');
});

function remember(name: string, symbol: string): void {
  const database = new Database(home.places.daemonDb);
  database.prepare('UPDATE call_function SET symbol = ? WHERE name = ?').run(symbol, name);
  database.close();
}

test('a service of which nothing matches is shown with what would, until the configuration says where it belongs', async t => {
  const other = gitRepository(t, '-- pay.js --\nexport function pay() {}\n');
  await addRepo(t, daemon, { root: other.root, id: 'bank' });
  await daemon.client.indexing.index({ repo: 'bank' });
  const calls = [
    { service_name: 'payments', function_name: 'pay', file_path: 'pay.js', call_count: 4 },
    { service_name: 'refunds', function_name: 'refund', file_path: 'refund.js', call_count: 1 },
  ];
  const { functions } = await ask.status();
  await post('/api/v1/ingest/json?repo=shop', { calls, batch_id: 'p' });
  assert.deepEqual((await ask.status()).functions, functions);
  const stranger = await daemon.client.telemetry.status({ repo: 'bank' });
  assert.deepEqual([stranger.lastSync, stranger.functions.observed], [null, 0]);
  assert.ok(stranger.warnings.includes('no service that reports is of bank, as far as is known'));
  const { services, total } = await daemon.client.telemetry.unmapped({ repo: 'shop' });
  assert.deepEqual(
    [total, services[0]?.name, services[0]?.wouldMatch.map(({ repoId, matched }) => [repoId, matched])],
    [2, 'payments', [['bank', 1]]],
  );
  assert.deepEqual((await ask.status()).unmappedServices, ['payments', 'refunds']);
  home.configure(services[0]!.wouldMatch[0]!.entry);
  daemon.process.kill('SIGHUP');
  await until('the entry is in force', async () => (await daemon.client.telemetry.unmapped({})).total === 1);
  assert.ok((await daemon.client.telemetry.status({ repo: 'bank' })).lastSync !== null);
  const usage = await daemon.client.telemetry.usage({ symbolId: 'pay', repo: 'bank' });
  assert.deepEqual([usage.callCount, usage.matchQuality], [4, 'strong']);
});

const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

test('a function that was written lately was observed since the day after, and one of today not at all', async t => {
  const text = 'export function run() {}\nexport function legacy() {}\n';
  const young = gitRepository(t, '');
  const lines = text.replace('run', 'rest').replace('legacy', 'sleep');
  for (const [path, content] of [
    ['run.js', text],
    ['typed.js', text],
    ['lines.js', lines],
  ] as const)
    young.write(path, content);
  commitAs(young, { by: 'Ann', daysAgo: 100 });
  young.write('run.js', `${text}export function fresh() {}\n`);
  commitAs(young, { by: 'Ann', daysAgo: 3 });
  young.write('run.js', `${text}export function fresh() {}\nexport function newest() {}\n`);
  commitAs(young, { by: 'Ann', daysAgo: 0 });
  young.write('typed.js', `${text}export function typed() {}\n`);
  young.write('added.js', text.replace('run', 'walk').replace('legacy', 'limp'));
  young.write('lines.js', lines.replaceAll('\n', '\r\n'));
  await addRepo(t, daemon, { root: young.root, id: 'young' });
  await daemon.client.indexing.index({ repo: 'young' });
  const called = [
    ['run', 'run.js'],
    ['run', 'typed.js'],
    ['walk', 'added.js'],
    ['rest', 'lines.js'],
  ];
  const calls = called.flatMap(([function_name, file_path]) =>
    Array.from({ length: 51 }, (_, at) => ({
      ...{ service_name: 'young', function_name, file_path, call_count: 1 },
      timestamp: ago(at),
    })),
  );
  await post('/api/v1/ingest/json?repo=young', { calls, batch_id: 'y' });
  const { candidates, summary, limitations } = await daemon.client.telemetry.deadCode({
    repo: 'young',
    minConfidence: 0,
    sync: true,
  });
  assert.deepEqual(
    candidates.map(({ name, reasons }) => [name, reasons[2]]),
    [
      ['sleep', 'observed on 51 days'],
      ['legacy', 'observed on 51 days'],
      ['fresh', 'observed on 3 days since it was written'],
    ],
  );
  // Of today, typed in a file that has others of long ago, and in one that git has not.
  assert.equal(summary.unobserved, 4);
  assert.ok(
    limitations.some(words => words.startsWith('2 files are not as committed: ')),
    limitations.join('\n'),
  );
  const strange = [{ service_name: 'mystery', function_name: 'sleep', file_path: 'lines.js', call_count: 1 }];
  await post('/api/v1/ingest/json', { calls: strange, batch_id: 's' });
  const left = await daemon.client.telemetry.deadCode({ repo: 'young', minConfidence: 0 });
  assert.deepEqual(
    left.candidates.map(({ name }) => name),
    ['legacy', 'fresh'],
  );
  assert.ok(left.limitations.some(words => words.startsWith('1 service of no known repository (mystery) reports ')));
});

test('where there is no history it is said that functions may be young', async t => {
  const { root } = temporaryFolder(t, '-- run.js --\nexport function walk() {}\nexport function limp() {}\n');
  await addRepo(t, daemon, { root, id: 'bare' });
  await daemon.client.indexing.index({ repo: 'bare' });
  const calls = Array.from({ length: 30 }, (_, at) => ({
    ...{ service_name: 'bare', function_name: 'walk', file_path: 'run.js', call_count: 1 },
    timestamp: ago(at),
  }));
  await post('/api/v1/ingest/json?repo=bare', { calls, batch_id: 'b' });
  const { candidates, limitations } = await daemon.client.telemetry.deadCode({ repo: 'bare' });
  assert.deepEqual(
    candidates.map(({ name }) => name),
    ['limp'],
  );
  assert.ok(limitations.includes('no history tells when functions were written: young ones may be among them'));
});

test('calls of what moved stay with it, whoever else bears the name, and keep it from being unwired', async t => {
  const job = (of: string) =>
    `export function run(jobs) {\n  return jobs.filter(one => one.kind === '${of}').map(one => one.id);\n}\n`;
  const tree = `
-- package.json --
{ "name": "jobs", "type": "module", "main": "src/index.js" }
-- src/index.js --
export const name = 'jobs';
-- src/x/job.js --
${job('x')}
-- src/y/job.js --
${job('y')}
-- src/plug.js --
export function hook(jobs) {
  return jobs.length;
}
`;
  const { root } = gitRepository(t, tree);
  await addRepo(t, daemon, { root, id: 'jobs' });
  await daemon.client.indexing.index({ repo: 'jobs' });
  const calls = ['src/y/job.js run', 'src/plug.js hook'].map(told => {
    const [filePath, functionName] = told.split(' ');
    return { serviceName: 'jobs', functionName, filePath, callCount: 900 };
  });
  await post('/api/v1/ingest/json?repo=jobs', { calls, batch_id: 'jobs' });
  const told = async (symbolId: string): Promise<string> => {
    const { callCount, matchQuality } = await daemon.client.telemetry.usage({ symbolId, repo: 'jobs', sync: true });
    return `${callCount} ${matchQuality}`;
  };
  assert.equal(await told('src/y/job.js#run'), '900 strong');
  renameSync(join(root, 'src/plug.js'), join(root, 'src/plugin.js'));
  renameSync(join(root, 'src/y/job.js'), join(root, 'src/y/task.js'));
  await until('the move is seen', async () => (await told('src/y/task.js#run')) === '900 strong');
  assert.deepEqual([await told('src/x/job.js#run'), await told('hook')], ['0 none', '900 strong']);
  const task = join(root, 'src/y/task.js');
  writeFileSync(task, readFileSync(task, 'utf8').replace('function run', 'function execute'));
  await until('the rename is seen', async () => (await told('execute')) === '900 strong');
  assert.equal(await told('src/x/job.js#run'), '0 none');
  const { unwiredModules } = await daemon.client.analysis.unwired({ repo: 'jobs' });
  assert.deepEqual(
    unwiredModules.flatMap(({ symbols }) => symbols.map(({ name }) => name)),
    ['run'],
  );
});

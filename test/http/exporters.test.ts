import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OTLPMetricExporter as JsonExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  AggregationType,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import { Fault } from '../../client/protocol/faults.ts';
import type { CallPoint } from '../../daemon/model/usage.ts';
import { patienceMs } from '../support/daemon.ts';
import { openListener, token } from './listener.ts';
import { collector, telemetryDaemon } from './telemetry-intake.ts';

const limitBytes = 2 ** 20;
const gzip = 'gzip' as never;

/** Records calls as a program would, and exports them twice. */
async function recordAndExport(exporter: PushMetricExporter): Promise<void> {
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop', 'vcs.repository.name': 'shop', replicas: 3 }),
    readers: [reader],
    views: [{ instrumentName: 'sizes', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } }],
  });
  const meter = provider.getMeter('test', '1.0');
  const calls = meter.createCounter('function.calls', { unit: '{call}' });
  const durations = meter.createHistogram('function.duration', { unit: 's' });
  const sizes = meter.createHistogram('sizes', { unit: 'By' });
  const open = meter.createUpDownCounter('open');
  meter.createObservableGauge('load').addCallback(result => result.observe(0.5, total));
  for (let round = 0; round < 2; round++) {
    for (let at = 0; at < 5; at++) {
      calls.add(2, total);
      calls.add(1, { 'code.function.name': 'Cart.add', 'error.type': 'TypeError' });
      durations.record(0.25, total);
      sizes.record(512, total);
      open.add(1, total);
      calls.add(1, { route: '/' });
    }
    await reader.forceFlush();
  }
  await provider.shutdown();
}

const total = { 'code.function.name': 'Cart.total', 'code.file.path': '/srv/app/cart.js', 'code.line.number': 12 };

const forms = [
  ['protobuf', ProtobufExporter],
  ['JSON', JsonExporter],
] as const;

for (const [form, Exporter] of forms) {
  test(`OpenTelemetry’s own exporter exports ${form} without an error, and all of it counts`, async t => {
    const intake = collector(limitBytes);
    const listener = await openListener(t, telemetryDaemon(intake, limitBytes));
    const exporter = new Exporter({
      url: `${listener.url}/v1/metrics`,
      headers: { authorization: `Bearer ${token}` },
      compression: gzip,
      temporalityPreference: AggregationTemporality.CUMULATIVE as never,
    });
    const results: unknown[] = [];
    const { export: send } = exporter;
    exporter.export = (metrics, done) =>
      send.call(exporter, metrics, result => {
        results.push(result);
        done(result);
      });
    await recordAndExport(exporter);
    assert.ok(results.length >= 2);
    assert.deepEqual(
      results,
      results.map(() => ({ code: 0 })),
    );
    assert.ok(
      intake.batches.every(({ coding }) => coding === 'gzip'),
      'each was compressed',
    );
    assert.deepEqual(lastOf(intake.points, 'function.calls', 'Cart.total'), ['calls', 'cumulative', 20]);
    assert.deepEqual(lastOf(intake.points, 'function.calls', 'Cart.add'), ['failed calls', 'cumulative', 10]);
    assert.deepEqual(lastOf(intake.points, 'function.duration', 'Cart.total'), ['calls', 'cumulative', 10]);
    assert.deepEqual(lastOf(intake.points, 'sizes', 'Cart.total'), ['calls', 'cumulative', 10]);
    assert.deepEqual(
      [...new Set(intake.points.map(({ metric }) => metric))].length,
      3,
      'gauges and what goes down count nothing',
    );
    const [{ source, function: observed, startUs, timeUs }] = intake.points as [CallPoint];
    assert.deepEqual([source.service, source.repository], ['shop', 'shop']);
    assert.deepEqual(observed, { name: 'Cart.total', namespace: '', file: '/srv/app/cart.js', line: 12 });
    assert.ok(startUs > 1_600_000_000_000_000 && timeUs >= startUs);
  });

  test(`it tries ${form} again that was not taken, and drops what never will be`, { timeout: patienceMs }, async t => {
    const intake = collector(limitBytes);
    const listener = await openListener(t, telemetryDaemon(intake, limitBytes));
    const headers = { authorization: `Bearer ${token}` };
    const exporter = new Exporter({
      ...{ url: `${listener.url}/v1/metrics`, headers, compression: gzip },
      temporalityPreference: AggregationTemporality.DELTA as never,
    });
    intake.failure = new Fault('busy', 'Busy', { retryAfterSeconds: 1 });
    setTimeout(() => {
      intake.failure = undefined;
    }, 300);
    await recordAndExport(exporter);
    const sum = intake.points.filter(
      ({ metric, function: { name } }) => metric === 'function.calls' && name === 'Cart.total',
    );
    assert.deepEqual([sum.map(({ value }) => value), sum[0]!.temporality], [[10, 10], 'delta']);
    assert.ok(intake.batches.length > 2);
    const tried = intake.batches.length;
    intake.failure = new Fault('preconditionFailed', 'Telemetry is off');
    const closed = new Exporter({ url: `${listener.url}/v1/metrics`, headers });
    await recordAndExport(closed).catch(() => {});
    assert.ok(intake.batches.length - tried <= 3, 'once for each export');
  });
}

function lastOf(points: readonly CallPoint[], metric: string, name: string): readonly unknown[] {
  const last = points.findLast(point => point.metric === metric && point.function.name === name);
  return [last?.counts, last?.temporality, last?.value];
}

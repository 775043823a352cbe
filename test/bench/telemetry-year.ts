import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTelemetryService } from '../../daemon/jobs/telemetry/telemetry-service.ts';
import { dayMs } from '../../daemon/model/usage.ts';
import { openDaemonDatabase } from '../../daemon/store/daemon-db.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { encoded } from '../support/otlp.ts';

/*
 * A year of exports: what they take in storage, and what one of them costs.
 * node dist/test/bench/telemetry-year.js [--functions 10000] [--each 1] [--days 365] [--exports 1] [--cumulative] [--buckets 0]
 * `--each`: series of a function, so that a batch has so many times as many points. `--buckets`: of histograms, in place of sums.
 */

const flag = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const functions = flag('functions', 10_000);
const days = flag('days', 365);
const each = flag('each', 1);
const exportsADay = flag('exports', 1);
const buckets = flag('buckets', 0);
const isCumulative = process.argv.includes('--cumulative');

const folder = mkdtempSync(join(tmpdir(), 'svc-telemetry-year-'));
const file = join(folder, 'daemon.db');
const clock = fakeClock(Date.UTC(2030, 0, 1));
const database = openDaemonDatabase(file);
const service = createTelemetryService(file, clock);
const startNs = nanoseconds();
const histogram = {
  sum: 12.5,
  bucketCounts: Array.from({ length: buckets }, () => '7'),
  explicitBounds: Array.from({ length: Math.max(0, buckets - 1) }, (_, at) => 2 ** at),
};
const totals = new Float64Array(functions * each);
const took: number[] = [];
const cpu: number[] = [];

for (let at = 0; at < days * exportsADay; at++) {
  const bytes = encoded('ExportMetricsServiceRequest', request());
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const told = await service.take({
    ...{ source: { kind: 'metrics', format: 'protobuf', coding: 'identity' }, bytes, asked: '', key: undefined },
    ...{ limitBytes: 2 ** 26, keptDays: 400, mostFunctions: 200_000 },
  });
  if (told.kind !== 'told') throw new Error(told.message);
  took.push(performance.now() - startedAt);
  const { user, system } = process.cpuUsage(cpuBefore);
  cpu.push((user + system) / 1000);
  await clock.advance(dayMs / exportsADay);
}
service.close();
database.close();
const sorted = [...took].sort((a, b) => a - b);
print({
  functions,
  days,
  exports: took.length,
  megabytes: Math.round(statSync(file).size / 1e4) / 100,
  exportMsP50: Math.round(sorted[sorted.length >> 1]!),
  cpuMsP50: Math.round([...cpu].sort((a, b) => a - b)[cpu.length >> 1]!),
  exportMsP99: Math.round(sorted[Math.floor(sorted.length * 0.99)]!),
});
const openedAt = performance.now();
openDaemonDatabase(file).close();
print({ openMs: Math.round(performance.now() - openedAt) });
rmSync(folder, { recursive: true });

function print(figures: object): void {
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

function nanoseconds(): string {
  return `${BigInt(clock.now().getTime()) * 1_000_000n}`;
}

function request(): object {
  return {
    resourceMetrics: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
        scopeMetrics: [
          {
            metrics: [
              {
                name: 'function.calls',
                [buckets > 0 ? 'histogram' : 'sum']: {
                  aggregationTemporality: isCumulative ? 2 : 1,
                  isMonotonic: true,
                  dataPoints: Array.from({ length: functions * each }, (_, series) => point(series)),
                },
              },
            ],
          },
        ],
      },
    ],
  };
}

function point(series: number): object {
  const at = series % functions;
  const calls = Math.floor(Math.exp(Math.random() * 12));
  totals[series]! += calls;
  const count = String(isCumulative ? totals[series]! : calls);
  return {
    attributes: [
      { key: 'code.function.name', value: { stringValue: `function${at}` } },
      { key: 'code.file.path', value: { stringValue: `/app/src/module${at % 200}/file${at % 1000}.ts` } },
      { key: 'region', value: { intValue: String(Math.floor(series / functions)) } },
      { key: 'code.line.number', value: { intValue: String(1 + (at % 700)) } },
    ],
    startTimeUnixNano: startNs,
    timeUnixNano: nanoseconds(),
    ...(buckets > 0 ? { count, ...histogram } : { asInt: count }),
  };
}

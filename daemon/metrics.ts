import type { Registry } from 'prom-client';
import type { Observation, Observe, SnapshotPublished } from './events.ts';

/** What the gauges show, asked when somebody looks. */
export interface Gauges {
  readonly uptimeSeconds: () => number;
  /** Live worker threads and requests in flight. */
  readonly concurrency: () => number;
  readonly repositories: () => Iterable<{
    readonly repo: string;
    readonly symbols: number;
    /** The index file and its log on disk; worktrees of one repository share theirs. */
    readonly databaseBytes: number;
    /** What of it holds the snapshots that can be read, with their facts. */
    readonly snapshotBytes: number;
  }>;
}

export interface Metrics {
  readonly observe: Observe;
  /** Prometheus text exposition, version 0.0.4. */
  exposition(): Promise<string>;
}

const counted: ReadonlySet<string> = new Set<Observation['kind']>([
  'snapshot.published',
  'snapshot.renewed',
  'search.answered',
  'repository.changed',
]);
const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Of what is counted by repository: the series of one that was removed go with it. */
const types: readonly (SnapshotPublished['type'] | 'names')[] = ['delta', 'full', 'names'];
/** What happened before anybody asked for metrics is kept and replayed; beyond this the oldest are forgotten. */
const maxWaiting = 10_000;

/** The specification's families. The library loads when metrics are first asked for; until then observations wait. */
export function createMetrics(gauges: Gauges, version: string): Metrics {
  let waiting: Observation[] = [];
  let families: Families | undefined;
  return {
    observe(observation) {
      if (!counted.has(observation.kind)) return;
      if (families !== undefined) return families.count(observation);
      waiting.push(observation);
      if (waiting.length > maxWaiting) waiting = waiting.slice(-maxWaiting / 2);
    },
    async exposition() {
      families ??= await createFamilies(gauges, version);
      for (const observation of waiting.splice(0)) families.count(observation);
      families.read();
      return families.registry.metrics();
    },
  };
}

interface Families {
  readonly registry: Registry;
  count(observation: Observation): void;
  read(): void;
}

async function createFamilies(gauges: Gauges, version: string): Promise<Families> {
  const { Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  const ingestions = new Counter({
    name: 'svc_ingestion_total',
    help: 'Index runs that published, by repository and type (delta, full)',
    labelNames: ['repo', 'type'],
    registers,
  });
  const durations = new Histogram({
    name: 'svc_ingestion_duration_seconds',
    help: 'Time from the first look at the tree to the published snapshot',
    labelNames: ['repo', 'type'],
    buckets,
    registers,
  });
  const searches = new Counter({
    name: 'svc_search_total',
    help: 'Searches answered, by repository and type',
    labelNames: ['repo', 'type'],
    registers,
  });
  const storage = new Gauge({
    name: 'svc_storage_bytes',
    help: 'Bytes by repository and type: database (the index file and its log on disk), snapshots (what of it is in use)',
    labelNames: ['repo', 'type'],
    registers,
  });
  const symbols = new Gauge({
    name: 'svc_symbols_total',
    help: 'Symbols of the active snapshot',
    labelNames: ['repo'],
    registers,
  });
  const concurrency = new Gauge({
    name: 'svc_goroutines',
    help: 'Live worker threads and requests in flight',
    registers,
  });
  const memory = new Gauge({ name: 'svc_memory_alloc_bytes', help: 'Heap in use', registers });
  const uptime = new Counter({ name: 'svc_uptime_seconds', help: 'Seconds since the start', registers });
  const started = new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start of the process, Unix time',
    registers,
  });
  const build = new Gauge({
    name: 'svc_build_info',
    help: 'The version that runs',
    labelNames: ['version'],
    registers,
  });
  build.set({ version }, 1);
  let countedUptime = 0;

  return {
    registry,
    count(observation) {
      if (observation.kind === 'snapshot.published' || observation.kind === 'snapshot.renewed') {
        const labels = { repo: observation.repo, type: observation.type };
        ingestions.inc(labels);
        durations.observe(labels, observation.durationMs / 1000);
      } else if (observation.kind === 'search.answered') {
        searches.inc({ repo: observation.repo, type: observation.type });
      } else if (observation.kind === 'repository.changed' && observation.change === 'removed') {
        const { repo } = observation;
        for (const type of types) for (const family of [ingestions, durations, searches]) family.remove({ repo, type });
      }
    },
    read() {
      const seconds = gauges.uptimeSeconds();
      uptime.inc(Math.max(0, seconds - countedUptime));
      countedUptime = Math.max(countedUptime, seconds);
      started.set(Math.round(Date.now() / 1000 - seconds));
      concurrency.set(gauges.concurrency());
      memory.set(process.memoryUsage().heapUsed);
      storage.reset();
      symbols.reset();
      for (const { repo, ...sizes } of gauges.repositories()) {
        symbols.set({ repo }, sizes.symbols);
        storage.set({ repo, type: 'database' }, sizes.databaseBytes);
        storage.set({ repo, type: 'snapshots' }, sizes.snapshotBytes);
      }
    },
  };
}

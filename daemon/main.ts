import { randomBytes, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Places, prepareFolders, socketPath } from '../client/paths.ts';
import { Fault } from '../client/protocol/faults.ts';
import { createGit } from './backends/git.ts';
import { findRepository } from './backends/git-repository.ts';
import { type Clock, systemClock } from './clock.ts';
import { ConfigError, type LoadedConfig, loadConfig } from './config.ts';
import { type Observe, observeWith } from './events.ts';
import { createIndexEngine, type EngineNotice } from './jobs/engine.ts';
import { followRepository } from './jobs/follow-repository.ts';
import { createJobQueue } from './jobs/queue.ts';
import { openLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createDoctor } from './operations/doctor.ts';
import type { Installation } from './operations/doctor-daemon.ts';
import { createHandlers } from './operations/handlers.ts';
import { symbolsHandlers } from './operations/symbols.ts';
import type { BackendStates } from './operations/system.ts';
import { countDeaths } from './server/deaths.ts';
import { removeDaemonRecord, startTicksOf, writeDaemonRecord } from './server/discovery.ts';
import { createDispatcher } from './server/dispatch.ts';
import { createEventHub } from './server/event-hub.ts';
import { foreignFileSystem } from './server/file-system.ts';
import { indexJobType, keepIndexed } from './server/keep-indexed.ts';
import { createLifecycle } from './server/lifecycle.ts';
import { createListeners } from './server/listeners.ts';
import { takeLeaderLock } from './server/lock.ts';
import { createRepositories, foreignOwner, type ServedRepository } from './server/repositories.ts';
import { openSocketServer } from './server/socket-server.ts';
import { daemonToken } from './server/token.ts';
import { type DaemonDatabase, openDaemonDatabase } from './store/daemon-db.ts';
import { openIndexReader } from './store/index-reader.ts';
import { StoreError } from './store/store-faults.ts';
import { createReadPool } from './workers/read-pool.ts';

/** What a daemon process is given by whoever starts it. */
export interface DaemonStart {
  readonly places: Places;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Names this build; two of the same version may differ. */
  readonly build: string;
  /** Started by a client that needed one: such a daemon leaves when nobody needs it. */
  readonly isAutoStarted: boolean;
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Log lines also go here (`svc daemon run`). */
  readonly echo?: (line: string) => void;
  readonly clock?: Clock;
  /** Signals and the like: called once with what they may do. */
  readonly onControls?: (controls: DaemonControls) => void;
}

export interface DaemonControls {
  leave(cause: string, exitCode?: number): void;
  reload(): void;
  crashed(what: string, cause: unknown): void;
}

/** Why a daemon could not start: for stderr, with the process's exit code. */
export class StartFailed extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

const protocol = 1;
const loopSampleMs = 20;

/**
 * Runs the daemon until it leaves; resolves with the exit code. At once 0 when another one leads. Throws `StartFailed`
 * (77 for unsafe folders, 78 for configuration, file system and schema).
 */
export async function runDaemon(start: DaemonStart): Promise<number> {
  const { places } = start;
  const clock = start.clock ?? systemClock;
  prepare(start);
  let config = configOf(start);
  const lock = takeLeaderLock(places.lockFile);
  if (lock === undefined) return 0;

  const { limits } = config.values;
  const log = openLog({
    file: places.logFile,
    level: config.values.log.level,
    fileBytes: config.values.log.file_bytes,
    files: config.values.log.files,
    ...(start.echo === undefined ? {} : { echo: start.echo }),
  });
  const startedMs = clock.monotonicMs();
  const hub = createEventHub();
  const metrics = createMetrics(
    {
      uptimeSeconds: () => (clock.monotonicMs() - startedMs) / 1000,
      concurrency: () => concurrency(),
      repositories: () =>
        repositories.list().map(({ record, snapshot }) => ({
          repo: record.id,
          symbols: snapshot?.counts.symbols ?? 0,
          databaseBytes: fileBytes(record.indexFile) + fileBytes(`${record.indexFile}-wal`),
          snapshotBytes: fileBytes(record.indexFile),
        })),
    },
    start.version,
  );
  const observe: Observe = observeWith([log.observe, metrics.observe, hub.observe]);
  const database = openDatabase(places);
  const token = daemonToken(config.values.auth.token, places, randomBytes);
  const inFlightFolder = join(places.state, 'in-flight');
  const deaths = countDeaths({ database, inFlightFolder, clock, observe });

  const git = createGit({ shadowFolder: join(places.data, 'shadow') });
  const repositories = createRepositories({
    database,
    reposFolder: places.repos,
    ownFolders: [places.state, places.data, places.runtime, places.config],
    uid: places.uid,
    limit: limits.repositories,
    configuredDefault: () => config.values.default_repo,
    now: clock.now,
    commonFolderOf(root) {
      const found = findRepository(root);
      if (found.found === 'untrusted_owner') throw foreignOwner(found.uid);
      return found.found === 'repository' ? found.repository.commonDir : '';
    },
  });
  let workers = 0;
  const engine = createIndexEngine({
    shadowFolder: join(places.data, 'shadow'),
    inFlightFolder,
    parseBudgetMs: limits.parse_seconds * 1000,
    dangerousInputs: deaths.dangerousInputs,
    onNotice: notice => hear(notice),
  });
  const readPool = createReadPool({ idleMs: 20_000 });
  const symbols = symbolsHandlers({
    readPool,
    cursorSecret: database.secret('cursor_secret', randomBytes),
    tombstone: ({ repository }, hash) =>
      database.tombstone(repositories.get(repository.id)?.registered.uid ?? '', hash),
    dirtyFiles: ({ repository }) => repositories.get(repository.id)?.follow?.status().pendingChanges ?? 0,
    isClean: () => undefined,
  });
  const keep = keepIndexed({
    repositories,
    engine,
    follow: record => followRepository({ repo: record, engine }),
    database,
    clock,
    observe,
    forgetFile: symbols.forget,
  });
  const jobs = createJobQueue({
    store: database,
    runs: { [indexJobType]: keep.run },
    clock,
    newId: randomUUID,
    maxQueued: limits.queued_jobs,
    width: 2,
    observe,
  });

  const socket = socketPath(places, `svc-${process.pid}-${randomBytes(4).toString('hex')}.sock`);
  const facts = {
    pid: process.pid,
    version: start.version,
    startedAt: clock.now(),
    socketPath: socket,
    uptimeMs: () => clock.monotonicMs() - startedMs,
  };
  const loopDelay = monitorEventLoopDelay({ resolution: loopSampleMs });
  loopDelay.enable();
  const backends = rememberedFor(clock, 60_000, async (): Promise<BackendStates> => {
    const none = { available: false, latencyMs: 0 };
    const found = await git.availability();
    return {
      scip: none,
      lsp: none,
      git: found.available ? { available: true, latencyMs: Math.round(found.latencyMs) } : none,
    };
  });
  let configProblem: string | undefined;
  const installation: Installation = {
    places,
    environment: start.environment,
    version: start.version,
    socketPath: socket,
    config: () => config,
    configProblem: () => configProblem,
    holdsLock: lock.isHeld,
    listenerProblem: () => listeners.failure(),
    backends,
    log,
    database,
    recentDeaths: deaths.recent,
    // The histogram holds the time between two looks, the wanted one included.
    loopDelayMs: () => Math.max(0, loopDelay.percentile(99) / 1e6 - loopSampleMs),
  };
  const dispatcher = createDispatcher({
    get handlers() {
      return handlers;
    },
    repositories,
    clock,
    observe,
    version: start.version,
    limits: () => ({
      queryMs: config.values.limits.query_seconds * 1000,
      jobWaitMs: config.values.limits.job_wait_seconds * 1000,
      answerBytes: config.values.limits.answer_bytes,
    }),
    subscribe: hub.subscribe,
  });
  const listeners = createListeners({
    daemon: dispatcher,
    config: () => config.values,
    tokenDigest: token.sha256,
    observe,
  });
  const handlers = createHandlers({
    facts,
    repositories,
    keep,
    jobs,
    listeners,
    config: () => config,
    observe,
    stop: cause => lifecycle.leave(cause),
    freshnessMinutes: () => config.values.freshness_minutes,
    backends,
    metrics,
    doctor: createDoctor(installation),
    concurrency: () => concurrency(),
    storage: () => storageOf(places, database, repositories.list(), clock.now().getTime()),
    warm: async () => {},
    clear: async ({ record }) => symbols.forget(record.indexFile),
    openApi: async () => ({}),
    symbols,
  });
  const server = await openSocketServer({
    path: socket,
    maxConnections: limits.connections,
    dispatcher,
    clock,
    observe,
    limits: {
      frameBytes: limits.frame_bytes,
      backlogBytes: limits.backlog_bytes,
      jsonDepth: limits.json_depth,
      requestsInFlight: limits.requests_in_flight,
      batchRequests: limits.batch_requests,
      subscriptions: limits.subscriptions,
      halfOpenMs: limits.half_open_seconds * 1000,
    },
  });
  const lifecycle = createLifecycle({
    clock,
    observe,
    drainMs: () => config.values.limits.drain_seconds * 1000,
    holdsLock: lock.isHeld,
    lockCheckMs: 1000,
    departure: {
      refuse: server.drain,
      requestsInFlight: dispatcher.inFlight,
      closeListeners: listeners.close,
      async resign() {
        removeDaemonRecord(places, process.pid);
        await jobs.close();
        await keep.close();
        await engine.close();
        lock.release();
      },
      async finish() {
        server.close();
        symbols.close();
        await readPool.close();
        deaths.endedInOrder();
        database.close();
      },
    },
  });

  const announce = () =>
    writeDaemonRecord(places, {
      pid: process.pid,
      startTicks: startTicksOf(process.pid),
      host: hostname(),
      version: start.version,
      build: start.build,
      protocol,
      socket,
      url: listeners.own()?.url ?? null,
      tokenFile: places.tokenFile,
    });
  announce();
  observe({ kind: 'daemon.started', pid: process.pid, version: start.version, socketPath: socket });
  jobs.recover();
  keep.start(jobs, deaths.backOffMs());
  if (start.isAutoStarted) {
    const isIdle = () =>
      repositories.list().length === 0 &&
      dispatcher.inFlight() === 0 &&
      server.connections() === 0 &&
      hub.subscriberCount() === 0 &&
      jobs.counts().queued + jobs.counts().running === 0;
    lifecycle.leaveWhenIdle(isIdle, () => config.values.idle_exit_minutes * 60_000);
  }
  start.onControls?.({
    leave: lifecycle.leave,
    reload() {
      try {
        config = configOf(start);
        log.setLevel(config.values.log.level);
        configProblem = undefined;
      } catch (error) {
        configProblem = error instanceof Error ? error.message : String(error);
        observe({ kind: 'daemon.fault', what: 'the configuration was not reloaded', cause: error });
      }
    },
    crashed(what, cause) {
      observe({ kind: 'daemon.fault', what, cause });
    },
  });
  void listeners.openOwn().then(() => {
    if (listeners.own() !== null && !lifecycle.isLeaving()) announce();
  });

  const exitCode = await lifecycle.ended;
  observe({ kind: 'daemon.stopped', exitCode });
  log.close();
  return exitCode;

  function hear(notice: EngineNotice): void {
    switch (notice.kind) {
      case 'published':
        deaths.ranWell();
        return keep.published(notice.repo, notice.published);
      case 'index_quarantined':
        return keep.damaged(notice.indexFile, notice.what);
      case 'file_skipped':
        return log.info({ repo: notice.repo, path: notice.path, reason: notice.reason }, 'file.skipped');
      case 'worker_started':
        workers++;
        return;
      case 'worker_ended':
        workers--;
        if (notice.reason === 'crashed')
          observe({ kind: 'daemon.fault', what: 'the write worker crashed', cause: undefined });
        return;
    }
  }

  function concurrency(): number {
    return workers + dispatcher.inFlight();
  }
}

function prepare({ places, environment }: DaemonStart): void {
  try {
    prepareFolders(places);
  } catch (error) {
    if (error instanceof Fault) throw new StartFailed(error.row.exit, error.message);
    throw error;
  }
  for (const folder of [places.state, places.data]) {
    const foreign = foreignFileSystem(folder, environment);
    if (foreign === undefined) continue;
    throw new StartFailed(
      78,
      `${folder} lies on ${foreign}, where locks can't be trusted. Set SVC_HOME to a folder on a local disk.`,
    );
  }
}

function configOf({ places, environment, flags }: DaemonStart): LoadedConfig {
  try {
    return loadConfig({ file: places.configFile, environment, ...(flags === undefined ? {} : { flags }) });
  } catch (error) {
    if (error instanceof ConfigError) throw new StartFailed(error.exitCode, error.message);
    throw error;
  }
}

function openDatabase(places: Places): DaemonDatabase {
  try {
    return openDaemonDatabase(places.daemonDb);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const remedy = error.trouble === 'newerSchema' ? 'It was written by a newer svc: run that one' : 'See its message';
    throw new StartFailed(
      error.trouble === 'newerSchema' ? 78 : 75,
      `${places.daemonDb}: ${error.message}. ${remedy}.`,
    );
  }
}

/** What lies on disk, over all repositories. An index that can't be read just now adds nothing. */
function storageOf(places: Places, database: DaemonDatabase, repositories: readonly ServedRepository[], nowMs: number) {
  const files = new Set(repositories.map(({ record }) => record.indexFile));
  const snapshots = repositories.map(repository => retainedOf(repository, nowMs));
  const logs = repositories.map(({ registered, snapshot }) => {
    const newest = snapshot?.seq ?? 0;
    return newest === 0 ? 0 : newest - database.oldestSyncSeq(registered.uid) + 1;
  });
  return {
    databaseBytes: [places.daemonDb, ...files].reduce(
      (sum, file) => sum + fileBytes(file) + fileBytes(`${file}-wal`),
      0,
    ),
    snapshotCount: snapshots.reduce((sum, { count }) => sum + count, 0),
    oldestSnapshotAt: earliest(snapshots.map(({ oldestAt }) => oldestAt)),
    journalEntries: logs.reduce((sum, entries) => sum + entries, 0),
    oldestJournalAt: earliest(
      repositories.map(({ registered, snapshot }) => (snapshot === undefined ? undefined : registered.addedAt)),
    ),
  };
}

function retainedOf(
  { record, snapshot }: ServedRepository,
  nowMs: number,
): { count: number; oldestAt: number | undefined } {
  if (snapshot === undefined) return { count: 0, oldestAt: undefined };
  try {
    const reader = openIndexReader(record.indexFile);
    try {
      return reader.retained(record.worktreeKey, nowMs);
    } finally {
      reader.close();
    }
  } catch {
    return { count: 0, oldestAt: undefined };
  }
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce((first, time) => (first === undefined || (time ?? first) < first ? time : first), undefined);
}

function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function rememberedFor<T>(clock: Clock, ms: number, ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  let askedAtMs = 0;
  return () => {
    if (answer === undefined || clock.monotonicMs() - askedAtMs > ms) {
      askedAtMs = clock.monotonicMs();
      answer = ask();
      answer.catch(() => {
        answer = undefined;
      });
    }
    return answer;
  };
}

import { randomBytes } from 'node:crypto';
import { socketPath } from '../../client/paths.ts';
import { userName } from '../../client/this-user.ts';
import { fileSystemType } from '../../watch/file-system.ts';
import type { Config } from '../config-schema.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import { surveyDecisions } from '../operations/decisions.ts';
import { createDoctor, type Doctor } from '../operations/doctor/doctor.ts';
import type { Handlers } from '../operations/handler.ts';
import { createHandlers } from '../operations/handlers.ts';
import { isPrecise, type ServedRepository } from '../operations/served-repository.ts';
import type { BackendState, BackendStates } from '../operations/system.ts';
import type { ConnectionLimits } from './connection.ts';
import { createDispatcher, type Dispatcher } from './dispatch.ts';
import { createIndexDoor } from './index-door.ts';
import { type OpenIndexServers, openIndexServers } from './index-servers.ts';
import { createListeners, type Listeners } from './listeners.ts';
import { loopDelay } from './loop-delay.ts';
import { createMethods } from './methods.ts';
import type { Indexing } from './open-indexing.ts';
import type { DaemonState } from './open-state.ts';
import { openSocketServer, type SocketServer } from './socket-server.ts';
import { indexBytes, storageOf, takenDeltasOf, usedBytes } from './storage.ts';

/** What answers: the socket, the HTTP listeners, and the one door behind them. */
export interface Service {
  readonly socket: SocketServer;
  readonly listeners: Listeners;
  readonly dispatcher: Dispatcher;
  readonly indexServers: OpenIndexServers;
}

const gitRememberedMs = 60_000;

/** Listens on a socket of its own name. `leave` is what `daemon.stop` does. */
export async function openService(
  state: DaemonState,
  indexing: Indexing,
  leave: (cause: string) => void,
): Promise<Service> {
  const { places, clock, observe, config, start } = state;
  const handlers = () => answering;
  const dispatcher = createDispatcher({
    handlers,
    repositories: indexing.repositories,
    clock,
    observe,
    version: start.version,
    limits() {
      const { query_seconds, job_wait_seconds, answer_bytes } = config.values().limits;
      return { queryMs: query_seconds * 1000, jobWaitMs: job_wait_seconds * 1000, answerBytes: answer_bytes };
    },
    subscribe: state.hub.subscribe,
    callsVersion: repo => indexing.telemetry.asked(repo)?.version,
    leadersWork: state.leadersWork,
    lookAt: repo => indexing.keep.lookAt(repo),
  });
  const indexServers = indexServersOf(state, indexing);
  const listeners = createListeners({
    daemon: dispatcher,
    config: config.values,
    tokenDigest: state.token.digest,
    indexServers,
    leadersWork: state.leadersWork,
    clock,
    observe,
  });
  const answering = handlersOf(state, indexing, {
    socketPath: () => socket.path,
    listeners,
    indexServers,
    dispatcher,
    leave,
  });
  const socket = await openSocketServer({
    newPath: () => socketPath(places, `svc-${process.pid}-${randomBytes(4).toString('hex')}.sock`),
    maxConnections: () => config.values().limits.connections,
    methods: createMethods(dispatcher),
    subscribe: dispatcher.subscribe,
    clock,
    observe,
    limits: () => connectionLimits(config.values()),
  });
  return { socket, listeners, dispatcher, indexServers };
}

function connectionLimits({ limits }: Config): ConnectionLimits {
  return {
    frameBytes: limits.frame_bytes,
    backlogBytes: limits.backlog_bytes,
    jsonDepth: limits.json_depth,
    jsonValues: limits.json_values,
    requestsInFlight: limits.requests_in_flight,
    batchRequests: limits.batch_requests,
    subscriptions: limits.subscriptions,
    halfOpenMs: limits.half_open_seconds * 1000,
  };
}

function indexServersOf(state: DaemonState, { repositories, keep }: Indexing): OpenIndexServers {
  const { config, token, database, clock, observe, start } = state;
  return openIndexServers({
    settings: () => config.loaded().indexServer.settings,
    environment: start.environment,
    repositories,
    keeper: keep,
    database,
    random: randomBytes,
    uploadedCommit: uid => database.hosted(uid)?.commit ?? '',
    openDoor: settings =>
      createIndexDoor({
        ...{ settings, clock, keys: database, keyKeeper: state.keyKeeper },
        daemonTokenDigest: token.digest,
        isDaemonAuthOn: () => config.values().auth.enabled,
      }),
    clock,
    observe,
  });
}

interface Answering {
  readonly socketPath: () => string;
  readonly listeners: Listeners;
  readonly indexServers: OpenIndexServers;
  readonly dispatcher: Dispatcher;
  readonly leave: (cause: string) => void;
}

function handlersOf(state: DaemonState, indexing: Indexing, answering: Answering): Handlers {
  const { places, clock, observe, config, start, database } = state;
  const { repositories, symbols } = indexing;
  const { listeners, indexServers, dispatcher, leave } = answering;
  const concurrency = () => indexing.workers() + dispatcher.inFlight();
  const git = remembered(clock.monotonicMs, () => stateOf(indexing.git));
  let description: Promise<string> | undefined;
  return createHandlers({
    facts: {
      pid: process.pid,
      version: start.version,
      startedAt: state.startedAt,
      socketPath: answering.socketPath,
      uptimeMs: state.uptimeMs,
    },
    repositories,
    keeper: indexing.keep,
    jobs: indexing.jobs,
    listeners,
    config: config.loaded,
    histories: indexing.histories,
    configFile: config.fileState,
    observe,
    stop: leave,
    indexServers,
    servedFromConfig: repository => indexServers.servedFromConfig(repository),
    redactionSecret: database.secret('redaction_secret', randomBytes),
    onDamage: (repo, error) => indexing.keep.damagedAt(repo, error),
    hosted: indexing.hosted,
    mirrors: indexing.mirrors,
    federations: indexing.federations,
    telemetry: indexing.telemetry,
    userName: userName(),
    uploads() {
      const { scip_bytes, job_wait_seconds } = config.values().limits;
      return { mostBytes: scip_bytes, jobWaitMs: job_wait_seconds * 1000 };
    },
    database,
    accessKeys: database,
    keyLives: state.keyKeeper,
    random: randomBytes,
    clock,
    engine: indexing.engine,
    git: indexing.git,
    takenDeltas: takenDeltasOf,
    answerBytes: () => config.values().limits.answer_bytes,
    deltaBytes: () => config.values().limits.delta_bytes,
    telemetryBytes: () => config.values().limits.telemetry_bytes,
    jsonDepth: () => config.values().limits.json_depth,
    freshnessMinutes: () => config.values().freshness_minutes,
    backends: async () => lookForBackends(indexing, await git()),
    hasPrecise: repository => isAnyPrecise([repository], indexing.precise),
    precise: indexing.precise,
    environment: start.environment,
    decisionsFolder: () => config.values().decisions.folder,
    metrics: metricsOf(state, indexing, concurrency),
    doctor: doctorOf(state, answering, indexing),
    concurrency,
    storage: () => storageOf(places, database, repositories.list(), clock.now().getTime()),
    openApi: () => {
      description ??= describeApi(start.version);
      return description;
    },
    symbols,
  });
}

/** The description of the API as JSON; what makes it is loaded for the first who asks. */
async function describeApi(version: string): Promise<string> {
  const { openApiDocument } = await import('../../client/protocol/openapi.ts');
  return JSON.stringify(openApiDocument({ version }));
}

function metricsOf(state: DaemonState, { repositories }: Indexing, concurrency: () => number): Metrics {
  const metrics = createMetrics(
    {
      uptimeSeconds: () => state.uptimeMs() / 1000,
      concurrency,
      repositories: () =>
        repositories.list().map(({ record, snapshot }) => ({
          repo: record.id,
          symbols: snapshot?.counts.symbols ?? 0,
          databaseBytes: indexBytes(record.indexFile),
          snapshotBytes: usedBytes(record.indexFile),
        })),
    },
    state.start.version,
  );
  state.alsoObserve(metrics.observe);
  return metrics;
}

function doctorOf(state: DaemonState, answering: Answering, indexing: Indexing): Doctor {
  const { socketPath, listeners, indexServers } = answering;
  const { repositories } = indexing;
  const { places, config, start, database } = state;
  const delay = loopDelay(state.clock);
  state.alsoObserve(delay.observe);
  return createDoctor({
    places,
    fileSystemType: fileSystemType(start.environment['SVC_FSTYPE']),
    version: start.version,
    socketPath,
    config: config.loaded,
    holdsLock: state.lock.isHeld,
    isLockWhole: state.lock.isWhole,
    isTokenIn: state.token.isIn,
    listeners,
    indexServers,
    git: () => indexing.git.availability(),
    lspHealth: () => indexing.lsp.health(longestLspWaitMs),
    precise: indexing.precise,
    log: state.log,
    database,
    isCopyFailing: state.copy.isFailing,
    federations: indexing.federations,
    recentDeaths: state.deaths.recent,
    lastEnd: state.deaths.lastEnd,
    fileState: config.fileState,
    repositories,
    loopDelayMs: delay.percentile99Ms,
    onDamage: (repo, error) => indexing.keep.damagedAt(repo, error),
    ownershipChecks: indexing.symbols.asking.readPool.ownershipChecks,
    histories: indexing.histories,
    telemetry: indexing.telemetry,
    decisions: of =>
      surveyDecisions({ asking: indexing.symbols.asking, decisionsFolder: () => config.values().decisions.folder }, of),
  });
}

/** How long an answer waits for language servers to say who they are: those that have not are told as such. */
const longestLspWaitMs = 2000;

/** As `/status` has them of each repository, so that no answer contradicts another: only git is asked once in a while. */
async function lookForBackends({ lsp, precise, repositories }: Indexing, git: BackendState): Promise<BackendStates> {
  const startedMs = performance.now();
  const scip = isAnyPrecise(repositories.list(), precise)
    ? { available: true, latencyMs: Math.round(performance.now() - startedMs) }
    : unavailable;
  const servers = await lsp.health(longestLspWaitMs);
  const server = servers.find(({ available }) => available);
  return {
    scip,
    lsp: { ...(server === undefined ? unavailable : { available: true, latencyMs: server.latencyMs }), servers },
    git,
  };
}

const unavailable: BackendState = { available: false, latencyMs: 0 };

async function stateOf(git: Indexing['git']): Promise<BackendState> {
  const found = await git.availability();
  return found.available ? { available: true, latencyMs: Math.round(found.latencyMs) } : unavailable;
}

/** Whether precise facts of one are in use, or an indexer is there that could make them: looked for once for all languages. */
function isAnyPrecise(repositories: readonly ServedRepository[], precise: Indexing['precise']): boolean {
  const indexed = repositories.flatMap(({ record, snapshot }) => (snapshot === undefined ? [] : { record, snapshot }));
  if (repositories.some(isPrecise)) return true;
  return [true, false].some(trusted => {
    const alike = indexed.filter(({ record }) => record.root !== '' && record.trusted === trusted);
    const languages = new Set(alike.flatMap(({ snapshot }) => Object.keys(snapshot.counts.languages)));
    return precise.isInstalledFor([...languages], trusted);
  });
}

/** What a program said, for a while. */
function remembered(nowMs: () => number, ask: () => Promise<BackendState>): () => Promise<BackendState> {
  let answer: Promise<BackendState> | undefined;
  let askedAtMs = 0;
  return () => {
    if (answer !== undefined && nowMs() - askedAtMs <= gitRememberedMs) return answer;
    askedAtMs = nowMs();
    const asked = ask();
    answer = asked;
    asked.catch(() => {
      if (answer === asked) answer = undefined;
    });
    return asked;
  };
}

import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { prepareRuntime, startTicksOf } from '../client/paths.ts';
import { every } from './clock.ts';
import { changesOf } from './server/config-in-force.ts';
import { isAnnounced, removeDaemonRecord, removeDeadSockets, writeDaemonRecord } from './server/discovery.ts';
import { keepShadows } from './server/keep-shadows.ts';
import { createLifecycle, type Lifecycle } from './server/lifecycle.ts';
import { type Indexing, openIndexing } from './server/open-indexing.ts';
import { openService, type Service } from './server/open-service.ts';
import { type DaemonState, logSettings, openState } from './server/open-state.ts';
import { scrubAtRest } from './server/scrub-at-rest.ts';
import { startFailure } from './server/start-failure.ts';
import type { DaemonStart } from './start.ts';
import { tidyHeapAtRest } from './tidy-heap.ts';
import { lowerCollectors } from './workers/priority.ts';

const protocol = 1;
/** How often the ways to us, the log's file and the configuration are looked at. */
const lookMs = 1000;
/** A port that another program has may be free a little later. */
const listenerRetryMs = 10_000;

/**
 * Runs the daemon until it leaves; resolves with the exit code: at once 0 when another one leads. Throws `StartFailed`
 * (77 for unsafe folders, 78 for configuration, file system and schema).
 */
export async function runDaemon(start: DaemonStart): Promise<number> {
  const begun = await begin(start).catch(error => {
    throw startFailure(error);
  });
  if (begun === undefined) return start.onSecond?.() ?? 0;
  const { state, indexing, service, lifecycle } = begun;

  const announceAgain = (): void => {
    if (!lifecycle.isLeaving()) announce(state, service);
  };
  const takeOver = () => reload(state, service, announceAgain);
  start.onControls?.({
    leave(cause, exitCode = 0) {
      if (exitCode !== 0) state.deaths.endsBadly();
      lifecycle.urge(cause, exitCode);
    },
    reload: takeOver,
    crashed: (what, cause) => state.observe({ kind: 'daemon.fault', what, cause }),
  });
  try {
    announce(state, service);
  } catch (cause) {
    // It is tried again each second.
    state.observe({ kind: 'daemon.fault', what: 'daemon.json could not be written', cause });
  }
  const stopLooking = every(
    state.clock,
    lookMs,
    stayReachable(state, service, () => lifecycle.isLeaving()),
  );
  const stopKeepingLog = every(state.clock, lookMs, state.log.keepToPath);
  const stopFollowing = every(state.clock, lookMs, changesOf(state.places.configFile, takeOver));
  const stopScrubbing = scrubAtRest({
    ...state,
    repositories: indexing.repositories,
    isAtRest: () => !lifecycle.isLeaving() && isAtRest(indexing, service),
    damagedAt: (repo, error) => indexing.keep.damagedAt(repo, error),
  });
  const stopTidying = tidyHeapAtRest(state.clock);
  const stopSweeping = keepShadows({ ...state, repositories: indexing.repositories, folder: state.shadowFolder });
  removeDeadSockets(dirname(service.socket.path)).catch(cause => {
    state.observe({ kind: 'daemon.fault', what: 'sockets of dead daemons could not be removed', cause });
  });
  state.observe({ kind: 'daemon.started', pid: process.pid, version: start.version, socketPath: service.socket.path });
  indexing.jobs.recover();
  indexing.keep.start(indexing.jobs, state.deaths.backOffMs());
  indexing.hosted.start();
  indexing.mirrors.start();
  indexing.precise.start(indexing.jobs);
  indexing.histories.start();
  indexing.telemetry.start();
  service.indexServers.follow();
  if (start.isAutoStarted) {
    const idleMs = () => state.config.values().idle_exit_minutes * 60_000;
    lifecycle.leaveWhenIdle(() => isIdle(state, indexing, service), idleMs);
  }
  // The socket answers already: what HTTP needs may load behind it.
  const openOwn = (): Promise<void> =>
    service.listeners
      .openOwn()
      .then(announceAgain)
      .catch(cause => state.observe({ kind: 'daemon.fault', what: 'the HTTP listener could not be told of', cause }));
  void openOwn();
  const stopRetrying = every(state.clock, listenerRetryMs, () => {
    if (service.listeners.failure() !== undefined && !lifecycle.isLeaving()) void openOwn();
  });

  const exitCode = await lifecycle.ended;
  stopRetrying();
  stopLooking();
  stopKeepingLog();
  stopFollowing();
  stopScrubbing();
  stopTidying();
  stopSweeping();
  service.indexServers.close();
  state.observe({ kind: 'daemon.stopped', exitCode });
  state.log.close();
  return exitCode;
}

interface Begun {
  readonly state: DaemonState;
  readonly indexing: Indexing;
  readonly service: Service;
  readonly lifecycle: Lifecycle;
}

/** Opens all that whoever finds us may ask. Undefined where another daemon leads. */
async function begin(start: DaemonStart): Promise<Begun | undefined> {
  const state = openState(start);
  if (state === undefined) return undefined;
  lowerCollectors();
  const indexing = openIndexing(state);
  const service = await openService(state, indexing, cause => lifecycle.leave(cause));
  const lifecycle = lifecycleOf(state, indexing, service);
  return { state, indexing, service, lifecycle };
}

/** What the writer takes to end, generously. */
const endingMs = 1500;

function lifecycleOf(state: DaemonState, indexing: Indexing, { socket, listeners, dispatcher }: Service): Lifecycle {
  const { places, clock, observe, lock, config } = state;
  return createLifecycle({
    clock,
    observe,
    drainMs: () => config.values().limits.drain_seconds * 1000,
    holdsLock: lock.isHeld,
    lockCheckMs: lookMs,
    departure: {
      refuse: socket.drain,
      requestsInFlight: dispatcher.inFlight,
      closeListeners: deadlineMs => listeners.close(deadlineMs),
      async resign(deadlineMs) {
        removeDaemonRecord(places, process.pid);
        // Another leader writes already.
        await indexing.stopWriting(lock.isHeld() ? Math.max(0, deadlineMs - endingMs) : 0);
        // Before the next leader may begin, which has the same mark and keeps the same copy.
        state.deaths.endedInOrder();
        state.keyKeeper.close();
        await state.copy.close();
        lock.release();
      },
      async finish() {
        socket.close();
        await indexing.close();
        // Where resigning was cut short by the deadline.
        state.deaths.endedInOrder();
        state.database.close();
      },
    },
  });
}

/** Tells clients where we are; once more when the HTTP listener is open, and when the configuration has changed. */
function announce({ places, start, config }: DaemonState, { socket, listeners }: Service): void {
  const record = {
    pid: process.pid,
    startTicks: startTicksOf(process.pid),
    host: hostname(),
    version: start.version,
    build: start.build,
    protocol,
    socket: socket.path,
    url: listeners.own()?.url ?? null,
  };
  writeDaemonRecord(places, record, config.values().auth.token);
}

/**
 * Mends the way to us. Somebody may have removed the socket or `daemon.json`, or a sweeper of temporary files the folder
 * with both: without them no client finds the one daemon that leads, and none could take its place.
 */
function stayReachable(state: DaemonState, service: Service, isLeaving: () => boolean): () => void {
  const { places, observe, lock, config } = state;
  const { socket } = service;
  const isTold = () => isAnnounced(places, process.pid, socket.path, config.values().auth.token);
  let told = '';
  let isMending = false;
  const mend = async () => {
    prepareRuntime(places);
    if (!socket.isReachable()) await socket.move();
    // A leader that lost the lock meanwhile must not hide its successor.
    if (isLeaving() || !lock.isHeld() || isTold()) return;
    announce(state, service);
    observe({ kind: 'daemon.moved', socketPath: socket.path });
    told = '';
  };
  return () => {
    if (isMending || isLeaving() || !lock.isHeld()) return;
    if (socket.isReachable() && isTold()) return;
    isMending = true;
    mend()
      .catch((cause: unknown) => {
        const words = String(cause);
        if (words !== told) observe({ kind: 'daemon.fault', what: 'clients can’t find this daemon', cause });
        told = words;
      })
      .finally(() => {
        isMending = false;
      });
  };
}

/** Nobody is connected, nothing is under way and no tree is watched. */
function isIdle({ hub }: DaemonState, indexing: Indexing, service: Service): boolean {
  const isLeft = service.socket.connections() + hub.subscriberCount() === 0;
  return isLeft && isAtRest(indexing, service) && indexing.repositories.list().length === 0;
}

function isAtRest({ jobs }: Indexing, { dispatcher }: Service): boolean {
  const { queued, running } = jobs.counts();
  return queued + running + dispatcher.inFlight() === 0;
}

function reload(
  { config, token, log, observe }: DaemonState,
  { listeners, indexServers }: Service,
  announceAgain: () => void,
): void {
  const failed = (cause: unknown) =>
    observe({ kind: 'daemon.fault', what: 'the configuration was not reloaded', cause });
  config.reload();
  const problem = config.problem();
  if (problem !== undefined) {
    failed(problem);
    return;
  }
  log.configure(logSettings(config.values()));
  try {
    token.renew();
  } catch (cause) {
    failed(cause);
  }
  indexServers.follow();
  listeners.reload().then(announceAgain).catch(failed);
}

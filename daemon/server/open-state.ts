import { randomBytes } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileLimits } from '../../client/open-files.ts';
import { type Places, prepareFolders, readDaemonRecord } from '../../client/paths.ts';
import { mayListen } from '../../client/protocol/loopback.ts';
import { fileSystemType } from '../../watch/file-system.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Config } from '../config-schema.ts';
import { type Observation, type Observe, observeWith } from '../events.ts';
import { type Log, type LogSettings, openLog } from '../log.ts';
import { untrustedPlace } from '../operations/doctor/untrusted-place.ts';
import { type DaemonStart, StartFailed } from '../start.ts';
import { type DaemonDatabase, openDaemonDatabase } from '../store/daemon-db.ts';
import { type ConfigInForce, openConfig } from './config-in-force.ts';
import { countDeaths, type Deaths } from './deaths.ts';
import { createEventHub, type EventHub } from './event-hub.ts';
import { copyInThread, type KeepCopy, keepCopy } from './keep-copy.ts';
import { type KeyKeeper, keepKeys } from './keep-keys.ts';
import { type LeadersWork, leadersWork } from './leaders-work.ts';
import { type LeaderLock, takeLeaderLock } from './lock.ts';
import { type DaemonToken, daemonToken } from './token.ts';

/** What one leading daemon owns before it does anything. */
export interface DaemonState {
  readonly start: DaemonStart;
  readonly places: Places;
  readonly clock: Clock;
  readonly startedAt: Date;
  readonly uptimeMs: () => number;
  readonly config: ConfigInForce;
  readonly lock: LeaderLock;
  readonly log: Log;
  readonly hub: EventHub;
  readonly observe: Observe;
  /** One more reader of all observations. */
  readonly alsoObserve: (reader: Observe) => void;
  readonly database: DaemonDatabase;
  /** So few files may be open that threads come one at a time, and go as soon as they rest: each takes four by itself. */
  readonly hasFewFiles: boolean;
  readonly copy: KeepCopy;
  readonly token: DaemonToken;
  readonly keyKeeper: KeyKeeper;
  readonly deaths: Deaths;
  readonly leadersWork: LeadersWork;
  readonly inFlightFolder: string;
  /** Git folders of our own, through which repositories are read. */
  readonly shadowFolder: string;
  /**
   * Where we write, as real paths. It lies in trees, too, where somebody has his home folder indexed. Whoever in this process
   * closed a file that SQLite has open would end the locks on it: the leader's first.
   */
  readonly ownFolders: readonly string[];
}

/** What a daemon that resigns takes to end its writing, where that isn’t much. */
const resigningMs = 2000;

/** Checks folders and configuration, then leads. Undefined when another daemon does. Throws what `startFailure` explains. */
export function openState(start: DaemonStart): DaemonState | undefined {
  const { places } = start;
  const clock = start.clock ?? systemClock;
  prepareFolders(places);
  refuseUntrustedPlaces(start);
  const config = openConfig({
    file: places.configFile,
    environment: start.environment,
    ...(start.flags === undefined ? {} : { flags: start.flags }),
  });
  refuseReachable(config.values(), places);
  // A leader that is no longer announced resigns: it ends its writing, and lets go.
  const lock = takeLeaderLock(places.lockFile, readDaemonRecord(places) === undefined ? resigningMs : 0);
  if (lock === undefined) return undefined;

  const lastWordsMs = statSync(places.logFile, { throwIfNoEntry: false })?.mtimeMs;
  const echo = start.echo === undefined ? {} : { echo: start.echo };
  const log = openLog({ file: places.logFile, settings: logSettings(config.values()), ...echo });
  const hub = createEventHub();
  const readers: Observe[] = [log.observe, hub.observe];
  const observe = (observation: Observation) => observeWith(readers)(observation);
  const database = openDaemonDatabase(places.daemonDb);
  const token = daemonToken(() => config.values().auth.token, places, randomBytes);
  const hasFewFiles = (fileLimits()?.most ?? plentyOfFiles) < plentyOfFiles;
  const copyAside = hasFewFiles ? async () => database.backup() : () => copyInThread(database.file);
  const copy = keepCopy({ database, copyAside, clock, observe });
  readers.push(copy.observe);
  const inFlightFolder = join(places.state, 'in-flight');
  const startedMs = clock.monotonicMs();
  return {
    start,
    places,
    clock,
    startedAt: clock.now(),
    uptimeMs: () => clock.monotonicMs() - startedMs,
    config,
    lock,
    log,
    hub,
    observe,
    alsoObserve: reader => void readers.push(reader),
    database,
    hasFewFiles,
    copy,
    token,
    keyKeeper: keepKeys({ keys: database, clock, observe }),
    deaths: countDeaths({ database, inFlightFolder, lastWordsMs, pid: process.pid, clock, observe }),
    leadersWork: leadersWork(clock),
    inFlightFolder,
    shadowFolder: join(places.data, 'shadow'),
    ownFolders: [places.state, places.data, places.runtime].map(folder => realpathSync(folder)),
  };
}

/** With a thread for each of many cores, git, a few repositories and callers a daemon opens fewer. */
const plentyOfFiles = 256;

export function logSettings({ log: { level, file_bytes: fileBytes, files } }: Config): LogSettings {
  return { level, fileBytes, files };
}

/** Whoever asks for more than this machine must say who may ask. */
function refuseReachable({ http, auth }: Config, { configFile }: Places): void {
  const { host, allowed_hosts: allowedHosts } = http;
  if (!http.enabled || mayListen({ host, isAuthenticated: auth.enabled, allowedHosts })) return;
  throw new StartFailed(
    78,
    `http.host is ${host}, which others can reach: set auth.enabled and http.allowed_hosts in ${configFile}, or take a loopback address.`,
  );
}

function refuseUntrustedPlaces({ places, environment }: DaemonStart): void {
  const untrusted = untrustedPlace(places, fileSystemType(environment['SVC_FSTYPE']));
  if (untrusted === undefined) return;
  const { folder, on } = untrusted;
  throw new StartFailed(
    78,
    `${folder} lies on ${on}, where locks can't be trusted. Set SVC_HOME to a folder on a local disk.`,
  );
}

import { lstatSync, statfsSync, statSync } from 'node:fs';
import { isWritableFolder, type Places, quote } from '../../../client/paths.ts';
import { amount } from '../../../client/protocol/amount.ts';
import { closedFolder } from '../../../watch/file-system.ts';
import type { LoadedConfig } from '../../config.ts';
import { configKeys } from '../../config-schema.ts';
import { wayInto } from '../../jobs/way-in.ts';
import { type Finding, fix } from '../finding.ts';
import { removal } from '../repository-faults.ts';
import { isGone, type ServedRepository, withoutIndex } from '../served-repository.ts';
import { federationsBehind, synchronisedAnew } from './federations.ts';
import { gitCheck } from './git-check.ts';
import { hostedIndexes, mirrorsBehind } from './hosted.ts';
import { languageServersCheck } from './indexer-checks.ts';
import type { Installation } from './installation.ts';
import { found, openedAnew } from './looking.ts';
import { lockFile, logFile, tokenFile } from './own-files.ts';
import {
  daemonDatabase,
  databaseCopy,
  databaseStorage,
  failedJobs,
  fileModes,
  quarantinedFiles,
  quarantinedInputs,
} from './stored-state.ts';
import { clockCheck, descriptorsCheck, descriptorsHere } from './surroundings.ts';
import { telemetryCheck } from './telemetry-check.ts';
import { untrustedPlace } from './untrusted-place.ts';

/** Everything that holds for all repositories; of the one that is asked about, its own checks tell more. */
export async function daemonChecks(
  installation: Installation,
  asked: ServedRepository | undefined,
  now: Date,
): Promise<readonly Finding[]> {
  return [
    {
      check: 'daemon.version',
      status: 'info',
      message: `svc ${installation.version}, Node ${process.versions.node}, pid ${process.pid}`,
    },
    ...(await found('daemon.lock', () => lockFile(installation))),
    restarts(installation),
    ...(await folderModes(installation)),
    fileModes(installation.places),
    fileSystem(installation),
    diskSpace(installation.places),
    descriptorsCheck(descriptorsHere()),
    clockCheck(installation, now),
    ...(await found('token', () => tokenFile(installation))),
    ...(await found('config', () => configuration(installation))),
    ...defaultRepository(installation),
    limits(installation.config()),
    listener(installation),
    ...servedRepositories(installation),
    ...(await found('log', () => logFile(installation))),
    ...(await found('database', () => daemonDatabase(installation.database), openedAnew)),
    databaseStorage(installation.database),
    databaseCopy(installation.isCopyFailing()),
    ...(await found('quarantine', () => quarantinedFiles(installation.places))),
    ...(await found('inputs', () => quarantinedInputs(installation), openedAnew)),
    ...(await found('jobs', () => failedJobs(installation.database), openedAnew)),
    unindexed(installation.repositories),
    otherRoots(installation.repositories, asked),
    hostedIndexes(installation.repositories),
    ...(await found(
      'mirrors',
      () => mirrorsBehind(installation.repositories, installation.database.remote),
      openedAnew,
    )),
    ...(await found('federations', () => federationsBehind(installation.federations), synchronisedAnew)),
    ...(await found('git', async () => gitCheck(await installation.git()))),
    ...(await found('language-servers', async () => languageServersCheck(await installation.lspHealth()))),
    ...(await found('telemetry', () => telemetryCheck(installation.telemetry), openedAnew)),
    eventLoop(installation.loopDelayMs()),
  ];
}

function restarts({ recentDeaths, lastEnd }: Installation): Finding {
  const check = 'daemon.crashes';
  const deaths = recentDeaths();
  const badEnd = lastEnd === 'unknown' ? undefined : lastEnd;
  if (deaths === 0 && badEnd === undefined) {
    return lastEnd === undefined
      ? { check, status: 'pass', message: 'the last daemon ended in order' }
      : { check, status: 'info', message: 'how the last daemon ended is not known: daemon.db was restored' };
  }
  const last =
    badEnd === undefined
      ? []
      : [
          `the last daemon (pid ${badEnd.pid}, started ${badEnd.startedAt.toISOString()}) was killed or ended by an error; it was last heard of ${badEnd.seenAt.toISOString()}`,
        ];
  const row =
    deaths === 0 ? [] : [`the last ${amount(deaths, 'daemon')} died over a file; indexing begins later after each`];
  return {
    check,
    status: 'warn',
    message: [...last, ...row].join('; '),
    fixes: [fix('svc daemon logs', 'Find the cause in the log')],
  };
}

/** One of our places, and who may get at it. */
interface Place {
  readonly check: string;
  readonly path: string;
  readonly forbidden: number;
  readonly wanted: string;
}

/** Each of our places: its owner, and nobody else let in. */
async function folderModes({ places, socketPath }: Installation): Promise<readonly Finding[]> {
  const private_: readonly Place[] = [
    { check: 'folder.runtime', path: places.runtime, forbidden: 0o077, wanted: '700' },
    { check: 'folder.state', path: places.state, forbidden: 0o022, wanted: '700' },
    { check: 'folder.data', path: places.data, forbidden: 0o022, wanted: '700' },
    { check: 'socket', path: socketPath(), forbidden: 0o077, wanted: '600' },
    { check: 'daemon.json', path: places.daemonFile, forbidden: 0o077, wanted: '600' },
    { check: 'database.mode', path: places.daemonDb, forbidden: 0o077, wanted: '600' },
  ];
  const all = private_.map(place => found(place.check, () => modeOf(place, places.uid)));
  return (await Promise.all(all)).flat();
}

function modeOf({ check, path, forbidden, wanted }: Place, uid: number): Finding {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    return { check, status: 'fail', message: `${path} is gone`, fixes: [fix('svc daemon restart', 'Make it anew')] };
  }
  if (stats.uid !== uid) {
    const message = `${path} belongs to user ${stats.uid}: remove it, or set SVC_HOME elsewhere`;
    return { check, status: 'fail', message };
  }
  if ((stats.mode & forbidden) === 0) {
    return stats.isDirectory() && !isWritableFolder(path)
      ? { check, status: 'fail', message: `${path} can’t be written: make it writable, or set SVC_HOME` }
      : { check, status: 'pass', message: path };
  }
  return {
    check,
    status: 'fail',
    message: `${path} is open to other users (mode ${(stats.mode & 0o777).toString(8)})`,
    fixes: [fix(`chmod ${wanted} ${quote(path)}`, 'Close it to other users')],
  };
}

function fileSystem({ places, fileSystemType }: Installation): Finding {
  const untrusted = untrustedPlace(places, fileSystemType);
  return untrusted === undefined
    ? { check: 'file-system', status: 'pass', message: 'databases lie on a local file system' }
    : {
        check: 'file-system',
        status: 'fail',
        message: `${untrusted.folder} lies on ${untrusted.on}, where locks can't be trusted: set SVC_HOME to a local folder`,
      };
}

const mib = 1024 * 1024;
const littleSpace = 512 * mib;
const noSpace = 64 * mib;

function diskSpace(places: Places): Finding {
  const free = Math.min(freeBytes(places.data), freeBytes(places.state));
  const message = Number.isFinite(free) ? `${Math.floor(free / mib)} MiB free` : 'free space is unknown';
  if (free >= littleSpace) return { check: 'disk-space', status: 'pass', message };
  const status = free < noSpace ? 'fail' : 'warn';
  return { check: 'disk-space', status, message: `${message}: make room, or set SVC_HOME to a folder on another disk` };
}

/** Infinity where it can't be told. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The file as it is now: what is wrong with it would end the next start. */
function configuration({ fileState, places }: Installation): Finding {
  const check = 'config';
  const file = places.configFile;
  const { problem, remedy } = fileState();
  const mode = modeAt(file);
  const fixes = (mode & 0o022) !== 0 ? [fix(`chmod go-w ${quote(file)}`, 'Let nobody else write it')] : undefined;
  if (problem !== undefined) {
    const message = `the next start would fail until this is put right: ${problem}`;
    return { check, status: 'fail', message, ...(fixes && { fixes }) };
  }
  if (fixes !== undefined) {
    const message = `${file} can be written by others (mode ${(mode & 0o777).toString(8)})`;
    return { check, status: 'warn', message, fixes };
  }
  return remedy === undefined
    ? { check, status: 'pass', message: file }
    : { check, status: 'info', message: `${file} has changed since it was read: ${remedy}` };
}

/** 0 of what can't be looked at: whoever reads it tells why. */
function modeAt(file: string): number {
  try {
    return statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  } catch {
    return 0;
  }
}

/** A default that is not registered fails every question that names no repository. */
function defaultRepository({ config, repositories }: Installation): Finding[] {
  const { values, origins } = config();
  const name = values.default_repo;
  if (name === '' || repositories.get(name) !== undefined) return [];
  return [
    {
      check: 'config.default_repo',
      status: 'warn',
      message: `default_repo (${origins.get('default_repo')}) names ${JSON.stringify(name)}, which is not registered: questions that name no repository fail; set it to an id of svc repo list`,
    },
  ];
}

function limits({ values }: LoadedConfig): Finding {
  const all = configKeys.filter(({ path }) => path[0] === 'limits').map(({ path }) => path[1]!);
  const table = values.limits as Readonly<Record<string, number>>;
  return { check: 'limits', status: 'info', message: all.map(name => `${name} ${table[name]}`).join(', ') };
}

function listener({ listeners, config }: Installation): Finding {
  const problem = listeners.failure();
  const { http } = config().values;
  return problem === undefined
    ? {
        check: 'http.listener',
        status: 'pass',
        message: listeners.own()?.url ?? (http.enabled ? 'it is being opened' : 'switched off'),
      }
    : {
        check: 'http.listener',
        status: 'warn',
        message: `${http.host}:${http.port}: ${problem.words}`,
        fixes: problem.isTaken
          ? [fix('SVC_HTTP_PORT=0 svc daemon restart', 'Take any free port, until the next start', false)]
          : [],
      };
}

/** Said where something is wrong: an index server is off unless somebody wants one. */
function servedRepositories({ indexServers }: Installation): readonly Finding[] {
  const troubles = indexServers.troubles();
  if (troubles.length === 0) return [];
  const told = troubles.slice(0, 20).map(({ id, why }) => `${id}: ${why}`);
  const message = `repositories of the configuration that can't be served: ${told.join('; ')}; correct their [[repos]]`;
  return [{ check: 'index_server.repos', status: 'warn', message }];
}

/** As `/ready` says it. */
function unindexed(repositories: Installation['repositories']): Finding {
  const check = 'repositories.indexed';
  const waiting = withoutIndex(repositories);
  const failed = waiting.some(({ failure, progress }) => failure !== undefined && progress === undefined);
  const ids = waiting.map(({ record }) => record.id);
  return waiting.length === 0
    ? { check, status: 'pass', message: 'questions about every repository can be answered' }
    : {
        check,
        status: failed ? 'fail' : 'warn',
        message: `no index yet, so that nothing can be asked: ${ids.slice(0, 20).join(', ')}`,
        fixes: [fix('svc jobs', 'See how far the first index is, or why there is none')],
      };
}

/** Nobody asks about a repository whose folder is gone or closed. The watcher has looked: a dead mount must not hold up this thread. */
function otherRoots(repositories: Installation['repositories'], asked: ServedRepository | undefined): Finding {
  const check = 'repositories.roots';
  const gone = repositories.list().filter(repository => repository !== asked && isGone(repository));
  const told = gone.slice(0, 20).map(({ record }) => ({ ...record, closed: closedFolder(record.root) }));
  const named = told.map(({ id, root, closed }) => `${id} (${root}${closed === undefined ? '' : ', which is closed'})`);
  return gone.length === 0
    ? { check, status: 'pass', message: 'no other registered folder is gone or closed' }
    : {
        check,
        status: 'warn',
        message: `${amount(gone.length, 'registered folder is', 'registered folders are')} gone or closed: ${named.join(', ')}`,
        fixes: told.flatMap(({ id, root, closed }) =>
          closed === undefined ? [removal(id)] : wayInto(closed, root).fixes,
        ),
      };
}

function eventLoop(delayMs: number): Finding {
  const check = 'event-loop';
  const message = `delayed by ${Math.round(delayMs)} ms at the 99th percentile`;
  return delayMs > 250
    ? { check, status: 'warn', message, fixes: [fix('svc daemon status', 'See what it is at')] }
    : { check, status: 'pass', message };
}

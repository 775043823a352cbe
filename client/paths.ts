import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fault, type FaultReason } from './protocol/faults.ts';

/** What decides where things lie. The composition roots fill it from the process; tests from a table. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uid: number;
  /** The home folder as the system knows it (`homeFolder()`). */
  readonly home: string;
  /** Where short-lived things go when there is no runtime folder; `/tmp` unless a test says otherwise. */
  readonly temporary: string;
}

/** Every place outside a work tree that the service reads or writes. All paths are absolute. */
export interface Places {
  readonly uid: number;
  readonly config: string;
  readonly data: string;
  readonly state: string;
  readonly runtime: string;
  readonly temporary: string;
  readonly configFile: string;
  /** Structured log of the daemon; rotated files stand beside it. */
  readonly logFile: string;
  /** The bearer token that was made, mode 0600. */
  readonly tokenFile: string;
  /** The one that the configuration gives instead, as long as a daemon runs with it: what is kept elsewhere stays there. */
  readonly configuredTokenFile: string;
  readonly daemonDb: string;
  /** The leader's lock. Nothing but the lock itself may ever open it: closing any descriptor would drop it. */
  readonly lockFile: string;
  /** Held by the one client that is starting a daemon, so that fifty at once start one. */
  readonly startLockFile: string;
  /** Who leads and where it listens (`DaemonRecord`). */
  readonly daemonFile: string;
  /** One folder per repository, named by the hash of its id. */
  readonly repos: string;
  readonly cookies: string;
}

/** What a running daemon says of itself in `daemon.json`. */
export interface DaemonRecord {
  readonly pid: number;
  /** Start of the process in clock ticks since boot (`/proc/<pid>/stat`, field 22); 0 where the system has no such number. */
  readonly startTicks: number;
  readonly host: string;
  readonly version: string;
  readonly build: string;
  readonly protocol: number;
  readonly socket: string;
  /** The daemon's own HTTP listener; null when none is open. */
  readonly url: string | null;
  /** Holds the token in force. */
  readonly tokenFile: string;
}

/** The longest path that a Unix socket takes on every system: macOS has 104 bytes with the final NUL. Longer ones are silently cut by the runtime. */
export const longestSocketPath = 103;

/**
 * The folders by XDG's rules; `SVC_HOME` puts all four under one. Creates nothing.
 * Throws `unsafeOwner` where a folder of the environment can't be trusted, `invalidParameter` for a relative `SVC_HOME`.
 */
export function placesOf(surroundings: Surroundings): Places {
  const { config, data, state, runtime } = foldersOf(surroundings);
  return {
    uid: surroundings.uid,
    config,
    data,
    state,
    runtime,
    temporary: surroundings.temporary,
    configFile: join(config, 'config.toml'),
    logFile: join(state, 'svc.log'),
    tokenFile: join(state, 'token'),
    configuredTokenFile: join(runtime, 'configured-token'),
    daemonDb: join(state, 'daemon.db'),
    lockFile: join(state, 'lock.db'),
    startLockFile: join(runtime, 'start.lock'),
    daemonFile: join(runtime, 'daemon.json'),
    repos: join(data, 'repos'),
    cookies: join(runtime, 'cookies'),
  };
}

function foldersOf({ env, uid, home, temporary }: Surroundings) {
  const together = env['SVC_HOME'];
  if (together !== undefined && together !== '') {
    if (!isAbsolute(together)) throw new Fault('invalidParameter', 'SVC_HOME must be an absolute path');
    return {
      config: join(together, 'config'),
      data: join(together, 'data'),
      state: join(together, 'state'),
      runtime: join(together, 'runtime'),
    };
  }
  // XDG: a relative path is to be ignored.
  const xdg = (name: string, fallback: string) => {
    const value = env[name];
    if (value !== undefined && isAbsolute(value)) return join(value, 'svc');
    if (!isAbsolute(home)) throw unsafe(`there is no home folder (HOME is ${JSON.stringify(home)})`, 'set HOME');
    return join(home, fallback, 'svc');
  };
  return {
    config: xdg('XDG_CONFIG_HOME', '.config'),
    data: xdg('XDG_DATA_HOME', '.local/share'),
    state: xdg('XDG_STATE_HOME', '.local/state'),
    runtime: runtimeFolder(env['XDG_RUNTIME_DIR'], uid, temporary),
  };
}

/** `$XDG_RUNTIME_DIR/svc` where that can be had, else `/tmp/svc-<uid>`. Both sides of the socket come to the same answer. */
function runtimeFolder(given: string | undefined, uid: number, temporary: string): string {
  const fallback = join(temporary, `svc-${uid}`);
  if (given === undefined || !isAbsolute(given)) return fallback;
  const ours = join(given, 'svc');
  if (exists(ours)) return ours;
  return isWritableFolder(given) ? ours : fallback;
}

/**
 * Makes the data, state and runtime folders, private to the user whatever the umask, and checks those that are there.
 * Throws `unsafeOwner` (exit 77) naming the folder and the fix.
 */
export function prepareFolders(places: Places): void {
  for (const folder of [places.state, places.data]) {
    makePrivate(folder);
    assertOwn(folder, places.uid, 0o022);
    assertWritable(folder);
    keepOutOfTrees(folder);
  }
  prepareRuntime(places);
}

/** The runtime folder alone, for a daemon whose own was taken away. */
export function prepareRuntime(places: Places): void {
  makePrivate(places.runtime);
  assertSafeParent(dirname(places.runtime), places.uid);
  assertOwn(places.runtime, places.uid, 0o077);
  assertWritable(places.runtime);
  keepOutOfTrees(places.runtime);
}

/** What we write is nobody's source: where the home folder itself is indexed, each publication would bring about the next. */
function keepOutOfTrees(folder: string): void {
  try {
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 });
  } catch {
    // It is there, or nothing can be written here, which those tell who have more to write.
  }
}

/** A folder in which we may make files, on a file system that takes them. */
export function isWritableFolder(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** A file or socket of ours: not a symlink, our uid, closed to everybody else. Throws `unsafeOwner`. */
export function assertPrivateFile(path: string, uid: number, kind: 'file' | 'socket'): void {
  const stats = lstatSync(path);
  const fits = kind === 'socket' ? stats.isSocket() : stats.isFile();
  if (!fits) throw unsafe(`${path} is not a ${kind}`, `remove it: ${removalOf(path)}`);
  assertOwner(path, stats, uid, 0o077);
}

/** A folder of ours: not a symlink, our uid, none of the `forbidden` mode bits. Throws `unsafeOwner`. */
export function assertOwn(folder: string, uid: number, forbidden: number): void {
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw unsafe(`${folder} is not a folder`, `remove it: rm ${quote(folder)}`);
  assertOwner(folder, stats, uid, forbidden);
}

function assertOwner(path: string, stats: Stats, uid: number, forbidden: number): void {
  if (stats.uid !== uid) {
    throw unsafe(`${path} belongs to user ${stats.uid}, not to you (${uid})`, `remove it, or set SVC_HOME elsewhere`);
  }
  if ((stats.mode & forbidden) !== 0) {
    const mode = (stats.mode & 0o777).toString(8).padStart(3, '0');
    const wanted = stats.isDirectory() ? '700' : '600';
    throw unsafe(`${path} is open to other users (mode ${mode})`, `close it: chmod ${wanted} ${quote(path)}`);
  }
}

/** Whoever may rename in the folder above could swap ours: it must be ours or root's, and closed or sticky. */
function assertSafeParent(folder: string, uid: number): void {
  const stats = statSync(folder);
  if (stats.uid !== uid && stats.uid !== 0) {
    throw unsafe(
      `${folder} belongs to user ${stats.uid}, not to you (${uid})`,
      'unset XDG_RUNTIME_DIR, or set SVC_HOME',
    );
  }
  if ((stats.mode & 0o022) !== 0 && (stats.mode & 0o1000) === 0) {
    throw unsafe(`${folder} lets other users replace what is in it`, `close it: chmod go-w ${quote(folder)}`);
  }
}

/** Whether of a file system that takes no writing, or without the permission. */
function assertWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unsafe(`${folder} can't be written (${errorCode(error)})`, 'make it writable, or set SVC_HOME', error);
  }
}

/** Makes a folder 0700 if it is not there, and those above it; what is there stays as it is, to be checked. */
function makePrivate(folder: string): void {
  if (exists(folder)) return;
  // Not `recursive`: where making one is answered by ENOENT, as in /proc, Node.js would try for ever.
  makePrivate(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
    // A umask may have taken bits away that we need ourselves.
    chmodSync(folder, 0o700);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return;
    if (code === 'ENOTDIR') throw new Fault('misconfigured', `${folder} can't be made: ${dirname(folder)} is a file`);
    throw unsafe(
      `${folder} can't be made (${code})`,
      `make ${quote(dirname(folder))} writable, or set SVC_HOME`,
      error,
    );
  }
}

/**
 * Where a socket of this name lies: in the runtime folder, or, when that path is too long for the system, in a short folder
 * named by the runtime folder's hash. The folder is made and checked. Throws `unsafeOwner`.
 */
export function socketPath(places: Places, name: string): string {
  const wanted = join(places.runtime, name);
  if (Buffer.byteLength(wanted) <= longestSocketPath) return wanted;
  const folder = shortFolder(places);
  makePrivate(folder);
  assertSafeParent(places.temporary, places.uid);
  assertOwn(folder, places.uid, 0o077);
  const short = join(folder, name);
  if (Buffer.byteLength(short) <= longestSocketPath) return short;
  throw unsafe(`no short enough path for a socket below ${places.temporary}`, 'set SVC_HOME to a short path');
}

/** By the runtime folder's real path: whichever links lead to it, both sides of the socket come to the same answer. */
function shortFolder({ temporary, uid, runtime }: Places): string {
  // Loaded here and not above: it takes longer than the rest of a command's start, and few paths are too long.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hash = createHash('sha256').update(realPathOf(runtime)).digest('hex').slice(0, 16);
  return join(temporary, `svc-${uid}-${hash}`);
}

/** Whether a socket lies where those of this home do. In the copy of a home the record that came along names the other's. */
function isOfThisHome(places: Places, socket: string): boolean {
  const folder = dirname(socket);
  if (folder === places.runtime) return true;
  const real = realPathOf(folder);
  return real === realPathOf(places.runtime) || real === realPathOf(shortFolder(places));
}

/** What can't be looked at is where it is said to be. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * The running daemon as `daemon.json` names it; undefined when there is none, when the file is damaged (a daemon writes it
 * anew), or when it names the daemon of another home.
 */
export function readDaemonRecord(places: Places): DaemonRecord | undefined {
  let text: string;
  try {
    assertPrivateFile(places.daemonFile, places.uid, 'file');
    text = readFileSync(places.daemonFile, 'utf8');
  } catch (error) {
    if (error instanceof Fault) throw error;
    return undefined;
  }
  try {
    const record = parseDaemonRecord(JSON.parse(text));
    return record !== undefined && isOfThisHome(places, record.socket) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** The record in foreign bytes, field by field; undefined when one is missing or of the wrong kind. */
function parseDaemonRecord(value: unknown): DaemonRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, startTicks, host, version, build, protocol, socket, url, tokenFile } = value as Record<string, unknown>;
  if (!isCount(pid) || pid === 0 || !isCount(startTicks) || !isCount(protocol)) return undefined;
  if (typeof host !== 'string' || typeof version !== 'string' || typeof build !== 'string') return undefined;
  if (typeof socket !== 'string' || !isAbsolute(socket) || typeof tokenFile !== 'string') return undefined;
  if (url !== null && typeof url !== 'string') return undefined;
  return { pid, startTicks, host, version, build, protocol, socket, url, tokenFile };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** What can't be looked at is not there for us; whoever makes it or opens it learns why. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Version of this package, which client and daemon share; `SVC_FAKE_VERSION` lets tests play another one. */
export function packageVersion(env: Surroundings['env']): string {
  const fake = env['SVC_FAKE_VERSION'];
  if (fake !== undefined && fake !== '') return fake;
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!exists(join(folder, 'package.json'))) folder = dirname(folder);
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Whether a process of this number lives: one that has ended and waits for its parent to take note does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false;
  }
  return statOf(pid)?.[0] !== 'Z';
}

/** Start of a process in clock ticks since boot: with the pid it names one process for good. 0 where there is no `/proc`. */
export function startTicksOf(pid: number): number {
  return Number(statOf(pid)?.[19] ?? 0);
}

/** The fields of `/proc/<pid>/stat` after the program's name, which stands in brackets and may hold anything, brackets included. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** The nearest folder around a path, itself included, that is the root of a git work tree. */
export function gitRoot(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** A path as a POSIX shell takes it literally. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The command that takes away what stands at a path. */
export function removalOf(path: string): string {
  const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return `rm ${isFolder ? '-r ' : ''}${quote(path)}`;
}

/** A path or a name as the last argument of a command, which must not take it for an option. */
export function operand(text: string): string {
  return text.startsWith('-') ? `-- ${quote(text)}` : quote(text);
}

function unsafe(problem: string, fix: string, cause?: unknown): Fault {
  const reason: FaultReason = 'unsafeOwner';
  return new Fault(reason, `${problem}; ${fix}`, cause === undefined ? {} : { cause });
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}

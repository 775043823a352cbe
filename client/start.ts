import { spawn } from 'node:child_process';
import { closeSync, constants, existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { leaderOf } from './leader.ts';
import { fileLimits, leastFiles } from './open-files.ts';
import { openOwnFile, readOwnFile } from './own-file.ts';
import { isAlive, type Places, prepareFolders, quote, startTicksOf } from './paths.ts';
import { Fault, type FaultExtras, type FaultReason, faultTable, type SuggestedFix } from './protocol/faults.ts';

/** Folders that a daemon started here must have; the daemon's process must not pin the folder of whoever called. */
export interface Starting {
  readonly places: Places;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Program and arguments of `svc daemon run --detached`. */
  readonly argv: readonly string[];
  /** True as soon as a daemon answers. */
  readonly isUp: () => Promise<boolean>;
  /** How long it may take. */
  readonly reachMs: number;
}

/**
 * Returns when a daemon answers. Of all clients that find none, the holder of the start lock starts one; the others wait
 * for it, and take the lock over should its holder die or freeze. (Two holders at once do no harm: the daemon's own lock
 * lets one lead.) While a daemon leads that can't be found, it is waited for and no other is started: it mends its way, or
 * leaves. Throws `unreachable`, naming the log and the cause, when the daemon gives up or the deadline passes, and `busy`
 * where one leads that does not answer.
 */
export async function startDaemon(starting: Starting): Promise<void> {
  prepareFolders(starting.places);
  const { startLockFile } = starting.places;
  const isFrozen = holdsTooLong();
  const deadline = AbortSignal.timeout(starting.reachMs);
  const sinceMs = performance.now();
  for (;;) {
    if (await starting.isUp()) return;
    if (deadline.aborted) throw tooLate(starting);
    if (!takeLock(startLockFile, isFrozen)) {
      // Many that ask without a pause would hold up the very start that they wait for.
      await pause(Math.min(waitMs + (performance.now() - sinceMs) / 10, longestWaitMs));
      continue;
    }
    try {
      // Whoever held the lock before us may have just finished.
      if (await starting.isUp()) return;
      return await launch(starting, deadline);
    } finally {
      removeLock(startLockFile);
    }
  }
}

/** How often a waiting client looks again; who waits for another's start looks ever more seldom. */
const waitMs = 25;
const longestWaitMs = 200;

async function launch(starting: Starting, deadline: AbortSignal): Promise<void> {
  const { places, isUp } = starting;
  let child = spawnDaemon(starting);
  while (!(await isUp())) {
    if (deadline.aborted) throw tooLate(starting);
    await pause(waitMs);
    const ending = child.ending();
    if (ending === undefined) continue;
    if (ending.kind === 'failed') throw gaveUp(places, ending);
    // It left because another one leads, or somebody killed it.
    if (leaderOf(places) !== undefined) continue;
    await pause(4 * waitMs);
    child = spawnDaemon(starting);
  }
}

type Ending =
  | { readonly kind: 'left' | 'killed' }
  /** `code` is undefined for a program that can't be run at all. */
  | { readonly kind: 'failed'; readonly code: number | undefined; readonly words: string };
type Failure = Extract<Ending, { kind: 'failed' }>;

function spawnDaemon({ places, env, argv }: Starting): { ending(): Ending | undefined } {
  const errors = openOwnFile(startErrors(places), constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC);
  let ending: Ending | undefined;
  const child = spawn('/bin/sh', ['-c', withoutCore, ...argv], {
    cwd: '/',
    env: { ...frugal, ...env },
    detached: true,
    stdio: ['ignore', 'ignore', errors],
  });
  closeSync(errors);
  child.on('error', error => {
    ending = { kind: 'failed', code: undefined, words: error.message };
  });
  child.on('exit', code => {
    if (code === null) ending = { kind: 'killed' };
    else ending = code === 0 ? { kind: 'left' } : { kind: 'failed', code, words: `it ended with code ${code}` };
  });
  child.unref();
  return { ending: () => ending };
}

/** A core file would hold the token and other people's code; Node itself has no way to ask for none. */
const withoutCore = 'ulimit -c 0; exec "$0" "$@"';

/**
 * glibc gives each thread an arena of its own, and those of threads that have ended stay as they were at their fullest; and
 * it takes what was once freed in large pieces for a reason to keep more. One arena, and bounds that don't move.
 */
const frugal = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };

/** What the daemon wrote to stderr before its log was open. */
function startErrors(places: Places): string {
  return join(places.state, 'start.log');
}

function gaveUp(places: Places, { code, words }: Failure): Fault {
  const few = fewFiles();
  const cause = few ?? causeIn(places)?.replace(/^svc: /, '') ?? fullDisk(places) ?? words;
  const reason = few === undefined ? reasonOfExit(code) : 'unreachable';
  const { words: log, remedy } = whereItSays(places);
  return new Fault(reason, `The daemon did not start: ${cause}\n${log}`, reason === 'unreachable' ? remedy : {});
}

/** A daemon that can't start says why by its exit code, and `svc` ends with the same. */
function reasonOfExit(code: number | undefined): FaultReason {
  if (code === faultTable.misconfigured.exit) return 'misconfigured';
  if (code === faultTable.unsafeOwner.exit) return 'unsafeOwner';
  return code === faultTable.busy.exit ? 'busy' : 'unreachable';
}

function tooLate({ places, reachMs }: Starting): Fault {
  const leader = leaderOf(places);
  if (leader !== undefined) return unanswering(leader);
  const cause = causeIn(places) ?? fullDisk(places) ?? 'it does not answer';
  const { words, remedy } = whereItSays(places);
  return new Fault('unreachable', `No daemon within ${reachMs / 1000} s: ${cause}\n${words}`, remedy);
}

/** Nothing failed, so that no log tells why. */
export function notRunning(): Fault {
  const start = { type: 'run-command', command: 'svc daemon start', safe: true, description: 'Start it' };
  return new Fault('unreachable', 'No daemon is running', { suggestedFixes: [start] });
}

/** A daemon leads and can't be reached, by nobody's choice but its own. */
export function unanswering(leader: number): Fault {
  const advice = `if it stays so, end it: kill ${leader}`;
  return new Fault('busy', `The daemon (pid ${leader}) lives and can't be reached; ${advice}`);
}

/** The line that tells the cause: an error's message where there is a stack, else the last line. */
function causeIn(places: Places): string | undefined {
  const lines = readText(startErrors(places))
    .split('\n')
    .filter(line => line.trim() !== '');
  return lines.find(line => /^(\w*Error\b|svc:)/.test(line)) ?? lines.at(-1);
}

/** Where there is no room, not even the cause could be written down. */
function fullDisk({ state }: Places): string | undefined {
  const { bavail } = statfsSync(state);
  return bavail === 0 ? noRoom(state) : undefined;
}

function noRoom(folder: string): string {
  return `the disk of ${folder} is full: make room there, or set SVC_HOME to a folder on another disk`;
}

/** What to read; the log of who could write none has nothing to show. */
function whereItSays(places: Places): { readonly words: string; readonly remedy: FaultExtras } {
  const errors = quote(startErrors(places));
  const isLogged = existsSync(places.logFile) && readText(startErrors(places)) === '';
  const words = `Its log: ${isLogged ? quote(places.logFile) : errors}`;
  if (fullDisk(places) !== undefined) return { words, remedy: { suggestedFixes: [lookForRoom(places.state)] } };
  const read = { type: 'run-command', command: `cat ${errors}`, safe: true, description: 'See all that it said' };
  return { words, remedy: isLogged ? {} : { suggestedFixes: [read] } };
}

function lookForRoom(folder: string): SuggestedFix {
  return { type: 'run-command', command: `df -h ${quote(folder)}`, safe: true, description: 'See what room there is' };
}

/** Where too few may be open, Node.js says of some module that it is not there. It raises the limit to the hard one itself. */
function fewFiles(): string | undefined {
  const { hard } = fileLimits() ?? { hard: leastFiles };
  if (hard >= leastFiles) return undefined;
  return `only ${hard} files may be open at once (ulimit -n), and it needs ${leastFiles}`;
}

/** True when the lock is ours now. One whose holder no longer lives, or is frozen, is removed, to be tried for again. */
function takeLock(file: string, isFrozen: (holder: string) => boolean): boolean {
  try {
    writeFileSync(file, `${process.pid} ${startTicksOf(process.pid)}`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      // On a full disk it is made and can't be written.
      removeLock(file);
      throw unlockable(dirname(file), error as NodeJS.ErrnoException);
    }
    const holder = readText(file);
    if (isGone(holder) || isFrozen(holder)) removeLock(file);
    return false;
  }
}

function unlockable(folder: string, { code, message }: NodeJS.ErrnoException): Fault {
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const remedy = isFull ? { suggestedFixes: [lookForRoom(folder)] } : {};
  return new Fault('unreachable', `No daemon can be started: ${isFull ? noRoom(folder) : message}`, remedy);
}

/** Whether somebody starts a daemon at this moment. */
export function isStarting({ startLockFile }: Places): boolean {
  const holder = readText(startLockFile);
  return holder !== '' && !isGone(holder);
}

/** By number and start: a number may have passed to another process. An empty lock's holder writes in a moment, or died before. */
function isGone(holder: string): boolean {
  if (holder === '') return false;
  const [pid = 0, startTicks] = holder.split(' ').map(Number);
  return !Number.isSafeInteger(pid) || pid <= 0 || !isAlive(pid) || startTicksOf(pid) !== startTicks;
}

/** Tells a holder that has been seen for so long that a start would be over, or would have failed. */
function holdsTooLong(): (holder: string) => boolean {
  let seen: string | undefined;
  let sinceMs = 0;
  return holder => {
    if (holder !== seen) sinceMs = performance.now();
    seen = holder;
    return performance.now() - sinceMs > (holder === '' ? emptyLockMs : frozenMs);
  };
}

const emptyLockMs = 500;
const frozenMs = 4000;

/** Whatever lies there, it is in our own folder. */
function removeLock(file: string): void {
  rmSync(file, { force: true, recursive: true });
}

function readText(file: string): string {
  try {
    return readOwnFile(file);
  } catch {
    return '';
  }
}

/** Timers keep the process alive here on purpose: somebody waits for the answer. */
export function pause(ms: number): Promise<void> {
  return new Promise(resolve => void setTimeout(resolve, ms));
}

import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertPrivateFile, isAlive, quote, readDaemonRecord, startTicksOf } from '../client/paths.ts';
import { Fault } from '../client/protocol/faults.ts';
import { protocolNumber } from '../client/socket.ts';
import { notRunning, pause } from '../client/start.ts';
import { UsageError } from './commands.ts';
import { writeText, writeTold } from './render.ts';
import { openSocket, type Session } from './session.ts';

/** A leaving daemon has ten seconds to finish what is under way; a little more until its process is gone. */
const stopMs = 12_000;

/** Returns when the daemon can be reached in each way that it will. */
export async function startCommand(session: Session): Promise<void> {
  const { pid, version } = await statusOfRunning(session);
  writeTold(session, { pid, version }, `daemon ${version} runs (pid ${pid})`);
}

/** Asks the daemon to drain and waits until its process has gone. None running is as asked for. */
export async function stopCommand(session: Session): Promise<void> {
  const pid = await stopRunning(session);
  if (pid === undefined) writeTold(session, { pid: null, status: 'not running' }, 'no daemon is running');
  else writeTold(session, { pid, status: 'stopped' }, `daemon stopped (pid ${pid})`);
}

/** A configuration that can't be used leaves the daemon that runs alone. */
export async function restartCommand(session: Session): Promise<void> {
  if (!session.mayStart) throw new UsageError('--no-autostart: a restart starts a daemon');
  const { assertConfigured } = await import('./daemon.ts');
  assertConfigured(session.places, session.env);
  await stopRunning(session);
  await startCommand(session);
}

async function stopRunning(session: Session): Promise<number | undefined> {
  const caller = openSocket(session, 'never');
  try {
    const { pid } = await caller.call('daemon.stop', {}, { signal: session.signal });
    // A number that is taken again is another process.
    const startTicks = startTicksOf(pid);
    const until = performance.now() + stopMs;
    while (isAlive(pid) && startTicksOf(pid) === startTicks) {
      if (performance.now() > until) throw new Fault('busy', `The daemon (pid ${pid}) has not gone after 12 s`);
      await pause(20);
    }
    return pid;
  } catch (error) {
    if (error instanceof Fault && error.reason === 'unreachable') return undefined;
    throw error;
  } finally {
    await caller.close();
  }
}

/** Prints the token and nothing else: the one in force, so that a daemon is started where none runs. */
export async function tokenCommand(session: Session): Promise<void> {
  const { places } = session;
  let record = readDaemonRecord(places);
  if (record === undefined || !isAlive(record.pid) || startTicksOf(record.pid) !== record.startTicks) {
    await statusOfRunning(session);
    record = readDaemonRecord(places);
  }
  if (record === undefined) throw notRunning();
  writeText(session, 'token', readToken(record.tokenFile, places.uid));
}

/** The token in the file that `daemon.json` names. */
export function readToken(file: string, uid: number): string {
  if (!existsSync(file)) {
    throw new Fault('misconfigured', `${file} was removed: svc daemon restart makes another token`);
  }
  assertPrivateFile(file, uid, 'file');
  return readFileSync(file, 'utf8').trim();
}

/** Where the daemon is reached, as lines that a shell can evaluate. Secrets are named by their file. */
export function envCommand(session: Session): void {
  const record = readDaemonRecord(session.places);
  if (record === undefined) throw notRunning();
  const variables = { SVC_SOCKET: record.socket, SVC_URL: record.url ?? '', SVC_TOKEN_FILE: record.tokenFile };
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quote(value)}`);
  writeTold(session, variables, lines.join('\n'));
}

/**
 * The last lines of the log, one JSON object each, or all of them in one document; `follow` goes on until interrupted, across
 * rotations.
 */
export async function logsCommand(
  session: Session,
  { lines, follow }: { lines: number; follow: boolean },
): Promise<void> {
  if (follow && session.format === 'json') {
    throw new UsageError('--json: one document has an end; with --follow each line is one as it is');
  }
  const { logFile } = session.places;
  if (!existsSync(logFile)) throw new Fault('fileNotFound', `There is no log yet (${logFile})`);
  const tail = tailOf(logFile);
  const last = lines === 0 ? [] : tail.lines.slice(-lines);
  if (session.format === 'json') writeTold(session, { file: logFile, lines: last.map(parsedLine) }, '');
  else session.terminal.out(last.map(line => `${line}\n`).join(''));
  if (follow) await followLog(session, logFile, tail);
}

/** A daemon that was killed may have left half a line. */
function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

/** Enough for any tail that people read; a log file may be larger. */
const tailBytes = 4 * 1024 * 1024;

interface Tail {
  /** Whole lines. */
  readonly lines: readonly string[];
  /** The file that they stand in, and where in it they end. */
  readonly inode: number;
  readonly end: number;
}

function tailOf(file: string): Tail {
  const { ino, size } = statSync(file);
  const from = Math.max(0, size - tailBytes);
  const bytes = readFrom(file, from, size - from);
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  const lines = whole
    .toString('utf8')
    .split('\n')
    .slice(from === 0 ? 0 : 1, -1);
  return { lines, inode: ino, end: from + whole.length };
}

async function followLog({ signal, terminal }: Session, file: string, { inode, end }: Tail): Promise<void> {
  let ino = inode;
  let at = end;
  while (!signal.aborted) {
    await pause(200);
    const now = statSync(file, { throwIfNoEntry: false });
    if (now === undefined) continue;
    if (now.ino !== ino || now.size < at) at = 0;
    ino = now.ino;
    const bytes = readFrom(file, at, now.size - at);
    at += bytes.length;
    terminal.out(bytes.toString('utf8'));
  }
  throw new Fault('cancelled', 'Interrupted');
}

function readFrom(file: string, from: number, length: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(Math.min(length, tailBytes));
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from));
  } finally {
    closeSync(descriptor);
  }
}

/** The daemon itself, in this process. Resolves with its exit code. */
export async function runCommand(detached: boolean): Promise<number> {
  const { runDaemon } = await import('./daemon.ts');
  return runDaemon({ detached });
}

/** This command's version, the protocol's, and the running daemon's, if one runs; none is started for the asking. */
export async function versionCommand(session: Session): Promise<void> {
  const caller = openSocket(session, 'never');
  const server = await caller.server().catch(() => undefined);
  await caller.close();
  const daemon = server === undefined ? null : { version: server.version, pid: server.pid ?? null };
  const running = daemon === null ? 'none is running' : `${daemon.version} (pid ${daemon.pid})`;
  const versions = { version: session.version, protocol: protocolNumber, daemon };
  writeTold(session, versions, `svc ${session.version}\nprotocol ${protocolNumber}\ndaemon ${running}`);
}

/** The commented example configuration, as shipped. */
export function exampleCommand(session: Session): void {
  let folder = fileURLToPath(new URL('.', import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = join(folder, '..');
  writeText(session, 'toml', readFileSync(join(folder, 'config.example.toml'), 'utf8'));
}

async function statusOfRunning(session: Session): Promise<{ readonly pid: number; readonly version: string }> {
  const caller = openSocket(session);
  try {
    return await caller.call('daemon.status', {}, { signal: session.signal });
  } finally {
    await caller.close();
  }
}

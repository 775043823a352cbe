import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMadeToken } from '../client/own-file.ts';
import { assertPrivateFile, isAlive, type Places, quote, readDaemonRecord, startTicksOf } from '../client/paths.ts';
import { Fault } from '../client/protocol/faults.ts';
import type { OutputOf } from '../client/protocol/operation.ts';
import type { Operations } from '../client/protocol/registry.ts';
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
  writeText(session, 'token', readToken(places, record.tokenFile));
}

/** The token in the file that `daemon.json` names. */
export function readToken(places: Places, file: string): string {
  if (!existsSync(file)) {
    throw new Fault('misconfigured', `${file} was removed: svc daemon restart makes another token`);
  }
  assertPrivateFile(file, places.uid, 'file');
  return file === places.tokenFile ? readMadeToken(places) : readFileSync(file, 'utf8').trim();
}

/**
 * Where the daemon is reached, as lines that a shell can evaluate. Secrets are named by their file. The record is written before
 * HTTP is open: where it has no address the daemon is asked, which answers once it knows whether there will be one.
 */
export async function envCommand(session: Session): Promise<void> {
  let record = readDaemonRecord(session.places);
  if (record?.url === null) {
    const { httpProblem } = await statusOfRunning(session, 'never');
    record = readDaemonRecord(session.places);
    if (record?.url === null)
      session.terminal.err(`svc: SVC_URL is empty: ${httpProblem ?? 'HTTP is switched off (http.enabled)'}\n`);
  }
  if (record === undefined) throw notRunning();
  const variables = { SVC_SOCKET: record.socket, SVC_URL: record.url ?? '', SVC_TOKEN_FILE: record.tokenFile };
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quote(value)}`);
  writeTold(session, variables, lines.join('\n'));
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

async function statusOfRunning(session: Session, start?: 'never'): Promise<OutputOf<Operations['daemon.status']>> {
  const caller = openSocket(session, start);
  try {
    return await caller.call('daemon.status', {}, { signal: session.signal });
  } finally {
    await caller.close();
  }
}

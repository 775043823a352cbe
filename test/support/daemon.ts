import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '../../client/client.ts';
import { type DaemonRecord, type Places, placesOf, readDaemonRecord } from '../../client/paths.ts';
import { type SocketCaller, socketCaller } from '../../client/socket.ts';
import { clearHome } from './clear-home.ts';
import type { Cleanup } from './repository.ts';

/** The built command line, the one that users run. */
export const svcProgram = fileURLToPath(new URL('../../cli/main.js', import.meta.url));

/**
 * Node.js for a process that lives for seconds: an optimising compiler and threads that collect garbage cost more than they
 * bring.
 */
export const briefNode: readonly string[] = [
  process.execPath,
  ...['--no-opt', '--liftoff-only', '--no-sparkplug', '--single-threaded-gc', '--min-semi-space-size=16'],
];
/** Program and arguments of a daemon that computes as fast as users have it. */
export const compiledDaemon: readonly string[] = [process.execPath, svcProgram, 'daemon', 'run'];
const isLong = process.argv[1]?.endsWith('.long.js') === true;
/** Those of a daemon for a test; in the long run it has much to do. */
export const daemonCommand: readonly string[] = isLong ? compiledDaemon : [...briefNode, svcProgram, 'daemon', 'run'];

/**
 * How long a test waits for what must come. It ends a hang and measures nothing: that a process has little of a machine on
 * which much runs is no fault of its own.
 */
export const patienceMs = 240_000;

/** The environment of daemons and their clients: what this machine has installed does not run beside every test. */
export const quiet = {
  SVC_INDEX_USE_INDEXERS: '',
  SVC_LSP_ENABLED: 'false',
  SVC_PATIENCE_SECONDS: String(patienceMs / 1000),
} as const;

/** The same home for clients that wait no longer for a daemon than so many seconds. */
export function impatient(home: Home, seconds: number): Home {
  return { ...home, env: { ...home.env, SVC_PATIENCE_SECONDS: String(seconds) } };
}

/** A home of its own for a daemon and its clients: four folders below one, gone after the test. */
export interface Home {
  readonly path: string;
  readonly places: Places;
  readonly env: NodeJS.ProcessEnv;
  /** Writes `config.toml`. */
  configure(toml: string): void;
  /** The lines of the daemon's log, parsed. */
  log(): readonly Readonly<Record<string, unknown>>[];
}

export interface TestDaemon {
  readonly home: Home;
  readonly process: ChildProcess;
  readonly record: DaemonRecord;
  readonly caller: SocketCaller;
  readonly client: Client;
  /** A connection of one's own, for bytes that no client would send. */
  connect(): Promise<Socket>;
  /** Resolves with the exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Asks it to leave and waits until it has gone. */
  stop(): Promise<number | NodeJS.Signals>;
}

export function temporaryHome(test: Cleanup, env: NodeJS.ProcessEnv = {}, parent = tmpdir()): Home {
  // Short, for the socket's path has 103 bytes at most.
  const path = mkdtempSync(join(parent, 'svc-'));
  const all = { ...withoutOurs(process.env), SVC_HOME: path, SVC_HTTP_PORT: '0', ...quiet, ...env };
  const places = placesOf({ env: all, uid: process.getuid?.() ?? 0, home: path, temporary: '/tmp' });
  test.after(() => clearHome(path, places));
  return {
    path,
    places,
    env: all,
    configure(toml) {
      mkdirSync(places.config, { recursive: true });
      writeFileSync(places.configFile, toml);
    },
    log: () =>
      readFileSync(places.logFile, 'utf8')
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as Record<string, unknown>),
  };
}

/**
 * Starts a real daemon process in a home of its own; it is ended with the test. `through` is a program with its arguments
 * that becomes the daemon, or runs beside it.
 */
export async function startDaemon(
  test: Cleanup,
  home: Home = temporaryHome(test),
  through: readonly string[] = [],
  command: readonly string[] = daemonCommand,
): Promise<TestDaemon> {
  const [program, ...words] = [...through, ...command];
  const child = spawn(program!, words, {
    env: home.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4096);
  });
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  test.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  await until('the daemon announces itself', () => {
    if (hasEnded) throw new Error(`the daemon ended at once: ${errors}`);
    return readDaemonRecord(home.places)?.pid === child.pid;
  });
  const record = readDaemonRecord(home.places)!;
  const caller = callerIn(home);
  test.after(() => caller.close());
  return {
    home,
    process: child,
    record,
    caller,
    client: createClient(caller),
    ended,
    async connect() {
      const socket = connect(record.socket);
      await once(socket, 'connect');
      test.after(() => socket.destroy());
      return socket;
    },
    async stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Registers a repository, and removes it with the test: the daemon is another's, too. */
export function addRepo(
  test: Cleanup,
  { client }: Pick<TestDaemon, 'client'>,
  repo: { readonly root: string; readonly id: string },
): ReturnType<Client['daemon']['addRepo']> {
  test.after(() => client.daemon.removeRepo({ id: repo.id }).catch(() => {}));
  return client.daemon.addRepo(repo);
}

/** A client of the home's daemon; `start` lets it start one, by that command. */
export function callerIn(
  home: Pick<Home, 'places' | 'env'>,
  start: 'never' | 'may-start' = 'never',
  command: readonly string[] = daemonCommand,
): SocketCaller {
  return socketCaller({
    places: home.places,
    env: home.env,
    client: 'test',
    version: '0.1.0',
    start: start === 'never' ? { kind: 'never' } : { kind: 'command', argv: [...command, '--detached'] },
    isRepeatable: name => !name.startsWith('daemon.'),
  });
}

export interface CommandResult {
  readonly code: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `svc` as a user would; `through` is a program with its arguments that runs it. */
export async function svc(
  home: Home,
  args: readonly string[],
  folder?: string,
  through: readonly string[] = [],
): Promise<CommandResult> {
  const [program = process.execPath, ...words] = [...through, process.execPath, svcProgram, ...args];
  const child = spawn(program, words, {
    env: home.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(folder === undefined ? {} : { cwd: folder }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code: code ?? signal!, stdout, stderr };
}

/** What was waited for has not come in the time that it was given. */
export class WaitedInVain extends Error {}

/**
 * Waits until something holds; says what was waited for when it does not come. Who has waited for long asks seldom, so
 * that asking is not what takes the time.
 */
export async function until(
  what: string,
  holds: () => unknown | Promise<unknown>,
  deadlineMs = patienceMs,
): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    const askedMs = performance.now();
    if (await holds()) return;
    const nowMs = performance.now();
    const waitedMs = nowMs - startedMs;
    if (waitedMs > deadlineMs) throw new WaitedInVain(`waited ${deadlineMs} ms in vain: ${what}`);
    const pauseMs = Math.max(Math.min(5 + waitedMs / 10, 100), Math.min(3 * (nowMs - askedMs), 500));
    await new Promise(resolve => setTimeout(resolve, pauseMs));
  }
}

/** More certificates than Node.js has would be read at each start: 85 ms of CPU, for connections that no test makes. */
const costly = 'NODE_EXTRA_CA_CERTS';

function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('SVC_') && !name.startsWith('XDG_') && name !== costly),
  );
}

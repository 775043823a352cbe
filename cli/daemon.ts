import { createHash } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { leaderOf } from '../client/leader.ts';
import { type Places, packageVersion } from '../client/paths.ts';
import { Fault, faultTable } from '../client/protocol/faults.ts';
import { loadConfig } from '../daemon/config.ts';
import { runDaemon as run } from '../daemon/main.ts';
import { type DaemonControls, StartFailed } from '../daemon/start.ts';
import { ConfigError } from '../daemon/toml-file.ts';
import { placesHere } from './session.ts';

export interface DaemonRun {
  /** Started by a client, without a terminal. */
  readonly detached: boolean;
}

/** The daemon in this process, its signals wired. Ends the process when it leaves; why it can't start goes to stderr. */
export async function runDaemon(options: DaemonRun): Promise<never> {
  // A worker or a socket that is slow to close must not hold up what has left already.
  process.exit(await exitCodeOf(options));
}

async function exitCodeOf({ detached }: DaemonRun): Promise<number> {
  // Whatever is made below is closed to others, whoever set the umask before us.
  process.umask(0o077);
  emptyCore();
  // Between the last answer and the end of the drain there may be no handle left that keeps the process alive.
  const alive = setInterval(() => {}, 60_000);
  try {
    return await run({
      places: placesHere(process.env),
      environment: process.env,
      version: packageVersion(process.env),
      build: buildOf(),
      isAutoStarted: detached,
      ...(detached ? {} : { onSecond: sayWhoLeads }),
      ...(detached ? {} : { echo: line => process.stderr.write(line) }),
      onControls: listen,
    });
  } catch (error) {
    const code = error instanceof StartFailed ? error.exitCode : error instanceof Fault ? error.row.exit : 1;
    const message =
      error instanceof StartFailed || error instanceof Fault ? error.message : String((error as Error)?.stack);
    process.stderr.write(`svc: ${message}\n`);
    return code;
  } finally {
    clearInterval(alive);
  }
}

/** A core file would hold the token and other people's code. Whatever limit it runs under, what Linux writes is to hold no memory. */
function emptyCore(): void {
  try {
    writeFileSync('/proc/self/coredump_filter', '0');
  } catch {
    // There is none: elsewhere the limit that a client starts it with has to do.
  }
}

/** Throws `misconfigured` where a daemon started from this environment would refuse its configuration. */
export function assertConfigured({ configFile }: Places, environment: DaemonEnvironment): void {
  try {
    loadConfig({ file: configFile, environment });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new Fault(error.exitCode === 77 ? 'unsafeOwner' : 'misconfigured', error.message);
  }
}

type DaemonEnvironment = Readonly<Record<string, string | undefined>>;

/** Whoever starts one by hand is told why nothing comes of it, and a supervisor that it runs none. */
function sayWhoLeads(): number {
  const leader = leaderOf(placesHere(process.env));
  process.stderr.write(
    `svc: a daemon runs already${leader === undefined ? '' : ` (pid ${leader})`}: svc daemon status\n`,
  );
  return faultTable.busy.exit;
}

/** An end by an error of ours: not a restart that a supervisor should hold against the configuration. */
const crashed = 70;

function listen(controls: DaemonControls): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => controls.leave(signal));
  process.on('SIGHUP', () => controls.reload());
  process.on('unhandledRejection', cause => controls.crashed('an unhandled rejection', cause));
  process.on('uncaughtException', cause => {
    controls.crashed('an uncaught exception', cause);
    controls.leave('an uncaught exception', crashed);
  });
}

/** Tells two builds of one version apart. */
function buildOf(): string {
  const { mtimeMs, size } = statSync(fileURLToPath(import.meta.url));
  return createHash('sha256').update(`${mtimeMs} ${size}`).digest('hex').slice(0, 12);
}

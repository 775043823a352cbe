import { fileURLToPath } from 'node:url';
import { type Places, placesOf, readDaemonRecord } from '../client/paths.ts';
import type { Caller } from '../client/protocol/caller.ts';
import type { OperationName } from '../client/protocol/registry.ts';
import { type SocketCaller, socketCaller } from '../client/socket.ts';
import { homeFolder } from '../client/this-user.ts';
import type { Format } from './render.ts';
import type { TableEntry } from './table.ts';
import type { LiveTerminal } from './terminal.ts';

/** What every command has at hand: the process as this run sees it. Built once, by `main.ts`. */
export interface Session {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that the caller stands in; undefined when it has been deleted. */
  readonly directory: string | undefined;
  readonly version: string;
  readonly terminal: LiveTerminal;
  readonly format: Format;
  readonly signal: AbortSignal;
  readonly timeoutMs: number | undefined;
  /** Whether a daemon may be started when none runs. */
  readonly mayStart: boolean;
  readonly table: readonly TableEntry[];
  readonly places: Places;
}

/** The caller's places on this machine. */
export function placesHere(env: Session['env']): Places {
  return placesOf({ env, uid: process.getuid?.() ?? 0, home: homeFolder(), temporary: '/tmp' });
}

/** Program and arguments that run a daemon apart from this terminal. */
const daemonCommand: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL('./main.js', import.meta.url)),
  'daemon',
  'run',
  '--detached',
];

export function openSocket(session: Session, start: 'may-start' | 'never' = 'may-start'): SocketCaller {
  const { places, env, version, table, terminal, signal, timeoutMs } = session;
  const isRead = new Set(table.filter(({ effect }) => effect === 'read').map(({ name }) => name));
  return socketCaller({
    places,
    env,
    client: 'svc',
    version,
    start: session.mayStart && start === 'may-start' ? { kind: 'command', argv: daemonCommand } : { kind: 'never' },
    ...(start === 'never' ? { accepts: 'any' as const } : {}),
    signal: timeoutMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    isRepeatable: (name: OperationName) => isRead.has(name),
    onNotice: line => terminal.err(`${line}\n`),
  });
}

export type ClosableCaller = Caller & { close(): Promise<void> };

/** Whether the daemon is reached by an address, and so may be on another machine. */
export function isOverHttp({ env }: Session): boolean {
  return (env['SVC_URL'] ?? '') !== '' && (env['SVC_SOCKET'] ?? '') === '';
}

/** Who answers: the daemon behind `SVC_URL` where that is set (and `SVC_SOCKET` is not), else the one behind the socket. */
export async function openCaller(session: Session): Promise<ClosableCaller> {
  if (!isOverHttp(session)) return openSocket(session);
  const url = session.env['SVC_URL']!;
  const { httpCaller } = await import('../client/http.ts');
  return httpCaller({ url, token: await tokenFor(session, url) });
}

/** `SVC_TOKEN`, which the user gave for this very address; else the daemon's own, but only where `daemon.json` names the address. */
async function tokenFor({ env, places }: Session, url: string): Promise<string | undefined> {
  const given = env['SVC_TOKEN'];
  if (given !== undefined && given !== '') return given;
  const record = readDaemonRecord(places);
  if (record?.url === null || record === undefined || !isSameOrigin(record.url, url)) return undefined;
  const { readToken } = await import('./control.ts');
  return readToken(places, record.tokenFile);
}

function isSameOrigin(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin;
}

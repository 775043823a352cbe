import { isAbsolute } from 'node:path';
import { type Connection, ConnectionLost, endedBy, openConnection } from './connection.ts';
import { leaderOf } from './leader.ts';
import { type DaemonRecord, isAlive, type Places, readDaemonRecord } from './paths.ts';
import type { Caller, CallOptions, DaemonEvent } from './protocol/caller.ts';
import { Fault } from './protocol/faults.ts';
import type { OperationName } from './protocol/registry.ts';
import { isStarting, notRunning, pause, startDaemon, unanswering } from './start.ts';
import { isNewer, majorOf } from './versions.ts';

export interface SocketOptions {
  readonly places: Places;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Who asks, for the handshake and the daemon's log. */
  readonly client: string;
  readonly version: string;
  /** `command` starts a daemon when none answers; `never` gives the fault `unreachable` instead. */
  readonly start: { readonly kind: 'command'; readonly argv: readonly string[] } | { readonly kind: 'never' };
  /** `any` talks to a daemon of whatever version runs, and never replaces it: to stop it, or to tell what it is. Default `same-major`. */
  readonly accepts?: 'same-major' | 'any';
  /** Whether an operation may be sent again when the connection broke before its answer came. */
  readonly isRepeatable: (operation: OperationName) => boolean;
  /** One line for people: a daemon is being replaced. */
  readonly onNotice?: (line: string) => void;
  /** Ends every search for a daemon: with the fault `timeout` where it is a timeout's signal, else `cancelled`. */
  readonly signal?: AbortSignal;
}

/**
 * What is spoken over the daemon's socket: JSON-RPC 2.0, each message on a line of its own or behind a `Content-Length`
 * header (the first byte decides; this client writes lines).
 *
 * - A method is an operation's name, params its input by name; `initialize` is `daemon.initialize` and may be left out.
 * - `params.workDoneToken` (LSP's name, on any request) asks for `$/progress {token, value: Progress}` notifications.
 * - A message without an id is a notification: it is carried out and never answered, alone or in a batch, whatever
 *   becomes of it.
 * - `$/cancelRequest {id}` ends a request, which then answers −32800.
 * - `events.subscribe {}` → `{subscription}`; then `events.event {subscription, event: DaemonEvent}` notifications, until
 *   `events.unsubscribe {subscription}` or the connection ends.
 * - `error.data` is the public fault body and, beside it, `reason` (the row of the fault table) and `retryAfterSeconds`.
 * - `$/leaving {}` is the last word of a daemon that leaves in order: what it has not answered by then it has not begun.
 *   What it had begun and could not finish in time is told −32007 before that, with `details.begun`.
 * - What is no JSON is told −32700. Behind a header it is one bad message; a line of it ends the connection, for whoever
 *   writes it speaks something else.
 * - The id of a request that has a request id is that string, else a number.
 */
export interface SocketCaller extends Caller {
  /** Events of the daemon until the returned function is called; `ended` is called when the connection is gone. */
  subscribe(listener: (event: DaemonEvent) => void, ended?: () => void): Promise<() => void>;
  /** The daemon that answers, connecting to it if need be. */
  server(): Promise<ServerVersion>;
  /** Whether another daemon takes the place of the one that answered, which has gone; none is started for the asking. */
  hasSuccessor(): Promise<boolean>;
  close(): Promise<void>;
}

export interface ServerVersion {
  readonly version: string;
  readonly protocol: number;
  readonly socket: string;
  readonly pid: number | undefined;
}

/** The protocol's number; it grows when an old client could no longer be served. */
export const protocolNumber = 1;

/** How long a daemon is waited for. */
interface Patience {
  /** For its answer to the handshake, before it counts as busy. */
  readonly handshakeMs: number;
  /** For one that answers: to start one, or to pass from a leaving one to its successor. */
  readonly reachMs: number;
}

/** `SVC_PATIENCE_SECONDS` is for machines on which a start takes longer than it should anywhere. */
function patienceIn(env: SocketOptions['env']): Patience {
  const seconds = Number(env['SVC_PATIENCE_SECONDS']);
  if (!(seconds > 0)) return { handshakeMs: 5000, reachMs: 10_000 };
  const ms = Math.ceil(Math.min(seconds, 86_400) * 1000);
  return { handshakeMs: ms, reachMs: ms };
}

/** How long somebody may take to begin to start the successor of a daemon that left, where none is started for it. */
const successorMs = 3_000;

/** Between two attempts of one call. */
const retryMs = 10;

/**
 * A Caller over the daemon's socket. It connects at the first call, follows `daemon.json` (or `SVC_SOCKET`), starts a
 * daemon when there is none, and passes on to the next one when the old one leaves in the middle of a call.
 */
export function socketCaller(options: SocketOptions): SocketCaller {
  const link = daemonLink(options);
  /** How to end each subscription that is on. */
  const subscriptions = new Set<() => void>();

  return {
    async call(name, input, callOptions) {
      const result = await withRetry(link, options, name, input as Readonly<Record<string, unknown>>, callOptions);
      // The daemon serialised the answer from the operation's own output schema.
      return result as never;
    },
    async subscribe(listener, ended) {
      const { connection } = await link.open();
      const { subscription } = (await connection.request('events.subscribe', {})) as { subscription: unknown };
      const deafen = connection.onNotification((method, params) => {
        if (method !== 'events.event') return;
        const notice = params as { readonly subscription: unknown; readonly event: DaemonEvent };
        if (notice.subscription === subscription) listener(notice.event);
      });
      const stop = () => {
        if (!subscriptions.delete(stop)) return;
        deafen();
        forget();
        connection.request('events.unsubscribe', { subscription }).catch(() => undefined);
      };
      subscriptions.add(stop);
      const forget = connection.onEnd(() => {
        subscriptions.delete(stop);
        ended?.();
      });
      return stop;
    },
    server: async () => (await link.open()).server,
    hasSuccessor: link.hasSuccessor,
    async close() {
      // A connection with a subscription only listens, and would stay half open on the other side.
      for (const stop of [...subscriptions]) stop();
      await link.close();
    },
  };
}

async function withRetry(
  link: DaemonLink,
  options: SocketOptions,
  name: OperationName,
  input: Readonly<Record<string, unknown>>,
  callOptions: CallOptions | undefined,
): Promise<unknown> {
  const started = performance.now();
  let lostUntil: number | undefined;
  for (;;) {
    const { connection } = await link.open();
    try {
      return await connection.request(name, input, since(started, callOptions));
    } catch (error) {
      const lost = lossOf(error);
      if (lost === undefined) throw error;
      if (lost === 'may-have-run' && !options.isRepeatable(name)) {
        throw new Fault('unreachable', 'The daemon went away before it answered; whether it did its work is not known');
      }
      // Not from its beginning: the answer that was lost may have been long in the making.
      lostUntil ??= performance.now() + patienceIn(options.env).reachMs;
      if (performance.now() > lostUntil) throw new Fault('unreachable', 'The daemon keeps going away');
      link.leave(connection);
      await pause(retryMs);
    }
  }
}

/** What is known of a call that its daemon did not answer because it goes; undefined of any other end. */
function lossOf(error: unknown): 'not-begun' | 'may-have-run' | undefined {
  if (error instanceof ConnectionLost) return error.mayHaveRun ? 'may-have-run' : 'not-begun';
  if (!(error instanceof Fault) || error.reason !== 'shuttingDown') return undefined;
  return error.extras.details?.['begun'] === true ? 'may-have-run' : 'not-begun';
}

/** Looking for the daemon takes from the caller's time. */
function since(startedMs: number, options: CallOptions | undefined): CallOptions | undefined {
  if (options?.timeoutMs === undefined) return options;
  return { ...options, timeoutMs: Math.max(1, Math.ceil(options.timeoutMs - (performance.now() - startedMs))) };
}

interface Link {
  readonly connection: Connection;
  readonly server: ServerVersion;
}

interface DaemonLink {
  /** The link to the running daemon, made if there is none. Throws `busy`, `unreachable`, `unsafeOwner`, `incompatibleVersion`. */
  open(): Promise<Link>;
  /** This daemon is leaving: the next `open` looks for its successor. */
  leave(connection: Connection): void;
  hasSuccessor(): Promise<boolean>;
  /** For good. */
  close(): Promise<void>;
}

function daemonLink(options: SocketOptions): DaemonLink {
  let current: Link | undefined;
  let opening: Promise<Link> | undefined;
  let isClosed = false;
  const left = new Map<string, number>();

  const reach = async (): Promise<Link> => {
    const link = await findOrStart(options, left);
    if (options.accepts === 'any') return link;
    const isReplaceable = options.start.kind === 'command' && isNewer(options.version, link.server.version);
    if (!isReplaceable || !(await isIdle(link))) return checkMajor(options, link);
    options.onNotice?.(`svc: replacing the daemon ${link.server.version} by ${options.version}`);
    await stop(link);
    left.set(link.server.socket, performance.now());
    return checkMajor(options, await findOrStart(options, left));
  };

  const leaveCurrent = () => {
    if (current === undefined) return;
    left.set(current.server.socket, performance.now());
    void current.connection.close();
    current = undefined;
  };

  return {
    async open() {
      if (current?.connection.isOpen) return current;
      if (isClosed) throw new Fault('unreachable', 'This client was closed');
      opening ??= reach().finally(() => {
        opening = undefined;
      });
      const opened = await opening;
      if (isClosed) {
        void opened.connection.close();
        throw new Fault('unreachable', 'This client was closed');
      }
      current = opened;
      return opened;
    },
    leave(connection) {
      if (current?.connection === connection) leaveCurrent();
    },
    async hasSuccessor() {
      leaveCurrent();
      try {
        const { connection } = await findOrStart({ ...options, start: { kind: 'never' } }, left);
        void connection.close();
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      isClosed = true;
      await current?.connection.close();
      current = undefined;
    },
  };
}

/** The sockets of daemons that left, each with the time at which it was known to. */
type Left = ReadonlyMap<string, number>;

async function findOrStart(options: SocketOptions, left: Left): Promise<Link> {
  const named = options.env['SVC_SOCKET'];
  if (named !== undefined && named !== '') return knockAt(options, named);
  const found = await follow(options, left);
  if (found !== undefined) return found;
  if (options.start.kind === 'never') return untilFound(options, left);
  let link: Link | undefined;
  await startDaemon({
    places: options.places,
    env: options.env,
    argv: options.start.argv,
    reachMs: patienceIn(options.env).reachMs,
    isUp: async () => {
      link = await follow(options, left);
      return link !== undefined;
    },
  });
  // `startDaemon` returns only after `isUp` said yes.
  return link!;
}

/** The daemon at a place that the user chose. What lies there may be anybody's: no advice to close or remove it. */
async function knockAt(options: SocketOptions, socket: string): Promise<Link> {
  if (!isAbsolute(socket)) throw new Fault('invalidParameter', 'SVC_SOCKET must be an absolute path');
  const link = await knock(options, socket, undefined).catch((error: unknown) => {
    const isUnsafe = error instanceof Fault && error.reason === 'unsafeOwner';
    throw isUnsafe ? new Fault('unsafeOwner', `SVC_SOCKET (${socket}) is no socket that is yours alone`) : error;
  });
  if (link === undefined) throw new Fault('unreachable', `No daemon answers at SVC_SOCKET (${socket})`);
  return link;
}

/**
 * The daemon that leads. Where it lives and can't be found (somebody removed its socket or `daemon.json`) it mends that
 * itself in a moment; one that is leaving will be gone in another, and somebody may start the next.
 */
async function untilFound(options: SocketOptions, left: Left): Promise<Link> {
  const { reachMs } = patienceIn(options.env);
  const until = performance.now() + reachMs;
  const succeededUntil = Math.max(...left.values()) + successorMs;
  // A start that has begun may take its time.
  const isSucceeded = (nowMs: number) => nowMs <= succeededUntil || (left.size > 0 && isStarting(options.places));
  for (;;) {
    const leader = leaderOf(options.places);
    const nowMs = performance.now();
    if (leader === undefined && !(nowMs <= until && isSucceeded(nowMs))) throw notRunning();
    if (leader !== undefined && nowMs > until) throw unanswering(leader);
    await pause(lookAgainMs);
    const found = await follow(options, left);
    if (found !== undefined) return found;
  }
}

/** Between two looks for a daemon that lives and can't be found. */
const lookAgainMs = 50;

/** The daemon that `daemon.json` names; undefined when it names none, or one that is gone or leaving. */
async function follow(options: SocketOptions, left: Left): Promise<Link | undefined> {
  if (options.signal?.aborted) throw endedBy(options.signal);
  const record = readDaemonRecord(options.places);
  if (record === undefined || left.has(record.socket)) return undefined;
  return knock(options, record.socket, record);
}

/** Connects and shakes hands; undefined when nobody listens. A daemon that does not answer is busy, and keeps its socket. */
async function knock(
  options: SocketOptions,
  socket: string,
  record: DaemonRecord | undefined,
): Promise<Link | undefined> {
  let connection: Connection | undefined;
  const server = { version: record?.version ?? '0', protocol: record?.protocol ?? protocolNumber, socket };
  try {
    connection = await openConnection(socket, options.places.uid);
    const { client, version, signal } = options;
    const greeting = { client, version, protocol: protocolNumber };
    const patience = { timeoutMs: patienceIn(options.env).handshakeMs, ...(signal === undefined ? {} : { signal }) };
    const reply = await connection.request('initialize', greeting, patience);
    const known = reply as { version: string; protocol: number };
    return { connection, server: { ...server, version: known.version, protocol: known.protocol, pid: record?.pid } };
  } catch (error) {
    if (error instanceof Fault && error.reason === 'incompatibleVersion' && connection !== undefined) {
      return { connection, server: { ...server, pid: record?.pid } };
    }
    void connection?.close();
    if (error instanceof ConnectionLost) return undefined;
    if (error instanceof Fault && error.reason === 'shuttingDown') return undefined;
    if (options.signal?.aborted) throw error;
    if (error instanceof Fault && (error.reason === 'timeout' || error.reason === 'busy')) throw busy(record);
    throw error;
  }
}

function busy(record: DaemonRecord | undefined): Fault {
  const who = record === undefined || !isAlive(record.pid) ? '' : ` (pid ${record.pid})`;
  return new Fault('busy', `The daemon is busy${who}: it does not answer; try again later`);
}

/** Another major version can't be spoken with: the advice depends on which side is old. */
function checkMajor(options: SocketOptions, link: Link): Link {
  const { version } = link.server;
  if (version === '0' || majorOf(version) === majorOf(options.version)) return link;
  const advice = isNewer(version, options.version)
    ? 'update this svc'
    : 'the daemon is at work and is replaced once it is idle; or run: svc daemon restart';
  void link.connection.close();
  throw new Fault('incompatibleVersion', `This is svc ${options.version}, the daemon is ${version}: ${advice}`, {
    details: { client: options.version, server: version },
  });
}

/**
 * Nothing runs, nobody sends it an index (which may take longer than a drain), and no `svc serve` hangs on it. A daemon that
 * can't tell is not idle; one of before uploads were told of has none.
 */
async function isIdle({ connection }: Link): Promise<boolean> {
  try {
    const {
      jobs,
      uploads = 0,
      listeners,
    } = (await connection.request('daemon.status', {}, { timeoutMs: 2000 })) as {
      readonly jobs: { readonly queued: number; readonly running: number };
      readonly uploads?: number;
      readonly listeners: readonly { readonly repo: string | null }[];
    };
    return jobs.queued + jobs.running + uploads === 0 && listeners.every(({ repo }) => repo === null);
  } catch {
    return false;
  }
}

/** Asks a daemon to drain. One that has gone in the meantime has done as asked. */
async function stop({ connection }: Link): Promise<void> {
  await connection.request('daemon.stop', {}, { timeoutMs: 5000 }).catch((error: unknown) => {
    if (error instanceof Fault && error.reason === 'timeout') throw error;
  });
  void connection.close();
}

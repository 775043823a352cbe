import { isDeepStrictEqual } from 'node:util';
import type { Daemon } from '../../client/protocol/caller.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { HttpListener, openHttp } from '../../http/server.ts';
import type { Config } from '../config-schema.ts';
import type { Observe } from '../events.ts';
import type { HttpListeners, ListenerAddress, ListenerFailure } from '../operations/process.ts';

/** As those hold them who open, renew and close them. */
export interface Listeners extends HttpListeners {
  /** Opens the configured one; a port that is taken is no failed start but a finding of doctor, told by `failure`. */
  openOwn(): Promise<void>;
  /** Opens anew, on its port, each of which the configuration or the token says other things now. */
  reload(): Promise<void>;
  close(deadlineMs: number): Promise<void>;
}

export interface ListenersOptions {
  readonly daemon: Daemon;
  readonly config: () => Config;
  readonly tokenDigest: () => Uint8Array;
  readonly observe: Observe;
}

/** What the configuration says of every listener, whatever its address. */
type Settings = Pick<Parameters<typeof openHttp>[0], 'authentication' | 'allowedHosts' | 'limits'>;

/** A listener that stands, as it was asked for, and with what it was opened. */
interface Standing {
  readonly asked: ListenerAddress;
  settings: Settings;
  http: HttpListener;
}

export function createListeners(options: ListenersOptions): Listeners {
  const { config, observe } = options;
  const standing = new Set<Standing>();
  let own: Standing | undefined;
  let failure: ListenerFailure | undefined;
  /** Opening and reloading happen one after the other. */
  let turn = Promise.resolve();
  let isClosed = false;
  const inTurn = (step: () => Promise<void>): Promise<void> => {
    turn = turn.then(step);
    return turn;
  };

  return {
    openOwn: () => inTurn(openOwn),
    async open(address) {
      const one = await start(address).catch(cause => {
        throw takenByUs(address, cause) ?? cause;
      });
      const { host, port, url } = one.http;
      return { host, port, url, repo: address.repo, close: () => stop(one, drainMs()) };
    },
    reload: () =>
      inTurn(async () => {
        const { http } = config();
        if (own !== undefined && !(http.enabled && isAt(own, http))) {
          void stop(own, drainMs());
          own = undefined;
        }
        failure = undefined;
        const now = settings();
        for (const one of standing) if (!isDeepStrictEqual(one.settings, now)) await reopen(one, now);
        await openOwn();
      }),
    own: () => (own === undefined ? null : { host: own.http.host, port: own.http.port, url: own.http.url }),
    list: () =>
      [...standing]
        .filter(one => one !== own)
        .map(({ http: { host, port }, asked: { repo } }) => ({ host, port, repo })),
    failure: () => failure,
    async close(deadlineMs) {
      isClosed = true;
      await Promise.all([...standing].map(one => stop(one, deadlineMs)));
      own = undefined;
    },
  };

  async function openOwn(): Promise<void> {
    const { http } = config();
    if (!http.enabled || own !== undefined || isClosed) return;
    try {
      own = await start({ host: http.host, port: http.port, repo: null });
      failure = undefined;
    } catch (cause) {
      ownFailed(cause);
    }
  }

  function ownFailed(cause: unknown): void {
    const { host, port } = config().http;
    const why = whyNot(cause);
    if (why.words !== failure?.words) observe({ kind: 'listener.failed', host, port, message: why.words, cause });
    failure = why;
  }

  /** The fault of a port that this very daemon holds. Port numbers are told apart, not hosts: `localhost` has two addresses. */
  function takenByUs({ host, port }: ListenerAddress, cause: unknown): Fault | undefined {
    if (!(cause instanceof Fault) || cause.reason !== 'addressInUse') return undefined;
    const holder = [...standing].find(({ http }) => http.port === port);
    if (holder === undefined) return undefined;
    const who =
      holder === own ? 'this daemon already, for all repositories' : `svc serve of ${holder.asked.repo} already`;
    return new Fault('addressInUse', `Port ${port} of ${host} is served by ${who}: ${holder.http.url}`, cause.extras);
  }

  async function start(asked: ListenerAddress): Promise<Standing> {
    const now = settings();
    const one = { asked, settings: now, http: await listen(asked, now) };
    standing.add(one);
    observe({ kind: 'listener.opened', host: one.http.host, port: one.http.port, repo: asked.repo });
    return one;
  }

  /** The port is free from the moment that closing begins; what is under way there ends in its own time. */
  async function reopen(one: Standing, now: Settings): Promise<void> {
    const { host, port } = one.http;
    void one.http.close(drainMs());
    observe({ kind: 'listener.closed', host, port });
    try {
      one.http = await listen({ ...one.asked, port }, now);
      one.settings = now;
      if (!standing.has(one)) return void one.http.close(0);
      observe({ kind: 'listener.opened', host, port, repo: one.asked.repo });
    } catch (cause) {
      standing.delete(one);
      if (one === own) {
        own = undefined;
        ownFailed(cause);
      } else observe({ kind: 'listener.failed', host, port, message: wordsOf(cause), cause });
    }
  }

  async function listen({ host, port, repo }: ListenerAddress, now: Settings): Promise<HttpListener> {
    // Loaded here and not at the top: the socket answers before the HTTP framework is read from disk.
    const { openHttp } = await import('../../http/server.ts');
    return openHttp({
      ...now,
      daemon: options.daemon,
      host,
      port,
      ...(repo === null ? {} : { defaultRepo: repo }),
      onAnswered: answered => observe({ kind: 'http.answered', ...answered }),
    });
  }

  async function stop(one: Standing, deadlineMs: number): Promise<void> {
    if (!standing.delete(one)) return;
    await one.http.close(deadlineMs);
    observe({ kind: 'listener.closed', host: one.http.host, port: one.http.port });
  }

  function settings(): Settings {
    const { auth, http, limits } = config();
    return {
      authentication: auth.enabled ? { kind: 'token', digest: options.tokenDigest() } : { kind: 'off' },
      allowedHosts: http.allowed_hosts,
      limits: {
        bodyBytes: limits.body_bytes,
        urlBytes: limits.url_bytes,
        headerBytes: limits.header_bytes,
        pathParameterBytes: limits.path_parameter_bytes,
        jsonDepth: limits.json_depth,
        headersTimeoutMs: limits.header_seconds * 1000,
      },
    };
  }

  function drainMs(): number {
    return config().limits.drain_seconds * 1000;
  }
}

function isAt({ asked }: Standing, { host, port }: Config['http']): boolean {
  return asked.host === host && asked.port === port;
}

function wordsOf(cause: unknown): string {
  return cause instanceof Fault ? cause.message : 'it could not be opened';
}

/** What can be done about it is said where something can. */
function whyNot(cause: unknown): ListenerFailure {
  const words = wordsOf(cause);
  return cause instanceof Fault && cause.reason === 'addressInUse'
    ? { words: `${words}. Set http.port in config.toml to a free one`, isTaken: true }
    : { words, isTaken: false };
}

import type { Daemon } from '../../client/protocol/caller.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { HttpListener } from '../../http/server.ts';
import type { Config } from '../config-schema.ts';
import type { Observe } from '../events.ts';

export interface ListenerAddress {
  readonly host: string;
  readonly port: number;
  /** The repository that it serves; null for the daemon's own. */
  readonly repo: string | null;
}

export interface OpenListener extends ListenerAddress {
  readonly url: string;
  close(): Promise<void>;
}

export interface ListenerFailure {
  /** In public words. */
  readonly words: string;
  /** Another program has the port. */
  readonly isTaken: boolean;
}

/** The HTTP listeners: the configured one, and those that `svc serve` asks for. */
export interface Listeners {
  /** Opens the configured one; a port that is taken is no failed start but a finding of doctor, told by `failure`. */
  openOwn(): Promise<void>;
  /** Rejects with `addressInUse`, `preconditionFailed`, `forbidden`. */
  open(address: ListenerAddress): Promise<OpenListener>;
  own(): { readonly host: string; readonly port: number; readonly url: string } | null;
  list(): readonly ListenerAddress[];
  /** Why the configured listener is not open; undefined when it is, or is not wanted. */
  failure(): ListenerFailure | undefined;
  close(deadlineMs: number): Promise<void>;
}

export interface ListenersOptions {
  readonly daemon: Daemon;
  readonly config: () => Config;
  readonly tokenDigest: Uint8Array;
  readonly observe: Observe;
}

export function createListeners(options: ListenersOptions): Listeners {
  const { config, observe } = options;
  const open = new Map<HttpListener, string | null>();
  let own: HttpListener | undefined;
  let failure: ListenerFailure | undefined;

  return {
    async openOwn() {
      const { http } = config();
      if (!http.enabled || own !== undefined) return;
      try {
        own = await start({ host: http.host, port: http.port, repo: null });
        failure = undefined;
      } catch (cause) {
        const why = whyNot(cause);
        if (why.words !== failure?.words) observe({ kind: 'listener.failed', host: http.host, port: http.port, cause });
        failure = why;
      }
    },
    async open(address) {
      const listener = await start(address).catch(cause => {
        throw takenByUs(address, cause) ?? cause;
      });
      return {
        host: listener.host,
        port: listener.port,
        url: listener.url,
        repo: address.repo,
        close: () => stop(listener, config().limits.drain_seconds * 1000),
      };
    },
    own: () => (own === undefined ? null : { host: own.host, port: own.port, url: own.url }),
    list: () =>
      [...open].filter(([listener]) => listener !== own).map(([{ host, port }, repo]) => ({ host, port, repo })),
    failure: () => failure,
    async close(deadlineMs) {
      await Promise.all([...open.keys()].map(listener => stop(listener, deadlineMs)));
      own = undefined;
    },
  };

  /** The fault of a port that this very daemon holds. Port numbers are told apart, not hosts: `localhost` has two addresses. */
  function takenByUs({ host, port }: ListenerAddress, cause: unknown): Fault | undefined {
    if (!(cause instanceof Fault) || cause.reason !== 'addressInUse') return undefined;
    const holder = [...open].find(([listener]) => listener.port === port);
    if (holder === undefined) return undefined;
    const [listener, repo] = holder;
    const who = listener === own ? 'this daemon already, for all repositories' : `svc serve of ${repo} already`;
    return new Fault('addressInUse', `Port ${port} of ${host} is served by ${who}: ${listener.url}`, cause.extras);
  }

  async function start({ host, port, repo }: ListenerAddress): Promise<HttpListener> {
    // Loaded here and not at the top: the socket answers before the HTTP framework is read from disk.
    const { openHttp } = await import('../../http/server.ts');
    const { auth, http, limits } = config();
    const listener = await openHttp({
      daemon: options.daemon,
      host,
      port,
      authentication: auth.enabled ? { kind: 'token', digest: options.tokenDigest } : { kind: 'off' },
      allowedHosts: http.allowed_hosts,
      ...(repo === null ? {} : { defaultRepo: repo }),
      limits: {
        bodyBytes: limits.body_bytes,
        urlBytes: limits.url_bytes,
        headerBytes: limits.header_bytes,
        pathParameterBytes: limits.path_parameter_bytes,
        jsonDepth: limits.json_depth,
        headersTimeoutMs: limits.header_seconds * 1000,
      },
      onAnswered: answered => observe({ kind: 'http.answered', ...answered }),
    });
    open.set(listener, repo);
    observe({ kind: 'listener.opened', host: listener.host, port: listener.port, repo });
    return listener;
  }

  async function stop(listener: HttpListener, deadlineMs: number): Promise<void> {
    if (!open.delete(listener)) return;
    await listener.close(deadlineMs);
    observe({ kind: 'listener.closed', host: listener.host, port: listener.port });
  }
}

/** What can be done about it is said where something can. */
function whyNot(cause: unknown): ListenerFailure {
  if (!(cause instanceof Fault)) return { words: 'it could not be opened', isTaken: false };
  return cause.reason === 'addressInUse'
    ? { words: `${cause.message}. Set http.port in config.toml to a free one`, isTaken: true }
    : { words: cause.message, isTaken: false };
}

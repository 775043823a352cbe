import { isDeepStrictEqual } from 'node:util';
import type { Daemon } from '../../client/protocol/caller.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { HttpListener, openHttp } from '../../http/server.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config-schema.ts';
import type { Observe } from '../events.ts';
import type {
  HttpListeners,
  IndexServerAsked,
  ListenerAddress,
  ListenerFailure,
  OpenListener,
} from '../operations/process.ts';
import type { OfferedIndexServer, OpenIndexServers } from './index-servers.ts';
import type { LeadersWork } from './leaders-work.ts';
import { countStrangers } from './strangers.ts';

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
  readonly indexServers: Pick<OpenIndexServers, 'configured' | 'open' | 'troubles'>;
  readonly leadersWork: Pick<LeadersWork, 'begin'>;
  readonly clock: Clock;
  readonly observe: Observe;
}

/** What the configuration says of every listener, whatever its address. */
type Settings = Pick<Parameters<typeof openHttp>[0], 'authentication' | 'allowedHosts' | 'limits'>;

/** A listener that stands, as it was asked for, and with what it was opened. */
interface Standing {
  readonly asked: ListenerAddress;
  /** The index server that it has of its own. */
  readonly indexServer: OfferedIndexServer | undefined;
  settings: Settings;
  http: HttpListener;
}

export function createListeners(options: ListenersOptions): Listeners {
  return new StandingListeners(options);
}

class StandingListeners implements Listeners {
  readonly #options: ListenersOptions;
  readonly #observe: Observe;
  /** Of all listeners together: who fails at one is no better known at another. */
  readonly #countStranger: (address: string) => number;
  readonly #standing = new Set<Standing>();
  #own: Standing | undefined;
  #failure: ListenerFailure | undefined;
  /** Opening and reloading happen one after the other. */
  #turn = Promise.resolve();
  #isClosed = false;

  constructor(options: ListenersOptions) {
    this.#options = options;
    this.#observe = options.observe;
    this.#countStranger = countStrangers(options.clock);
  }

  openOwn(): Promise<void> {
    return this.#inTurn(() => this.#openOwn());
  }

  async open(address: ListenerAddress, asked?: IndexServerAsked): Promise<OpenListener> {
    const indexServer = asked && this.#options.indexServers.open(asked);
    const one = await this.#start(address, indexServer).catch(cause => {
      indexServer?.close();
      throw this.#takenByUs(address, cause) ?? cause;
    });
    const { host, port, url } = one.http;
    const close = async () => {
      await this.#stop(one, this.#drainMs());
      indexServer?.close();
    };
    const hasIndexServer = this.#offeredBy(indexServer) !== undefined;
    const notServed = hasIndexServer ? this.#options.indexServers.troubles() : [];
    return { host, port, url, repo: address.repo, hasIndexServer, notServed, close };
  }

  reload(): Promise<void> {
    return this.#inTurn(async () => {
      const { http } = this.#options.config();
      if (this.#own !== undefined && !(http.enabled && isAt(this.#own, http))) {
        void this.#stop(this.#own, this.#drainMs());
        this.#own = undefined;
      }
      this.#failure = undefined;
      const now = this.#settings();
      for (const one of this.#standing) if (!isDeepStrictEqual(one.settings, now)) await this.#reopen(one, now);
      await this.#openOwn();
    });
  }

  own(): { readonly host: string; readonly port: number; readonly url: string } | null {
    if (this.#own === undefined) return null;
    const { host, port, url } = this.#own.http;
    return { host, port, url };
  }

  list(): readonly ListenerAddress[] {
    const others = [...this.#standing].filter(one => one !== this.#own);
    return others.map(({ http: { host, port }, asked: { repo } }) => ({ host, port, repo }));
  }

  settled(): Promise<void> {
    return this.#turn;
  }

  failure(): ListenerFailure | undefined {
    return this.#failure;
  }

  async close(deadlineMs: number): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#standing].map(one => this.#stop(one, deadlineMs)));
    this.#own = undefined;
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(step);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #openOwn(): Promise<void> {
    const { http } = this.#options.config();
    if (!http.enabled || this.#own !== undefined || this.#isClosed) return;
    try {
      this.#own = await this.#start({ host: http.host, port: http.port, repo: null }, undefined);
      this.#failure = undefined;
    } catch (cause) {
      this.#ownFailed(cause);
    }
  }

  #ownFailed(cause: unknown): void {
    const { host, port } = this.#options.config().http;
    const why = whyNot(cause);
    if (why.words !== this.#failure?.words)
      this.#observe({ kind: 'listener.failed', host, port, message: why.words, cause });
    this.#failure = why;
  }

  /** The fault of a port that this very daemon holds. Port numbers are told apart, not hosts: `localhost` has two addresses. */
  #takenByUs({ host, port }: ListenerAddress, cause: unknown): Fault | undefined {
    if (!isTaken(cause)) return undefined;
    const holder = [...this.#standing].find(({ http }) => http.port === port);
    if (holder === undefined) return undefined;
    const who =
      holder === this.#own ? 'this daemon already, for all repositories' : `svc serve of ${holder.asked.repo} already`;
    return new Fault('addressInUse', `Port ${port} of ${host} is served by ${who}: ${holder.http.url}`, cause.extras);
  }

  async #start(asked: ListenerAddress, indexServer: OfferedIndexServer | undefined): Promise<Standing> {
    const settings = this.#settings();
    const http = await this.#listen(asked, indexServer, settings);
    const one = { asked, indexServer, settings, http };
    this.#standing.add(one);
    this.#observe({ kind: 'listener.opened', host: one.http.host, port: one.http.port, repo: asked.repo });
    return one;
  }

  /**
   * The port is free from the moment that closing begins, or a moment later where a program is being started, which has what
   * we have open until it runs; what is under way there ends in its own time.
   */
  async #reopen(one: Standing, settings: Settings): Promise<void> {
    const { host, port } = one.http;
    void one.http.close(this.#drainMs());
    this.#observe({ kind: 'listener.closed', host, port });
    try {
      one.http = await this.#listenAgain({ ...one.asked, port }, one.indexServer, settings);
      one.settings = settings;
      if (!this.#standing.has(one)) return void one.http.close(0);
      this.#observe({ kind: 'listener.opened', host, port, repo: one.asked.repo });
    } catch (cause) {
      this.#standing.delete(one);
      if (one === this.#own) {
        this.#own = undefined;
        this.#ownFailed(cause);
      } else this.#observe({ kind: 'listener.failed', host, port, message: wordsOf(cause), cause });
    }
  }

  async #listenAgain(
    address: ListenerAddress,
    indexServer: OfferedIndexServer | undefined,
    settings: Settings,
  ): Promise<HttpListener> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#listen(address, indexServer, settings);
      } catch (cause) {
        if (!isTaken(cause) || tries === mostTries) throw cause;
        await new Promise<void>(resolve => void this.#options.clock.after(tryAgainMs, resolve));
      }
    }
  }

  async #listen(
    { host, port, repo }: ListenerAddress,
    indexServer: OfferedIndexServer | undefined,
    settings: Settings,
  ): Promise<HttpListener> {
    const offered = () => this.#offeredBy(indexServer);
    // Loaded here and not at the top: the socket answers before the HTTP framework is read from disk.
    const { openHttp } = await import('../../http/server.ts');
    return openHttp({
      ...settings,
      daemon: this.#options.daemon,
      host,
      port,
      ...(repo === null ? {} : { defaultRepo: repo }),
      // The configuration may turn it on and off while the listener stands.
      get indexServer() {
        return offered();
      },
      countStranger: this.#countStranger,
      onArriving: this.#options.leadersWork.begin,
      onAnswered: answered => this.#observe({ kind: 'http.answered', ...answered }),
    });
  }

  /** What a listener offers: its own index server, or that of the configuration. */
  #offeredBy(own: OfferedIndexServer | undefined): OfferedIndexServer | undefined {
    return own ?? this.#options.indexServers.configured();
  }

  async #stop(one: Standing, deadlineMs: number): Promise<void> {
    if (!this.#standing.delete(one)) return;
    await one.http.close(deadlineMs);
    this.#observe({ kind: 'listener.closed', host: one.http.host, port: one.http.port });
  }

  #settings(): Settings {
    const { config, tokenDigest } = this.#options;
    return settingsOf(config(), tokenDigest);
  }

  #drainMs(): number {
    return this.#options.config().limits.drain_seconds * 1000;
  }
}

function settingsOf({ auth, http, limits }: Config, tokenDigest: () => Uint8Array): Settings {
  return {
    authentication: auth.enabled ? { kind: 'token', digest: tokenDigest() } : { kind: 'off' },
    allowedHosts: http.allowed_hosts,
    limits: {
      bodyBytes: limits.body_bytes,
      deltaBytes: limits.delta_bytes,
      urlBytes: limits.url_bytes,
      headerBytes: limits.header_bytes,
      pathParameterBytes: limits.path_parameter_bytes,
      jsonDepth: limits.json_depth,
      jsonValues: limits.json_values,
      headersTimeoutMs: limits.header_seconds * 1000,
      requestTimeoutMs: limits.header_seconds * 1000,
    },
  };
}

function isAt({ asked }: Standing, { host, port }: Config['http']): boolean {
  return asked.host === host && asked.port === port;
}

const mostTries = 10;
const tryAgainMs = 50;

function isTaken(cause: unknown): cause is Fault {
  return cause instanceof Fault && cause.reason === 'addressInUse';
}

function wordsOf(cause: unknown): string {
  return cause instanceof Fault ? cause.message : 'it could not be opened';
}

/** What can be done about it is said where something can. */
function whyNot(cause: unknown): ListenerFailure {
  const words = wordsOf(cause);
  return isTaken(cause)
    ? { words: `${words}. Set http.port in config.toml to a free one`, isTaken: true }
    : { words, isTaken: false };
}

import type { randomBytes } from 'node:crypto';
import type { IndexDoor } from '../../client/protocol/caller.ts';
import { localId } from '../../client/protocol/daemon.ts';
import { Fault, invalid } from '../../client/protocol/faults.ts';
import { readHead } from '../backends/git-refs.ts';
import { findRepository } from '../backends/git-repository.ts';
import { type Clock, every } from '../clock.ts';
import type { Observe } from '../events.ts';
import { loadIndexServer } from '../index-server-config.ts';
import type { ConfiguredRepo, IndexServerSettings, KeySettings } from '../index-server-settings.ts';
import type { Privacy } from '../model/privacy.ts';
import type { Keeper } from '../operations/daemon.ts';
import type { IndexServer, IndexServers, ServedIndex } from '../operations/index-server/served-index.ts';
import type { IndexServerAsked } from '../operations/process.ts';
import type { ServedRepository } from '../operations/served-repository.ts';
import type { DaemonDatabase } from '../store/daemon-db.ts';
import { StoreError } from '../store/store-faults.ts';
import { ConfigError, type Environment } from '../toml-file.ts';
import { changesOf } from './config-in-force.ts';
import type { Repositories } from './repositories.ts';
import { storeFault } from './store-fault.ts';

/** The index servers, as those hold them who open listeners and take a changed configuration over. */
export interface OpenIndexServers extends IndexServers {
  /** The one of the configuration, where that has it on. */
  configured(): OfferedIndexServer | undefined;
  /**
   * Opens one for a listener of its own: with the settings of a file, or else with those of the configuration. Throws
   * `misconfigured` for a file that can't be used, `invalidBody` where neither asker nor file wants one.
   */
  open(asked: IndexServerAsked): OwnIndexServer;
  /** Registers the folders that are to be served and are not registered. To be called at the start, and after each change. */
  follow(): void;
  /** The id by which a configuration has a repository served; undefined where none does. */
  servedFromConfig(repository: Pick<ServedRepository, 'record'>): string | undefined;
  /** What is to be served and can't be. */
  troubles(): readonly RepoTrouble[];
  close(): void;
}

/** An index server as listeners offer it. */
export interface OfferedIndexServer {
  /** Its name in requests. */
  readonly name: string;
  readonly door: IndexDoor;
}

export interface OwnIndexServer extends OfferedIndexServer {
  close(): void;
}

export interface RepoTrouble {
  readonly id: string;
  /** In public words. */
  readonly why: string;
}

export interface IndexServersOptions {
  /** What the configuration says now. */
  readonly settings: () => IndexServerSettings;
  readonly environment: Environment;
  readonly repositories: Pick<Repositories, 'list' | 'get' | 'at' | 'add'>;
  readonly keeper: Pick<Keeper, 'take'>;
  readonly database: Pick<DaemonDatabase, 'secret' | 'shownSince'>;
  readonly random: typeof randomBytes;
  /** The commit that was named when the repository of a uid was uploaded; '' for none. */
  readonly uploadedCommit: (uid: string) => string;
  readonly openDoor: (settings: () => KeySettings) => IndexDoor;
  readonly clock: Clock;
  readonly observe: Observe;
}

/** How the configured one is called in requests. */
const configuredName = 'configured';
/** How often files are looked at, and what could not be registered is tried again. */
const lookMs = 1000;
const retryMs = 30_000;

export function openIndexServers(options: IndexServersOptions): OpenIndexServers {
  return new StandingIndexServers(options);
}

/** One that stands. */
interface Standing {
  readonly offered: OfferedIndexServer;
  readonly server: IndexServer;
  readonly settings: () => IndexServerSettings;
  /** Takes its file over as it is now. */
  readonly reread: () => void;
}

class StandingIndexServers implements OpenIndexServers {
  readonly #options: IndexServersOptions;
  readonly #configured: Standing;
  readonly #opened = new Map<string, Standing>();
  /** Where the folders that are served are registered, by their paths in the configuration. */
  readonly #roots = new Map<string, string>();
  readonly #troubles = new Map<string, RepoTrouble>();
  readonly #stopRetrying: () => void;
  #count = 0;

  constructor(options: IndexServersOptions) {
    this.#options = options;
    this.#configured = this.#stand(configuredName, { settings: options.settings, reread: () => {} });
    this.#stopRetrying = every(options.clock, retryMs, () => {
      if (this.#troubles.size > 0) this.#register();
    });
  }

  get(name: string | undefined): IndexServer | undefined {
    if (name !== undefined && name !== configuredName) return this.#opened.get(name)?.server;
    return this.#options.settings().enabled ? this.#configured.server : undefined;
  }

  configured(): OfferedIndexServer | undefined {
    return this.#options.settings().enabled ? this.#configured.offered : undefined;
  }

  open({ wanted, config, variables }: IndexServerAsked): OwnIndexServer {
    const environment = { ...this.#options.environment, ...variables };
    let loaded = config === undefined ? undefined : loadedFrom(config, environment);
    const settings = () => loaded ?? this.#options.settings();
    if (!wanted && !settings().enabled) throw notWanted();
    const name = `serve-${++this.#count}`;
    const reread = () => {
      if (config !== undefined) loaded = this.#loadedAgain(config, environment) ?? loaded;
    };
    const standing = this.#stand(name, { settings, reread, remembered: config });
    this.#opened.set(name, standing);
    this.#register();
    const stopLooking =
      config === undefined
        ? () => {}
        : every(
            this.#options.clock,
            lookMs,
            changesOf(config, () => this.follow()),
          );
    return {
      ...standing.offered,
      close: () => {
        stopLooking();
        this.#opened.delete(name);
        this.#register();
      },
    };
  }

  follow(): void {
    for (const { reread } of this.#opened.values()) reread();
    this.#register();
  }

  servedFromConfig({ record: { root } }: Pick<ServedRepository, 'record'>): string | undefined {
    return root === '' ? undefined : this.#toServe().find(({ path }) => this.#roots.get(path) === root)?.id;
  }

  troubles(): readonly RepoTrouble[] {
    return [...this.#troubles.values()];
  }

  close(): void {
    this.#stopRetrying();
  }

  /** `remembered`: as what it shows of repositories is, beyond its end: the file of its settings. */
  #stand(
    name: string,
    {
      settings,
      reread,
      remembered = configuredName,
    }: Pick<Standing, 'settings' | 'reread'> & { remembered?: string | undefined },
  ): Standing {
    const door = this.#options.openDoor(() => settings().auth);
    return { offered: { name, door }, server: this.#serverOf(settings, remembered), settings, reread };
  }

  #serverOf(settings: () => IndexServerSettings, remembered: string): IndexServer {
    const { repositories, database, random } = this.#options;
    let made: string | undefined;
    const configured = (id: string) => settings().repos.find(repo => repo.id === id);
    return {
      get maxPageSize() {
        return settings().maxPageSize;
      },
      get cursorSecret() {
        made ??= settings().cursorSecret === undefined ? database.secret('index_cursor_secret', random) : undefined;
        return settings().cursorSecret ?? made!;
      },
      list: () => {
        const { repos, defaultPrivacy } = settings();
        const named = new Set(repos.map(({ id }) => id));
        const uploaded = repositories.list().filter(one => isUploaded(one) && !named.has(one.record.id));
        return [
          ...repos.map(repo => this.#fromConfig(repo, remembered)),
          ...uploaded.map(repository => this.#fromUpload(repository, defaultPrivacy, remembered)),
        ].sort((a, b) => (a.id < b.id ? -1 : 1));
      },
      find: id => {
        const repo = configured(id);
        if (repo !== undefined) return this.#fromConfig(repo, remembered);
        const repository = repositories.get(id);
        return isUploaded(repository) ? this.#fromUpload(repository, settings().defaultPrivacy, remembered) : undefined;
      },
      isConfigured: id => configured(id) !== undefined,
    };
  }

  #fromConfig({ id, name, description, path, privacy }: ConfiguredRepo, server: string): ServedIndex {
    const root = this.#roots.get(path);
    const repository = root === undefined ? undefined : this.#options.repositories.at(root);
    const commit = () => (root === undefined ? Promise.resolve('') : commitAt(root));
    const shownSince = () => this.#shownSince(server, id, privacy, repository);
    return { id, name, description, source: 'config', privacy, repository, shownSince, commit };
  }

  #fromUpload(repository: ServedRepository, privacy: Privacy, server: string): ServedIndex {
    const { id } = repository.record;
    const commit = () => Promise.resolve(this.#options.uploadedCommit(repository.registered.uid));
    const shownSince = () => this.#shownSince(server, id, privacy, repository);
    return { id, name: id, description: '', source: 'upload', privacy, repository, shownSince, commit };
  }

  #shownSince(server: string, servedAs: string, privacy: Privacy, repository: ServedRepository | undefined): number {
    if (repository === undefined) return 0;
    const shown = JSON.stringify(privacy);
    return this.#options.database.shownSince(repository.registered.uid, { server, servedAs, shown });
  }

  /** Of the file that an opened one was given. A broken one changes nothing. */
  #loadedAgain(file: string, environment: Environment): IndexServerSettings | undefined {
    try {
      return loadedFrom(file, environment);
    } catch (cause) {
      this.#options.observe({ kind: 'daemon.fault', what: `${file} was not reloaded`, cause });
      return undefined;
    }
  }

  #register(): void {
    const before = new Map(this.#troubles);
    this.#troubles.clear();
    for (const repo of this.#toServe()) {
      const refused = this.#take(repo);
      if (refused === undefined) continue;
      const { id, path } = repo;
      const { why, cause } = refused;
      this.#troubles.set(`${id} ${path}`, { id, why });
      if (before.get(`${id} ${path}`)?.why === why) continue;
      const what = `the index server can't serve ${id} (${path})`;
      this.#options.observe({ kind: 'daemon.fault', what, cause });
    }
  }

  #toServe(): readonly ConfiguredRepo[] {
    const configured = this.#options.settings();
    const opened = [...this.#opened.values()].flatMap(({ settings }) => settings().repos);
    return configured.enabled ? [...configured.repos, ...opened] : opened;
  }

  /** Has a folder registered, and says why it can't be: it is tried again, and keeps nobody else from being served. */
  #take({ id, path }: ConfiguredRepo): { readonly why: string; readonly cause: unknown } | undefined {
    const { repositories, keeper, observe } = this.#options;
    const known = this.#roots.get(path);
    if (known !== undefined && repositories.at(known) !== undefined) return undefined;
    try {
      const { repository, created } = this.#added(path, id);
      this.#roots.set(path, repository.record.root);
      if (!created) return undefined;
      observe({ kind: 'repository.changed', repo: repository.record.id, change: 'added' });
      keeper.take(repository.record.id);
      return undefined;
    } catch (error) {
      const fault = error instanceof StoreError ? storeFault(error) : error;
      if (!(fault instanceof Fault)) return { why: 'it can’t be registered; the log has the cause', cause: error };
      const why = fault.message.replace(/^root: /, '');
      return { why, cause: fault === error ? why : error };
    }
  }

  /** Under the id that it is served by, where that is free and may be a local one; a folder that has an id keeps it. */
  #added(path: string, id: string): ReturnType<Repositories['add']> {
    const { repositories } = this.#options;
    const isFree = localId.test(id) && repositories.get(id) === undefined;
    try {
      return repositories.add(path, isFree ? id : undefined);
    } catch (error) {
      if (!(error instanceof Fault) || error.extras.details?.['reason'] !== 'registered') throw error;
      return repositories.add(path, undefined);
    }
  }
}

function isUploaded<One extends Pick<ServedRepository, 'registered'>>(repository: One | undefined): repository is One {
  return repository?.registered.source === 'upload';
}

function loadedFrom(file: string, environment: Environment): IndexServerSettings {
  try {
    return loadIndexServer(file, environment).settings;
  } catch (error) {
    throw error instanceof ConfigError ? new Fault('misconfigured', error.message) : error;
  }
}

function notWanted(): Fault {
  const message =
    'must be true (--index-server), for the file that is named does not say [index_server] enabled = true';
  return invalid('invalidBody', [{ path: 'indexServer', message }]);
}

/** HEAD of a work tree; '' outside git. */
async function commitAt(root: string): Promise<string> {
  const found = findRepository(root);
  if (found.found !== 'repository') return '';
  return (await readHead(found.repository).catch(() => undefined))?.commit ?? '';
}

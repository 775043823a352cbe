import { durationText } from '../../client/protocol/duration.ts';
import { Fault, invalid } from '../../client/protocol/faults.ts';
import { type LoadedConfig, valueAt } from '../config.ts';
import { configKeys, waitsForStart } from '../config-schema.ts';
import type { Observe } from '../events.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Handlers } from './handler.ts';
import type { HostedIndexes } from './index-server/hosted-indexes.ts';
import type { FileState, HttpListeners, ProcessFacts } from './process.ts';
import { noWorkTree, unknownRepository } from './repository-faults.ts';
import { idsOf, isHosted, type ServedRepositories, type ServedRepository, statusOf } from './served-repository.ts';

export type DaemonHandlers = Pick<Handlers, Extract<keyof Handlers, `daemon.${string}`>>;

/** Who keeps registered repositories indexed. */
export interface Keeper {
  /** Takes in one that was just registered: its first run is a job. */
  take(id: string): { readonly id: string };
  /** Ends its jobs, forgets it and deletes its index. Throws `resourceNotFound`. */
  remove(id: string): Promise<void>;
}

export interface DaemonOptions {
  readonly facts: ProcessFacts;
  readonly repositories: ServedRepositories;
  readonly keeper: Keeper;
  readonly jobs: JobQueue;
  readonly hosted: HostedIndexes;
  readonly listeners: HttpListeners;
  readonly config: () => LoadedConfig;
  readonly configFile: () => FileState;
  readonly observe: Observe;
  readonly stop: (cause: string) => void;
  /** The id by which the configuration of an index server has a repository served; undefined where none does. */
  readonly servedFromConfig: (repository: ServedRepository) => string | undefined;
}

export function daemonHandlers(options: DaemonOptions): DaemonHandlers {
  const { facts, repositories, jobs, hosted, keeper, listeners, observe } = options;
  const refuseUnknown = (id: string): void => {
    if (repositories.get(id) === undefined) throw unknownRepository(id, idsOf(repositories));
  };
  /** It would be gone to all who ask the index server, and come back with the next start. */
  const refuseServed = (id: string): void => {
    const repository = repositories.get(id);
    const servedId = repository && options.servedFromConfig(repository);
    if (servedId === undefined) return;
    const message = `The index server's configuration has ${id} served as ${servedId}: take that out of its [[repos]] first`;
    throw new Fault('preconditionFailed', message, { details: { reason: 'configured', servedId } });
  };
  return {
    'daemon.initialize': () => ({
      server: 'svc',
      version: facts.version,
      protocol: 1,
      capabilities: ['cancel', 'progress', 'events', 'batch', 'content-length', 'lines'],
    }),
    'daemon.status': async (_, { now }) => {
      await listeners.settled();
      const memory = process.memoryUsage();
      return {
        pid: facts.pid,
        version: facts.version,
        startedAt: facts.startedAt.toISOString(),
        uptime: durationText(facts.uptimeMs()),
        socketPath: facts.socketPath(),
        http: listeners.own(),
        httpProblem: listeners.failure()?.words ?? null,
        listeners: [...listeners.list()],
        repos: repositories.list().map(view),
        jobs: jobs.counts(),
        uploads: hosted.underWay(),
        memory: { rssBytes: memory.rss, heapBytes: memory.heapUsed },
        timestamp: now.toISOString(),
      };
    },
    'daemon.stop': (_, { now }) => {
      // The answer leaves first: the drain waits for it.
      setImmediate(() => options.stop('asked to'));
      return { status: 'stopping', pid: facts.pid, timestamp: now.toISOString() };
    },
    'daemon.listRepos': (_, { now }) => {
      const repos = repositories.list().map(view);
      return { repos, total: repos.length, timestamp: now.toISOString() };
    },
    'daemon.addRepo': ({ root, id }, { now }) => {
      const { repository, created } = repositories.add(root, id);
      const job = created || repository.snapshot === undefined ? keeper.take(repository.record.id) : undefined;
      if (created) observe({ kind: 'repository.changed', repo: repository.record.id, change: 'added' });
      return { repo: view(repository), created, jobId: job?.id ?? null, timestamp: now.toISOString() };
    },
    'daemon.removeRepo': async ({ id }, { now }) => {
      refuseServed(id);
      await keeper.remove(id);
      observe({ kind: 'repository.changed', repo: id, change: 'removed' });
      return { id, status: 'removed', timestamp: now.toISOString() };
    },
    'daemon.defaultRepo': ({ id, clear }, { now }) => {
      if (id !== undefined && clear) {
        throw invalid('invalidBody', [{ path: 'clear', message: 'goes without an id' }]);
      }
      if (id !== undefined || clear) choose(id);
      return {
        id: repositories.defaultId() ?? null,
        configured: options.config().values.default_repo !== '',
        timestamp: now.toISOString(),
      };
    },
    'daemon.trustRepo': ({ id, revoke }, { now }) => {
      const repository = repositories.get(id);
      if (repository !== undefined && isHosted(repository)) throw noWorkTree(repository);
      repositories.setTrusted(id, !revoke);
      observe({ kind: 'repository.changed', repo: id, change: 'trusted' });
      return { id, trusted: !revoke, timestamp: now.toISOString() };
    },
    'daemon.config': ({ origin }, { now }) => ({
      values: configValues(options.config(), origin),
      warnings: configWarnings(options.configFile()),
      timestamp: now.toISOString(),
    }),
    'daemon.openListener': async (input, { now, connection }) => {
      const { host, port, repo, indexServer: wanted, indexConfig: config, indexVariables: variables = {} } = input;
      if (connection === undefined) {
        throw new Fault('preconditionFailed', 'A listener lives as long as a socket connection; this is none');
      }
      if (repo !== undefined) refuseUnknown(repo);
      const asked = wanted || config !== undefined ? { wanted, config, variables } : undefined;
      const listener = await listeners.open({ host, port, repo: repo ?? null }, asked);
      connection.onClose(() => void listener.close());
      const { url, hasIndexServer: indexServer } = listener;
      const notServed = listener.notServed.map(({ id, why }) => ({ id, why }));
      return { host: listener.host, port: listener.port, url, indexServer, notServed, timestamp: now.toISOString() };
    },
    'daemon.events': () => {
      throw new Fault('preconditionFailed', 'Events come over HTTP as a stream; on the socket ask events.subscribe');
    },
  };

  /** The repository that answers where none is named; undefined: none does. */
  function choose(id: string | undefined): void {
    if (id !== undefined) refuseUnknown(id);
    refuseOverruled(options.config(), id);
    const before = repositories.defaultId();
    if (before === id) return;
    repositories.setDefault(id);
    observe({ kind: 'repository.changed', repo: id ?? before!, change: 'default' });
  }

  function view(repository: ServedRepository) {
    const { record, registered, snapshot, follow } = repository;
    const status = follow?.status();
    return {
      id: record.id,
      source: registered.source,
      root: record.root,
      status: statusOf(repository),
      snapshotId: snapshot?.snapshotId ?? null,
      symbolCount: snapshot?.counts.symbols ?? 0,
      fileCount: snapshot?.counts.files ?? 0,
      pendingChanges: status?.pendingChanges ?? 0,
      watching: status?.watching ?? ('off' as const),
      trusted: registered.trusted,
      isDefault: repositories.defaultId() === record.id,
    };
  }
}

/** Values of a file that has changed since may not be taken for those in force. */
function configWarnings({ problem, remedy }: FileState): string[] {
  if (problem !== undefined) return [`The file has changed since it was read, and can't be used: ${problem}`];
  return remedy === undefined ? [] : [`The file has changed since it was read. To bring it into force: ${remedy}`];
}

/** The configuration's default wins over the one that is asked for here. */
function refuseOverruled({ values, origins }: LoadedConfig, id: string | undefined): void {
  const configured = values.default_repo;
  if (configured === '' || configured === id) return;
  throw new Fault(
    'preconditionFailed',
    `It would have no effect: default_repo (${origins.get('default_repo')}) names ${JSON.stringify(configured)}`,
    { details: { reason: 'configured', default: configured } },
  );
}

function configValues({ values, origins, indexServer }: LoadedConfig, withOrigin: boolean) {
  const ofIndexServer = indexServer.shown.map(({ key, value, origin }) => ({
    ...{ key, value, change: 'reload' as const },
    ...(withOrigin ? { origin } : {}),
  }));
  const own = configKeys.map(key => {
    const { name, path } = key;
    const value = valueAt(values, path);
    const shown = name === 'auth.token' && value !== undefined ? '***' : (value ?? null);
    const change = waitsForStart(key) ? ('restart' as const) : ('reload' as const);
    return { key: name, value: shown, change, ...(withOrigin ? { origin: origins.get(name) ?? 'default' } : {}) };
  });
  return [...own, ...ofIndexServer];
}

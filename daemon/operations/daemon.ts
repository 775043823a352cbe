import { Fault } from '../../client/protocol/faults.ts';
import { durationText } from '../clock.ts';
import { type LoadedConfig, valueAt } from '../config.ts';
import { configKeys, waitsForStart } from '../config-schema.ts';
import type { Observe } from '../events.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { FileState } from '../server/config-in-force.ts';
import type { KeepIndexed } from '../server/keep-indexed.ts';
import type { Listeners } from '../server/listeners.ts';
import { type Repositories, type ServedRepository, unknownRepository } from '../server/repositories.ts';
import type { Handlers } from './handler.ts';
import { isGone, isWriting } from './indexing.ts';

export type DaemonHandlers = Pick<Handlers, Extract<keyof Handlers, `daemon.${string}`>>;

/** What the process says of itself. */
export interface ProcessFacts {
  readonly pid: number;
  readonly version: string;
  readonly startedAt: Date;
  readonly socketPath: () => string;
  readonly uptimeMs: () => number;
}

export interface DaemonOptions {
  readonly facts: ProcessFacts;
  readonly repositories: Repositories;
  readonly keep: KeepIndexed;
  readonly jobs: JobQueue;
  readonly listeners: Listeners;
  readonly config: () => LoadedConfig;
  readonly configFile: () => FileState;
  readonly observe: Observe;
  readonly stop: (cause: string) => void;
}

export function daemonHandlers(options: DaemonOptions): DaemonHandlers {
  const { facts, repositories, jobs, keep, listeners, observe } = options;
  const known = (id: string): ServedRepository => {
    const found = repositories.get(id);
    if (found === undefined)
      throw unknownRepository(
        id,
        repositories.list().map(({ record }) => record.id),
      );
    return found;
  };
  return {
    'daemon.initialize': () => ({
      server: 'svc',
      version: facts.version,
      protocol: 1,
      capabilities: ['cancel', 'progress', 'events', 'batch', 'content-length', 'lines'],
    }),
    'daemon.status': (_, { now }) => {
      const memory = process.memoryUsage();
      return {
        pid: facts.pid,
        version: facts.version,
        startedAt: facts.startedAt.toISOString(),
        uptime: durationText(facts.uptimeMs()),
        socketPath: facts.socketPath(),
        http: listeners.own(),
        listeners: [...listeners.list()],
        repos: repositories.list().map(view),
        jobs: jobs.counts(),
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
      const job = created || repository.snapshot === undefined ? keep.take(repository) : undefined;
      if (created) observe({ kind: 'repository.changed', repo: repository.record.id, change: 'added' });
      return { repo: view(repository), created, jobId: job?.id ?? null, timestamp: now.toISOString() };
    },
    'daemon.removeRepo': async ({ id }, { now }) => {
      const repository = known(id);
      for (const job of jobs
        .list({ limit: 10_000, state: 'running' })
        .jobs.concat(jobs.list({ limit: 10_000, state: 'queued' }).jobs)) {
        if (job.repo === id) jobs.cancel(job.id);
      }
      repositories.remove(id);
      await keep.release(repository);
      observe({ kind: 'repository.changed', repo: id, change: 'removed' });
      return { id, status: 'removed', timestamp: now.toISOString() };
    },
    'daemon.setDefaultRepo': ({ id }, { now }) => {
      known(id);
      refuseOverruled(options.config(), id);
      repositories.setDefault(id);
      observe({ kind: 'repository.changed', repo: id, change: 'default' });
      return { id, status: 'default', timestamp: now.toISOString() };
    },
    'daemon.trustRepo': ({ id, revoke }, { now }) => {
      known(id);
      repositories.setTrusted(id, !revoke);
      observe({ kind: 'repository.changed', repo: id, change: 'trusted' });
      return { id, trusted: !revoke, timestamp: now.toISOString() };
    },
    'daemon.config': ({ origin }, { now }) => ({
      values: configValues(options.config(), origin),
      warnings: configWarnings(options.configFile()),
      timestamp: now.toISOString(),
    }),
    'daemon.openListener': async ({ host, port, repo }, { now, connection }) => {
      if (connection === undefined) {
        throw new Fault('preconditionFailed', 'A listener lives as long as a socket connection; this is none');
      }
      if (repo !== undefined) known(repo);
      const listener = await listeners.open({ host, port, repo: repo ?? null });
      connection.onClose(() => void listener.close());
      return { host: listener.host, port: listener.port, url: listener.url, timestamp: now.toISOString() };
    },
    'daemon.events': () => {
      throw new Fault('preconditionFailed', 'Events come over HTTP as a stream; on the socket ask events.subscribe');
    },
  };

  function view(repository: ServedRepository) {
    const { record, registered, snapshot, follow } = repository;
    const status = follow?.status();
    return {
      id: record.id,
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

export function statusOf(repository: ServedRepository): 'queued' | 'indexing' | 'ready' | 'failed' | 'missing' {
  if (isGone(repository)) return 'missing';
  if (repository.snapshot !== undefined) return isWriting(repository) ? 'indexing' : 'ready';
  if (repository.progress !== undefined) return repository.progress.phase === 'queued' ? 'queued' : 'indexing';
  return repository.failure === undefined ? 'queued' : 'failed';
}

/** Values of a file that has changed since may not be taken for those in force. */
function configWarnings({ problem, remedy }: FileState): string[] {
  if (problem !== undefined) return [`The file has changed since it was read, and can't be used: ${problem}`];
  return remedy === undefined ? [] : [`The file has changed since it was read. To bring it into force: ${remedy}`];
}

/** The configuration's default wins over the one that is asked for here. */
function refuseOverruled({ values, origins }: LoadedConfig, id: string): void {
  const configured = values.default_repo;
  if (configured === '' || configured === id) return;
  throw new Fault(
    'preconditionFailed',
    `It would have no effect: default_repo (${origins.get('default_repo')}) names ${JSON.stringify(configured)}`,
    { details: { reason: 'configured', default: configured } },
  );
}

function configValues({ values, origins }: LoadedConfig, withOrigin: boolean) {
  return configKeys.map(key => {
    const { name, path } = key;
    const value = valueAt(values, path);
    const shown = name === 'auth.token' && value !== undefined ? '***' : (value ?? null);
    const change = waitsForStart(key) ? ('restart' as const) : ('reload' as const);
    return { key: name, value: shown, change, ...(withOrigin ? { origin: origins.get(name) ?? 'default' } : {}) };
  });
}

import { amount } from '../../client/protocol/amount.ts';
import { durationText } from '../../client/protocol/duration.ts';
import { publicPath } from '../../client/protocol/operation.ts';
import { operations } from '../../client/protocol/registry.ts';
import type { LspHealth } from '../backends/lsp-health.ts';
import type { Metrics } from '../metrics.ts';
import type { Doctor } from './doctor/doctor.ts';
import { encodedAnswer, type Handlers, type RequestContext } from './handler.ts';
import type { Histories, HistoryState } from './history/histories.ts';
import { warningsOf } from './indexing.ts';
import type { ProcessFacts, Storage } from './process.ts';
import { notAllIndexed } from './repository-faults.ts';
import {
  ageMinutes,
  isGone,
  isPrecise,
  lastIndexed,
  type ServedRepositories,
  type ServedRepository,
  servedOf,
  staleness,
  statusOf,
  withoutIndex,
} from './served-repository.ts';
import type { SymbolsHandlers } from './symbols.ts';
import type { Telemetry } from './telemetry/telemetry.ts';

export type SystemHandlers = Pick<Handlers, Extract<keyof Handlers, `system.${string}`>>;

/** Which other programs can be used, and how fast they answered. */
export interface BackendStates {
  readonly scip: BackendState;
  readonly lsp: BackendState & { readonly servers: readonly LspHealth[] };
  readonly git: BackendState;
}

export interface BackendState {
  readonly available: boolean;
  readonly latencyMs: number;
}

export interface SystemOptions {
  readonly facts: ProcessFacts;
  readonly repositories: ServedRepositories;
  readonly backends: () => Promise<BackendStates>;
  /** Whether a repository has precise facts, or an indexer that could make them. */
  readonly hasPrecise: (repository: ServedRepository) => boolean;
  readonly telemetry: Pick<Telemetry, 'isObserved'>;
  readonly metrics: Metrics;
  readonly doctor: Doctor;
  readonly histories: Pick<Histories, 'state'>;
  readonly freshnessMinutes: () => number;
  /** Live worker threads and requests in flight. */
  readonly concurrency: () => number;
  readonly storage: () => Storage;
  readonly symbols: Pick<SymbolsHandlers, 'warm' | 'forget'>;
  /** The description of the API as JSON. */
  readonly openApi: () => Promise<string>;
}

export function systemHandlers(options: SystemOptions): SystemHandlers {
  const { facts, repositories } = options;
  return {
    'system.root': () => ({
      name: 'svc',
      version: facts.version,
      documentation: '/openapi.json',
      endpoints: Object.values(operations).flatMap(operation =>
        'http' in operation && operation.http !== undefined
          ? [{ method: operation.http.method, path: publicPath(operation.http.path), summary: operation.summary }]
          : [],
      ),
    }),
    'system.health': (_, { now }) => ({ status: 'healthy', timestamp: now.toISOString(), version: facts.version }),
    'system.healthDetailed': async (_, { now }) => detailedHealth(options, now),
    'system.ready': async (_, { now }) => {
      const { scip, lsp, git } = await options.backends();
      const waiting = withoutIndex(repositories);
      if (waiting.length > 0) {
        throw notAllIndexed(waiting);
      }
      return {
        status: 'ready',
        timestamp: now.toISOString(),
        backends: { scip: scip.available, lsp: lsp.available, git: git.available },
      };
    },
    'system.status': async (_, context) => {
      const repository = servedOf(repositories, context);
      const { lsp, git } = await options.backends();
      return {
        status: !isWell(repository) ? 'degraded' : repository.snapshot === undefined ? 'starting' : 'healthy',
        timestamp: context.now.toISOString(),
        repository: { root: repository.record.root, name: nameOf(repository), id: repository.record.id },
        backends: { scip: options.hasPrecise(repository), lsp: lsp.available, git: git.available },
        index: await indexState(repository, options.freshnessMinutes(), context.now),
        tier: tierOf(repository, options.telemetry.isObserved(repository)),
        history: historyState(options.histories.state(repository.record.id)),
        warnings: warningsOf(repository),
      };
    },
    'system.doctor': ({ tier }, context) => options.doctor.examine(tier, servedIfAny(repositories, context), context),
    'system.doctorFix': (_, context) => options.doctor.script(servedIfAny(repositories, context), context),
    'system.metrics': () => options.metrics.exposition(),
    'system.openapi': async () => encodedAnswer(await options.openApi()),
    'system.warmCache': async (_, context) => {
      const { definitions, names } = await options.symbols.warm(context);
      return {
        status: 'completed',
        message: `${context.repository.id} is in memory: ${amount(definitions, 'definition')} under ${amount(names, 'name')}`,
        timestamp: context.now.toISOString(),
      };
    },
    'system.clearCache': async (_, context) => {
      const { id, indexFile } = context.repository;
      const wasKept = await options.symbols.forget(indexFile);
      return {
        status: 'completed',
        message: wasKept ? `${id} was dropped from memory` : `nothing of ${id} was in memory`,
        timestamp: context.now.toISOString(),
      };
    },
  };
}

function historyState({ stored, failure, isReading }: HistoryState) {
  const { head = null, commits = 0, uncounted = 0 } = stored ?? {};
  const isUnborn = stored !== undefined && head === null;
  const reason = failure?.message ?? (isUnborn ? 'nothing has been committed on this branch yet' : '');
  const ended = failure === undefined ? (head === null ? 'none' : 'ready') : failure.isWant ? 'none' : 'failed';
  return {
    status: isReading ? ('reading' as const) : (ended as 'none' | 'ready' | 'failed'),
    commit: head,
    commits,
    uncountedCommits: uncounted,
    reason,
  };
}

/** Precise facts in use make tier standard, calls that are observed in production tier full. */
function tierOf(repository: ServedRepository, isObserved: boolean) {
  if (!isPrecise(repository)) return { current: 'fast' as const, available: ['fast'], missing: ['standard', 'full'] };
  return isObserved
    ? { current: 'full' as const, available: ['fast', 'standard', 'full'], missing: [] }
    : { current: 'standard' as const, available: ['fast', 'standard'], missing: ['full'] };
}

/** Whether its tree is there and what changes in it reaches the index. */
function isWell(repository: ServedRepository): boolean {
  const { failure, follow, unlisted } = repository;
  const isGitRead = !unlisted.some(({ reason }) => reason === 'git_unreadable');
  return failure === undefined && isGitRead && !isGone(repository) && follow?.status().failing !== true;
}

function servedIfAny(repositories: ServedRepositories, context: RequestContext): ServedRepository | undefined {
  return context.withoutRepository === undefined ? servedOf(repositories, context) : undefined;
}

function nameOf({ record }: ServedRepository): string {
  return record.root === '' ? record.id : record.root.slice(record.root.lastIndexOf('/') + 1);
}

async function indexState(repository: ServedRepository, thresholdMinutes: number, now: Date) {
  const reason = await staleness(repository, thresholdMinutes, now);
  const { snapshot } = repository;
  const state = statusOf(repository);
  const status =
    snapshot === undefined
      ? state === 'failed'
        ? ('failed' as const)
        : state === 'missing'
          ? ('missing' as const)
          : ('indexing' as const)
      : state === 'indexing'
        ? ('indexing' as const)
        : reason === undefined
          ? ('fresh' as const)
          : ('stale' as const);
  return {
    status,
    lastIndexed: lastIndexed(repository)?.toISOString() ?? null,
    ageMinutes: ageMinutes(repository, now),
    stale: reason !== undefined,
    reason: reason ?? '',
    snapshotId: snapshot?.snapshotId ?? null,
    symbolCount: snapshot?.counts.symbols ?? 0,
    fileCount: snapshot?.counts.files ?? 0,
  };
}

async function detailedHealth(options: SystemOptions, now: Date) {
  const { facts, repositories } = options;
  const memory = process.memoryUsage();
  const storage = options.storage();
  const { scip, lsp, git } = await options.backends();
  const repos = repositories.list().map(repository => {
    const counts = repository.snapshot?.counts;
    return [
      repository.record.id,
      {
        status: statusOf(repository),
        symbolCount: counts?.symbols ?? 0,
        refCount: counts?.references ?? 0,
        lastIndexed: lastIndexed(repository)?.toISOString() ?? null,
        indexAgeMinutes: ageMinutes(repository, now),
      },
    ] as const;
  });
  return {
    status: repositories.list().every(isWell) ? 'healthy' : 'degraded',
    timestamp: now.toISOString(),
    version: facts.version,
    uptime: durationText(facts.uptimeMs()),
    repos: Object.fromEntries(repos),
    storage: {
      databaseSize: storage.databaseBytes,
      snapshotCount: storage.snapshotCount,
      oldestSnapshot: isoTime(storage.oldestSnapshotAt),
    },
    journal: {
      entryCount: storage.journalEntries,
      oldestEntry: isoTime(storage.oldestJournalAt),
      pendingCompaction: storage.isCompactionPending,
    },
    memory: { allocBytes: memory.rss, heapInUse: memory.heapUsed, goroutines: options.concurrency() },
    backends: { scip, git, lsp: { ...lsp, servers: lsp.servers.map(serverView) } },
  };
}

function serverView({ name, available, latencyMs, languages, problem }: LspHealth) {
  return { name, available, latencyMs, languages: [...languages], ...(problem === undefined ? {} : { problem }) };
}

function isoTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

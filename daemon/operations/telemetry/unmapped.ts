import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { ReadPool } from '../readers/read-pool.ts';
import type { ServedRepositories, ServedRepository } from '../served-repository.ts';
import type { Asked } from '../symbols/answers.ts';
import type { CallsAsked } from './calls-asked.ts';
import type { CallsSummary, ServiceSummary, UnmatchedTold } from './calls-summary.ts';
import type { MappedService, Telemetry } from './telemetry.ts';

type Answer = OutputOf<Operations['telemetry.unmapped']>;
type Unmapped = Answer['services'][number];

export interface UnmappedOptions {
  readonly telemetry: Telemetry;
  readonly repositories: Pick<ServedRepositories, 'list' | 'get'>;
  readonly readPool: Pick<ReadPool, 'callsSummary'>;
}

/** So many repositories are looked through for what services may be of; so many of a service's functions are shown. */
const mostRepositories = 20;

/**
 * Services that neither the configuration, nor their resources, nor a name leads to a repository, and of which nothing matches where
 * they are assumed to belong; with what each repository has of their functions.
 */
export async function unmappedServices(
  options: UnmappedOptions,
  nowMs: number,
  signal: AbortSignal,
): Promise<readonly Unmapped[]> {
  const { telemetry, repositories } = options;
  const doubtful = telemetry.services().filter(({ mapped }) => mapped === undefined || mapped.by === 'assumed');
  if (doubtful.length === 0) return [];
  const looked = repositories
    .list()
    .filter(({ snapshot }) => snapshot !== undefined)
    .slice(0, mostRepositories);
  const summaries = new Map<string, CallsSummary>();
  for (const repository of looked) {
    signal.throwIfAborted();
    summaries.set(repository.record.id, await summaryOf(options, repository, doubtful, nowMs, signal));
  }
  const of = (repo: string | undefined, id: number): ServiceSummary | undefined =>
    repo === undefined ? undefined : summaries.get(repo)?.services.find(one => one.id === id);
  const byName = new Map<string, MappedService[]>();
  for (const one of doubtful) {
    if ((of(one.mapped?.repo, one.id)?.matched ?? 0) > 0) continue;
    byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  }
  return [...byName].map(([name, some]) => unmappedTold(name, some, [...summaries]));
}

/** Of services whose repository is known, the most called functions that are no symbols of it. */
export async function unmatchedFunctions(
  { telemetry, repositories, readPool }: UnmappedOptions,
  nowMs: number,
  signal: AbortSignal,
): Promise<Answer['functions']> {
  const functions: Answer['functions'] = [];
  for (const repository of repositories.list()) {
    const calls = telemetry.asked(repository.record.id);
    if (calls === undefined || repository.snapshot === undefined) continue;
    signal.throwIfAborted();
    const { services } = await readPool.callsSummary(questionOf(repository, calls, nowMs), signal);
    for (const { id, matched, unmatched } of services) {
      const { name = '', by } = calls.services.find(one => one.id === id) ?? {};
      // What is assumed, and matches nothing, is among the services.
      if (by === 'assumed' && matched === 0) continue;
      functions.push(...unmatched.map(one => ({ service: name, repoId: repository.record.id, ...unmatchedTold(one) })));
    }
  }
  return functions.sort((a, b) => b.callCount - a.callCount);
}

function summaryOf(
  { readPool, telemetry: { file } }: UnmappedOptions,
  repository: ServedRepository,
  services: readonly MappedService[],
  nowMs: number,
  signal: AbortSignal,
): Promise<CallsSummary> {
  const calls = {
    file,
    repoUid: repository.registered.uid,
    services: services.map(({ id, name }) => ({ id, name, folder: '', by: 'assumed' as const })),
    ...{ excludePaths: [], excludeNames: [], version: `unmapped ${nowMs}` },
  };
  return readPool.callsSummary(questionOf(repository, calls, nowMs), signal);
}

function questionOf({ record, snapshot }: ServedRepository, calls: CallsAsked, nowMs: number): Asked {
  return {
    repo: { id: record.id, indexFile: record.indexFile, key: record.worktreeKey },
    current: { seq: snapshot!.seq, snapshotId: snapshot!.snapshotId },
    ...{ cursorSecret: '', dirtyFiles: 0, now: nowMs, calls },
  };
}

function unmappedTold(
  name: string,
  some: readonly MappedService[],
  summaries: readonly (readonly [string, CallsSummary])[],
): Unmapped {
  const ids = new Set(some.map(({ id }) => id));
  const each = summaries.map(([repoId, { services }]) => ({ repoId, own: services.filter(({ id }) => ids.has(id)) }));
  const total = (own: readonly ServiceSummary[], key: 'functions' | 'matched' | 'sure'): number =>
    own.reduce((all, one) => all + one[key], 0);
  const wouldMatch = each
    .map(({ repoId, own }) => ({
      ...{ repoId, matched: total(own, 'matched'), exactOrStrong: total(own, 'sure') },
      entry: `[telemetry.services.${JSON.stringify(name)}]\nrepo = ${JSON.stringify(repoId)}`,
    }))
    .filter(({ matched }) => matched > 0)
    .sort((a, b) => b.exactOrStrong - a.exactOrStrong || b.matched - a.matched);
  // Where it would match, what does not match there; else what does not match anywhere.
  const best = each.find(({ repoId }) => repoId === wouldMatch[0]?.repoId) ?? each[0];
  const times = (key: 'firstSeen' | 'lastSeen'): readonly number[] => some.map(one => one[key]);
  return {
    name,
    eventCount: some.reduce((all, { events }) => all + events, 0),
    lastSeen: new Date(Math.max(...times('lastSeen'))).toISOString(),
    firstSeen: new Date(Math.min(...times('firstSeen'))).toISOString(),
    functions: best === undefined ? 0 : total(best.own, 'functions'),
    wouldMatch,
    unmatched: (best?.own ?? []).flatMap(one => one.unmatched.map(unmatchedTold)),
  };
}

function unmatchedTold({
  name,
  namespace,
  file,
  calls,
  because,
  candidates,
}: UnmatchedTold): Unmapped['unmatched'][number] {
  return { name, namespace, filePath: file, callCount: calls, reason: because, candidates: [...candidates] };
}

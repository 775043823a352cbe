import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { StoreError } from '../../store/store-faults.ts';
import type { ReadPool } from '../readers/read-pool.ts';
import type { ServedRepositories, ServedRepository } from '../served-repository.ts';
import type { Asked } from '../symbols/answers.ts';
import { askedIn } from '../symbols/asked-in.ts';
import type { CallsAsked } from './calls-asked.ts';
import type { ServiceSummary, UnmatchedTold } from './calls-summary.ts';
import type { MappedService, Telemetry } from './telemetry.ts';

type Answer = OutputOf<Operations['telemetry.unmapped']>;
type Unmapped = Answer['services'][number];

export interface UnmappedOptions {
  readonly telemetry: Telemetry;
  readonly repositories: Pick<ServedRepositories, 'list'>;
  readonly readPool: Pick<ReadPool, 'callsSummary' | 'strangersIn'>;
}

/** So many repositories are looked through for what services may be of; so many of a service's functions are shown. */
const mostRepositories = 20;

/** What the answer is made of; and what can't be told, for an index can't be read. */
export interface FoundUnmapped extends Pick<Answer, 'services' | 'functions' | 'warnings'> {}

export async function findUnmapped(
  options: UnmappedOptions,
  nowMs: number,
  signal: AbortSignal,
): Promise<FoundUnmapped> {
  const unread = new Set<string>();
  const asking: AskEach = async (repository, calls, ask) => {
    signal.throwIfAborted();
    const asked = askedIn(repository, nowMs, calls);
    try {
      return asked && (await ask(asked, signal));
    } catch (cause) {
      if (!(cause instanceof StoreError)) throw cause;
      unread.add(repository.record.id);
      return undefined;
    }
  };
  const services = await unmappedServices(options, asking);
  const functions = await unmatchedFunctions(options, asking);
  const warnings = [...unread].map(id => `the index of ${id} can't be read: what it has of these services is not told`);
  return { services, functions, warnings };
}

/** Asks one repository; undefined of one without an index that can be read. */
type AskEach = (
  repository: ServedRepository,
  calls: CallsAsked,
  ask: (asked: Asked, signal: AbortSignal) => Promise<readonly ServiceSummary[]>,
) => Promise<readonly ServiceSummary[] | undefined>;

/** Of a repository, by its id, what it has of some services. */
type Summaries = ReadonlyMap<string, readonly ServiceSummary[]>;

/**
 * Services that neither the configuration, nor their resources, nor a name leads to a repository, and of which nothing matches where
 * they are assumed to belong; with what each repository has of their functions.
 */
async function unmappedServices(
  { telemetry, repositories, readPool }: UnmappedOptions,
  asking: AskEach,
): Promise<Unmapped[]> {
  const doubtful = telemetry.services().filter(({ mapped }) => mapped === undefined || mapped.by === 'assumed');
  if (doubtful.length === 0) return [];
  const summaries = new Map<string, readonly ServiceSummary[]>();
  for (const repository of repositories.list()) {
    if (summaries.size === mostRepositories) break;
    const found = await asking(repository, strangersOf(repository, doubtful, telemetry), readPool.strangersIn);
    if (found !== undefined) summaries.set(repository.record.id, found);
  }
  const byName = new Map<string, MappedService[]>();
  for (const one of doubtful) {
    const found = summaries.get(one.mapped?.repo ?? '')?.find(({ id }) => id === one.id);
    if ((found?.matched ?? 0) > 0) continue;
    byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  }
  return [...byName].map(([name, some]) => unmappedTold(name, some, summaries));
}

/** Of services whose repository is known, the most called functions that are no symbols of it. */
async function unmatchedFunctions(
  { telemetry, repositories, readPool }: UnmappedOptions,
  asking: AskEach,
): Promise<Answer['functions']> {
  const functions: Answer['functions'] = [];
  const summary = async (asked: Asked, signal: AbortSignal) => (await readPool.callsSummary(asked, signal)).services;
  for (const repository of repositories.list()) {
    const repoId = repository.record.id;
    const calls = telemetry.asked(repoId);
    if (calls === undefined) continue;
    for (const { id, isOwn, unmatched } of (await asking(repository, calls, summary)) ?? []) {
      const { name = '' } = calls.services.find(one => one.id === id) ?? {};
      // What is assumed, and matches nothing, is among the services.
      if (isOwn) functions.push(...unmatched.map(one => ({ service: name, repoId, ...unmatchedTold(one) })));
    }
  }
  return functions.sort((a, b) => b.callCount - a.callCount);
}

function strangersOf(
  { registered }: ServedRepository,
  doubtful: readonly MappedService[],
  { file, version }: Telemetry,
): CallsAsked {
  const services = doubtful.map(({ id, name }) => ({ id, name, folder: '', by: 'assumed' as const }));
  return {
    ...{ file, services, repoUid: registered.uid, excludePaths: [], excludeNames: [] },
    // Whose services are doubtful changes with the map, too.
    version: JSON.stringify([version, services.map(({ id }) => id)]),
  };
}

function unmappedTold(name: string, some: readonly MappedService[], summaries: Summaries): Unmapped {
  const ids = new Set(some.map(({ id }) => id));
  const each = [...summaries].map(([repoId, services]) => ({ repoId, own: services.filter(({ id }) => ids.has(id)) }));
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

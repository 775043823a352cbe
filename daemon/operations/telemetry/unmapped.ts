import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { tomlText } from '../../model/toml-text.ts';
import { StoreError } from '../../store/store-faults.ts';
import type { ReadPool } from '../readers/read-pool.ts';
import type { ServedRepositories, ServedRepository } from '../served-repository.ts';
import type { Asked } from '../symbols/answers.ts';
import { askedIn } from '../symbols/asked-in.ts';
import type { CallsAsked } from './calls-asked.ts';
import type { CallsSummary, ServiceSummary, UnmatchedTold } from './calls-summary.ts';
import type { MappedService, Telemetry } from './telemetry.ts';

type Answer = OutputOf<Operations['telemetry.unmapped']>;
type Unmapped = Answer['services'][number];

export interface UnmappedOptions {
  readonly telemetry: Telemetry;
  readonly repositories: Pick<ServedRepositories, 'list'>;
  readonly readPool: Pick<ReadPool, 'callsSummary' | 'strangersIn'>;
}

/** So many repositories are looked through for what services may be of. */
const mostRepositories = 20;
/** In each, so many functions of all these services together: the most called of each service, which say enough of where it is from. */
const mostFunctions = 5000;

export interface UnmappedAsked {
  readonly nowMs: number;
  /** How many services, and how many functions, are told of. */
  readonly limit: number;
}

/** What the answer is made of; and what can't be told, for an index can't be read. */
export interface FoundUnmapped extends Pick<Answer, 'services' | 'total' | 'functions' | 'warnings'> {}

/**
 * Services that neither the configuration, nor their resources, nor a name leads to a repository that is registered, and of which nothing
 * matches where they are assumed to belong. What each repository has of their functions is looked up for those alone that are told of: there may be
 * thousands.
 */
export async function findUnmapped(
  options: UnmappedOptions,
  { nowMs, limit }: UnmappedAsked,
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
  const known = await knownServices(options, asking);
  const byName = doubtfulByName(options, known);
  const shown = [...byName].slice(0, limit);
  const strangers = await strangersIn(
    options,
    shown.flatMap(([, some]) => some),
    asking,
  );
  const services = shown.map(([name, some]) => unmappedTold(name, some, strangers));
  const warnings = [...unread].map(id => `the index of ${id} can't be read: what it has of these services is not told`);
  return { services, total: byName.size, functions: unmatchedTold(known).slice(0, limit), warnings };
}

/** Asks one repository; undefined of one without an index that can be read. */
type AskEach = <Told>(
  repository: ServedRepository,
  calls: CallsAsked,
  ask: (asked: Asked, signal: AbortSignal) => Promise<Told>,
) => Promise<Told | undefined>;

/** What a repository has of the services that are said to be its own. */
interface Known {
  readonly repoId: string;
  readonly calls: CallsAsked;
  readonly summary: CallsSummary;
}

async function knownServices(
  { telemetry, repositories, readPool }: UnmappedOptions,
  asking: AskEach,
): Promise<readonly Known[]> {
  const found: Known[] = [];
  for (const repository of repositories.list()) {
    const repoId = repository.record.id;
    const calls = telemetry.asked(repoId);
    const summary = calls && (await asking(repository, calls, readPool.callsSummary));
    if (calls !== undefined && summary !== undefined) found.push({ repoId, calls, summary });
  }
  return found;
}

function doubtfulByName(
  { telemetry }: UnmappedOptions,
  known: readonly Known[],
): ReadonlyMap<string, readonly MappedService[]> {
  const own = new Set(
    known.flatMap(({ summary }) => summary.services.filter(({ isOwn }) => isOwn).map(({ id }) => id)),
  );
  const byName = new Map<string, MappedService[]>();
  for (const one of telemetry.services()) {
    const isKnown = one.mapped !== undefined && (one.mapped.by !== 'assumed' || own.has(one.id));
    if (isKnown) continue;
    const same = byName.get(one.name);
    if (same === undefined) byName.set(one.name, [one]);
    else same.push(one);
  }
  return byName;
}

/** What a repository has of some services, by their ids. */
interface Strangers {
  readonly repoId: string;
  readonly services: ReadonlyMap<number, ServiceSummary>;
  readonly unmatched: readonly UnmatchedTold[];
}

async function strangersIn(
  { telemetry, repositories, readPool }: UnmappedOptions,
  doubtful: readonly MappedService[],
  asking: AskEach,
): Promise<readonly Strangers[]> {
  const found: Strangers[] = [];
  if (doubtful.length === 0) return found;
  for (const repository of repositories.list()) {
    if (found.length === mostRepositories) break;
    const told = await asking(repository, strangersOf(repository, doubtful, telemetry), readPool.strangersIn);
    if (told === undefined) continue;
    const services = new Map(told.services.map(one => [one.id, one]));
    found.push({ repoId: repository.record.id, services, unmatched: told.unmatched });
  }
  return found;
}

/** Of services whose repository is known, the most called functions that are no symbols of it. */
function unmatchedTold(known: readonly Known[]): Answer['functions'] {
  return known
    .flatMap(({ repoId, calls, summary }) => {
      const names = new Map(calls.services.map(({ id, name }) => [id, name]));
      return summary.unmatched.map(one => ({ service: names.get(one.service) ?? '', repoId, ...functionTold(one) }));
    })
    .sort((a, b) => b.callCount - a.callCount);
}

function strangersOf(
  { registered }: ServedRepository,
  doubtful: readonly MappedService[],
  { file, version }: Telemetry,
): CallsAsked {
  const services = doubtful.map(({ id, name }) => ({ id, name, folder: '', by: 'assumed' as const }));
  return {
    ...{ file, services, repoUid: registered.uid, excludePaths: [], excludeNames: [] },
    mostOfEach: Math.ceil(mostFunctions / services.length),
    // Whose services are doubtful changes with the map, too.
    version: JSON.stringify([version, services.map(({ id }) => id)]),
  };
}

function unmappedTold(name: string, some: readonly MappedService[], strangers: readonly Strangers[]): Unmapped {
  const ids = new Set(some.map(({ id }) => id));
  const each = strangers.map(({ repoId, services, unmatched }) => ({
    repoId,
    own: some.flatMap(({ id }) => services.get(id) ?? []),
    unmatched: () => unmatched.filter(({ service }) => ids.has(service)),
  }));
  const total = (own: readonly ServiceSummary[], key: 'functions' | 'matched' | 'sure'): number =>
    own.reduce((all, one) => all + one[key], 0);
  const wouldMatch = each
    .map(({ repoId, own }) => ({
      ...{ repoId, matched: total(own, 'matched'), exactOrStrong: total(own, 'sure') },
      entry: `[telemetry.services.${tomlText(name)}]\nrepo = ${tomlText(repoId)}`,
    }))
    .filter(({ matched }) => matched > 0)
    .sort((a, b) => b.exactOrStrong - a.exactOrStrong || b.matched - a.matched);
  // Where it would match, what does not match there; else what does not match anywhere.
  const best = each.find(({ repoId }) => repoId === wouldMatch[0]?.repoId) ?? each[0];
  const times = (key: 'firstSeen' | 'lastSeen'): readonly number[] => some.map(one => one[key]);
  return {
    name,
    ...reasonOf(some),
    eventCount: some.reduce((all, { events }) => all + events, 0),
    lastSeen: new Date(Math.max(...times('lastSeen'))).toISOString(),
    firstSeen: new Date(Math.min(...times('firstSeen'))).toISOString(),
    functions: best === undefined ? 0 : total(best.own, 'functions'),
    wouldMatch,
    unmatched: (best?.unmatched() ?? []).map(functionTold),
  };
}

/** What one name is told of under is mapped alike by the configuration. */
function reasonOf(some: readonly MappedService[]): Pick<Unmapped, 'reason' | 'mappedTo'> {
  const astray = some.find(one => one.astray !== undefined)?.astray;
  if (astray !== undefined) return { reason: 'unregistered', mappedTo: astray };
  const assumed = some.find(({ mapped }) => mapped !== undefined)?.mapped;
  return assumed === undefined
    ? { reason: 'unknown', mappedTo: null }
    : { reason: 'unmatched', mappedTo: assumed.repo };
}

function functionTold({
  name,
  namespace,
  file,
  calls,
  because,
  candidates,
}: UnmatchedTold): Unmapped['unmatched'][number] {
  return { name, namespace, filePath: file, callCount: calls, reason: because, candidates: [...candidates] };
}

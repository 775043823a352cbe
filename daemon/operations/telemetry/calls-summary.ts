import {
  type Coverage,
  type CoveredFunction,
  coverageOf,
  type Lacking,
  lackingIn,
} from '../../analysis/usage/coverage.ts';
import { observedName } from '../../analysis/usage/observed-name.ts';
import { symbolId } from '../../model/identity.ts';
import type { MatchQuality, UnmatchedReason } from '../../model/usage.ts';
import type { StoredFunction } from '../../store/telemetry/call-reader.ts';
import type { RememberedMatch } from '../../store/telemetry/call-store.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { type CallsOfSnapshot, callsOf, callsOfStrangers } from './matched-calls.ts';

/** What services reported, as far as it is of one repository. */
export interface CallsSummary {
  readonly services: readonly ServiceSummary[];
  /** Of functions of its own services. */
  readonly counts: Readonly<Record<MatchQuality | UnmatchedReason, number>>;
  readonly coverage: Coverage;
  readonly lacking: Lacking;
  /** Days on which its own services reported. */
  readonly observationDays: number;
  /** Of its own services the functions that match nothing, the most called first. */
  readonly unmatched: readonly UnmatchedTold[];
}

export interface ServiceSummary {
  readonly id: number;
  /** It is said to be of the repository, or something of it matches. */
  readonly isOwn: boolean;
  readonly functions: number;
  readonly matched: number;
  /** Exact or strong. */
  readonly sure: number;
}

/** What a repository has of services that may be anybody's. */
export interface StrangersSummary extends Pick<CallsSummary, 'services' | 'unmatched'> {}

export interface UnmatchedTold extends Pick<StoredFunction, 'service' | 'name' | 'namespace' | 'file' | 'calls'> {
  readonly because: UnmatchedReason;
  readonly candidates: readonly string[];
}

/** Of each service, and of all together. */
const mostUnmatched = 20;
const mostUnmatchedInAll = 2000;
const mostCandidates = 10;

export const noCalls: CallsSummary = {
  services: [],
  counts: { exact: 0, strong: 0, weak: 0, anonymous: 0, absent: 0, ambiguous: 0, foreign: 0 },
  coverage: { attribute: 0, match: 0, service: 0, overall: 0, level: 'insufficient' },
  lacking: { functions: 0, file: 0, place: 0 },
  observationDays: 0,
  unmatched: [],
};

export function callsSummary(of: AnalysedSnapshot): CallsSummary {
  const calls = callsOf(of);
  if (calls === undefined) return noCalls;
  const own = matchedServices(calls);
  const counts = { ...noCalls.counts };
  for (const { stored, found } of functionsIn(calls)) if (own.has(stored.service)) counts[found]++;
  return {
    services: servicesIn(calls),
    counts,
    coverage: coverageIn(calls),
    lacking: lackingIn(coveredIn(calls, own)),
    observationDays: observationDaysOf(calls, own).length,
    unmatched: mostCalled(of, calls, own),
  };
}

export function strangersIn(of: AnalysedSnapshot): StrangersSummary {
  const calls = callsOfStrangers(of);
  if (calls === undefined) return { services: [], unmatched: [] };
  const all = new Set(calls.asked.services.map(({ id }) => id));
  return { services: servicesIn(calls), unmatched: mostCalled(of, calls, all) };
}

/** What functions of a repository are now, where something else is remembered of them. */
export function changedMatches(of: AnalysedSnapshot): readonly RememberedMatch[] {
  const calls = callsOf(of);
  if (calls === undefined) return [];
  const { repoUid } = calls.asked;
  return [...calls.all().symbols.values()].flatMap(({ hash: symbol, functions }) =>
    functions
      .filter(({ stored: { was }, quality }) => {
        return was?.repoUid !== repoUid || was.symbol !== symbol || was.quality !== quality;
      })
      .map(({ stored: { id }, quality }) => ({ id, repoUid, symbol, quality })),
  );
}

interface FoundFunction {
  readonly stored: StoredFunction;
  readonly found: MatchQuality | UnmatchedReason;
}

function functionsIn(calls: CallsOfSnapshot): readonly FoundFunction[] {
  const { symbols, unmatched } = calls.all();
  const matched = [...symbols.values()].flatMap(({ functions }) => functions);
  return [
    ...matched.map(({ stored, quality }) => ({ stored, found: quality })),
    ...unmatched.map(({ stored, because }) => ({ stored, found: because })),
  ];
}

function servicesIn(calls: CallsOfSnapshot): readonly ServiceSummary[] {
  const own = matchedServices(calls);
  const counts = new Map(calls.asked.services.map(({ id }) => [id, { functions: 0, matched: 0, sure: 0 }]));
  for (const { stored, found } of functionsIn(calls)) {
    const service = counts.get(stored.service)!;
    service.functions++;
    if (found === 'exact' || found === 'strong') service.sure++;
    if (found === 'exact' || found === 'strong' || found === 'weak') service.matched++;
  }
  return [...counts].map(([id, count]) => ({ id, isOwn: own.has(id), ...count }));
}

/** Coverage of a repository. Services that were sent for it, and of which nothing matches, may be its own all the same. */
export function coverageIn(calls: CallsOfSnapshot): Coverage {
  const own = matchedServices(calls);
  const lost = calls.asked.services.filter(({ id }) => !own.has(id)).length;
  return coverageOf({ functions: coveredIn(calls, own), knownServices: own.size, unknownServices: lost });
}

/** Those that are said to be of the repository, and those of which something matches. */
export function matchedServices(calls: CallsOfSnapshot): ReadonlySet<number> {
  const known = new Set(calls.asked.services.filter(({ by }) => by !== 'assumed').map(({ id }) => id));
  for (const { functions } of calls.all().symbols.values())
    for (const { stored } of functions) known.add(stored.service);
  return known;
}

export function observationDaysOf(calls: CallsOfSnapshot, services: ReadonlySet<number>): readonly number[] {
  return calls.reader.reportedDays([...services]);
}

function coveredIn(calls: CallsOfSnapshot, services: ReadonlySet<number>): readonly CoveredFunction[] {
  return functionsIn(calls)
    .filter(({ stored }) => services.has(stored.service))
    .map(({ stored: { file, line, name, namespace }, found }) => {
      return { file, line, found, isQualified: (observedName(name, namespace)?.qualifier.length ?? 0) > 0 };
    });
}

function mostCalled(
  { asked }: AnalysedSnapshot,
  calls: CallsOfSnapshot,
  services: ReadonlySet<number>,
): readonly UnmatchedTold[] {
  const told = new Map<number, number>();
  return calls
    .all()
    .unmatched.filter(({ stored }) => services.has(stored.service))
    .sort((a, b) => b.stored.calls - a.stored.calls || a.stored.id - b.stored.id)
    .filter(({ stored: { service } }) => {
      const count = (told.get(service) ?? 0) + 1;
      told.set(service, count);
      return count <= mostUnmatched;
    })
    .slice(0, mostUnmatchedInAll)
    .map(({ stored: { service, name, namespace, file, calls: count }, because, candidates }) => ({
      ...{ service, name, namespace, file, calls: count, because },
      candidates: candidates(mostCandidates).map(hash => symbolId(asked.repo.id, hash)),
    }));
}

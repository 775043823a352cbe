import { type Coverage, type CoveredFunction, coverageOf } from '../../analysis/usage/coverage.ts';
import { observedName } from '../../analysis/usage/observed-name.ts';
import { symbolId } from '../../model/identity.ts';
import type { MatchQuality, UnmatchedReason } from '../../model/usage.ts';
import type { StoredFunction } from '../../store/telemetry/call-reader.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { type CallsOfSnapshot, callsOf } from './matched-calls.ts';

/** What services reported, as far as it is of one repository. */
export interface CallsSummary {
  readonly services: readonly ServiceSummary[];
  readonly counts: Readonly<Record<MatchQuality | UnmatchedReason, number>>;
  readonly coverage: Coverage;
  /** Days on which those of its services reported that are known to be of it. */
  readonly observationDays: number;
  /** What its functions are now, to be remembered. */
  readonly matches: readonly { readonly id: number; readonly symbol: string; readonly quality: MatchQuality }[];
}

export interface ServiceSummary {
  readonly id: number;
  readonly functions: number;
  readonly matched: number;
  /** Exact or strong. */
  readonly sure: number;
  /** The most called ones that match nothing. */
  readonly unmatched: readonly UnmatchedTold[];
}

export interface UnmatchedTold extends Pick<StoredFunction, 'name' | 'namespace' | 'file' | 'calls'> {
  readonly because: UnmatchedReason;
  readonly candidates: readonly string[];
}

const mostUnmatched = 20;
const mostCandidates = 10;

export const noCalls: CallsSummary = {
  services: [],
  counts: { exact: 0, strong: 0, weak: 0, anonymous: 0, absent: 0, ambiguous: 0, foreign: 0 },
  coverage: { attribute: 0, match: 0, service: 0, overall: 0, level: 'insufficient' },
  observationDays: 0,
  matches: [],
};

export function callsSummary(of: AnalysedSnapshot): CallsSummary {
  const calls = callsOf(of);
  if (calls === undefined) return noCalls;
  const { symbols, unmatched } = calls.all();
  const counts = { ...noCalls.counts };
  const services = new Map(calls.asked.services.map(({ id }) => [id, { id, functions: 0, matched: 0, sure: 0 }]));
  const matches: CallsSummary['matches'][number][] = [];
  const note = (stored: StoredFunction, found: MatchQuality | UnmatchedReason): void => {
    counts[found]++;
    services.get(stored.service)!.functions++;
  };
  for (const { hash, functions } of symbols.values()) {
    for (const { stored, quality } of functions) {
      note(stored, quality);
      const service = services.get(stored.service)!;
      service.matched++;
      if (quality !== 'weak') service.sure++;
      if (stored.was?.symbol !== hash || stored.was.quality !== quality)
        matches.push({ id: stored.id, symbol: hash, quality });
    }
  }
  for (const { stored, because } of unmatched) note(stored, because);
  return {
    services: [...services.values()].map(one => ({ ...one, unmatched: mostCalled(of, calls, one.id) })),
    counts,
    coverage: coverageIn(calls),
    observationDays: observationDaysOf(calls, matchedServices(calls)).length,
    matches,
  };
}

/** Coverage of a repository. Services that were sent for it, and of which nothing matches, may be its own all the same. */
export function coverageIn(calls: CallsOfSnapshot): Coverage {
  const { symbols, unmatched } = calls.all();
  const known = matchedServices(calls);
  const functions = [
    ...[...symbols.values()].flatMap(({ functions: some }) =>
      some.map(({ stored, quality }) => coveredFunction(stored, quality)),
    ),
    ...unmatched
      .filter(({ stored }) => known.has(stored.service))
      .map(({ stored, because }) => coveredFunction(stored, because)),
  ];
  const lost = calls.asked.services.filter(({ id }) => !known.has(id)).length;
  return coverageOf({ functions, knownServices: known.size, unknownServices: lost });
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

function coveredFunction(stored: StoredFunction, found: MatchQuality | UnmatchedReason): CoveredFunction {
  const { file, line, name, namespace } = stored;
  return { file, line, found, isQualified: (observedName(name, namespace)?.qualifier.length ?? 0) > 0 };
}

function mostCalled({ asked }: AnalysedSnapshot, calls: CallsOfSnapshot, service: number): readonly UnmatchedTold[] {
  return calls
    .all()
    .unmatched.filter(({ stored }) => stored.service === service)
    .sort((a, b) => b.stored.calls - a.stored.calls || a.stored.id - b.stored.id)
    .slice(0, mostUnmatched)
    .map(({ stored: { name, namespace, file, calls: count }, because, candidates }) => ({
      ...{ name, namespace, file, calls: count, because },
      candidates: candidates()
        .slice(0, mostCandidates)
        .map(hash => symbolId(asked.repo.id, hash)),
    }));
}

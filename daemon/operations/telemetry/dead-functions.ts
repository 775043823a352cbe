import type { Coverage } from '../../analysis/usage/coverage.ts';
import {
  type DeadClaim,
  deadClaim,
  type ReportedFunction,
  type StaticEvidence,
  type Surroundings,
  silentFrom,
  staticEvidence,
} from '../../analysis/usage/dead-code.ts';
import { fitsPattern } from '../../analysis/usage/service-map.ts';
import { fitsGlob } from '../../model/fits-glob.ts';
import { isVendored } from '../../model/foreign.ts';
import { atTop, type GraphSite, isOfTests, keyOf, kindOfDefinition } from '../../model/graph.ts';
import { type MatchQuality, matchQualities } from '../../model/usage.ts';
import type { ShownDefinition } from '../../store/graph/snapshot-graph.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { isInScope } from '../scope.ts';
import { calledByStrangers } from './called-by-strangers.ts';
import { type CalledGraph, calledGraph, type FoundUsers, isFunctionWithBody } from './called-graph.ts';
import { type CallsOfSnapshot, type ObservedSymbol, observedIn } from './matched-calls.ts';
import { type ReportedDays, reportedDays } from './reported-days.ts';
import type { WrittenOn } from './written-on.ts';

/** A function that may be dead, and what that is said by. */
export interface Claimed {
  readonly shown: ShownDefinition;
  readonly claim: DeadClaim;
  readonly staticRefs: number;
  readonly testRefs: number;
  readonly observed: ObservedSymbol | undefined;
}

/** What came of looking at all functions of a scope. */
export interface Looked {
  readonly claims: readonly Claimed[];
  readonly analysed: number;
  /** Those that were called. */
  readonly observed: number;
  /** Those of which telemetry can say nothing. */
  readonly unobserved: number;
  readonly excluded: number;
  /** Of those unobserved, those that services of no known repository would call, and the ids of these. */
  readonly strange: { readonly functions: number; readonly services: ReadonlySet<number> };
  /** See `CalledGraph`. */
  readonly density: number;
  /** See `Observation`: of the repository, whatever the scope. */
  readonly reportedShare: number;
}

/** What of an answer is asked for. */
export interface LookingFor {
  readonly coverage: Coverage;
  readonly scope: string | undefined;
  /** Of claims that are as sure it is found out since when their functions are there. */
  readonly minConfidence: number;
  /** Undefined where nothing tells. */
  readonly written: WrittenOn | undefined;
}

/** Looks at all functions below a path, or of the repository, as far as telemetry says something of them. */
export function deadFunctions(of: AnalysedSnapshot, calls: CallsOfSnapshot, wanted: LookingFor): Looked {
  const observed = observedIn(of.graph, calls);
  const reported = reportedDays(calls);
  const called = new Set([...observed].filter(([, one]) => isCalled(one, reported)).map(([symbol]) => symbol));
  const strangers = calledByStrangers(of, calls);
  const unsettled = calledAmbiguously(of, calls);
  const perhaps = new Set([...strangers.symbols, ...unsettled]);
  const running = calledGraph(of, { called, reported: new Set(observed.keys()), perhaps });
  const all = functionsOf(of, calls, called);
  const isAsked = (site: GraphSite): boolean => isInScope(site.in.path, wanted.scope);
  const functions = all.functions.filter(isAsked);
  const silent = functions.filter(site => !running.isAlive(site));
  const files = seenInFiles(all.functions, observed, called);
  const strange = silent.map(strangers.callersOf).filter(({ size }) => size > 0);
  const asked = silent.flatMap((site): Questioned[] => {
    if (strangers.callersOf(site).size > 0 || unsettled.has(keyOf(site))) return [];
    const question = { site, one: observed.get(keyOf(site)), file: files.get(site.in.path)! };
    const days = daysOf(question, reported, 0);
    return days === 0 ? [] : [{ ...question, days }];
  });
  const reportedShare = reportedShareOf(files);
  const claims = claimsOf(of, asked, { ...wanted, reported, running, reportedShare });
  return {
    claims,
    analysed: functions.length,
    observed: functions.length - silent.length,
    unobserved: silent.length - claims.length,
    excluded: all.excluded.filter(isAsked).length,
    strange: { functions: strange.length, services: new Set(strange.flatMap(services => [...services])) },
    density: running.density,
    reportedShare,
  };
}

/** What is claimed of functions; nothing of those that nobody could have seen since they were written. */
function claimsOf(of: AnalysedSnapshot, asked: readonly Questioned[], by: ClaimedBy): readonly Claimed[] {
  const { coverage, minConfidence, written, reported, running } = by;
  const usersOf = usersIn(running);
  const evidence = evidenceOf(of, asked, usersOf);
  const claimOf = ({ site, one, file, days }: Questioned, isYoung: boolean): DeadClaim => {
    const [users, said] = [usersOf(keyOf(site)), evidence.get(keyOf(site))!];
    const question = { reported: reportedOf(one, reported), users, surroundings: file, said, days, isYoung };
    return deadClaim(question, { coverage, reportedShare: by.reportedShare, density: running.density });
  };
  return asked.flatMap((question): Claimed[] => {
    const { site, one, days } = question;
    const claim = claimOf(question, false);
    const isSure = claim.confidence >= minConfidence;
    const since = isSure && written !== undefined ? daysSince(question, reported, written.dayOf(site)) : days;
    if (since === 0) return [];
    const { alive, perhaps, silent, tests } = usersOf(keyOf(site));
    return [
      {
        shown: of.graph.shown(site),
        claim: since === days ? claim : claimOf({ ...question, days: since }, true),
        ...{ staticRefs: alive + perhaps + silent, testRefs: tests, observed: one },
      },
    ];
  });
}

interface ClaimedBy extends LookingFor {
  readonly reported: ReportedDays;
  readonly reportedShare: number;
  readonly running: CalledGraph;
}

interface Questioned {
  readonly site: GraphSite;
  readonly one: ObservedSymbol | undefined;
  readonly file: SeenInFile;
  readonly days: number;
}

/** Of what is called and fits several definitions alike, so many functions are looked at, the most called first. */
const mostAmbiguous = 1000;

/** Symbols that may be what services call where what they say fits several. */
function calledAmbiguously({ graph }: AnalysedSnapshot, calls: CallsOfSnapshot): ReadonlySet<number> {
  const found = calls
    .all()
    .unmatched.filter(({ because, stored }) => because === 'ambiguous' && stored.calls > 0)
    .sort((a, b) => b.stored.calls - a.stored.calls)
    .slice(0, mostAmbiguous);
  return new Set(found.flatMap(one => one.candidates()).flatMap(hash => graph.numberOf(hash) ?? []));
}

function isCalled(one: ObservedSymbol, reported: ReportedDays): boolean {
  const days = reported.silent(one);
  return days !== undefined && days < silentFrom;
}

/** Functions and methods that somebody wrote to be run, each once, where it is shown. */
function functionsOf(
  of: AnalysedSnapshot,
  { asked }: CallsOfSnapshot,
  called: ReadonlySet<number>,
): { readonly functions: readonly GraphSite[]; readonly excluded: readonly GraphSite[] } {
  const { graph } = of;
  const functions: GraphSite[] = [];
  const excluded: GraphSite[] = [];
  for (const one of graph.documents()) {
    if (one.isTest || isVendored(one.path)) continue;
    const isPathExcluded = asked.excludePaths.some(glob => fitsGlob(glob, one.path));
    for (let at = 0; at < one.symbols.length; at++) {
      const site = { in: one, at };
      if (!isFunctionWithBody(site) || isOfTests(site) || graph.sitesOf(one.symbols[at]!)[0]?.in !== one) continue;
      if (!called.has(one.symbols[at]!) && (isPathExcluded || isNameExcluded(of, site, asked.excludeNames))) {
        excluded.push(site);
      } else functions.push(site);
    }
  }
  return { functions, excluded };
}

/** What languages and runtimes call by name, and what the configuration says. */
const byLanguage =
  /^(?:main|init|__\w{1,100}__|toString|toJSON|valueOf|hashCode|equals|finalize|Dispose|String|Error)$/;

function isNameExcluded(of: AnalysedSnapshot, site: GraphSite, patterns: readonly string[]): boolean {
  const { name, containers } = of.graph.shown(site);
  if (byLanguage.test(name)) return true;
  const whole = [...containers, name].join('.');
  return patterns.some(pattern => fitsPattern(pattern, name) || fitsPattern(pattern, whole));
}

/** What was reported of one file. */
interface SeenInFile extends Surroundings {
  /** Who reported any of it, and since which day. */
  readonly services: ReadonlySet<number>;
  readonly firstDay: number;
}

function seenInFiles(
  functions: readonly GraphSite[],
  observed: ReadonlyMap<number, ObservedSymbol>,
  called: ReadonlySet<number>,
): ReadonlyMap<string, SeenInFile> {
  const files = new Map<string, GraphSite[]>();
  for (const site of functions) {
    const known = files.get(site.in.path);
    if (known === undefined) files.set(site.in.path, [site]);
    else known.push(site);
  }
  return new Map([...files].map(([path, sites]) => [path, seenAt(sites, observed, called)]));
}

/** Of the functions of files of which any was called, those that were reported. */
function reportedShareOf(files: ReadonlyMap<string, SeenInFile>): number {
  let [functions, reported] = [0, 0];
  for (const { fileCalled, fileFunctions, fileReported } of files.values()) {
    if (fileCalled === 0) continue;
    functions += fileFunctions;
    reported += fileReported;
  }
  return functions === 0 ? 0 : reported / functions;
}

function seenAt(
  sites: readonly GraphSite[],
  observed: ReadonlyMap<number, ObservedSymbol>,
  called: ReadonlySet<number>,
): SeenInFile {
  const reported = sites.flatMap(site => observed.get(keyOf(site)) ?? []);
  const rows = reported.flatMap(({ functions }) => functions);
  return {
    fileCalled: sites.filter(site => called.has(keyOf(site))).length,
    fileFunctions: sites.length,
    fileReported: reported.length,
    fileQuality: mostOf(reported.map(({ functions }) => functions[0]!.quality)),
    services: new Set(rows.map(({ stored }) => stored.service)),
    firstDay: rows.reduce((first, { stored }) => Math.min(first, stored.firstDay), Number.POSITIVE_INFINITY),
  };
}

/** The quality of most; of some that are as many the least. */
function mostOf(all: readonly MatchQuality[]): MatchQuality {
  const count = (quality: MatchQuality): number => all.filter(one => one === quality).length;
  return matchQualities.reduce((most, one) => (count(one) >= count(most) ? one : most));
}

/**
 * On how many days from one on a function would have been seen: those on which who reported it did so, or who reported others of its
 * file, if any of these were called. A service that has not run the file says nothing of it.
 */
function daysOf({ one, file }: Pick<Questioned, 'one' | 'file'>, reported: ReportedDays, from: number): number {
  if (one !== undefined) {
    const rows = one.functions.map(({ stored }) => stored);
    const firstDay = Math.min(...rows.map(row => row.firstDay));
    return reported.since(new Set(rows.map(row => row.service)), Math.max(from, firstDay));
  }
  return file.fileCalled === 0 ? 0 : reported.since(file.services, Math.max(from, file.firstDay));
}

/** The same since it was written: calls of that day may be of what ran before. None where it may be of this moment. */
function daysSince(question: Questioned, reported: ReportedDays, written: number | undefined): number {
  return written === undefined ? 0 : daysOf(question, reported, written + 1);
}

function usersIn(running: CalledGraph): (symbol: number) => FoundUsers {
  const known = new Map<number, FoundUsers>();
  return symbol => {
    const users = known.get(symbol) ?? running.usersOf(symbol);
    known.set(symbol, users);
    return users;
  };
}

/** What the code says of functions, and of all that alone use them. */
function evidenceOf(
  of: AnalysedSnapshot,
  asked: readonly Questioned[],
  usersOf: (symbol: number) => FoundUsers,
): ReadonlyMap<number, StaticEvidence> {
  const places = new Map<number, number>();
  // Those that are found on the way are gone through as well.
  const symbols = new Set(asked.map(({ site }) => keyOf(site)));
  for (const symbol of symbols) {
    places.set(symbol, places.size);
    for (const user of usersOf(symbol).silentUsers) symbols.add(user);
  }
  const evidence = staticEvidence(
    [...symbols].map(symbol => {
      const users = usersOf(symbol);
      const [site] = of.graph.sitesOf(symbol);
      const silentUsers = Array.from(users.silentUsers, user => places.get(user)!);
      return { users, silentUsers, isCalledFromOutside: site !== undefined && isCalledFromOutside(of, site) };
    }),
  );
  return new Map(Array.from(symbols, (symbol, at) => [symbol, evidence[at]!]));
}

function reportedOf(one: ObservedSymbol | undefined, reported: ReportedDays): ReportedFunction | undefined {
  const [best] = one?.functions ?? [];
  return one === undefined || best === undefined
    ? undefined
    : { quality: best.quality, silentDays: reported.silent(one) };
}

/** A mark has it found, or its type is somebody else's in part, who may call what it overrides. */
function isCalledFromOutside({ graph }: AnalysedSnapshot, site: GraphSite): boolean {
  if (graph.finderOf(site) !== undefined) return true;
  const container = site.in.containers[site.at]!;
  if (container === atTop || !types.has(kindOfDefinition(site.in, container))) return false;
  return graph.foreignBasesOf({ in: site.in, at: container }).length > 0;
}

const types: ReadonlySet<string> = new Set(['class', 'struct', 'interface', 'trait', 'object', 'enum']);

import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { Coverage } from '../../analysis/usage/coverage.ts';
import {
  type DeadClaim,
  deadClaim,
  type ReportedFunction,
  type StaticEvidence,
  silentFrom,
  staticEvidence,
} from '../../analysis/usage/dead-code.ts';
import { fits, fitsGlob } from '../../model/fits-glob.ts';
import { isVendored } from '../../model/foreign.ts';
import { atTop, type GraphSite, isOfTests, keyOf, kindOfDefinition } from '../../model/graph.ts';
import { symbolId } from '../../model/identity.ts';
import { dayOf } from '../../model/usage.ts';
import type { ShownDefinition } from '../../store/graph/snapshot-graph.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { isInScope, scopeIn } from '../scope.ts';
import { completeness } from '../symbols/answers.ts';
import { type CalledGraph, calledGraph, isFunctionWithBody } from './called-graph.ts';
import { coverageIn, matchedServices, noCalls, observationDaysOf } from './calls-summary.ts';
import { type CallsOfSnapshot, callsOf, type ObservedSymbol } from './matched-calls.ts';
import { dateOf } from './usage.ts';

type Input = InputOf<Operations['telemetry.deadCode']>;
type Output = OutputOf<Operations['telemetry.deadCode']>;

/** Functions that production never calls. Throws `invalidParameter` for a scope in which nothing lies. */
export function deadCodeAnswer(of: AnalysedSnapshot, { minConfidence, limit, scope: asked }: Input): Output {
  const { graph, snapshot } = of;
  const scope = scopeIn(
    graph.documents().map(({ path }) => path),
    asked,
  );
  const calls = callsOf(of);
  const coverage = calls === undefined ? noCalls.coverage : coverageIn(calls);
  const days = calls === undefined ? 0 : observationDaysOf(calls, matchedServices(calls)).length;
  const isCovered = coverage.level === 'high' || coverage.level === 'medium';
  const looked = calls === undefined || !isCovered ? nothing : look(of, calls, coverage, days, scope);
  const sure = looked.claims.filter(({ claim }) => claim.confidence >= minConfidence);
  sure.sort((a, b) => b.claim.confidence - a.claim.confidence || comparePlaces(a.shown, b.shown));
  return {
    candidates: sure.slice(0, limit).map(one => candidateTold(of, one)),
    summary: {
      totalAnalyzed: looked.analysed,
      candidateCount: sure.length,
      coverageLevel: coverage.level,
      observationDays: days,
      observed: looked.observed,
      unobserved: looked.unobserved,
      uncertain: looked.claims.length - sure.length,
      excluded: looked.excluded,
    },
    coverage,
    limitations: limitationsOf(calls, coverage, days, looked, minConfidence),
    truncated: sure.length > limit,
    snapshotId: snapshot.snapshotId,
    completeness: completeness(snapshot, of.asked, 0),
    timestamp: new Date(of.asked.now).toISOString(),
  };
}

interface Claimed {
  readonly shown: ShownDefinition;
  readonly claim: DeadClaim;
  readonly staticRefs: number;
  readonly testRefs: number;
  readonly observed: ObservedSymbol | undefined;
}

interface Looked {
  readonly claims: readonly Claimed[];
  readonly analysed: number;
  readonly observed: number;
  readonly unobserved: number;
  readonly excluded: number;
  readonly density: number;
}

const nothing: Looked = { claims: [], analysed: 0, observed: 0, unobserved: 0, excluded: 0, density: 0 };

function look(
  of: AnalysedSnapshot,
  calls: CallsOfSnapshot,
  coverage: Coverage,
  days: number,
  scope: string | undefined,
): Looked {
  const { graph } = of;
  const observed = new Map<number, ObservedSymbol>();
  for (const [hash, one] of calls.all().symbols) {
    const symbol = graph.numberOf(hash);
    if (symbol !== undefined) observed.set(symbol, one);
  }
  const today = dayOf(of.asked.now);
  const isCalled = (one: ObservedSymbol | undefined): boolean =>
    one !== undefined && one.calls > 0 && today - one.called < silentFrom;
  const called = new Set([...observed].filter(([, one]) => isCalled(one)).map(([symbol]) => symbol));
  const running = calledGraph(of, called, new Set(observed.keys()));
  const { functions, excluded } = functionsOf(of, calls, called);
  const near = surroundingsOf(functions, called);
  const said = evidenceOf(of, running);
  const inScope = functions.filter(({ in: one }) => isInScope(one.path, scope));
  const claims: Claimed[] = [];
  let unobserved = 0;
  for (const site of inScope) {
    const symbol = keyOf(site);
    if (running.isAlive(site)) continue;
    const one = observed.get(symbol);
    const surroundings = near(site);
    if (one === undefined && surroundings.fileCalled === 0) {
      unobserved++;
      continue;
    }
    const users = running.usersOf(symbol);
    const claim = deadClaim(
      { reported: reportedOf(one, today), users, surroundings, said: said(symbol) },
      { level: coverage.level, days, density: running.density },
    );
    if (claim === undefined) unobserved++;
    else {
      const staticRefs = users.alive + users.perhaps + users.silent;
      claims.push({ shown: graph.shown(site), claim, staticRefs, testRefs: users.tests, observed: one });
    }
  }
  return {
    claims,
    analysed: inScope.length,
    observed: inScope.filter(site => running.isAlive(site)).length,
    unobserved,
    excluded,
    density: running.density,
  };
}

/** Functions and methods that somebody wrote to be run, each once, where it is shown. */
function functionsOf(
  of: AnalysedSnapshot,
  { asked }: CallsOfSnapshot,
  called: ReadonlySet<number>,
): { readonly functions: readonly GraphSite[]; readonly excluded: number } {
  const { graph } = of;
  const functions: GraphSite[] = [];
  let excluded = 0;
  for (const one of graph.documents()) {
    if (one.isTest || isVendored(one.path)) continue;
    const isPathExcluded = asked.excludePaths.some(glob => fitsGlob(glob, one.path));
    for (let at = 0; at < one.symbols.length; at++) {
      const site = { in: one, at };
      if (!isFunctionWithBody(site) || isOfTests(site) || graph.sitesOf(one.symbols[at]!)[0]?.in !== one) continue;
      if (!called.has(one.symbols[at]!) && (isPathExcluded || isNameExcluded(of, site, asked.excludeNames))) excluded++;
      else functions.push(site);
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
  return patterns.some(pattern => fitsText(pattern, name) || fitsText(pattern, whole));
}

function fitsText(pattern: string, text: string): boolean {
  return fits([...pattern], [...text], '*', (one, other) => one === other);
}

function surroundingsOf(functions: readonly GraphSite[], called: ReadonlySet<number>) {
  const files = new Map<string, { called: number; all: number }>();
  for (const site of functions) {
    const { path } = site.in;
    const file = files.get(path) ?? { called: 0, all: 0 };
    files.set(path, file);
    file.all++;
    if (called.has(keyOf(site))) file.called++;
  }
  return ({ in: { path } }: GraphSite) => ({
    fileCalled: files.get(path)?.called ?? 0,
    fileFunctions: files.get(path)?.all ?? 0,
  });
}

/** What the code says of functions, each looked at once; of those that use each other nothing beside that. */
function evidenceOf(of: AnalysedSnapshot, running: CalledGraph): (symbol: number) => StaticEvidence {
  const known = new Map<number, StaticEvidence>();
  const look = (symbol: number): StaticEvidence => {
    const found = known.get(symbol);
    if (found !== undefined) return found;
    const users = running.usersOf(symbol);
    known.set(symbol, among);
    const [site] = of.graph.sitesOf(symbol);
    const least = (): number => Math.min(among.strength, ...[...users.silentUsers].map(one => look(one).strength));
    const made = staticEvidence(users, least, site !== undefined && isCalledFromOutside(of, site));
    known.set(symbol, made);
    return made;
  };
  return look;
}

/** Of a function that uses itself by way of others. */
const among: StaticEvidence = { strength: 0.62, because: '' };

function reportedOf(one: ObservedSymbol | undefined, today: number): ReportedFunction | undefined {
  const [best] = one?.functions ?? [];
  if (one === undefined || best === undefined) return undefined;
  return { quality: best.quality, silentDays: one.calls === 0 ? undefined : today - one.called };
}

/** A mark has it found, or its type is somebody else's in part, who may call what it overrides. */
function isCalledFromOutside({ graph }: AnalysedSnapshot, site: GraphSite): boolean {
  if (graph.finderOf(site) !== undefined) return true;
  const container = site.in.containers[site.at]!;
  if (container === atTop || !types.has(kindOfDefinition(site.in, container))) return false;
  return graph.foreignBasesOf({ in: site.in, at: container }).length > 0;
}

const types: ReadonlySet<string> = new Set(['class', 'struct', 'interface', 'trait', 'object', 'enum']);

function comparePlaces(a: ShownDefinition, b: ShownDefinition): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.nameRange.startLine - b.nameRange.startLine;
}

function candidateTold(of: AnalysedSnapshot, one: Claimed): Output['candidates'][number] {
  const { shown, claim, observed, staticRefs, testRefs } = one;
  return {
    symbolId: symbolId(of.asked.repo.id, shown.hash),
    name: shown.name,
    kind: shown.kind,
    filePath: shown.path,
    line: shown.nameRange.startLine + 1,
    moduleId: of.moduleOf(shown.path).id,
    staticRefs,
    testRefs,
    observedCalls: observed?.calls ?? 0,
    matchQuality: observed?.functions[0]?.quality ?? 'none',
    lastCalled: observed === undefined || observed.called === 0 ? null : dateOf(observed.called),
    confidence: claim.confidence,
    reasons: [...claim.reasons],
  };
}

function limitationsOf(
  calls: CallsOfSnapshot | undefined,
  coverage: Coverage,
  days: number,
  looked: Looked,
  minConfidence: number,
): string[] {
  if (calls === undefined)
    return ['no service of this repository has reported any calls: nothing can be said of dead code'];
  const { overall, level } = coverage;
  if (looked === nothing) {
    return [
      `coverage is ${level} (${overall}): nothing is claimed below medium (0.6). svc telemetry status tells what is missing`,
    ];
  }
  const { unobserved, density, claims } = looked;
  return [
    ...(days < 30
      ? [`observed on ${days === 1 ? '1 day' : `${days} days`} only: what runs once a month was perhaps not seen`]
      : []),
    ...(unobserved > 0
      ? [`${unobserved} functions are in files of which nothing was ever reported: nothing is said of them`]
      : []),
    ...(density < 0.5
      ? [
          `of the functions that called ones call, ${Math.round(density * 100)} % were reported: most code is not instrumented, and silence says little where code that runs uses it`,
        ]
      : []),
    ...(claims.length > 0 && claims.every(({ claim }) => claim.confidence < minConfidence)
      ? [`${claims.length} candidates are less sure than ${minConfidence}: a lower minConfidence shows them`]
      : []),
    'calls by users of a published package, and by services that report elsewhere, are not seen',
  ];
}

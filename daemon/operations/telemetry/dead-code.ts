import { agreeing, amount } from '../../../client/protocol/amount.ts';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { symbolId } from '../../model/identity.ts';
import { dayOf } from '../../model/usage.ts';
import type { ShownDefinition } from '../../store/graph/snapshot-graph.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import type { HistoricalSnapshot } from '../history/historical.ts';
import { scopeIn } from '../scope.ts';
import { completeness } from '../symbols/answers.ts';
import { coverageIn, matchedServices, noCalls, observationDaysOf } from './calls-summary.ts';
import { type Claimed, deadFunctions, type Looked, type LookingFor } from './dead-functions.ts';
import { type CallsOfSnapshot, callsOf } from './matched-calls.ts';
import { reportedDays } from './reported-days.ts';
import { dateOf } from './usage.ts';
import { type WrittenOn, writtenOn } from './written-on.ts';

type Input = InputOf<Operations['telemetry.deadCode']>;
type Output = OutputOf<Operations['telemetry.deadCode']>;

/** Functions that production never calls, where no history tells since when they are there. Throws as `deadCodeSince` does. */
export function deadCodeAnswer(of: AnalysedSnapshot, input: Input): Output {
  return answerBy(of, input, undefined);
}

/** The same where one does. Throws `invalidParameter` for a scope in which nothing lies. */
export function deadCodeSince(of: HistoricalSnapshot, input: Input): Output {
  return answerBy(of, input, writtenOn(of));
}

function answerBy(of: AnalysedSnapshot, input: Input, written: WrittenOn | undefined): Output {
  const { minConfidence, limit, scope: asked } = input;
  const { graph, snapshot } = of;
  const scope = scopeIn(
    graph.documents().map(({ path }) => path),
    asked,
  );
  const calls = callsOf(of);
  const coverage = calls === undefined ? noCalls.coverage : coverageIn(calls);
  const days = calls === undefined ? 0 : observationDaysOf(calls, matchedServices(calls)).length;
  const isCovered = coverage.level === 'high' || coverage.level === 'medium';
  const wanted = { coverage, scope, minConfidence, written };
  const looked = calls === undefined || !isCovered ? nothing : deadFunctions(of, calls, wanted);
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
    limitations: limitationsOf(calls, looked, { ...wanted, days, today: dayOf(of.asked.now) }),
    truncated: sure.length > limit,
    snapshotId: snapshot.snapshotId,
    completeness: completeness(snapshot, of.asked, 0),
    timestamp: new Date(of.asked.now).toISOString(),
  };
}

const nothing: Looked = {
  ...{ claims: [], analysed: 0, observed: 0, unobserved: 0, excluded: 0, density: 0, reportedShare: 0 },
  strange: { functions: 0, services: new Set() },
};

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

interface About extends LookingFor {
  /** On which any service of the repository reported. */
  readonly days: number;
  readonly today: number;
}

function limitationsOf(calls: CallsOfSnapshot | undefined, looked: Looked, about: About): string[] {
  if (calls === undefined)
    return ['no service of this repository has reported any calls: nothing can be said of dead code'];
  const { coverage, days, minConfidence, written, today } = about;
  const { overall, level } = coverage;
  if (looked === nothing) {
    return [
      `coverage is ${level} (${overall}): nothing is claimed below medium (0.6). svc telemetry status tells what is missing`,
    ];
  }
  const { strange, density, reportedShare, claims } = looked;
  const unobserved = looked.unobserved - strange.functions;
  return [
    ...(days < 30 ? [`observed on ${amount(days, 'day')} only: what runs once a month was perhaps not seen`] : []),
    ...quietServices(calls, today),
    ...strangeServices(calls, strange),
    ...youngFunctions(written, claims.length),
    ...(unobserved > 0
      ? [
          `of ${amount(unobserved, 'function')} nothing is said: of their files nothing was called, or not since they were written`,
        ]
      : []),
    ...(reportedShare < 0.25
      ? [
          `of the functions of files that run, ${Math.round(reportedShare * 100)} % were reported: where most code is not instrumented, silence says little`,
        ]
      : []),
    ...(density < 0.5
      ? [
          `of the functions that called ones call, ${Math.round(density * 100)} % were reported: most code is not instrumented, and silence says little where code that runs uses it`,
        ]
      : []),
    ...(claims.length > 0 && claims.every(({ claim }) => claim.confidence < minConfidence)
      ? [`${amount(claims.length, 'candidate')} less sure than ${minConfidence}: a lower minConfidence shows them`]
      : []),
    'calls by users of a published package, and by services that report elsewhere, are not seen',
  ];
}

/** Names services that may be of the repository, if functions may be alive for them. */
function strangeServices({ reader }: CallsOfSnapshot, { functions, services }: Looked['strange']): readonly string[] {
  if (functions === 0) return [];
  const known = reader.services().filter(({ id }) => services.has(id));
  const names = [...new Set(known.map(({ name }) => name))];
  const more = names.length > mostNamed ? ', …' : '';
  const told = `${amount(names.length, 'service')} of no known repository (${names.slice(0, mostNamed).join(', ')}${more})`;
  const [report, are] = [agreeing(names.length, 'reports', 'report'), agreeing(functions, 'is', 'are')];
  return [
    `${told} ${report} calls that would match ${amount(functions, 'function')} here, which ${are} not claimed: svc telemetry unmapped shows what would match`,
  ];
}

/** Says where it is not known how old functions are, and what that comes to. */
function youngFunctions(written: WrittenOn | undefined, claims: number): readonly string[] {
  if (claims === 0) return [];
  if (written === undefined) return ['no history tells when functions were written: young ones may be among them'];
  const [uncommitted, untold] = [written.files.uncommitted(), written.files.untold()];
  return [
    ...(uncommitted > 0
      ? [
          `${amount(uncommitted, 'file')} ${agreeing(uncommitted, 'is', 'are')} not as committed: functions there may be of today, and nothing is said of them until they are committed`,
        ]
      : []),
    ...(untold > 0
      ? [
          `git has not said who wrote which line of ${amount(untold, 'file')}: functions there count as written when the file last changed`,
        ]
      : []),
  ];
}

/** A service may rest over a weekend or some holidays. */
const quietFrom = 7;
const mostNamed = 5;

/** Which services have not reported for a while, and since when. */
function quietServices(calls: CallsOfSnapshot, today: number): readonly string[] {
  const reported = reportedDays(calls);
  const known = matchedServices(calls);
  const last = new Map<string, number>();
  for (const { id, name } of calls.asked.services) {
    const day = known.has(id) ? reported.last(id) : undefined;
    if (day !== undefined) last.set(name, Math.max(day, last.get(name) ?? 0));
  }
  const quiet = [...last].filter(([, day]) => today - day >= quietFrom);
  const told = quiet.slice(0, mostNamed).map(([name, day]) => `${name} last reported on ${dateOf(day)}`);
  const more = quiet.length > mostNamed ? `, and ${quiet.length - mostNamed} others are as silent` : '';
  return quiet.length === 0 ? [] : [`${told.join(', ')}${more}: what was called then may be called still`];
}

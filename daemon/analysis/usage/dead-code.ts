import type { MatchQuality } from '../../model/usage.ts';
import { components } from '../graphs/components.ts';
import { digraph } from '../graphs/digraph.ts';
import type { Coverage, CoverageLevel } from './coverage.ts';

/** How sure it is that nothing calls a function any more, by what production tells and what the code says. */

/** One function, as far as that counts. */
export interface DeadQuestion {
  /** What of it was reported: that it was not called, or was long ago; undefined of one that nobody ever spoke of. */
  readonly reported: ReportedFunction | undefined;
  readonly users: UsersOfFunction;
  /** What the code says: see `staticEvidence`. */
  readonly said: StaticEvidence;
  readonly surroundings: Surroundings;
  /** Days on which it would have been seen, had it been called; not 0. */
  readonly days: number;
  /** Its file was observed on more days, before it was written. */
  readonly isYoung: boolean;
}

export interface ReportedFunction {
  readonly quality: MatchQuality;
  /** Days since the last call on which who called it reported; undefined where there was none. */
  readonly silentDays: number | undefined;
}

/**
 * Who uses it, outside of tests. Functions that were seen to be called are alive; what they may run, itself unseen, runs perhaps;
 * of all else nothing is known.
 */
export interface UsersOfFunction {
  readonly alive: number;
  readonly perhaps: number;
  readonly silent: number;
  readonly tests: number;
}

/** What was reported near it. */
export interface Surroundings {
  /** Functions of its file that were called, and all that it has. Of a function that was not reported itself some were. */
  readonly fileCalled: number;
  readonly fileFunctions: number;
  /** Those that were reported, called or not. */
  readonly fileReported: number;
  /** What most of these matched by. */
  readonly fileQuality: MatchQuality;
}

/** What holds for all of a repository. */
export interface Observation {
  readonly coverage: Pick<Coverage, 'level' | 'overall'>;
  /** Of the functions of files of which any was called, those that were reported, 0 to 1. */
  readonly reportedShare: number;
  /** Of the functions that called ones are sure to call, those that were reported themselves, 0 to 1. */
  readonly density: number;
}

export interface DeadClaim {
  /** 0 to 1. */
  readonly confidence: number;
  readonly reasons: readonly string[];
}

/** A call may come once a quarter: what was called since is not dead. Days on which nobody reported say nothing. */
export const silentFrom = 60;

/**
 * 1 − (1 − s)(1 − r): what the code says (`s`, see `staticEvidence`) and what production does not say (`r`, which grows with the
 * days of observation, and shrinks with what is not instrumented near it and in all, how calls were matched, and coverage).
 */
export function deadClaim(question: DeadQuestion, observation: Observation): DeadClaim {
  const { reported, users, said, surroundings, days, isYoung } = question;
  const { level, overall } = observation.coverage;
  const seen = visibilityOf(reported, surroundings, observation.reportedShare);
  const share = users.alive > 0 && reported === undefined ? observation.density : 1;
  const perhaps =
    users.alive === 0 && users.perhaps > 0 && reported === undefined ? Math.max(0.5, observation.density) : 1;
  const unseen = byDays(days) * levels[level] * seen.factor * share * perhaps;
  const sure = 1 - (1 - said.strength) * (1 - unseen);
  const confidence = Math.round(sure * 1000) / 1000;
  return {
    confidence,
    reasons: [
      seen.because,
      said.because,
      `${daysText(days)}${isYoung ? ' since it was written' : ''}`,
      seen.matched,
      `coverage is ${level} (${overall})`,
    ],
  };
}

const levels: Readonly<Record<CoverageLevel, number>> = { high: 1, medium: 0.85, low: 0.5, insufficient: 0 };

/**
 * How much silence of so many days says: 1 − e^(−days / 30), how likely one call at least had come by then of a function that is
 * called once a month, whenever that is (a Poisson process): 0.03 after a day, 0.21 after a week, 0.63 after a month, 0.95 after a
 * quarter, and no more. So nothing that was silent for a week is as sure as 0.7, whatever else is said of it.
 */
function byDays(days: number): number {
  return Math.min(0.95, 1 - Math.exp(-days / 30));
}

const qualities: Readonly<Record<MatchQuality, number>> = { exact: 1, strong: 0.97, weak: 0.6 };

interface Visibility {
  /** How likely a call would have been seen, 0 to 1. */
  readonly factor: number;
  readonly because: string;
  readonly matched: string;
}

function visibilityOf(reported: ReportedFunction | undefined, near: Surroundings, reportedShare: number): Visibility {
  if (reported === undefined) return visibilityNear(near, reportedShare);
  const { quality, silentDays } = reported;
  const matched = `what was reported of it is ${quality === 'exact' ? 'an' : 'a'} ${quality} match`;
  return silentDays === undefined
    ? { factor: qualities[quality], because: 'reported without a single call', matched }
    : {
        factor: qualities[quality] * 0.9,
        because: `not called on the last ${silentDays} days that were reported`,
        matched,
      };
}

/** Others of a file say as much of one as so many of its functions would that are reported as the files that run are on the whole. */
const priorFunctions = 10;

/**
 * Of what was never reported: how likely its calls would be, by how many others of its file are. Few of them tell little, and are
 * taken together with what holds for all files that run (the mean of a beta distribution with that prior). Where ten functions of a
 * hundred are instrumented, silence of the others says next to nothing.
 */
function visibilityNear(
  { fileCalled, fileFunctions, fileReported, fileQuality }: Surroundings,
  reportedShare: number,
): Visibility {
  const instrumented = (fileReported + priorFunctions * reportedShare) / (fileFunctions - 1 + priorFunctions);
  return {
    factor: 0.95 * qualities[fileQuality] * instrumented,
    because: `never reported, while ${fileCalled} of the ${fileFunctions} functions of its file were called`,
    matched: `no calls matched it; those of its file are ${fileQuality} matches`,
  };
}

/** How much the code itself says that nothing runs a function, 0 to 1. */
export interface StaticEvidence {
  readonly strength: number;
  readonly because: string;
}

/** One of several functions of which some may use others. */
export interface StaticQuestion {
  readonly users: UsersOfFunction;
  /** Those of the silent users that are asked about as well, by their places among them. */
  readonly silentUsers: readonly number[];
  /** A mark has it found, or it overrides what a dependency declares. */
  readonly isCalledFromOutside: boolean;
}

/** What the code says of each. Whoever runs one of some that use each other may run them all: they are as sure as the least of them. */
export function staticEvidence(questions: readonly StaticQuestion[]): readonly StaticEvidence[] {
  const edges = questions.flatMap(({ silentUsers }, from) => silentUsers.map(to => ({ from, to })));
  const { of, count } = components(digraph(questions.length, edges));
  const rings: number[][] = Array.from({ length: count }, () => []);
  for (const [at, ring] of of.entries()) rings[ring]!.push(at);
  const found: StaticEvidence[] = [];
  // Rings are in the order of who uses whom: of users outside of one it is known.
  for (const ring of rings) {
    const strengthOf = (at: number): number => found[at]?.strength ?? unused;
    const own = ring.map(at => ownEvidence(questions[at]!, leastOf(questions[at]!.silentUsers.map(strengthOf))));
    const strength = leastOf(own.map(one => one.strength));
    for (const [place, at] of ring.entries()) found[at] = { because: own[place]!.because, strength };
  }
  return found;
}

function leastOf(strengths: readonly number[]): number {
  return strengths.reduce((least, one) => Math.min(least, one), unused);
}

/** Of what nothing uses. */
const unused = 0.62;
/** Of who only silent functions use, as much as of these, and a little less. */
const silentShare = 0.97;

/**
 * Nobody uses it 0.62, tests alone 0.58; functions alone that are not called themselves, as much as of the least sure of these;
 * somebody who may run 0.15, somebody who runs 0. Half of it where something outside of the repository may call it.
 */
function ownEvidence({ users, isCalledFromOutside }: StaticQuestion, leastOfUsers: number): StaticEvidence {
  const { alive, perhaps, silent, tests } = users;
  const uses = (count: number): string => (count === 1 ? '1 use' : `${count} uses`);
  if (alive > 0) return { strength: 0, because: `${uses(alive)} in functions that are called` };
  if (perhaps > 0) return { strength: 0.15, because: `${uses(perhaps)} in code that may run unseen` };
  const outside = isCalledFromOutside ? '; code outside of the repository may call it' : '';
  const factor = isCalledFromOutside ? 0.5 : 1;
  if (silent > 0) {
    const because = `nothing but what is not called itself uses it${outside}`;
    return { strength: leastOfUsers * silentShare * factor, because };
  }
  if (tests > 0) return { strength: 0.58 * factor, because: `nothing but tests uses it${outside}` };
  return { strength: unused * factor, because: `nothing uses it${outside}` };
}

function daysText(days: number): string {
  return days === 1 ? 'observed on 1 day' : `observed on ${days} days`;
}

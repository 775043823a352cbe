import type { MatchQuality } from '../../model/usage.ts';
import type { CoverageLevel } from './coverage.ts';

/** How sure it is that nothing calls a function any more, by what production tells and what the code says. */

/** One function, as far as that counts. */
export interface DeadQuestion {
  /** What of it was reported: that it was not called, or was long ago; undefined of one that nobody ever spoke of. */
  readonly reported: ReportedFunction | undefined;
  readonly users: UsersOfFunction;
  /** What the code says: see `staticEvidence`. */
  readonly said: StaticEvidence;
  readonly surroundings: Surroundings;
}

export interface ReportedFunction {
  readonly quality: MatchQuality;
  /** Days since the last call; undefined where there was none. */
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
  /** Functions of its file that were called, and all that it has. */
  readonly fileCalled: number;
  readonly fileFunctions: number;
}

/** What holds for all of a repository. */
export interface Observation {
  readonly level: CoverageLevel;
  /** Days on which it was observed. */
  readonly days: number;
  /** Of the functions that called ones are sure to call, those that were reported themselves: how much is instrumented at all. */
  readonly density: number;
}

export interface DeadClaim {
  /** 0 to 1. */
  readonly confidence: number;
  readonly reasons: readonly string[];
}

/** A call may come once a quarter: what was called since is not dead. */
export const silentFrom = 60;

/**
 * 1 − (1 − s)(1 − r): what the code says (`s`, see `staticEvidence`) and what production does not say (`r`, which grows with the
 * days of observation, and shrinks with what is not instrumented near it and in all). Undefined
 * where telemetry can say nothing: of its file nothing was ever reported.
 */
export function deadClaim(question: DeadQuestion, observation: Observation): DeadClaim | undefined {
  const { reported, users, said, surroundings } = question;
  const seen = visibilityOf(reported, surroundings);
  if (seen === undefined) return undefined;
  const share = users.alive > 0 && reported === undefined ? observation.density : 1;
  const perhaps =
    users.alive === 0 && users.perhaps > 0 && reported === undefined ? Math.max(0.5, observation.density) : 1;
  const unseen = byDays(observation.days) * levels[observation.level] * seen.factor * share * perhaps;
  const sure = 1 - (1 - said.strength) * (1 - unseen);
  const confidence = Math.round(sure * 1000) / 1000;
  return { confidence, reasons: [seen.because, said.because, daysText(observation.days)] };
}

const levels: Readonly<Record<CoverageLevel, number>> = { high: 1, medium: 0.85, low: 0.5, insufficient: 0 };

/** How much silence of so many days says: 0.3 after one, 0.56 after a week, 0.75 after a month, 0.9 after a quarter. */
export function byDays(days: number): number {
  if (days <= 0) return 0;
  return Math.min(0.95, 0.9 * (0.33 + 0.67 * Math.min(1.05, Math.log(days) / Math.log(90))));
}

function visibilityOf(
  reported: ReportedFunction | undefined,
  { fileCalled, fileFunctions }: Surroundings,
): { readonly factor: number; readonly because: string } | undefined {
  if (reported !== undefined) {
    const factor = { exact: 1, strong: 0.97, weak: 0.6 }[reported.quality];
    const { silentDays } = reported;
    return silentDays === undefined
      ? { factor, because: `reported without a single call (${reported.quality} match)` }
      : { factor: factor * 0.9, because: `not called for ${silentDays} days (${reported.quality} match)` };
  }
  if (fileCalled === 0) return undefined;
  const because = `never reported, while ${fileCalled} of the ${fileFunctions} functions of its file were called`;
  return { factor: 0.95, because };
}

/** How much the code itself says that nothing runs a function, 0 to 1. */
export interface StaticEvidence {
  readonly strength: number;
  readonly because: string;
}

/** Of who only silent functions use, as much as of these, and a little less. */
const silentShare = 0.97;

/**
 * Nobody uses it 0.62, tests alone 0.58; functions alone that are not called themselves, as much as of the least sure of these
 * (`leastOfUsers`); somebody who may run 0.15, somebody who runs 0. Half of it where something outside of the repository may call it:
 * a mark has it found, or it overrides what a dependency declares.
 */
export function staticEvidence(
  { alive, perhaps, silent, tests }: UsersOfFunction,
  leastOfUsers: () => number,
  isCalledFromOutside: boolean,
): StaticEvidence {
  const uses = (count: number): string => (count === 1 ? '1 use' : `${count} uses`);
  if (alive > 0) return { strength: 0, because: `${uses(alive)} in functions that are called` };
  if (perhaps > 0) return { strength: 0.15, because: `${uses(perhaps)} in code that may run unseen` };
  const outside = isCalledFromOutside ? '; code outside of the repository may call it' : '';
  const factor = isCalledFromOutside ? 0.5 : 1;
  if (silent > 0) {
    const because = `nothing but functions that are not called themselves uses it${outside}`;
    return { strength: leastOfUsers() * silentShare * factor, because };
  }
  if (tests > 0) return { strength: 0.58 * factor, because: `nothing but tests uses it${outside}` };
  return { strength: 0.62 * factor, because: `nothing uses it${outside}` };
}

function daysText(days: number): string {
  return days === 1 ? 'observed on 1 day' : `observed on ${days} days`;
}

import type { MatchQuality, UnmatchedReason } from '../../model/usage.ts';

export const coverageLevels = ['high', 'medium', 'low', 'insufficient'] as const;
export type CoverageLevel = (typeof coverageLevels)[number];

/** How far what production tells of calls can be relied on. Shares, 0 to 1. */
export interface Coverage {
  readonly attribute: number;
  readonly match: number;
  readonly service: number;
  readonly overall: number;
  readonly level: CoverageLevel;
}

/** A function that was observed, as far as that counts. */
export interface CoveredFunction {
  readonly file: string;
  readonly line: number;
  /** What it is called says where it belongs. */
  readonly isQualified: boolean;
  readonly found: MatchQuality | UnmatchedReason;
}

export interface CoverageQuestion {
  /** Those of services that are known to be of the repository, or may be. */
  readonly functions: readonly CoveredFunction[];
  /** Services that are known to be of the repository, or of which something matches. */
  readonly knownServices: number;
  /** Those that belong nowhere, as far as is known. */
  readonly unknownServices: number;
}

/** How much a match counts. */
const worth: Readonly<Record<MatchQuality | UnmatchedReason, number>> = {
  exact: 1,
  strong: 1,
  weak: 0.5,
  anonymous: 0,
  absent: 0,
  ambiguous: 0,
  foreign: 0,
};

/**
 * 0.3 attributes + 0.5 matches + 0.2 services. Code of others is no part of it; a function says all where it has a file and a
 * line or namespace, half with one of these.
 */
export function coverageOf({ functions, knownServices, unknownServices }: CoverageQuestion): Coverage {
  const own = functions.filter(({ found }) => found !== 'foreign');
  const attribute = mean(own.map(attributeOf));
  const match = mean(own.map(({ found }) => worth[found]));
  const services = knownServices + unknownServices;
  const service = services === 0 ? 0 : knownServices / services;
  const overall = rounded(0.3 * attribute + 0.5 * match + 0.2 * service);
  return {
    attribute: rounded(attribute),
    match: rounded(match),
    service: rounded(service),
    overall,
    level: own.length === 0 ? 'insufficient' : levelOf(overall),
  };
}

/** How many functions there are, and of how many it is not said where they are. Code of others is no part of it. */
export interface Lacking {
  readonly functions: number;
  readonly file: number;
  /** Neither a line nor a namespace. */
  readonly place: number;
}

export function lackingIn(functions: readonly CoveredFunction[]): Lacking {
  const own = functions.filter(({ found }) => found !== 'foreign');
  return {
    functions: own.length,
    file: own.filter(({ file }) => file === '').length,
    place: own.filter(one => !hasPlace(one)).length,
  };
}

/** From 0.8 high, from 0.6 medium, from 0.4 low. */
function levelOf(overall: number): CoverageLevel {
  if (overall >= 0.8) return 'high';
  if (overall >= 0.6) return 'medium';
  return overall >= 0.4 ? 'low' : 'insufficient';
}

function attributeOf(one: CoveredFunction): number {
  return (one.file === '' ? 0 : 0.5) + (hasPlace(one) ? 0.5 : 0);
}

function hasPlace({ line, isQualified }: CoveredFunction): boolean {
  return line > 0 || isQualified;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((total, one) => total + one, 0) / values.length;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

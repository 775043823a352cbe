/** What is known of a change. */
export interface ChangeEvidence {
  readonly lines: number;
  readonly files: number;
  readonly modules: readonly string[];
  /** The hottest first. */
  readonly hotspots: readonly { readonly path: string; readonly score: number }[];
  /** The riskiest symbol that it changes. */
  readonly gravest:
    | {
        readonly name: string;
        readonly risk: Level | 'unknown';
        readonly users: number;
        readonly change: 'added' | 'modified' | 'removed' | 'unexported' | 'moved';
      }
    | undefined;
  /** Symbols that it takes away though something uses them. */
  readonly missed: number;
  readonly touchesCode: boolean;
  readonly touchesTests: boolean;
  /** Of the lines that it takes away or stands next to, the share that its authors wrote; undefined where nobody knows. */
  readonly familiarity: number | undefined;
  /** What usually changes with it and does not. */
  readonly leftOut: number;
  /** Files of code that it takes away. */
  readonly removed: number;
}

export type Level = 'low' | 'medium' | 'high' | 'critical';

export interface ChangeRisk {
  readonly level: Level;
  /** 0 to 1: how likely it is that one of the factors does harm, were each to do so by itself. */
  readonly score: number;
  /** In words, the weightiest first; none of what is harmless. */
  readonly factors: readonly string[];
}

interface Factor {
  /** 0 harmless, 1 grave. */
  readonly value: number;
  /** How likely it is that it does harm at its gravest. */
  readonly weight: number;
  readonly words: string;
}

/** A change of so many lines is as large as one that nobody reads to its end. */
const manyLines = 2000;
/** What is worth a word. */
const worthSaying = 0.3;

/**
 * How risky a change is, by its size, spread, hotspots, impact, tests, authors, what it takes away and what it leaves out: the noisy-or of
 * these, 1 - ∏ (1 - weight × value) (Pearl, Probabilistic Reasoning in Intelligent Systems, 1988). Each adds to what the others make of
 * it, and none takes anything away: a change that grows gets no safer.
 */
export function riskOfChange(evidence: ChangeEvidence): ChangeRisk {
  const factors = [
    sizeOf(evidence),
    spreadOf(evidence),
    hotspotsOf(evidence),
    impactOf(evidence),
    testsOf(evidence),
    familiarityOf(evidence),
    removalOf(evidence),
    leftOutOf(evidence),
  ];
  const score = 1 - factors.reduce((harmless, { value, weight }) => harmless * (1 - value * weight), 1);
  const told = factors.filter(({ value }) => value >= worthSaying);
  told.sort((a, b) => b.value * b.weight - a.value * a.weight);
  return { level: levelOf(score), score: Math.round(score * 1000) / 1000, factors: told.map(({ words }) => words) };
}

function levelOf(score: number): Level {
  if (score >= 0.7) return 'critical';
  if (score >= 0.5) return 'high';
  return score >= 0.3 ? 'medium' : 'low';
}

function sizeOf({ lines, files }: ChangeEvidence): Factor {
  const value = Math.min(1, Math.log2(1 + lines) / Math.log2(1 + manyLines));
  // A few lines are harmless, however fast the logarithm begins.
  const beyondFew = Math.max(0, (value - 0.4) / 0.6);
  return { value: beyondFew, weight: 0.35, words: `changes ${lines} lines in ${several(files, 'file')}` };
}

function spreadOf({ modules }: ChangeEvidence): Factor {
  const others = Math.max(0, modules.length - 1);
  return { value: others / (others + 3), weight: 0.25, words: `reaches over ${several(modules.length, 'module')}` };
}

function hotspotsOf({ hotspots }: ChangeEvidence): Factor {
  const [hottest, ...others] = hotspots;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return {
    value: hottest === undefined ? 0 : Math.min(1, hottest.score + 0.1 * others.length),
    weight: 0.3,
    words: `touches ${others.length === 0 ? 'a hotspot' : 'hotspots'}: ${hottest?.path} (${hottest?.score.toFixed(2)})${more}`,
  };
}

const gravity: Readonly<Record<Level | 'unknown', number>> = {
  critical: 1,
  high: 0.75,
  medium: 0.45,
  low: 0.1,
  unknown: 0.1,
};

function impactOf({ gravest, missed }: ChangeEvidence): Factor {
  return {
    value: gravest === undefined ? 0 : gravity[gravest.risk],
    weight: 0.35,
    words: gravest === undefined ? '' : impactWords(gravest, missed),
  };
}

function impactWords({ name, users, change }: NonNullable<ChangeEvidence['gravest']>, missed: number): string {
  if (change === 'added' || change === 'modified')
    return `changes ${name}, which ${several(users, 'place')} ${users === 1 ? 'hangs' : 'hang'} on`;
  const does = { removed: `takes ${name} away`, unexported: `exports ${name} no more`, moved: `moves ${name}` }[change];
  const others = missed > 1 ? `, and ${missed - 1} more that something uses` : '';
  const looks =
    change === 'moved'
      ? users === 1
        ? 'looks for where it was'
        : 'look for where it was'
      : users === 1
        ? 'uses'
        : 'use';
  return `${does}, which ${several(users, 'file')} ${looks}${others}`;
}

function testsOf({ touchesCode, touchesTests }: ChangeEvidence): Factor {
  return { value: touchesCode && !touchesTests ? 1 : 0, weight: 0.12, words: 'changes code and no test' };
}

function familiarityOf({ familiarity = 1 }: ChangeEvidence): Factor {
  const share = Math.round(100 * familiarity);
  const words = `its authors wrote ${share} % of the lines that it changes or stands next to`;
  return { value: 1 - familiarity, weight: 0.12, words };
}

function removalOf({ removed }: ChangeEvidence): Factor {
  const value = removed === 0 ? 0 : (removed + 1) / (removed + 3);
  return { value, weight: 0.15, words: `takes ${several(removed, 'file')} of code away` };
}

function leftOutOf({ leftOut }: ChangeEvidence): Factor {
  const words = `leaves ${several(leftOut, 'file')} that usually ${leftOut === 1 ? 'changes' : 'change'} with it as ${leftOut === 1 ? 'it is' : 'they are'}`;
  return { value: leftOut / (leftOut + 2), weight: 0.08, words };
}

function several(count: number, one: string): string {
  return count === 1 ? `1 ${one}` : `${count} ${one}s`;
}

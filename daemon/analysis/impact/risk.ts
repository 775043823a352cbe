import type { ReferenceKind } from '../../model/facts.ts';
import type { Visibility } from '../../model/symbol.ts';
import { callVolume } from '../usage/call-volume.ts';

export type Level = 'low' | 'medium' | 'high' | 'critical' | 'unknown';

/** One part of a risk. `value` and `weight` are 0 to 1, and all weights add up to 1. */
export interface Factor {
  readonly name: string;
  readonly value: number;
  readonly weight: number;
  readonly explanation: string;
}

export interface Risk {
  readonly score: number;
  readonly level: Level;
  readonly factors: readonly Factor[];
  /** Why there is no verdict. */
  readonly unknownBecause?: string;
}

interface User {
  readonly uses: ReadonlySet<ReferenceKind>;
  readonly confidence: number;
}

/** What is known of a change, to be judged. */
export interface Evidence {
  readonly exported: boolean;
  readonly visibility: Visibility;
  /** How each piece of code uses the symbol itself that does. */
  readonly direct: readonly User[];
  /** The same of code that uses what stands for it: a member that it overrides, the class that it makes. */
  readonly byWay: readonly User[];
  /** Modules with anything that hangs on it. */
  readonly modules: number;
  /** Calls a day in production; undefined where nothing of it was ever reported. */
  readonly observedCallsADay: number | undefined;
  /** Why there may be uses that nobody knows of, in words; none where there is no reason. Asked for where it decides. */
  readonly doubts: () => readonly string[];
}

/** So many direct users and modules are as grave as it gets. */
const manyUsers = 100;
const manyModules = 20;

/** How hard a change of what is used in such a way hits its user. */
const gravity: Readonly<Record<ReferenceKind, number>> = {
  implementation: 1,
  write: 0.9,
  call: 0.8,
  type: 0.7,
  read: 0.6,
  reference: 0.6,
  import: 0.3,
};

/**
 * The weighted mean of visibility, direct users (logarithmic), spread over modules (logarithmic), kind of use and, where production
 * spoke of it, observed calls (logarithmic), which count a fifth then; from 0.85
 * critical, from 0.7 high, from 0.4 medium. What would be low is unknown where nobody is known to use the symbol, where
 * nothing but its name ties it to who does, or where there are doubts that all users are known.
 */
export function riskOf(evidence: Evidence): Risk {
  const factors = withCalls(
    [visibilityFactor(evidence), usersFactor(evidence), spreadFactor(evidence), kindFactor(evidence)],
    evidence.observedCallsADay,
  );
  const score = rounded(factors.reduce((sum, { value, weight }) => sum + value * weight, 0));
  const level = levelOf(score);
  const unknownBecause = level === 'low' ? missingEvidence(evidence) : undefined;
  return unknownBecause === undefined
    ? { score, level, factors }
    : { score, level: 'unknown', factors, unknownBecause };
}

function levelOf(score: number): Exclude<Level, 'unknown'> {
  if (score >= 0.85) return 'critical';
  if (score >= 0.7) return 'high';
  return score >= 0.4 ? 'medium' : 'low';
}

function missingEvidence({ direct, byWay, doubts: find }: Evidence): string | undefined {
  const users = [...direct, ...byWay];
  const doubts = find();
  const besides = doubts.length === 0 ? '' : `; ${doubts.join('; ')}`;
  if (users.length === 0) return `nothing is known to use it, which proves nothing${besides}`;
  if (users.every(({ confidence }) => confidence <= 0.5)) return `only its name ties it to what may use it${besides}`;
  return doubts.length === 0 ? undefined : doubts.join('; ');
}

function visibilityFactor({ exported, visibility }: Evidence): Factor {
  const [value, explanation] = exported
    ? [1, 'Exported: code outside of its module, and of the repository, may use it']
    : ({
        public: [0.6, 'Public within something that is not exported'],
        internal: [0.5, 'Seen by its module or package alone'],
        private: [0.2, 'Private'],
      }[visibility] as [number, string]);
  return { name: 'visibility', value, weight: 0.25, explanation };
}

function usersFactor({ direct, byWay }: Evidence): Factor {
  const count = direct.length + byWay.length;
  const value = rounded(Math.min(1, Math.log2(1 + count) / Math.log2(1 + manyUsers)));
  const many = (all: number): string => (all === 1 ? '1 definition or file uses' : `${all} definitions and files use`);
  const explanation =
    byWay.length === 0
      ? `${many(count)} it`
      : `${many(direct.length)} it itself, ${byWay.length} by way of what it overrides or of what makes it`;
  return { name: 'directCallers', value, weight: 0.3, explanation };
}

function spreadFactor({ modules }: Evidence): Factor {
  const value = modules < 2 ? 0 : rounded(Math.min(1, Math.log2(modules) / Math.log2(manyModules)));
  const explanation =
    modules === 1 ? 'All that hangs on it is in 1 module' : `What hangs on it is in ${modules} modules`;
  return { name: 'moduleSpread', value, weight: 0.25, explanation };
}

function kindFactor({ direct, byWay }: Evidence): Factor {
  const gravest = [...direct, ...byWay].map(({ uses }) => Math.max(...Array.from(uses, kind => gravity[kind])));
  const value = gravest.length === 0 ? 0 : rounded(gravest.reduce((sum, one) => sum + one, 0) / gravest.length);
  const explanation = 'How it is used, on average: implemented 1, called 0.8, as a type 0.7, read 0.6, imported 0.3';
  return { name: 'kindOfUse', value, weight: 0.2, explanation };
}

/** How much observed calls count where there are any: the others make room for them. */
const callsWeight = 0.2;

function withCalls(factors: readonly Factor[], callsADay: number | undefined): readonly Factor[] {
  if (callsADay === undefined) return factors;
  const value = rounded(Math.min(1, callVolume(callsADay)));
  const explanation =
    callsADay === 0
      ? 'Production has not called it in 30 days'
      : `Production calls it ${callsADay < 1 ? 'less than once' : `about ${Math.round(callsADay)} times`} a day`;
  const others = factors.map(one => ({ ...one, weight: rounded(one.weight * (1 - callsWeight)) }));
  return [...others, { name: 'observedCalls', value, weight: callsWeight, explanation }];
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

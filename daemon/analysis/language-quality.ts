/** What was counted of the files of one language, or of several together. */
export interface MeasuredLanguage {
  /** Files that have facts, and those of them of which an indexer says where their references point. */
  readonly files: number;
  readonly precise: number;
  /** Files that could be read in part only, and files that could not be read or were passed over, which have no facts. */
  readonly partial: number;
  readonly unread: number;
  /** Occurrences that are no definition, and those of them that point somewhere with confidence. */
  readonly references: number;
  readonly confident: number;
  /** Call sites, and those that point somewhere. */
  readonly calls: number;
  readonly resolvedCalls: number;
  /** Calls of symbols of the repository: a call site with each that it points at. */
  readonly callEdges: number;
}

export interface LanguageQuality {
  /** 1, 2, 3 for `precise`, `mixed`, `syntactic`. */
  readonly tier: number;
  readonly tierName: 'precise' | 'mixed' | 'syntactic';
  readonly quality: Quality;
  /**
   * Confident references ÷ references, 0 without any. Confident is what an indexer says and holds now, and what syntax is
   * sure of by 0.9 and more; what points at a dependency or the standard library is resolved as well.
   */
  readonly refAccuracy: number;
  /** Call sites that point somewhere ÷ call sites, whatever the confidence; 0 without any. */
  readonly callResolution: number;
  readonly callGraphQuality: 'high' | 'medium' | 'low' | 'none';
}

export type Quality = 'good' | 'fair' | 'poor' | 'unknown';

/** An indexer need not see every file: those that no project of it lists (scripts, fixtures) are few. */
const preciseFrom = 0.9;
/** Of ten references one may be missing where work rests on the answers, and three where it begins with them. */
const goodFrom = 0.9;
const fairFrom = 0.7;
/** A call graph with more gaps than one in ten has paths that break off after a few steps. */
const highFrom = 0.9;
const mediumFrom = 0.7;
/** Past this share of files that are not, or not wholly, read, what is counted stands for the rest no longer. */
const mostUnreadable = 0.1;

/** The verdict over a language. The thresholds are ours: none are in the field's literature. */
export function qualityOf(measured: MeasuredLanguage): LanguageQuality {
  const refAccuracy = share(measured.confident, measured.references);
  const callResolution = share(measured.resolvedCalls, measured.calls);
  return {
    ...tierOf(measured),
    quality: gradeOf(measured, refAccuracy),
    refAccuracy,
    callResolution,
    callGraphQuality:
      measured.resolvedCalls === 0
        ? 'none'
        : callResolution >= highFrom
          ? 'high'
          : callResolution >= mediumFrom
            ? 'medium'
            : 'low',
  };
}

function tierOf({ files, precise }: MeasuredLanguage): Pick<LanguageQuality, 'tier' | 'tierName'> {
  if (precise === 0) return { tier: 3, tierName: 'syntactic' };
  return precise >= files * preciseFrom ? { tier: 1, tierName: 'precise' } : { tier: 2, tierName: 'mixed' };
}

function gradeOf({ references, files, partial, unread }: MeasuredLanguage, refAccuracy: number): Quality {
  if (references === 0) return 'unknown';
  const isReadable = partial + unread <= (files + unread) * mostUnreadable;
  if (refAccuracy >= goodFrom) return isReadable ? 'good' : 'fair';
  return refAccuracy >= fairFrom && isReadable ? 'fair' : 'poor';
}

/** All of them as one. */
export function together(all: Iterable<MeasuredLanguage>): MeasuredLanguage {
  const sum = { ...nothing };
  for (const one of all) for (const name of counted) sum[name] += one[name];
  return sum;
}

const nothing: { -readonly [Name in keyof MeasuredLanguage]: number } = {
  files: 0,
  precise: 0,
  partial: 0,
  unread: 0,
  references: 0,
  confident: 0,
  calls: 0,
  resolvedCalls: 0,
  callEdges: 0,
};
const counted = Object.keys(nothing) as readonly (keyof MeasuredLanguage)[];

/** To four places, and never 1 where something is missing, nor 0 where something is there. */
function share(part: number, whole: number): number {
  if (whole === 0) return 0;
  const rounded = Math.round((part / whole) * 10_000) / 10_000;
  if (part < whole && rounded === 1) return 0.9999;
  return part > 0 && rounded === 0 ? 0.0001 : rounded;
}

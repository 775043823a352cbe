import type { Figures } from './figures.ts';

export interface Sample extends Figures {
  readonly minute: number;
}

/** How much something may grow in ten minutes of work, and how much of it there may ever be. */
interface Bound {
  readonly figure: keyof Figures;
  readonly unit: string;
  readonly growth: number;
  readonly most: number;
  readonly because: string;
}

const never = Number.POSITIVE_INFINITY;

/**
 * What counts as flat. Of each half minute the least that was seen stands for it, for what is held for the length of a request,
 * of a run of git or until the next collection is no growth. On a machine that was busy with much else the load asked 3,500 questions
 * in ten minutes, saved 150 files, switched branches and took in artifacts 30 times, and sent 40 uploads and 500 batches of metrics: what
 * one of those leaves behind is many times what is allowed.
 */
export const bounds: readonly Bound[] = [
  {
    ...{ figure: 'keptMb', unit: 'MB', growth: 120, most: never },
    because:
      'what is remembered of two repositories is up to 112 MB; at rest, where it is forgotten, it is looked at closely',
  },
  {
    ...{ figure: 'residentMb', unit: 'MB', growth: never, most: 1500 },
    because: 'a heap is collected when it has grown to a multiple of what is in use, here by hundreds of MB',
  },
  {
    ...{ figure: 'descriptors', unit: '', growth: 6, most: 1024 },
    because: 'those of threads that come and go with work; uploads would leave 40',
  },
  { ...{ figure: 'threads', unit: '', growth: 4, most: 64 }, because: 'a pool that has one more busy than before' },
  {
    ...{ figure: 'timers', unit: '', growth: 6, most: 256 },
    because: 'those of threads that come and go; saves would leave 150',
  },
  { ...{ figure: 'programs', unit: '', growth: 2, most: 32 }, because: 'two gits stay for a while after a question' },
  {
    ...{ figure: 'walMb', unit: 'MB', growth: 8, most: 64 },
    because:
      'P24: 64 MiB; it is taken over at the end of every checkpoint, and does not grow but for larger publications',
  },
  {
    ...{ figure: 'logMb', unit: 'MB', growth: never, most: 0 },
    because: 'as many files as are configured, each as large as is configured',
  },
  { ...{ figure: 'temporaryFiles', unit: '', growth: 2, most: 64 }, because: 'one for each upload under way' },
];

/** By how much a daemon at rest may hold more after the work than before it: nothing is remembered both times. */
const atRest: readonly Pick<Bound, 'figure' | 'unit' | 'growth' | 'because'>[] = [
  {
    figure: 'keptMb',
    unit: 'MB',
    growth: 10,
    because: 'code that was compiled; a fifth of a KB for each question is as much',
  },
  { figure: 'residentMb', unit: 'MB', growth: 160, because: 'what the allocator has not given back' },
  {
    figure: 'descriptors',
    unit: '',
    growth: 6,
    because: 'an index, a history and a thread that stay open for a minute',
  },
  { figure: 'threads', unit: '', growth: 2, because: 'those that stay for a minute' },
  { figure: 'timers', unit: '', growth: 12, because: 'those by which what is not used is closed' },
  { figure: 'programs', unit: '', growth: 0, because: 'a git stays for two minutes, and no longer' },
  { figure: 'temporaryFiles', unit: '', growth: 0, because: 'nothing is under way' },
];

export interface Verdict {
  readonly line: string;
  readonly isFlat: boolean;
}

/** Of the second half of a run: in the first one caches fill. `mostLogMb` is what the configuration allows. */
export function verdicts(samples: readonly Sample[], mostLogMb: number): readonly Verdict[] {
  const halfTime = samples.at(-1)!.minute / 2;
  const floors = floorsOf(samples.filter(({ minute }) => minute >= halfTime));
  return bounds.map(({ figure, unit, growth, most, because }) => {
    const allowed = figure === 'logMb' ? mostLogMb : most;
    const slope = 10 * slopeOf(floors.map(one => [one.minute, one[figure]]));
    const largest = Math.max(...samples.map(one => one[figure]));
    const isFlat = slope <= growth && largest <= allowed;
    const words = [
      `${signed(slope)} ${unit} in ten minutes (at most ${growth === never ? 'any' : signed(growth)})`,
      `never more than ${largest.toFixed(1)} (at most ${allowed === never ? 'any' : allowed})`,
      isFlat ? 'flat' : `GROWS: ${because}`,
    ];
    return { line: `${figure.padEnd(16)} ${words.join('; ')}`, isFlat };
  });
}

/** Of what a daemon holds at rest, before and after a run. */
export function restVerdicts(before: Figures, after: Figures): readonly Verdict[] {
  return atRest.map(({ figure, unit, growth, because }) => {
    const grown = after[figure] - before[figure];
    const isFlat = grown <= growth;
    const words = [
      `${signed(grown)} ${unit} at rest (at most ${signed(growth)})`,
      isFlat ? 'flat' : `GROWS: ${because}`,
    ];
    return { line: `${figure.padEnd(16)} ${words.join('; ')}`, isFlat };
  });
}

const windowMinutes = 0.5;

/** The least of each figure in each half minute. */
function floorsOf(samples: readonly Sample[]): readonly Sample[] {
  const windows = new Map<number, Sample>();
  for (const sample of samples) {
    const window = Math.floor(sample.minute / windowMinutes);
    const floor = windows.get(window);
    const keys = Object.keys(sample) as (keyof Sample)[];
    const least = keys.map(key => [key, Math.min(sample[key], floor?.[key] ?? never)]);
    windows.set(window, { ...Object.fromEntries(least), minute: window * windowMinutes });
  }
  return [...windows.values()];
}

/** The median of the slopes between any two points (Theil and Sen): a single peak does not move it. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const slopes = points.flatMap(([x, y], at) => points.slice(at + 1).map(([later, then]) => (then - y) / (later - x)));
  return slopes.sort((a, b) => a - b)[Math.floor(slopes.length / 2)] ?? 0;
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;

import { textNumber } from '../../model/text-number.ts';
import type { CallPoint } from '../../model/usage.ts';
import { otlpLimits } from './limits.ts';

export type MetricKind = 'gauge' | 'sum' | 'histogram' | 'exponential histogram' | 'summary';

/** What stands before the points of a metric. */
export interface MetricHead {
  readonly name: string;
  readonly unit: string;
  readonly kind: MetricKind;
  /** As OTLP numbers them: 1 delta, 2 cumulative, all others nothing. Summaries, which don't say, are cumulative. */
  readonly temporality: number;
  readonly isMonotonic: boolean;
}

/** What is made of the points of a metric. */
export interface CountedMetric {
  readonly name: string;
  readonly counts: 'calls' | 'errors';
  /** Undefined where nobody said: its points can't be counted. */
  readonly temporality: CallPoint['temporality'] | undefined;
  /** Tells it from others of the same source. */
  readonly number: number;
  /** Why its points can't be taken, whatever they say. */
  readonly problem: string | undefined;
}

/** Whether something may be counted by a metric, whatever its points are of. */
export function mayCount({ kind, isMonotonic, unit, name }: MetricHead): boolean {
  if (kind !== 'sum') return kind !== 'gauge';
  return isMonotonic && isCountUnit(unit) && !(unit === '' && isMeasure(lastWord(name)));
}

/** `scope`: name and version of who measures, and a digest of its attributes where it has any. */
export function countedMetric(head: MetricHead, scope: readonly string[]): CountedMetric {
  const { name, kind } = head;
  const isLong = name.length > otlpLimits.nameCharacters;
  return {
    name,
    counts: kind === 'sum' && errorWords.has(lastWord(name)) ? 'errors' : 'calls',
    temporality: temporalityOf(head),
    number: textNumber(JSON.stringify([name, kind, ...scope])),
    problem: isLong ? `has a name of more than ${otlpLimits.nameCharacters} characters` : undefined,
  };
}

function temporalityOf({ kind, temporality }: MetricHead): CountedMetric['temporality'] {
  if (kind === 'summary') return 'cumulative';
  return temporality === 1 ? 'delta' : temporality === 2 ? 'cumulative' : undefined;
}

/** No unit, one, or a word in braces for what is counted, as UCUM has it: `{call}`. */
function isCountUnit(unit: string): boolean {
  return unit === '' || unit === '1' || /^\{[^{}]{0,256}\}$/.test(unit);
}

/** `http.errors` and `http_errors_total` end in errors. */
function lastWord(name: string): string {
  const words = name
    .slice(-otlpLimits.nameCharacters)
    .toLowerCase()
    .replace(/[._]total$/, '');
  return words.slice(Math.max(words.lastIndexOf('.'), words.lastIndexOf('_')) + 1);
}

const errorWords: ReadonlySet<string> = new Set(['errors', 'exceptions', 'failures']);

/** What came by way of Prometheus has its unit in its name alone. */
function isMeasure(word: string): boolean {
  return measures.has(word);
}

const measures: ReadonlySet<string> = new Set(['seconds', 'milliseconds', 'bytes', 'ratio', 'celsius', 'joules']);

import { sum } from '../../model/counts.ts';
import { dayOf } from '../../model/usage.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { callsOf } from './matched-calls.ts';

/** Older calls tell of another time. */
const recentDays = 30;

/**
 * How often production calls a symbol, on the mean of the days of the last month since it was first spoken of; undefined
 * where it never was.
 */
export function callsADayOf(of: AnalysedSnapshot, hash: string): number | undefined {
  const calls = callsOf(of);
  const observed = calls?.of(hash);
  if (calls === undefined || observed === undefined) return undefined;
  const today = dayOf(of.asked.now);
  const from = today - recentDays + 1;
  const first = Math.min(...observed.functions.map(({ stored }) => stored.firstDay));
  const days = observed.functions.flatMap(({ stored }) => calls.reader.daysOf(stored.id, from));
  const total = days.reduce((all, one) => sum(all, one.calls), 0);
  return total / Math.max(1, today - Math.max(first, from) + 1);
}

import { dayOf } from '../../model/usage.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { callsOf } from './matched-calls.ts';
import { callsFrom, firstDayOf, recentDays } from './recent-calls.ts';

/**
 * How often production calls a symbol, on the mean of the days of the last month since it was first spoken of; undefined
 * where it never was.
 */
export function callsADayOf(of: AnalysedSnapshot, hash: string): number | undefined {
  const calls = callsOf(of);
  const observed = calls?.of(hash);
  if (calls === undefined || observed === undefined) return undefined;
  const from = firstDayOf(recentDays, of.asked.now);
  const first = Math.min(...observed.functions.map(({ stored }) => stored.firstDay));
  return callsFrom(calls, [observed], from) / Math.max(1, dayOf(of.asked.now) - Math.max(first, from) + 1);
}

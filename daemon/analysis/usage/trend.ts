import type { DayOfCalls } from '../../model/usage.ts';

export type CallTrend = 'increasing' | 'stable' | 'decreasing' | 'unknown';

/** Fewer days tell nothing. */
const leastDays = 4;
/** A change of the mean of a day that is no accident. */
const leastChange = 0.2;

/**
 * Compares the calls a day of the later half of the days from the first report to today with those of the earlier half; today
 * is not over, and is left out. A fifth more is an increase, a fifth less a decrease.
 */
export function trendOf(days: readonly DayOfCalls[], today: number): CallTrend {
  const [first] = days;
  const length = first === undefined ? 0 : today - first.day;
  if (first === undefined || length < leastDays) return 'unknown';
  const half = Math.floor(length / 2);
  const callsIn = (from: number, until: number): number =>
    days.reduce((total, { day, calls }) => (day >= from && day < until ? total + calls : total), 0) / (until - from);
  const before = callsIn(first.day, today - half);
  const after = callsIn(today - half, today);
  if (before === 0 && after === 0) return 'stable';
  if (after > before * (1 + leastChange)) return 'increasing';
  return after < before * (1 - leastChange) ? 'decreasing' : 'stable';
}

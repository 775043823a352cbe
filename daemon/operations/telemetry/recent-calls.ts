import { sum } from '../../model/counts.ts';
import { dayOf } from '../../model/usage.ts';
import type { CallsOfSnapshot, ObservedSymbol } from './matched-calls.ts';

/** Calls of the last so many days are those of today’s code. */
export const recentDays = 30;

/** The first of the last so many days, today among them. */
export function firstDayOf(days: number, nowMs: number): number {
  return dayOf(nowMs) - days + 1;
}

/** How often symbols were called from a day on. */
export function callsFrom(
  { reader }: Pick<CallsOfSnapshot, 'reader'>,
  symbols: Iterable<Pick<ObservedSymbol, 'functions'>>,
  from: number,
): number {
  let calls = 0;
  for (const { functions } of symbols) {
    for (const { stored } of functions) {
      for (const day of reader.daysOf(stored.id, from)) calls = sum(calls, day.calls);
    }
  }
  return calls;
}

import { sum } from '../../model/counts.ts';
import type { DayOfCalls } from '../../model/usage.ts';

/**
 * Days with calls, or with word that there were none, 32 of them to a row: of each its place in the row, calls and errors, as
 * numbers of seven bits to a byte. A row for each day took three times the room, and fifteen times as long to be checked at
 * each start.
 */
export const stretchDays = 32;

export function stretchOf(day: number): number {
  return Math.floor(day / stretchDays);
}

export function decodeDays(stretch: number, bytes: Uint8Array): DayOfCalls[] {
  const days: DayOfCalls[] = [];
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let scale = 1; at < bytes.length; scale *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 127) * scale;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < bytes.length) days.push({ day: stretch * stretchDays + next(), calls: next(), errors: next() });
  return days;
}

/** Days of one stretch, ascending. */
export function encodeDays(days: readonly DayOfCalls[]): Uint8Array {
  const bytes: number[] = [];
  const put = (value: number): void => {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
    bytes.push(rest);
  };
  for (const { day, calls, errors } of days) {
    put(day % stretchDays);
    put(calls);
    put(errors);
  }
  return Uint8Array.from(bytes);
}

/** The same days with more calls, none above what a number tells exactly. */
export function addedDays(days: readonly DayOfCalls[], more: readonly DayOfCalls[]): DayOfCalls[] {
  const sums = new Map(days.map(one => [one.day, one]));
  for (const { day, calls, errors } of more) {
    const known = sums.get(day);
    sums.set(day, { day, calls: sum(known?.calls ?? 0, calls), errors: sum(known?.errors ?? 0, errors) });
  }
  return [...sums.values()].sort((a, b) => a.day - b.day);
}

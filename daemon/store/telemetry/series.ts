import { hash } from 'node:crypto';
import type { GatheredPoint } from '../../model/gathered-calls.ts';
import { dayOf } from '../../model/usage.ts';
import type { Sql } from '../daemon-file.ts';

/** Where a series stands, or which metric of a process counts the calls of a function: `start` is its number then. */
export interface SeriesRow {
  readonly start: number;
  readonly at: number;
  readonly value: number;
}

/** A process that has been silent for so long has ended, or what it counts next is counted from there. */
export const seriesDays = 14;

/** What a series has counted, and since when. Microseconds. */
export interface Grown {
  readonly value: number;
  readonly sinceUs: number;
}

/**
 * What a cumulative series has counted since it was last heard of. One whose first point says that it began just then either did, or
 * nobody knows when it did (as where somebody scrapes it): all of that point counts, and what comes later of it, with whatever
 * start, goes on from there. `isKnown`: somebody counted its function before.
 */
export function grown(sql: Sql, point: GatheredPoint, series: string, isKnown: boolean): Grown {
  const { timeUs, startUs, value, day } = point;
  const isFirst = startUs === 0 || startUs >= timeUs;
  const fromStart = isFirst ? undefined : digestOf(`${series}\0${startUs}`);
  const ofStart = fromStart === undefined ? undefined : stateOf(sql, fromStart);
  const digest = ofStart === undefined ? digestOf(series) : undefined;
  const ofSeries = digest === undefined ? undefined : stateOf(sql, digest);
  const goesOn = isFirst || ofSeries?.start === startUs;
  const before = ofStart ?? (goesOn ? ofSeries : undefined);
  // It came late: what it tells is told.
  if (before !== undefined && timeUs < before.at) return { value: 0, sinceUs: before.at };
  keepState(sql, (goesOn ? digest : fromStart) ?? fromStart!, { start: startUs, at: timeUs, value }, day);
  if (before !== undefined) {
    return { value: value >= before.value ? value - before.value : value, sinceUs: before.at };
  }
  // Without a start nobody knows since when it counts; and of one that was silent for long, what of it is counted.
  const isOld = day - dayOf(startUs / 1000) > seriesDays;
  return { value: startUs === 0 || (isOld && isKnown) ? 0 : value, sinceUs: startUs === 0 ? timeUs : startUs };
}

export function stateOf({ get }: Sql, digest: Uint8Array): SeriesRow | undefined {
  return get<SeriesRow>('SELECT start, at, value FROM call_series WHERE digest = ?', digest);
}

export function keepState({ run }: Sql, digest: Uint8Array, { start, at, value }: SeriesRow, day: number): void {
  run('INSERT OR REPLACE INTO call_series VALUES (?, ?, ?, ?, ?)', digest, start, at, value, day);
}

/** Sixteen bytes: two of a hundred million are taken for one with a chance of one in 10^22. */
export function digestOf(text: string): Uint8Array {
  return hash('sha256', text, 'buffer').subarray(0, 16);
}

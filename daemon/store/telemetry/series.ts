import { hash } from 'node:crypto';
import type { GatheredPoint } from '../../model/gathered-calls.ts';
import { dayMs, dayOf } from '../../model/usage.ts';
import type { Sql } from '../daemon-file.ts';

/** Where a series stands, or which metric of a process counts the calls of a function: `start` is its number then. */
export interface SeriesRow {
  readonly start: number;
  readonly at: number;
  readonly value: number;
}

/** Where series stand, as the points of one batch find and leave them. */
export interface SeriesStates {
  of(digest: Uint8Array): SeriesRow | undefined;
  /** `before`: what `of` told. */
  keep(digest: Uint8Array, row: SeriesRow, day: number, before: SeriesRow | undefined): void;
  /** Whether a process was heard of before this batch, so that all its series are known. */
  isHeard(source: string): boolean;
  /** How many were not there before. */
  readonly added: number;
}

/** A process that has been silent for so long has ended, or what it counts next is counted from there. */
export const seriesDays = 14;

export function seriesStates({ get, run }: Sql, takenAtMs: number): SeriesStates {
  const heard = new Map<string, boolean>();
  let added = 0;
  const of: SeriesStates['of'] = digest =>
    get<SeriesRow>('SELECT start, at, value FROM call_series WHERE digest = ?', digest);
  const keep: SeriesStates['keep'] = (digest, { start, at, value }, day, before) => {
    run('INSERT OR REPLACE INTO call_series VALUES (?, ?, ?, ?, ?)', digest, start, at, value, day);
    if (before === undefined) added++;
  };
  /** `at` is the batch that told of the process last, `start` the one before that: a batch is counted slice by slice. */
  const hear = (source: string): boolean => {
    const digest = digestOf(`source\0${source}`);
    const state = of(digest);
    const takenAtUs = takenAtMs * 1000;
    const before = state?.at === takenAtUs ? state.start : (state?.at ?? 0);
    if (state?.at !== takenAtUs) keep(digest, { start: before, at: takenAtUs, value: 0 }, dayOf(takenAtMs), state);
    return takenAtMs - before / 1000 < (seriesDays - 1) * dayMs;
  };
  return {
    of,
    keep,
    isHeard: source => {
      const known = heard.get(source) ?? hear(source);
      heard.set(source, known);
      return known;
    },
    get added() {
      return added;
    },
  };
}

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
export function grown(states: SeriesStates, point: GatheredPoint, series: string, isKnown: boolean): Grown {
  const { timeUs, startUs, value, day } = point;
  const isHeard = states.isHeard(point.source);
  const isFirst = startUs === 0 || startUs >= timeUs;
  const fromStart = isFirst ? undefined : digestOf(`${series}\0${startUs}`);
  const ofStart = fromStart === undefined ? undefined : states.of(fromStart);
  const digest = ofStart === undefined ? digestOf(series) : undefined;
  const ofSeries = digest === undefined ? undefined : states.of(digest);
  const goesOn = isFirst || ofSeries?.start === startUs;
  const before = ofStart ?? (goesOn ? ofSeries : undefined);
  // It came late: what it tells is told.
  if (before !== undefined && timeUs < before.at) return { value: 0, sinceUs: before.at };
  states.keep((goesOn ? digest : fromStart) ?? fromStart!, { start: startUs, at: timeUs, value }, day, before);
  if (before !== undefined) {
    return { value: value >= before.value ? value - before.value : value, sinceUs: before.at };
  }
  // Without a start nobody knows since when it counts; and of one whose process was silent for long, what of it is counted.
  const isOld = day - dayOf(startUs / 1000) > seriesDays;
  return {
    value: startUs === 0 || (isOld && isKnown && !isHeard) ? 0 : value,
    sinceUs: startUs === 0 ? timeUs : startUs,
  };
}

/** Sixteen bytes: two of a hundred million are taken for one with a chance of one in 10^22. */
export function digestOf(text: string): Uint8Array {
  return hash('sha256', text, 'buffer').subarray(0, 16);
}

import type { GatheredPoint } from '../../model/gathered-calls.ts';
import { dayMs, dayOf } from '../../model/usage.ts';
import type { Sql } from '../daemon-file.ts';
import { FunctionSeries, roomNumber } from './function-series.ts';

/** What processes count, as the points of one slice of a batch find and leave it. */
export interface SeriesStates {
  /** What a process counts of a function. */
  of(source: string, counted: CountedFunction): FunctionSeries;
  /** Whether a process told of cumulative series before this batch, so that all that it has are known. */
  isHeard(source: string): boolean;
  /** Stores what has changed. */
  save(): void;
  /** How many were not there before, once saved. */
  readonly added: number;
}

/** Ids are those of rows. */
export interface CountedFunction {
  readonly id: number;
  /** Somebody counted it before. */
  readonly isKnown: boolean;
  /** Of one at a line what had its name before anybody told of another line; undefined where there was none. */
  readonly whole: number | undefined;
}

/** A process that has been silent for so long has ended, or what it counts next is counted from there. */
export const seriesDays = 14;

interface Process {
  readonly id: number;
  /** When the batch came that told of it last, and the one before. Milliseconds, 0 for never. */
  readonly told: number;
  readonly before: number;
}

interface Stored {
  readonly process: number;
  readonly function: number;
  readonly series: FunctionSeries;
  /** How many rows it weighs as it is stored: 0 where it is not. */
  readonly weight: number;
}

export function seriesStates(sql: Sql, takenAtMs: number): SeriesStates {
  const { get, run } = sql;
  const processes = new Map<string, Process>();
  const heard = new Map<string, boolean>();
  const found = new Map<string, Stored>();
  let added = 0;
  const processOf = (source: string): Process => {
    const known = processes.get(source) ?? storedProcess(sql, source);
    processes.set(source, known);
    return known;
  };
  const seriesAt = (process: number, id: number, isNew: boolean): FunctionSeries => {
    const key = `${process} ${id}`;
    const known = found.get(key) ?? { process, function: id, ...stored(process, id, isNew) };
    found.set(key, known);
    return known.series;
  };
  const stored = (process: number, id: number, isNew: boolean): Pick<Stored, 'series' | 'weight'> => {
    const row = isNew
      ? undefined
      : get<{ metric: number; told: number; states: Buffer }>(
          'SELECT metric, told, states FROM call_series WHERE process = ? AND function = ?',
          ...[process, id],
        );
    const apart = (series: number): FunctionSeries => seriesAt(process, roomNumber(id, series), isNew);
    const series = new FunctionSeries(row, id < 0 ? undefined : apart);
    return { series, weight: row === undefined ? 0 : series.weight };
  };
  /** A batch is counted slice by slice, and may be counted on by another process. */
  const hear = (source: string): boolean => {
    const { id, told, before } = processOf(source);
    const last = told === takenAtMs ? before : told;
    if (told !== takenAtMs) run('UPDATE call_process SET told = ?, before = ? WHERE id = ?', takenAtMs, told, id);
    return takenAtMs - last < (seriesDays - 1) * dayMs;
  };
  return {
    of: (source, { id, isKnown, whole }) => {
      const process = processOf(source).id;
      const series = seriesAt(process, id, !isKnown);
      series.before = whole === undefined ? undefined : seriesAt(process, whole, false);
      return series;
    },
    isHeard: source => {
      const known = heard.get(source) ?? hear(source);
      heard.set(source, known);
      return known;
    },
    save: () => {
      for (const { process, function: id, series, weight } of found.values()) {
        if (!series.isChanged) continue;
        const { metric, told, seen, states } = series.row(seriesDays);
        run(
          'INSERT OR REPLACE INTO call_series VALUES (?, ?, ?, ?, ?, ?, ?)',
          ...[process, id, metric, told, seen, series.weight, states],
        );
        added += series.weight - weight;
      }
    },
    get added() {
      return added;
    },
  };
}

function storedProcess({ get }: Sql, identity: string): Process {
  const found = get<Process>('SELECT id, told, before FROM call_process WHERE identity = ?', identity);
  return (
    found ??
    get<Process>(
      'INSERT INTO call_process (identity, told, before) VALUES (?, 0, 0) RETURNING id, told, before',
      identity,
    )!
  );
}

/** What a series has counted, and since when. Microseconds. */
export interface Grown {
  readonly value: number;
  readonly sinceUs: number;
  /** There were calls before, of which nobody knows when. */
  readonly wasCalled?: boolean;
}

/**
 * What a cumulative series has counted since it was last heard of. One whose first point says that it began just then either did, or
 * nobody knows when it did (as where somebody scrapes it): all of that point counts, and what comes later of it, with whatever
 * start, goes on from there. `isKnown`: somebody counted its function before; `isHeard`: somebody heard of its process.
 */
export function grown(
  states: FunctionSeries,
  point: GatheredPoint,
  series: number,
  { isKnown, isHeard }: { readonly isKnown: boolean; readonly isHeard: boolean },
): Grown {
  const { timeUs, startUs, value, day } = point;
  const isFirst = startUs === 0 || startUs >= timeUs;
  const before = states.goOn(series, isFirst ? undefined : startUs, { start: startUs, at: timeUs, value });
  // What it tells is told.
  if (before === 'late') return { value: 0, sinceUs: timeUs };
  if (before !== undefined) {
    const grownBy = value >= before.value ? value - before.value : value;
    return { value: grownBy, sinceUs: Math.min(before.at, timeUs) };
  }
  // Without a start nobody knows since when it counts; and of one whose process was silent for long, what of it is counted.
  const isOld = day - dayOf(startUs / 1000) > seriesDays;
  const isUncounted = startUs === 0 || (isOld && isKnown && !isHeard);
  return {
    value: isUncounted ? 0 : value,
    sinceUs: startUs === 0 ? timeUs : startUs,
    wasCalled: isUncounted && value > 0,
  };
}

import { sum } from '../../model/counts.ts';
import type { GatheredFunction } from '../../model/gathered-calls.ts';
import type { DayOfCalls } from '../../model/usage.ts';
import type { Sql } from '../daemon-file.ts';

/** A function as it stands before more of its calls are counted. */
export interface FunctionRow {
  readonly id: number;
  readonly at_line: number;
  readonly line: number;
  readonly calls: number;
  readonly errors: number;
  readonly first_day: number;
  readonly last_day: number;
  readonly called: number;
  readonly last_seen: number;
}

/** And after. */
export interface Found {
  readonly line: number;
  readonly calls: number;
  readonly errors: number;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly called: number;
  readonly lastSeen: number;
}

export function keyOf(
  { name, file, namespace, caller }: GatheredFunction,
  service: number,
  atLine: number,
): readonly unknown[] {
  return [service, name, file, namespace, caller, atLine];
}

/** Those of one name, whatever their lines. */
export function rowsOf({ all }: Sql, one: GatheredFunction, service: number): readonly FunctionRow[] {
  const [of, name, file, namespace, caller] = keyOf(one, service, 0);
  return all<FunctionRow>(
    `SELECT id, at_line, line, calls, errors, first_day, last_day, called, last_seen FROM call_function
     WHERE service = ? AND name = ? AND file = ? AND namespace = ? AND caller = ?`,
    ...[of, name, file, namespace, caller],
  );
}

export function foundRow(
  row: FunctionRow | undefined,
  days: readonly DayOfCalls[],
  { line, lastMs, calledBefore }: Pick<Found, 'line'> & { readonly lastMs: number; readonly calledBefore: number },
): Found {
  const all = days.map(({ day }) => day);
  const lastDay = Math.max(row?.last_day ?? 0, ...all);
  const called = days.filter(({ calls }) => calls > 0).map(({ day }) => day);
  const of = (key: 'calls' | 'errors'): number => days.reduce((total, one) => sum(total, one[key]), row?.[key] ?? 0);
  return {
    line: line === 0 ? (row?.line ?? 0) : line,
    calls: of('calls'),
    errors: of('errors'),
    firstDay: Math.min(row?.first_day ?? Number.MAX_SAFE_INTEGER, ...(all.length === 0 ? [lastDay] : all)),
    lastDay,
    called: Math.max(row?.called ?? 0, calledBefore, ...called),
    lastSeen: Math.max(row?.last_seen ?? 0, lastMs),
  };
}

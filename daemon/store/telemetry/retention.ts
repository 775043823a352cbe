import { dayMs, dayOf } from '../../model/usage.ts';
import type { Sql } from '../daemon-file.ts';
import { decodeDays, encodeDays, stretchOf } from './call-days.ts';
import { seriesDays } from './series.ts';

/** What of each is kept at most; a twentieth more may be there until somebody looks. */
export interface Most {
  readonly functions: number;
  readonly services: number;
  readonly series: number;
}

/** What is dropped in one transaction, which holds others up for some milliseconds. */
const functionsAtOnce = 200;
const rowsAtOnce = 1000;
/** What is found at a time to be too much. */
const surplusAtOnce = 50_000;
const batchesKeptMs = 48 * 60 * 60_000;

/** Drops days that are past, functions and services that have none left, series and batches that nobody goes on with. Each step is one transaction. */
export function* dropPast(sql: Sql, nowMs: number, keptDays: number): Generator<void> {
  const oldest = dayOf(nowMs) - keptDays + 1;
  yield* inLots<FunctionDays>(
    sql,
    ({ id } = { id: 0, lastDay: 0 }) =>
      sql.all(
        'SELECT id, last_day AS lastDay FROM call_function WHERE first_day < ? AND id > ? ORDER BY id LIMIT ?',
        ...[oldest, id, functionsAtOnce],
      ),
    one => (one.lastDay < oldest ? dropFunction(sql, one.id) : dropDays(sql, one.id, oldest)),
  );
  yield* inLots<{ service: number; stretch: number }>(
    sql,
    () =>
      sql.all(
        'SELECT service, stretch FROM call_service_days WHERE stretch < ? LIMIT ?',
        stretchOf(oldest),
        rowsAtOnce,
      ),
    ({ service, stretch }) =>
      sql.run('DELETE FROM call_service_days WHERE service = ? AND stretch = ?', service, stretch),
  );
  yield* inLots<{ id: number }>(
    sql,
    () =>
      sql.all(
        `SELECT id FROM call_service WHERE last_seen < ? AND NOT EXISTS
           (SELECT 1 FROM call_function WHERE service = call_service.id) LIMIT ?`,
        ...[nowMs - keptDays * dayMs, rowsAtOnce],
      ),
    ({ id }) => dropService(sql, id),
  );
  yield* inLots<{ digest: Uint8Array }>(
    sql,
    () =>
      sql.all(
        'SELECT digest FROM call_batch WHERE taken_at < ? AND digest NOT IN (SELECT digest FROM call_batch_body) LIMIT ?',
        ...[nowMs - batchesKeptMs, rowsAtOnce],
      ),
    ({ digest }) => sql.run('DELETE FROM call_batch WHERE digest = ?', digest),
  );
  yield* inLots<SeriesKey>(
    sql,
    ({ process, function: number } = { process: 0, function: 0 }) =>
      sql.all(
        `SELECT process, function FROM call_series WHERE seen < ? AND (process, function) > (?, ?)
         ORDER BY process, function LIMIT ?`,
        ...[dayOf(nowMs) - seriesDays, process, number, rowsAtOnce],
      ),
    key => dropSeries(sql, key),
  );
  yield* dropProcesses(sql);
}

/**
 * Has those go that are worth least, where there are more than are kept: of functions and services those of which nobody knows what they
 * are, the least called first, then those that are known by a name alone, then all others; of what is worth the same those that were silent
 * longest. So a flood of names that mean nothing makes room for itself, and what it pushes out otherwise is noted. Each step is one
 * transaction.
 */
export function* dropSurplus(sql: Sql, most: Most, nowMs: number): Generator<void> {
  const note = (kind: keyof typeof noted) => sql.run(noted[kind], nowMs);
  yield* surplusOf<{ id: number }>(sql, functionsByWorth, most.functions, rows =>
    inLots(sql, lotsOf(rows, functionsAtOnce), ({ id }) => {
      dropFunction(sql, id);
      note('functions');
    }),
  );
  yield* surplusOf<{ id: number }>(sql, servicesByWorth, most.services, rows =>
    dropServices(sql, rows, () => note('services')),
  );
  yield* surplusOf<SeriesKey>(
    sql,
    { from: 'call_series', key: 'process, function', order: 'seen, told', weight: 'weight' },
    most.series,
    rows => inLots(sql, lotsOf(rows, rowsAtOnce), key => dropSeries(sql, key)),
  );
  yield* dropProcesses(sql);
}

interface FunctionDays {
  readonly id: number;
  readonly lastDay: number;
}

/** Reads lot after lot, behind the last row of the one before, until there is none, and drops each lot in one transaction. */
function* inLots<Row>(
  sql: Sql,
  read: (after: Row | undefined) => readonly Row[],
  drop: (row: Row) => void,
): Generator<void> {
  for (let rows = read(undefined); rows.length > 0; rows = read(rows.at(-1))) {
    sql.lightly(() => sql.together(() => rows.forEach(drop)));
    yield;
  }
}

function lotsOf<Row>(rows: readonly Row[], size: number): () => readonly Row[] {
  let at = 0;
  return () => {
    at += size;
    return rows.slice(at - size, at);
  };
}

interface SeriesKey {
  readonly process: number;
  readonly function: number;
}

interface Ordered {
  /** A table, or several that are joined without a row more or less than the first has. */
  readonly from: string;
  readonly key: string;
  /** What goes first comes first. */
  readonly order: string;
  /** What a row counts for, where that is not one. */
  readonly weight?: string;
}

/** `quality` is null of what is no symbol, and 3 of a weak match. */
const worth = 'CASE WHEN quality IS NULL THEN 0 WHEN quality = 3 THEN 1 ELSE 2 END';

const functionsByWorth: Ordered = {
  from: 'call_function',
  key: 'id',
  order: `${worth}, CASE WHEN quality IS NULL THEN calls ELSE 0 END, last_day, last_seen`,
};

/** A service is worth what the best known of its functions is. */
const servicesByWorth: Ordered = {
  from: `call_service LEFT JOIN
    (SELECT service, min(quality) AS quality FROM call_function WHERE symbol IS NOT NULL GROUP BY service) ON service = id`,
  key: 'id',
  order: `${worth}, CASE WHEN quality IS NULL THEN events ELSE 0 END, last_seen`,
};

const noting = (kind: string): string =>
  `INSERT INTO call_dropped VALUES ('${kind}', 1, ?) ON CONFLICT DO UPDATE SET dropped = dropped + 1, at = excluded.at`;

const noted = { functions: noting('functions'), services: noting('services') } as const;

/** Finds and drops what is there beyond so much. */
function* surplusOf<Row>(
  { all, get }: Sql,
  { from, key, order, weight = '1' }: Ordered,
  most: number,
  drop: (rows: readonly Row[]) => Generator<void>,
): Generator<void> {
  const stored = get<{ n: number }>(`SELECT coalesce(sum(${weight}), 0) AS n FROM ${from}`)!.n;
  for (let more = stored - most; more > 0; ) {
    const first = all<Row & { readonly n: number }>(
      `SELECT ${key}, ${weight} AS n FROM ${from} ORDER BY ${order}, ${key} LIMIT ?`,
      Math.min(more, surplusAtOnce),
    );
    const rows: Row[] = [];
    for (const row of first) {
      if (more <= 0) break;
      rows.push(row);
      more -= row.n;
    }
    yield* drop(rows);
  }
}

/** A process has ended, or is told of no more, of which nothing is kept. */
function* dropProcesses(sql: Sql): Generator<void> {
  yield* inLots<{ id: number }>(
    sql,
    ({ id } = { id: 0 }) =>
      sql.all(
        `SELECT id FROM call_process WHERE id > ? AND NOT EXISTS
           (SELECT 1 FROM call_series WHERE process = call_process.id) ORDER BY id LIMIT ?`,
        ...[id, rowsAtOnce],
      ),
    ({ id }) => sql.run('DELETE FROM call_process WHERE id = ?', id),
  );
}

function* dropServices(sql: Sql, services: readonly { readonly id: number }[], note: () => void): Generator<void> {
  for (const { id: service } of services) {
    yield* inLots<{ id: number }>(
      sql,
      () => sql.all('SELECT id FROM call_function WHERE service = ? LIMIT ?', service, functionsAtOnce),
      ({ id }) => dropFunction(sql, id),
    );
  }
  yield* inLots(sql, lotsOf(services, rowsAtOnce), ({ id }) => {
    dropService(sql, id);
    note();
  });
}

/** Another one may have its id next: nothing is left that is of it. */
function dropService({ run }: Sql, id: number): void {
  run('DELETE FROM call_service_days WHERE service = ?', id);
  run('DELETE FROM call_service WHERE id = ?', id);
}

function dropFunction({ run }: Sql, id: number): void {
  run('DELETE FROM call_days WHERE function = ?', id);
  run('DELETE FROM call_function WHERE id = ?', id);
}

/** Of one function what is older than a day. */
function dropDays({ all, run }: Sql, id: number, oldest: number): void {
  const rows = all<{ stretch: number; days: Buffer }>(
    'SELECT stretch, days FROM call_days WHERE function = ? AND stretch <= ?',
    ...[id, stretchOf(oldest)],
  );
  const days = rows.flatMap(row => decodeDays(row.stretch, row.days));
  const past = days.filter(({ day }) => day < oldest);
  const kept = encodeDays(days.filter(({ day }) => day >= oldest));
  run('DELETE FROM call_days WHERE function = ? AND stretch < ?', id, stretchOf(oldest));
  run('UPDATE call_days SET days = ? WHERE function = ? AND stretch = ?', kept, id, stretchOf(oldest));
  const of = (key: 'calls' | 'errors'): number => past.reduce((total, one) => total + one[key], 0);
  run(
    'UPDATE call_function SET calls = max(0, calls - ?), errors = max(0, errors - ?), first_day = ? WHERE id = ?',
    ...[of('calls'), of('errors'), oldest, id],
  );
}

function dropSeries({ run }: Sql, { process, function: number }: SeriesKey): void {
  run('DELETE FROM call_series WHERE process = ? AND function = ?', process, number);
}

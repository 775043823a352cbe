import { failpoint } from '../../failpoint.ts';
import { sum } from '../../model/counts.ts';
import type { GatheredFunction, GatheredPoint } from '../../model/gathered-calls.ts';
import { type DayOfCalls, dayMs, dayOf, type MatchQuality, matchQualities } from '../../model/usage.ts';
import type { Sql } from '../daemon-file.ts';
import { addedDays, decodeDays, encodeDays, stretchDays, stretchOf } from './call-days.ts';
import { countedPoints } from './counted-points.ts';
import { type Found, type FunctionRow, foundRow, keyOf, rowsOf } from './function-rows.ts';
import { seriesDays } from './series.ts';

/** The one writer of what production tells of calls. Every method throws `StoreError`. */
export interface CallStore {
  /** A batch that came before, whole or not; undefined of a new one. */
  batch(digest: Uint8Array): StoredBatch | undefined;
  /** Batches that have not been counted to their end. */
  unfinished(): readonly UnfinishedBatch[];
  /** Keeps a batch with all that it takes to count it, before it is counted slice by slice. */
  keep(digest: Uint8Array, batch: Omit<UnfinishedBatch, 'digest'>): void;
  /**
   * Counts some functions of a batch, of which so many are counted by then, in one transaction; with `outcome` the last of them. Returns
   * the rows of functions that were new.
   */
  count(slice: CountedSlice): readonly number[];
  /** What functions are in a repository, now that somebody has looked. */
  remember(seen: readonly RememberedMatch[]): void;
  /** Drops what is not kept any longer, some rows at a time; whether there may be more. */
  drop(nowMs: number, keeping: Keeping): boolean;
  close(): void;
}

export interface StoredBatch {
  readonly takenAt: number;
  readonly isWhole: boolean;
  /** JSON: what was answered. */
  readonly outcome: string;
}

export interface UnfinishedBatch {
  readonly digest: Uint8Array;
  readonly takenAt: number;
  readonly counted: number;
  /** All that it takes to count it. */
  readonly body: Uint8Array;
}

export interface CountedSlice {
  readonly digest: Uint8Array;
  readonly functions: readonly GatheredFunction[];
  /** Uid of the repository that the request was for; '' for none. */
  readonly asked: string;
  readonly counted: number;
  readonly takenAt: number;
  /** Of the last slice: JSON of what is answered. */
  readonly outcome: string | undefined;
}

export interface RememberedMatch {
  readonly id: number;
  readonly repoUid: string;
  /** 32 hex digits. */
  readonly symbol: string;
  readonly quality: MatchQuality;
}

export interface Keeping {
  readonly keptDays: number;
  readonly mostFunctions: number;
}

const mostSeries = 1_000_000;
const batchesKeptMs = 48 * 60 * 60_000;
const rowsAtOnce = 2000;

export function callStore(sql: Sql): CallStore {
  const { get, all, run, together, lightly } = sql;
  return {
    batch: digest =>
      get<{ takenAt: number; isWhole: number; outcome: string }>(
        `SELECT taken_at AS takenAt, outcome, digest NOT IN (SELECT digest FROM call_batch_body) AS isWhole
         FROM call_batch WHERE digest = ?`,
        digest,
      ) as StoredBatch | undefined,
    unfinished: () =>
      all<UnfinishedBatch>(
        'SELECT digest, taken_at AS takenAt, counted, body FROM call_batch JOIN call_batch_body USING (digest) ORDER BY taken_at',
      ),
    keep: (digest, { takenAt, counted, body }) =>
      together(() => {
        run(`INSERT OR REPLACE INTO call_batch VALUES (?, ?, ?, '')`, digest, takenAt, counted);
        run('INSERT OR REPLACE INTO call_batch_body VALUES (?, ?)', digest, body);
      }),
    count: slice => {
      let fresh: readonly number[] = [];
      const work = (): void => {
        fresh = together(() => {
          const found = counted(sql, slice);
          failpoint('before-count');
          return found;
        });
        failpoint('after-count');
      };
      // The last one is synced, and with it all that came before.
      if (slice.outcome === undefined) lightly(work);
      else work();
      return fresh;
    },
    remember: seen =>
      lightly(() =>
        together(() => {
          for (const { id, repoUid, symbol, quality } of seen) {
            run(
              'UPDATE call_function SET repo_uid = ?, symbol = ?, quality = ? WHERE id = ?',
              ...[repoUid, symbol, matchQualities.indexOf(quality) + 1, id],
            );
          }
        }),
      ),
    drop: (nowMs, keeping) => {
      let isMore = false;
      lightly(() => {
        isMore = together(() => dropped(sql, nowMs, keeping));
      });
      return isMore;
    },
    close: sql.close,
  };
}

function counted(sql: Sql, { digest, functions, asked, counted: position, takenAt, outcome }: CountedSlice) {
  const { run } = sql;
  const fresh: number[] = [];
  const services = new Map<string, { readonly id: number; events: number; readonly days: Set<number> }>();
  for (const one of functions) {
    const key = `${one.service}\0${one.repository}`;
    const service = services.get(key) ?? { id: serviceOf(sql, one, asked, takenAt), events: 0, days: new Set() };
    services.set(key, service);
    for (const points of one.lines.values()) {
      service.events += points.length;
      for (const { day } of points) service.days.add(day);
    }
    countFunction(sql, one, service.id, fresh);
  }
  for (const { id, events, days } of services.values()) {
    run('UPDATE call_service SET events = events + ?, last_seen = max(last_seen, ?) WHERE id = ?', events, takenAt, id);
    for (const day of days) {
      run(
        'INSERT INTO call_service_days VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET days = days | excluded.days',
        ...[id, stretchOf(day), 2 ** (day % stretchDays)],
      );
    }
  }
  run('INSERT OR REPLACE INTO call_batch VALUES (?, ?, ?, ?)', digest, takenAt, position, outcome ?? '');
  if (outcome !== undefined) run('DELETE FROM call_batch_body WHERE digest = ?', digest);
  return fresh;
}

function serviceOf({ get, run }: Sql, { service, repository }: GatheredFunction, asked: string, atMs: number): number {
  const find = (): { id: number } | undefined =>
    get('SELECT id FROM call_service WHERE name = ? AND repository = ? AND asked = ?', service, repository, asked);
  const known = find();
  if (known !== undefined) return known.id;
  run(
    `INSERT INTO call_service (name, repository, asked, events, first_seen, last_seen) VALUES (?, ?, ?, 0, ?, ?)`,
    ...[service, repository, asked, atMs, atMs],
  );
  return find()!.id;
}

/** What one process has under one name at several lines are several functions, from then on. */
function countFunction(sql: Sql, one: GatheredFunction, service: number, fresh: number[]): void {
  const known = rowsOf(sql, one, service);
  const isSeveral = one.isSeveral || known.some(({ at_line }) => at_line !== 0);
  if (isSeveral) {
    for (const [line, points] of one.lines) {
      countPoints(sql, { one, service, atLine: line, line, points, fresh }, known);
    }
    return;
  }
  const [line] = [...one.lines.keys()].filter(told => told > 0).slice(-1);
  countPoints(sql, { one, service, atLine: 0, line: line ?? 0, points: [...one.lines.values()].flat(), fresh }, known);
}

interface Counting {
  readonly one: GatheredFunction;
  readonly service: number;
  readonly atLine: number;
  readonly line: number;
  readonly points: readonly GatheredPoint[];
  readonly fresh: number[];
}

function countPoints(sql: Sql, counting: Counting, known: readonly FunctionRow[]): void {
  const { one, service, atLine, line, points, fresh } = counting;
  const row = known.find(({ at_line }) => at_line === atLine);
  const key = keyOf(one, service, atLine);
  const days = new Map<number, DayOfCalls>();
  let lastUs = 0;
  // A day with points of a metric that is passed over is a day on which it was told of all the same.
  for (const { day } of points) days.set(day, { day, calls: 0, errors: 0 });
  for (const { point, value } of countedPoints(sql, key.join('\0'), points, row !== undefined)) {
    const { day, timeUs, counts } = point;
    const before = days.get(day)!;
    days.set(day, {
      day,
      calls: counts === 'errors' ? before.calls : sum(before.calls, value),
      errors: counts === 'calls' ? before.errors : sum(before.errors, value),
    });
    if (value > 0) lastUs = Math.max(lastUs, timeUs);
  }
  const all = [...days.values()];
  const id = save(sql, row, foundRow(row, all, { line, lastMs: Math.floor(lastUs / 1000) }), key, one.bare);
  if (row === undefined) fresh.push(id);
  addDays(sql, id, all, row === undefined);
}

function save(sql: Sql, row: FunctionRow | undefined, found: Found, key: readonly unknown[], bare: string): number {
  const values = [found.line, found.calls, found.errors];
  const seen = [found.firstDay, found.lastDay, found.called, found.lastSeen];
  if (row !== undefined) {
    sql.run(
      `UPDATE call_function SET line = ?, calls = ?, errors = ?, first_day = ?, last_day = ?,
         called = ?, last_seen = ? WHERE id = ?`,
      ...[...values, ...seen, row.id],
    );
    return row.id;
  }
  return sql.get<{ id: number }>(
    `INSERT INTO call_function (service, name, file, namespace, caller, at_line, bare, line, calls, errors,
       first_day, last_day, called, last_seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    ...[...key, bare, ...values, ...seen],
  )!.id;
}

function addDays({ get, run }: Sql, id: number, days: readonly DayOfCalls[], isNew: boolean): void {
  const stretches = new Set(days.map(({ day }) => stretchOf(day)));
  for (const stretch of stretches) {
    const more = days.filter(({ day }) => stretchOf(day) === stretch);
    const known = isNew
      ? undefined
      : get<{ days: Buffer }>('SELECT days FROM call_days WHERE function = ? AND stretch = ?', id, stretch);
    const all = addedDays(known === undefined ? [] : decodeDays(stretch, known.days), more);
    run('INSERT OR REPLACE INTO call_days (stretch, function, days) VALUES (?, ?, ?)', stretch, id, encodeDays(all));
  }
}

/** Days that are past, functions that have none left, series and batches that nobody goes on with. */
function dropped({ get, all, run }: Sql, nowMs: number, { keptDays, mostFunctions }: Keeping): boolean {
  const today = dayOf(nowMs);
  const oldest = today - keptDays + 1;
  const gone = all<{ function: number; stretch: number; days: Buffer }>(
    'SELECT function, stretch, days FROM call_days WHERE stretch < ? LIMIT ?',
    ...[stretchOf(oldest), rowsAtOnce],
  );
  for (const { function: id, stretch, days } of gone) {
    const sums = decodeDays(stretch, days);
    const of = (key: 'calls' | 'errors'): number => sums.reduce((total, one) => total + one[key], 0);
    run(
      'UPDATE call_function SET calls = max(0, calls - ?), errors = max(0, errors - ?) WHERE id = ?',
      of('calls'),
      of('errors'),
      id,
    );
    run('DELETE FROM call_days WHERE function = ? AND stretch = ?', id, stretch);
  }
  const trimmed = trim({ get, all, run } as Sql, oldest);
  const tooMany = get<{ n: number }>('SELECT count(*) AS n FROM call_function')!.n - mostFunctions;
  const silent = all<{ id: number }>(
    `SELECT id FROM call_function WHERE last_day < ? OR id IN (SELECT id FROM call_function ORDER BY last_day, last_seen LIMIT max(0, ?)) LIMIT ?`,
    ...[oldest, tooMany, rowsAtOnce],
  );
  for (const { id } of silent) {
    run('DELETE FROM call_days WHERE function = ?', id);
    run('DELETE FROM call_function WHERE id = ?', id);
  }
  run('DELETE FROM call_service_days WHERE stretch < ?', stretchOf(oldest));
  run('DELETE FROM call_service WHERE last_seen < ?', nowMs - keptDays * dayMs);
  run(
    'DELETE FROM call_batch WHERE taken_at < ? AND digest NOT IN (SELECT digest FROM call_batch_body)',
    nowMs - batchesKeptMs,
  );
  const surplus = get<{ n: number }>('SELECT count(*) AS n FROM call_series')!.n - mostSeries;
  run(
    `DELETE FROM call_series WHERE digest IN (SELECT digest FROM call_series WHERE seen < ? ORDER BY seen LIMIT ?)`,
    ...[surplus > 0 ? today : today - seriesDays, rowsAtOnce],
  );
  return gone.length === rowsAtOnce || trimmed === rowsAtOnce || silent.length === rowsAtOnce || surplus > rowsAtOnce;
}

/** Of the row that the oldest day stands in, what is older; returns in how many functions. */
function trim({ all, run }: Sql, oldest: number): number {
  const stretch = stretchOf(oldest);
  const rows = all<{ id: number; days: Buffer | null }>(
    `SELECT id, days FROM call_function LEFT JOIN call_days ON function = id AND stretch = ?
     WHERE first_day < ? AND last_day >= ? LIMIT ?`,
    ...[stretch, oldest, oldest, rowsAtOnce],
  );
  for (const { id, days } of rows) {
    const known = days === null ? [] : decodeDays(stretch, days);
    const [past, kept] = [known.filter(({ day }) => day < oldest), known.filter(({ day }) => day >= oldest)];
    const of = (key: 'calls' | 'errors'): number => past.reduce((total, one) => total + one[key], 0);
    run(
      'UPDATE call_function SET calls = max(0, calls - ?), errors = max(0, errors - ?), first_day = ? WHERE id = ?',
      ...[of('calls'), of('errors'), oldest, id],
    );
    if (past.length > 0)
      run('UPDATE call_days SET days = ? WHERE function = ? AND stretch = ?', encodeDays(kept), id, stretch);
  }
  return rows.length;
}

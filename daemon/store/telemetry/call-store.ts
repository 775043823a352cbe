import { failpoint } from '../../failpoint.ts';
import { sum } from '../../model/counts.ts';
import type { GatheredFunction, GatheredPoint } from '../../model/gathered-calls.ts';
import { type DayOfCalls, type MatchQuality, matchQualities } from '../../model/usage.ts';
import type { Sql } from '../daemon-file.ts';
import { addedDays, decodeDays, encodeDays, stretchDays, stretchOf } from './call-days.ts';
import { countedPoints } from './counted-points.ts';
import { type Found, type FunctionRow, foundRow, keyOf, rowsOf } from './function-rows.ts';
import { dropPast, dropSurplus, type Most } from './retention.ts';
import { type SeriesStates, seriesStates } from './series.ts';

/** The one writer of what production tells of calls. Every method throws `StoreError`. */
export interface CallStore {
  /** A batch that came before, whole or not; undefined of a new one. */
  batch(digest: Uint8Array): StoredBatch | undefined;
  /** Batches that have not been counted to their end, the oldest first. */
  unfinished(): readonly Uint8Array[];
  /** One of them; undefined of any other. */
  unfinishedAt(digest: Uint8Array): UnfinishedBatch | undefined;
  /** Keeps a batch with all that it takes to count it, before it is counted slice by slice. */
  keep(digest: Uint8Array, batch: Omit<UnfinishedBatch, 'digest'>): void;
  /**
   * Counts some functions of a batch, of which so many are counted by then, in one transaction; with `outcome` the last of them. Returns
   * the rows of functions that were new.
   */
  count(slice: CountedSlice): readonly number[];
  /** Counts no more of a batch that can't be counted to its end; `outcome` is what is answered when it comes again. */
  giveUp(digest: Uint8Array, outcome: string): void;
  /** What functions are in a repository, now that somebody has looked. Each step is a transaction. */
  remember(seen: readonly RememberedMatch[]): Generator<void>;
  /** Drops what is not kept any longer. Each step is a transaction; others may write between. */
  dropPast(nowMs: number, keptDays: number): Generator<void>;
  /** Makes room where more is there than is kept, once much has come since it was looked last. Nobody else writes between its steps. */
  makeRoom(most: Most, nowMs: number): Generator<void>;
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
  /** When its batch came; of the last slice, when that is counted. */
  readonly takenAt: number;
  /** Of the last slice: JSON of what is answered. */
  readonly outcome?: string;
}

export interface RememberedMatch {
  readonly id: number;
  readonly repoUid: string;
  /** 32 hex digits. */
  readonly symbol: string;
  readonly quality: MatchQuality;
}

const matchesAtOnce = 500;
/** It is looked for what is too much once so small a part of what is kept has come. */
const partBetweenLooks = 20;

export function callStore(sql: Sql): CallStore {
  const { get, all, run, together, lightly } = sql;
  /** Rows that came since somebody looked whether there are too many. What was there before, nobody knows. */
  let added: Most = { functions: Infinity, services: Infinity, series: Infinity };
  return {
    batch: digest =>
      get<{ takenAt: number; isWhole: number; outcome: string }>(
        `SELECT taken_at AS takenAt, outcome, digest NOT IN (SELECT digest FROM call_batch_body) AS isWhole
         FROM call_batch WHERE digest = ?`,
        digest,
      ) as StoredBatch | undefined,
    unfinished: () =>
      all<{ digest: Uint8Array }>(
        'SELECT digest FROM call_batch JOIN call_batch_body USING (digest) ORDER BY taken_at',
      ).map(({ digest }) => digest),
    unfinishedAt: digest =>
      get<UnfinishedBatch>(
        'SELECT digest, taken_at AS takenAt, counted, body FROM call_batch JOIN call_batch_body USING (digest) WHERE digest = ?',
        digest,
      ),
    // Nobody is told of it yet.
    keep: (digest, { takenAt, counted, body }) =>
      lightly(() =>
        together(() => {
          run(`INSERT OR REPLACE INTO call_batch VALUES (?, ?, ?, '')`, digest, takenAt, counted);
          run('INSERT OR REPLACE INTO call_batch_body VALUES (?, ?)', digest, body);
        }),
      ),
    count: slice => {
      let fresh: readonly number[] = [];
      const work = (): void => {
        const found = together(() => {
          const done = counted(sql, slice);
          failpoint('before-count');
          return done;
        });
        failpoint('after-count');
        fresh = found.fresh;
        added = summed(added, found.added);
      };
      // The last one is synced, and with it all that came before.
      if (slice.outcome === undefined) lightly(work);
      else work();
      return fresh;
    },
    giveUp: (digest, outcome) =>
      together(() => {
        run('UPDATE call_batch SET outcome = ? WHERE digest = ?', outcome, digest);
        run('DELETE FROM call_batch_body WHERE digest = ?', digest);
      }),
    *remember(seen) {
      for (let at = 0; at < seen.length; at += matchesAtOnce) {
        lightly(() => together(() => rememberMatches(sql, seen.slice(at, at + matchesAtOnce))));
        yield;
      }
    },
    dropPast: (nowMs, keptDays) => dropPast(sql, nowMs, keptDays),
    *makeRoom(most, nowMs) {
      if (kinds.every(kind => added[kind] * partBetweenLooks < most[kind])) return;
      yield* dropSurplus(sql, most, nowMs);
      added = none;
    },
    close: sql.close,
  };
}

const kinds = ['functions', 'services', 'series'] as const;
const none: Most = { functions: 0, services: 0, series: 0 };

function summed(a: Most, b: Most): Most {
  return { functions: a.functions + b.functions, services: a.services + b.services, series: a.series + b.series };
}

function rememberMatches({ run }: Sql, seen: readonly RememberedMatch[]): void {
  for (const { id, repoUid, symbol, quality } of seen) {
    run(
      'UPDATE call_function SET repo_uid = ?, symbol = ?, quality = ? WHERE id = ?',
      ...[repoUid, symbol, matchQualities.indexOf(quality) + 1, id],
    );
  }
}

/** Ids of functions that are new, and how many rows are. */
function counted(
  sql: Sql,
  { digest, functions, asked, counted: position, takenAt, outcome }: CountedSlice,
): { readonly fresh: readonly number[]; readonly added: Most } {
  const { run } = sql;
  const fresh: number[] = [];
  const states = seriesStates(sql, takenAt);
  const newId = idsFrom(sql);
  let newServices = 0;
  const services = new Map<string, { readonly id: number; events: number; readonly days: Set<number> }>();
  for (const one of functions) {
    const key = `${one.service}\0${one.repository}`;
    let service = services.get(key);
    if (service === undefined) {
      const { id, isNew } = serviceOf(sql, one, asked, takenAt);
      if (isNew) newServices++;
      service = { id, events: 0, days: new Set() };
      services.set(key, service);
    }
    for (const points of one.lines.values()) {
      for (const { day, isSameItem } of points) {
        service.days.add(day);
        if (!isSameItem) service.events++;
      }
    }
    countFunction(sql, { one, service: service.id, states, newId, fresh });
  }
  states.save();
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
  return { fresh, added: { functions: fresh.length, services: newServices, series: states.added } };
}

/** Ids of rows that are to come, one after the other: nobody else makes any. */
function idsFrom({ get }: Sql): () => number {
  let last: number | undefined;
  return () => {
    last ??= get<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM call_function')!.id;
    return ++last;
  };
}

function serviceOf({ get, run }: Sql, { service, repository }: GatheredFunction, asked: string, atMs: number) {
  const find = (): { id: number } | undefined =>
    get('SELECT id FROM call_service WHERE name = ? AND repository = ? AND asked = ?', service, repository, asked);
  const known = find();
  if (known !== undefined) return { id: known.id, isNew: false };
  run(
    `INSERT INTO call_service (name, repository, asked, events, first_seen, last_seen) VALUES (?, ?, ?, 0, ?, ?)`,
    ...[service, repository, asked, atMs, atMs],
  );
  return { id: find()!.id, isNew: true };
}

/** What one process has under one name at several lines are several functions, from then on. */
function countFunction(sql: Sql, counting: FunctionCounting): void {
  const { one, service } = counting;
  const known = rowsOf(sql, one, service);
  const isSeveral = one.isSeveral || known.some(({ at_line }) => at_line !== 0);
  if (isSeveral) {
    for (const [line, points] of one.lines) {
      countPoints(sql, { ...counting, atLine: line, line, points }, known);
    }
    return;
  }
  const lines = [...one.lines];
  const [line = 0] = lines.findLast(([told]) => told > 0) ?? [];
  const points = lines.length === 1 ? lines[0]![1] : lines.flatMap(([, some]) => some);
  countPoints(sql, { ...counting, atLine: 0, line, points }, known);
}

interface FunctionCounting {
  readonly one: GatheredFunction;
  readonly service: number;
  readonly states: SeriesStates;
  /** The next id of a row. */
  readonly newId: () => number;
  /** Takes ids of functions that are new. */
  readonly fresh: number[];
}

interface Counting extends FunctionCounting {
  readonly atLine: number;
  readonly line: number;
  readonly points: readonly GatheredPoint[];
}

function countPoints(sql: Sql, counting: Counting, known: readonly FunctionRow[]): void {
  const { one, service, atLine, line, points, states, newId, fresh } = counting;
  const row = known.find(({ at_line }) => at_line === atLine);
  const key = keyOf(one, service, atLine);
  const days = new Map<number, DayOfCalls>();
  let lastUs = 0;
  let calledBefore = 0;
  // A day with points of a metric that is passed over is a day on which it was told of all the same.
  for (const { day } of points) days.set(day, { day, calls: 0, errors: 0 });
  const whole = atLine === 0 ? undefined : known.find(({ at_line }) => at_line === 0)?.id;
  const id = row?.id ?? newId();
  for (const { point, value, wasCalled } of countedPoints(states, { id, isKnown: row !== undefined, whole }, points)) {
    const { day, timeUs, counts } = point;
    const before = days.get(day)!;
    days.set(day, {
      day,
      calls: counts === 'errors' ? before.calls : sum(before.calls, value),
      errors: counts === 'calls' ? before.errors : sum(before.errors, value),
    });
    if (value > 0) lastUs = Math.max(lastUs, timeUs);
    if (wasCalled === true) calledBefore = Math.max(calledBefore, day);
  }
  const all = [...days.values()];
  save(
    sql,
    row ?? { id, key, bare: one.bare },
    foundRow(row, all, { line, lastMs: Math.floor(lastUs / 1000), calledBefore }),
  );
  if (row === undefined) fresh.push(id);
  addDays(sql, id, all, row === undefined);
}

/** What a function is that has no row yet. */
interface FreshRow {
  readonly id: number;
  readonly key: readonly unknown[];
  readonly bare: string;
}

function save({ run }: Sql, row: FunctionRow | FreshRow, found: Found): void {
  const { called } = found;
  const values = [found.line, found.calls, found.errors, found.firstDay, found.lastDay, found.lastSeen];
  if ('key' in row) {
    run(
      `INSERT INTO call_function (id, service, name, file, namespace, caller, at_line, bare, line, calls, errors,
         first_day, last_day, last_seen, called) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[row.id, ...row.key, row.bare, ...values, called],
    );
    return;
  }
  // An index has the last one, and is written anew wherever that is named.
  const isSame = called === row.called;
  run(
    `UPDATE call_function SET line = ?, calls = ?, errors = ?, first_day = ?, last_day = ?, last_seen = ?
       ${isSame ? '' : ', called = ?'} WHERE id = ?`,
    ...[...values, ...(isSame ? [] : [called]), row.id],
  );
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

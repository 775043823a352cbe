import type { SymbolKind } from '../../model/symbol.ts';
import type { DayOfCalls, MatchQuality } from '../../model/usage.ts';
import { matchQualities } from '../../model/usage.ts';
import type { Sql } from '../daemon-file.ts';
import { decodeDays, stretchDays, stretchOf } from './call-days.ts';

/** What production told of calls, as it is kept. Every method throws `StoreError`. */
export interface CallReader {
  /** The busiest first. */
  services(): readonly StoredService[];
  /** Functions of some services, by who reported them. */
  functionsOf(services: readonly number[]): readonly StoredFunction[];
  /** So many of each, the most called. */
  mostCalledOf(services: readonly number[], most: number): readonly StoredFunction[];
  /** Those of them that bear one of some names, or were one of some symbols of a repository when they were looked at. */
  functionsNamed(services: readonly number[], bare: readonly string[], was: WasSymbol): readonly StoredFunction[];
  functionsAt(ids: readonly number[]): readonly StoredFunction[];
  /** From a day on, ascending. */
  daysOf(id: number, from: number): readonly DayOfCalls[];
  /** Days on which any of some services reported, ascending. */
  reportedDays(services: readonly number[]): readonly number[];
  /** Whether something of a repository was seen to be called from a day on, and which symbol it is is sure. */
  isObserved(repoUid: string, from: number): boolean;
  /** What went for want of room since a time, in milliseconds. */
  dropped(since: number): readonly DroppedCalls[];
  /** A symbol with all whose place it took, as hashes. */
  predecessorsOf(repoUid: string, symbol: string): readonly string[];
  /** What took a symbol's place in the end; itself where nothing did. */
  successorOf(repoUid: string, symbol: string): string;
  /** Names of what went from a repository and had something take its place. */
  goneNames(repoUid: string): ReadonlySet<string>;
  /** What a repository defined under a name once, and defines no more. */
  goneNamed(repoUid: string, name: string): readonly GoneSymbol[];
  /** Names of what a symbol took the place of, or probably did. */
  formerNames(repoUid: string, symbol: string): readonly string[];
}

export interface GoneSymbol {
  readonly hash: string;
  readonly path: string;
  /** Names of what it stood in, outermost first. */
  readonly containers: readonly string[];
  readonly kind: SymbolKind;
  /** What took its place in the end, or probably did, whether that is there or not. */
  readonly became: string;
}

export interface WasSymbol {
  readonly repoUid: string;
  /** 32 hex digits each. */
  readonly symbols: readonly string[];
}

export interface DroppedCalls {
  readonly kind: 'functions' | 'services';
  /** In all, as long as the file has been there. */
  readonly dropped: number;
  /** Milliseconds: when some did last. */
  readonly at: number;
}

/** Times are milliseconds. */
export interface StoredService {
  readonly id: number;
  readonly name: string;
  readonly repository: string;
  /** Uid of the repository that was asked for; '' for none. */
  readonly asked: string;
  readonly events: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
}

export interface StoredFunction {
  readonly id: number;
  readonly service: number;
  readonly caller: string;
  readonly namespace: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly bare: string;
  /** Of all days that are kept. */
  readonly calls: number;
  readonly errors: number;
  /** Days. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** The last day with a call; 0 for none. */
  readonly called: number;
  /** Milliseconds: when it was last called, as it was told; 0 for never. */
  readonly lastSeen: number;
  /** What it was when it was last looked at. */
  readonly was: { readonly repoUid: string; readonly symbol: string; readonly quality: MatchQuality } | undefined;
}

type FunctionRow = Omit<StoredFunction, 'was'> & {
  readonly repo_uid: string | null;
  readonly symbol: string | null;
  readonly quality: number | null;
};

const columns = `id, service, caller, namespace, name, file, line, bare, calls, errors, first_day AS firstDay, last_day AS lastDay,
  called, last_seen AS lastSeen, repo_uid, symbol, quality`;

const mostPredecessors = 100;
/** Definitions of one name that went: of more nobody knows which is meant. */
const mostGone = 100;

/** What tells of what took the place of what: `tombstone` what is sure, the other what is probable as well. */
type Succession = 'tombstone' | 'gone_definition';

/** A symbol of a repository, and all whose place it took: asked with these two, as `symbol` of `before`. */
const before = (table: Succession): string => `WITH RECURSIVE before (symbol) AS (
  VALUES (?) UNION
  SELECT ${table}.symbol FROM ${table} JOIN before ON ${table}.replaced_by = before.symbol
  WHERE ${table}.repo_uid = ? LIMIT ${mostPredecessors})`;

interface GoneRow {
  readonly hash: string;
  readonly path: string;
  readonly containers: string;
  readonly kind: SymbolKind;
}

export function callReader({ all, get }: Pick<Sql, 'all' | 'get'>): CallReader {
  const functions = (where: string, ...parameters: unknown[]): readonly StoredFunction[] =>
    all<FunctionRow>(`SELECT ${columns} FROM call_function WHERE ${where}`, ...parameters).map(storedFunction);
  /** Goes from what went to what is said to have taken its place, as far as that goes. */
  const lastOf = (table: Succession, repoUid: string, symbol: string): string => {
    const way = new Set<string>();
    let at = symbol;
    while (!way.has(at) && way.size < mostPredecessors) {
      way.add(at);
      const next = get<{ replaced_by: string | null }>(
        `SELECT replaced_by FROM ${table} WHERE repo_uid = ? AND symbol = ?`,
        ...[repoUid, at],
      )?.replaced_by;
      if (next === undefined || next === null) return at;
      at = next;
    }
    return at;
  };
  const listed = (values: readonly unknown[]): string => JSON.stringify(values);
  return {
    services: () =>
      all<StoredService>(
        `SELECT id, name, repository, asked, events, first_seen AS firstSeen, last_seen AS lastSeen
         FROM call_service ORDER BY events DESC, name, id`,
      ),
    functionsOf: services => functions('service IN (SELECT value FROM json_each(?)) ORDER BY id', listed(services)),
    mostCalledOf: (services, most) =>
      services.flatMap(service => functions('service = ? ORDER BY calls DESC, id LIMIT ?', service, most)),
    functionsNamed: (services, bare, { repoUid, symbols }) => {
      const named = functions(
        'bare IN (SELECT value FROM json_each(?)) AND service IN (SELECT value FROM json_each(?)) ORDER BY id',
        ...[listed(bare), listed(services)],
      );
      const ids = new Set(named.map(({ id }) => id));
      const formerly = functions(
        'repo_uid = ? AND symbol IN (SELECT value FROM json_each(?)) AND service IN (SELECT value FROM json_each(?))',
        ...[repoUid, listed(symbols), listed(services)],
      );
      return [...named, ...formerly.filter(({ id }) => !ids.has(id))];
    },
    functionsAt: ids => functions('id IN (SELECT value FROM json_each(?)) ORDER BY id', listed(ids)),
    daysOf: (id, from) =>
      all<{ stretch: number; days: Buffer }>(
        'SELECT stretch, days FROM call_days WHERE function = ? AND stretch >= ? ORDER BY stretch',
        ...[id, stretchOf(from)],
      )
        .flatMap(({ stretch, days }) => decodeDays(stretch, days))
        .filter(({ day }) => day >= from),
    reportedDays: services => {
      const found = new Set<number>();
      const rows = all<{ stretch: number; days: number }>(
        'SELECT stretch, days FROM call_service_days WHERE service IN (SELECT value FROM json_each(?))',
        listed(services),
      );
      for (const { stretch, days } of rows) {
        for (let at = 0; at < stretchDays; at++) {
          if (Math.floor(days / 2 ** at) % 2 === 1) found.add(stretch * stretchDays + at);
        }
      }
      return [...found].sort((a, b) => a - b);
    },
    isObserved: (repoUid, from) =>
      get(
        'SELECT 1 FROM call_function WHERE repo_uid = ? AND symbol IS NOT NULL AND quality < 3 AND called >= ? LIMIT 1',
        repoUid,
        from,
      ) !== undefined,
    dropped: since =>
      all<DroppedCalls>('SELECT kind, dropped, at FROM call_dropped WHERE at >= ? ORDER BY kind', since),
    predecessorsOf: (repoUid, symbol) =>
      all<{ symbol: string }>(`${before('tombstone')} SELECT symbol FROM before`, ...[symbol, repoUid]).map(
        row => row.symbol,
      ),
    successorOf: (repoUid, symbol) => lastOf('tombstone', repoUid, symbol),
    goneNames: repoUid =>
      new Set(
        all<{ name: string }>(
          'SELECT DISTINCT name FROM gone_definition WHERE repo_uid = ? AND replaced_by IS NOT NULL',
          repoUid,
        ).map(({ name }) => name),
      ),
    goneNamed: (repoUid, name) =>
      all<GoneRow>(
        `SELECT symbol AS hash, path, containers, kind FROM gone_definition
         WHERE repo_uid = ? AND name = ? AND replaced_by IS NOT NULL LIMIT ${mostGone}`,
        ...[repoUid, name],
      ).map(row => ({
        ...row,
        containers: JSON.parse(row.containers) as string[],
        became: lastOf('gone_definition', repoUid, row.hash),
      })),
    formerNames: (repoUid, symbol) =>
      all<{ name: string }>(
        `${before('gone_definition')} SELECT DISTINCT name FROM gone_definition WHERE repo_uid = ? AND symbol IN before`,
        ...[symbol, repoUid, repoUid],
      ).map(({ name }) => name),
  };
}

function storedFunction({ repo_uid, symbol, quality, ...row }: FunctionRow): StoredFunction {
  const isKnown = repo_uid !== null && symbol !== null && quality !== null;
  return { ...row, was: isKnown ? { repoUid: repo_uid, symbol, quality: matchQualities[quality - 1]! } : undefined };
}

import { addRows } from './add-rows.ts';
import type { ExternalTarget } from './link-batch.ts';
import type { Prepare } from './rows.ts';
import { StoreError } from './store-faults.ts';

/** What the links of a file's first publication speak of, in the order of the rows, which are numbered from 1. */
export interface FirstRows {
  /** Hashes of 16 bytes, ascending, in pieces of some one behind the other. */
  readonly symbols: Iterable<Buffer>;
  /** By the row of its symbol, once the symbols were taken; some more than once. */
  readonly externals: Iterable<readonly [symbol: number, target: ExternalTarget]>;
  /** In pieces, each ascending. */
  readonly names: Iterable<readonly string[]>;
  /** What tells symbols apart, where that is not syntax. */
  readonly identity: 'descriptor';
}

const hashBytes = 16;
const rowsInOneGo = 4096;

/** Both tables and their indexes take their rows in order, so that every page is written once and full. */
export function addFirstRows({ symbols, externals, names, identity }: FirstRows, prepare: Prepare): void {
  for (const table of ['symbol', 'name']) {
    if (prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined) {
      throw new StoreError('corrupt', `first rows for a ${table} table that has some`);
    }
  }
  prepare<[string]>(`INSERT INTO meta (name, value) VALUES ('identity', ?)`).run(identity);
  let symbolCount = 0;
  for (const piece of symbols) {
    const cell = (at: number): Buffer => piece.subarray(at * hashBytes, (at + 1) * hashBytes);
    symbolCount += inPortions(piece.length / hashBytes, symbolCount, 'INSERT INTO symbol (id, hash)', cell, prepare);
  }
  let nameCount = 0;
  for (const piece of names) {
    nameCount += inPortions(piece.length, nameCount, 'INSERT INTO name (id, text)', at => piece[at]!, prepare);
  }
  const add = prepare<[number, string, string, string]>(
    'INSERT OR IGNORE INTO external (symbol, manager, package, name) VALUES (?, ?, ?, ?)',
  );
  for (const [symbol, target] of externals) add.run(symbol, target.manager, target.package, target.name);
}

/** Adds rows behind the first `before`. Returns how many. */
function inPortions(
  count: number,
  before: number,
  insert: string,
  cell: (at: number) => unknown,
  prepare: Prepare,
): number {
  for (let from = 0; from < count; from += rowsInOneGo) {
    const values: unknown[] = [];
    for (let at = from; at < Math.min(count, from + rowsInOneGo); at++) values.push(before + at + 1, cell(at));
    addRows({ insert, columns: 2 }, values, prepare);
  }
  return count;
}

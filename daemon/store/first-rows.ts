import { addRows } from './add-rows.ts';
import type { ExternalTarget } from './link-batch.ts';
import type { Prepare } from './rows.ts';
import { StoreError } from './store-faults.ts';

/** What the links of a file's first publication speak of, in the order of the rows, which are numbered from 1. */
export interface FirstRows {
  /** Hashes of 16 bytes, one behind the other, ascending. */
  readonly symbols: Buffer;
  /** By the row of its symbol. */
  readonly externals: Iterable<readonly [symbol: number, target: ExternalTarget]>;
  /** Ascending. */
  readonly names: readonly string[];
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
  const symbolCount = symbols.length / hashBytes;
  inPortions(symbolCount, 'INSERT INTO symbol (id, hash)', prepare, row =>
    symbols.subarray(row * hashBytes, (row + 1) * hashBytes),
  );
  inPortions(names.length, 'INSERT INTO name (id, text)', prepare, row => names[row]!);
  const add = prepare<[number, string, string, string]>(
    'INSERT INTO external (symbol, manager, package, name) VALUES (?, ?, ?, ?)',
  );
  for (const [symbol, target] of externals) add.run(symbol, target.manager, target.package, target.name);
}

function inPortions(count: number, insert: string, prepare: Prepare, cell: (row: number) => unknown): void {
  for (let from = 0; from < count; from += rowsInOneGo) {
    const values: unknown[] = [];
    for (let row = from; row < Math.min(count, from + rowsInOneGo); row++) values.push(row + 1, cell(row));
    addRows({ insert, columns: 2 }, values, prepare);
  }
}

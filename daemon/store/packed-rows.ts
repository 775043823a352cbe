import { addRows } from './add-rows.ts';
import type { Prepare } from './rows.ts';

/** Documents of one repository are so many numbers. */
const documentRange = 2 ** 24;
/** Keys below this and a document of a repository make one number that sorts as a table by key and document does. */
export const keyRange = 2 ** 29;
const rowsInOneGo = 16 * 1024;

/** A row of such a table; `first` is the repository's first document. */
export function packedRow(key: number, document: number, first: number): number {
  return key * documentRange + (document - first);
}

/** Adds packed rows, ascending, to a table of `key` and `document`; those that are there stay. */
export function addPackedRows(table: string, rows: Float64Array, first: number, prepare: Prepare): void {
  const insert = `INSERT OR IGNORE INTO ${table} (key, document)`;
  for (let from = 0; from < rows.length; from += rowsInOneGo) {
    addRows({ insert, columns: 2 }, unpackedRows(rows.subarray(from, from + rowsInOneGo), first), prepare);
  }
}

/** Drops packed rows from such a table. */
export function dropPackedRows(table: string, rows: Float64Array, first: number, prepare: Prepare): void {
  const drop = prepare<[number, number]>(`DELETE FROM ${table} WHERE key = ? AND document = ?`);
  const values = unpackedRows(rows, first);
  for (let at = 0; at < values.length; at += 2) drop.run(values[at]!, values[at + 1]!);
}

function unpackedRows(packed: Float64Array, first: number): number[] {
  const values = new Array<number>(packed.length * 2);
  for (let row = 0; row < packed.length; row++) {
    const key = Math.floor(packed[row]! / documentRange);
    values[row * 2] = key;
    values[row * 2 + 1] = first + (packed[row]! - key * documentRange);
  }
  return values;
}

import type { Prepare } from './rows.ts';

const rowsAtOnce = 32;

/**
 * Inserts rows of numbers, many with each call: to call a statement takes three times as long as SQLite takes for a row.
 * `insert` is the statement up to its values, `values` has the columns of one row behind those of another.
 */
export function addRows(
  { insert, columns, conflict = '' }: { readonly insert: string; readonly columns: number; readonly conflict?: string },
  values: readonly number[],
  prepare: Prepare,
): void {
  const statement = (rows: number) => {
    const row = `(${Array<string>(columns).fill('?').join(', ')})`;
    return prepare<[readonly number[]]>(`${insert} VALUES ${Array<string>(rows).fill(row).join(', ')} ${conflict}`);
  };
  const portion = rowsAtOnce * columns;
  let at = 0;
  for (; at + portion <= values.length; at += portion) statement(rowsAtOnce).run(values.slice(at, at + portion));
  for (; at < values.length; at += columns) statement(1).run(values.slice(at, at + columns));
}

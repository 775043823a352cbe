import type { Prepare } from './rows.ts';

const rowsAtOnce = 32;

/**
 * Inserts rows, many with each call: to call a statement takes three times as long as SQLite takes for a row.
 * `insert` is the statement up to its values, `values` has the columns of one row behind those of another.
 */
export function addRows(
  { insert, columns, conflict = '' }: { readonly insert: string; readonly columns: number; readonly conflict?: string },
  values: readonly unknown[],
  prepare: Prepare,
): void {
  const row = `(${Array<string>(columns).fill('?').join(', ')})`;
  const statement = (rows: number) => {
    const all = Array<string>(rows).fill(row).join(', ');
    return prepare<[readonly unknown[]]>(`${insert} VALUES ${all} ${conflict}`);
  };
  const portion = rowsAtOnce * columns;
  let at = 0;
  if (values.length >= portion) {
    const many = statement(rowsAtOnce);
    for (; at + portion <= values.length; at += portion) many.run(values.slice(at, at + portion));
  }
  const one = statement(1);
  for (; at < values.length; at += columns) one.run(values.slice(at, at + columns));
}

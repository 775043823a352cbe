import type { Prepare } from '../rows.ts';
import { StoreError } from '../store-faults.ts';

/** The names of a catalogue by their rows, each read once. */
export interface NameRows {
  /** In the order in which they came; it grows. */
  readonly all: readonly string[];
  /** Of each its row. */
  readonly rows: readonly number[];
  indexOf(row: number): number;
  /** As `indexOf`, of a row that may bear another name by now. */
  indexNow(row: number): number;
}

/** `names` and `rows` are those that are known from the start. */
export function nameRows(prepare: Prepare, names: string[] = [], rows: number[] = []): NameRows {
  const indexes = rowIndex(rows);
  const text = prepare<[number], string>('SELECT text FROM name WHERE id = ?').pluck();
  const textOf = (row: number): string => {
    const found = text.get(row);
    if (found === undefined) throw new StoreError('corrupt', `name ${row} is missing`);
    return found;
  };
  const add = (row: number, name: string): number => {
    indexes.set(row, names.length);
    rows.push(row);
    return names.push(name) - 1;
  };
  return {
    all: names,
    rows,
    indexOf: row => indexes.get(row) ?? add(row, textOf(row)),
    // A name that nothing bears goes, and its row to the next that comes.
    indexNow: row => {
      const name = textOf(row);
      const known = indexes.get(row);
      return known !== undefined && names[known] === name ? known : add(row, name);
    },
  };
}

/** Rows are numbered from 1 without large gaps: a column takes a tenth of what a map does. */
function rowIndex(rows: readonly number[]) {
  let after = new Uint32Array(rows.reduce((most, row) => Math.max(most, row), 0) + 1024);
  rows.forEach((row, index) => {
    after[row] = index + 1;
  });
  return {
    get: (row: number): number | undefined => (after[row] || undefined) && after[row]! - 1,
    set(row: number, index: number): void {
      if (row >= after.length) {
        const larger = new Uint32Array(Math.ceil(row * 1.3) + 1024);
        larger.set(after);
        after = larger;
      }
      after[row] = index + 1;
    },
  };
}

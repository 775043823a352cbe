import { addRows } from './add-rows.ts';
import type { LinkBatch, NumberedSymbols } from './link-batch.ts';
import type { RowNumbers } from './link-body.ts';
import type { Prepare } from './rows.ts';
import { countOf, eachInOrder } from './symbol-hashes.ts';

/** Finds or makes the rows of all that batches mention, of each batch; new rows go in sorted, which keeps both tables dense. */
export function intern(batches: readonly LinkBatch[], prepare: Prepare): readonly RowNumbers[] {
  const symbols = internSymbols(batches, prepare);
  const names = rowsOfNames(batches, prepare);
  return batches.map((_, at) => ({ symbols: symbols[at]!, names: names[at]! }));
}

/** Rows of symbols, by their numbers in each batch. */
export function internSymbols(batches: readonly NumberedSymbols[], prepare: Prepare): readonly Uint32Array[] {
  const rows = rowsOfSymbols(batches, prepare);
  const add = prepare<[number, string, string, string]>(
    'INSERT OR IGNORE INTO external (symbol, manager, package, name) VALUES (?, ?, ?, ?)',
  );
  batches.forEach(({ externals }, at) => {
    for (const [number, target] of externals) {
      add.run(rows[at]![number]!, target.manager, target.package, target.name);
    }
  });
  return rows;
}

function rowsOfSymbols(batches: readonly NumberedSymbols[], prepare: Prepare): readonly Uint32Array[] {
  const lists = batches.map(({ hashes }) => hashes);
  const rows = lists.map(hashes => new Uint32Array(countOf(hashes)));
  const interned = internedIn({ table: 'symbol', column: 'hash' }, prepare);
  let row = 0;
  eachInOrder(lists, (hash, list, at) => {
    if (hash !== undefined) row = interned.rowOf(hash);
    rows[list]![at] = row;
  });
  interned.finish();
  return rows;
}

function rowsOfNames(batches: readonly LinkBatch[], prepare: Prepare): readonly Uint32Array[] {
  const interned = internedIn({ table: 'name', column: 'text' }, prepare);
  const all = new Set<string>();
  for (const { names } of batches) for (const text of names) all.add(text);
  const rows = new Map<string, number>();
  for (const text of [...all].sort()) rows.set(text, interned.rowOf(text));
  interned.finish();
  return batches.map(({ names }) => Uint32Array.from(names, text => rows.get(text)!));
}

interface Interned {
  /** To be asked once of each value. */
  rowOf(value: string | Buffer): number;
  finish(): void;
}

const rowsInOneGo = 4096;

/** Rows of values in a table; an empty one takes them many at a time. */
function internedIn(
  { table, column }: { readonly table: string; readonly column: string },
  prepare: Prepare,
): Interned {
  if (prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined) {
    const find = prepare<[string | Buffer], { id: number }>(`SELECT id FROM ${table} WHERE ${column} = ?`);
    const add = prepare<[string | Buffer]>(`INSERT INTO ${table} (${column}) VALUES (?)`);
    return {
      rowOf: value => find.get(value)?.id ?? Number(add.run(value).lastInsertRowid),
      finish: () => {},
    };
  }
  let count = 0;
  let waiting: (number | string | Buffer)[] = [];
  const finish = (): void => {
    addRows({ insert: `INSERT INTO ${table} (id, ${column})`, columns: 2 }, waiting, prepare);
    waiting = [];
  };
  return {
    rowOf: value => {
      waiting.push(++count, value);
      if (waiting.length >= rowsInOneGo * 2) finish();
      return count;
    },
    finish,
  };
}

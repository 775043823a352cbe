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
  const isEmpty = prepare('SELECT 1 FROM symbol LIMIT 1').get() === undefined;
  const find = prepare<[Buffer], { id: number }>('SELECT id FROM symbol WHERE hash = ?');
  const add = prepare<[Buffer]>('INSERT INTO symbol (hash) VALUES (?)');
  let last: { readonly hash: Buffer; readonly row: number } | undefined;
  eachInOrder(lists, (hash, list, at) => {
    if (last?.hash.equals(hash) !== true) {
      const known = isEmpty ? undefined : find.get(hash)?.id;
      last = { hash, row: known ?? Number(add.run(hash).lastInsertRowid) };
    }
    rows[list]![at] = last!.row;
  });
  return rows;
}

function rowsOfNames(batches: readonly LinkBatch[], prepare: Prepare): readonly Uint32Array[] {
  const isEmpty = prepare('SELECT 1 FROM name LIMIT 1').get() === undefined;
  const find = prepare<[string], { id: number }>('SELECT id FROM name WHERE text = ?');
  const add = prepare<[string]>('INSERT INTO name (text) VALUES (?)');
  const all = new Set<string>();
  for (const { names } of batches) for (const text of names) all.add(text);
  const rows = new Map<string, number>();
  for (const text of [...all].sort()) {
    rows.set(text, (isEmpty ? undefined : find.get(text)?.id) ?? Number(add.run(text).lastInsertRowid));
  }
  return batches.map(({ names }) => Uint32Array.from(names, text => rows.get(text)!));
}

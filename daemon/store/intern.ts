import type { LinkBatch } from './link-batch.ts';
import type { RowNumbers } from './link-body.ts';
import type { Prepare } from './rows.ts';

/** Finds or makes the rows of everything that a batch mentions; new rows go in sorted, which keeps both tables dense. */
export function intern(batch: LinkBatch, prepare: Prepare): RowNumbers {
  return { symbols: internSymbols(batch, prepare), names: rowsOfNames(batch.names, prepare) };
}

/** Rows of symbols, by their numbers in the batch. */
export function internSymbols(
  { symbols, externals }: Pick<LinkBatch, 'symbols' | 'externals'>,
  prepare: Prepare,
): Uint32Array {
  const rows = rowsOfSymbols(symbols, prepare);
  const add = prepare<[number, string, string, string]>(
    'INSERT OR IGNORE INTO external (symbol, manager, package, name) VALUES (?, ?, ?, ?)',
  );
  for (const [hash, target] of externals) {
    add.run(rows[symbols.get(hash)!]!, target.manager, target.package, target.name);
  }
  return rows;
}

function rowsOfSymbols(symbols: ReadonlyMap<string, number>, prepare: Prepare): Uint32Array {
  const find = prepare<[Buffer], { id: number }>('SELECT id FROM symbol WHERE hash = ?');
  const add = prepare<[Buffer]>('INSERT INTO symbol (hash) VALUES (?)');
  return findOrAdd(symbols, prepare('SELECT 1 FROM symbol LIMIT 1').get() === undefined, hash => {
    const bytes = Buffer.from(hash, 'hex');
    return { find: () => find.get(bytes)?.id, add: () => Number(add.run(bytes).lastInsertRowid) };
  });
}

function rowsOfNames(names: ReadonlyMap<string, number>, prepare: Prepare): Uint32Array {
  const find = prepare<[string], { id: number }>('SELECT id FROM name WHERE text = ?');
  const add = prepare<[string]>('INSERT INTO name (text) VALUES (?)');
  return findOrAdd(names, prepare('SELECT 1 FROM name LIMIT 1').get() === undefined, text => ({
    find: () => find.get(text)?.id,
    add: () => Number(add.run(text).lastInsertRowid),
  }));
}

/** Rows by number. */
function findOrAdd(
  keys: ReadonlyMap<string, number>,
  tableIsEmpty: boolean,
  row: (key: string) => { find(): number | undefined; add(): number },
): Uint32Array {
  const rows = new Uint32Array(keys.size);
  for (const key of [...keys.keys()].sort()) {
    const access = row(key);
    rows[keys.get(key)!] = (tableIsEmpty ? undefined : access.find()) ?? access.add();
  }
  return rows;
}

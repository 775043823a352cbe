import { addRows } from './add-rows.ts';
import type { LinkBody } from './link-body.ts';
import { NumberList } from './number-list.ts';
import { firstDocument, type HintTable, hintTables, type Prepare } from './rows.ts';

/** Hint rows that a publication adds, gathered so that each table takes its rows in key order. */
export interface HintBatch {
  add(table: Exclude<HintTable, 'candidate'>, keys: Iterable<number>, document: number): void;
  /** How often a document leaves a name unresolved now; 0 where only a version that is kept for a while does. */
  addUses(name: number, document: number, uses: number): void;
  write(): void;
}

/** A batch is of one repository, whose documents are so many numbers: a row is one number that sorts as the table does. */
const documentRange = 2 ** 24;
const rowsInOneGo = 16 * 1024;

interface UseRow {
  readonly key: number;
  readonly document: number;
  readonly uses: number;
}

export function hintBatch(repo: number, prepare: Prepare): HintBatch {
  const first = firstDocument(repo);
  const rows = { definition: new NumberList(), post: new NumberList(), bearer: new NumberList() };
  const uses: UseRow[] = [];
  return {
    add: (table, keys, document) => {
      const list = rows[table];
      for (const key of keys) list.push(key * documentRange + (document - first));
    },
    addUses: (key, document, count) => {
      uses.push({ key, document, uses: count });
    },
    write: () => {
      for (const table of plainTables) {
        const insert = `INSERT OR IGNORE INTO ${table} (key, document)`;
        const sorted = rows[table].takeSorted();
        for (let from = 0; from < sorted.length; from += rowsInOneGo) {
          addRows({ insert, columns: 2 }, unpackedRows(sorted.subarray(from, from + rowsInOneGo), first), prepare);
        }
      }
      uses.sort((a, b) => a.key - b.key || a.document - b.document);
      const insert = 'INSERT INTO candidate (key, document, uses)';
      const conflict = 'ON CONFLICT DO UPDATE SET uses = excluded.uses';
      addRows(
        { insert, columns: 3, conflict },
        uses.flatMap(row => [row.key, row.document, row.uses]),
        prepare,
      );
    },
  };
}

const plainTables = ['definition', 'post', 'bearer'] as const;

function unpackedRows(packed: Float64Array, first: number): number[] {
  const values = new Array<number>(packed.length * 2);
  for (let row = 0; row < packed.length; row++) {
    const key = Math.floor(packed[row]! / documentRange);
    values[row * 2] = key;
    values[row * 2 + 1] = first + (packed[row]! - key * documentRange);
  }
  return values;
}

/** The keys under which a version of a document's links must be found. */
export function hintsOf(body: LinkBody): Readonly<Record<HintTable, Uint32Array>> {
  return {
    definition: body.symbols(),
    post: body.targets(),
    bearer: body.names(),
    candidate: body.unresolvedNames(),
  };
}

/** Drops the hints of versions that are gone, but for those that a version which stays needs too. */
export function dropHints(
  document: number,
  gone: readonly LinkBody[],
  kept: readonly LinkBody[],
  prepare: Prepare,
): void {
  for (const table of hintTables) {
    const keys = new Set<number>();
    for (const body of gone) for (const key of hintsOf(body)[table]) keys.add(key);
    for (const body of kept) for (const key of hintsOf(body)[table]) keys.delete(key);
    const drop = prepare<[number, number]>(`DELETE FROM ${table} WHERE key = ? AND document = ?`);
    for (const key of keys) drop.run(key, document);
  }
}

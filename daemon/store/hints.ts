import { addRows } from './add-rows.ts';
import type { LinkBody } from './link-body.ts';
import { NumberList } from './number-list.ts';
import { addPackedRows, packedRow } from './packed-rows.ts';
import { firstDocument, type HintTable, hintTables, type Prepare } from './rows.ts';

/** Hint rows that a publication adds, gathered so that each table takes its rows in key order. */
export interface HintBatch {
  add(table: Exclude<HintTable, 'candidate'>, keys: Iterable<number>, document: number): void;
  /** How often a document leaves a name unresolved now; 0 where only a version that is kept for a while does. */
  addUses(name: number, document: number, uses: number): void;
  write(): void;
}

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
      for (const key of keys) list.push(packedRow(key, document, first));
    },
    addUses: (key, document, count) => {
      uses.push({ key, document, uses: count });
    },
    write: () => {
      for (const table of plainTables) {
        addPackedRows(table, rows[table].takeSorted(), first, prepare);
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

import { addRows } from './add-rows.ts';
import type { LinkBody } from './link-body.ts';
import { type HintTable, hintTables, type Prepare } from './rows.ts';

/** Hint rows that a publication adds, gathered so that each table takes its rows in key order. */
export interface HintBatch {
  add(table: HintTable, keys: Iterable<number>, document: number): void;
  /** How often a document leaves a name unresolved now; 0 where only a version that is kept for a while does. */
  addUses(name: number, document: number, uses: number): void;
  write(): void;
}

interface HintRow {
  readonly key: number;
  readonly document: number;
  readonly uses: number;
}

export function hintBatch(prepare: Prepare): HintBatch {
  const rows: Record<HintTable, HintRow[]> = { definition: [], post: [], bearer: [], candidate: [] };
  return {
    add: (table, keys, document) => {
      for (const key of keys) rows[table].push({ key, document, uses: 0 });
    },
    addUses: (key, document, uses) => {
      rows.candidate.push({ key, document, uses });
    },
    write: () => {
      for (const table of hintTables) {
        rows[table].sort((a, b) => a.key - b.key || a.document - b.document);
        if (table === 'candidate') continue;
        const insert = `INSERT OR IGNORE INTO ${table} (key, document)`;
        addRows(
          { insert, columns: 2 },
          rows[table].flatMap(({ key, document }) => [key, document]),
          prepare,
        );
      }
      const insert = 'INSERT INTO candidate (key, document, uses)';
      const conflict = 'ON CONFLICT DO UPDATE SET uses = excluded.uses';
      const uses = rows.candidate.flatMap(row => [row.key, row.document, row.uses]);
      addRows({ insert, columns: 3, conflict }, uses, prepare);
    },
  };
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

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

/** Rows of uses that are gathered and sorted in one go. */
const usesAtOnce = 2 ** 20;

export function hintBatch(repo: number, prepare: Prepare): HintBatch {
  const first = firstDocument(repo);
  const rows = { definition: new NumberList(), post: new NumberList(), bearer: new NumberList() };
  const uses = useRows(prepare);
  return {
    add: (table, keys, document) => {
      const list = rows[table];
      for (const key of keys) list.push(packedRow(key, document, first));
    },
    addUses: uses.add,
    write: () => {
      for (const table of plainTables) {
        addPackedRows(table, rows[table].takeSorted(), first, prepare);
      }
      uses.write();
    },
  };
}

/** Of two rows of one name and document the later one counts. */
function useRows(prepare: Prepare) {
  /** Name and place in `values` as one number. */
  let order = new NumberList();
  /** Document and uses of each. */
  let values: number[] = [];
  const write = (): void => {
    const sorted: number[] = [];
    for (const packed of order.takeSorted()) {
      const key = Math.floor(packed / usesAtOnce);
      const at = packed - key * usesAtOnce;
      sorted.push(key, values[at * 2]!, values[at * 2 + 1]!);
    }
    const insert = 'INSERT INTO candidate (key, document, uses)';
    addRows({ insert, columns: 3, conflict: 'ON CONFLICT DO UPDATE SET uses = excluded.uses' }, sorted, prepare);
    order = new NumberList();
    values = [];
  };
  const add = (key: number, document: number, count: number): void => {
    order.push(key * usesAtOnce + values.length / 2);
    values.push(document, count);
    if (values.length === usesAtOnce * 2) write();
  };
  return { add, write };
}

const plainTables = ['definition', 'post', 'bearer'] as const;

/** The keys under which a version of a document's links must be found. */
export function hintsOf(body: LinkBody): Readonly<Record<HintTable, Uint32Array>> {
  return {
    definition: body.symbols(),
    post: body.pointsAt(),
    bearer: body.names(),
    candidate: body.unresolvedNames(),
  };
}

/** Names that one of two bodies leaves unresolved otherwise often than the other, and how often the second one does. */
export function eachOtherUse(
  before: LinkBody | undefined,
  after: LinkBody | undefined,
  take: (name: number, uses: number) => void,
): void {
  const old = before?.unresolvedNames() ?? noNames;
  const now = after?.unresolvedNames() ?? noNames;
  let at = 0;
  for (let next = 0; next < now.length; next++) {
    const name = now[next]!;
    for (; at < old.length && old[at]! < name; at++) take(old[at]!, 0);
    const uses = after!.unresolvedCountAt(next);
    const isStill = old[at] === name;
    if (!isStill || before!.unresolvedCountAt(at) !== uses) take(name, uses);
    if (isStill) at++;
  }
  for (; at < old.length; at++) take(old[at]!, 0);
}

const noNames = new Uint32Array();

/** Drops the hints of versions that are gone, but for those that a version which stays needs too; returns the keys of those dropped. */
export function dropHints(
  document: number,
  gone: readonly LinkBody[],
  kept: readonly LinkBody[],
  prepare: Prepare,
): Readonly<Record<HintTable, ReadonlySet<number>>> {
  const dropped = { definition: noKeys, post: noKeys, bearer: noKeys, candidate: noKeys };
  for (const table of hintTables) {
    const keys = new Set<number>();
    for (const body of gone) for (const key of hintsOf(body)[table]) keys.add(key);
    for (const body of kept) for (const key of hintsOf(body)[table]) keys.delete(key);
    const drop = prepare<[number, number]>(`DELETE FROM ${table} WHERE key = ? AND document = ?`);
    for (const key of keys) drop.run(key, document);
    dropped[table] = keys;
  }
  return dropped;
}

const noKeys: ReadonlySet<number> = new Set();

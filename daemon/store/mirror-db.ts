import { lstatSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { referenceKinds } from '../model/facts-format.ts';
import type {
  MirroredCounts,
  MirroredDeltas,
  MirroredEdge,
  MirroredFile,
  MirroredRef,
  MirroredRows,
  MirroredSymbol,
} from '../model/mirrored-rows.ts';
import { addRows } from './add-rows.ts';
import { type FileKind, openForReading, openForWriting, translated } from './connection.ts';
import { replaceDurably } from './durably.ts';
import { type Prepare, preparer } from './rows.ts';
import type { Connection } from './sqlite.ts';

/** What a mirror was read of. */
export interface MirrorState {
  /** Which server and repository, and what of it is shown: rows of one are never taken for another's. */
  readonly source: string;
  readonly syncSeq: number;
  /** The index's version by its server; '' where it was not known. */
  readonly version: string;
  /** Of the indexed source; '' where nobody knows. */
  readonly commit: string;
}

/** What was made of a mirror the last time: the same rows, read the same way, give it again. */
export interface MirrorBuilt {
  readonly version: number;
  readonly snapshotId: string;
}

/** Rows of one kind on their way into a file. */
export interface MirrorFill {
  add(rows: Partial<MirroredRows>): void;
  counts(): MirroredCounts;
  /**
   * Puts the file in the place of the one before. False where the rows don't belong together, or two files have one path and
   * none may: then it is thrown away.
   */
  finish(state: MirrorState, isPathOnce?: boolean): boolean;
  abandon(): void;
}

/** A transaction over a mirror: all of it, or nothing. */
export interface MirrorChange {
  /** False where the deltas are none of what is here: then nothing but a full read helps. */
  apply(deltas: MirroredDeltas): boolean;
  counts(): MirroredCounts;
  /** False, and nothing is changed, where the rows don't belong together any more, as at `finish`. */
  commit(state: MirrorState, isPathOnce?: boolean): boolean;
  abandon(): void;
}

/** The file with the rows of a mirror, beside its index. */
export function mirrorFileOf(indexFile: string): string {
  return join(dirname(indexFile), 'mirror.db');
}

export const mirrorKind: FileKind = {
  applicationId: 0x7376634d,
  schemaVersion: 2,
  upgrade: connection => connection.exec(schema),
};

/**
 * Numbers in place of paths and kinds: of millions of references each takes some forty bytes. What is looked for by its
 * hash has its index made when a file is full, for hashes come in no order.
 */
const schema = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE document (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE file (document INTEGER NOT NULL, language TEXT NOT NULL);
CREATE TABLE symbol (
  hash BLOB NOT NULL, document INTEGER NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL,
  kind TEXT NOT NULL, name TEXT NOT NULL, container TEXT NOT NULL, signature TEXT NOT NULL, documentation TEXT NOT NULL
);
CREATE TABLE ref (document INTEGER NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL, kind INTEGER NOT NULL, target BLOB NOT NULL, enclosing BLOB);
CREATE TABLE edge (document INTEGER NOT NULL, line INTEGER NOT NULL, col INTEGER NOT NULL, caller BLOB NOT NULL, callee BLOB NOT NULL);
CREATE INDEX file_document ON file (document);
CREATE INDEX symbol_place ON symbol (document, line, col);
CREATE INDEX ref_place ON ref (document, line, col);
CREATE INDEX edge_place ON edge (document, line, col);
`;
const symbolIndex = 'CREATE UNIQUE INDEX symbol_hash ON symbol (hash)';

/** What the mirror in a file is of; undefined without a file. Throws `StoreError`. */
export function mirrorState(file: string): MirrorState | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  const connection = openForReading(file, mirrorKind);
  try {
    return translated(() => stateIn(preparer(connection)));
  } finally {
    connection.close();
  }
}

/** Notes what was made of the mirror as it is. */
export function noteBuilt(file: string, built: MirrorBuilt): void {
  note(file, 'built', built);
}

/** Notes what else is known of what a mirror was read of: its rows stay what they are. */
export function noteState(file: string, state: MirrorState): void {
  note(file, 'state', state);
}

function note(file: string, name: 'built' | 'state', value: MirrorBuilt | MirrorState): void {
  const connection = openForWriting(file, mirrorKind);
  try {
    translated(() => {
      connection.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(name, JSON.stringify(value));
      connection.pragma('wal_checkpoint(TRUNCATE)');
    });
  } finally {
    connection.close();
  }
}

/** Deletes a mirror with all that lies beside it under its name. */
export function removeMirror(file: string): void {
  remove(file);
  dropHalfDone(file);
}

/** Deletes what somebody who died had read of a mirror. Throws `StoreError`. */
export function dropHalfDone(file: string): void {
  remove(fresh(file));
}

function remove(file: string): void {
  translated(() => {
    for (const part of ['', '-wal', '-shm', '-journal']) rmSync(file + part, { force: true });
  });
}

/** Begins a mirror anew, in a file beside the one that is there, which stays as it is until `finish`. */
export function newMirror(file: string): MirrorFill {
  const made = fresh(file);
  const discard = (): void => remove(made);
  discard();
  const connection = openForWriting(made, mirrorKind, undefined, true);
  const tables = mirrorTables(preparer(connection));
  const abandon = (): void => {
    if (connection.open) connection.close();
    discard();
  };
  translated(() => connection.exec('BEGIN'));
  return {
    add: rows => translated(() => tables.add(rows)),
    counts: () => translated(tables.counts),
    finish: (state, isPathOnce = false) =>
      translated(() => {
        if (!tables.isWhole(isPathOnce) || !isUnique(connection)) {
          abandon();
          return false;
        }
        tables.setState(state);
        connection.exec('COMMIT');
        connection.close();
        // Of the old file: SQLite would play it back into the new one.
        for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true });
        replaceDurably(made, file);
        return true;
      }),
    abandon,
  };
}

/** Begins a change of the mirror that is there. Throws `StoreError` where it can't be opened. */
export function changeMirror(file: string): MirrorChange {
  const connection = openForWriting(file, mirrorKind);
  const tables = mirrorTables(preparer(connection));
  const abandon = (): void => {
    if (!connection.open) return;
    if (connection.inTransaction) connection.exec('ROLLBACK');
    connection.close();
  };
  try {
    translated(() => connection.exec('BEGIN IMMEDIATE'));
  } catch (error) {
    connection.close();
    throw error;
  }
  return {
    apply: deltas => translated(() => tables.apply(deltas)),
    counts: () => translated(tables.counts),
    commit: (state, isPathOnce = false) =>
      translated(() => {
        if (!tables.isWhole(isPathOnce)) {
          abandon();
          return false;
        }
        tables.setState(state);
        connection.exec('COMMIT');
        connection.pragma('wal_checkpoint(TRUNCATE)');
        connection.close();
        return true;
      }),
    abandon,
  };
}

function fresh(file: string): string {
  return `${file}.new`;
}

/** Whether no symbol came twice. */
function isUnique(connection: Connection): boolean {
  try {
    connection.exec(symbolIndex);
    return true;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'SQLITE_CONSTRAINT_UNIQUE') return false;
    throw error;
  }
}

export function stateIn(prepare: Prepare): MirrorState | undefined {
  return noted<MirrorState>('state', prepare);
}

export function builtIn(prepare: Prepare): MirrorBuilt | undefined {
  return noted<MirrorBuilt>('built', prepare);
}

function noted<Value>(name: string, prepare: Prepare): Value | undefined {
  const row = prepare<[string], { value: string }>('SELECT value FROM meta WHERE name = ?').get(name);
  return row === undefined ? undefined : (JSON.parse(row.value) as Value);
}

interface MirrorTables {
  add(rows: Partial<MirroredRows>): void;
  apply(deltas: MirroredDeltas): boolean;
  counts(): MirroredCounts;
  /** Whether everything stands in a file, and, where so wanted, each path is one file's. */
  isWhole(isPathOnce: boolean): boolean;
  setState(state: MirrorState): void;
}

function mirrorTables(prepare: Prepare): MirrorTables {
  const documents = documentNumbers(prepare);
  const add = ({ files = [], symbols = [], refs = [], edges = [] }: Partial<MirroredRows>): void => {
    const put = <Row>(table: Table<Row>, rows: readonly Row[]): void =>
      addRows(
        { insert: `INSERT INTO ${table.name}`, columns: table.columns },
        rows.flatMap(row => table.cells(row, documents)),
        prepare,
      );
    put(fileTable, files);
    put(symbolTable, symbols);
    put(refTable, refs);
    put(edgeTable, edges);
  };
  const count = (table: string): number => prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get()!.n;
  return {
    add,
    apply: deltas => applied(deltas, documents, prepare) && addedAll(deltas, add, prepare),
    counts: () => ({ files: count('file'), symbols: count('symbol'), refs: count('ref'), edges: count('edge') }),
    isWhole: isPathOnce =>
      !(
        isPathOnce && prepare('SELECT 1 FROM file GROUP BY document HAVING count(*) > 1 LIMIT 1').get() !== undefined
      ) &&
      ['symbol', 'ref', 'edge'].every(
        table =>
          prepare(
            `SELECT 1 FROM document WHERE EXISTS (SELECT 1 FROM ${table} WHERE ${table}.document = document.id)
             AND NOT EXISTS (SELECT 1 FROM file WHERE file.document = document.id) LIMIT 1`,
          ).get() === undefined,
      ),
    setState: state => {
      prepare('DELETE FROM document WHERE NOT EXISTS (SELECT 1 FROM file WHERE file.document = document.id)').run();
      prepare(`DELETE FROM meta WHERE name = 'built'`).run();
      prepare<[string]>(`INSERT OR REPLACE INTO meta VALUES ('state', ?)`).run(JSON.stringify(state));
    },
  };
}

/** Takes away what is there no more and was: false where it was not. */
function applied(deltas: MirroredDeltas, documents: DocumentNumbers, prepare: Prepare): boolean {
  const { files, symbols, refs, edges } = deltas;
  const isOne = (count: number): boolean => count === 1;
  const ofPath = prepare<[number]>('DELETE FROM file WHERE document = ?');
  const ofHash = prepare<[Buffer]>('DELETE FROM symbol WHERE hash = ?');
  const takesPath = (path: MirroredFile['path']): boolean => isOne(ofPath.run(documents(path)).changes);
  const takesHash = (hash: string): boolean => isOne(ofHash.run(Buffer.from(hash, 'hex')).changes);
  const takes = <Row>({ name, same, cells }: Table<Row> & { readonly same: string }, row: Row): boolean =>
    isOne(
      prepare<[readonly unknown[]]>(
        `DELETE FROM ${name} WHERE rowid = (SELECT rowid FROM ${name} WHERE ${same} LIMIT 1)`,
      ).run(cells(row, documents)).changes,
    );
  // Of several files of one path nobody knows which is meant.
  return (
    [...files.deleted, ...files.modified.map(({ path }) => path)].every(takesPath) &&
    [...symbols.deleted, ...symbols.modified.map(({ hash }) => hash)].every(takesHash) &&
    refs.deleted.every(row => takes(refTable, row)) &&
    edges.deleted.every(row => takes(edgeTable, row))
  );
}

/** Adds what is new: false where it is there already. */
function addedAll(
  { files, symbols, refs, edges }: MirroredDeltas,
  add: (rows: MirroredRows) => void,
  prepare: Prepare,
): boolean {
  const known = prepare<[string]>('SELECT 1 FROM file JOIN document ON document.id = file.document WHERE path = ?');
  const of = prepare<[Buffer]>('SELECT 1 FROM symbol WHERE hash = ?');
  const all = [...symbols.modified, ...symbols.added];
  const isNew =
    new Set(all.map(({ hash }) => hash)).size === all.length &&
    symbols.added.every(({ hash }) => of.get(Buffer.from(hash, 'hex')) === undefined) &&
    files.modified.every(({ path }) => known.get(path) === undefined);
  if (!isNew) return false;
  add({
    files: [...files.modified, ...files.added],
    symbols: all,
    refs: refs.added,
    edges: edges.added,
  });
  return true;
}

type DocumentNumbers = (path: string) => number;

/** The number of each path, given at its first mention: lists are in the order of their files. */
function documentNumbers(prepare: Prepare): DocumentNumbers {
  const find = prepare<[string], { id: number }>('SELECT id FROM document WHERE path = ?');
  const make = prepare<[string]>('INSERT INTO document (path) VALUES (?)');
  let last = { path: '', id: 0 };
  return path => {
    if (last.path !== path) {
      last = { path, id: find.get(path)?.id ?? Number(make.run(path).lastInsertRowid) };
    }
    return last.id;
  };
}

interface Table<Row> {
  readonly name: string;
  readonly columns: number;
  cells(row: Row, documents: DocumentNumbers): readonly unknown[];
}

const bytesOf = (hash: string): Buffer => Buffer.from(hash, 'hex');

const fileTable: Table<MirroredFile> = {
  name: 'file',
  columns: 2,
  cells: ({ path, language }, documents) => [documents(path), language],
};
const symbolTable: Table<MirroredSymbol> = {
  name: 'symbol',
  columns: 9,
  cells: ({ hash, path, line, column, kind, name, container, signature, documentation }, documents) => [
    ...[bytesOf(hash), documents(path), line, column],
    ...[kind, name, container, signature, documentation],
  ],
};
const refTable: Table<MirroredRef> & { readonly same: string } = {
  name: 'ref',
  columns: 6,
  same: 'document = ? AND line = ? AND col = ? AND kind = ? AND target = ? AND enclosing IS ?',
  cells: ({ path, line, column, kind, target, enclosing }, documents) => [
    ...[documents(path), line, column, referenceKinds.indexOf(kind), bytesOf(target)],
    enclosing === undefined ? null : bytesOf(enclosing),
  ],
};
const edgeTable: Table<MirroredEdge> & { readonly same: string } = {
  name: 'edge',
  columns: 5,
  same: 'document = ? AND line = ? AND col = ? AND caller = ? AND callee = ?',
  cells: ({ path, line, column, caller, callee }, documents) => [
    ...[documents(path), line, column, bytesOf(caller), bytesOf(callee)],
  ],
};

import { createHash } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { closeWritten, type FileKind, inTransaction, openForWriting, translated } from './connection.ts';
import { isBeyondRepair, quarantineFile } from './quarantine.ts';
import { preparer } from './rows.ts';
import { StoreError } from './store-faults.ts';

/** What is known of the members of federations, which their repositories tell again: each is one row. */
export interface MemberFile {
  /** Undefined of one that nothing is known of. Throws `StoreError`. */
  read(repoUid: string): StoredKnowledge | undefined;
  /** Of all of them, without what is known. */
  states(): readonly MemberState[];
  /** Of one, what is known of which is sound. */
  stateOf(repoUid: string): MemberState | undefined;
  /** Puts what is known of one in the place of what was, in one transaction. */
  write(repoUid: string, knowledge: StoredKnowledge): void;
  /** What went wrong with the last synchronisation, in public words; what is known stays. */
  noteProblem(repoUid: string, problem: string): void;
  /** Forgets all but some. */
  keepOnly(repoUids: ReadonlySet<string>): void;
  close(): void;
}

export interface StoredKnowledge {
  /** What it was made of: while that is the same, so is what is known. */
  readonly stamp: string;
  /** Milliseconds. */
  readonly syncedAt: number;
  /** JSON values. */
  readonly rows: unknown;
  readonly contracts: unknown;
}

export interface MemberState {
  readonly repoUid: string;
  readonly stamp: string | undefined;
  readonly syncedAt: number | undefined;
  readonly problem: string | undefined;
}

const memberKind: FileKind = {
  applicationId: 0x73766366,
  schemaVersion: 1,
  upgrade: (connection, from) => {
    if (from !== 0) throw new StoreError('corrupt', `schema ${from} is of an older version`);
    connection.exec(schema);
  },
};

const schema = `
CREATE TABLE member (
  repo_uid TEXT PRIMARY KEY, stamp TEXT, synced_at INTEGER, problem TEXT,
  known_rows BLOB, contracts BLOB, digest BLOB
) WITHOUT ROWID;
`;

/** The log is carried over into the file when it has grown to so many pages: 4 MiB. */
const logPages = 1024;

/** Below the folder for data. */
export function memberFileIn(data: string): string {
  return join(data, 'federations.db');
}

/**
 * Opens the file, or makes one in the place of one that is damaged or of another version, whenever that shows: all of it can
 * be found out again. One that is damaged is put aside; of that, and of rows that are not what was written, `onDamage` is told.
 */
export function openMemberFile(file: string, onDamage: (what: string) => void): MemberFile {
  const renewed = (error: StoreError): MemberFile => {
    if (error.trouble === 'newerSchema') for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true });
    else quarantineFile(file, Date.now());
    const anew = opened(file, onDamage);
    if (error.trouble !== 'newerSchema') onDamage(error.message);
    return anew;
  };
  const orElse = <Told>(work: () => Told, anew: (error: StoreError) => Told): Told => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.trouble !== 'newerSchema' && !isBeyondRepair(error, file)) throw error;
      return anew(error);
    }
  };
  const isEmpty = statSync(file, { throwIfNoEntry: false })?.size === 0;
  let current = orElse(() => opened(file, onDamage), renewed);
  if (isEmpty) onDamage('the file was empty');
  const using = <Told>(work: (members: MemberFile) => Told): Told =>
    orElse(
      () => work(current),
      error => {
        current.close();
        current = renewed(error);
        return work(current);
      },
    );
  return {
    read: repoUid => using(members => members.read(repoUid)),
    states: () => using(members => members.states()),
    stateOf: repoUid => using(members => members.stateOf(repoUid)),
    write: (repoUid, knowledge) => using(members => members.write(repoUid, knowledge)),
    noteProblem: (repoUid, problem) => using(members => members.noteProblem(repoUid, problem)),
    keepOnly: repoUids => using(members => members.keepOnly(repoUids)),
    close: () => current.close(),
  };
}

interface Row {
  readonly stamp: string | null;
  readonly synced_at: number | null;
  readonly known_rows: Buffer | null;
  readonly contracts: Buffer | null;
  readonly digest: Buffer | null;
}

function opened(file: string, onDamage: (what: string) => void): MemberFile {
  const connection = openForWriting(file, memberKind);
  connection.pragma(`wal_autocheckpoint = ${logPages}`);
  const prepare = preparer(connection);
  const write = (work: () => void): void => translated(() => inTransaction(connection, file, work));
  const rowOf = (repoUid: string): Row | undefined =>
    translated(() => prepare<[string], Row>('SELECT * FROM member WHERE repo_uid = ?').get(repoUid));
  const states = (): readonly MemberState[] =>
    translated(() =>
      prepare<[], { repoUid: string; stamp: string | null; syncedAt: number | null; problem: string | null }>(
        'SELECT repo_uid AS repoUid, stamp, synced_at AS syncedAt, problem FROM member',
      )
        .all()
        .map(({ repoUid, stamp, syncedAt, problem }) => ({
          ...{ repoUid, stamp: stamp ?? undefined, syncedAt: syncedAt ?? undefined, problem: problem ?? undefined },
        })),
    );
  /** A row that is not what was written counts as none: the next synchronisation makes it anew. */
  const sound = (repoUid: string): Row | undefined => {
    const row = rowOf(repoUid);
    if (row === undefined || row.stamp === null || isSound(row)) return row;
    write(() => {
      prepare<[string]>('DELETE FROM member WHERE repo_uid = ?').run(repoUid);
    });
    onDamage(`what is known of ${repoUid} is not what was written`);
    return undefined;
  };
  return {
    read: repoUid => {
      const row = sound(repoUid);
      return row === undefined ? undefined : knowledgeIn(row);
    },
    states,
    stateOf: repoUid => {
      sound(repoUid);
      return states().find(state => state.repoUid === repoUid);
    },
    write: (repoUid, { stamp, syncedAt, rows, contracts }) => {
      const [packedRows, packedContracts] = [packed(rows), packed(contracts)];
      const digest = digestOf(stamp, syncedAt, packedRows, packedContracts);
      write(() => {
        prepare<unknown[]>('INSERT OR REPLACE INTO member VALUES (?, ?, ?, NULL, ?, ?, ?)').run(
          ...[repoUid, stamp, syncedAt, packedRows, packedContracts, digest],
        );
      });
    },
    noteProblem: (repoUid, problem) =>
      write(() => {
        prepare<unknown[]>(
          'INSERT INTO member (repo_uid, problem) VALUES (?, ?) ON CONFLICT DO UPDATE SET problem = excluded.problem',
        ).run(repoUid, problem);
      }),
    keepOnly: repoUids =>
      write(() => {
        for (const { repoUid } of prepare<[], { repoUid: string }>('SELECT repo_uid AS repoUid FROM member').all()) {
          if (!repoUids.has(repoUid)) prepare<[string]>('DELETE FROM member WHERE repo_uid = ?').run(repoUid);
        }
      }),
    close: () => closeWritten(connection),
  };
}

function isSound({ stamp, synced_at, known_rows, contracts, digest }: Row): boolean {
  if (stamp === null || synced_at === null || known_rows === null || contracts === null || digest === null)
    return false;
  return digest.equals(digestOf(stamp, synced_at, known_rows, contracts));
}

/** Undefined where nothing is known but that there is a problem. */
function knowledgeIn({ stamp, synced_at, known_rows, contracts }: Row): StoredKnowledge | undefined {
  if (stamp === null || synced_at === null || known_rows === null || contracts === null) return undefined;
  return { stamp, syncedAt: synced_at, rows: unpacked(known_rows), contracts: unpacked(contracts) };
}

function packed(value: unknown): Buffer {
  return deflateRawSync(JSON.stringify(value), { level: 1 });
}

function unpacked(bytes: Uint8Array): unknown {
  return JSON.parse(inflateRawSync(bytes).toString());
}

function digestOf(stamp: string, syncedAt: number, ...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(`${syncedAt} ${stamp}\0`);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

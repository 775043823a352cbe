import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { failpoint } from '../failpoint.ts';
import { packageRoot } from '../package-root.ts';
import { type FileKind, inTransaction, openForReading, openForWriting, translated } from './connection.ts';
import { replaceDurably } from './durably.ts';
import { quarantineFile } from './quarantine.ts';
import { preparer } from './rows.ts';
import { type Connection, Database } from './sqlite.ts';
import { StoreError, type StoreTrouble } from './store-faults.ts';
import { revokeWithdrawn } from './withdrawn-keys.ts';

const applicationId = 0x73766344;
const migrations = [
  '001.sql',
  '002.sql',
  '003.sql',
  '004.sql',
  '005.sql',
  '006.sql',
  '007.sql',
  '008.sql',
  '009.sql',
  '010.sql',
  '011.sql',
] as const;
/** The log is carried over into the file when it has grown to so many pages: 1 MiB. */
const logPages = 256;

/** `daemon.db`, open. Every method throws `StoreError`. */
export interface Sql {
  /** How the file came to be what it is. */
  readonly origin: 'existing' | 'created' | 'restored';
  run(sql: string, ...parameters: unknown[]): void;
  all<Row>(sql: string, ...parameters: unknown[]): Row[];
  get<Row>(sql: string, ...parameters: unknown[]): Row | undefined;
  /** One transaction. */
  together<T>(work: () => T): T;
  /** Writes, in no transaction, what is worth no fsync: it outlives the process, and may be gone after a power cut. */
  lightly(work: () => void): void;
  /** Why the last write failed; undefined after one that did not. */
  trouble(): StoreTrouble | undefined;
  close(): void;
}

/**
 * Opens, creates or migrates `daemon.db` (0600). A corrupt file goes to quarantine and its last verified copy takes its
 * place, without keys that were taken back since; without one it starts empty. Throws `StoreError` for what no copy can mend
 * (newer schema, no permission), and where the copy, or what was taken back since, can't be read just now.
 */
export function openDaemonFile(file: string, nowMs: number): Sql {
  const isNew = !existsSync(file);
  try {
    if (isLost(file)) throw new StoreError('corrupt', 'the database is gone, its copy is there');
    return sqlOver(file, isNew ? 'created' : 'existing', openVerified(file));
  } catch (error) {
    if (!(error instanceof StoreError) || error.trouble !== 'corrupt') throw error;
    // Nothing takes its place before that is whole: the next start would take what was left half done for sound.
    const isRestored = makeRestoring(file, nowMs);
    quarantineFile(file, nowMs);
    if (isRestored) replaceDurably(restoringOf(file), file);
    return sqlOver(file, isRestored ? 'restored' : 'created', openVerified(file));
  }
}

/** Who writes much at a time holds more of the file, and carries its log over less often: rows of digests lie anywhere in it. */
const besideCacheKib = 32 * 1024;
const besideLogPages = 4096;

/** One more connection to a `daemon.db` that is open already, for a thread that writes much at a time. */
export function openBeside(file: string): Sql {
  const connection = settled(openForWriting(file, daemonFile));
  connection.pragma(`cache_size = -${besideCacheKib}`);
  connection.pragma(`wal_autocheckpoint = ${besideLogPages}`);
  return sqlOver(file, 'existing', connection);
}

/** The same to read from. */
export function openDaemonReading(file: string): Pick<Sql, 'all' | 'get' | 'close'> {
  const connection = openForReading(file, daemonFile);
  const prepare = preparer(connection);
  return {
    all: <Row>(sql: string, ...parameters: unknown[]) =>
      translated(() => prepare<unknown[], Row>(sql).all(...parameters)),
    get: <Row>(sql: string, ...parameters: unknown[]) =>
      translated(() => prepare<unknown[], Row>(sql).get(...parameters)),
    close: () => connection.close(),
  };
}

/**
 * Reads the heads of the file and of each of its tables as whoever opens it does: what is open goes by what it has read, and
 * notices no other bytes in its place. Throws `StoreError`.
 */
export function readHeads(file: string): void {
  const connection = openForReading(file, daemonFile);
  try {
    translated(() => {
      const tables = connection
        .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
        .pluck()
        .all();
      for (const name of tables) connection.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get();
    });
  } finally {
    connection.close();
  }
}

function sqlOver(file: string, origin: Sql['origin'], opened: Connection): Sql {
  let connection = opened;
  let prepare = preparer(connection);
  let failed: StoreError | undefined;
  /** After the device failed, what SQLite believes to be on it may not be: nothing is written until it has been looked at anew. */
  let isInDoubt = false;
  const writing = <T>(work: () => T): T => {
    if (connection.inTransaction) return work();
    try {
      if (isInDoubt) reopen();
      const result = translated(work);
      failed = undefined;
      return result;
    } catch (error) {
      if (error instanceof StoreError) failed = error;
      if (failed?.trouble === 'ioError') isInDoubt = true;
      throw error;
    }
  };
  const reopen = (): void => {
    const verified = openVerified(file);
    connection.close();
    connection = verified;
    prepare = preparer(connection);
    isInDoubt = false;
  };
  return {
    origin,
    run: (sql, ...parameters) =>
      writing(() => {
        const isWhole = !connection.inTransaction;
        if (isWhole) failpoint('before-commit', file);
        prepare<unknown[]>(sql).run(...parameters);
        if (isWhole) failpoint('after-commit', file);
      }),
    all: <Row>(sql: string, ...parameters: unknown[]) =>
      translated(() => prepare<unknown[], Row>(sql).all(...parameters)),
    get: <Row>(sql: string, ...parameters: unknown[]) =>
      translated(() => prepare<unknown[], Row>(sql).get(...parameters)),
    together: work => writing(() => inTransaction(connection, file, work)),
    lightly: work =>
      writing(() => {
        connection.pragma('synchronous = NORMAL');
        try {
          work();
        } finally {
          connection.pragma('synchronous = FULL');
        }
      }),
    trouble: () => failed?.trouble,
    close: () => connection.close(),
  };
}

const daemonFile: FileKind = {
  applicationId,
  schemaVersion: migrations.length,
  upgrade: (connection, from) => {
    for (const name of migrations.slice(from)) {
      connection.exec(readFileSync(join(packageRoot, 'daemon/store/migrations', name), 'utf8'));
    }
  },
};

/** Nothing, no bytes or no file in its place, and yet a copy, which a first start has not. */
function isLost(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return existsSync(copyOf(file)) && (stats === undefined || !stats.isFile() || stats.size === 0);
}

function openVerified(file: string): Connection {
  const connection = openForWriting(file, daemonFile);
  try {
    requireSound(connection);
    requireColumns(connection);
    return settled(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
}

function settled(connection: Connection): Connection {
  // What cannot be computed again is worth an fsync a commit.
  connection.pragma('synchronous = FULL');
  // Nobody else empties its log: a short one, so that no commit has much to carry over.
  connection.pragma(`wal_autocheckpoint = ${logPages}`);
  return connection;
}

function requireSound(connection: Connection): void {
  const verdict = translated(() => connection.pragma('integrity_check(1)', { simple: true }));
  if (verdict !== 'ok') throw new StoreError('corrupt', 'the database fails its integrity check');
}

/** The version alone does not tell that the tables are ours. */
function requireColumns(connection: Connection): void {
  const found = new Set(translated(() => columnsIn(connection)));
  const missing = wantedColumns().find(column => !found.has(column));
  if (missing !== undefined) throw new StoreError('corrupt', `the database has no ${missing}`);
}

let wanted: readonly string[] | undefined;

function wantedColumns(): readonly string[] {
  if (wanted !== undefined) return wanted;
  const connection = new Database(':memory:');
  try {
    daemonFile.upgrade(connection, 0);
    wanted = columnsIn(connection);
  } finally {
    connection.close();
  }
  return wanted;
}

/** `table.column` each. */
function columnsIn(connection: Connection): readonly string[] {
  return connection
    .prepare<[], string>(
      `SELECT one.name || '.' || part.name FROM sqlite_schema AS one JOIN pragma_table_info(one.name) AS part
       WHERE one.type = 'table'`,
    )
    .pluck()
    .all();
}

export const copyOf = (file: string): string => `${file}.backup`;

/** Writes a copy beside the file, by one of its connections. `making`: what ends the name of the copy until it is whole. */
export function copyDaemonFile(file: string, { run }: Pick<Sql, 'run'>, making = '.new'): void {
  const copy = copyOf(file) + making;
  rmSync(copy, { force: true });
  run('VACUUM INTO ?', copy);
  chmodSync(copy, 0o600);
  replaceDurably(copy, copyOf(file));
}

const restoringOf = (file: string): string => `${file}.restoring`;

/** Makes what takes the file's place of the last copy; false where there is none, or none that is sound. */
function makeRestoring(file: string, nowMs: number): boolean {
  const copy = copyOf(file);
  if (!isVerified(copy)) return false;
  const restoring = restoringOf(file);
  translated(() => {
    rmSync(restoring, { recursive: true, force: true });
    copyFileSync(copy, restoring);
    chmodSync(restoring, 0o600);
  });
  const sql = sqlOver(
    restoring,
    'restored',
    openForWriting(restoring, daemonFile, () => {}, true),
  );
  try {
    revokeWithdrawn(file, sql, nowMs);
  } finally {
    sql.close();
  }
  return true;
}

function isVerified(copy: string): boolean {
  if (!(statSync(copy, { throwIfNoEntry: false })?.isFile() ?? false)) return false;
  try {
    const connection = openForReading(copy, daemonFile, 1); // it is upgraded once it has been verified
    try {
      requireSound(connection);
      const version = translated(() => connection.pragma('user_version', { simple: true }));
      if (version === daemonFile.schemaVersion) requireColumns(connection);
    } finally {
      connection.close();
    }
    return true;
  } catch (error) {
    // Newer, or not to be read now, it is the best that there is, and would be overwritten if this began without.
    if (!(error instanceof StoreError && error.trouble === 'corrupt')) throw error;
    return false;
  }
}

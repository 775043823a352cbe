import { chmodSync, closeSync, constants, existsSync, openSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { failpoint } from '../failpoint.ts';
import { isOutOfDescriptors } from '../model/shortage.ts';
import { type Connection, Database } from './sqlite.ts';
import { StoreError, type StoreTrouble } from './store-faults.ts';

/** How to tell our file from another's, and this version's from a newer one's. */
export interface FileKind {
  readonly applicationId: number;
  readonly schemaVersion: number;
  /** Brings a file from an older version (0: empty) to the present one; runs inside a transaction. */
  readonly upgrade: (connection: Connection, from: number) => void;
}

const busyTimeoutMs = 5_000;
/** What a connection keeps of the file in memory, KiB: the system keeps all of it, and copies a page in microseconds. */
const cacheKib = { writing: 4096, reading: 2048 } as const;

/**
 * Opens for writing, creating or upgrading the file: WAL, synchronous NORMAL, 0600, no automatic checkpoints.
 * `beforeWriting` is called before the first byte is written to a file that this version may write. One that nobody else
 * knows of yet (`isAlone`) has no log, and what it holds after a failure is nothing: it must be thrown away.
 */
export function openForWriting(
  file: string,
  kind: FileKind,
  beforeWriting: () => void = () => {},
  isAlone = false,
): Connection {
  return translated(() => {
    const isNew = statSync(file, { throwIfNoEntry: false }) === undefined;
    // Where there is none, what opens it says so in words alone.
    if (isNew) statSync(dirname(file));
    // Of a file that was removed: SQLite would cut them while whoever still has that open reads them.
    if (isNew) for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true });
    if (!isNew) requireRegularFile(file);
    if (!isNew && logBytes(file) > 0) requireKnownVersion(file, kind);
    const connection = new Database(file, { timeout: busyTimeoutMs });
    try {
      // Before the first page is written, so that the log and its index inherit the mode.
      if (isNew) chmodSync(file, 0o600);
      const version = checkedVersion(connection, kind);
      beforeWriting();
      if (isAlone) {
        connection.pragma('journal_mode = OFF');
        connection.pragma('synchronous = OFF');
      } else {
        connection.pragma('journal_mode = WAL');
        connection.pragma('synchronous = NORMAL');
        connection.pragma('wal_autocheckpoint = 0');
      }
      connection.pragma('temp_store = MEMORY');
      connection.pragma(`cache_size = -${cacheKib.writing}`);
      connection.pragma('foreign_keys = OFF');
      if (version < kind.schemaVersion) {
        inTransaction(connection, file, () => {
          kind.upgrade(connection, version);
          connection.pragma(`application_id = ${kind.applicationId}`);
          connection.pragma(`user_version = ${kind.schemaVersion}`);
        });
      }
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }, file);
}

/** Closes what was open for writing, with all that is in its log carried over: readers that stay open would leave it there. */
export function closeWritten(connection: Connection): void {
  try {
    connection.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // It stays in the log, where whoever opens the file finds it.
  }
  connection.close();
}

/** Opens an existing file of this version, or from `oldest` on, for reading alone. */
export function openForReading(file: string, kind: FileKind, oldest: number = kind.schemaVersion): Connection {
  return translated(() => {
    requireRegularFile(file);
    const connection = new Database(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
    try {
      const version = checkedVersion(connection, kind);
      if (version < oldest) throw new StoreError('corrupt', 'the file has no schema of this version');
      connection.pragma('query_only = ON');
      connection.pragma(`cache_size = -${cacheKib.reading}`);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }, file);
}

/** The version of a file of a kind, whatever that is; undefined where there is none, or nothing in it. Throws `StoreError`. */
export function storedVersionOf(file: string, applicationId: number): number | undefined {
  if (!existsSync(file)) return undefined;
  return translated(() => {
    requireRegularFile(file);
    const connection = new Database(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
    try {
      const version = Number(connection.pragma('user_version', { simple: true }));
      if (version === 0) return undefined;
      if (connection.pragma('application_id', { simple: true }) !== applicationId) {
        throw new StoreError('corrupt', 'a database of another program');
      }
      return version;
    } finally {
      connection.close();
    }
  });
}

/** Runs `work` in a transaction of its own, the writer's from its start. */
export function inTransaction<T>(connection: Connection, file: string, work: () => T): T {
  const whole = connection.transaction(() => {
    const result = work();
    failpoint('before-commit', file);
    return result;
  });
  const result = whole.immediate();
  failpoint('after-commit', file);
  return result;
}

/** Runs `work`, with a `file` where it opens one; whatever SQLite or the system throws comes out as `StoreError`. */
export function translated<T>(work: () => T, file?: string): T {
  try {
    return work();
  } catch (error) {
    throw storeError(error, file);
  }
}

/** What is wrong with storage where that failed something, and all else as it is. */
export function storeError(error: unknown, file?: string): unknown {
  if (error instanceof StoreError) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const trouble = isForRoom(code, file) ? 'diskFull' : isForFiles(code) ? 'shortage' : troubleOf(code);
  if (trouble === undefined) return error;
  return new StoreError(trouble, `storage: ${code}`, error, (error as NodeJS.ErrnoException).path ?? file);
}

/** The index of a log is a file that grows as the log is opened: SQLite tells of no reason why it did not. */
function isForRoom(code: string, file: string | undefined): boolean {
  if (file === undefined || (code !== 'SQLITE_IOERR_SHMSIZE' && code !== 'SQLITE_IOERR_SHMMAP')) return false;
  try {
    return statfsSync(dirname(file)).bavail === 0;
  } catch {
    return false;
  }
}

/** SQLite does not tell either that no more files may be open, and closes what it has opened of the three that it needs. */
function isForFiles(code: string): boolean {
  if (!code.startsWith('SQLITE_CANTOPEN') && !code.startsWith('SQLITE_IOERR')) return false;
  const opened: number[] = [];
  try {
    while (opened.length < 3) opened.push(openSync('/', constants.O_RDONLY));
    return false;
  } catch (error) {
    return isOutOfDescriptors(error);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

function troubleOf(code: string): StoreTrouble | undefined {
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || code === 'SQLITE_FORMAT') return 'corrupt';
  // A table or column that is missing: the pages lost what the schema version promises.
  if (code === 'SQLITE_ERROR' || code === 'SQLITE_SCHEMA' || code === 'SQLITE_MISMATCH') return 'corrupt';
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') return 'diskFull';
  if (code === 'EMFILE' || code === 'ENFILE') return 'shortage';
  if (code.startsWith('SQLITE_IOERR') || code === 'EIO') return 'ioError';
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'busy';
  if (code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_READONLY') || code === 'SQLITE_PERM') {
    return 'unreadable';
  }
  if (['ENOENT', 'EACCES', 'EPERM', 'EISDIR', 'ENOTDIR', 'ELOOP', 'EEXIST', 'EROFS'].includes(code))
    return 'unreadable';
  return undefined;
}

/**
 * The file itself is left to SQLite: closing any descriptor of it in this process would drop the locks that other
 * connections of the process hold.
 */
export function requireRegularFile(file: string): void {
  if (!statSync(file).isFile()) throw new StoreError('unreadable', 'not a regular file', undefined, file);
}

/** Who opens a file with a log to write to it carries that over as it closes, though it refuses the file: this looks without. */
function requireKnownVersion(file: string, kind: FileKind): void {
  const connection = new Database(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
  try {
    checkedVersion(connection, kind);
  } finally {
    connection.close();
  }
}

/** Bytes of the log beside a file; 0 where there is none. */
export function logBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

function checkedVersion(connection: Connection, kind: FileKind): number {
  const applicationId = connection.pragma('application_id', { simple: true });
  const version = Number(connection.pragma('user_version', { simple: true }));
  const tables = connection.prepare<[], { n: number }>('SELECT count(*) AS n FROM sqlite_schema').get()?.n ?? 0;
  if (tables === 0 && version === 0) return 0;
  if (applicationId !== kind.applicationId) throw new StoreError('corrupt', 'a database of another program');
  if (version > kind.schemaVersion) {
    throw new StoreError('newerSchema', `schema ${version} is newer than this version's ${kind.schemaVersion}`);
  }
  return version;
}

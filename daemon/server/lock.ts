import { type BigIntStats, chmodSync, closeSync, lstatSync, openSync } from 'node:fs';
import { closedToUs, unusable } from '../../client/own-file.ts';
import { type Connection, Database } from '../store/sqlite.ts';

/** Being the one daemon of this user and state folder. */
export interface LeaderLock {
  /** False once the file at the path is another one: whoever holds that one leads now. Held is one that can't be looked at. */
  isHeld(): boolean;
  /**
   * False once somebody has written into it: it is held all the same, and whoever would take it next could not. Throws the system's
   * error where it can't be looked at.
   */
  isWhole(): boolean;
  release(): void;
}

/**
 * Takes the lock: an open `BEGIN EXCLUSIVE` transaction, which the kernel ends with the process, however it dies.
 * Undefined when another process leads, and goes on doing so for `patienceMs`. Throws `misconfigured` for what is no lock of
 * ours: SQLite writes nothing into one. It is not mended here: whoever puts another file in its place may part two leaders.
 *
 * Nothing else may ever open this file, not even to read it: POSIX locks of a process end when it closes any descriptor
 * of the file.
 */
export function takeLeaderLock(file: string, patienceMs: number): LeaderLock | undefined {
  createPrivate(file);
  // Before it is opened: what takes its place from here on is not what we hold.
  const stats = statsOf(file);
  if (stats?.isFile() === false) throw unusable(file, 'is not a file');
  const inode = stats?.ino;
  const connection = opened(file, patienceMs);
  try {
    // The rollback journal would lie beside the lock and outlive a killed leader; there is nothing to roll back.
    connection.pragma('journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
    // Of a file that may only be read that locks nobody out, as a write alone tells; never committed, it stays in memory.
    connection.pragma('user_version = 0');
    // Not before: while another leads, what has become of its lock is no reason to remove it.
    if (!isEmpty(file)) throw unusable(file, 'is damaged');
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    if (isClosed(error)) throw closedToUs(file, error);
    throw isDamage(error) ? unusable(file, 'is damaged') : error;
  }
  return {
    isHeld: () => inode !== undefined && isAt(file, inode),
    isWhole: () => isEmpty(file),
    release: () => connection.close(),
  };
}

function opened(file: string, patienceMs: number): Connection {
  try {
    return new Database(file, { timeout: patienceMs });
  } catch (error) {
    throw isClosed(error) ? closedToUs(file, error) : error;
  }
}

/** The kernel holds it for us, whatever becomes of the way to it; and who can't go that way takes no other. */
function isAt(file: string, inode: bigint): boolean {
  try {
    return statsOf(file)?.ino === inode;
  } catch {
    return true;
  }
}

function statsOf(file: string): BigIntStats | undefined {
  return lstatSync(file, { bigint: true, throwIfNoEntry: false });
}

/** What is gone is `isHeld`'s to tell. */
function isEmpty(file: string): boolean {
  return (statsOf(file)?.size ?? 0n) === 0n;
}

/** Made by us, so that its mode does not hang on the umask. `O_EXCL`: an existing one is never opened here. */
function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    chmodSync(file, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

function isDamage(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_NOTADB' || codeOf(error).startsWith('SQLITE_CORRUPT');
}

/** Opened not at all, or for reading alone. */
function isClosed(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_CANTOPEN') || codeOf(error).startsWith('SQLITE_READONLY');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

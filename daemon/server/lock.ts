import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { Database } from '../store/sqlite.ts';

/** Being the one daemon of this user and state folder. */
export interface LeaderLock {
  /** False once the file at the path is another one: whoever holds that one leads now. */
  isHeld(): boolean;
  release(): void;
}

/**
 * Takes the lock: an open `BEGIN EXCLUSIVE` transaction, which the kernel ends with the process, however it dies.
 * Undefined when another process leads, and goes on doing so for `patienceMs`.
 *
 * Nothing else may ever open this file, not even to read it: POSIX locks of a process end when it closes any descriptor
 * of the file.
 */
export function takeLeaderLock(file: string, patienceMs: number): LeaderLock | undefined {
  createPrivate(file);
  // Before it is opened: what takes its place from here on is not what we hold.
  const inode = inodeOf(file);
  const connection = new Database(file, { timeout: patienceMs });
  try {
    // The rollback journal would lie beside the lock and outlive a killed leader; there is nothing to roll back.
    connection.pragma('journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return {
    isHeld: () => inode !== undefined && inodeOf(file) === inode,
    release: () => connection.close(),
  };
}

function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
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
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

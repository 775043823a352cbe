import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { isAlive, type Places, prepareFolders, readDaemonRecord } from './paths.ts';

/**
 * The process that leads, whether or not it can be reached; undefined when none does. Where the system lists its locks
 * (Linux) that is the holder of ours; elsewhere the living process that `daemon.json` or a socket's name tells of.
 * The lock file itself is never opened. Throws what `prepareFolders` does where the folders can't be.
 */
export function leaderOf(places: Places, locksFile = '/proc/locks'): number | undefined {
  const inode = inodeOfLock(places);
  if (inode === undefined) return undefined;
  const locks = textOf(locksFile);
  const pid = locks === undefined ? pidLeftBehind(places) : holderOf(inode, locks);
  return pid !== undefined && isAlive(pid) ? pid : undefined;
}

/** Undefined where there is none. What can't even be looked for is told as to those who would make it. */
function inodeOfLock(places: Places): number | undefined {
  try {
    // Newer Nodes take a file in the place of a folder for no entry, and would not throw for it.
    return lstatSync(places.lockFile).ino;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    prepareFolders(places);
    throw error;
  }
}

/** `1: POSIX  ADVISORY  WRITE 1274 fe:00:2443131 1073741824 1073742335`: the process, then device and inode. */
function holderOf(inode: number, locks: string): number | undefined {
  for (const line of locks.split('\n')) {
    const [, pid, locked] = / WRITE +(\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /.exec(line) ?? [];
    if (locked === String(inode)) return Number(pid);
  }
  return undefined;
}

function pidLeftBehind(places: Places): number | undefined {
  const named = readDaemonRecord(places)?.pid;
  if (named !== undefined) return named;
  const pids = namesIn(places.runtime).map(name => Number(/^svc-(\d+)-[0-9a-f]+\.sock$/.exec(name)?.[1]));
  return pids.find(pid => Number.isSafeInteger(pid) && isAlive(pid));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isAlive, type Places, readDaemonRecord } from './paths.ts';

/**
 * The process that leads, whether or not it can be reached; undefined when none does. Where the system lists its locks
 * (Linux) that is the holder of ours; elsewhere the living process that `daemon.json` or a socket's name tells of.
 * The lock file itself is never opened.
 */
export function leaderOf(places: Places, locksFile = '/proc/locks'): number | undefined {
  const locks = textOf(locksFile);
  const pid = locks === undefined ? pidLeftBehind(places) : holderOf(places.lockFile, locks);
  return pid !== undefined && isAlive(pid) ? pid : undefined;
}

/** `1: POSIX  ADVISORY  WRITE 1274 fe:00:2443131 1073741824 1073742335`: the process, then device and inode. */
function holderOf(file: string, locks: string): number | undefined {
  const inode = statSync(file, { throwIfNoEntry: false })?.ino;
  if (inode === undefined) return undefined;
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

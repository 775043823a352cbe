import { readdirSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type DaemonRecord, isAlive, type Places, readDaemonRecord } from '../../client/paths.ts';
import { failpoint } from '../failpoint.ts';
import { replaceFile } from './durable-file.ts';

/** Tells clients who leads and where it listens. Replaces what an earlier leader wrote. */
export function writeDaemonRecord(places: Places, record: DaemonRecord): void {
  replaceFile(places.daemonFile, `${JSON.stringify(record, null, 2)}\n`);
}

/** Takes the record away if it is still ours: a newer daemon's stays. */
export function removeDaemonRecord(places: Places, pid: number): void {
  try {
    if (readDaemonRecord(places)?.pid !== pid) return;
    failpoint('before-unlink', places.daemonFile);
    unlinkSync(places.daemonFile);
    failpoint('after-unlink', places.daemonFile);
  } catch {
    // It is gone, or not ours to touch: either way nobody is misled by us.
  }
}

/** Whether `daemon.json` leads clients to this process and this socket. One that others could have written does not. */
export function isAnnounced(places: Places, pid: number, socket: string): boolean {
  try {
    const record = readDaemonRecord(places);
    return record?.pid === pid && record.socket === socket;
  } catch {
    return false;
  }
}

/**
 * Removes the sockets that killed daemons left in a folder: those whose process is gone and behind which nobody listens.
 * Both, for a process in another container has a number that means nothing here.
 */
export async function removeDeadSockets(folder: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    const pid = Number(/^svc-(\d+)-[0-9a-f]+\.sock$/.exec(name)?.[1]);
    if (!Number.isSafeInteger(pid) || isAlive(pid)) continue;
    const path = join(folder, name);
    if (!(await isRefused(path))) continue;
    try {
      unlinkSync(path);
    } catch {
      // Another leader was faster.
    }
  }
}

function isRefused(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}

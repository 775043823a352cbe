import { readdirSync, readFileSync, rmSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { assertPrivateFile, type DaemonRecord, isAlive, type Places, readDaemonRecord } from '../../client/paths.ts';
import { failpoint } from '../failpoint.ts';
import { replaceFile } from './durable-file.ts';

/**
 * Tells clients who leads, where it listens, and which file holds the token. Replaces what an earlier leader wrote. A token
 * that the configuration gives lies beside the record, for no longer than it is given.
 */
export function writeDaemonRecord(
  places: Places,
  record: Omit<DaemonRecord, 'tokenFile'>,
  configuredToken: string | undefined,
): void {
  const { configuredTokenFile } = places;
  const tokenFile = configuredToken === undefined ? places.tokenFile : configuredTokenFile;
  if (configuredToken !== undefined) replaceFile(configuredTokenFile, `${configuredToken}\n`);
  replaceFile(places.daemonFile, `${JSON.stringify({ ...record, tokenFile }, null, 2)}\n`);
  if (configuredToken === undefined) rmSync(configuredTokenFile, { force: true });
}

/** Takes the record away if it is still ours, and the token that lies beside it: a newer daemon's stay. */
export function removeDaemonRecord(places: Places, pid: number): void {
  try {
    if (readDaemonRecord(places)?.pid !== pid) return;
    failpoint('before-unlink', places.daemonFile);
    unlinkSync(places.daemonFile);
    failpoint('after-unlink', places.daemonFile);
    rmSync(places.configuredTokenFile, { force: true });
  } catch {
    // It is gone, or not ours to touch: either way nobody is misled by us.
  }
}

/**
 * Whether `daemon.json` leads clients to this process, this socket and the configuration's token, if that gives one. What
 * others could have written does not.
 */
export function isAnnounced(places: Places, pid: number, socket: string, configuredToken: string | undefined): boolean {
  try {
    const record = readDaemonRecord(places);
    if (record?.pid !== pid || record.socket !== socket) return false;
    if (configuredToken === undefined) return record.tokenFile === places.tokenFile;
    assertPrivateFile(places.configuredTokenFile, places.uid, 'file');
    return readFileSync(places.configuredTokenFile, 'utf8').trim() === configuredToken;
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

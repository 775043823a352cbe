import { createHash, timingSafeEqual } from 'node:crypto';
import { closeSync, fchmodSync, fsyncSync, linkSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { readMadeToken, readOwnFile } from '../../client/own-file.ts';
import { assertPrivateFile, type Places } from '../../client/paths.ts';
import { isOutOfDescriptors } from '../model/shortage.ts';
import { syncPath } from '../store/durably.ts';

/** The daemon token as it is kept while the daemon runs: its digest, so that no copy of memory gives it away. */
export interface DaemonToken {
  readonly digest: () => Uint8Array;
  /** Looks again what it is. Throws as `daemonToken` does, and leaves the one that holds. */
  readonly renew: () => void;
  /** Whether a file holds it: clients read it there. Throws where descriptors ran out. */
  readonly isIn: (file: string) => boolean;
}

/** The token of the configuration, else the one that was made once and kept beside the database. Throws `misconfigured`, `unsafeOwner`. */
export function daemonToken(
  configured: () => string | undefined,
  places: Places,
  random: (bytes: number) => Buffer,
): DaemonToken {
  const look = () => digestOf(configured() ?? keptToken(places, random));
  let digest = look();
  return {
    digest: () => digest,
    renew() {
      digest = look();
    },
    isIn(file) {
      try {
        return timingSafeEqual(digestOf(readOwnFile(file, longestToken).trim()), digest);
      } catch (error) {
        if (isOutOfDescriptors(error)) throw error;
        return false;
      }
    },
  };
}

/** Bytes. No header has room for more. */
const longestToken = 64 * 1024;

function keptToken(places: Places, random: (bytes: number) => Buffer): string {
  const kept = readKept(places);
  if (kept !== undefined) return kept;
  // Written whole under another name and then linked: a racing reader sees no file or all of it, and only one link wins.
  const draft = `${places.tokenFile}.${process.pid}.${random(4).toString('hex')}.tmp`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    fchmodSync(file, 0o600);
    writeSync(file, `${random(32).toString('hex')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(draft, places.tokenFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  syncPath(dirname(places.tokenFile));
  return readKept(places)!;
}

function readKept(places: Places): string | undefined {
  try {
    assertPrivateFile(places.tokenFile, places.uid, 'file');
    return readMadeToken(places);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function digestOf(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}

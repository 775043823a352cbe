import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { translated } from './connection.ts';
import type { DaemonDatabase } from './daemon-db.ts';
import type { SyncEntry } from './daemon-records.ts';
import { retention } from './retention.ts';

/**
 * Each index that is uploaded is a file of its own, `index-<epoch>.db`, which nobody writes to again. Which of those in a
 * folder is the newest, `daemon.db` says; the others stay for cursors that go on over them, as long as replaced versions of
 * a tree do (`retention`). Disk that takes: as many files as were published within a quarter of an hour and one, or five.
 */

const name = /^index-([0-9a-f]{24})\.db/;

/** Where the index of an epoch lies that was uploaded before, or after, the one in `indexFile`. There may be none any more. */
export function retiredFile(indexFile: string, epoch: string): string {
  return join(dirname(indexFile), `index-${epoch}.db`);
}

/** The epochs of the uploaded indexes that lie in a folder, those included of which only a part is there. */
export function epochsIn(folder: string): readonly string[] {
  return [...new Set(namesIn(folder).flatMap(file => name.exec(file)?.[1] ?? []))];
}

/** The epochs whose publication may still be asked for. `ageMs` tells how long ago something was published. */
export function epochsRetained(
  uid: string,
  ageMs: (published: SyncEntry) => number,
  database: Pick<DaemonDatabase, 'lastSync' | 'syncAt'>,
): ReadonlySet<string> {
  const retained = new Set<string>();
  let replacedMs = 0;
  let publications = 0;
  let entry = database.lastSync(uid);
  while (entry !== undefined && (publications < retention.publications || replacedMs <= retention.ms)) {
    retained.add(entry.epoch);
    publications++;
    replacedMs = ageMs(entry);
    entry = database.syncAt(uid, entry.seq - 1);
  }
  return retained;
}

/** Deletes an index file with all that lies beside it under its name: log, seal, what was being written of it. Throws `StoreError`. */
export function removeIndexFile(file: string): void {
  const folder = dirname(file);
  translated(() => {
    for (const found of namesIn(folder)) {
      if (found.startsWith(basename(file))) rmSync(join(folder, found), { recursive: true, force: true });
    }
  });
}

/** What the others in the folder of an index file take. */
export function bytesBeside(indexFile: string): number {
  return epochsIn(dirname(indexFile))
    .map(epoch => retiredFile(indexFile, epoch))
    .filter(file => file !== indexFile)
    .map(file => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, bytes) => sum + bytes, 0);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

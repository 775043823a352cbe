import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { failpoint } from '../failpoint.ts';
import { translated } from './connection.ts';
import type { StoreError } from './store-faults.ts';

const copiesKept = 2;
/** What they may take together. A damaged file that is larger than that is not kept at all: it would fill the disk, and answers nothing. */
const bytesKept = 2 ** 30;
const allParts = ['', '-wal', '-shm', '.seal'] as const;

/**
 * Moves a damaged database with its log, shared memory and seal into `quarantine/` beside it, so that a new one can take its
 * place; the two newest are kept, within a bound of bytes. Every connection to the file must be closed. Returns where it went,
 * undefined where there was nothing to move.
 */
export function quarantineFile(file: string, nowMs: number): string | undefined {
  return translated(() => {
    const folder = join(dirname(file), 'quarantine');
    const parts = allParts.filter(part => lstatSync(file + part, { throwIfNoEntry: false }) !== undefined);
    if (parts.length === 0) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const name = `${basename(file)}.${new Date(nowMs).toISOString().replaceAll(':', '-')}`;
    const place = freePlace(join(folder, name));
    for (const part of parts) {
      failpoint('before-rename', file + part);
      renameSync(file + part, place + part);
      failpoint('after-rename', file + part);
    }
    keepFew(quarantined(file));
    return place;
  });
}

/**
 * Makes the folder of a database where it is missing; what stands in its place, or in that of the one around it, and is none is put
 * aside. Throws `StoreError`.
 */
export function makeFolderOf(file: string): void {
  const folder = dirname(file);
  translated(() => {
    for (const place of [dirname(folder), folder]) {
      if (existsSync(place) && !statSync(place).isDirectory()) quarantineFile(place, Date.now());
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  });
}

/**
 * Whether a new file must take this one's place, and can: it is damaged, gone, or no file that its owner may write. Not where its
 * folder keeps us out: a new one could not be made there either.
 */
export function isBeyondRepair({ trouble }: Pick<StoreError, 'trouble'>, file: string): boolean {
  if (trouble !== 'unreadable') return trouble === 'corrupt';
  let parts: readonly (Stats | undefined)[];
  try {
    parts = ['', '-wal', '-shm'].map(part => lstatSync(file + part, { throwIfNoEntry: false }));
  } catch {
    return false;
  }
  return parts[0] === undefined || parts.some(stats => stats && (!stats.isFile() || (stats.mode & 0o600) !== 0o600));
}

/** Quarantined copies of a database, newest first. */
export function quarantined(file: string): readonly string[] {
  const folder = join(dirname(file), 'quarantine');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(name => name.startsWith(`${basename(file)}.`) && !/(?:-wal|-shm|\.seal)$/.test(name))
    .sort()
    .reverse()
    .map(name => join(folder, name));
}

/** Where each file has a name of its own: of all in a folder's quarantine the newest stay. */
export function dropOldQuarantine(besides: string): void {
  const folder = join(besides, 'quarantine');
  if (!existsSync(folder)) return;
  const timeIn = (name: string): string => name.slice(name.indexOf('.db.'));
  const copies = readdirSync(folder).filter(name => !/(?:-wal|-shm|\.seal)$/.test(name));
  keepFew(copies.sort((a, b) => (timeIn(a) < timeIn(b) ? 1 : -1)).map(name => join(folder, name)));
}

/** Removes all but the first few for which there is room, newest first. */
function keepFew(copies: readonly string[]): void {
  let kept = 0;
  let room = bytesKept;
  for (const copy of copies) {
    const bytes = allParts.reduce(
      (sum, part) => sum + (lstatSync(copy + part, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
    if (kept < copiesKept && bytes <= room) {
      kept++;
      room -= bytes;
    } else for (const part of allParts) rmSync(copy + part, { recursive: true, force: true });
  }
}

function freePlace(wanted: string): string {
  let place = wanted;
  for (let count = 1; existsSync(place); count++) place = `${wanted}.${count}`;
  return place;
}

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { translated } from './connection.ts';

const copiesKept = 2;

/**
 * Moves a damaged database with its log and shared memory into `quarantine/` beside it, so that a new one can take its
 * place; the two newest are kept. Every connection to the file must be closed. Returns where it went, undefined where
 * there was nothing to move.
 */
export function quarantineFile(file: string, nowMs: number): string | undefined {
  return translated(() => {
    const folder = join(dirname(file), 'quarantine');
    const parts = ['', '-wal', '-shm'].filter(part => existsSync(file + part));
    if (parts.length === 0) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const name = `${basename(file)}.${new Date(nowMs).toISOString().replaceAll(':', '-')}`;
    const place = freePlace(join(folder, name));
    for (const part of parts) renameSync(file + part, place + part);
    for (const old of quarantined(file).slice(copiesKept)) {
      for (const part of ['', '-wal', '-shm']) rmSync(old + part, { recursive: true, force: true });
    }
    return place;
  });
}

/** Quarantined copies of a database, newest first. */
export function quarantined(file: string): readonly string[] {
  const folder = join(dirname(file), 'quarantine');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(name => name.startsWith(`${basename(file)}.`) && !/-(?:wal|shm)$/.test(name))
    .sort()
    .reverse()
    .map(name => join(folder, name));
}

function freePlace(wanted: string): string {
  let place = wanted;
  for (let count = 1; existsSync(place); count++) place = `${wanted}.${count}`;
  return place;
}

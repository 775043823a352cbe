import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { failpoint } from '../failpoint.ts';
import { translated } from './connection.ts';
import { syncPath } from './durably.ts';
import { type IndexWriter, type IndexWriterOptions, openIndexWriter } from './index-db.ts';
import { breakSeal, isSealed, moveSeal } from './seal.ts';
import { StoreError } from './store-faults.ts';

/**
 * Puts a new index file in the place of `file` once `fill` has filled it. Until then the old one is as it was, whatever
 * happens; and whoever has it open goes on reading it. Its writer must be closed.
 */
export async function replaceIndex<T>(
  file: string,
  fill: (writer: IndexWriter) => Promise<T>,
  options: Pick<IndexWriterOptions, 'newEpoch'> = {},
): Promise<T> {
  const fresh = `${file}.new`;
  remove(fresh);
  try {
    const filled = await filledBy(fresh, fill, options);
    translated(() => takePlace(fresh, file));
    return filled;
  } finally {
    remove(fresh);
  }
}

async function filledBy<T>(
  fresh: string,
  fill: (writer: IndexWriter) => Promise<T>,
  options: Pick<IndexWriterOptions, 'newEpoch'>,
): Promise<T> {
  const writer = openIndexWriter(fresh, { ...options, isAlone: true });
  let filled: T;
  try {
    filled = await fill(writer);
  } finally {
    writer.close();
  }
  if (!isSealed(fresh)) throw new StoreError('ioError', 'a new index file could not be closed');
  return filled;
}

/** A death on the way leaves the old file or the new one, at worst without its seal. */
function takePlace(fresh: string, file: string): void {
  syncPath(fresh);
  breakSeal(file);
  // Of the old file: SQLite would play them back into the new one. Who has them open keeps them.
  for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true });
  failpoint('before-rename', file);
  renameSync(fresh, file);
  failpoint('after-rename', file);
  moveSeal(fresh, file);
  syncPath(dirname(file));
}

function remove(file: string): void {
  for (const part of ['', '-wal', '-shm', '-journal', '.seal']) rmSync(file + part, { force: true });
}

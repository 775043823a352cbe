import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { once } from '../../model/once.ts';
import { packageRoot } from '../../package-root.ts';
import type { FileKind } from '../connection.ts';
import { isDigest, type Prepare } from '../rows.ts';
import { StoreError } from '../store-faults.ts';

/** 'svcH': history files. */
const applicationId = 0x73766348;

const schema = once(() => readFileSync(join(packageRoot, 'daemon/store/history/history.sql'), 'utf8'));

/** A history can be read off git again, so an older schema counts as damage: the caller rebuilds. */
export const historyFile: FileKind = {
  applicationId,
  schemaVersion: 2,
  upgrade: (connection, from) => {
    if (from !== 0) throw new StoreError('corrupt', `schema ${from} is of an older version`);
    connection.exec(schema());
    connection.prepare(`INSERT INTO meta VALUES ('epoch', ?)`).run(randomBytes(12).toString('hex'));
  },
};

/** Where the history of a git common folder lies whose index is that file. */
export function historyFileOf(indexFile: string): string {
  return join(dirname(indexFile), 'history.db');
}

export function epochIn(prepare: Prepare): string {
  const row = prepare<[], { value: string }>(`SELECT value FROM meta WHERE name = 'epoch'`).get();
  if (row === undefined) throw new StoreError('corrupt', 'a history without an epoch');
  return row.value;
}

/** Throws where a row is not what was written. */
export function requireDigest(stored: Buffer, computed: Buffer): void {
  if (!isDigest(stored, computed)) throw new StoreError('corrupt', 'a row of the history is not what was written');
}

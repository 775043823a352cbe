import { indexSchema } from './index-file.ts';
import type { Prepare } from './rows.ts';
import { Database } from './sqlite.ts';

/**
 * Whether SQLite itself finds nothing wrong with an index file, and its tables are those that this version makes: of a name that
 * a flipped bit made another SQLite says nothing. Throws as it does where it can't read on.
 */
export function isWellFormed(prepare: Prepare): boolean {
  const verdict = prepare<[], { integrity_check: string }>('PRAGMA integrity_check(1)').get()?.integrity_check;
  return verdict === 'ok' && tablesIn(prepare) === wantedTables();
}

function tablesIn(prepare: Prepare): string {
  const rows = prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all();
  return JSON.stringify(rows);
}

let wanted: string | undefined;

function wantedTables(): string {
  if (wanted !== undefined) return wanted;
  const connection = new Database(':memory:');
  try {
    connection.exec(indexSchema());
    wanted = tablesIn(sql => connection.prepare(sql));
  } finally {
    connection.close();
  }
  return wanted;
}

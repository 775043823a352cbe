import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../daemon/package-root.ts';
import { Database } from '../../daemon/store/sqlite.ts';

const folder = join(packageRoot, 'test/fixtures/schemas');
const applicationId = 0x73766344;

/** The version of each schema of `daemon.db` that was released, oldest first. */
export const releasedSchemas: readonly number[] = readdirSync(folder)
  .map(name => Number(/^daemon-(\d+)\.sql$/.exec(name)?.[1]))
  .sort((a, b) => a - b);

/** A `daemon.db` as a version of its schema left it, with a row in each table. */
export function makeReleased(file: string, version: number): void {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.exec(readFileSync(join(folder, `daemon-${String(version).padStart(3, '0')}.sql`), 'utf8'));
  database.pragma(`application_id = ${applicationId}`);
  database.pragma(`user_version = ${version}`);
  database.close();
}

/** What a database says: its version, its tables and indexes, and all rows by table, a line each. The file stays as it is. */
export interface DatabaseDump {
  readonly version: number;
  readonly schema: readonly string[];
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

export function dumpOf(file: string): DatabaseDump {
  const copy = `${file}.dumped`;
  for (const part of ['', '-wal']) {
    rmSync(copy + part, { force: true });
    if (existsSync(file + part)) copyFileSync(file + part, copy + part);
  }
  const database = new Database(copy);
  try {
    const things = database
      .prepare<[], { type: string; name: string; sql: string }>(
        'SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name',
      )
      .all();
    const tables = things.filter(({ type }) => type === 'table').map(({ name }) => name);
    return {
      version: database.pragma('user_version', { simple: true }) as number,
      schema: things.map(({ name, sql }) => `${name}: ${sql.replaceAll(/\s+/g, ' ')}`),
      rows: Object.fromEntries(
        tables.map(table => [
          table,
          database.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
        ]),
      ),
    };
  } finally {
    database.close();
    for (const part of ['', '-wal', '-shm']) rmSync(copy + part, { force: true });
  }
}

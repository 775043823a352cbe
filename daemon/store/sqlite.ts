import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';

/**
 * better-sqlite3 12 is built against V8 and aborts on newer Nodes; 13 is built on N-API and crashes on Node 20. Both are
 * installed where both can be, and the running Node decides.
 */
const major = Number(process.versions.node.split('.')[0]);
const load = createRequire(import.meta.url);
export const Database: typeof Sqlite = load(major >= 22 ? 'better-sqlite3-napi' : 'better-sqlite3');
export type Connection = Sqlite.Database;
export type Statement<Parameters extends unknown[] = unknown[], Row = unknown> = Sqlite.Statement<Parameters, Row>;

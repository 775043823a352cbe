import type { FactKey, FactRow } from './publication.ts';
import { digestOf, type Prepare } from './rows.ts';
import { StoreError } from './store-faults.ts';

export interface FactBody {
  readonly digest: Buffer;
  readonly facts: Buffer;
  readonly text: Buffer;
}

/** Row of the facts under a key; undefined where there are none. */
export function factRow(key: FactKey, prepare: Prepare): number | undefined {
  return prepare<[Buffer, string, number], { id: number }>(
    'SELECT id FROM fact WHERE hash = ? AND dialect = ? AND version = ?',
  ).get(Buffer.from(key.hash, 'hex'), key.dialect, key.version)?.id;
}

/** Stores facts under their key; what is there already stays. */
export function putFact(row: FactRow, nowMs: number, prepare: Prepare): void {
  const added = prepare<[Buffer, string, number, number, number]>(
    'INSERT OR IGNORE INTO fact (hash, dialect, version, bytes, used_at) VALUES (?, ?, ?, ?, ?)',
  ).run(Buffer.from(row.hash, 'hex'), row.dialect, row.version, row.facts.length + row.text.length, nowMs);
  if (added.changes === 0) return;
  prepare<[number | bigint, Buffer, Uint8Array, Uint8Array]>(
    'INSERT INTO fact_body (id, digest, facts, text) VALUES (?, ?, ?, ?)',
  ).run(added.lastInsertRowid, digestOf(row.facts, row.text), row.facts, row.text);
}

/** The body of a fact row. Throws where it isn't there: a fact row without a body is damage. */
export function factBody(id: number, prepare: Prepare): FactBody {
  const body = prepare<[number], FactBody>('SELECT digest, facts, text FROM fact_body WHERE id = ?').get(id);
  if (body === undefined) throw new StoreError('corrupt', `facts ${id} are missing`);
  return body;
}

/** Throws where the bytes are not those that were stored. */
export function checkFact(id: number, body: FactBody): void {
  if (!digestOf(body.facts, body.text).equals(body.digest)) throw new StoreError('corrupt', `facts ${id} are damaged`);
}

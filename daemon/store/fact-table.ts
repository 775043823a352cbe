import { inflateSync } from 'node:zlib';
import type { FactKey, FactRow } from './publication.ts';
import { digestOf, isDigest, type Prepare } from './rows.ts';
import { StoreError } from './store-faults.ts';

/** Row of the facts under a key; undefined where there are none. */
export function factRow(key: FactKey, prepare: Prepare): number | undefined {
  return prepare<[Buffer, string, number], { id: number }>(
    'SELECT id FROM fact WHERE hash = ? AND dialect = ? AND version = ?',
  ).get(Buffer.from(key.hash, 'hex'), key.dialect, key.version)?.id;
}

/** The same with the digest of the facts. Throws where the row has no body. */
export function storedFact(
  key: FactKey,
  prepare: Prepare,
): { readonly id: number; readonly digest: Buffer } | undefined {
  const row = prepare<[Buffer, string, number], { id: number; digest: Buffer | null }>(
    `SELECT fact.id, fact_body.digest FROM fact LEFT JOIN fact_body ON fact_body.id = fact.id
     WHERE fact.hash = ? AND fact.dialect = ? AND fact.version = ?`,
  ).get(Buffer.from(key.hash, 'hex'), key.dialect, key.version);
  if (row === undefined) return undefined;
  const { id, digest } = row;
  if (digest === null) throw new StoreError('corrupt', `facts ${id} are missing`);
  return { id, digest };
}

/** The key of stored facts; undefined where there are none. */
export function factKeyAt(id: number, prepare: Prepare): FactKey | undefined {
  const row = prepare<[number], { hash: Buffer; dialect: FactKey['dialect']; version: number }>(
    'SELECT hash, dialect, version FROM fact WHERE id = ?',
  ).get(id);
  return row && { ...row, hash: row.hash.toString('hex') as FactKey['hash'] };
}

/** Stores facts under their key; what is there already stays. */
export function putFact(row: FactRow, nowMs: number, prepare: Prepare): void {
  const added = prepare<[Buffer, string, number, number, number]>(
    'INSERT OR IGNORE INTO fact (hash, dialect, version, bytes, used_at) VALUES (?, ?, ?, ?, ?)',
  ).run(Buffer.from(row.hash, 'hex'), row.dialect, row.version, row.facts.length + row.text.length, nowMs);
  if (added.changes === 0) return;
  prepare<[number | bigint, Buffer, Buffer, Uint8Array, Uint8Array]>(
    'INSERT INTO fact_body (id, digest, text_digest, facts, text) VALUES (?, ?, ?, ?, ?)',
  ).run(added.lastInsertRowid, digestOf(row.facts), digestOf(row.text), row.facts, row.text);
}

export function dropFact(key: FactKey, prepare: Prepare): void {
  const row = factRow(key, prepare);
  if (row === undefined) return;
  for (const table of ['fact', 'fact_body']) prepare<[number]>(`DELETE FROM ${table} WHERE id = ?`).run(row);
}

/** The encoded facts of a row, compared with their digest unless they were before. Throws where there are none: a row without a body is damage. */
export function factsOf(id: number, checked: CheckedFacts, prepare: Prepare): Buffer {
  if (checked.facts.has(id)) {
    // Half of what a read costs is the making of buffers: the digest would be a second one.
    const row = prepare<[number], { facts: Buffer }>('SELECT facts FROM fact_body WHERE id = ?').get(id);
    if (row !== undefined) return row.facts;
  }
  const row = prepare<[number], { digest: Buffer; facts: Buffer }>(
    'SELECT digest, facts FROM fact_body WHERE id = ?',
  ).get(id);
  checkFacts(id, row, checked);
  return row.facts;
}

/** The deflated text beside the facts, checked as these are. */
export function textOf(id: number, checked: CheckedFacts, prepare: Prepare): Buffer {
  if (checked.texts.has(id)) {
    const known = prepare<[number], { text: Buffer }>('SELECT text FROM fact_body WHERE id = ?').get(id);
    if (known !== undefined) return known.text;
  }
  const row = prepare<[number], { text_digest: Buffer; text: Buffer }>(
    'SELECT text_digest, text FROM fact_body WHERE id = ?',
  ).get(id);
  checkText(id, row, checked);
  return row.text;
}

/** Both: the text lies behind the facts, and to read it alone is to walk past these. */
export function factsAndTextOf(
  id: number,
  checked: CheckedFacts,
  prepare: Prepare,
): { readonly facts: Buffer; readonly text: Buffer } {
  if (checked.facts.has(id) && checked.texts.has(id)) {
    const known = prepare<[number], { facts: Buffer; text: Buffer }>(
      'SELECT facts, text FROM fact_body WHERE id = ?',
    ).get(id);
    if (known !== undefined) return known;
  }
  const row = prepare<[number], { digest: Buffer; text_digest: Buffer; facts: Buffer; text: Buffer }>(
    'SELECT digest, text_digest, facts, text FROM fact_body WHERE id = ?',
  ).get(id);
  checkFacts(id, row, checked);
  checkText(id, row, checked);
  return row;
}

function checkFacts<Row extends { readonly digest: Buffer; readonly facts: Buffer }>(
  id: number,
  row: Row | undefined,
  checked: CheckedFacts,
): asserts row is Row {
  if (row === undefined) throw new StoreError('corrupt', `facts ${id} are missing`);
  if (!isDigest(row.digest, digestOf(row.facts))) throw new StoreError('corrupt', `facts ${id} are damaged`);
  remember(checked.facts, id);
}

function checkText<Row extends { readonly text_digest: Buffer; readonly text: Buffer }>(
  id: number,
  row: Row | undefined,
  checked: CheckedFacts,
): asserts row is Row {
  if (row === undefined) throw new StoreError('corrupt', `facts ${id} are missing`);
  if (!isDigest(row.text_digest, digestOf(row.text))) {
    throw new StoreError('corrupt', `the text of facts ${id} is damaged`);
  }
  remember(checked.texts, id);
}

/** The bytes of a text that was stored deflated. */
export function inflated(text: Uint8Array): Buffer {
  return inflateSync(text);
}

/** The text beside the facts as the extractors read it: without the mark that may stand in front. */
export function sourceOf(id: number, checked: CheckedFacts, prepare: Prepare): string {
  return decoder.decode(inflated(textOf(id, checked, prepare)));
}

const decoder = new TextDecoder();

/** Rows whose digests held when this connection first read them. */
export interface CheckedFacts {
  readonly facts: Set<number>;
  readonly texts: Set<number>;
}

export function noneChecked(): CheckedFacts {
  return { facts: new Set(), texts: new Set() };
}

const checksRemembered = 200_000;

function remember(checked: Set<number>, id: number): void {
  if (checked.size >= checksRemembered) checked.clear();
  checked.add(id);
}

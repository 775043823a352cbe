import { hash } from 'node:crypto';
import type { Connection, Statement } from './sqlite.ts';
import { StoreError } from './store-faults.ts';

/** `to_seq` of a row that still holds. */
export const openEnd = 2_147_483_647;

/** Documents of one repository are one range of ids. */
export const documentsPerRepo = 2 ** 24;
export const firstDocument = (repo: number): number => repo * documentsPerRepo;
export const repoOf = (document: number): number => Math.floor(document / documentsPerRepo);
export const lastDocument = (repo: number): number => (repo + 1) * documentsPerRepo - 1;

/** The document of a path, whether a snapshot has it or not; undefined where none ever had. */
/** Where a document lies. Throws `StoreError` for a number that none has. */
export function pathOf(document: number, prepare: Prepare): string {
  const row = prepare<[number], { path: string }>('SELECT path FROM document WHERE id = ?').get(document);
  if (row === undefined) throw new StoreError('corrupt', 'a document without a path');
  return row.path;
}

export function documentAt(repo: number, path: string, prepare: Prepare): number | undefined {
  return prepare<[number, string], { id: number }>('SELECT id FROM document WHERE repo = ? AND path = ?').get(
    repo,
    path,
  )?.id;
}

/** The four hint tables: which documents to look into for a symbol's definition or use, or a name's bearer or unresolved use. */
export const hintTables = ['definition', 'post', 'bearer', 'candidate'] as const;
export type HintTable = (typeof hintTables)[number];

/** A version of a document's links, as stored. */
export interface LinkRow {
  readonly document: number;
  readonly from_seq: number;
  readonly to_seq: number;
  readonly fact: number;
  readonly body: number;
  readonly is_test: number;
  readonly language: string;
  readonly evidence: number;
  readonly digest: Buffer;
}

/**
 * sha256 over what was stored, length-prefixed, so that no two lists of parts look alike. Of what damage has made of a part it
 * is another one, whatever that is.
 */
export function digestOf(...parts: readonly (string | number | Uint8Array)[]): Buffer {
  const room = parts.reduce<number>((sum, part) => sum + mostBytes(part), 0);
  // One call over one buffer costs a third of a hash object that is fed piece by piece; a buffer for each part as much again.
  const bytes = room <= scratch.length ? scratch : Buffer.allocUnsafe(room);
  let end = 0;
  for (const part of parts) {
    const one = part instanceof Uint8Array ? part : String(part);
    const length = typeof one === 'string' ? Buffer.byteLength(one) : one.length;
    end += bytes.write(`${length}:`, end, 'latin1');
    if (typeof one === 'string') bytes.write(one, end);
    else bytes.set(one, end);
    end += length;
  }
  return hash('sha256', bytes.subarray(0, end), 'buffer');
}

const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** Of a part and its prefix: a UTF-16 code unit takes three bytes at most, a number is 24 characters long at most. */
function mostBytes(part: string | number | Uint8Array): number {
  if (typeof part === 'string') return 16 + 3 * part.length;
  return part instanceof Uint8Array ? 16 + part.length : 40;
}

/** Whether what stands in a row is the digest; damage may have left anything there. */
export function isDigest(stored: unknown, computed: Buffer): boolean {
  return stored instanceof Uint8Array && computed.equals(stored);
}

/** What a link row's digest covers: its own fields, the path they hold for, the facts and the body by their digests. */
export function linkDigest(
  row: Omit<LinkRow, 'digest'>,
  path: string,
  factDigest: Uint8Array,
  bodyDigest: Uint8Array,
): Buffer {
  return digestOf(path, row.from_seq, row.to_seq, row.is_test, row.language, row.evidence, factDigest, bodyDigest);
}

/** A statement prepared at first use and kept with its connection. */
export function preparer(connection: Connection) {
  const prepared = new Map<string, Statement>();
  return <Parameters extends unknown[], Row = unknown>(sql: string): Statement<Parameters, Row> => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement as Statement<Parameters, Row>;
  };
}
export type Prepare = ReturnType<typeof preparer>;

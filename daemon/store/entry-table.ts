import type { ScopeKey } from '../model/document.ts';
import type { ManifestLine } from '../model/manifest.ts';
import { digestOf, documentAt, isDigest, type LinkRow, openEnd, type Prepare } from './rows.ts';
import { StoreError } from './store-faults.ts';

/** A version of one line of the manifest, as stored. */
export interface EntryRow {
  readonly document: number;
  readonly from_seq: number;
  readonly to_seq: number;
  readonly hash: Buffer;
  readonly dialect: string;
  readonly version: number;
  readonly scope: string;
  readonly skip: string;
  readonly digest: Buffer;
}

/** The version that holds now. */
export function currentEntry(document: number, prepare: Prepare): EntryRow | undefined {
  const row = entryAt(document, openEnd, prepare);
  return row?.to_seq === openEnd ? row : undefined;
}

/** The last version that began before a sequence or with it. */
export function entryAt(document: number, seq: number, prepare: Prepare): EntryRow | undefined {
  return prepare<[number, number], EntryRow>(
    'SELECT * FROM entry WHERE document = ? AND from_seq <= ? ORDER BY from_seq DESC LIMIT 1',
  ).get(document, seq);
}

/** Whether a snapshot lists a file. */
export function isListed(repo: number, path: string, seq: number, prepare: Prepare): boolean {
  const document = documentAt(repo, path, prepare);
  const entry = document === undefined ? undefined : entryAt(document, seq, prepare);
  return entry !== undefined && entry.to_seq > seq;
}

/** The scope of a version of a document's links: what the entry that it ends with says. */
export function scopeAt(row: LinkRow, path: string, prepare: Prepare): ScopeKey {
  const entry = entryAt(row.document, row.to_seq - 1, prepare);
  if (entry === undefined) throw new StoreError('corrupt', 'a document without an entry');
  checkEntry(entry, path);
  return entry.scope as ScopeKey;
}

export function addEntry(document: number, from_seq: number, line: ManifestLine, prepare: Prepare): void {
  const { entry, version, scope } = line;
  const { dialect, skip } = entry;
  const hash = Buffer.from(entry.hash, 'hex');
  const digest = entryDigest({ document, from_seq, to_seq: openEnd, hash, dialect, version, scope, skip }, entry.path);
  prepare<unknown[]>(
    'INSERT INTO entry (document, from_seq, to_seq, hash, dialect, version, scope, skip, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(document, from_seq, openEnd, hash, dialect, version, scope, skip, digest);
}

/** Lets a version end before a sequence. */
export function endEntry(row: EntryRow, to_seq: number, path: string, prepare: Prepare): void {
  prepare<[number, Buffer, number, number]>(
    'UPDATE entry SET to_seq = ?, digest = ? WHERE document = ? AND from_seq = ?',
  ).run(to_seq, entryDigest({ ...row, to_seq }, path), row.document, row.from_seq);
}

/** Throws where a version or its path doesn't hold the digest. */
export function checkEntry(row: EntryRow, path: string): void {
  if (isDigest(row.digest, entryDigest(row, path))) return;
  throw new StoreError('corrupt', `the entry of document ${row.document} is damaged`);
}

function entryDigest(row: Omit<EntryRow, 'digest'>, path: string): Buffer {
  return digestOf(path, row.from_seq, row.to_seq, row.hash, row.dialect, row.version, row.scope, row.skip);
}

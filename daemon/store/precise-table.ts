import type { PreciseContent } from '../model/precise.ts';
import { digestValue } from './digest-sum.ts';
import type { Holds } from './effective-links.ts';
import type { ExternalTold } from './external-rows.ts';
import { contextIn, type InputDigests } from './inputs.ts';
import type { NumberedSymbols } from './link-batch.ts';
import { isDefined } from './link-table.ts';
import { BrokenPrecise, encodePrecise, PreciseBody } from './precise-body.ts';
import type { FactKey } from './publication.ts';
import { digestOf, isDigest, type Prepare } from './rows.ts';
import { StoreError } from './store-faults.ts';

/** What an indexer says of documents, on its way into a publication. */
export interface PreciseBatch extends NumberedSymbols {
  readonly documents: Iterable<PreciseDocument>;
  /** What the indexer tells of symbols of dependencies, by number. */
  readonly told: () => Iterable<readonly [number: number, told: ExternalTold]>;
}

export interface PreciseDocument {
  readonly path: string;
  /** The facts that its reference indexes speak of. */
  readonly key: FactKey;
  /** Who says so, as `scip-typescript 0.4.0`. */
  readonly indexer: string;
  /** Somebody brought it, who may have what our own runs lack, such as dependencies. */
  readonly isImported: boolean;
  /** Digest of what is said, by no row number: the same evidence has the same everywhere. */
  readonly content: Buffer;
  /** What else the indexer saw: see `Inputs`. */
  readonly context: string;
  readonly said: () => PreciseContent;
}

/** A precise document in use by a version of links. */
export interface PreciseRow {
  readonly id: number;
  readonly path: string;
  readonly indexer: string;
  readonly imported: number;
  readonly content: Buffer;
  readonly context: string;
  readonly body: number;
}

/**
 * Adds a precise document of a repository, after which it is the newest for its path and content. What was said before, in
 * whatever context, keeps its body. Returns the body's row.
 */
export function addPrecise(
  repo: number,
  one: PreciseDocument,
  rows: (target: number) => number,
  nowMs: number,
  prepare: Prepare,
): number {
  const before = newestPrecise(repo, one.path, one.key, prepare);
  if (before !== undefined && isSamePrecise(before, one)) return before.body;
  const { hash, dialect, version } = one.key;
  const imported = one.isImported ? 1 : 0;
  const same = before?.content.equals(one.content) ? before.body : undefined;
  const body = same === undefined ? encodePrecise(one.said(), rows) : storedPrecise(same, prepare);
  const id = same ?? addBody(body, prepare);
  prepare<unknown[]>(
    `INSERT INTO precise (repo, path, hash, dialect, version, indexer, imported, content, context, body, digest, used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    ...[repo, one.path, Buffer.from(hash, 'hex'), dialect, version, one.indexer],
    ...[imported, one.content, one.context, id],
    ...[rowDigest({ ...one, ...one.key, imported, hash: Buffer.from(hash, 'hex') }, body), nowMs],
  );
  return id;
}

function addBody(body: Uint8Array, prepare: Prepare): number {
  return Number(prepare<[Uint8Array]>('INSERT INTO precise_body (body) VALUES (?)').run(body).lastInsertRowid);
}

function storedPrecise(id: number, prepare: Prepare): Uint8Array {
  const row = prepare<[number], { body: Buffer }>('SELECT body FROM precise_body WHERE id = ?').get(id);
  if (row === undefined) throw new StoreError('corrupt', `what a precise document says is missing: ${id}`);
  return row.body;
}

/** Whether a document that is there says the same as one that arrives, saw the same, and was not our own where that is not. */
export function isSamePrecise(row: PreciseRow, one: PreciseDocument): boolean {
  const isAsGood = row.imported === 1 || !one.isImported;
  return isAsGood && row.content.equals(one.content) && row.context === one.context;
}

/**
 * The precise document that counts for a path with that content where indexers have these inputs to read: of those that saw
 * them the newest, or else the newest of all.
 */
export function preciseFor(
  repo: number,
  path: string,
  key: FactKey,
  inputs: InputDigests,
  prepare: Prepare,
): PreciseRow | undefined {
  return preciseOf(repo, path, key, contextIn(inputs, key.dialect), prepare);
}

export function newestPrecise(repo: number, path: string, key: FactKey, prepare: Prepare): PreciseRow | undefined {
  return preciseOf(repo, path, key, null, prepare);
}

/** `preferred`: a context. */
function preciseOf(
  repo: number,
  path: string,
  { hash, dialect, version }: FactKey,
  preferred: string | null,
  prepare: Prepare,
): PreciseRow | undefined {
  return prepare<[number, string, Buffer, string, number, string | null], PreciseRow>(
    `SELECT id, path, indexer, imported, content, context, body FROM precise
     WHERE repo = ? AND path = ? AND hash = ? AND dialect = ? AND version = ?
     ORDER BY context IS ? DESC, id DESC LIMIT 1`,
  ).get(repo, path, Buffer.from(hash, 'hex'), dialect, version, preferred);
}

/** Paths and contents of which something was said in a context, and something newer since. */
export function saidAnewSince(
  repo: number,
  context: string,
  prepare: Prepare,
): readonly { readonly path: string; readonly key: FactKey }[] {
  const rows = prepare<[number, string], Omit<FactKey, 'hash'> & { path: string; hash: Buffer }>(
    `SELECT DISTINCT path, hash, dialect, version FROM precise AS one WHERE repo = ? AND context = ? AND EXISTS (
       SELECT 1 FROM precise AS newer WHERE newer.repo = one.repo AND newer.path = one.path AND newer.hash = one.hash
       AND newer.dialect = one.dialect AND newer.version = one.version AND newer.id > one.id)`,
  ).all(repo, context);
  return rows.map(({ path, hash, dialect, version }) => ({
    path,
    key: { hash: hash.toString('hex') as FactKey['hash'], dialect, version },
  }));
}

export function preciseRow(id: number, prepare: Prepare): PreciseRow {
  const row = prepare<[number], PreciseRow>(
    'SELECT id, path, indexer, imported, content, context, body FROM precise WHERE id = ?',
  ).get(id);
  if (row === undefined) throw new StoreError('corrupt', `precise document ${id} is missing`);
  return row;
}

/** A precise document, compared with its digest. */
export function preciseBody(id: number, prepare: Prepare): PreciseBody {
  const row = prepare<[number], Digested & { digest: Buffer; body: Buffer }>(
    `SELECT path, hash, dialect, version, indexer, imported, content, context, digest, precise_body.body AS body
     FROM precise JOIN precise_body ON precise_body.id = precise.body WHERE precise.id = ?`,
  ).get(id);
  if (row === undefined) throw new StoreError('corrupt', `precise document ${id} is missing`);
  if (!isDigest(row.digest, rowDigest(row, row.body))) {
    throw new StoreError('corrupt', `precise document ${id} is damaged`);
  }
  try {
    return new PreciseBody(row.body);
  } catch (error) {
    if (error instanceof BrokenPrecise) throw new StoreError('corrupt', `precise document ${id} is damaged`, error);
    throw error;
  }
}

interface Digested extends Pick<PreciseRow, 'path' | 'indexer' | 'imported' | 'content' | 'context'> {
  readonly hash: Buffer;
  readonly dialect: string;
  readonly version: number;
}

function rowDigest(row: Digested, body: Uint8Array): Buffer {
  const { path, hash, dialect, version, indexer, imported, content, context } = row;
  return digestOf(path, hash, dialect, version, indexer, imported, content, context, body);
}

/**
 * Documents of a repository of which some content is said to use a symbol; look into the view whether it is the one in use.
 * The joins go from the symbol on: SQLite would go through all precise documents of the repository.
 */
export function preciseDocumentsOf(symbol: number, repo: number, prepare: Prepare): ReadonlySet<number> {
  const rows = prepare<[number, number], { id: number }>(
    `SELECT document.id FROM precise_post CROSS JOIN precise ON precise.body = precise_post.body
     CROSS JOIN document ON document.repo = precise.repo AND document.path = precise.path
     WHERE precise.repo = ? AND precise_post.key = ?`,
  ).all(repo, symbol);
  return new Set(rows.map(({ id }) => id));
}

/** Which symbols a repository defines at a sequence, or somebody else does; each is looked for once as long as there is room. */
export function holdingAt(repo: number, seq: number, prepare: Prepare): Holds {
  const known = new Map<number, boolean>();
  const external = prepare<[number]>('SELECT 1 FROM external WHERE symbol = ?');
  return symbol => {
    const answer = known.get(symbol) ?? (external.get(symbol) !== undefined || isDefined(symbol, repo, seq, prepare));
    if (known.size >= symbolsRemembered) known.clear();
    known.set(symbol, answer);
    return answer;
  };
}

const symbolsRemembered = 50_000;

/** What a precise document in use adds to an evidence id: these are summed, so that each change costs what it changes. */
export function evidenceOf(id: number, prepare: Prepare): bigint {
  if (id === 0) return 0n;
  const { path, content, context } = preciseRow(id, prepare);
  return digestValue(path, content, context);
}

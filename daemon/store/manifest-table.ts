import type { ContentHash, ManifestEntry } from '../model/document.ts';
import type { FileStat } from '../model/file-stat.ts';
import type { ManifestLine } from '../model/manifest.ts';
import type { RepoPath } from '../model/paths.ts';
import type { QuestionKey } from '../model/question.ts';
import type { ReferenceGroups } from '../model/reference-groups.ts';
import { groupsThatAsked } from './asked.ts';
import { translated } from './connection.ts';
import { checkEntry, entryAt } from './entry-table.ts';
import { type CheckedFacts, factRow, factsOf } from './fact-table.ts';
import type { HeldLinks } from './held-links.ts';
import { isPartialHead } from './link-body.ts';
import { headBytes } from './link-format.ts';
import type { FactKey } from './publication.ts';
import { askers } from './questions.ts';
import { documentAt, firstDocument, hintTables, lastDocument, openEnd, type Prepare } from './rows.ts';
import { repoRow } from './snapshot-table.ts';
import { forgetDeltas } from './taken-deltas.ts';

type ManifestRow = readonly [
  path: string,
  /** Hexadecimal. */
  hash: string,
  dialect: string,
  version: number,
  scope: string,
  skip: string,
  size: number | null,
  mtimeMs: number,
  ctimeMs: number,
  inode: number,
];

/** The manifest of the newest snapshot, in path order (by code unit, as JavaScript sorts). */
export function manifestOf(key: string, prepare: Prepare): IterableIterator<ManifestLine> {
  const repo = repoRow(key, prepare);
  if (repo === undefined) return linesOf([]);
  // Lists, and hashes as text: objects and buffers for each row would be more than half of the time.
  const rows = prepare<[number, number, number], ManifestRow>(
    `SELECT path, lower(hex(hash)), dialect, version, scope, skip, size, mtime_ms, ctime_ms, inode
     FROM entry JOIN document ON document.id = entry.document LEFT JOIN stat ON stat.document = entry.document
     WHERE entry.document BETWEEN ? AND ? AND to_seq = ?`,
  )
    .raw()
    .all(firstDocument(repo), lastDocument(repo), openEnd);
  return linesOf(rows.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The lines that the manifest of an earlier sequence, one that is kept, had wherever it may have been another; undefined for no line. */
export function linesAt(repo: number, seq: number, prepare: Prepare): ReadonlyMap<RepoPath, ManifestLine | undefined> {
  const changed = prepare<[number, number], { document: number; path: string }>(
    'SELECT DISTINCT document, path FROM changed JOIN document ON document.id = changed.document WHERE changed.repo = ? AND seq > ?',
  ).all(repo, seq);
  const line = (document: number, path: string): ManifestLine | undefined => {
    const row = entryAt(document, seq, prepare);
    if (row === undefined || row.to_seq <= seq) return undefined;
    checkEntry(row, path);
    const { hash, dialect, version, scope, skip } = row;
    return lineOf([path, hash.toString('hex'), dialect, version, scope, skip, null, 0, 0, 0]);
  };
  return new Map(changed.map(({ document, path }) => [path as RepoPath, line(document, path)]));
}

function* linesOf(rows: readonly ManifestRow[]): IterableIterator<ManifestLine> {
  for (const row of rows) yield lineOf(row);
}

export interface PassedOver {
  readonly path: string;
  readonly skip: ManifestEntry['skip'];
}

const portion = 4096;

/** Each step looks at so many documents, in a millisecond or two. */
export function* passedOver(key: string, prepare: Prepare): IterableIterator<readonly PassedOver[]> {
  const repo = repoRow(key, prepare);
  if (repo === undefined) return;
  const { end } = prepare<[number], { end: number }>('SELECT next_document AS end FROM repo WHERE id = ?').get(repo)!;
  const select = prepare<[number, number, number], PassedOver>(
    `SELECT path, skip FROM entry JOIN document ON document.id = entry.document
     WHERE entry.document BETWEEN ? AND ? AND to_seq = ? AND skip <> '' AND (dialect <> '' OR skip = 'unreadable')`,
  );
  const first = firstDocument(repo);
  for (let from = first; from < first + end; from += portion) {
    yield translated(() => select.all(from, from + portion - 1, openEnd));
  }
}

/** Paths of documents that were read only in part, in portions; each step looks at the heads of so many links. */
export function* partlyRead(key: string, prepare: Prepare): IterableIterator<readonly string[]> {
  const repo = repoRow(key, prepare);
  if (repo === undefined) return;
  const pathOf = prepare<[number], string>('SELECT path FROM document WHERE id = ?').pluck();
  for (const documents of partialPortions(repo, openEnd - 1, prepare)) {
    yield translated(() => documents.map(document => pathOf.get(document)!));
  }
}

/** Documents of a snapshot that were read only in part. Looks at the heads of all links. */
export function partlyReadDocuments(repo: number, seq: number, prepare: Prepare): readonly number[] {
  return [...partialPortions(repo, seq, prepare)].flat();
}

function* partialPortions(repo: number, seq: number, prepare: Prepare): IterableIterator<readonly number[]> {
  const { end } = prepare<[number], { end: number }>('SELECT next_document AS end FROM repo WHERE id = ?').get(repo)!;
  const select = prepare<[number, number, number, number, number], { document: number; head: Buffer }>(
    `SELECT link.document, substr(body.body, 1, ?) AS head FROM link JOIN link_body AS body ON body.id = link.body
     WHERE link.document BETWEEN ? AND ? AND from_seq <= ? AND to_seq > ?`,
  );
  const first = firstDocument(repo);
  for (let from = first; from < first + end; from += headPortion) {
    const rows = translated(() => select.all(headBytes, from, from + headPortion - 1, seq, seq));
    yield rows
      .filter(({ head }) => isPartialHead(new Uint32Array(new Uint8Array(head).buffer)))
      .map(({ document }) => document);
  }
}

const headPortion = 512;

function lineOf(row: ManifestRow): ManifestLine {
  const [path, hash, dialect, version, scope, skip, size, mtimeMs, ctimeMs, inode] = row;
  return {
    entry: {
      path: path as RepoPath,
      hash: hash as ContentHash,
      dialect: dialect as ManifestEntry['dialect'],
      skip: skip as ManifestEntry['skip'],
    },
    version,
    scope: scope as ManifestLine['scope'],
    stat: size === null ? undefined : { size, mtimeMs, ctimeMs, inode },
  };
}

export function checkedFactsOf(key: FactKey, checked: CheckedFacts, prepare: Prepare): Uint8Array | undefined {
  const id = factRow(key, prepare);
  return id === undefined ? undefined : factsOf(id, checked, prepare);
}

export function askingPaths(key: string, questions: Iterable<QuestionKey>, prepare: Prepare): RepoPath[] {
  const repo = repoRow(key, prepare);
  if (repo === undefined) return [];
  const path = prepare<[number], { path: string }>('SELECT path FROM document WHERE id = ?');
  return [...askers(repo, questions, prepare).keys()].map(document => path.get(document)!.path as RepoPath).sort();
}

/** The same, each with the groups of its references that rest on the answers. */
export function askingGroups(
  key: string,
  questions: Iterable<QuestionKey>,
  held: HeldLinks,
  prepare: Prepare,
): ReadonlyMap<RepoPath, ReferenceGroups> {
  const repo = repoRow(key, prepare);
  const groups = new Map<RepoPath, ReferenceGroups>();
  if (repo === undefined) return groups;
  for (const [document, hashes] of askers(repo, questions, prepare)) {
    const link = held.of(document);
    if (link !== undefined) groups.set(link.path as RepoPath, groupsThatAsked(link.asked, hashes));
  }
  return groups;
}

/** The row of a repository, made at its first publication. */
export function addRepo(key: string, prepare: Prepare): number {
  const known = repoRow(key, prepare);
  if (known !== undefined) return known;
  return Number(prepare<[string]>('INSERT INTO repo (key, next_document) VALUES (?, 0)').run(key).lastInsertRowid);
}

export function touchStats(
  key: string,
  stats: Iterable<{ readonly path: RepoPath; readonly stat: FileStat | undefined }>,
  prepare: Prepare,
): void {
  const repo = repoRow(key, prepare);
  if (repo === undefined) return;
  for (const { path, stat } of stats) {
    const document = documentAt(repo, path, prepare);
    if (document !== undefined) writeStat(document, stat, prepare);
  }
}

export function writeStat(document: number, stat: FileStat | undefined, prepare: Prepare): void {
  if (stat === undefined) prepare<[number]>('DELETE FROM stat WHERE document = ?').run(document);
  else {
    prepare<unknown[]>(
      'INSERT OR REPLACE INTO stat (document, size, mtime_ms, ctime_ms, inode) VALUES (?, ?, ?, ?, ?)',
    ).run(document, stat.size, stat.mtimeMs, stat.ctimeMs, stat.inode);
  }
}

/** Takes a repository out of the file, with what indexers said of it. Facts stay until the collector finds them unused. */
export function dropRepository(key: string, prepare: Prepare): void {
  const repo = repoRow(key, prepare);
  if (repo === undefined) return;
  const range = [firstDocument(repo), lastDocument(repo)] as const;
  prepare<[number, number]>(
    'DELETE FROM link_body WHERE id IN (SELECT body FROM link WHERE document BETWEEN ? AND ?)',
  ).run(...range);
  for (const table of ['entry', 'stat', 'link', 'question', ...hintTables]) {
    prepare<[number, number]>(`DELETE FROM ${table} WHERE document BETWEEN ? AND ?`).run(...range);
  }
  for (const [table, id] of [
    ['precise_body', 'id'],
    ['precise_post', 'body'],
  ] as const) {
    prepare<[number]>(`DELETE FROM ${table} WHERE ${id} IN (SELECT body FROM precise WHERE repo = ?)`).run(repo);
  }
  for (const table of ['document', 'snapshot', 'changed', 'precise']) {
    prepare<[number]>(`DELETE FROM ${table} WHERE repo = ?`).run(repo);
  }
  prepare<[number]>('DELETE FROM repo WHERE id = ?').run(repo);
  forgetDeltas(key, prepare);
}

import { dropHints } from './hints.ts';
import { linkBody } from './link-table.ts';
import { preciseBody } from './precise-table.ts';
import type { LinkRow, Prepare } from './rows.ts';

/** Replaced versions stay readable at least this long, and for this many publications: cursors go on over them. */
export const retention = { ms: 15 * 60_000, publications: 5 } as const;

const documentsPerBatch = 200;
const rowsPerSweep = 5_000;
const factBytesAlwaysKept = 256 * 1024 * 1024;
const preciseBytesAlwaysKept = 64 * 1024 * 1024;

/** Where a collection stands between its batches. */
export interface Collection {
  /** Next name or symbol row to look at; undefined when nothing was dropped since the last sweep. */
  sweepFrom: number | undefined;
  factsMayBeUnused: boolean;
}

/** One bounded batch, inside the caller's transaction. True while there is more to do. */
export function collectBatch(collection: Collection, nowMs: number, prepare: Prepare): boolean {
  if (dropVersions(nowMs, prepare)) {
    collection.sweepFrom = 0;
    collection.factsMayBeUnused = true;
    return true;
  }
  if (collection.sweepFrom !== undefined) {
    collection.sweepFrom = sweep(collection.sweepFrom, prepare);
    return true;
  }
  if (collection.factsMayBeUnused) {
    collection.factsMayBeUnused = dropFacts(prepare) || dropPrecise(prepare);
    return collection.factsMayBeUnused;
  }
  return false;
}

/** The oldest sequence of a repository that may still be read: the retention runs from when a snapshot was replaced. */
export function oldestReadable(repo: number, nowMs: number, prepare: Prepare): number | undefined {
  return (
    prepare<[number, number, number, number], { seq: number | null }>(
      `SELECT min(seq) AS seq FROM snapshot WHERE repo = ? AND (
       seq >= (SELECT coalesce(min(seq) - 1, 2147483647) FROM snapshot WHERE repo = ? AND published_at >= ?)
       OR seq IN (SELECT seq FROM snapshot WHERE repo = ? ORDER BY seq DESC LIMIT ${retention.publications}))`,
    ).get(repo, repo, nowMs - retention.ms, repo)?.seq ?? undefined
  );
}

function dropVersions(nowMs: number, prepare: Prepare): boolean {
  for (const { id: repo } of prepare<[], { id: number }>('SELECT id FROM repo').all()) {
    const horizon = oldestReadable(repo, nowMs, prepare);
    if (horizon === undefined) continue;
    const rows = prepare<[number, number], { seq: number; document: number }>(
      `SELECT seq, document FROM changed WHERE repo = ? AND seq <= ? LIMIT ${documentsPerBatch}`,
    ).all(repo, horizon);
    const forget = prepare<[number, number, number]>('DELETE FROM changed WHERE repo = ? AND seq = ? AND document = ?');
    for (const row of rows) {
      dropVersionsOf(row.document, horizon, prepare);
      forget.run(repo, row.seq, row.document);
    }
    prepare<[number, number]>('DELETE FROM snapshot WHERE repo = ? AND seq < ?').run(repo, horizon);
    if (rows.length > 0) return true;
  }
  return false;
}

function dropVersionsOf(document: number, horizon: number, prepare: Prepare): void {
  prepare<[number, number]>('DELETE FROM entry WHERE document = ? AND to_seq <= ?').run(document, horizon);
  const links = prepare<[number], LinkRow>('SELECT * FROM link WHERE document = ?').all(document);
  const gone = links.filter(row => row.to_seq <= horizon);
  if (gone.length > 0) {
    const kept = links.filter(row => row.to_seq > horizon);
    const bodiesKept = new Set(kept.map(row => row.body));
    const bodiesGone = [...new Set(gone.map(row => row.body))].filter(body => !bodiesKept.has(body));
    const decoded = (bodies: Iterable<number>) => [...bodies].map(body => linkBody(body, prepare));
    dropHints(document, decoded(bodiesGone), decoded(bodiesKept), prepare);
    prepare<[number, number]>('DELETE FROM link WHERE document = ? AND to_seq <= ?').run(document, horizon);
    for (const body of bodiesGone) prepare<[number]>('DELETE FROM link_body WHERE id = ?').run(body);
  }
  prepare<[number]>(
    'DELETE FROM document WHERE id = ? AND NOT EXISTS (SELECT 1 FROM entry WHERE entry.document = document.id)',
  ).run(document);
}

/** Names and symbols that no hint leads to. Returns where to go on, undefined at the end. */
function sweep(from: number, prepare: Prepare): number | undefined {
  const to = from + rowsPerSweep - 1;
  prepare<[number, number]>(
    `DELETE FROM name WHERE id BETWEEN ? AND ?
       AND NOT EXISTS (SELECT 1 FROM bearer WHERE key = name.id)
       AND NOT EXISTS (SELECT 1 FROM candidate WHERE key = name.id)`,
  ).run(from, to);
  const unused = `NOT EXISTS (SELECT 1 FROM definition WHERE key = symbol.id) AND NOT EXISTS (SELECT 1 FROM post WHERE key = symbol.id)
    AND NOT EXISTS (SELECT 1 FROM precise_post WHERE key = symbol.id)`;
  prepare<[number, number]>(
    `DELETE FROM external WHERE symbol IN (SELECT id FROM symbol WHERE id BETWEEN ? AND ? AND ${unused})`,
  ).run(from, to);
  prepare<[number, number]>(`DELETE FROM symbol WHERE id BETWEEN ? AND ? AND ${unused}`).run(from, to);
  const last = prepare<[], { id: number | null }>(
    'SELECT max((SELECT max(id) FROM name), (SELECT max(id) FROM symbol)) AS id',
  ).get()?.id;
  return to >= (last ?? 0) ? undefined : to + 1;
}

/** Facts that no manifest names stay, since branches are switched back, up to the size of the active ones or 256 MB. */
function dropFacts(prepare: Prepare): boolean {
  const unused = prepare<[], { id: number; bytes: number }>(
    `SELECT id, bytes FROM fact WHERE NOT EXISTS (
       SELECT 1 FROM temp.active WHERE active.hash = fact.hash AND active.dialect = fact.dialect AND active.version = fact.version
     ) ORDER BY used_at, id`,
  );
  prepare('DELETE FROM temp.active').run();
  prepare('INSERT OR IGNORE INTO temp.active SELECT hash, dialect, version FROM entry').run();
  const rows = unused.all();
  prepare('DELETE FROM temp.active').run();
  const total = prepare<[], { bytes: number | null }>('SELECT sum(bytes) AS bytes FROM fact').get()?.bytes ?? 0;
  let excess = rows.reduce((sum, row) => sum + row.bytes, 0);
  const allowed = Math.max(total - excess, factBytesAlwaysKept);
  let dropped = 0;
  for (const row of rows) {
    if (excess <= allowed) return false;
    if (dropped++ === documentsPerBatch) return true;
    prepare<[number]>('DELETE FROM fact_body WHERE id = ?').run(row.id);
    prepare<[number]>('DELETE FROM fact WHERE id = ?').run(row.id);
    excess -= row.bytes;
  }
  return false;
}

/**
 * Precise documents of contents that no snapshot has stay, since edits are undone, up to the size of those in use or
 * 64 MB; one in whose place another came goes at once.
 */
function dropPrecise(prepare: Prepare): boolean {
  const rows = prepare<[], { id: number; body: number; bytes: number; replaced: number }>(
    `SELECT precise.id, precise.body, length(precise_body.body) AS bytes, EXISTS (
       SELECT 1 FROM precise AS newer WHERE newer.repo = precise.repo AND newer.path = precise.path AND newer.hash = precise.hash
       AND newer.dialect = precise.dialect AND newer.version = precise.version AND newer.id > precise.id
     ) AS replaced FROM precise JOIN precise_body ON precise_body.id = precise.body
     WHERE precise.id NOT IN (SELECT evidence FROM link) ORDER BY replaced DESC, used_at, precise.id`,
  ).all();
  const total = prepare<[], { n: number | null }>('SELECT sum(length(body)) AS n FROM precise_body').get()?.n ?? 0;
  let excess = rows.reduce((sum, row) => sum + (row.replaced === 0 ? row.bytes : 0), 0);
  const allowed = Math.max(total - excess, preciseBytesAlwaysKept);
  let dropped = 0;
  for (const { id, body, bytes, replaced } of rows) {
    if (replaced === 0 && excess <= allowed) return false;
    if (dropped++ === documentsPerBatch) return true;
    dropPreciseRow(id, body, prepare);
    if (replaced === 0) excess -= bytes;
  }
  return false;
}

/** With the last that says it goes what it says. */
function dropPreciseRow(id: number, body: number, prepare: Prepare): void {
  const isShared = prepare<[number, number]>('SELECT 1 FROM precise WHERE body = ? AND id <> ?').get(body, id);
  if (isShared === undefined) {
    const drop = prepare<[number, number]>('DELETE FROM precise_post WHERE key = ? AND body = ?');
    for (const symbol of preciseBody(id, prepare).targets()) drop.run(symbol, body);
    prepare<[number]>('DELETE FROM precise_body WHERE id = ?').run(body);
  }
  prepare<[number]>('DELETE FROM precise WHERE id = ?').run(id);
}

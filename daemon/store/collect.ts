import { dropHints } from './hints.ts';
import { linkBody } from './link-table.ts';
import { preciseBody } from './precise-table.ts';
import { PublicationTimes, type RetentionClock } from './retention.ts';
import { hintTables, type LinkRow, type Prepare } from './rows.ts';

const documentsPerBatch = 200;
const rowsPerSweep = 5_000;
const factBytesAlwaysKept = 256 * 1024 * 1024;
const preciseBytesAlwaysKept = 64 * 1024 * 1024;

/** Facts that came or were left since unused ones were last looked for: fewer are not looked for again. */
const factBytesOverlooked = 16 * 1024 * 1024;
/** Of more names and symbols that may be unused all are looked at. */
const mostLoose = 200_000;

/** Takes out what nobody can ask for any more, in bounded batches. */
export class Collector {
  readonly #prepare: Prepare;
  /** Next name or symbol row to look at, of all of them: who wrote the file before may have left some unused. */
  #sweepFrom: number | undefined = 0;
  /** Rows that something has ceased to lead to. */
  readonly #loose: Loose = { names: new Set(), symbols: new Set() };
  #factsMayBeUnused = true;
  /** When unused facts were last looked for, wall clock, milliseconds. */
  #factsSoughtAtMs: number | undefined;
  readonly #published: PublicationTimes;

  constructor(prepare: Prepare, clock: RetentionClock | undefined) {
    this.#prepare = prepare;
    this.#published = new PublicationTimes(prepare, clock);
  }

  /** Something is published: what it replaces may be unused. */
  onPublished(repo: number, publishedAt: number): void {
    this.#factsMayBeUnused = true;
    this.#published.note(repo, publishedAt);
  }

  /** A repository was taken out: anything may be unused. */
  onRemoved(): void {
    this.#sweepFrom = 0;
    this.#factsMayBeUnused = true;
    this.#factsSoughtAtMs = undefined;
    this.#published.forget();
  }

  /** One batch, inside the caller's transaction. True while there is more to do. */
  batch(nowMs: number): boolean {
    const { names, symbols } = this.#loose;
    if (dropVersions(nowMs, this.#published, this.#loose, this.#prepare)) {
      if (names.size + symbols.size > mostLoose) this.#sweepAll();
      this.#factsMayBeUnused = true;
      return true;
    }
    if (this.#sweepFrom !== undefined) {
      this.#sweepFrom = sweep(this.#sweepFrom, this.#prepare);
      return true;
    }
    if (names.size + symbols.size > 0) {
      dropUnused('name', taken(names), this.#prepare);
      dropUnused('symbol', taken(symbols), this.#prepare);
      return true;
    }
    if (!this.#factsMayBeUnused) return false;
    this.#factsMayBeUnused = this.#dropFacts(nowMs) || dropPrecise(symbols, this.#prepare);
    return this.#factsMayBeUnused;
  }

  #sweepAll(): void {
    this.#loose.names.clear();
    this.#loose.symbols.clear();
    this.#sweepFrom = 0;
  }

  #dropFacts(nowMs: number): boolean {
    const since = this.#factsSoughtAtMs;
    // A clock that was set back tells nothing of what came since.
    if (since !== undefined && since <= nowMs && factBytesSince(since, this.#prepare) < factBytesOverlooked)
      return false;
    const isMore = dropFacts(this.#prepare);
    this.#factsSoughtAtMs = isMore ? undefined : nowMs;
    return isMore;
  }
}

/** Rows that something has ceased to lead to. */
interface Loose {
  readonly names: Set<number>;
  readonly symbols: Set<number>;
}

/** Takes some of them. */
function taken(loose: Set<number>): readonly number[] {
  const some: number[] = [];
  for (const one of loose) {
    if (some.push(one) === rowsPerSweep) break;
  }
  for (const one of some) loose.delete(one);
  return some;
}

function dropVersions(nowMs: number, published: PublicationTimes, loose: Loose, prepare: Prepare): boolean {
  for (const { id: repo } of prepare<[], { id: number }>('SELECT id FROM repo').all()) {
    const horizon = published.oldestReadable(repo, nowMs);
    if (horizon === undefined) continue;
    const rows = prepare<[number, number], { seq: number; document: number }>(
      `SELECT seq, document FROM changed WHERE repo = ? AND seq <= ? LIMIT ${documentsPerBatch}`,
    ).all(repo, horizon);
    const forget = prepare<[number, number, number]>('DELETE FROM changed WHERE repo = ? AND seq = ? AND document = ?');
    for (const row of rows) {
      dropVersionsOf(row.document, horizon, loose, prepare);
      forget.run(repo, row.seq, row.document);
    }
    prepare<[number, number]>('DELETE FROM snapshot WHERE repo = ? AND seq < ?').run(repo, horizon);
    if (rows.length > 0) return true;
  }
  return false;
}

function dropVersionsOf(document: number, horizon: number, loose: Loose, prepare: Prepare): void {
  prepare<[number, number]>('DELETE FROM entry WHERE document = ? AND to_seq <= ?').run(document, horizon);
  const links = prepare<[number], LinkRow>('SELECT * FROM link WHERE document = ?').all(document);
  const gone = links.filter(row => row.to_seq <= horizon);
  if (gone.length > 0) {
    const kept = links.filter(row => row.to_seq > horizon);
    const bodiesKept = new Set(kept.map(row => row.body));
    const bodiesGone = [...new Set(gone.map(row => row.body))].filter(body => !bodiesKept.has(body));
    const decoded = (bodies: Iterable<number>) => [...bodies].map(body => linkBody(body, prepare));
    const dropped = dropHints(document, decoded(bodiesGone), decoded(bodiesKept), prepare);
    for (const table of hintTables) {
      const keys = table === 'definition' || table === 'post' ? loose.symbols : loose.names;
      for (const key of dropped[table]) keys.add(key);
    }
    prepare<[number, number]>('DELETE FROM link WHERE document = ? AND to_seq <= ?').run(document, horizon);
    for (const body of bodiesGone) prepare<[number]>('DELETE FROM link_body WHERE id = ?').run(body);
  }
  prepare<[number]>(
    'DELETE FROM document WHERE id = ? AND NOT EXISTS (SELECT 1 FROM entry WHERE entry.document = document.id)',
  ).run(document);
}

/** Whether nothing leads to a row. */
const isUnused = {
  name: `NOT EXISTS (SELECT 1 FROM bearer WHERE key = name.id)
    AND NOT EXISTS (SELECT 1 FROM candidate WHERE key = name.id)`,
  symbol: `NOT EXISTS (SELECT 1 FROM definition WHERE key = symbol.id) AND NOT EXISTS (SELECT 1 FROM post WHERE key = symbol.id)
    AND NOT EXISTS (SELECT 1 FROM precise_post WHERE key = symbol.id)`,
} as const;

/** Names and symbols that no hint leads to. Returns where to go on, undefined at the end. */
function sweep(from: number, prepare: Prepare): number | undefined {
  const to = from + rowsPerSweep - 1;
  for (const table of ['name', 'symbol'] as const) {
    const rows = prepare<[number, number], { id: number }>(
      `SELECT id FROM ${table} WHERE id BETWEEN ? AND ? AND ${isUnused[table]}`,
    ).all(from, to);
    dropRows(table, rows, prepare);
  }
  const last = prepare<[], { id: number | null }>(
    'SELECT max((SELECT max(id) FROM name), (SELECT max(id) FROM symbol)) AS id',
  ).get()?.id;
  return to >= (last ?? 0) ? undefined : to + 1;
}

function dropUnused(table: 'name' | 'symbol', ids: readonly number[], prepare: Prepare): void {
  const find = prepare<[number], { id: number }>(`SELECT id FROM ${table} WHERE id = ? AND ${isUnused[table]}`);
  dropRows(
    table,
    ids.flatMap(id => find.get(id) ?? []),
    prepare,
  );
}

function dropRows(table: 'name' | 'symbol', rows: readonly { readonly id: number }[], prepare: Prepare): void {
  for (const { id } of rows) {
    if (table === 'symbol') {
      prepare<[number]>('DELETE FROM external WHERE symbol = ?').run(id);
      prepare<[number]>('DELETE FROM external_told WHERE symbol = ?').run(id);
    }
    prepare<[number]>(`DELETE FROM ${table} WHERE id = ?`).run(id);
  }
}

/** Bytes of facts that came, or that a document ceased to have, from a time on. */
function factBytesSince(ms: number, prepare: Prepare): number {
  const found = prepare<[number], { bytes: number | null }>('SELECT sum(bytes) AS bytes FROM fact WHERE used_at >= ?');
  return found.get(ms)?.bytes ?? 0;
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
 * 64 MB, and so do those of other contexts, for inputs come back as well; one in whose place another of its context came goes
 * at once.
 */
function dropPrecise(loose: Set<number>, prepare: Prepare): boolean {
  const rows = prepare<[], { id: number; body: number; bytes: number; replaced: number }>(
    `SELECT precise.id, precise.body, length(precise_body.body) AS bytes, EXISTS (
       SELECT 1 FROM precise AS newer WHERE newer.repo = precise.repo AND newer.path = precise.path AND newer.hash = precise.hash
       AND newer.dialect = precise.dialect AND newer.version = precise.version AND newer.context = precise.context
       AND newer.id > precise.id
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
    dropPreciseRow(id, body, loose, prepare);
    if (replaced === 0) excess -= bytes;
  }
  return false;
}

/** With the last that says it goes what it says. */
function dropPreciseRow(id: number, body: number, loose: Set<number>, prepare: Prepare): void {
  const isShared = prepare<[number, number]>('SELECT 1 FROM precise WHERE body = ? AND id <> ?').get(body, id);
  if (isShared === undefined) {
    const drop = prepare<[number, number]>('DELETE FROM precise_post WHERE key = ? AND body = ?');
    for (const symbol of preciseBody(id, prepare).targets()) {
      drop.run(symbol, body);
      loose.add(symbol);
    }
    prepare<[number]>('DELETE FROM precise_body WHERE id = ?').run(body);
  }
  prepare<[number]>('DELETE FROM precise WHERE id = ?').run(id);
}

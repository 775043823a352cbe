import { hashesOf } from './asked.ts';
import { openForReading, translated } from './connection.ts';
import { unresolvedIn } from './effective-links.ts';
import { checkEntry, type EntryRow } from './entry-table.ts';
import { factsOf, noneChecked, textOf } from './fact-table.ts';
import { hintsOf } from './hints.ts';
import { indexFile } from './index-file.ts';
import { askedFor, checkLink, decodeBody, storedBody } from './link-table.ts';
import { holdingAt, preciseBody, preciseRow } from './precise-table.ts';
import { linkedAt } from './publish-evidence.ts';
import { hintTables, type LinkRow, openEnd, type Prepare, pathOf, preparer, repoOf } from './rows.ts';
import { isSealed } from './seal.ts';
import { snapshotOf } from './snapshot-table.ts';
import { StoreError } from './store-faults.ts';

/** Up to where a table was compared; where its key is one number, that stands twice. */
export interface ScrubPlace {
  readonly table: ScrubTable;
  readonly key: Key;
}

type ScrubTable = 'fact_body' | 'link' | 'precise' | 'entry' | 'snapshot' | LookedUp;
/** Tables whose rows are found by more than their ids. */
type LookedUp = 'document' | 'fact' | 'symbol' | 'name';
type Key = [first: number, second: number];

/**
 * Compares what stands in an index file after `place` with its digests until `isOver`: facts and texts, the links of each
 * document with the hints that lead to them, manifests, snapshots, and what is looked up by text or hash. Returns how far
 * it came; undefined at the end. Throws `StoreError`, `corrupt` where something does not hold.
 */
export function scrub(file: string, place: ScrubPlace | undefined, isOver: () => boolean): ScrubPlace | undefined {
  const connection = openForReading(
    file,
    indexFile(() => ''),
  );
  try {
    const prepare = preparer(connection);
    return translated(() => connection.transaction(() => compare(place ?? beginning, isOver, prepare)).deferred());
  } finally {
    connection.close();
  }
}

/**
 * Whether an index file that nothing seals holds its digests, as far as can be seen until `isOver`. What leads to rows, and so
 * what would be missing from an answer, nothing else compares before the first one.
 */
export function holdsSoFar(file: string, isOver: () => boolean): boolean {
  if (isSealed(file)) return true;
  try {
    scrub(file, undefined, isOver);
    return true;
  } catch (error) {
    // Of no file that can be read whoever opens it will tell.
    return !(error instanceof StoreError && error.trouble === 'corrupt');
  }
}

function compare(from: ScrubPlace, isOver: () => boolean, prepare: Prepare): ScrubPlace | undefined {
  let place: ScrubPlace | undefined = from;
  do {
    place = following(place, prepare);
    if (place !== undefined) steps[place.table].check(place.key, prepare);
  } while (place !== undefined && !isOver());
  return place;
}

/** Every place of a file whose rows do not hold. Throws where SQLite itself can't read on. */
export function* damagedPlaces(prepare: Prepare): Iterable<ScrubPlace> {
  for (let place = following(beginning, prepare); place !== undefined; place = following(place, prepare)) {
    try {
      steps[place.table].check(place.key, prepare);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      yield place;
    }
  }
}

function following({ table, key }: ScrubPlace, prepare: Prepare): ScrubPlace | undefined {
  const row = prepare<Key, { first: number | null; second: number }>(steps[table].next).get(...key);
  if (row !== undefined && row.first !== null) return { table, key: [row.first, row.second] };
  const next = tables[tables.indexOf(table) + 1];
  return next === undefined ? undefined : following({ table: next, key: before }, prepare);
}

interface Step {
  /** The key up to which the next step compares, after a key. */
  readonly next: string;
  /** Throws where what ends at the key doesn't hold. */
  readonly check: (key: Key, prepare: Prepare) => void;
}

/** Rows of which nothing but their place in an index must be compared. */
const portion = 200;

const steps: Readonly<Record<ScrubTable, Step>> = {
  fact_body: { next: rowAfter('fact_body', 'id', 'id'), check: checkFacts },
  link: { next: rowAfter('link', 'document', 'from_seq'), check: checkLinks },
  precise: { next: rowAfter('precise', 'id', 'id'), check: checkPrecise },
  entry: { next: rowAfter('entry', 'document', 'from_seq'), check: checkManifest },
  snapshot: {
    next: rowAfter('snapshot', 'repo', 'seq'),
    check: ([repo, seq], prepare) => void snapshotOf(repo, seq, prepare),
  },
  document: lookedUpBy('document', 'repo', 'path'),
  fact: lookedUpBy('fact', 'hash', 'dialect', 'version'),
  symbol: lookedUpBy('symbol', 'hash'),
  name: lookedUpBy('name', 'text'),
};
const tables = Object.keys(steps) as readonly ScrubTable[];
const before: Key = [-1, -1];
const beginning: ScrubPlace = { table: 'fact_body', key: before };

function rowAfter(table: ScrubTable, first: string, second: string): string {
  return `SELECT ${first} AS first, ${second} AS second FROM ${table}
    WHERE (${first}, ${second}) > (?, ?) ORDER BY ${first}, ${second} LIMIT 1`;
}

/** Each row must be the one that the index of these columns leads to. */
function lookedUpBy(table: LookedUp, ...columns: readonly string[]): Step {
  const same = columns.map(column => `other.${column} = one.${column}`).join(' AND ');
  const lost = `SELECT id FROM (SELECT * FROM ${table} WHERE id <= ? ORDER BY id DESC LIMIT ${portion}) AS one
    WHERE (SELECT id FROM ${table} AS other WHERE ${same}) IS NOT id`;
  return {
    next: `SELECT max(id) AS first, max(id) AS second FROM
      (SELECT id FROM ${table} WHERE (id, id) > (?, ?) ORDER BY id LIMIT ${portion})`,
    check: ([id], prepare) => {
      const row = prepare<[number], { id: number }>(lost).get(id);
      if (row !== undefined) throw new StoreError('corrupt', `${table} ${row.id} can't be found`);
    },
  };
}

function checkFacts([id]: Key, prepare: Prepare): void {
  factsOf(id, noneChecked(), prepare);
  textOf(id, noneChecked(), prepare);
}

function checkLinks([document, seq]: Key, prepare: Prepare): void {
  const row = prepare<Key, LinkRow>('SELECT * FROM link WHERE document = ? AND from_seq = ?').get(document, seq)!;
  const { digest, body } = storedBody(row.body, prepare);
  checkLink(row, pathOf(document, prepare), digest, body, prepare);
  const links = decodeBody(body, row.body);
  const hints = hintsOf(links);
  for (const table of hintTables) requireKeys(table, hints[table], document, prepare);
  if (row.to_seq !== openEnd) return;
  requireKeys('question', hashesOf(askedFor(row.body, prepare)), document, prepare);
  checkUses(row, prepare);
}

function checkPrecise([id]: Key, prepare: Prepare): void {
  const found = prepare<[number]>(
    `SELECT 1 FROM precise AS one JOIN precise AS other INDEXED BY precise_of USING (repo, path, hash, dialect, version)
     WHERE one.id = ? AND other.id = one.id`,
  ).get(id);
  if (found === undefined) throw new StoreError('corrupt', `precise document ${id} can't be found`);
  const find = prepare<[number, number]>('SELECT 1 FROM precise_post WHERE key = ? AND body = ?');
  const { body } = preciseRow(id, prepare);
  for (const symbol of preciseBody(id, prepare).targets()) {
    if (find.get(symbol, body) === undefined)
      throw new StoreError('corrupt', 'a post of a precise document is missing');
  }
}

function requireKeys(table: string, keys: Iterable<number>, document: number, prepare: Prepare): void {
  const find = prepare<[number, number]>(`SELECT 1 FROM ${table} WHERE key = ? AND document = ?`);
  for (const key of keys) {
    if (find.get(key, document) === undefined) throw new StoreError('corrupt', `a ${table} row is missing`);
  }
}

function checkUses(row: LinkRow, prepare: Prepare): void {
  const { document } = row;
  const repo = repoOf(document);
  const linked = linkedAt(row, prepare);
  const holds = holdingAt(repo, openEnd - 1, prepare);
  const count = prepare<[number, number], { uses: number }>(
    'SELECT uses FROM candidate WHERE key = ? AND document = ?',
  );
  for (const name of linked.links.unresolvedNames()) {
    if (count.get(name, document)!.uses === unresolvedIn(linked, name, holds).length) continue;
    throw new StoreError('corrupt', `the uses of name ${name} are damaged`);
  }
}

function checkManifest([document, seq]: Key, prepare: Prepare): void {
  const row = prepare<Key, EntryRow>('SELECT * FROM entry WHERE document = ? AND from_seq = ?').get(document, seq)!;
  checkEntry(row, pathOf(document, prepare));
  const repo = repoOf(document);
  const oldest = prepare<[number], { seq: number | null }>('SELECT min(seq) AS seq FROM snapshot WHERE repo = ?').get(
    repo,
  )?.seq;
  const isChanged = prepare<[number, number, number]>(
    'SELECT 1 FROM changed WHERE repo = ? AND seq = ? AND document = ?',
  );
  for (const at of [row.from_seq, row.to_seq]) {
    // The collector has forgotten those of the oldest snapshot.
    if (at === openEnd || at <= (oldest ?? at) || isChanged.get(repo, at, document) !== undefined) continue;
    throw new StoreError('corrupt', `publication ${at} does not know what it touched`);
  }
}

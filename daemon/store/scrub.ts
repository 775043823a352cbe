import { openForReading, translated } from './connection.ts';
import { factsOf, noneChecked, textOf } from './fact-table.ts';
import { hintsOf } from './hints.ts';
import { indexFile } from './index-file.ts';
import { checkLink, decodeBody, storedBody } from './link-table.ts';
import { hintTables, type LinkRow, type Prepare, preparer } from './rows.ts';
import { StoreError } from './store-faults.ts';

/** The last row that was compared. */
export type ScrubPlace =
  | { readonly table: 'fact'; readonly id: number }
  | { readonly table: 'link'; readonly document: number; readonly seq: number };

const beginning: ScrubPlace = { table: 'fact', id: -1 };

/**
 * Compares what stands in an index file after `place` with its digests until `isOver`: facts and texts, then the links of
 * each document and the hints that lead to them. Returns how far it came; undefined at the end. Throws `StoreError`,
 * `corrupt` where something does not hold.
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

function compare(from: ScrubPlace, isOver: () => boolean, prepare: Prepare): ScrubPlace | undefined {
  let place: ScrubPlace | undefined = from;
  do {
    place = following(place, prepare);
    if (place !== undefined) check(place, prepare);
  } while (place !== undefined && !isOver());
  return place;
}

/** Every place of a file whose row does not hold. Throws where SQLite itself can't read on. */
export function* damagedPlaces(prepare: Prepare): Iterable<ScrubPlace> {
  for (let place = following(beginning, prepare); place !== undefined; place = following(place, prepare)) {
    try {
      check(place, prepare);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      yield place;
    }
  }
}

function following(place: ScrubPlace, prepare: Prepare): ScrubPlace | undefined {
  if (place.table === 'fact') {
    const id = prepare<[number], { id: number }>('SELECT id FROM fact_body WHERE id > ? ORDER BY id LIMIT 1').get(
      place.id,
    )?.id;
    return id === undefined ? following({ table: 'link', document: -1, seq: -1 }, prepare) : { table: 'fact', id };
  }
  const row = prepare<[number, number], Pick<LinkRow, 'document' | 'from_seq'>>(
    'SELECT document, from_seq FROM link WHERE (document, from_seq) > (?, ?) ORDER BY document, from_seq LIMIT 1',
  ).get(place.document, place.seq);
  return row && { table: 'link', document: row.document, seq: row.from_seq };
}

function check(place: ScrubPlace, prepare: Prepare): void {
  if (place.table === 'fact') {
    factsOf(place.id, noneChecked(), prepare);
    textOf(place.id, noneChecked(), prepare);
    return;
  }
  const row = prepare<[number, number], LinkRow>('SELECT * FROM link WHERE document = ? AND from_seq = ?').get(
    place.document,
    place.seq,
  )!;
  const path = prepare<[number], { path: string }>('SELECT path FROM document WHERE id = ?').get(row.document)?.path;
  if (path === undefined) throw new StoreError('corrupt', 'a document without a path');
  const { digest, body } = storedBody(row.body, prepare);
  checkLink(row, path, digest, body, prepare);
  const hints = hintsOf(decodeBody(body, row.body));
  for (const table of hintTables) {
    const find = prepare<[number, number]>(`SELECT 1 FROM ${table} WHERE key = ? AND document = ?`);
    for (const key of hints[table]) {
      if (find.get(key, row.document) === undefined) throw new StoreError('corrupt', `a ${table} hint is missing`);
    }
  }
}

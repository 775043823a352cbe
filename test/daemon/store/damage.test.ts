import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { openIndexWriter } from '../../../daemon/store/index-db.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { holdsSoFar, type ScrubPlace, scrub } from '../../../daemon/store/scrub.ts';
import { isSealed, isSound } from '../../../daemon/store/seal.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { StoreError } from '../../../daemon/store/store-faults.ts';
import { withoutRights } from '../../support/without-rights.ts';
import { damages, indexAtRest, rightOrNone, wholeShare } from './damaged-answers.ts';

test('every damage to a file at rest is noticed before it is opened (P20)', t => {
  const { file, logOfBefore } = indexAtRest(t, 12);
  assert.ok(isSound(file));
  for (const what of damages(file, wholeShare, logOfBefore)) assert.equal(isSound(file), false, what);
  assert.ok(isSound(file));
});

test('a damaged file that nothing seals gives right answers or none, once it has been compared with its digests (P20)', t =>
  rightOrNone(t, { flips: 80, pages: 25, cuts: 25 }));

test('an unsealed file is sound while its tables and their indexes say the same', t => {
  const { file } = indexAtRest(t, 12);
  rmSync(`${file}.seal`);
  assert.ok(isSound(file));
  const database = new Database(file, { readonly: true });
  const { hash } = database.prepare<[], { hash: Buffer }>('SELECT hash FROM symbol ORDER BY id LIMIT 1').get()!;
  database.close();
  const damaged = readFileSync(file);
  const inTable = damaged.indexOf(hash);
  const inIndex = damaged.indexOf(hash, inTable + 1);
  assert.ok(inTable > 0 && inIndex > inTable);
  damaged[inIndex + 5]! ^= 1;
  writeFileSync(file, damaged);
  assert.equal(isSound(file), false, 'a symbol that can’t be found by its hash would be called unknown');
  writeFileSync(file, 'no database');
  assert.equal(isSound(file), false);
});

test('a folder in the place of a seal is none, and gives way to it', t => {
  const { file } = indexAtRest(t, 2);
  rmSync(`${file}.seal`);
  mkdirSync(`${file}.seal/x`, { recursive: true });
  assert.ok(isSound(file) && !isSealed(file));
  openIndexWriter(file).close();
  assert.ok(isSound(file) && isSealed(file));
});

test('a seal that can’t be read is none: the file is looked at as one without', t => {
  const { file } = indexAtRest(t, 2);
  chmodSync(dirname(file), 0o777);
  chmodSync(file, 0o666);
  chmodSync(`${file}.seal`, 0);
  withoutRights(() => {
    assert.ok(isSound(file) && !isSealed(file));
    writeFileSync(file, 'no database');
    assert.equal(isSound(file), false);
  });
});

test('counts that are no JSON are damage', t => {
  const { file } = indexAtRest(t, 2);
  const database = new Database(file);
  database.prepare("UPDATE snapshot SET counts = '{' || counts").run();
  database.close();
  const reader = openIndexReader(file);
  t.after(() => reader.close());
  assert.throws(
    () => reader.snapshot('r'),
    (error: unknown) => error instanceof StoreError && error.trouble === 'corrupt',
  );
});

/** Ways in which rows say what nobody stored, below the notice of SQLite. */
const damagedRows: Readonly<Record<string, string>> = {
  facts: 'UPDATE fact_body SET facts = zeroblob(length(facts)) WHERE id = (SELECT max(id) FROM fact_body)',
  text: 'UPDATE fact_body SET text = zeroblob(length(text)) WHERE id = (SELECT min(id) FROM fact_body)',
  'the body of links': 'UPDATE link_body SET body = zeroblob(length(body)) WHERE id = (SELECT max(id) FROM link_body)',
  'a row of links': 'UPDATE link SET is_test = 1 - is_test WHERE document = (SELECT max(document) FROM link)',
  'a path': "UPDATE document SET path = path || 'x' WHERE id = (SELECT max(document) FROM link)",
  'missing facts': 'DELETE FROM fact_body WHERE id = (SELECT min(id) FROM fact_body)',
  'missing links': 'DELETE FROM link_body WHERE id = (SELECT min(id) FROM link_body)',
  'where a symbol is defined': 'DELETE FROM definition WHERE key = (SELECT max(key) FROM definition)',
  'where a symbol is used': 'DELETE FROM post WHERE key = (SELECT max(key) FROM post)',
  'who bears a name': 'DELETE FROM bearer WHERE key = (SELECT min(key) FROM bearer)',
  'how often a name is left unsettled':
    'UPDATE candidate SET uses = uses + 1 WHERE key = (SELECT max(key) FROM candidate)',
  'what a document asked': 'DELETE FROM question WHERE key = (SELECT max(key) FROM question)',
  'why a file was passed over': "UPDATE entry SET skip = 'binary' WHERE document = (SELECT max(document) FROM link)",
  'where what a file defines belongs':
    "UPDATE entry SET scope = scope || 'x' WHERE document = (SELECT max(document) FROM link)",
  'the end of a line of the manifest': 'UPDATE entry SET to_seq = 2147483647 WHERE to_seq = 2',
  'what a snapshot counts': "UPDATE snapshot SET counts = replace(counts, '0', '1') WHERE seq = 2",
  'when a snapshot was': 'UPDATE snapshot SET seq = 3 WHERE seq = 2',
  'what a publication touched': 'DELETE FROM changed WHERE seq = 2',
};

test('rows are compared bit by bit to the end, and whatever does not hold is found', t => {
  const { file } = indexAtRest(t, 30);
  let slices = 0;
  for (let place: ScrubPlace | undefined; ; ) {
    place = scrub(file, place, () => true);
    slices++;
    if (place === undefined) break;
  }
  assert.ok(slices > 60, `${slices} slices: facts and links of thirty documents`);
  for (const [what, statement] of Object.entries(damagedRows)) {
    const copy = `${file}.copy`;
    copyFileSync(file, copy);
    const database = new Database(copy);
    assert.ok(database.prepare(statement).run().changes > 0, what);
    database.close();
    assert.throws(
      () => scrub(copy, undefined, () => false),
      (error: unknown) => error instanceof StoreError && error.trouble === 'corrupt',
      what,
    );
  }
});

test('what leads to rows is compared before the first answer where a killed daemon left the file (P20)', t => {
  const { file } = indexAtRest(t, 12);
  rmSync(`${file}.seal`);
  const database = new Database(file);
  database.prepare('DELETE FROM post WHERE key = (SELECT max(key) FROM post)').run();
  database.close();
  assert.ok(isSound(file), 'SQLite knows nothing of it');
  assert.equal(
    holdsSoFar(file, () => false),
    false,
  );
  assert.equal(
    holdsSoFar(file, () => true),
    true,
    'there was no time to come to it',
  );
});

/** Texts by which rows are looked up, and stand in a table and its index. */
const lookedUp: Readonly<Record<string, string>> = {
  name: 'SELECT CAST(text AS BLOB) AS bytes FROM name ORDER BY length(text) DESC LIMIT 1',
  symbol: 'SELECT hash AS bytes FROM symbol ORDER BY id LIMIT 1',
  fact: 'SELECT hash AS bytes FROM fact ORDER BY id LIMIT 1',
  document: 'SELECT CAST(path AS BLOB) AS bytes FROM document ORDER BY length(path) DESC LIMIT 1',
};

test('a row that its index does not lead to is found, whichever of the two is damaged', t => {
  const { file } = indexAtRest(t, 12);
  const database = new Database(file, { readonly: true });
  const whole = readFileSync(file);
  const copy = `${file}.copy`;
  for (const [table, statement] of Object.entries(lookedUp)) {
    const { bytes } = database.prepare<[], { bytes: Buffer }>(statement).get()!;
    const places = [whole.indexOf(bytes)];
    places.push(whole.indexOf(bytes, places[0]! + 1));
    assert.ok(places.every(at => at > 0));
    for (const at of places) {
      const damaged = Buffer.from(whole);
      damaged[at + 2]! ^= 1;
      writeFileSync(copy, damaged);
      assert.throws(
        () => scrub(copy, undefined, () => false),
        (error: unknown) => error instanceof StoreError && error.trouble === 'corrupt',
        `${table} at ${at}`,
      );
    }
  }
  database.close();
});

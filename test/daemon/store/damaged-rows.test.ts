import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { openIndexWriter } from '../../../daemon/store/index-db.ts';
import { isSealed } from '../../../daemon/store/seal.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { made, syntheticRepository } from '../../support/synthetic.ts';
import { everything, hashOf, indexUnderTest, isTrouble, library, minute, user } from './index-under-test.ts';

const index = indexUnderTest();
const { publish, reading } = index;

test('kept links that are damaged hold no more', () => {
  const { snapshotId } = publish([library]);
  publish([], ['src/lib.ts'], minute);
  const linked = index.writer.kept('r', snapshotId)!;
  const database = new Database(index.file);
  database.exec('UPDATE link_body SET body = zeroblob(length(body))');
  database.close();
  const entries = [made(library).entry];
  assert.throws(
    () => index.writer.publish('r', { entries, removed: [], linked, snapshotId, publishedAt: minute }),
    isTrouble('corrupt'),
  );
});
test('a flipped bit in what is stored of a document is found before it is an answer', () => {
  publish([library, user]);
  index.writer.close();
  const whole = readFileSync(index.file);
  const open = hashOf('src/lib.ts', 'open().');
  const truth = reading(reader =>
    JSON.stringify([reader.symbol('r', 1, open), reader.references('r', 1, open, everything)]),
  );
  const database = new Database(index.file);
  const blobs = database
    .prepare<[], { bytes: Buffer }>(
      'SELECT facts AS bytes FROM fact_body UNION ALL SELECT text FROM fact_body UNION ALL SELECT body FROM link_body',
    )
    .all();
  database.close();
  for (const { bytes } of blobs) {
    if (bytes.length < 12) continue;
    for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
      const damaged = Buffer.from(whole);
      damaged[damaged.indexOf(bytes) + at]! ^= 0x10;
      writeFileSync(index.file, damaged);
      const answer = (): string =>
        reading(reader => JSON.stringify([reader.symbol('r', 1, open), reader.references('r', 1, open, everything)]));
      try {
        assert.equal(answer(), truth);
      } catch (error) {
        assert.ok(isTrouble('corrupt')(error), String(error));
      }
    }
  }
  writeFileSync(index.file, whole);
  index.writer = openIndexWriter(index.file);
});

test('a name that is not the one that the facts have is no answer of a search', () => {
  publish([library]);
  index.writer.close();
  const database = new Database(index.file);
  database.exec(`UPDATE name SET text = 'opem' WHERE text = 'open'`);
  database.close();
  reading(reader => {
    const catalogue = reader.catalogue('r', 1)!;
    const name = catalogue.names.indexOf('opem');
    const definition = catalogue.order[catalogue.starts[name]!]!;
    assert.throws(() => reader.rows(catalogue, [{ definition, name: 'opem' }]), isTrouble('corrupt'));
  });
  index.writer = openIndexWriter(index.file);
});

test('a file in which damage was met is not sealed: nobody vouches for the rest of it', () => {
  publish([library]);
  index.writer.close();
  assert.ok(isSealed(index.file));
  const database = new Database(index.file);
  database.exec('UPDATE fact_body SET facts = zeroblob(length(facts))');
  database.close();
  index.writer = openIndexWriter(index.file);
  assert.throws(() => index.writer.facts(made(library).linked.key), isTrouble('corrupt'));
  index.writer.close();
  assert.ok(!isSealed(index.file));
});

test('a manifest that SQLite can’t read on is damage', () => {
  publish([...syntheticRepository(200, 2, 2)]);
  index.writer.close();
  const database = new Database(index.file);
  const { root } = database
    .prepare<[], { root: number }>(`SELECT rootpage AS root FROM sqlite_schema WHERE name = 'entry'`)
    .get()!;
  database.close();
  const damaged = readFileSync(index.file);
  writeFileSync(index.file, damaged.fill(0x5a, (root - 1) * 4096, root * 4096));
  index.writer = openIndexWriter(index.file);
  assert.throws(() => [...index.writer.manifest('r')], isTrouble('corrupt'));
});

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openIndexWriter } from '../../../daemon/store/index-db.ts';
import { formats, schemaVersionOf } from '../../../daemon/store/index-file.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { isSealed } from '../../../daemon/store/seal.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import type { StoreTrouble } from '../../../daemon/store/store-faults.ts';
import { syntheticRepository } from '../../support/synthetic.ts';
import { withoutRights } from '../../support/without-rights.ts';
import { hashOf, indexUnderTest, isTrouble, library, user } from './index-under-test.ts';

const index = indexUnderTest();
const { publish } = index;

test('an index in a folder that keeps us out, or in one that is gone, is unreadable, and named', () => {
  index.writer.close();
  const folder = dirname(index.file);
  chmodSync(folder, 0o600);
  const refused = { name: 'StoreError', trouble: 'unreadable' };
  withoutRights(() => assert.throws(() => openIndexWriter(index.file), { ...refused, file: index.file }));
  const gone = join(folder, 'gone');
  assert.throws(() => openIndexWriter(join(gone, 'index.db')), { ...refused, file: gone });
});

const foreign: Readonly<Record<string, readonly [StoreTrouble, (path: string) => void]>> = {
  'a text file': ['corrupt', path => writeFileSync(path, 'no database\n'.repeat(500))],
  'a broken header': [
    'corrupt',
    path => writeFileSync(path, Buffer.concat([Buffer.from('garbage!'), readFileSync(path).subarray(8)])),
  ],
  'a cut file': ['corrupt', path => truncateSync(path, 5000)],
  'a directory': [
    'unreadable',
    path => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
  'a newer schema': [
    'newerSchema',
    path => {
      const database = new Database(path);
      database.pragma('user_version = 9999');
      database.close();
    },
  ],
  'another program’s database': [
    'corrupt',
    path => {
      const database = new Database(path);
      database.pragma('application_id = 7');
      database.close();
    },
  ],
};
for (const [label, [trouble, damage]] of Object.entries(foreign)) {
  test(`${label} in the index file's place is ${trouble}, and is left as it is`, () => {
    publish([library, user]);
    index.writer.close();
    damage(index.file);
    const before = statSync(index.file).isFile() ? readFileSync(index.file) : undefined;
    assert.throws(() => openIndexWriter(index.file).manifest('r').next(), isTrouble(trouble));
    if (trouble === 'newerSchema') assert.ok(isSealed(index.file), 'whoever wrote it finds it as it was');
    assert.throws(() => {
      const reader = openIndexReader(index.file);
      reader.symbol('r', 1, hashOf('src/lib.ts', 'open().'));
    }, isTrouble(trouble));
    if (before !== undefined) assert.ok(readFileSync(index.file).equals(before));
    rmSync(index.file, { recursive: true });
    index.writer = openIndexWriter(index.file);
  });
}

for (const part of Object.keys(formats) as (keyof typeof formats)[]) {
  test(`a file whose ${part} are of an older format is known by its version, and not read`, () => {
    const older = schemaVersionOf({ ...formats, [part]: formats[part] - 1 });
    publish([library, user]);
    index.writer.close();
    const database = new Database(index.file);
    assert.equal(database.pragma('user_version', { simple: true }), schemaVersionOf(formats));
    database.pragma(`user_version = ${older}`);
    database.close();
    const isOfOlder = { name: 'StoreError', trouble: 'corrupt', message: /older version|no schema of this version/ };
    assert.throws(() => openIndexWriter(index.file), isOfOlder);
    assert.throws(() => openIndexReader(index.file), isOfOlder);
    rmSync(index.file);
    index.writer = openIndexWriter(index.file);
  });
}

test('the file and its log are for their owner alone', () => {
  publish([library]);
  assert.deepEqual([statSync(index.file).mode & 0o777, statSync(`${index.file}-wal`).mode & 0o777], [0o600, 0o600]);
});

test('the log is moved into the file when asked', () => {
  publish([...syntheticRepository(20, 10, 100)]);
  assert.ok(statSync(`${index.file}-wal`).size > 100_000);
  index.writer.checkpoint();
  assert.ok(statSync(index.file).size > 100_000);
});

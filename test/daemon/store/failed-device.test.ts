import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { openDaemonFile } from '../../../daemon/store/daemon-file.ts';
import { openIndexWriter } from '../../../daemon/store/index-db.ts';
import type { FactRow } from '../../../daemon/store/publication.ts';
import { isSealed } from '../../../daemon/store/seal.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { made } from '../../support/synthetic.ts';
import { indexUnderTest, isTrouble, library, user } from './index-under-test.ts';

const index = indexUnderTest();

/** What SQLite says when the device fails in the midst of a transaction. */
function failed(): never {
  throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
}

test('after a failed sync nothing is written to an index until it is opened anew, and reads go on (P22)', () => {
  index.publish([library]);
  const failing: Iterable<FactRow> = { [Symbol.iterator]: failed };
  assert.throws(() => index.writer.putFacts(failing), isTrouble('ioError'));
  for (let attempt = 0; attempt < 2; attempt++)
    assert.throws(
      () => index.writer.putFacts([made(user).fact]),
      isTrouble('ioError'),
      'it may not be what SQLite believes',
    );
  assert.deepEqual(index.writer.missingFacts([made(user).linked.key]), [made(user).linked.key]);
  index.reading(reader => assert.equal(reader.snapshot('r')?.seq, 1));
  index.writer.close();
  assert.ok(!isSealed(index.file), 'nobody vouches for it');
  index.writer = openIndexWriter(index.file);
  assert.equal(index.publish([library, user]).seq, 2);
});

test('after a failed sync daemon.db is verified before it is written to again (P22)', t => {
  const file = temporaryFolder(t).path('daemon.db');
  const sql = openDaemonFile(file, 0);
  t.after(() => sql.close());
  const set = (value: string) =>
    sql.run(`INSERT INTO setting VALUES ('a', ?) ON CONFLICT DO UPDATE SET value = excluded.value`, value);
  set('one');
  assert.throws(() => sql.together(failed), isTrouble('ioError'));
  assert.equal(sql.trouble(), 'ioError');
  const log = readFileSync(`${file}-wal`);
  // In place, as a failing device does: past the header, which tells whose it is.
  writeFileSync(`${file}-wal`, Buffer.from(log).fill(0x5a, 32));
  for (let attempt = 0; attempt < 2; attempt++)
    assert.throws(() => set('two'), isTrouble('corrupt'), 'what the device has is looked at');
  writeFileSync(`${file}-wal`, log);
  set('three');
  assert.equal(sql.trouble(), undefined);
  assert.deepEqual(sql.all('SELECT value FROM setting'), [{ value: 'three' }]);
});

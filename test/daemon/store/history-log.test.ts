import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { openHistoryReader } from '../../../daemon/store/history/history-reader.ts';
import { openHistoryWriter } from '../../../daemon/store/history/history-writer.ts';
import { temporaryFolder } from '../../support/repository.ts';

test('a history that is closed is all in its file, whoever reads it still (P7)', t => {
  const file = temporaryFolder(t).path('history.db');
  const writer = openHistoryWriter(file);
  const reader = openHistoryReader(file);
  t.after(() => reader.close());
  assert.equal(reader.head('main'), undefined);
  writer.setHead('main', { hash: 'ab'.repeat(20), boundary: '', commits: 0 }, new Map());
  assert.ok(statSync(`${file}-wal`).size > 0);
  writer.close();
  assert.equal(statSync(`${file}-wal`).size, 0);
  assert.equal(reader.head('main')?.commits, 0);
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { callsAt } from '../../../daemon/operations/telemetry/calls-asked.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import { Database } from '../../../daemon/store/sqlite.ts';

test('damage of what is known of calls is not taken for damage of an index', t => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-calls-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const told = (error: unknown) =>
    error instanceof Fault && error.reason === 'storageFailed' && error.extras.details?.['reason'] === 'calls_corrupt';
  const garbage = join(folder, 'garbage.db');
  writeFileSync(garbage, 'x'.repeat(10_000));
  assert.throws(() => callsAt(garbage), told);
  const file = join(folder, 'daemon.db');
  openDaemonDatabase(file).close();
  const reader = callsAt(file);
  assert.deepEqual(reader.services(), []);
  const raw = new Database(file);
  raw.exec('DROP TABLE call_service');
  raw.close();
  assert.throws(() => reader.services(), told);
});

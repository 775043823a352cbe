import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noEvidence } from '../../../daemon/jobs/aliases/rename-evidence.ts';
import type { Published } from '../../../daemon/jobs/engine.ts';
import { openHistory } from '../../../daemon/server/history.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import type { StoredSnapshot } from '../../../daemon/store/publication.ts';
import { temporaryFolder } from '../../support/repository.ts';

test('what a large switch of branches moved leads back when the next one moves it back', async t => {
  const database = openDaemonDatabase(temporaryFolder(t).path('daemon.db'));
  t.after(() => database.close());
  const history = openHistory(database);
  const publish = (seq: number, from: string, to: string) => {
    const snapshot = { seq, snapshotId: `s${seq}`, evidenceId: '', publishedAt: seq } as StoredSnapshot;
    const published = { gone: [from], moved: new Map([[from, to]]), evidence: noEvidence } as unknown as Published;
    return history.record('u1', { snapshot, epoch: 'e' }, published);
  };
  await publish(1, 'old', 'new');
  assert.equal(database.tombstone('u1', 'old')?.replacedBy, 'new');
  await publish(2, 'new', 'old');
  assert.equal(database.tombstone('u1', 'new')?.replacedBy, 'old');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noEvidence } from '../../../daemon/jobs/aliases/rename-evidence.ts';
import type { Published } from '../../../daemon/jobs/engine.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';
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

test('documents are told where a large move took what they name', async t => {
  const database = openDaemonDatabase(temporaryFolder(t).path('daemon.db'));
  t.after(() => database.close());
  const name = (hash: string) => ({
    ...{
      hash,
      name: hash,
      tail: `${hash}().`,
      kind: 'function' as const,
      path: 'src/a.ts' as RepoPath,
      exported: true,
    },
  });
  const published = {
    ...{ gone: ['old', 'dropped'], moved: new Map([['old', 'new']]) },
    evidence: { ...noEvidence, names: [name('old'), name('dropped')] },
  } as unknown as Published;
  const snapshot = { seq: 1, snapshotId: 's1', evidenceId: '', publishedAt: 1 } as StoredSnapshot;
  await openHistory(database).record('u1', { snapshot, epoch: 'e' }, published);
  assert.deepEqual(
    database.goneDefinitions('u1').map(row => [row.hash, row.replacedBy]),
    [
      ['dropped', undefined],
      ['old', 'new'],
    ],
  );
});

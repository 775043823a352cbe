import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unhurried } from '../../../daemon/clock.ts';
import { noEvidence } from '../../../daemon/jobs/aliases/rename-evidence.ts';
import type { Published } from '../../../daemon/jobs/engine.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';
import { openHistory } from '../../../daemon/server/history.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import type { StoredSnapshot } from '../../../daemon/store/publication.ts';
import { fakeClock } from '../../support/fake-clock.ts';
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

test('what went is known for ninety days that have passed, whatever the clock is set to (P18)', async t => {
  const database = openDaemonDatabase(temporaryFolder(t).path('daemon.db'));
  t.after(() => database.close());
  const clock = fakeClock();
  const history = openHistory(database, unhurried(clock));
  const publish = (seq: number, gone: string) => {
    const publishedAt = clock.now().getTime();
    const snapshot = { seq, snapshotId: `s${seq}`, evidenceId: '', publishedAt } as StoredSnapshot;
    const published = { gone: [gone], moved: new Map(), evidence: noEvidence } as unknown as Published;
    return history.record('u1', { snapshot, epoch: 'e' }, published);
  };
  const dayMs = 86_400_000;
  await publish(1, 'first');
  clock.set(3650 * dayMs);
  await publish(2, 'second');
  clock.set(-2 * 3650 * dayMs);
  await publish(3, 'third');
  assert.ok(['first', 'second', 'third'].every(hash => database.tombstone('u1', hash) !== undefined));
  clock.set(3650 * dayMs);
  await clock.advance(91 * dayMs);
  await publish(4, 'fourth');
  assert.equal(database.tombstone('u1', 'first'), undefined);
});

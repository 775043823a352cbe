import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepCopy } from '../../../daemon/server/keep-copy.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/repository.ts';

const change = { kind: 'repository.changed', repo: 'app', change: 'added' } as const;

test('a copy is made soon after a change, at most every three minutes, at the end if one is due, and never for nothing', async context => {
  const { root } = temporaryFolder(context, '-- daemon.db.backup --\n');
  const clock = fakeClock();
  const copiedAt: number[] = [];
  const database = { file: `${root}/daemon.db`, backup: () => void copiedAt.push(clock.monotonicMs() / 1000) };
  const copy = keepCopy({ database, clock, observe: () => {} });
  await clock.advance(3_600_000);
  assert.deepEqual(copiedAt, []);
  const start = clock.monotonicMs() / 1000;
  for (let times = 0; times < 5; times++) copy.observe(change);
  copy.observe({ kind: 'search.answered', repo: 'app', type: 'names' });
  await clock.advance(10_000);
  copy.observe(change);
  await clock.advance(600_000);
  assert.deepEqual(
    copiedAt.map(at => at - start),
    [2, 182],
  );
  copy.observe(change);
  copy.close();
  assert.equal(copiedAt.length, 3);
  copy.observe(change);
  copy.close();
  await clock.advance(600_000);
  assert.equal(copiedAt.length, 3);
});

test('a copy that cannot be made is told, and the next is tried', async context => {
  const { root } = temporaryFolder(context);
  const clock = fakeClock();
  const told: string[] = [];
  const database = {
    file: `${root}/daemon.db`,
    backup: () => {
      throw new Error('disk full');
    },
  };
  const copy = keepCopy({ database, clock, observe: ({ kind }) => void told.push(kind) });
  await clock.advance(5000);
  assert.deepEqual(told, ['daemon.fault'], 'where there is no copy yet, one is made');
  copy.observe(change);
  await clock.advance(200_000);
  assert.equal(told.length, 2);
});

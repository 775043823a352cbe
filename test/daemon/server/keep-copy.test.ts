import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { copyInThread, keepCopy } from '../../../daemon/server/keep-copy.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/repository.ts';

const change = { kind: 'repository.changed', repo: 'app', change: 'added' } as const;

test('a copy is made soon after a change, at most every three minutes, at the end if one is due, and never for nothing', async context => {
  const { root } = temporaryFolder(context, '-- daemon.db.backup --\n');
  const clock = fakeClock();
  const copiedAt: number[] = [];
  const note = (): void => void copiedAt.push(clock.monotonicMs() / 1000);
  const database = { file: `${root}/daemon.db`, backup: note };
  const copy = keepCopy({ database, copyAside: async () => note(), clock, observe: () => {} });
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
  await copy.close();
  assert.equal(copiedAt.length, 3);
  copy.observe(change);
  await copy.close();
  await clock.advance(600_000);
  assert.equal(copiedAt.length, 3);
});

test('what is counted again and again is copied once an hour, and with what changes before', async context => {
  const { root } = temporaryFolder(context, '-- daemon.db.backup --\n');
  const clock = fakeClock();
  const copiedAt: number[] = [];
  const note = async (): Promise<void> => void copiedAt.push(clock.monotonicMs() / 60_000);
  const database = { file: `${root}/daemon.db`, backup: () => {} };
  const copy = keepCopy({ database, copyAside: note, clock, observe: () => {} });
  const start = clock.monotonicMs() / 60_000;
  for (let minute = 0; minute < 150; minute++) {
    copy.counted();
    if (minute === 90) copy.observe(change);
    await clock.advance(60_000);
  }
  assert.deepEqual(
    copiedAt.map(at => Math.floor(at - start)),
    [0, 60, 90],
  );
  await copy.close();
});

test('a copy that cannot be made is told, and tried again until it is, with nothing changed', async context => {
  const { root } = temporaryFolder(context);
  const clock = fakeClock();
  const told: string[] = [];
  let isFull = true;
  const database = {
    file: `${root}/daemon.db`,
    backup: () => {
      if (isFull) throw new Error('disk full');
    },
  };
  const copyAside = async (): Promise<void> => database.backup();
  const copy = keepCopy({ database, copyAside, clock, observe: ({ kind }) => void told.push(kind) });
  await clock.advance(5000);
  assert.deepEqual(told, ['daemon.fault'], 'where there is no copy yet, one is made');
  assert.equal(copy.isFailing(), true);
  await clock.advance(200_000);
  assert.deepEqual([told.length, copy.isFailing()], [2, true]);
  isFull = false;
  await clock.advance(200_000);
  assert.deepEqual([told.length, copy.isFailing()], [2, false]);
});

test('the end waits for a copy that is being made', async context => {
  const { root } = temporaryFolder(context, '-- daemon.db.backup --\n');
  const clock = fakeClock();
  const seen: string[] = [];
  let finish = (): void => {};
  const copyAside = async (): Promise<void> => {
    await new Promise<void>(resolve => {
      finish = resolve;
    });
    seen.push('copied');
  };
  const database = { file: `${root}/daemon.db`, backup: () => void seen.push('copied at the end') };
  const copy = keepCopy({ database, copyAside, clock, observe: () => {} });
  copy.observe(change);
  await clock.advance(10_000);
  const closed = copy.close().then(() => seen.push('closed'));
  finish();
  await closed;
  assert.deepEqual(seen, ['copied', 'closed']);
});

test('a thread copies what is in the database, and tells why it can’t', async context => {
  const { root } = temporaryFolder(context);
  const file = `${root}/daemon.db`;
  const database = openDaemonDatabase(file);
  const secret = database.secret('a', randomBytes);
  await copyInThread(file);
  database.close();
  const copied = openDaemonDatabase(`${file}.backup`);
  assert.equal(copied.secret('a', randomBytes), secret);
  copied.close();
  assert.deepEqual(
    readdirSync(root).filter(name => name.includes('aside')),
    [],
  );
  await assert.rejects(copyInThread(`${root}/none/daemon.db`));
});

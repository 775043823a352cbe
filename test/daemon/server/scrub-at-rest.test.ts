import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { KeptRepository } from '../../../daemon/server/repositories.ts';
import { scrubAtRest } from '../../../daemon/server/scrub-at-rest.ts';
import { openIndexWriter } from '../../../daemon/store/index-db.ts';
import { linkBatch } from '../../../daemon/store/link-batch.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { syntheticRepository } from '../../support/synthetic.ts';

test('a file whose writer died is compared in a hurry to its end, also where it must be mended on the way', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-scrub-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const indexFile = join(folder, 'index.db');
  const writer = openIndexWriter(indexFile);
  const all = [...syntheticRepository(3, 2, 2)];
  const published = writer.publish('r', {
    facts: all.map(({ fact }) => fact),
    entries: all.map(({ entry }) => entry),
    removed: [],
    linked: [linkBatch(all.map(({ linked }) => linked))],
    snapshotId: 'sha256:1',
    publishedAt: 1,
  });
  writer.close();
  rmSync(`${indexFile}.seal`);
  const database = new Database(indexFile);
  t.after(() => database.close());
  const breakRow = database.prepare("UPDATE snapshot SET evidence = 'x'");
  breakRow.run();

  const repository = { record: { id: 'app', indexFile }, snapshot: published } as unknown as KeptRepository;
  const clock = fakeClock();
  const damaged: string[] = [];
  const end = scrubAtRest({
    repositories: { list: () => [repository] },
    clock,
    isAtRest: () => true,
    damagedAt: (repo, error) => {
      damaged.push(`${repo}: ${error.message}`);
      repository.snapshot = undefined;
    },
    observe: () => {},
  });
  t.after(end);
  await clock.advance(1000);
  assert.deepEqual(damaged, ['app: snapshot 1 is damaged']);
  assert.equal(repository.verified?.at, undefined);
  // While it is made anew nothing can be read.
  await clock.advance(10_000);
  database.exec("UPDATE snapshot SET evidence = ''");
  repository.snapshot = published;
  await clock.advance(300);
  assert.ok(repository.verified?.at !== undefined, 'it is gone on with at once');
  assert.equal(damaged.length, 1);
});

test('a file that can’t be read now keeps no other from being compared, and is no damage', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-scrub-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const indexFile = join(folder, 'index.db');
  openIndexWriter(indexFile).close();
  const kept = (file: string) => ({ record: { id: file, indexFile: file }, snapshot: {} }) as unknown as KeptRepository;
  const [closed, open] = [kept(folder), kept(indexFile)];
  const told: string[] = [];
  const clock = fakeClock();
  t.after(
    scrubAtRest({
      repositories: { list: () => [closed, open] },
      clock,
      isAtRest: () => true,
      damagedAt: (_, { trouble }) => told.push(trouble),
      observe: () => {},
    }),
  );
  await clock.advance(20_000);
  assert.deepEqual([told, closed.verified], [['unreadable'], undefined]);
  assert.ok(open.verified?.at !== undefined);
});

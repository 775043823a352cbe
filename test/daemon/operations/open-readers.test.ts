import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openReaders } from '../../../daemon/operations/readers/open-readers.ts';
import { openIndexWriter } from '../../../daemon/store/index-db.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { type Cleanup, temporaryFolder } from '../../support/repository.ts';

function indexFiles(context: Cleanup, count: number): readonly string[] {
  const { root } = temporaryFolder(context);
  return Array.from({ length: count }, (_, at) => {
    const file = join(root, `${at}.db`);
    openIndexWriter(file).close();
    return file;
  });
}

test('a connection stays while it is used and is closed once it is not', async context => {
  const [used = '', left = ''] = indexFiles(context, 2);
  const clock = fakeClock();
  const readers = openReaders({ cacheBytes: 1024, clock }, reader => reader);
  context.after(readers.close);
  const [first, other] = [readers.of(used), readers.of(left)];
  for (let minute = 0; minute < 3; minute++) {
    await clock.advance(29_000);
    assert.equal(readers.of(used), first);
    await clock.advance(29_000);
    assert.equal(readers.of(used), first);
  }
  assert.deepEqual([readers.has(used), readers.has(left)], [true, false]);
  assert.throws(() => other.snapshot('main'));
  await clock.advance(60_000);
  assert.equal(readers.has(used), false);
  assert.equal(readers.of(left).snapshot('main'), undefined, 'opened anew');
});

test('of many files the one that was used longest ago is closed', context => {
  const files = indexFiles(context, 9);
  const readers = openReaders({ cacheBytes: 1024, clock: fakeClock() }, reader => reader);
  context.after(readers.close);
  for (const file of files.slice(0, 8)) readers.of(file);
  readers.of(files[0]!);
  readers.of(files[8]!);
  assert.deepEqual(
    files.map(file => readers.has(file)),
    [true, false, true, true, true, true, true, true, true],
  );
});

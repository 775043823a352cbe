import assert from 'node:assert/strict';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rememberedTracked } from '../../../daemon/backends/tracked-memory.ts';
import { temporaryFolder } from '../../support/repository.ts';

const entry = (path: string) => ({ path, mode: '100644', hash: '' });

test('what an index holds is listed once for as long as its file stays, and is not remembered of a fresh one', async t => {
  const { root } = temporaryFolder(t, '\n-- index --\none\n');
  const file = join(root, 'index');
  const writtenAt = 1_700_000_000;
  utimesSync(file, writtenAt, writtenAt);
  let nowMs = (writtenAt + 60) * 1000;
  let listed = 0;
  const tracked = rememberedTracked(
    async () => [entry(`${++listed}`)],
    () => nowMs,
  );
  const repository = { workTree: root, gitDir: root, commonDir: root, kind: 'main' } as const;
  const told = async () => (await tracked(repository)).map(({ path }) => path).join();
  assert.deepEqual([await told(), await told()], ['1', '1']);
  writeFileSync(file, 'two\n');
  utimesSync(file, writtenAt + 60, writtenAt + 60);
  assert.deepEqual([await told(), await told()], ['2', '3'], 'written less than a second ago');
  nowMs += 2_000;
  assert.deepEqual([await told(), await told()], ['4', '4']);
});

test('what fails is asked again, and so is a repository without an index', async t => {
  const { root } = temporaryFolder(t, '\n-- a --\n');
  let asked = 0;
  const tracked = rememberedTracked(async () => {
    if (asked++ === 0) throw new Error('no git');
    return [];
  });
  const repository = { workTree: root, gitDir: root, commonDir: root, kind: 'main' } as const;
  await assert.rejects(tracked(repository), /no git/);
  await tracked(repository);
  await tracked(repository);
  assert.equal(asked, 3);
});

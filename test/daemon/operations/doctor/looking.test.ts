import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { test } from 'node:test';
import { found } from '../../../../daemon/operations/doctor/looking.ts';
import { storeError } from '../../../../daemon/store/connection.ts';
import { temporaryFolder } from '../../../support/repository.ts';

test('a file that the way to it keeps from being looked at is told by its path, why, and what to do', async t => {
  const { path, write } = temporaryFolder(t);
  mkdirSync(path('folder'));
  symlinkSync('loop', path('folder/loop'));
  write('file', '');
  const ways: readonly (readonly [file: string, code: string, remedy: RegExp])[] = [
    ['folder/loop/x', 'ELOOP', /leads back to itself, .*\. Mend or remove it\.$/],
    ['x'.repeat(300), 'ENAMETOOLONG', /longer name than there can be, .*\. Mend or remove it\.$/],
    ['file/x', 'ENOTDIR', /\. A folder above it is a file\. Move that away\.$/],
  ];
  for (const [file, code, remedy] of ways) {
    for (const asStored of [false, true]) {
      const look = () => {
        try {
          lstatSync(path(file));
        } catch (error) {
          throw asStored ? storeError(error) : error;
        }
        throw new Error('it is there');
      };
      const [finding, ...more] = await found('a', look);
      assert.deepEqual([more, finding?.check, finding?.status, finding?.fixes], [[], 'a', 'fail', undefined]);
      assert.ok(finding?.message.startsWith(`can’t be looked at: ${path(file)} (${code}). `), finding?.message);
      assert.match(finding!.message, remedy);
    }
  }
});

test('what else keeps a check from looking is told in public words, with a command', async () => {
  const [finding] = await found('a', () => {
    throw Object.assign(new Error(), { code: 'SQLITE_CORRUPT' });
  });
  assert.equal(finding?.message, 'can’t be looked at: what is stored is damaged');
  assert.deepEqual(
    finding.fixes?.map(({ command }) => command),
    ['svc daemon logs'],
  );
});

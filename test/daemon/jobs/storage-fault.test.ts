import assert from 'node:assert/strict';
import { chmodSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Fault } from '../../../client/protocol/faults.ts';
import { publicError } from '../../../daemon/jobs/job-faults.ts';
import { failWriting, notWrittenWords } from '../../../daemon/jobs/storage-fault.ts';
import { StoreError } from '../../../daemon/store/store-faults.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { withoutRights } from '../../support/without-rights.ts';

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test('what keeps us out of a folder of ours is storage, and of somebody’s source is not', t => {
  const { root, path, write } = temporaryFolder(t);
  chmodSync(root, 0o755);
  for (const file of ['shadow/config', 'shadow-not/a.ts']) {
    write(file, '');
    chmodSync(path(file), 0);
  }
  const failure = (file: string) => {
    const error = thrownBy(() => withoutRights(() => readFileSync(path(file))));
    return { error, told: thrownBy(() => failWriting(error, [path('shadow')])) };
  };
  const told = failure('shadow/config').told as Fault;
  assert.deepEqual(
    [told.reason, told.extras.details],
    ['storageFailed', { reason: 'unreadable', file: path('shadow/config') }],
  );
  assert.ok(notWrittenWords(told).startsWith(`${told.message}: ${path('shadow/config')}; let yourself `));
  const { error, told: other } = failure('shadow-not/a.ts');
  assert.equal(other, error);
});

test('a full disk is told of as before, and of no file', () => {
  const full = thrownBy(() => failWriting(new StoreError('diskFull', 'x', undefined, '/index.db'))) as Fault;
  assert.deepEqual(full.extras.details, { reason: 'disk_full' });
  assert.equal(notWrittenWords(full), 'The index could not be written: the disk is full');
});

test('what keeps a job from writing beside the index is told as for the index itself, and nothing unexpected is', () => {
  const error = Object.assign(new Error('EROFS: open /x'), { code: 'EROFS', path: '/x' });
  assert.deepEqual(publicError(error), {
    code: 'BACKEND_UNAVAILABLE',
    message: 'The index could not be written: the file can’t be opened, or its folder not be written',
    reason: 'unreadable',
  });
  assert.equal(publicError(new Error('/x')).message, 'The job failed; the log has the cause');
});

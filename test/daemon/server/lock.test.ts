import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { takeLeaderLock } from '../../../daemon/server/lock.ts';
import { type Cleanup, temporaryFolder } from '../../support/repository.ts';

const lockModule = new URL('../../../daemon/server/lock.js', import.meta.url).href;

/** Whether a process of its own gets the lock, which it keeps or dies with. */
function isFree(file: string): boolean {
  const script = `import { takeLeaderLock } from '${lockModule}'; console.log(takeLeaderLock('${file}', 0) !== undefined);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  assert.equal(status, 0, String(stderr));
  return String(stdout) === 'true\n';
}

function lockIn(t: Cleanup) {
  const file = temporaryFolder(t).path('lock.db');
  const lock = takeLeaderLock(file, 0)!;
  t.after(() => lock.release());
  return { file, lock };
}

test('the lock is one process’s until that lets go, and ends with whoever died holding it (P1)', t => {
  const { file, lock } = lockIn(t);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual([lock.isHeld(), isFree(file)], [true, false]);
  lock.release();
  assert.equal(isFree(file), true);
  // The process that answered has gone without letting go.
  assert.equal(isFree(file), true);
});

test('a lock whose file is gone is not held any more, nor one whose name another file bears (P1)', t => {
  const { file, lock } = lockIn(t);
  rmSync(file);
  assert.equal(lock.isHeld(), false);
  assert.equal(isFree(file), true);
  assert.deepEqual([lock.isHeld(), statSync(file).isFile()], [false, true]);
});

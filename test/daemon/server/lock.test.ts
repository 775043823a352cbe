import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { takeLeaderLock } from '../../../daemon/server/lock.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { type Cleanup, temporaryFolder } from '../../support/repository.ts';
import { withoutRights } from '../../support/without-rights.ts';

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

const noLocks: readonly { readonly what: string; readonly words: RegExp; readonly make: (file: string) => void }[] = [
  { what: 'garbage', words: /is damaged; .*: rm \//, make: file => writeFileSync(file, 'garbage\n') },
  { what: 'a page of zeroes', words: /is damaged; .*: rm \//, make: file => writeFileSync(file, Buffer.alloc(4096)) },
  {
    what: 'a database',
    words: /is damaged; .*: rm \//,
    make: file => new Database(file).exec('CREATE TABLE a (b)').close(),
  },
  { what: 'a folder', words: /is not a file; .*: rm -r \//, make: file => mkdirSync(file) },
  { what: 'a pipe', words: /is not a file; .*: rm \//, make: file => execFileSync('mkfifo', [file]) },
  { what: 'a link', words: /is not a file; .*: rm \//, make: file => symlinkSync(`${file}.elsewhere`, file) },
];
for (const { what, words, make } of noLocks) {
  test(`${what} in the place of the lock is refused, and left alone, until it is removed as the refusal says (P1)`, t => {
    const folder = temporaryFolder(t);
    const file = folder.path('lock.db');
    make(file);
    let told = '';
    assert.throws(
      () => takeLeaderLock(file, 0),
      (error: Error) => {
        told = error.message;
        return (
          'reason' in error && error.reason === 'misconfigured' && words.test(told) && told.startsWith(`${file} is `)
        );
      },
    );
    assert.equal(existsSync(folder.path('lock.db.elsewhere')), false);
    execFileSync('sh', ['-c', told.slice(told.lastIndexOf(': ') + 2)]);
    const lock = takeLeaderLock(file, 0)!;
    assert.deepEqual([lock.isHeld(), lock.isWhole()], [true, true]);
    lock.release();
  });
}

test('a lock that its owner may not open, or not write, is named with what lets him (P1)', t => {
  const folder = temporaryFolder(t);
  chmodSync(folder.root, 0o777);
  const file = folder.path('lock.db');
  takeLeaderLock(file, 0)!.release();
  for (const mode of [0, 0o444]) {
    writeFileSync(file, '');
    chmodSync(file, mode);
    const message = `${file} can’t be opened by you; let yourself: chmod 600 ${file}`;
    withoutRights(() => assert.throws(() => takeLeaderLock(file, 0), { reason: 'misconfigured', message }));
    chmodSync(file, 0o600);
    assert.equal(isFree(file), true);
  }
});

test('a lock that somebody writes into is held as before, and says so until it is emptied (P1, P54)', t => {
  const { file, lock } = lockIn(t);
  // By another process: this one would let go of the lock.
  execFileSync('sh', ['-c', `echo garbage > '${file}'`]);
  assert.deepEqual([lock.isHeld(), lock.isWhole(), isFree(file)], [true, false, false]);
  execFileSync('sh', ['-c', `: > '${file}'`]);
  assert.deepEqual([lock.isHeld(), lock.isWhole(), isFree(file)], [true, true, false]);
});

test('a lock whose folder keeps its holder out is held: nobody else takes it there (P1)', t => {
  const folder = temporaryFolder(t);
  const lock = takeLeaderLock(folder.path('lock.db'), 0)!;
  t.after(() => lock.release());
  chmodSync(folder.root, 0o600);
  withoutRights(() => {
    assert.equal(lock.isHeld(), true);
    assert.throws(() => lock.isWhole(), { code: 'EACCES' });
  });
});

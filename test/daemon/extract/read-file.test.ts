import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs, {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { contentHash, readRepositoryFile } from '../../../daemon/extract/read-file.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';
import { temporaryFolder } from '../../support/repository.ts';

const read = (root: string, path: string) => readRepositoryFile(root, path as RepoPath);

test('a regular file is read whole and hashed', t => {
  const { root } = temporaryFolder(t, '-- a/b.ts --\nconst x = 1;\n');
  const got = read(root, 'a/b.ts');
  assert.equal(got.kind, 'text');
  assert.equal(got.kind === 'text' && Buffer.from(got.bytes).toString(), 'const x = 1;\n');
  assert.equal(got.kind === 'text' && got.hash, contentHash(Buffer.from('const x = 1;\n')));
});

test('what is no text of ours is told by reason, without waiting and without reading', async t => {
  const { root, path, write } = temporaryFolder(t, '-- real/secret.ts --\nsecret\n');
  execFileSync('mkfifo', [path('pipe.ts')]);
  const server = createServer().listen(path('socket.ts'));
  t.after(() => server.close());
  await new Promise(resolve => server.once('listening', resolve));
  symlinkSync('/etc/passwd', path('outside.ts'));
  symlinkSync('real/secret.ts', path('inside.ts'));
  symlinkSync('loop2.ts', path('loop1.ts'));
  symlinkSync('loop1.ts', path('loop2.ts'));
  symlinkSync('/dev/zero', path('device.ts'));
  const huge = openSync(path('huge.ts'), 'w');
  ftruncateSync(huge, 1024 ** 4);
  closeSync(huge);
  write('nul.ts', 'a\0b');
  write('late-nul.ts', `${'a\n'.repeat(5000)}\0`);
  write('minified.js', 'x'.repeat(20_001));
  write('wide.js', `${'é'.repeat(20_000)}\n`);
  mkdirSync(path('folder.ts'));
  const reasons: Record<string, string> = {
    'pipe.ts': 'not_regular',
    'socket.ts': 'not_regular',
    'outside.ts': 'not_regular',
    'inside.ts': 'not_regular',
    'loop1.ts': 'not_regular',
    'device.ts': 'not_regular',
    'huge.ts': 'too_large',
    'nul.ts': 'binary',
    'late-nul.ts': 'text',
    'minified.js': 'long_line',
    'wide.js': 'text',
    'folder.ts': 'gone',
    'absent.ts': 'gone',
    'absent/absent.ts': 'gone',
    'real/secret.ts/below': 'gone',
  };
  for (const [name, expected] of Object.entries(reasons)) {
    const got = read(root, name);
    assert.equal(got.kind === 'skipped' ? got.reason : got.kind, expected, name);
  }
});

test('the hash of a file over the cap stands for its size', t => {
  const { root, path } = temporaryFolder(t);
  const make = (name: string, size: number) => {
    const file = openSync(path(name), 'w');
    ftruncateSync(file, size);
    closeSync(file);
    const got = read(root, name);
    assert.equal(got.kind, 'skipped');
    return got.kind === 'skipped' ? got.hash : '';
  };
  assert.equal(make('a', 3_000_000), make('b', 3_000_000));
  assert.notEqual(make('a', 3_000_000), make('b', 3_000_001));
});

test('what lies behind a linked folder is no part of the tree', t => {
  const outside = temporaryFolder(t, '-- canary.ts --\ncanary\n');
  const { root, path } = temporaryFolder(t, '-- a/canary.ts --\nmine\n');
  symlinkSync(outside.root, path('linked'));
  symlinkSync('a', path('linked-inside'));
  assert.equal(read(root, 'linked/canary.ts').kind, 'gone');
  assert.equal(read(root, 'linked-inside/canary.ts').kind, 'gone');
});

test('a folder that is swapped for a link all the time never lets a byte of the outside in', async t => {
  const outside = temporaryFolder(t, '-- file.ts --\ncanary\n');
  const { root, path } = temporaryFolder(t, '-- a/file.ts --\nmine\n');
  symlinkSync(outside.root, path('b'));
  const swapper = new Worker(
    `const { renameSync } = require('node:fs'); const { workerData: [a, b, c] } = require('node:worker_threads');
     for (;;) { try { renameSync(a, c); renameSync(b, a); renameSync(a, b); renameSync(c, a); } catch {} }`,
    { eval: true, workerData: [path('a'), path('b'), path('c')] },
  );
  const seen = new Map<string, number>();
  for (let round = 0; round < 3000; round++) {
    const got = readRepositoryFile(root, 'a/file.ts' as RepoPath, { nowMs: () => Date.now(), sleep: () => {} });
    const what = got.kind === 'text' ? Buffer.from(got.bytes).toString() : got.kind;
    seen.set(what, (seen.get(what) ?? 0) + 1);
  }
  await swapper.terminate();
  assert.equal(seen.has('canary\n'), false, 'bytes from outside');
  assert.ok((seen.get('mine\n') ?? 0) > 0, `nothing was read at all: ${[...seen]}`);
});

test('a file rewritten all the time is one of its versions or no answer, never a mixture (P17)', async t => {
  const { root, path } = temporaryFolder(t);
  const versions = ['a', 'b'].map(letter => `${letter.repeat(100)}\n`.repeat(2000));
  writeFileSync(path('torn.ts'), versions[0]!);
  const writer = new Worker(
    // In place and in one piece, with pauses, so that a writer who loses the processor rarely stands amid a write: no
    // reader can tell such a one from a writer who has finished.
    `const { openSync, writeSync } = require('node:fs'); const { workerData: [file, versions] } = require('node:worker_threads');
     const fd = openSync(file, 'r+');
     for (let n = 0; ; n++) {
       writeSync(fd, versions[n % 2], 0);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, n % 7 === 0 ? 20 : 3);
     }`,
    { eval: true, workerData: [path('torn.ts'), versions] },
  );
  const seen = new Map<string, number>();
  const deadline = performance.now() + 1500;
  while (performance.now() < deadline) {
    const got = read(root, 'torn.ts');
    const text = got.kind === 'text' ? Buffer.from(got.bytes).toString() : got.kind;
    const name = text === 'changing' ? text : versions.indexOf(text) >= 0 ? 'whole' : `torn (${text.length})`;
    seen.set(name, (seen.get(name) ?? 0) + 1);
  }
  await writer.terminate();
  seen.delete('changing');
  assert.deepEqual([...seen.keys()], ['whole'], [...seen].join(' '));
});

test('what is written into a file between two reads of it makes no mixture (P17)', t => {
  const { root, path } = temporaryFolder(t);
  const [before, after] = ['a', 'b'].map(letter => letter.repeat(1000)) as [string, string];
  writeFileSync(path('a.ts'), before);
  utimesSync(path('a.ts'), 1_000_000_000, 1_000_000_000);
  const { readSync } = fs;
  const halfway = (descriptor: number, into: Buffer, at: number, length: number, from: number): number => {
    fs.readSync = readSync;
    syncBuiltinESMExports();
    const count = readSync(descriptor, into, at, length / 2, from);
    writeFileSync(path('a.ts'), after, { flag: 'r+' });
    return count;
  };
  fs.readSync = halfway as typeof readSync;
  syncBuiltinESMExports();
  // Of a file that was left alone for long, as far as the clock tells.
  const clock = { nowMs: () => Date.now() + 3_600_000, sleep: () => {} };
  const got = readRepositoryFile(root, 'a.ts' as RepoPath, clock);
  assert.equal(fs.readSync, readSync, 'it was written to in between');
  assert.equal(got.kind === 'text' ? Buffer.from(got.bytes).toString() : after, after);
});

test('a file replaced while it is read is read again (P17)', t => {
  const { root, path, write } = temporaryFolder(t, '-- a.ts --\nold\n');
  let swapped = false;
  const clock = {
    // The first look at the clock falls between the open and the read.
    nowMs: () => {
      if (!swapped) {
        write('new.ts', 'new\n');
        renameSync(path('new.ts'), path('a.ts'));
        swapped = true;
      }
      return Date.now();
    },
    sleep: () => {},
  };
  const got = readRepositoryFile(root, 'a.ts' as RepoPath, clock);
  assert.equal(got.kind === 'text' && Buffer.from(got.bytes).toString(), 'new\n');
});

test('a write within one tick of the kernel’s clock is noticed though the stat data stay the same (P17)', t => {
  const { root, path, write } = temporaryFolder(t, '-- a.ts --\nold\n');
  const past = statSync(path('a.ts')).ctimeMs;
  let sleeps = 0;
  const clock = {
    nowMs: () => past + 1,
    sleep: () => {
      sleeps++;
      if (sleeps === 1) {
        rmSync(path('a.ts'));
        write('a.ts', 'new\n');
        utimesSync(path('a.ts'), past / 1000, past / 1000);
      }
    },
  };
  const got = readRepositoryFile(root, 'a.ts' as RepoPath, clock);
  assert.ok(sleeps > 0, 'a file this young must be looked at twice');
  assert.equal(got.kind === 'text' && Buffer.from(got.bytes).toString(), 'new\n');
});

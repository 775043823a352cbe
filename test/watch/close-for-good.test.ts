import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { watch } from 'chokidar';
import { closeForGood } from '../../watch/close-for-good.ts';
import { temporaryFolder } from '../support/repository.ts';

test('a watcher that is closed while its folder goes watches nothing afterwards', {
  skip: process.platform !== 'linux' && 'the kernel of others does not tell what is watched',
}, async t => {
  const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
  for (let turns = 0; turns < 30; turns++) {
    const folder = temporaryFolder(t, '-- a --\n-- b --\n-- c --');
    const watcher = watch(folder.root, { ignoreInitial: true });
    await new Promise<void>(resolve => watcher.on('ready', resolve));
    rmSync(folder.root, { recursive: true });
    for (let left = turns % 6; left > 0; left--) await turn();
    await closeForGood(watcher);
    for (let left = 20; left > 0; left--) await turn(); // what it had begun comes to its end
  }
  assert.equal(kernelWatches(), 0);
});

/** Of this process. */
function kernelWatches(): number {
  const told = readdirSync('/proc/self/fdinfo').map(descriptor => {
    try {
      return readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8');
    } catch {
      return ''; // that by which they were listed
    }
  });
  return told.join('').split('inotify wd:').length - 1;
}

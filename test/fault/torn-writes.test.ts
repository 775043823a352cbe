import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { ready } from '../oracle/stored.ts';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { temporaryFolder } from '../support/repository.ts';

const rewrites = 2000;

/** Of one length, and so long that a read takes as long as a write: the one would often fall into the midst of the other. */
const versions = ['early', 'later'].map(name => {
  const lines = Array.from({ length: 200 }, (_, n) => `export function ${name}${n}() {}\n`);
  return [...lines.slice(0, 100), `// ${name.repeat(20)}\n`.repeat(17_000), ...lines.slice(100)].join('');
});

test('of a file that is rewritten two thousand times whole versions alone are published (P17)', async t => {
  const tree = temporaryFolder(t, '-- other.ts --\nexport const other = 1;');
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const { client } = await startDaemon(t, home);
  tree.write('a.ts', versions[0]!);
  await client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready({ client });
  const synced = async () =>
    (await client.symbols.search({ q: 'other', repo: 'app', sync: true, limit: 1 })).snapshotId;
  await until('it is watched', () =>
    synced().then(
      () => true,
      () => false,
    ),
  );
  const whole = new Set<unknown>([await synced()]);
  tree.write('a.ts', versions[1]!);
  whole.add(await synced());
  assert.equal(whole.size, 2);

  const writer = new Worker(
    `const { openSync, writeSync } = require('node:fs');
     const { workerData: [file, versions, rewrites], parentPort } = require('node:worker_threads');
     const fd = openSync(file, 'r+');
     const pause = new Int32Array(new SharedArrayBuffer(4));
     for (let n = 0; n < rewrites; n++) {
       writeSync(fd, versions[n % 2], 0);
       Atomics.wait(pause, 0, 0, n % 50 === 0 ? 60 : 1);
     }
     parentPort.postMessage('done');`,
    { eval: true, workerData: [tree.path('a.ts'), versions, rewrites] },
  );
  let isOver = false;
  writer.once('message', () => {
    isOver = true;
  });
  while (!isOver) {
    // Each is a reason to look at the file at once; where it would not hold still, the answer says so.
    const answer = await client.symbols.search({ q: 'early', repo: 'app', limit: 1, sync: true }).catch(error => {
      assert.match(String(error), /behind/);
    });
    if (answer !== undefined) assert.ok([0, 200].includes(answer.total), `${answer.total} of 200`);
  }
  const last = await synced();
  const published = home.log().filter(({ msg }) => msg === 'snapshot.published');
  for (const { snapshotId } of published) assert.ok(whole.has(snapshotId), 'a version that was never written');
  assert.ok(published.length >= 3);
  const shown = await client.symbols.search({ q: 'later199', repo: 'app', limit: 1 });
  assert.deepEqual([last, shown.total], [[...whole][1], 1], 'the last rewrite is the one that is known');
});

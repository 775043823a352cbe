import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { inflateSync } from 'node:zlib';
import { Database } from '../../../daemon/store/sqlite.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { freshDump, type IndexedTree, indexedTree } from './indexed-tree.ts';

/** Every text and every fact that an index file has ever been given, those of older snapshots too. */
function everythingIn({ repo }: IndexedTree): string {
  const connection = new Database(repo.indexFile, { readonly: true });
  try {
    const rows = connection.prepare<[], { text: Buffer; facts: Buffer }>('SELECT text, facts FROM fact_body').all();
    const names = connection.prepare<[], { text: string }>('SELECT text FROM name').all();
    const bodies = rows.map(({ text, facts }) => inflateSync(text).toString() + facts.toString('latin1'));
    return [...bodies, ...names.map(({ text }) => text)].join('\n');
  } finally {
    connection.close();
  }
}

test('files and folders that are swapped for links ten thousand times let no byte of the outside in', async t => {
  const outside = temporaryFolder(t, '-- file.ts --\nexport const canary = 1;\n');
  const { root, path } = temporaryFolder(
    t,
    '-- a.ts --\nexport const mine = 1;\n-- folder/file.ts --\nexport const ours = 1;\n',
  );
  symlinkSync(outside.path('file.ts'), path('link.ts'));
  symlinkSync(outside.root, path('elsewhere'));
  const tree = indexedTree(t, root);
  const swapper = new Worker(
    `const { renameSync } = require('node:fs'); const { parentPort, workerData } = require('node:worker_threads');
     for (let n = 0; n < 10_000; n++) {
       for (const [a, b, aside] of workerData) { renameSync(a, aside); renameSync(b, a); renameSync(aside, b); }
     }
     parentPort.postMessage('done');`,
    {
      eval: true,
      workerData: [
        [path('a.ts'), path('link.ts'), path('aside')],
        [path('folder'), path('elsewhere'), path('aside')],
      ],
    },
  );
  let isOver = false;
  swapper.once('message', () => {
    isOver = true;
  });
  let looks = 0;
  for (; !isOver || looks < 5; looks++) await tree.changed('a.ts', 'link.ts', 'folder', 'elsewhere');
  await tree.crawl();
  const everything = everythingIn(tree);
  assert.ok(everything.includes('mine'), 'nothing was read at all');
  assert.equal(everything.includes('canary'), false, `bytes from outside, in ${looks} looks`);
  assert.equal(tree.dump().hash, (await freshDump(t, root)).hash);
});

test('sockets, devices, holes of a terabyte and links in a ring are nobody’s sources; what lies deep or has an odd name is', async t => {
  const outside = temporaryFolder(t, '-- secret.ts --\nexport const canary = 1;\n');
  const { root, path, write } = temporaryFolder(t, '-- src/a.ts --\nexport const a = 1;\n');
  const deep = `${'d/'.repeat(120)}deep.ts`;
  for (const name of [deep, 'new\nline.ts', '-rf.ts', '\ufffd.ts']) write(name, 'export const odd = 1;\n');
  writeFileSync(
    Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0x2e, 0x74, 0x73])]),
    'export const canary = 2;\n',
  );
  symlinkSync('.', path('self'));
  symlinkSync(outside.root, path('outside'));
  const server = createServer().listen(path('socket.ts'));
  t.after(() => server.close());
  await new Promise(resolve => server.once('listening', resolve));
  execFileSync('mkfifo', [path('pipe.ts')]);
  if (process.getuid?.() === 0) execFileSync('mknod', [path('device.ts'), 'c', '1', '5']);
  symlinkSync('/dev/zero', path('zero.ts'));
  symlinkSync('ring2.ts', path('ring1.ts'));
  symlinkSync('ring1.ts', path('ring2.ts'));
  const hole = openSync(path('hole.ts'), 'w');
  ftruncateSync(hole, 1024 ** 4);
  closeSync(hole);
  const tree = indexedTree(t, root);
  const { symbolCount } = await tree.crawl();
  assert.equal(symbolCount, 5);
  for (const name of [deep, 'new\nline.ts', '-rf.ts', '\ufffd.ts']) assert.equal(tree.entry(name)?.at(-1), '', name);
  assert.deepEqual([tree.entry('self')?.at(-1), tree.entry('outside')?.at(-1)], ['not_regular', 'not_regular']);
  assert.equal(everythingIn(tree).includes('canary'), false, 'nothing behind a link, or under a name that is no text');
  const skip = (name: string) => tree.entry(name)?.at(-1);
  assert.deepEqual(['socket.ts', 'pipe.ts', 'device.ts', 'zero.ts', 'ring1.ts', 'ring2.ts', 'hole.ts'].map(skip), [
    undefined,
    undefined,
    undefined,
    'not_regular',
    'not_regular',
    'not_regular',
    'too_large',
  ]);
});

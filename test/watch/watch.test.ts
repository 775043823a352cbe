import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs, { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { untrustedPlace } from '../../daemon/operations/doctor/untrusted-place.ts';
import type { ChangeSet } from '../../watch/change-set.ts';
import { type Clock, monotonicClock } from '../../watch/clock.ts';
import { createWatchLoop } from '../../watch/loop.ts';
import { openWatch, SyncFailed } from '../../watch/watch.ts';
import { patienceMs, until } from '../support/daemon.ts';
import { temporaryFolder } from '../support/repository.ts';
import { handClock } from './hand-clock.ts';
import { isNamed, watched } from './watched.ts';

test('a folder that was swapped in is watched under its new name', async t => {
  const { tree, changes } = await watched(t, '-- a/in-a.ts --\n-- b/in-b.ts --');
  renameSync(tree.path('a'), tree.path('t'));
  renameSync(tree.path('b'), tree.path('a'));
  renameSync(tree.path('t'), tree.path('b'));
  await changes();
  tree.write('a/in-b.ts', 'changed');
  assert.deepEqual(await changes(), ['a/in-b.ts']);
});

test('every change is handed over without being asked for', async t => {
  const { tree, take } = await watched(t, '-- src/a.ts --');
  tree.write('src/a.ts', 'changed');
  await until('it is handed over', () => take().some(set => set.kind === 'paths' && set.paths.has('src/a.ts')));
});

test('another folder in the place of the root is found by the next sync', async t => {
  const { tree, watch, take, changes } = await watched(t, '-- a.ts --');
  renameSync(tree.root, `${tree.root}-old`);
  t.after(() => rmSync(`${tree.root}-old`, { recursive: true }));
  await assert.rejects(watch.sync(patienceMs), new SyncFailed('root_missing'));
  assert.equal(watch.status().watching, 'off');
  assert.deepEqual(take(), []);
  tree.write('b.ts', '');
  await watch.sync(patienceMs);
  assert.deepEqual(take(), [{ kind: 'recrawl', reason: 'root_replaced' }]);
  tree.write('b.ts', 'changed');
  assert.deepEqual(await changes(), ['b.ts']);
});

test('a root that goes in the middle of a crawl, with another due, is found when it comes back', async t => {
  const tree = temporaryFolder(t, '-- a.ts --');
  const loop = createWatchLoop({ cookieFolder: temporaryFolder(t).path('cookies') });
  const sets: ChangeSet[] = [];
  const watch = openWatch(tree.root, { loop, onChange: one => sets.push(one) });
  t.after(async () => {
    await watch.close();
    loop.close();
  });
  watch.setIgnore({});
  renameSync(tree.root, `${tree.root}-away`);
  await assert.rejects(watch.sync(patienceMs), new SyncFailed('root_missing'));
  renameSync(`${tree.root}-away`, tree.root);
  await watch.sync(patienceMs);
  assert.deepEqual(sets, [{ kind: 'recrawl', reason: 'root_replaced' }]);
});

test('the root’s ignore file is a reason to compare the trees', async t => {
  const { tree, watch, take } = await watched(t, '-- .gitignore --\nout/\n-- out/a.ts --');
  tree.write('.gitignore', '');
  await watch.sync(patienceMs);
  assert.ok(take().some(set => set.kind === 'recrawl' && set.reason === 'ignore_rules_changed'));
  tree.write('out/a.ts', 'changed');
  await watch.sync(patienceMs);
  const paths = new Set(['out/a.ts']);
  assert.deepEqual(take(), [{ kind: 'paths', paths, written: paths }]);
});

test('what was written to is told apart from what only came or went', async t => {
  const { tree, watch, take } = await watched(t, '-- old.ts --\n-- linked.ts --');
  tree.remove('old.ts');
  linkSync(tree.path('linked.ts'), tree.path('name.ts'));
  await watch.sync(patienceMs);
  assert.deepEqual(take(), [{ kind: 'paths', paths: new Set(['old.ts', 'name.ts']) }]);
  tree.write('name.ts', 'changed');
  tree.remove('name.ts');
  await watch.sync(patienceMs);
  const paths = new Set(['name.ts']);
  assert.deepEqual(take(), [{ kind: 'paths', paths, written: paths }]);
});

test('a tracked file in an ignored folder is watched once the watcher is told', async t => {
  const { tree, watch, changes } = await watched(
    t,
    '-- .gitignore --\nout/\n-- out/deep/kept.ts --\n-- out/other.ts --',
  );
  watch.setExceptions(['out/deep/kept.ts']);
  await changes();
  tree.write('out/deep/kept.ts', 'changed');
  tree.write('out/other.ts', 'changed');
  assert.deepEqual(await changes(), ['out/deep/kept.ts']);
});

test('rules that lie in a folder when it comes to be watched are told of, whoever wrote them while it was not', async t => {
  let told = 0;
  const { tree, changes } = await watched(t, '-- src/a.ts --\n-- rules/.gitignore --', { onRulesInside: () => told++ });
  assert.equal(told, 0, 'the crawl that finds them first tells of all');
  tree.write('src/deep/b.ts', '');
  await changes();
  assert.equal(told, 0);
  renameSync(tree.path('rules'), tree.path('src/rules'));
  assert.deepEqual(await changes(), ['rules', 'src/rules']);
  assert.equal(told, 1);
});

test('what a folder ignores is not read before it is watched, whatever the watcher is told meanwhile', async t => {
  const { tree, watch, changes } = await watched(t, '-- src/.gitignore --\n*\n-- src/a.ts --');
  watch.setExceptions(['src/.gitignore', 'src/a.ts']);
  tree.write('src/.gitignore', '');
  await changes();
  tree.write('src/b.ts', '');
  assert.deepEqual(await changes(), ['src/b.ts']);
});

test('a folder that becomes a repository is left alone for as long as it is one', async t => {
  const { tree, changes } = await watched(t, '-- inner/a.ts --');
  execFileSync('git', ['init', '--quiet', tree.path('inner')]);
  assert.ok((await changes()).includes('inner'));
  tree.write('inner/a.ts', 'changed');
  assert.deepEqual(await changes(), []);
  tree.remove('inner/.git');
  assert.ok((await changes()).includes('inner'), 'it is none any more');
  tree.write('inner/a.ts', 'changed again');
  assert.deepEqual(await changes(), ['inner/a.ts']);
});

test('a folder that stops being a repository is looked at whole, also where something in it was tracked all the while', async t => {
  const { tree, watch, changes } = await watched(t, '-- inner/kept.ts --\n-- inner/other.ts --');
  execFileSync('git', ['init', '--quiet', tree.path('inner')]);
  watch.setExceptions(['inner/kept.ts']);
  await changes();
  tree.write('inner/other.ts', 'changed');
  assert.deepEqual(await changes(), []);
  tree.remove('inner/.git');
  await changes();
  tree.write('inner/other.ts', 'changed again');
  assert.deepEqual(await changes(), ['inner/other.ts']);
});

test('a file in whose place an ignored folder stands is named', async t => {
  const { tree, changes } = await watched(t, '-- .gitignore --\nout/\n-- out --\n-- kept/a.ts --');
  tree.remove('out');
  tree.write('out/a.ts', '');
  assert.ok((await changes()).includes('out'));
});

test('a folder that becomes a repository is told of: what is tracked in it from outside counts still', async t => {
  let told = 0;
  const { tree, changes } = await watched(t, '-- inner/a.ts --', { onRulesInside: () => told++ });
  assert.equal(told, 0);
  execFileSync('git', ['init', '--quiet', tree.path('inner')]);
  await changes();
  assert.ok(told > 0);
});

test('a hundred overflows in a row are a few comparisons of the tree (P12)', async t => {
  const tree = temporaryFolder(t, '-- a.ts --');
  const loop = createWatchLoop({ cookieFolder: join(temporaryFolder(t).root, 'cookies') });
  const sets: ChangeSet[] = [];
  const watch = openWatch(tree.root, { loop, onChange: one => sets.push(one) });
  t.after(async () => {
    await watch.close();
    loop.close();
  });
  await watch.sync(patienceMs);
  for (let overflow = 0; overflow < 100; overflow++) {
    loop.recrawlAll('overflow');
    await new Promise(resolve => setImmediate(resolve));
  }
  await watch.sync(patienceMs);
  const recrawls = sets.filter(({ kind }) => kind === 'recrawl').length;
  assert.ok(recrawls >= 2 && recrawls < 10, `${recrawls} recrawls`);
});

test('one kernel watch per folder, none for what is ignored (P14)', { skip: process.platform !== 'linux' }, async t => {
  const tree = temporaryFolder(t, '-- .gitignore --\nnode_modules/\n');
  for (let d = 0; d < 1000; d++) {
    mkdirSync(tree.path(`d${d}`));
    for (let f = 0; f < 20; f++) writeFileSync(tree.path(`d${d}/${f}.ts`), '');
    mkdirSync(tree.path(`node_modules/p${d}`), { recursive: true });
  }
  tree.git('init', '--quiet');
  const before = kernelWatches();
  const loop = createWatchLoop({ cookieFolder: join(temporaryFolder(t).root, 'cookies') });
  const watch = openWatch(tree.root, { loop, onChange: () => {} });
  await watch.sync(patienceMs);
  const used = kernelWatches() - before;
  const { watches } = watch.status();
  await watch.close();
  loop.close();
  assert.equal(watches, 1001);
  assert.ok(used >= 1001 && used <= 1001 + 5, `${used} watches`);
  assert.equal(kernelWatches(), before);
});

test('cookies that can’t be written make a sync fail with a reason (P11)', async t => {
  const runtime = temporaryFolder(t);
  const cookieFolder = runtime.path('cookies');
  const { tree, watch, changes } = await watched(t, '-- a.ts --', {}, { cookieFolder });
  rmSync(cookieFolder, { recursive: true });
  tree.write('a.ts', '1');
  assert.deepEqual(await changes(), ['a.ts'], 'a deleted folder is made again');
  rmSync(cookieFolder, { recursive: true });
  writeFileSync(cookieFolder, 'in the way');
  await assert.rejects(watch.sync(patienceMs), new SyncFailed('cookie_unwritable'));
  rmSync(cookieFolder);
  tree.write('a.ts', '2');
  assert.deepEqual(await changes(), ['a.ts']);
});

test('a cookie that is not seen in two seconds has every tree of the loop compared (P12)', async t => {
  const runtime = temporaryFolder(t);
  const cookieFolder = runtime.path('cookies');
  const real = fs.watch;
  // Beside the cookies nothing happens.
  const deaf = (folder: string, listener: fs.WatchListener<string>) =>
    real(folder === cookieFolder ? temporaryFolder(t).root : folder, listener);
  Object.assign(fs, { watch: deaf });
  syncBuiltinESMExports();
  t.after(() => {
    Object.assign(fs, { watch: real });
    syncBuiltinESMExports();
  });
  const clock = handClock();
  const loop = createWatchLoop({ cookieFolder, clock });
  const sets: [tree: string, ChangeSet][] = [];
  const watches = ['one', 'other'].map(name =>
    openWatch(temporaryFolder(t, '-- a.ts --').root, { loop, onChange: one => sets.push([name, one]) }),
  );
  t.after(async () => {
    for (const watch of watches) await watch.close();
    loop.close();
  });
  await until('both are crawled', () => sets.length === 2);
  let isSynced = false;
  const syncing = watches[0]!.sync(patienceMs).then(() => {
    isSynced = true;
  });
  await pass(clock, 1900);
  assert.deepEqual([isSynced, sets.length], [false, 2]);
  await pass(clock, 1500); // a second lies between two crawls of a tree
  await syncing;
  await pass(clock, 1500);
  assert.deepEqual(sets.slice(2).sort(), [
    ['one', { kind: 'recrawl', reason: 'cookie_lost' }],
    ['other', { kind: 'recrawl', reason: 'cookie_lost' }],
  ]);
  const refused = assert.rejects(watches[0]!.sync(1500), new SyncFailed('deadline'));
  await pass(clock, 1500);
  await refused;
});

/** Moves time on in steps in which no loop stands still. */
async function pass(clock: ReturnType<typeof handClock>, ms: number): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= 500) {
    clock.move(Math.min(leftMs, 500));
    for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve));
  }
}

test('a sync past its deadline says so (P11)', async t => {
  const clock: Clock = {
    ...monotonicClock,
    after(ms, act) {
      if (ms !== 1234) return monotonicClock.after(ms, act);
      queueMicrotask(act);
      return () => {};
    },
  };
  const { watch } = await watched(t, '-- a.ts --', {}, { clock });
  await assert.rejects(watch.sync(1234), new SyncFailed('deadline'));
});

test('a sync that waits for a crawl says so at its deadline as well (P11)', async t => {
  let isHeld = false;
  let deadlines = 0;
  const clock: Clock = {
    ...monotonicClock,
    after(ms, act) {
      if (isHeld && ms <= 1000) return () => {}; // the next crawl does not begin
      if (ms !== 5000) return monotonicClock.after(ms, act);
      deadlines++;
      return monotonicClock.after(1, act);
    },
  };
  const loop = createWatchLoop({ cookieFolder: temporaryFolder(t).path('cookies'), clock });
  const watch = openWatch(temporaryFolder(t, '-- a.ts --').root, { loop, onChange: () => {} });
  t.after(async () => {
    await watch.close();
    loop.close();
  });
  await watch.sync(patienceMs);
  isHeld = true;
  loop.recrawlAll('overflow');
  const refused = assert.rejects(watch.sync(5000), new SyncFailed('deadline'));
  assert.equal(deadlines, 1, 'somebody looks at the time');
  await refused;
});

test('without kernel watches folders are polled, and say why (P13)', async t => {
  const { tree, watch, changes } = await watched(t, '-- a/x.ts --\n-- b/y.ts --', {}, { watchLimit: 2 });
  const status = watch.status();
  assert.equal(status.watching, 'polling');
  assert.equal(status.polledReason, 'watch_limit');
  assert.equal(status.polledCount, 2);
  tree.write('a/x.ts', 'changed');
  tree.write('b/new/z.ts', '');
  const seen = await changes();
  for (const path of ['a/x.ts', 'b/new/z.ts']) assert.ok(isNamed(seen, path), seen.join(' '));
});

test('what happens in a folder without a kernel watch is told within five seconds, unasked (P13)', async t => {
  const clock = handClock();
  const { tree, watch, take } = await watched(t, '-- a/x.ts --\n-- b/y.ts --', {}, { watchLimit: 2, clock });
  assert.equal(watch.status().polledCount, 2);
  tree.write('a/x.ts', 'changed');
  tree.write('b/y.ts', 'changed');
  await pass(clock, 5000);
  const seen = take().flatMap(set => (set.kind === 'paths' ? [...set.paths] : []));
  assert.deepEqual([...new Set(seen)].sort(), ['a/x.ts', 'b/y.ts']);
});

/** What statfs(2) says of NFS, SMB by three drivers, FUSE and 9p. */
const remoteTypes = [0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997];

test('network file systems are polled (P19)', async t => {
  for (const type of remoteTypes) {
    const { tree, watch, changes } = await watched(t, '-- a.ts --', {}, { fileSystemType: () => type });
    const { watching, polledReason, watches } = watch.status();
    assert.deepEqual([watching, polledReason, watches], ['polling', 'network_file_system', 0], type.toString(16));
    tree.write('a.ts', 'changed');
    assert.deepEqual(await changes(), ['a.ts'], type.toString(16));
  }
});

test('neither databases nor the lock are kept on a file system whose locks can’t be trusted (P19)', () => {
  const places = { state: '/state', data: '/data' };
  for (const type of [...remoteTypes, 0xff534d42 - 2 ** 32]) {
    for (const remote of ['/state', '/data']) {
      const found = untrustedPlace(places, folder => (folder === remote ? type : 0xef53));
      assert.equal(found?.folder, remote, type.toString(16));
    }
  }
  assert.equal(
    untrustedPlace(places, () => 0xef53),
    undefined,
  );
});

function kernelWatches(): number {
  let count = 0;
  for (const descriptor of readdirSync('/proc/self/fdinfo')) {
    try {
      count += readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8').split('\ninotify ').length - 1;
    } catch {}
  }
  return count;
}

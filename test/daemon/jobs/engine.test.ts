import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import { canonicalDump } from '../../../daemon/jobs/dump.ts';
import { openInFlightNote, takeInFlight } from '../../../daemon/jobs/in-flight.ts';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { symbolHash } from '../../../daemon/model/identity.ts';
import { countWorkers } from '../../../daemon/workers/count.ts';
import { until } from '../../support/daemon.ts';
import { gitRepository, temporaryFolder } from '../../support/repository.ts';
import { dumpDifference, freshDump, indexedTree, manyFiles } from './indexed-tree.ts';

const misbehaving = new URL('./misbehaving-extract.js', import.meta.url);

test('a tree is indexed, a second look finds nothing, a save is a publication of its own', async t => {
  const { root, write } = gitRepository(t, manyFiles(10));
  const tree = indexedTree(t, root);
  const first = await tree.crawl();
  assert.deepEqual([first.seq, first.fileCount, first.filesParsed, first.type], [1, 10, 10, 'full']);
  assert.equal(first.symbolCount, 10);
  const again = await tree.crawl();
  assert.deepEqual([again.seq, again.changedPaths, again.filesParsed, again.snapshotId], [1, 0, 0, first.snapshotId]);
  write('src/f3.ts', 'export function f3(): number {\n  return 4;\n}\nexport function more(): void {}\n');
  const saved = await tree.changed('src/f3.ts');
  assert.deepEqual([saved.seq, saved.changedPaths, saved.filesParsed, saved.type], [2, 1, 1, 'delta']);
  assert.equal(saved.symbolCount, 11);
  assert.notEqual(saved.snapshotId, first.snapshotId);
  assert.equal(tree.notices.filter(notice => notice.kind === 'published').length, 3);
});

test('what vanished from a file is named, what linked to it is linked anew', async t => {
  const { root, write } = temporaryFolder(t, manyFiles(5));
  const tree = indexedTree(t, root);
  await tree.crawl();
  write('src/f2.ts', 'export const other = 1;\n');
  const saved = await tree.changed('src/f2.ts');
  assert.equal(saved.gone.length, 1);
  assert.match(saved.gone[0]!, /^[0-9a-f]{32}$/);
  assert.equal(saved.documentsLinked, 2, 'the file and the one that imported from it');
  const fresh = await freshDump(t, root);
  assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
});

test('symbols of a moved file are known to have moved; of a copied one, nothing is gone', async t => {
  const { root, path } = temporaryFolder(t, manyFiles(3));
  const tree = indexedTree(t, root);
  await tree.crawl();
  renameSync(path('src/f0.ts'), path('src/moved.ts'));
  const { gone, moved } = await tree.changed('src/f0.ts', 'src/moved.ts');
  const hash = (file: string) => symbolHash(file as ScopeKey, 'f0().');
  assert.deepEqual([gone, [...moved]], [[hash('src/f0.ts')], [[hash('src/f0.ts'), hash('src/moved.ts')]]]);
  cpSync(path('src/f1.ts'), path('src/copy.ts'));
  assert.deepEqual((await tree.changed('src/copy.ts')).gone, []);
  // Two candidates are no evidence.
  cpSync(path('src/f1.ts'), path('src/copy2.ts'));
  cpSync(path('src/f1.ts'), path('src/copy3.ts'));
  renameSync(path('src/f1.ts'), path('src/copy4.ts'));
  const unclear = await tree.changed('src');
  assert.deepEqual([unclear.gone.length, unclear.moved.size], [1, 0]);
});

test('what is private to a file of a shared scope is a symbol of its own in each, also after an edit', async t => {
  const unit = (name: string) => `static int init(void) { return 1; }\nint ${name}(void) { return init(); }\n`;
  const { root, write } = temporaryFolder(t, '-- api.h --\nint one(void);\n');
  for (const name of ['one', 'two']) write(`${name}.c`, unit(name));
  const tree = indexedTree(t, root);
  assert.equal((await tree.crawl()).symbolCount, 4, 'one, two and two times init');
  write('two.c', unit('two').replaceAll('init', 'begin'));
  const { gone, documentsLinked } = await tree.changed('two.c');
  assert.deepEqual([gone, documentsLinked], [[symbolHash('two.c' as ScopeKey, 'static/init().')], 1]);
  const fresh = await freshDump(t, root);
  assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
});

test('known contents are never parsed again: after a restart, on a branch switched back to, under another path', async t => {
  const { root, git, write, commit, path } = gitRepository(t, manyFiles(20));
  const tree = indexedTree(t, root);
  const first = await tree.crawl();
  git('checkout', '--quiet', '-b', 'other');
  for (let index = 0; index < 10; index++) write(`src/f${index}.ts`, `export const g${index} = ${index};\n`);
  commit();
  const other = await tree.crawl();
  assert.deepEqual([other.filesParsed, other.seq], [10, 2]);
  git('checkout', '--quiet', 'main');
  const back = await tree.crawl();
  assert.deepEqual([back.filesParsed, back.changedPaths, back.snapshotId], [0, 10, first.snapshotId]);
  await tree.restart();
  const restarted = await tree.crawl();
  assert.deepEqual([restarted.filesParsed, restarted.changedPaths, restarted.seq], [0, 0, 3]);
  mkdirSync(path('copy'));
  cpSync(path('src/f0.ts'), path('copy/f0.ts'));
  const copied = await tree.changed('copy/f0.ts');
  assert.deepEqual([copied.filesParsed, copied.changedPaths], [0, 1]);
});

test('a save with size and modification time kept is found on start', async t => {
  const { root, path } = temporaryFolder(t, '-- a.ts --\nexport const a = 1;\n');
  const tree = indexedTree(t, root);
  const before = await tree.crawl();
  execFileSync('touch', ['-r', path('a.ts'), path('stamp')]);
  writeFileSync(path('a.ts'), 'export const b = 1;\n');
  execFileSync('touch', ['-r', path('stamp'), path('a.ts')]);
  await tree.restart();
  const after = await tree.crawl();
  assert.notEqual(after.snapshotId, before.snapshotId);
});

test('a file that was written to under another name, which is gone by then, is read again', async t => {
  const work = temporaryFolder(
    t,
    '-- src/kept.ts --\nexport const old = 1;\n-- lib/other.ts --\nexport const other = 1;\n',
  );
  const tree = indexedTree(t, work.root);
  await tree.crawl();
  work.remove('lib/other.ts');
  linkSync(work.path('src/kept.ts'), work.path('lib/other.ts'));
  writeFileSync(work.path('lib/other.ts'), 'export const fresh = 1;\n');
  work.remove('lib');
  const named = new Set(['lib/other.ts']);
  await tree.engine.index(tree.repo, { kind: 'paths', paths: named, written: named });
  const fresh = await freshDump(t, work.root);
  assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
});

test('the same tree has the same id and the same rows, wherever it lies, however it is read', async t => {
  const text = `${manyFiles(30)}\n-- data.bin -> src/f0.ts --\n-- notes.md --\n# x\n`;
  const one = gitRepository(t, text);
  const other = temporaryFolder(t);
  execFileSync('git', ['clone', '--quiet', one.root, other.path('deep/er')]);
  const first = indexedTree(t, one.root, { extractWorkers: 1 });
  const second = indexedTree(t, other.path('deep/er'), { extractWorkers: 4, filesPerParser: 7 });
  const [a, b] = await Promise.all([first.crawl(), second.crawl()]);
  assert.equal(a.snapshotId, b.snapshotId);
  assert.equal(first.dump().hash, second.dump().hash, dumpDifference(first.dump(), second.dump()));
  const third = indexedTree(t, one.root);
  for (const name of ['src/f7.ts', 'src/f2.ts', 'src', 'notes.md', 'data.bin']) await third.changed(name);
  assert.equal(third.dump().hash, first.dump().hash, 'the order of arrival shows');
});

test('a tree that was published a short while ago is linked no second time, and its questions are known again', async t => {
  const { root, write } = temporaryFolder(
    t,
    "-- a.ts --\nexport const one = 1;\n-- b.ts --\nimport { one } from './a';\none;\n",
  );
  const tree = indexedTree(t, root);
  const first = await tree.crawl();
  const before = tree.dump();
  write('a.ts', 'export const two = 2;\n');
  write('b.ts', "import { one } from './c';\none;\n");
  assert.equal((await tree.changed('a.ts', 'b.ts')).documentsLinked, 2);
  write('a.ts', 'export const one = 1;\n');
  write('b.ts', "import { one } from './a';\none;\n");
  const back = await tree.changed('a.ts', 'b.ts');
  assert.deepEqual([back.snapshotId, back.changedPaths, back.documentsLinked], [first.snapshotId, 2, 0]);
  assert.equal(tree.dump().hash, before.hash, dumpDifference(before, tree.dump()));
  write('a.ts', 'export const three = 3;\n');
  assert.equal((await tree.changed('a.ts')).documentsLinked, 2, 'whoever asked is linked anew');
});

test('force reads, parses and links everything anew, and ends where it began', async t => {
  const { root } = temporaryFolder(t, manyFiles(8));
  const tree = indexedTree(t, root);
  const first = await tree.crawl();
  const before = tree.dump();
  const forced = await tree.crawl({ force: true });
  assert.deepEqual([forced.filesParsed, forced.documentsLinked, forced.type], [8, 8, 'full']);
  assert.equal(forced.snapshotId, first.snapshotId);
  assert.equal(tree.dump().hash, before.hash, dumpDifference(before, tree.dump()));
});

test('a trap, a flood and a runaway cost one file each', async t => {
  const { root, write } = temporaryFolder(t, manyFiles(12));
  for (const name of ['trap', 'devour', 'runaway']) write(`src/${name}.ts`, `export const ${name} = 1;\n`);
  const tree = indexedTree(t, root, { extractEntry: misbehaving, stuckAfterMs: 2500 });
  const done = await tree.crawl();
  assert.equal(done.fileCount, 15);
  assert.equal(done.symbolCount, 12);
  const skips = ['trap', 'runaway', 'f3'].map(name => tree.entry(`src/${name}.ts`)?.at(-1));
  assert.deepEqual(skips, ['parser_trap', 'parser_stuck', '']);
  // Whether memory or time runs out first is the machine's choice.
  assert.match(tree.entry('src/devour.ts')?.at(-1) ?? '', /^(?:parser_trap|parser_stuck)$/);
  const told = tree.notices.flatMap(notice => (notice.kind === 'file_skipped' ? [notice.path] : []));
  assert.deepEqual(told.sort(), ['src/devour.ts', 'src/runaway.ts', 'src/trap.ts']);
  assert.ok(done.toRetry.includes('src/trap.ts' as never) && !done.toRetry.includes('src/runaway.ts' as never));
  // A healthy worker's turn: nothing has changed, and all the same what died is tried again; what came to no end is not.
  await tree.restart({});
  const again = await tree.crawl();
  assert.equal(again.toRetry.length, 0);
  const later = ['trap', 'runaway'].map(name => tree.entry(`src/${name}.ts`)?.at(-1));
  assert.deepEqual(later, ['', 'parser_stuck']);
  assert.notEqual(again.snapshotId, done.snapshotId, 'what holds other rows has another id');
  assert.equal((await tree.crawl({ force: true })).symbolCount, 15);
  const fresh = await freshDump(t, root);
  assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
});

test('a parser that fails at what it once could read takes nothing away, forced or not', async t => {
  const { root, write } = temporaryFolder(t, manyFiles(3));
  for (const name of ['trap', 'runaway']) write(`src/${name}.ts`, `export const ${name} = 1;\n`);
  const tree = indexedTree(t, root);
  const good = await tree.crawl();
  const before = tree.dump();
  await tree.restart({ extractEntry: misbehaving, stuckAfterMs: 500 });
  const forced = await tree.crawl({ force: true });
  assert.deepEqual([forced.snapshotId, forced.symbolCount], [good.snapshotId, good.symbolCount]);
  assert.equal(tree.dump().hash, before.hash, dumpDifference(tree.dump(), before));
});

test('a quarantined input is listed and not parsed; edited, it is tried again', async t => {
  const { root, write } = temporaryFolder(t, '-- a.ts --\nexport const a = 1;\n-- b.ts --\nexport const b = 1;\n');
  const probe = indexedTree(t, root);
  await probe.crawl();
  const hash = probe.entry('a.ts')![0]!;
  const dangerousInputs = () => ({ quarantined: new Set([hash]), suspects: new Set<string>() });
  const tree = indexedTree(t, root, { dangerousInputs });
  await tree.crawl();
  assert.deepEqual([tree.entry('a.ts')?.at(-1), tree.entry('b.ts')?.at(-1)], ['quarantined', '']);
  write('a.ts', 'export const a = 2;\n');
  await tree.changed('a.ts');
  assert.equal(tree.entry('a.ts')?.at(-1), '');
});

test('what is in flight is on disk while it is, and a suspect is in flight alone', async t => {
  const { root, write, path } = temporaryFolder(t, manyFiles(6));
  write('src/gate.ts', 'export const gate = 1;\n');
  const probe = indexedTree(t, root);
  await probe.crawl();
  const hash = probe.entry('src/gate.ts')![0]!;
  const notes = temporaryFolder(t);
  const tree = indexedTree(t, root, {
    extractEntry: misbehaving,
    inFlightFolder: notes.root,
    dangerousInputs: () => ({ quarantined: new Set(), suspects: new Set([hash]) }),
  });
  const run = tree.crawl();
  const inFlight = () => {
    const copy = temporaryFolder(t);
    try {
      cpSync(notes.path('in-flight'), copy.path('in-flight'));
    } catch {
      return [];
    }
    return takeInFlight(copy.root);
  };
  await until('the gate is in flight', () => inFlight().length === 1 && inFlight()[0]?.path === 'src/gate.ts');
  assert.deepEqual(inFlight(), [{ repo: tree.repo.id, path: 'src/gate.ts', hash }]);
  writeFileSync(path('open'), '');
  await run;
  const landed = tree.notices.flatMap(notice => (notice.kind === 'suspect_landed' ? [notice.hash] : []));
  assert.deepEqual(landed, [hash]);
  await tree.engine.close();
  assert.deepEqual(takeInFlight(notes.root), []);
});

test('an in-flight note of a dead process is read once', t => {
  const { root } = temporaryFolder(t);
  const note = openInFlightNote(root);
  note.begin(0, [{ repo: 'r', path: 'a\n"b".ts', hash: 'h0' }]);
  note.begin(3, [{ repo: 'r', path: 'c.ts', hash: 'h3' }]);
  note.begin(1, [{ repo: 'r', path: 'd.ts', hash: 'h1' }]);
  note.end(1);
  assert.deepEqual(takeInFlight(root), [
    { repo: 'r', path: 'a\n"b".ts', hash: 'h0' },
    { repo: 'r', path: 'c.ts', hash: 'h3' },
  ]);
  assert.deepEqual(takeInFlight(root), []);
});

test('what can’t be noted is parsed all the same, and noted once it can be', async t => {
  const { root, write, path } = temporaryFolder(
    t,
    '-- a.ts --\nexport const a = 1;\n-- notes --\nin the place of a folder\n',
  );
  const { crawl, changed } = indexedTree(t, root, { inFlightFolder: path('notes/in-flight') });
  assert.equal((await crawl()).symbolCount, 1);
  write('b.ts', 'export const b = 1;\n');
  assert.equal((await changed('b.ts')).symbolCount, 2);
  const note = openInFlightNote(path('notes/in-flight'));
  note.begin(0, [{ repo: 'r', path: 'a.ts', hash: 'h' }]);
  rmSync(path('notes'));
  note.begin(1, [{ repo: 'r', path: 'b.ts', hash: 'h' }]);
  assert.deepEqual(takeInFlight(path('notes/in-flight')), [{ repo: 'r', path: 'b.ts', hash: 'h' }]);
});

for (const phase of ['discover', 'hash', 'extract', 'link', 'publish'] as const) {
  test(`a run cancelled in phase ${phase} ends soon, publishes nothing, and the next one is whole`, async t => {
    const { root } = temporaryFolder(t, manyFiles(150));
    const tree = indexedTree(t, root);
    const stop = new AbortController();
    let stoppedAtMs = 0;
    const run = tree.crawl({
      signal: stop.signal,
      onProgress: progress => {
        if (progress.phase !== phase || stop.signal.aborted) return;
        stoppedAtMs = performance.now();
        stop.abort();
      },
    });
    const outcome = await run.catch((thrown: unknown) => thrown);
    // Only a publication that was under way may have been faster than the signal.
    if (outcome instanceof Error) {
      assert.ok(outcome instanceof Fault && outcome.reason === 'cancelled', String(outcome));
      assert.deepEqual(canonicalDump(tree.repo.indexFile, 'main').lines, []);
    } else assert.equal(phase, 'publish');
    assert.ok(stoppedAtMs > 0, 'the phase was never told');
    const whole = await tree.crawl();
    assert.deepEqual([whole.seq, whole.fileCount, whole.symbolCount], [1, 150, 150]);
  });
}

test('a cancelled update leaves the published snapshot and the tree in memory as they were', async t => {
  const { root, write } = temporaryFolder(t, manyFiles(5));
  const tree = indexedTree(t, root, { extractEntry: misbehaving });
  const first = await tree.crawl();
  write('src/gate.ts', 'export const gate = 1;\n');
  write('src/f1.ts', 'export const changed = 1;\n');
  const stop = new AbortController();
  const run = tree.engine.index(
    tree.repo,
    { kind: 'paths', paths: new Set(['src/gate.ts', 'src/f1.ts']) },
    { signal: stop.signal, onProgress: ({ phase }) => phase === 'extract' && stop.abort() },
  );
  const cancelled = (thrown: unknown) => thrown instanceof Fault && thrown.reason === 'cancelled';
  // The gate never opens, so at the latest its extraction is where the run stands.
  setTimeout(() => stop.abort(), 500).unref();
  await assert.rejects(run, cancelled);
  assert.equal((await tree.changed('src/f3.ts')).snapshotId, first.snapshotId);
  write('open', '');
  await tree.changed('src/gate.ts', 'src/f1.ts', 'open');
  const fresh = await freshDump(t, root);
  assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
});

test('a damaged index file is put aside and built anew unasked', async t => {
  const { root } = temporaryFolder(t, manyFiles(4));
  const tree = indexedTree(t, root);
  const first = await tree.crawl();
  await tree.engine.release(tree.repo.indexFile);
  writeFileSync(tree.repo.indexFile, 'this is no database, whatever its name may say'.repeat(100));
  await tree.restart();
  const rebuilt = await tree.crawl();
  assert.deepEqual([rebuilt.snapshotId, rebuilt.filesParsed, rebuilt.type], [first.snapshotId, 4, 'full']);
  assert.ok(tree.notices.some(notice => notice.kind === 'index_quarantined'));
});

test('an index file that is removed, alone or with its folder, is built anew with the next run (P11)', async t => {
  const { root, write } = temporaryFolder(t, manyFiles(4));
  const tree = indexedTree(t, root);
  for (const [round, place] of [tree.repo.indexFile, dirname(tree.repo.indexFile)].entries()) {
    await tree.crawl();
    rmSync(place, { recursive: true });
    const before = tree.notices.length;
    write('src/more.ts', `export const more = ${round};\n`);
    const rebuilt = await tree.changed('src/more.ts');
    assert.deepEqual([rebuilt.seq, rebuilt.fileCount, rebuilt.type], [1, 5, 'full']);
    assert.deepEqual(
      tree.notices.slice(before).map(({ kind }) => kind),
      ['index_quarantined', 'published'],
    );
    assert.equal(tree.dump().hash, (await freshDump(t, root)).hash);
    rmSync(place, { recursive: true });
    assert.equal((await tree.crawl()).seq, 1, 'a run that finds nothing new');
  }
});

test('an index file that can’t be written is a fault, and works again once it can', async t => {
  const { root } = temporaryFolder(t, manyFiles(2));
  const tree = indexedTree(t, root);
  // Something is in its way, and what is in the way can't be put aside.
  const aside = join(dirname(tree.repo.indexFile), 'quarantine');
  mkdirSync(tree.repo.indexFile);
  writeFileSync(aside, '');
  await assert.rejects(tree.crawl(), (thrown: unknown) => thrown instanceof Fault && thrown.reason === 'storageFailed');
  rmSync(aside);
  assert.equal((await tree.crawl()).fileCount, 2);
});

test('where no folder for an index can be made the run says so, and which', async t => {
  const folder = temporaryFolder(t, `-- in the way --\n${manyFiles(1)}`);
  const tree = indexedTree(t, folder.root);
  const repo = { ...tree.repo, indexFile: folder.path('in the way/data/repos/x/index.db') };
  const message = /^The index could not be written: the file can’t be opened/;
  await assert.rejects(tree.engine.index(repo, { kind: 'recrawl', reason: 'start' }), {
    reason: 'storageFailed',
    message,
  });
  const [notice] = tree.notices.filter(({ kind }) => kind === 'write_failed') as { readonly why: string }[];
  assert.ok(
    notice!.why.includes(`: ${folder.path('in the way/data/repos/x')}; let yourself read and write it`),
    notice!.why,
  );
  assert.match(notice!.why, /chmod u\+rwX/);
});

test('two worktrees share one file and its facts, and a forgotten one leaves no row', async t => {
  const { root, git, path } = gitRepository(t, manyFiles(6));
  const tree = indexedTree(t, root);
  await tree.crawl();
  const second = temporaryFolder(t);
  git('worktree', 'add', '--quiet', second.path('tree'));
  const repo = { ...tree.repo, id: 'second', root: second.path('tree'), worktreeKey: 'second' };
  const done = await tree.engine.index(repo, { kind: 'recrawl', reason: 'start' });
  assert.deepEqual([done.filesParsed, done.fileCount, done.seq], [0, 6, 1]);
  assert.equal(canonicalDump(repo.indexFile, 'second').hash, tree.dump().hash);
  await tree.engine.forget(repo);
  assert.deepEqual(canonicalDump(repo.indexFile, 'second').lines, []);
  assert.ok(readFileSync(path('src/f0.ts')).length > 0);
  assert.equal((await tree.crawl()).changedPaths, 0);
});

test('workers end when idle and come back when there is work', async t => {
  const { root, write } = temporaryFolder(t, manyFiles(3));
  const live = countWorkers();
  const tree = indexedTree(t, root, { idleMs: 30 });
  await tree.crawl();
  assert.equal(live(), 1);
  await until('the write worker has ended', () => live() === 0);
  write('src/f1.ts', 'export const x = 1;\n');
  assert.equal((await tree.changed('src/f1.ts')).changedPaths, 1);
});

test('what no index should hold is passed over, each with its reason, and the rest is indexed', async t => {
  const { root, path, write } = temporaryFolder(t, manyFiles(2));
  execFileSync('mkfifo', [path('src/pipe.ts')]);
  symlinkSync('/etc', path('etc'));
  symlinkSync('.', path('src/self'));
  write('src/nul.ts', 'a\0');
  write('src/long.ts', `const x = '${'y'.repeat(20_001)}';\n`);
  write('src/big.ts', '//\n'.repeat(800_000));
  write('src/new\nline.ts', 'export const newline = 1;\n');
  write(`${'d/'.repeat(120)}deep.ts`, 'export const deep = 1;\n');
  execFileSync('touch', [Buffer.from(`${path('src')}/bad\xff.ts`, 'latin1').toString('latin1')]);
  const tree = indexedTree(t, root);
  const done = await tree.crawl();
  const skip = (name: string) => tree.entry(name)?.at(-1);
  assert.deepEqual(
    ['src/pipe.ts', 'etc', 'src/self', 'src/nul.ts', 'src/long.ts', 'src/big.ts', 'src/f1.ts'].map(skip),
    // git lists links, but neither pipes nor what lies behind a link.
    [undefined, 'not_regular', 'not_regular', 'binary', 'long_line', 'too_large', ''],
  );
  assert.equal(skip(`${'d/'.repeat(120)}deep.ts`), '');
  assert.equal(done.symbolCount, 4);
});

test('after close every call is refused', async t => {
  const { root } = temporaryFolder(t, manyFiles(1));
  const tree = indexedTree(t, root, {});
  await tree.crawl();
  await tree.engine.close();
  const refused = (thrown: unknown) => thrown instanceof Fault && thrown.reason === 'shuttingDown';
  await assert.rejects(tree.crawl(), refused);
  await assert.rejects(tree.engine.forget(tree.repo), refused);
});

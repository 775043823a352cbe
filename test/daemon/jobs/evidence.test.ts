import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openIndexWriter } from '../../../daemon/store/index-db.ts';
import { type ScrubPlace, scrub } from '../../../daemon/store/scrub.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { bench, contents, damaged, hand, open, sources, uses } from './evident-tree.ts';
import { dumpDifference, freshDump, type IndexedTree } from './indexed-tree.ts';
import { says } from './says.ts';

const defined = ['src/a.ts Box defines a/Box#', 'src/a.ts open defines a/Box#open().'];
const used = ['src/b.ts open means a/Box#open().', 'src/c.ts Box 1 means a/Box#', 'src/c.ts open means a/Box#open().'];

const bySyntax = ['src/c.ts:1 syntax', 'src/b.ts:0 name'];
const byIndexer = ['src/b.ts:0 scip', 'src/c.ts:1 scip'];

test('what arrives counts at once, beside the same snapshot; edited it counts no more, reverted it is back', async t => {
  const { tree, arrive, edit, snapshotId } = await bench(t);
  assert.deepEqual(open(tree), bySyntax);
  const arrived = await arrive([...defined, ...used]);
  assert.equal(arrived.snapshotId, snapshotId);
  assert.deepEqual(open(tree), byIndexer);
  const edited = await edit('src/b.ts', 'export function use(x: any) {\n  return x.open()\n}\n');
  assert.notEqual(edited.evidenceId, arrived.evidenceId);
  assert.deepEqual(open(tree), ['src/c.ts:1 scip', 'src/b.ts:1 name']);
  const reverted = await edit('src/b.ts', 'export function use(x: any) { return x.open() }\n');
  assert.deepEqual([reverted.snapshotId, reverted.evidenceId], [snapshotId, arrived.evidenceId]);
  assert.deepEqual(open(tree), byIndexer);
});

test('it is revived by whoever finds the content again: another process, another branch, a forced run', async t => {
  const { work, tree, arrive, snapshotId } = await bench(t);
  const { evidenceId } = await arrive([...defined, ...used]);
  work.git('checkout', '--quiet', '-b', 'other');
  work.write('src/b.ts', 'export function use() { return 2 }\n');
  work.write('src/c.ts', 'export const c = 1\n');
  work.commit('other');
  const other = await tree.crawl();
  assert.equal(uses(tree, 'src/a.ts', 'Box#open().').length, 0);
  work.git('checkout', '--quiet', 'main');
  await tree.restart();
  const back = await tree.crawl();
  assert.deepEqual([back.snapshotId, back.evidenceId], [snapshotId, evidenceId]);
  assert.deepEqual(open(tree), byIndexer);
  work.git('checkout', '--quiet', 'other');
  assert.equal((await tree.crawl()).evidenceId, other.evidenceId);
  work.git('checkout', '--quiet', 'main');
  assert.equal((await tree.crawl({ force: true })).evidenceId, evidenceId);
  assert.deepEqual(open(tree), byIndexer);
});

test('a target that goes leaves its uses to syntax, and has them again when it returns', async t => {
  const { tree, arrive, edit } = await bench(
    t,
    `${sources}  -- src/d.ts --\n  export class Door { open() { return 2 } }\n`,
  );
  await arrive([...defined, ...used]);
  const withDoor = open(tree);
  const { evidenceId } = await edit('src/a.ts', 'export class Box {}\n');
  assert.deepEqual(open(tree), []);
  // With one definition of the name left, what nothing settles is said to be its.
  assert.deepEqual(uses(tree, 'src/d.ts', 'Door#open().'), ['src/b.ts:0 name']);
  await edit('src/a.ts', 'export class Box { open() { return 1 } }\n');
  assert.deepEqual(open(tree), withDoor);
  assert.deepEqual(withDoor, byIndexer);
  assert.deepEqual(uses(tree, 'src/d.ts', 'Door#open().'), []);
  assert.notEqual(evidenceId, '');
});

test('a target that is edited keeps its uses, one that is renamed does not hand them on', async t => {
  const { tree, arrive, edit } = await bench(t);
  await arrive([...defined, ...used]);
  await edit('src/a.ts', '// moved\n\nexport class Box { shut() {}\n  open() { return 1 } }\n');
  assert.deepEqual(open(tree), byIndexer);
  await edit('src/a.ts', 'export class Box { unlock() { return 1 } }\n');
  assert.deepEqual(uses(tree, 'src/a.ts', 'Box#unlock().'), []);
  assert.deepEqual(uses(tree, 'src/a.ts', 'Box#'), ['src/c.ts:0 syntax', 'src/c.ts:1 scip']);
});

const throughBarrel = `${sources.replace("from './a'", "from './barrel'")}
  -- src/barrel.ts --
  export { Box } from './a'
  -- src/crate.ts --
  export class Box { open() { return 3 } }
`;
const saidThroughBarrel = [
  ...defined,
  ...['src/crate.ts Box defines crate/Box#', 'src/crate.ts open defines crate/Box#open().'],
  ...['src/c.ts Box means a/Box#', 'src/barrel.ts Box means a/Box#', ...used],
];

test('where syntax led as well, an indexer’s word ends with the way there, and is back with it', async t => {
  const { tree, arrive, edit, snapshotId } = await bench(t, throughBarrel);
  const arrived = await arrive(saidThroughBarrel);
  const box = () => uses(tree, 'src/a.ts', 'Box#');
  const boxes = ['src/barrel.ts:0 scip', 'src/c.ts:0 scip', 'src/c.ts:1 scip'];
  assert.deepEqual([box(), open(tree)], [boxes, byIndexer]);

  await edit('src/barrel.ts', 'export {}\n');
  assert.deepEqual(box(), []);
  assert.deepEqual(open(tree), ['src/b.ts:0 scip'], 'syntax never led there');

  await edit('src/barrel.ts', "export { Box } from './crate'\n");
  assert.deepEqual(box(), []);
  for (const merge of ['union', 'prefer-first'] as const) {
    const led = ['src/c.ts:0 syntax', 'src/c.ts:1 syntax'];
    assert.deepEqual(uses(tree, 'src/crate.ts', 'Box#open().', merge), led.slice(1), merge);
    assert.deepEqual(uses(tree, 'src/crate.ts', 'Box#', merge).slice(-2), led, merge);
  }

  const back = await edit('src/barrel.ts', "export { Box } from './a'\n");
  assert.deepEqual([back.snapshotId, back.evidenceId], [snapshotId, arrived.evidenceId]);
  assert.deepEqual([box(), open(tree)], [boxes, byIndexer]);
});

test('what syntax led to nowhere when it arrived counts by its own; that the same is said of a tree where it led is news', async t => {
  const { tree, arrive, edit } = await bench(t, throughBarrel);
  await edit('src/barrel.ts', 'export {}\n');
  const lines = saidThroughBarrel.filter(line => !line.startsWith('src/barrel.ts'));
  const first = await arrive(lines);
  assert.deepEqual(open(tree), byIndexer);
  await edit('src/barrel.ts', "export { Box } from './a'\n");
  const second = await arrive(lines);
  assert.notEqual(second.evidenceId, first.evidenceId);
  await edit('src/barrel.ts', 'export {} // again\n');
  assert.deepEqual(open(tree), ['src/b.ts:0 scip']);
});

test('a document that is renamed leaves its evidence behind, and finds it again', async t => {
  const { work, tree, arrive, snapshotId } = await bench(t);
  const { evidenceId } = await arrive([...defined, ...used]);
  work.git('mv', 'src/b.ts', 'src/moved.ts');
  await tree.changed('src/b.ts', 'src/moved.ts');
  assert.deepEqual(open(tree), ['src/c.ts:1 scip', 'src/moved.ts:0 name']);
  work.git('mv', 'src/moved.ts', 'src/b.ts');
  const back = await tree.changed('src/b.ts', 'src/moved.ts');
  assert.deepEqual([back.snapshotId, back.evidenceId], [snapshotId, evidenceId]);
  assert.deepEqual(open(tree), byIndexer);
});

test('what an indexer saw is what counts: other contents are passed over, whichever way it is known', async t => {
  const { work, tree, arrive, edit } = await bench(t);
  const first = work.git('rev-parse', 'HEAD');
  const seen = contents(work);
  const lines = [...defined, ...used];
  const index = says(path => readFileSync(work.path(path), 'utf8'), lines);
  await edit('src/b.ts', '// first\nexport function use(x: any) { return x.open() }\n');
  const file = temporaryFolder(t).path('index.scip');
  const { outcome } = await hand(tree, file, index, seen, tree.repo);
  assert.deepEqual([outcome.joined, outcome.otherContent], [2, 1]);
  assert.deepEqual(open(tree), ['src/c.ts:1 scip', 'src/b.ts:1 name']);
  const { evidenceId } = await hand(tree, file, index, { kind: 'commit', commit: first }, tree.repo);
  assert.equal(evidenceId, (await tree.crawl()).evidenceId);
  assert.deepEqual(open(tree), ['src/c.ts:1 scip', 'src/b.ts:1 name']);
  await arrive(lines, { kind: 'commit', commit: work.commit('second') });
  assert.deepEqual(open(tree), ['src/b.ts:1 scip', 'src/c.ts:1 scip']);
});

test('who uses what only a file defines that nobody has as the indexer saw it is left to what was known: less takes no place', async t => {
  const { work, tree, arrive, edit, folder } = await bench(t);
  const lines = [...defined, ...used];
  const seen = contents(work);
  const index = says(path => readFileSync(work.path(path), 'utf8'), lines);
  const { evidenceId } = await arrive(lines, seen);
  const text = readFileSync(work.path('src/a.ts'), 'utf8');
  assert.ok(seen.kind === 'contents');
  const unknown = new Map([...seen.contents, ['src/a.ts', 'ab'.repeat(32)]]);
  const edited = await edit('src/a.ts', `// first\n${text}`);
  const again = await hand(tree, folder.path('again.scip'), index, { kind: 'contents', contents: unknown }, tree.repo);
  const { joined, otherContent, incomplete } = again.outcome;
  assert.deepEqual([joined, otherContent, incomplete], [0, 1, 2]);
  assert.equal(again.evidenceId, edited.evidenceId);
  assert.deepEqual(open(tree), byIndexer);
  assert.equal((await edit('src/a.ts', text)).evidenceId, evidenceId);
  assert.deepEqual(open(tree), byIndexer);
});

test('a document that is damaged takes nobody’s place, and tells all the same where its symbols are defined', async t => {
  const { work, tree, arrive, folder } = await bench(t);
  const lines = [...defined, ...used];
  const { seq } = await arrive(lines);
  const said = (those: readonly string[]) => says(name => readFileSync(work.path(name), 'utf8'), those);
  const file = folder.path('damaged.scip');
  const use = await hand(tree, file, damaged(said(lines.slice(0, -1)), 'src/c.ts'), contents(work), tree.repo);
  assert.deepEqual([use.outcome.joined, use.outcome.damaged, use.seq], [2, 1, seq]);
  assert.deepEqual(open(tree), byIndexer);
  const other = [...defined, 'src/b.ts open means a/Box#'];
  const definition = await hand(tree, file, damaged(said(other), 'src/a.ts'), contents(work), tree.repo);
  assert.deepEqual([definition.outcome.joined, definition.outcome.damaged], [1, 1]);
  assert.deepEqual(uses(tree, 'src/a.ts', 'Box#').slice(0, 1), ['src/b.ts:0 scip']);
});

test('of two indexers the later has its way with a document, and leaves those of which it says nothing', async t => {
  const { tree, arrive } = await bench(t, `${sources}  -- src/d.ts --\n  export class Door { open() { return 2 } }\n`);
  await arrive([...defined, ...used]);
  const doors = ['src/d.ts Door defines d/Door#', 'src/d.ts open defines d/Door#open().'];
  const later = await arrive([...doors, 'src/b.ts open means d/Door#open().']);
  assert.deepEqual(open(tree), ['src/c.ts:1 scip']);
  assert.deepEqual(uses(tree, 'src/d.ts', 'Door#open().'), ['src/b.ts:0 scip']);
  const silent = await arrive(['src/b.ts']);
  assert.notEqual(silent.evidenceId, later.evidenceId);
  assert.deepEqual(open(tree), ['src/c.ts:1 scip']);
  assert.deepEqual(uses(tree, 'src/d.ts', 'Door#open().'), []);
  const again = await arrive([...doors, 'src/b.ts open means d/Door#open().']);
  assert.equal(again.evidenceId, later.evidenceId);
  const same = await arrive([...doors, 'src/b.ts open means d/Door#open().']);
  assert.deepEqual([same.seq, same.evidenceId], [again.seq, again.evidenceId]);
});

test('what somebody brought stays where our own indexer read the same tree, unless it is forced', async t => {
  const { tree, arrive, edit } = await bench(t);
  const lines = [...defined, ...used];
  const run = (isForced: boolean) =>
    arrive([...defined, 'src/b.ts', ...used.slice(1)], undefined, undefined, { isForced });
  const byOurs = ['src/c.ts:1 scip', 'src/b.ts:0 name'];
  const { seq } = await arrive(lines);
  assert.deepEqual([(await run(false)).seq, open(tree)], [seq, byIndexer]);
  await run(true);
  assert.deepEqual(open(tree), byOurs);
  await arrive(lines);
  assert.deepEqual(open(tree), byIndexer, 'what is brought takes every place');
  await edit('src/d.ts', 'export const d = 1\n');
  await run(false);
  assert.deepEqual(open(tree), byOurs, 'of another tree');
});

test('each worktree has its own evidence: what names mean hangs on the tree around them', async t => {
  const { work, tree, arrive } = await bench(t);
  const place = temporaryFolder(t).path('second');
  work.git('worktree', 'add', '--quiet', place);
  const second = { ...tree.repo, id: 'second', root: place, worktreeKey: 'second' };
  const index = (paths?: readonly string[]) =>
    tree.engine.index(
      second,
      paths === undefined ? { kind: 'recrawl', reason: 'start' } : { kind: 'paths', paths: new Set(paths) },
    );
  await index();
  const lines = [...defined, ...used];
  const { evidenceId } = await arrive(lines);
  assert.deepEqual(open({ repo: second }), bySyntax);
  work.git('-C', place, 'mv', 'src/b.ts', 'src/moved.ts');
  await index(['src/b.ts', 'src/moved.ts']);
  work.git('-C', place, 'mv', 'src/moved.ts', 'src/b.ts');
  assert.equal((await index(['src/b.ts', 'src/moved.ts'])).evidenceId, '');
  const there = await arrive(lines, contents(work), second);
  assert.deepEqual([there.outcome.joined, there.evidenceId], [3, evidenceId]);
  assert.deepEqual(open({ repo: second }), byIndexer);
  await tree.engine.forget(second);
  assert.deepEqual(open(tree), byIndexer);
  assert.equal((await index()).evidenceId, '', 'gone with it');
});

test('what is collected is what another took the place of, never what is in use or may come back', async t => {
  const { tree, arrive, edit } = await bench(t);
  await arrive([...defined, 'src/b.ts open means a/Box#']);
  await arrive([...defined, ...used]);
  const { evidenceId } = await edit('src/c.ts', 'export const c = 1\n');
  const rows = () => countRows(tree, 'precise', 'precise_body');
  await collect(tree);
  assert.deepEqual(rows(), [4, 4], 'older snapshots can be read');
  for (const text of ['2', '3', '4', '5', '6']) await edit('src/d.ts', `export const d = ${text}\n`);
  await collect(tree);
  assert.deepEqual(rows(), [3, 3]);
  assert.deepEqual(open(tree), ['src/b.ts:0 scip']);
  assert.equal((await tree.crawl()).evidenceId, evidenceId);
  await edit('src/c.ts', "import { Box } from './a'\nnew Box().open()\n");
  assert.deepEqual(open(tree), byIndexer);
});

test('what was said of a tree that had other files is not collected for what was said of a later one', async t => {
  const { tree, arrive, edit } = await bench(t);
  const then = 'export const d = 0\n';
  await edit('src/d.ts', then);
  const { evidenceId } = await arrive([...defined, ...used]);
  await edit('src/d.ts', 'export const d = 1\n');
  await arrive([...defined, 'src/b.ts', ...used.slice(1)]);
  assert.deepEqual(open(tree), ['src/c.ts:1 scip', 'src/b.ts:0 name']);
  for (const text of ['2', '3', '4', '5', '6']) await edit('src/d.ts', `export const d = ${text}\n`);
  await collect(tree);
  assert.equal((await edit('src/d.ts', then)).evidenceId, evidenceId);
  assert.deepEqual(open(tree), byIndexer);
});

/** As a daemon that rests does, an hour later. */
async function collect({ engine, repo }: IndexedTree): Promise<void> {
  await engine.release(repo.indexFile);
  const writer = openIndexWriter(repo.indexFile);
  while (writer.collect(Date.now() + 3_600_000));
  writer.close();
}

function countRows({ repo }: IndexedTree, ...tables: readonly string[]): readonly number[] {
  const database = new Database(repo.indexFile, { readonly: true });
  try {
    return tables.map(table => (database.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n);
  } finally {
    database.close();
  }
}

const damages: Readonly<Record<string, string>> = {
  'its body': 'UPDATE precise_body SET body = zeroblob(length(body))',
  'a flipped bit': "UPDATE precise_body SET body = CAST(substr(body, 1, 40) || x'55' || substr(body, 42) AS BLOB)",
  'what it is of': 'UPDATE precise SET hash = zeroblob(32)',
  'what it says, as evidence ids have it': 'UPDATE precise SET content = zeroblob(32)',
  'a body that is gone': 'DELETE FROM precise_body',
  'a row that is gone': 'DELETE FROM precise',
  'a post that is gone': 'DELETE FROM precise_post',
};

for (const [what, statement] of Object.entries(damages)) {
  test(`damage of evidence is found at rest, told, and leaves the answers of syntax: ${what}`, async t => {
    const { tree, arrive } = await bench(t);
    await arrive([...defined, ...used]);
    await tree.engine.release(tree.repo.indexFile);
    const database = new Database(tree.repo.indexFile);
    assert.ok(database.prepare(statement).run().changes > 0);
    database.close();
    assert.throws(() => compare(tree), { name: 'StoreError', trouble: 'corrupt' });
    await tree.engine.mend(tree.repo, 'a digest does not hold');
    assert.ok(tree.notices.some(({ kind }) => kind === 'index_mended' || kind === 'index_quarantined'));
    const { evidenceId } = await tree.crawl();
    compare(tree);
    assert.deepEqual([evidenceId, open(tree)], ['', bySyntax]);
    const fresh = await freshDump(t, tree.repo.root);
    assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
  });
}

/** Compares a whole index file with its digests. */
function compare({ repo }: IndexedTree): void {
  let place: ScrubPlace | undefined;
  do place = scrub(repo.indexFile, place, () => false);
  while (place !== undefined);
}

test('an index that evidence has come and gone in is a fresh one of the same tree', async t => {
  const { work, tree, arrive, edit } = await bench(t);
  await arrive([...defined, ...used]);
  for (const path of ['src/a.ts', 'src/b.ts', 'src/c.ts'])
    await edit(path, `${readFileSync(work.path(path), 'utf8')}// x\n`);
  const fresh = await freshDump(t, work.root);
  assert.equal(tree.dump().hash, fresh.hash, dumpDifference(tree.dump(), fresh));
});

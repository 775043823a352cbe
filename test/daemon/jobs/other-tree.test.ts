import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { SeenContents } from '../../../daemon/jobs/scip/scip-source.ts';
import type { PartOf, ScipIndex } from '../../support/scip.ts';
import { bench, contents, damaged, hand, open, uses } from './evident-tree.ts';
import { dumpDifference } from './indexed-tree.ts';
import { says } from './says.ts';

const text = `
  -- src/a.ts --
  export class Box { open() { return 1 } }
  export const limit = 4
  -- src/barrel.ts --
  export { Box } from './a'
  -- src/b.ts --
  export function use(x: any) { return x.open() }
  -- src/c.ts --
  import { Box } from './barrel'
  new Box().open()
  -- src/d.ts --
  import { limit } from './a'
  export const most = limit
  -- src/own.ts --
  export const own = 1
`;
const lines = [
  ...['src/a.ts Box defines a/Box#', 'src/a.ts open defines a/Box#open().', 'src/a.ts limit defines a/limit.'],
  ...['src/barrel.ts Box means a/Box#', 'src/b.ts use defines b/use().', 'src/b.ts open means a/Box#open().'],
  ...['src/c.ts Box means a/Box#', 'src/c.ts Box 1 means a/Box#', 'src/c.ts open means a/Box#open().'],
  ...['src/d.ts limit means a/limit.', 'src/d.ts most defines d/most.', 'src/d.ts limit 1 means a/limit.'],
  'src/own.ts own defines own/own.',
];

type Bench = Awaited<ReturnType<typeof bench>>;

/** A tree, and the index that was made of it as its first commit has it. */
async function made(t: TestContext) {
  const there = await bench(t, text);
  const { work, tree, folder } = there;
  const index = says(path => readFileSync(work.path(path), 'utf8'), lines);
  const commit = work.git('rev-parse', 'HEAD');
  const given = (seen: SeenContents, other: PartOf<ScipIndex> = index) =>
    hand(tree, folder.path('index.scip'), other, seen, tree.repo);
  return { ...there, index, commit, given };
}

const edits: Readonly<Record<string, (work: Bench['work']) => void>> = {
  'lines were added above what is used'(work) {
    work.write('src/a.ts', `// one\n// two\n${readFileSync(work.path('src/a.ts'), 'utf8')}`);
  },
  'what is used got another name': work => work.write('src/a.ts', '\nexport class Box { shut() {} }\n'),
  'the way to it leads elsewhere': work => work.write('src/barrel.ts', '\nexport class Box { open() {} }\n'),
  'the way to it is gone': work => work.remove('src/barrel.ts'),
  'where it was defined is gone': work => work.remove('src/a.ts'),
  'who uses it moved': work => work.git('mv', 'src/c.ts', 'src/moved.ts'),
  'where it was defined moved': work => work.git('mv', 'src/a.ts', 'src/box.ts'),
  'all of it was edited'(work) {
    for (const path of ['src/a.ts', 'src/barrel.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'])
      work.write(path, `\n${readFileSync(work.path(path), 'utf8')}`);
  },
  'a commit changed what is used'(work) {
    work.write('src/a.ts', '\nexport class Box { open(wide: boolean) { return wide } }\n');
    work.write('src/e.ts', "import { Box } from './a'\nnew Box().open(true)\n");
    work.commit('second');
  },
};

for (const [what, edit] of Object.entries(edits)) {
  test(`an index of a commit says the same whether the tree was edited before it came or after: ${what}`, async t => {
    const [before, after] = [await made(t), await made(t)];
    const clean = await after.given({ kind: 'commit', commit: after.commit });
    const inFull = after.tree.dump();
    edit(after.work);
    await after.tree.crawl();
    edit(before.work);
    await before.tree.crawl();
    const { outcome } = await before.given({ kind: 'commit', commit: before.commit });
    assert.deepEqual([outcome.joined + outcome.awaited, outcome.incomplete], [6, 0]);
    assert.equal(
      before.tree.dump().hash,
      after.tree.dump().hash,
      dumpDifference(before.tree.dump(), after.tree.dump()),
    );
    assert.equal((await before.given({ kind: 'commit', commit: before.commit })).documentsLinked, 0, 'nothing new');
    before.work.git('checkout', '--quiet', '--force', before.commit, '--', '.');
    before.work.git('clean', '--quiet', '--force', '-d');
    for (const path of ['src/e.ts', 'src/moved.ts', 'src/box.ts']) before.work.remove(path);
    assert.equal((await before.tree.crawl()).evidenceId, clean.evidenceId, 'undone');
    assert.equal(before.tree.dump().hash, inFull.hash, dumpDifference(before.tree.dump(), inFull));
  });
}

test('without a commit an index is of what HEAD has where its names do not stand in the tree', async t => {
  for (const [what, edit] of Object.entries(edits)) {
    const [named, unnamed] = [await made(t), await made(t)];
    for (const { work, tree } of [named, unnamed]) {
      edit(work);
      if (what.startsWith('a commit')) work.git('checkout', '--quiet', '--force', named.commit);
      await tree.crawl();
    }
    await named.given({ kind: 'commit', commit: named.commit });
    const { outcome } = await unnamed.given({ kind: 'tree' });
    assert.deepEqual([what, outcome.joined + outcome.awaited], [what, 6]);
    assert.equal(
      unnamed.tree.dump().hash,
      named.tree.dump().hash,
      dumpDifference(unnamed.tree.dump(), named.tree.dump()),
    );
  }
});

test('what a file of another content defines is used precisely as long as it is there, and where it is not, by syntax', async t => {
  const { work, tree, edit, given, commit } = await made(t);
  await edit('src/a.ts', '\n\nexport class Box { open() { return 2 } }\n');
  const { outcome } = await given({ kind: 'commit', commit });
  assert.deepEqual([outcome.joined, outcome.awaited, outcome.otherContent, outcome.occurrences], [5, 1, 1, 7]);
  assert.deepEqual(open(tree), ['src/b.ts:0 scip', 'src/c.ts:1 scip']);
  assert.deepEqual(uses(tree, 'src/a.ts', 'limit.'), []);
  await edit('src/a.ts', '\n\nexport const limit = 5\n');
  assert.deepEqual(open(tree), []);
  assert.deepEqual(uses(tree, 'src/a.ts', 'limit.'), ['src/d.ts:0 scip', 'src/d.ts:1 scip']);
  work.git('checkout', '--quiet', '--', '.');
  await tree.crawl();
  assert.deepEqual(open(tree), ['src/b.ts:0 scip', 'src/c.ts:1 scip']);
});

test('a file that was edited where no name stands is the tree’s, as far as names tell', async t => {
  const { tree, edit, given, commit } = await made(t);
  await edit('src/a.ts', 'export class Box { open() { return 2 } }\nexport const limit = 5\n');
  const evident = await given({ kind: 'tree' });
  assert.deepEqual([evident.outcome.joined, evident.outcome.awaited, evident.outcome.otherContent], [6, 0, 0]);
  await edit('src/b.ts', '\nexport function use(x: any) { return x.open() }\n');
  const mixed = await given({ kind: 'tree' });
  assert.deepEqual([mixed.outcome.joined, mixed.outcome.awaited, mixed.outcome.otherContent], [5, 1, 1]);
  const named = await given({ kind: 'commit', commit });
  assert.deepEqual([named.outcome.joined, named.outcome.awaited, named.outcome.otherContent], [4, 2, 2]);
  assert.deepEqual(open(tree).at(-1), 'src/b.ts:1 name');
});

test('of the tree and HEAD a file is of that against which fewer names speak', async t => {
  const names = Array.from({ length: 60 }, (_, at) => `word${at}`);
  const source = names.map(name => `export const ${name} = 1`).join('\n');
  const { work, tree, edit, folder } = await bench(t, `-- src/a.ts --\n${source}\n`);
  const index = says(
    path => readFileSync(work.path(path), 'utf8'),
    names.map(name => `src/a.ts ${name} defines a/${name}.`),
  );
  await edit('src/a.ts', `${source.replace('word7 ', 'other ')}\n`);
  const ofHead = await hand(tree, folder.path('index.scip'), index, { kind: 'tree' }, tree.repo);
  assert.deepEqual([ofHead.outcome.joined, ofHead.outcome.awaited], [0, 1]);
  work.commit('renamed');
  const ofTree = await hand(tree, folder.path('index.scip'), index, { kind: 'tree' }, tree.repo);
  assert.deepEqual([ofTree.outcome.joined, ofTree.outcome.awaited], [1, 0], 'generated names may stand anywhere');
});

test('of what nobody has the indexer’s content, the rest is taken in but for those who use what it defines', async t => {
  const { work, tree, edit, given, commit, index } = await made(t);
  const blob = work.git('rev-parse', 'HEAD:src/a.ts');
  const seen = contents(work);
  assert.ok(seen.kind === 'contents');
  await edit('src/a.ts', '\nexport class Box { open() {} }\n');
  rmSync(work.path(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`));
  const expected = [1, 0, 4, 1, 0];
  const counts = async (seen: SeenContents, other?: PartOf<ScipIndex>) => {
    const { joined, awaited, incomplete, otherContent, damaged } = (await given(seen, other)).outcome;
    return [joined, awaited, incomplete, otherContent, damaged];
  };
  assert.deepEqual(await counts({ kind: 'commit', commit }), expected, 'an object that is not here');
  assert.deepEqual(await counts({ kind: 'tree' }), expected, 'neither the tree’s nor HEAD’s');
  const unknown = new Map([...seen.contents, ['src/a.ts', 'ab'.repeat(32)]]);
  assert.deepEqual(await counts({ kind: 'contents', contents: unknown }), expected, 'a content that never was here');
  assert.deepEqual(
    await counts({ kind: 'commit', commit }, damaged(index, 'src/a.ts')),
    [1, 0, 4, 0, 1],
    'and damaged',
  );
  assert.deepEqual(open(tree).at(-1), 'src/b.ts:0 name');
});

test('a document that is damaged tells where its symbols are defined, also of another content than the tree’s', async t => {
  const { tree, edit, given, commit, index } = await made(t);
  await edit('src/a.ts', '\nexport class Box { open() {} }\n');
  const { outcome } = await given({ kind: 'commit', commit }, damaged(index, 'src/a.ts'));
  assert.deepEqual([outcome.joined, outcome.awaited, outcome.damaged, outcome.incomplete], [5, 0, 1, 0]);
  assert.deepEqual(open(tree), ['src/b.ts:0 scip', 'src/c.ts:1 scip']);
});

test('what an indexer ran over counts for that, though files were edited before it came in', async t => {
  const [before, after] = [await made(t), await made(t)];
  const edit = '\n\nexport class Box { open() { return 2 } }\n';
  await after.given(contents(after.work));
  await after.edit('src/a.ts', edit);
  const seen = contents(before.work);
  await before.edit('src/a.ts', edit);
  const { outcome } = await before.given(seen);
  assert.deepEqual([outcome.joined, outcome.awaited], [5, 1]);
  assert.equal(before.tree.dump().hash, after.tree.dump().hash, dumpDifference(before.tree.dump(), after.tree.dump()));
});

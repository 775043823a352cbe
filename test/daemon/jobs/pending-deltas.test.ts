import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { DeltaArtifact } from '../../../client/protocol/delta.ts';
import type { CheckedDelta } from '../../../daemon/jobs/delta/check-delta.ts';
import type { DeltaOutcome } from '../../../daemon/jobs/delta/run-delta.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { gitRepository, temporaryFolder, type Workspace, workspace } from '../../support/repository.ts';
import { dumpDifference, freshDump, indexedTree } from './indexed-tree.ts';

/** Artifacts that were taken in before the work tree had their files: which of them wait, and for how long. */

const mostBytes = 2 ** 20;
const files = `
-- src/one.ts --
import { two } from './two';
export function one(): number { return two(); }
-- src/two.ts --
export function two(): number { return 2; }
-- src/far.ts --
export const far = 1;
`;

/** A clone that stands at the first of some commits, and the artifacts between each and the next. */
async function clonesAlong(t: TestContext, ...steps: readonly ((ci: Workspace) => void)[]) {
  const ci = gitRepository(t, files);
  const folder = temporaryFolder(t);
  folder.git('clone', '--quiet', '--no-hardlinks', ci.root, 'dev');
  const dev = workspace(folder.path('dev'));
  const there = indexedTree(t, ci.root);
  const commits = [ci.git('rev-parse', 'HEAD')];
  const built: DeltaArtifact[] = [];
  for (const step of steps) {
    step(ci);
    commits.push(ci.commit());
    await there.crawl();
    const output = folder.path('delta.json');
    const build = { base: 'HEAD~1', head: undefined, output, mostBytes, timestamp: 1 };
    await there.engine.delta(there.repo, { kind: 'build', build });
    built.push(JSON.parse(readFileSync(output, 'utf8')) as DeltaArtifact);
  }
  const index = indexedTree(t, dev.root);
  await index.crawl();
  dev.git('fetch', '--quiet', 'origin');
  const ingest = async (artifact: DeltaArtifact): Promise<Checked> => {
    const given = { text: Buffer.from(JSON.stringify(artifact)), file: undefined, mostBytes, mostDepth: 64 };
    const outcome = await index.engine.delta(index.repo, { kind: 'ingest', artifact: given });
    assert.ok(outcome.kind === 'checked');
    return outcome;
  };
  /** Which artifacts wait, by what they lead to. */
  const waiting = (): readonly number[] => {
    const reader = openIndexReader(index.repo.indexFile);
    try {
      const taken = reader.takenDeltas(index.repo.worktreeKey).filter(({ awaited }) => awaited !== undefined);
      return taken.map(one => built.findIndex(other => other.new_snapshot_id === one.snapshotId));
    } finally {
      reader.close();
    }
  };
  return { ci, dev, commits, built, index, ingest, waiting };
}

type Checked = Extract<DeltaOutcome, { readonly kind: 'checked' }>;

const edit =
  (path: string, ...lines: readonly string[]) =>
  (tree: Workspace): void =>
    tree.write(path, `${lines.join('\n')}\n`);
const second = edit(
  'src/two.ts',
  'export function two(): number { return three(); }',
  'function three() { return 3; }',
);
const third = edit('src/one.ts', "import { two } from './two';", 'export const one = () => two() + 1;');

/** What speaks against it; what can't be looked at for that is left out. */
const reasonsOf = ({ problems }: CheckedDelta) =>
  problems.map(({ reason }) => reason).filter(reason => reason !== 'unchecked');

test('an artifact is what it does: built anew, in another order or without facts it is the one that waits already', async t => {
  const { dev, commits, built, index, ingest, waiting } = await clonesAlong(t, tree => {
    second(tree);
    third(tree);
  });
  const [artifact] = built as [DeltaArtifact];
  const { facts: _, ...rest } = artifact;
  const { refs } = artifact.deltas;
  const same = [
    artifact,
    { ...artifact, timestamp: 2 },
    { ...artifact, commit: artifact.commit!.toUpperCase() },
    { ...artifact, deltas: { ...artifact.deltas, refs: { added: refs.added.toReversed(), deleted: refs.deleted } } },
    rest,
  ];
  for (const one of same) {
    const { checked, waits } = await ingest(one);
    assert.deepEqual([reasonsOf(checked), waits, waiting()], [[], true, [0]]);
  }
  const wrong = { ...artifact, stats: { ...artifact.stats, refsAdded: artifact.stats.refsAdded + 1 } };
  assert.deepEqual(reasonsOf((await ingest(wrong)).checked), ['invalid'], 'what it says must hold all the same');
  dev.git('checkout', '--quiet', commits[1]!);
  const { seq } = await index.crawl();
  assert.deepEqual(waiting(), []);
  for (const one of [...same, { ...artifact, timestamp: 3 }]) {
    const { checked, published, waits } = await ingest(one);
    assert.deepEqual([reasonsOf(checked), checked.isKnown, published?.seq, waits], [[], true, seq, false]);
  }
  assert.deepEqual(reasonsOf((await ingest(wrong)).checked), ['invalid']);
});

test('what waits is forgotten for no edit and no other branch, and is there once HEAD is', async t => {
  const { dev, commits, built, index, ingest, waiting } = await clonesAlong(t, second);
  assert.equal((await ingest(built[0]!)).waits, true);
  dev.write('src/two.ts', 'export const mine = 1;\n');
  await index.changed('src/two.ts');
  assert.deepEqual(waiting(), [0], 'an edit');
  dev.git('checkout', '--quiet', '--', 'src/two.ts');
  await index.changed('src/two.ts');
  assert.deepEqual(waiting(), [0], 'an edit that is taken back');
  dev.git('checkout', '--quiet', '-b', 'side');
  edit('src/two.ts', 'export const side = 1;')(dev);
  dev.commit();
  await index.crawl();
  assert.deepEqual(waiting(), [0], 'a branch that has something else there');
  dev.git('checkout', '--quiet', commits[0]!);
  await index.restart();
  await index.crawl();
  assert.deepEqual(waiting(), [0], 'a start');
  dev.git('reset', '--quiet', '--soft', commits[1]!);
  dev.write('src/two.ts', 'export const mine = 1;\n');
  await index.changed('src/two.ts');
  assert.deepEqual(waiting(), [], 'what lies uncommitted is none of its business');
  dev.git('checkout', '--quiet', '--force', commits[0]!);
  await index.crawl();
  assert.deepEqual(waiting(), [], 'it was there once');
  assert.equal((await ingest(built[0]!)).waits, true, 'until it is sent again');
});

test('files that the tree has by another way than git are there, too', async t => {
  const { dev, built, index, ingest, waiting } = await clonesAlong(t, second);
  await ingest(built[0]!);
  second(dev);
  await index.changed('src/two.ts');
  assert.deepEqual(waiting(), []);
});

test('artifacts wait in a row, each on the one before, and all are there at once', async t => {
  const away = edit('src/two.ts', 'export function two(): number { return 2; }');
  const { dev, commits, built, index, ingest, waiting } = await clonesAlong(t, second, third, away);
  const early = await ingest(built[1]!);
  assert.deepEqual([reasonsOf(early.checked), early.waits], [['wrong_base'], undefined]);
  dev.write('src/far.ts', 'export const far = 2;\n');
  await index.changed('src/far.ts');
  const before = index.dump().hash;
  for (const [nth, artifact] of built.entries()) {
    const { checked, waits } = await ingest(artifact);
    assert.deepEqual([reasonsOf(checked), checked.base, waits], [[], nth === 0 ? 'head' : 'pending', true]);
    assert.deepEqual(
      waiting(),
      built.slice(0, nth + 1).map((_, at) => at),
    );
  }
  assert.equal(index.dump().hash, before, 'nothing of them is active');
  assert.deepEqual([reasonsOf((await ingest(built[0]!)).checked), waiting()], [[], [0, 1, 2]]);
  const { deltas, stats } = built[2]!;
  assert.ok(deltas.refs.deleted.length > 0);
  const fewer = { ...deltas, refs: { ...deltas.refs, deleted: [] } };
  const lying = { ...built[2]!, deltas: fewer, stats: { ...stats, refsDeleted: 0 } };
  assert.ok(reasonsOf((await ingest(lying)).checked).includes('invalid'), 'rows follow from the files on any base');
  dev.git('checkout', '--quiet', commits[1]!);
  await index.crawl();
  assert.deepEqual(waiting(), [1, 2]);
  dev.git('checkout', '--quiet', commits[3]!);
  const { filesParsed } = await index.crawl();
  assert.deepEqual([waiting(), filesParsed], [[], 0], 'their facts came with them');
  const fresh = await freshDump(t, dev.root);
  assert.equal(index.dump().hash, fresh.hash, dumpDifference(fresh, index.dump()));
  assert.deepEqual(reasonsOf((await ingest(built[2]!)).checked), []);
  const passed = await ingest(built[0]!);
  assert.deepEqual(reasonsOf(passed.checked), ['wrong_base'], 'the tree has gone past what it leads to');
});

test('an artifact whose commit the clone has not waits for its files, wherever else these were found', async t => {
  const { dev, commits, built, index, ingest, waiting } = await clonesAlong(t, second);
  const foreign = { ...built[0]!, commit: '0'.repeat(40) };
  const { commit: _, ...nameless } = built[0]!;
  for (const artifact of [foreign, nameless]) {
    const { checked, published, waits, awaitedCommit, isActive } = await ingest(artifact);
    assert.deepEqual([reasonsOf(checked), waits, isActive], [[], true, false]);
    assert.notEqual(published?.snapshotId, checked.newSnapshotId);
    assert.equal(awaitedCommit, commits[1], 'which has them');
  }
  assert.deepEqual(waiting(), [0]);
  dev.git('checkout', '--quiet', commits[1]!);
  await index.crawl();
  assert.deepEqual(waiting(), []);
  for (const artifact of [foreign, built[0]!]) {
    const { waits, isActive } = await ingest(artifact);
    assert.deepEqual([waits, isActive], [false, true]);
  }
});

test('what leads back to files that HEAD is past waits for these alone', async t => {
  const away = edit('src/two.ts', 'export function two(): number { return 2; }');
  const { dev, commits, built, index, ingest, waiting } = await clonesAlong(t, second, away);
  dev.git('checkout', '--quiet', commits[1]!);
  dev.git('update-ref', 'ORIG_HEAD', commits[0]!);
  dev.write('.git/FETCH_HEAD', '');
  await index.crawl();
  for (const commit of ['0'.repeat(40), commits[0]!]) {
    const { checked, waits, awaitedCommit } = await ingest({ ...built[1]!, commit });
    assert.deepEqual([reasonsOf(checked), waits, awaitedCommit, waiting()], [[], true, undefined, [1]], commit);
  }
  dev.write('src/far.ts', 'export const far = 5;\n');
  dev.commit();
  await index.crawl();
  assert.deepEqual(waiting(), [1], 'HEAD has other files yet');
  away(dev);
  dev.commit();
  dev.write('src/two.ts', 'export const mine = 1;\n');
  await index.crawl();
  assert.deepEqual(waiting(), [], 'HEAD has them, whatever lies uncommitted');
});

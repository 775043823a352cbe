import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { clonesOf, type Ingested } from '../daemon/jobs/delta-clones.ts';
import { dumpDifference, freshDump } from '../daemon/jobs/indexed-tree.ts';
import type { Workspace } from '../support/repository.ts';
import { killedInDelta } from './killed-deltas.ts';
import { killerAt } from './killers.ts';

/** Artifacts that are taken in while something else happens: a death, a save, another that takes in the same. */

test('a process killed while it takes in an artifact leaves one snapshot or the other, and the next one comes to the new (P8)', t =>
  killedInDelta(t, ['before-commit', 'after-commit'].map(killerAt)));

test('of two who take in the same artifact at once one publishes it, and both hear the same', async t => {
  const { built, dev, index, head, ingest } = await clonesOf(t);
  dev.git('checkout', '--quiet', head);
  const seqBefore = (await index.changed()).seq;
  const both = (await Promise.all([ingest(built), ingest(built)])) as Ingested[];
  for (const { checked, published } of both) {
    assert.deepEqual(checked.problems, []);
    assert.deepEqual([published?.snapshotId, published?.seq], [built.new_snapshot_id, seqBefore + 1]);
  }
  assert.deepEqual(
    both.map(({ checked }) => checked.isKnown),
    [false, true],
  );
  await isFresh(t, dev, index);
});

/** In which order a watcher's run and the artifact come to the index. */
const orders = [
  { what: 'a save of a file that the artifact names', path: 'src/parser.ts', isFirst: true },
  { what: 'a save of a file that the artifact names', path: 'src/parser.ts', isFirst: false },
  { what: 'a save of another file', path: 'src/main.ts', isFirst: true },
  { what: 'a save of another file', path: 'src/main.ts', isFirst: false },
];

for (const { what, path, isFirst } of orders) {
  test(`${what} at the same time, ${isFirst ? 'before' : 'behind'} the artifact: the index is the tree's`, async t => {
    const { built, dev, index, head, ingest } = await clonesOf(t);
    dev.git('checkout', '--quiet', head);
    dev.write(path, 'export class Parser { parse(): number { return 0; } }\n');
    const both = isFirst ? [index.changed(path), ingest(built)] : [ingest(built), index.changed(path)];
    const [outcome] = (await Promise.all(both)).filter(one => one !== 'refused' && 'checked' in one);
    assert.deepEqual((outcome as Ingested).checked.problems, []);
    await isFresh(t, dev, index);
  });
}

async function isFresh(
  t: TestContext,
  dev: Workspace,
  index: Awaited<ReturnType<typeof clonesOf>>['index'],
): Promise<void> {
  const fresh = await freshDump(t, dev.root);
  assert.equal(index.dump().hash, fresh.hash, dumpDifference(fresh, index.dump()));
}

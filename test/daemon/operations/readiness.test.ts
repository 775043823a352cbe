import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { everythingExposed } from '../../../daemon/model/privacy.ts';
import { openReaders } from '../../../daemon/operations/readers/open-readers.ts';
import { readiness } from '../../../daemon/operations/readers/readiness.ts';
import type { NameLayer } from '../../../daemon/operations/symbols/name-layers.ts';
import { symbolSearch } from '../../../daemon/operations/symbols/search.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { indexedTree, manyFiles } from '../jobs/indexed-tree.ts';

/** Each step takes a turn. */
async function bench(t: TestContext, tree = manyFiles(250)) {
  const { repo, crawl } = indexedTree(t, temporaryFolder(t, tree).root);
  const { seq } = await crawl();
  const readers = openReaders({ cacheBytes: 2 ** 20, clock: fakeClock() }, reader => ({
    reader,
    search: symbolSearch(reader, 2 ** 20),
  }));
  t.after(readers.close);
  let nowMs = 0;
  const ready = readiness(readers, { monotonicMs: () => (nowMs += 10) });
  const place = { indexFile: repo.indexFile, key: repo.worktreeKey, seq };
  return { readers, ready, place };
}

/** How many turns others have until then. */
async function turnsUntil(end: Promise<void>): Promise<number> {
  let isOver = false;
  void end.then(() => {
    isOver = true;
  });
  for (let turns = 0; ; turns++) {
    if (isOver) return turns;
    await nextTurn();
  }
}

test('a snapshot is made ready in turns, once for all who ask, and as it would be in one go', async t => {
  const { readers, ready, place } = await bench(t);
  const { indexFile, key, seq } = place;
  const made = ready.of(place)!;
  assert.equal(ready.of(place), made);
  assert.ok((await turnsUntil(made)) >= 5);
  assert.equal(ready.of(place), undefined);
  const fresh = openIndexReader(indexFile);
  t.after(() => fresh.close());
  const { reader, search } = readers.of(indexFile);
  const { chains, ...catalogue } = reader.catalogue(key, seq)!;
  const { chains: _, ...inOneGo } = fresh.catalogue(key, seq)!;
  assert.deepEqual(catalogue, inOneGo);
  const tablesOf = (layers: readonly NameLayer[]) =>
    layers.map(({ table, bearers, weights }) => ({ table, bearers, weights }));
  assert.deepEqual(
    tablesOf(search.layersOf(reader.catalogue(key, seq)!)),
    tablesOf(symbolSearch(fresh, 2 ** 20).layersOf(fresh.catalogue(key, seq)!)),
  );
});

test('the order of a list that tells no paths is made in turns too, for each way of showing it', async t => {
  const alike = Array.from({ length: 60 }, (_, at) => `-- d${at}/same.ts --\nexport function same() {}\n`);
  const { ready, place } = await bench(t, alike.join(''));
  const as = { id: 'acme/x', privacy: { ...everythingExposed, exposePaths: false }, secret: 'ab' };
  await ready.of(place);
  // What each file defines, then what it says, then chance.
  assert.ok((await turnsUntil(ready.asListed(place, as)!)) >= 3 * 60);
  assert.equal(ready.asListed(place, as), undefined);
  assert.notEqual(ready.asListed(place, { ...as, secret: 'cd' }), undefined);
});

test('a file that goes in the midst ends it, and who asks next begins anew', async t => {
  const { readers, ready, place } = await bench(t);
  const made = ready.of(place)!;
  readers.forget(place.indexFile);
  await made;
  await ready.of(place);
  assert.equal(ready.of(place), undefined);
  assert.equal(ready.of({ ...place, key: 'nobody' }), undefined);
});

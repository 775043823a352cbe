import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createIndexEngine, type IndexEngine } from '../../daemon/jobs/engine.ts';
import type { RepositoryRecord } from '../../daemon/model/repository.ts';
import { clonesOf, type Ingested } from '../daemon/jobs/delta-clones.ts';
import { dumpDifference, freshDump } from '../daemon/jobs/indexed-tree.ts';
import { differenceOf, indexIn } from '../oracle/stored.ts';
import { temporaryFolder, type Workspace } from '../support/repository.ts';

/** Artifacts that are taken in while something else happens: a death, a save, another that takes in the same. */

test('a process killed while it takes in an artifact leaves one snapshot or the other, and the next one comes to the new', async t => {
  const { built, dev, index, head } = await clonesOf(t);
  const old = index.dump();
  await index.engine.release(index.repo.indexFile);
  dev.git('checkout', '--quiet', head);
  const fresh = await freshDump(t, dev.root);
  const folder = temporaryFolder(t);
  folder.write('delta.json', JSON.stringify(built));
  const engine = createIndexEngine({ extractWorkers: 1, shadowFolder: folder.path('shadow') });
  t.after(() => engine.close());
  const left = new Set<string>();
  for (const place of ['before-commit', 'after-commit']) {
    for (let nth = 1, isOver = false; !isOver; nth++) {
      const label = `${place} ${nth}`;
      const repo = { ...index.repo, indexFile: folder.path(`${place}-${nth}.db`) };
      cpSync(index.repo.indexFile, repo.indexFile);
      isOver = !(await isKilled(repo, folder, `${place}:${place}-${nth}.db:${nth}`));
      const stored = indexIn(repo.indexFile);
      assert.ok([old.hash, fresh.hash].includes(stored.hash), `${label}: ${differenceOf(stored, fresh)}`);
      if (!isOver) left.add(stored.hash);
      const published = await taken(engine, repo, folder);
      assert.equal(published?.snapshotId, built.new_snapshot_id, label);
      assert.equal(differenceOf(indexIn(repo.indexFile), fresh), undefined, label);
      assert.equal((await taken(engine, repo, folder))?.seq, published?.seq, `${label}: once more changes nothing`);
    }
  }
  assert.equal(left.size, 2, 'deaths before the publication and after it');
});

async function isKilled(repo: RepositoryRecord, folder: Workspace, fault: string): Promise<boolean> {
  const program = fileURLToPath(new URL('take-delta.js', import.meta.url));
  const words = [program, JSON.stringify(repo), folder.path('shadow'), folder.path('delta.json')];
  const child = spawn(process.execPath, words, { env: { ...process.env, SVC_FAULT: fault }, stdio: 'ignore' });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (signal === null) assert.equal(code, 0);
  return signal === 'SIGKILL';
}

async function taken(engine: IndexEngine, repo: RepositoryRecord, folder: Workspace) {
  const artifact = { text: undefined, file: folder.path('delta.json'), mostBytes: 2 ** 20, mostDepth: 64 };
  const outcome = await engine.delta(repo, { kind: 'ingest', artifact });
  assert.ok(outcome.kind === 'checked');
  assert.deepEqual(outcome.checked.problems, []);
  return outcome.published;
}

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

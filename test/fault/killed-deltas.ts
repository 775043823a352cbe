import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createIndexEngine, type IndexEngine } from '../../daemon/jobs/engine.ts';
import type { RepositoryRecord } from '../../daemon/model/repository.ts';
import { clonesOf } from '../daemon/jobs/delta-clones.ts';
import { freshDump } from '../daemon/jobs/indexed-tree.ts';
import { differenceOf, indexIn } from '../oracle/stored.ts';
import { briefNode } from '../support/daemon.ts';
import { temporaryFolder, type Workspace } from '../support/repository.ts';
import type { Killer, Killing } from './killers.ts';

/** Kills processes that take in an artifact, at each of their steps: one snapshot is left or the other, and the next comes to the new one. */
export async function killedInDelta(t: TestContext, killers: readonly Killer[]): Promise<void> {
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
  for (const [at, killer] of killers.entries()) {
    for (let nth = 1, isOver = false; !isOver; nth++) {
      const label = `${killer.name} ${nth}`;
      const repo = { ...index.repo, indexFile: folder.path(`${at}-${nth}.db`) };
      cpSync(index.repo.indexFile, repo.indexFile);
      isOver = !(await isKilled(repo, folder, killer.at(nth)));
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
}

async function isKilled(repo: RepositoryRecord, folder: Workspace, { through, env }: Killing): Promise<boolean> {
  const program = fileURLToPath(new URL('take-delta.js', import.meta.url));
  const taking = [...briefNode, program, JSON.stringify(repo), folder.path('shadow'), folder.path('delta.json')];
  const [command = '', ...words] = [...through, ...taking];
  const child = spawn(command, words, { env: { ...process.env, ...env }, stdio: 'ignore' });
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

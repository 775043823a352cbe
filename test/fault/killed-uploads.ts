import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { symbolId } from '../../daemon/model/identity.ts';
import { documents, hashOf, metadata } from '../daemon/jobs/uploads.ts';
import { briefNode, until } from '../support/daemon.ts';
import { type HostedDaemon, homeAt, hostedDaemon } from '../support/hosted-daemon.ts';
import { temporaryFolder } from '../support/repository.ts';
import { scipBytes } from '../support/scip.ts';
import type { Killer, Killing } from './killers.ts';

/** Uploads in the midst of which the daemon dies. */

const repo = 'acme/x';
const first = scipBytes({ metadata, documents: documents.slice(0, 1) });
const second = scipBytes({ metadata, documents });
const helper = symbolId(repo, hashOf('src/lib.ts', 'helper().'));

/** Which of a killer's steps are tried: all of them, or each second one from one on. */
export interface Times {
  readonly first: number;
  readonly step: number;
}

const always: Times = { first: 1, step: 1 };

/** Kills daemons while they take in a further upload of a repository: the old index is left or the new one, and nothing else. */
export async function killedInUpload(
  context: TestContext,
  killers: readonly Killer[],
  times: Times = always,
): Promise<void> {
  const home = shortFolder(context);
  const before = await hostedDaemon(context, { home: homeAt(home) });
  await before.upload(repo, first);
  await before.close();
  const left = await afterEachDeath(context, { home, killers, times }, async (at, label) => {
    const { snapshot, registered, epoch } = at.indexing.repositories.get(repo)!;
    const isNew = snapshot?.counts.files === 2;
    assert.ok(isNew || snapshot?.counts.files === 1, label);
    const last = at.state.database.lastSync(registered.uid);
    assert.deepEqual([last?.snapshotId, last?.epoch, last?.seq], [snapshot?.snapshotId, epoch, isNew ? 2 : 1], label);
    assert.equal(at.state.database.hosted(registered.uid)?.commit, isNew ? 'ef'.repeat(20) : '', label);
    assert.equal((await at.ask('symbols.get', { id: helper })).name, 'helper', label);
    assert.equal((await at.ask('symbols.refs', { id: helper })).total, isNew ? 2 : 1, label);
    await until(`${label}: what was being made goes`, () => at.filesOf(repo)?.length === (isNew ? 4 : 2));
    return isNew;
  });
  assert.deepEqual([...left].sort(), [false, true], 'deaths before the publication and after it');
}

/** The same of the first upload of a repository, which is left whole or not at all. */
export async function killedInFirstUpload(
  context: TestContext,
  killers: readonly Killer[],
  times: Times = always,
): Promise<void> {
  const left = await afterEachDeath(context, { home: shortFolder(context), killers, times }, async (at, label) => {
    const kept = at.indexing.repositories.get(repo);
    if (kept === undefined) assert.equal(at.filesOf(repo), undefined, label);
    else assert.equal((await at.ask('symbols.refs', { id: helper })).total, 2, label);
    return kept !== undefined;
  });
  assert.deepEqual([...left].sort(), [false, true]);
}

/** Kills a daemon at every step in turn, has the next one looked at, and uploads the same to it. */
async function afterEachDeath(
  context: TestContext,
  { home, killers, times }: { readonly home: string; readonly killers: readonly Killer[]; readonly times: Times },
  look: (at: HostedDaemon, label: string) => Promise<boolean>,
): Promise<ReadonlySet<boolean>> {
  const folder = temporaryFolder(context);
  folder.write('second.scip', second);
  const left = new Set<boolean>();
  for (const killer of killers) {
    for (let nth = times.first, isOver = false; !isOver; nth += times.step) {
      const label = `${killer.name} ${nth}`;
      const copy = shortFolder(context);
      cpSync(home, copy, { recursive: true });
      isOver = !(await isKilled(copy, folder.path('second.scip'), killer.at(nth)));
      const at = await hostedDaemon(context, { home: homeAt(copy) });
      const isNew = await look(at, label);
      if (!isOver) left.add(isNew);
      assert.deepEqual(at.uploads(), [], label);
      for (const { status, error } of (await at.ask('jobs.list', { type: 'upload-index', limit: 10 })).jobs)
        assert.ok(status === 'completed' || error?.code === 'interrupted', `${label}: ${status}`);
      assert.equal((await at.upload(repo, second)).data.stats.files, 2, label);
      assert.equal((await at.ask('symbols.refs', { id: helper })).total, 2, label);
      await at.close();
      rmSync(copy, { recursive: true, force: true });
    }
  }
  return left;
}

/** Short, for the socket's path. */
function shortFolder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'svc-'));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function isKilled(home: string, file: string, { through, env }: Killing): Promise<boolean> {
  const program = fileURLToPath(new URL('take-upload.js', import.meta.url));
  const [command = '', ...words] = [...through, ...briefNode, program, home, repo, file];
  const child = spawn(command, words, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (signal === null) assert.equal(code, 0);
  return signal === 'SIGKILL';
}

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { differenceOf, freshIndexes, ready, storedIndex, synced } from '../oracle/stored.ts';
import { callerIn, daemonCommand, type Home, startDaemon, temporaryHome } from '../support/daemon.ts';
import { type Cleanup, gitRepository, temporaryFolder, type Workspace } from '../support/repository.ts';

/** A process that dies at any of its failpoints leaves the old state or the new one, and the next one goes on from there. */

const tree = `
-- a.ts --
import { b } from './b';
export const a = b();
-- b.ts --
export function b() { return 1; }
-- c.py --
def c(): return 1
`;

const quiet = { SVC_HTTP_ENABLED: 'false' };

/** Runs `svc daemon run` with a fault in it until it dies. Gives what `kill` gives; hangs for good where it lives. */
async function dies(home: Home, fault: string): Promise<NodeJS.Signals | number> {
  const [program, ...words] = daemonCommand;
  const child = spawn(program!, words, {
    env: { ...home.env, SVC_FAULT: fault },
    stdio: 'ignore',
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return signal ?? code ?? 0;
}

/** A home whose daemon has indexed a tree and left. */
async function indexedHome(t: Cleanup, workspace: Workspace): Promise<Home> {
  const home = temporaryHome(t, quiet);
  const daemon = await startDaemon(t, home);
  await daemon.client.daemon.addRepo({ root: workspace.root, id: 'app' });
  await ready(daemon);
  assert.equal(await daemon.stop(), 0);
  return home;
}

/** Facts are stored ahead of the snapshot that needs them: the first commit is theirs, the second publishes. */
const updates: readonly { readonly fault: string; readonly leaves: 'old' | 'new' }[] = [
  { fault: 'before-commit:index.db:1', leaves: 'old' },
  { fault: 'after-commit:index.db:1', leaves: 'old' },
  { fault: 'before-commit:index.db:2', leaves: 'old' },
  { fault: 'after-commit:index.db:2', leaves: 'new' },
];

test('a daemon killed in the midst of an update leaves the old snapshot or the new one (P8)', async t => {
  const workspace = gitRepository(t, tree);
  const home = await indexedHome(t, workspace);
  const fresh = freshIndexes(t, workspace.root);
  for (const [round, { fault, leaves }] of updates.entries()) {
    const old = storedIndex(home.places);
    workspace.write('b.ts', `export function b() { return ${round}; }\nexport const more${round} = b;\n`);
    workspace.write(`added${round}.ts`, "export * from './b';\n");
    assert.equal(await dies(home, fault), 'SIGKILL', fault);
    const expected = leaves === 'old' ? old : await fresh();
    assert.equal(differenceOf(storedIndex(home.places), expected), undefined, `${fault} leaves the ${leaves} snapshot`);

    const daemon = await startDaemon(t, home);
    const { results } = await daemon.client.symbols.search({ q: 'b', repo: 'app' });
    assert.ok(results.length > 0, 'it answers before it has looked at the tree');
    await synced(daemon, { repo: 'app', q: 'b' });
    assert.equal(differenceOf(storedIndex(home.places), await fresh()), undefined, `after ${fault}`);
    assert.equal(await daemon.stop(), 0);
  }
});

test('a job whose daemon was killed is failed, interrupted, and the repository is indexed all the same (P8)', async t => {
  const workspace = gitRepository(t, tree);
  const home = temporaryHome(t, quiet);
  const doomed = await startDaemon(t, { ...home, env: { ...home.env, SVC_FAULT: 'before-commit:index.db:1' } });
  const { jobId } = await doomed.client.daemon.addRepo({ root: workspace.root, id: 'app' });
  assert.equal(await doomed.ended, 'SIGKILL');
  const daemon = await startDaemon(t, home);
  const job = await daemon.client.jobs.get({ id: jobId! });
  assert.equal(job.status, 'failed');
  assert.equal(job.error?.code, 'interrupted');
  await ready(daemon);
  assert.equal(differenceOf(storedIndex(home.places), await freshIndexes(t, workspace.root)()), undefined);
});

const starts = [
  'before-rename:daemon.json',
  'after-rename:daemon.json',
  'before-commit:daemon.db:1',
  'after-commit:daemon.db:1',
  'before-commit:daemon.db:2',
  'after-commit:daemon.db:2',
];

test('a daemon killed while it starts is followed by one that answers (P8)', async t => {
  for (const fault of starts) {
    const home = temporaryHome(t, quiet);
    assert.equal(await dies(home, fault), 'SIGKILL', fault);
    await answers(home);
  }
});

test('a daemon killed while it leaves is followed by one that answers (P8)', async t => {
  const places = ['unlink:daemon.json', 'unlink:in-flight', 'rename:daemon.db.backup'];
  for (const fault of places.flatMap(place => [`before-${place}`, `after-${place}`])) {
    const home = temporaryHome(t, quiet);
    const doomed = await startDaemon(t, { ...home, env: { ...home.env, SVC_FAULT: fault } });
    // So that there is something to copy, and a note of what is parsed.
    const { root } = temporaryFolder(t, '-- a.ts --\nexport const a = 1;\n');
    await doomed.client.daemon.addRepo({ root, id: 'app' }).catch(() => {});
    await ready(doomed).catch(() => {});
    assert.equal(await doomed.stop(), 'SIGKILL', fault);
    assert.notEqual(await answers(home), doomed.record.pid, fault);
  }
});

test('a daemon killed while it puts a damaged index aside is followed by one that makes it anew (P8)', async t => {
  const workspace = gitRepository(t, tree);
  const home = await indexedHome(t, workspace);
  const whole = storedIndex(home.places);
  for (const fault of ['before-rename:index.db', 'after-rename:index.db']) {
    writeFileSync(join(home.places.repos, readdirSync(home.places.repos)[0]!, 'index.db'), 'no database\n'.repeat(500));
    assert.equal(await dies(home, fault), 'SIGKILL', fault);
    const daemon = await startDaemon(t, home);
    await ready(daemon);
    await synced(daemon, { repo: 'app', q: 'b' });
    assert.equal(await daemon.stop(), 0);
    assert.equal(differenceOf(storedIndex(home.places), whole), undefined, fault);
  }
});

/** The pid of the daemon that answers; one is started if need be. */
async function answers(home: Home): Promise<number> {
  const caller = callerIn(home, 'may-start');
  try {
    return (await caller.call('daemon.status', {})).pid;
  } finally {
    await caller.close();
  }
}

test('what a daemon published in its last moment is in the sync log of the next (P8)', async t => {
  const workspace = gitRepository(t, tree);
  const home = await indexedHome(t, workspace);
  workspace.write('b.ts', 'export function b() { return 2; }\n');
  assert.equal(await dies(home, 'after-commit:index.db:2'), 'SIGKILL');
  const daemon = await startDaemon(t, home);
  await synced(daemon, { repo: 'app', q: 'b' });
  const { activeSnapshotId, lastDeltaIngested } = await daemon.client.delta.status({ repo: 'app' });
  const { snapshotId } = await synced(daemon, { repo: 'app', q: 'b' });
  assert.equal(activeSnapshotId, snapshotId);
  assert.ok(lastDeltaIngested !== null, 'the first index was no delta, this was one');
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { createClient } from '../../client/client.ts';
import { differenceOf, freshIndexes, ready, storedIndex } from '../oracle/stored.ts';
import { callerIn, daemonCommand, type Home, startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { type Cleanup, gitRepository, type Workspace } from '../support/repository.ts';
import { type Killer, type Killing, killerAt, tracingKillers } from './killers.ts';

/** Every way to kill on this machine; those at commits are always there. */
export const killers: readonly Killer[] = [...tracingKillers, killerAt('before-commit'), killerAt('after-commit')];

const tree = `
-- a.ts --
import { b } from './b';
export const a = b();
-- b.ts --
export function b() { return 1; }
`;

/**
 * Kills daemons at the steps from `from` to `to`, `by` apart, of a first index and of an update, up to the end of leaving:
 * what is stored must be the old snapshot or the new one each time, and the next daemon must come to the new one. Ends
 * early where one lived through it. Gives how many were killed.
 */
export async function sweep(
  t: Cleanup,
  { at }: Killer,
  steps: { readonly from: number; readonly to: number; readonly by: number },
): Promise<number> {
  const workspace = gitRepository(t, tree);
  const fresh = freshIndexes(t, workspace.root);
  const old = await fresh();
  const indexed = await indexedHome(t, workspace);
  workspace.write('b.ts', 'export function b() { return 2; }\nexport const changed = b;\n');
  const changed = await fresh();
  let killed = 0;
  for (const start of [undefined, indexed]) {
    for (let nth = steps.from; nth <= steps.to; nth += steps.by) {
      const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
      if (start !== undefined) cpSync(start.path, home.path, { recursive: true });
      const hasDied = await runUntilDead(home, workspace, at(nth));
      const label = `${start === undefined ? 'a first index' : 'an update'}, killed at ${nth}`;
      const stored = storedOrNone(home);
      const expected = start === undefined ? ['none', changed.hash] : [old.hash, changed.hash];
      assert.ok(expected.includes(stored), label);
      const next = await startDaemon(t, home);
      await next.client.daemon.addRepo({ root: workspace.root, id: 'app' });
      await hasChange(next.client);
      assert.equal(differenceOf(storedIndex(home.places), changed), undefined, label);
      assert.deepEqual((await next.client.jobs.list({ status: 'running' })).jobs, [], label);
      assert.equal(await next.stop(), 0);
      if (!hasDied) break;
      killed++;
    }
  }
  return killed;
}

async function indexedHome(t: Cleanup, workspace: Workspace): Promise<Home> {
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const daemon = await startDaemon(t, home);
  await daemon.client.daemon.addRepo({ root: workspace.root, id: 'app' });
  await ready(daemon);
  assert.equal(await daemon.stop(), 0);
  return home;
}

/** Runs a daemon that comes to the new snapshot and leaves, unless it dies before. */
async function runUntilDead(home: Home, workspace: Workspace, { through, env }: Killing) {
  const [program, ...words] = [...through, ...daemonCommand];
  const child = spawn(program!, words, { env: { ...home.env, ...env }, stdio: 'ignore' });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const caller = callerIn(home);
  const client = createClient(caller);
  try {
    await until('it is up, or dead', async () => {
      if (child.exitCode !== null || child.signalCode !== null) return true;
      return client.daemon.addRepo({ root: workspace.root, id: 'app' }).catch(() => false);
    });
    await hasChange(client, () => child.exitCode !== null || child.signalCode !== null);
  } finally {
    await caller.close();
    child.kill('SIGTERM');
  }
  const [, signal] = await ended;
  return signal === 'SIGKILL';
}

function hasChange(client: ReturnType<typeof createClient>, isOver = () => false): Promise<void> {
  return until('the change is in', async () => {
    if (isOver()) return true;
    const found = await client.symbols.search({ q: 'changed', repo: 'app', sync: true }).catch(() => undefined);
    return found?.results[0]?.name === 'changed';
  });
}

/** The hash of what is stored; `none` where there is no index yet, or no snapshot in it. */
function storedOrNone({ places }: Home): string {
  const files = existsSync(places.repos) ? readdirSync(places.repos, { recursive: true, encoding: 'utf8' }) : [];
  if (!files.some(name => name.endsWith('/index.db'))) return 'none';
  try {
    const stored = storedIndex(places);
    return stored.lines.length === 0 ? 'none' : stored.hash;
  } catch (error) {
    // Killed before its tables were there.
    assert.match(String(error), /no such table/);
    return 'none';
  }
}

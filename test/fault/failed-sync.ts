import assert from 'node:assert/strict';
import { Fault } from '../../client/protocol/faults.ts';
import { Database } from '../../daemon/store/sqlite.ts';
import { differenceOf, freshIndexes, storedIndex } from '../oracle/stored.ts';
import { startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { type Cleanup, gitRepository } from '../support/repository.ts';
import { standIn } from './orders.ts';
import { canTrace } from './system-calls.ts';

/** What makes the `nth` sync to the device fail, once in each thread of a process. */
export interface SyncFailer {
  readonly name: string;
  failing(test: Cleanup, nth: number): { readonly through: readonly string[]; readonly env: NodeJS.ProcessEnv };
}

const strace: SyncFailer = {
  name: 'by strace',
  failing(_, nth) {
    const inject = `inject=fsync,fdatasync:error=EIO:when=${nth}`;
    const what = ['-e', 'trace=fsync,fdatasync', '-e', inject, '-o', '/dev/null'];
    return { through: ['strace', '-D', '-f', '-qq', '--seccomp-bpf', ...what], env: {} };
  },
};

const preloaded: SyncFailer = {
  name: 'by the stand-in',
  failing: (test, nth) => ({ through: [], env: standIn(test, { failingSync: nth }).env }),
};

/** Every way to let a sync fail on this machine; there is always one. */
export const syncFailers: readonly SyncFailer[] = canTrace ? [strace, preloaded] : [preloaded];

/**
 * Runs a daemon in whose threads the `nth` sync to the device fails, once. What it acknowledges must be there after a
 * restart, what it refuses must be refused as a fault of the device, and the next attempt must succeed.
 */
export async function failSync(t: Cleanup, nth: number, { failing }: SyncFailer): Promise<void> {
  const { through, env } = failing(t, nth);
  const sound = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const home = { ...sound, env: { ...sound.env, ...env } };
  const tree = gitRepository(
    t,
    '-- a.ts --\nexport const alpha = 1;\n-- b.ts --\nimport { alpha } from "./a.ts";\nalpha;\n',
  );
  const daemon = await startDaemon(t, home, through).catch((error: Error) => {
    assert.match(error.message, /ended at once: svc: .*(?:the device failed|EIO)/s, `sync ${nth}`);
    return startDaemon(t, sound);
  });
  await insist(nth, () => daemon.client.daemon.addRepo({ root: tree.root, id: 'app' }));
  await insist(nth, () => daemon.client.daemon.trustRepo({ id: 'app' }));
  await insist(nth, () => daemon.client.indexing.index({ repo: 'app', force: true }));
  tree.write('a.ts', 'export const alpha = 2;\nexport const beta = 3;\n');
  await until(`the edit is in, sync ${nth}`, async () => {
    const { results } = await daemon.client.symbols.search({ q: 'beta', repo: 'app' });
    return results[0]?.name === 'beta';
  });
  await allWell(daemon, nth);
  await daemon.stop();
  const database = new Database(home.places.daemonDb, { readonly: true });
  assert.equal(database.pragma('integrity_check', { simple: true }), 'ok', `sync ${nth}`);
  database.close();
  const next = await startDaemon(t, sound);
  const { repos } = await next.client.daemon.listRepos({});
  assert.deepEqual(
    repos.map(({ id, trusted }) => [id, trusted]),
    [['app', true]],
    `sync ${nth}`,
  );
  assert.equal(differenceOf(storedIndex(home.places), await freshIndexes(t, tree.root)()), undefined, `sync ${nth}`);
  assert.equal(await next.stop(), 0);
}

/** Asks again after a fault of the device, as a caller would: once is enough, for one sync fails. */
async function insist(nth: number, ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    assert.ok(error instanceof Fault && error.reason === 'storageFailed', `sync ${nth}: ${error}`);
    await ask();
  }
}

async function allWell({ client }: TestDaemon, nth: number): Promise<void> {
  await until(`the doctor finds all well, sync ${nth}`, async () => {
    const { checks } = await client.system.doctor({ repo: 'app' });
    return checks.every(({ name, status }) => !name.endsWith('.storage') || status === 'pass');
  });
}

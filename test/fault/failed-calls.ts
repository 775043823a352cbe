import assert from 'node:assert/strict';
import { Fault } from '../../client/protocol/faults.ts';
import { Database } from '../../daemon/store/sqlite.ts';
import { differenceOf, freshIndexes, storedIndex } from '../oracle/stored.ts';
import { startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { type Cleanup, gitRepository } from '../support/repository.ts';
import { standIn } from './orders.ts';
import { canTrace } from './system-calls.ts';

/** A call that may fail. */
export type FailingCall = 'open' | 'write' | 'rename' | 'fsync';

/** What makes the `nth` call of a kind fail, once in each thread of a process. */
export interface CallFailer {
  readonly name: string;
  failing(test: Cleanup, nth: number): { readonly through: readonly string[]; readonly env: NodeJS.ProcessEnv };
}

/** As the kernel names them. Calls that all else goes through as well are left to the stand-in. */
const injected: Partial<Readonly<Record<FailingCall, string>>> = {
  fsync: 'fsync,fdatasync:error=EIO',
  write: 'pwrite64:error=ENOSPC',
  rename: 'rename,link:error=EIO',
};

function strace(call: FailingCall): CallFailer | undefined {
  const what = injected[call];
  if (what === undefined || !canTrace) return undefined;
  return {
    name: `${call}, by strace`,
    failing(_, nth) {
      const words = ['-e', `trace=${what.split(':')[0]}`, '-e', `inject=${what}:when=${nth}`, '-o', '/dev/null'];
      return { through: ['strace', '-D', '-f', '-qq', '--seccomp-bpf', ...words], env: {} };
    },
  };
}

function preloaded(call: FailingCall): CallFailer {
  return {
    name: `${call}, by the stand-in`,
    failing(test, nth) {
      const code = call === 'rename' ? 'EIO' : 'ENOSPC';
      const orders = call === 'fsync' ? { failingSync: nth } : { failing: { call, nth, code } as const };
      return { through: [], env: standIn(test, orders).env };
    },
  };
}

/** Every way to let a call of a kind fail on this machine; there is always one. */
export function callFailers(call: FailingCall): readonly CallFailer[] {
  return [strace(call) ?? [], preloaded(call)].flat();
}

/**
 * Runs a daemon in whose threads the `nth` call of a kind fails, once. What it acknowledges must be there after a restart, what
 * it refuses must be refused as a fault of the device, and the next attempt must succeed.
 */
export async function failCall(t: Cleanup, nth: number, { name, failing }: CallFailer): Promise<void> {
  const label = `${name}, ${nth}`;
  const { through, env } = failing(t, nth);
  const sound = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const home = { ...sound, env: { ...sound.env, ...env } };
  const tree = gitRepository(
    t,
    '-- a.ts --\nexport const alpha = 1;\n-- b.ts --\nimport { alpha } from "./a.ts";\nalpha;\n',
  );
  const daemon = await startDaemon(t, home, through).catch((error: Error) => {
    assert.match(error.message, /ended at once: svc: .*(?:the device failed|the disk is full|EIO|ENOSPC)/s, label);
    return startDaemon(t, sound);
  });
  await insist(label, () => daemon.client.daemon.addRepo({ root: tree.root, id: 'app' }));
  await insist(label, () => daemon.client.daemon.trustRepo({ id: 'app' }));
  await insist(label, () => daemon.client.indexing.index({ repo: 'app', force: true }));
  tree.write('a.ts', 'export const alpha = 2;\nexport const beta = 3;\n');
  await until(`the edit is in: ${label}`, async () => {
    const { results } = await daemon.client.symbols.search({ q: 'beta', repo: 'app' });
    return results[0]?.name === 'beta';
  });
  await allWell(daemon, label);
  await daemon.stop();
  const database = new Database(home.places.daemonDb, { readonly: true });
  assert.equal(database.pragma('integrity_check', { simple: true }), 'ok', label);
  database.close();
  const next = await startDaemon(t, sound);
  const { repos } = await next.client.daemon.listRepos({});
  assert.deepEqual(
    repos.map(({ id, trusted }) => [id, trusted]),
    [['app', true]],
    label,
  );
  assert.equal(differenceOf(storedIndex(home.places), await freshIndexes(t, tree.root)()), undefined, label);
  assert.equal(await next.stop(), 0);
}

/** Asks again after a fault of the device, as a caller would: once is enough, for one sync fails. */
async function insist(label: string, ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    assert.ok(error instanceof Fault && error.reason === 'storageFailed', `${label}: ${error}`);
    await ask();
  }
}

async function allWell({ client }: TestDaemon, label: string): Promise<void> {
  await until(`the doctor finds all well: ${label}`, async () => {
    const { checks } = await client.system.doctor({ repo: 'app' });
    return checks.every(({ name, status }) => !name.endsWith('.storage') || status === 'pass');
  });
}

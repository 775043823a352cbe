import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDaemonRecord } from '../../client/paths.ts';
import { callerIn, temporaryHome } from '../support/daemon.ts';

/** The environment of a daemon that a client started, as the kernel has it. */
async function environmentOfStarted(context: Parameters<typeof temporaryHome>[0], env: NodeJS.ProcessEnv) {
  const home = temporaryHome(context, env);
  const caller = callerIn(home, 'may-start');
  context.after(() => caller.close());
  await caller.call('system.health', {});
  const { pid } = readDaemonRecord(home.places)!;
  return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
}

test('a daemon that a client starts shares few malloc arenas, unless the user says otherwise', async context => {
  const isLinux = process.platform === 'linux';
  if (!isLinux) return context.skip('malloc is another one');
  assert.ok((await environmentOfStarted(context, {})).includes('MALLOC_ARENA_MAX=2'));
  const chosen = await environmentOfStarted(context, { MALLOC_ARENA_MAX: '7' });
  assert.deepEqual(
    chosen.filter(line => line.startsWith('MALLOC_ARENA_MAX')),
    ['MALLOC_ARENA_MAX=7'],
  );
});

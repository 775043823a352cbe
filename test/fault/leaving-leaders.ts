import assert from 'node:assert/strict';
import { readDaemonRecord } from '../../client/paths.ts';
import { ready } from '../oracle/stored.ts';
import { callerIn, startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { type Cleanup, gitRepository } from '../support/repository.ts';

/**
 * Lets daemon after daemon leave in order, as an idle one does, with fifty calls around the moment at which each begins
 * and ends to leave: every call succeeds, those that write and may not be sent twice too.
 */
export async function callWhileLeaving(t: Cleanup, leaders: number): Promise<void> {
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const first = await startDaemon(t, home);
  await first.client.daemon.addRepo({ root: gitRepository(t, '-- a.ts --\nexport const a = 1;').root, id: 'app' });
  await ready(first);
  for (let round = 0; round < leaders; round++) {
    const clients = Array.from({ length: 50 }, () => callerIn(home, 'may-start'));
    // Those of the first half stand connected when the daemon begins to leave.
    await Promise.all(clients.slice(0, 25).map(client => client.call('system.health', {})));
    const { pid } = readDaemonRecord(home.places)!;
    const leavesAtMs = performance.now() + 30;
    const calls = clients.map(async (client, index) => {
      const atMs = leavesAtMs + (index - 12) * 2;
      await until('its moment', () => performance.now() >= atMs);
      return index % 2 === 0 ? client.call('daemon.trustRepo', { id: 'app' }) : client.call('system.health', {});
    });
    await until('the moment', () => performance.now() >= leavesAtMs);
    process.kill(pid, 'SIGTERM');
    const ends = await Promise.allSettled(calls);
    assert.deepEqual(
      ends.flatMap(end => (end.status === 'rejected' ? [String(end.reason)] : [])),
      [],
      `round ${round}`,
    );
    await Promise.all(clients.map(client => client.close()));
  }
}

import assert from 'node:assert/strict';
import { readDaemonRecord } from '../../client/paths.ts';
import { callerIn, temporaryHome, until } from '../support/daemon.ts';
import type { Cleanup } from '../support/repository.ts';

/**
 * Kills one leader after another under clients that ask without a pause: each call must succeed, and no two may lead at
 * once.
 */
export async function killLeaders(t: Cleanup, leaderCount: number, clientCount: number): Promise<void> {
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const clients = Array.from({ length: clientCount }, () => callerIn(home, 'may-start'));
  t.after(() => Promise.all(clients.map(client => client.close())));
  let isOver = false;
  const answers = clients.map(() => 0);
  const loops = clients.map(async (client, index) => {
    for (; !isOver; answers[index]!++) await client.call('system.health', {});
  });
  // A client's patience has an end, and a few starts take long on a busy machine: each gets its answer from each leader, and is in the midst of asking the next thing when that one dies.
  const killed = new Set<number>();
  while (killed.size < leaderCount) {
    const before = [...answers];
    const lead = until('another daemon leads and answers everybody', () => {
      const pid = readDaemonRecord(home.places)?.pid;
      return pid !== undefined && !killed.has(pid) && answers.every((count, index) => count > before[index]!);
    });
    await Promise.race([lead, Promise.all(loops)]);
    const { pid } = readDaemonRecord(home.places)!;
    killed.add(pid);
    process.kill(pid, 'SIGKILL');
  }
  await clients[0]!.call('system.health', {});
  isOver = true;
  await Promise.all(loops);
  const leaders = home.log().filter(({ msg }) => msg === 'daemon.started');
  // Each began after the one before was killed, or else it would not be in the row of the killed.
  assert.equal(new Set(leaders.map(({ pid }) => pid)).size, leaders.length);
  for (const { pid } of leaders.slice(0, -1)) assert.ok(killed.has(pid as number), `${pid} led beside another`);
}

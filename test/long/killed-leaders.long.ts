import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDaemonRecord } from '../../client/paths.ts';
import { callerIn, temporaryHome, until } from '../support/daemon.ts';

test('twenty leaders killed under ten looping clients: each call succeeds, and no two lead at once', async t => {
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const clients = Array.from({ length: 10 }, () => callerIn(home, 'may-start'));
  t.after(() => Promise.all(clients.map(client => client.close())));
  let isOver = false;
  let answers = 0;
  const loops = clients.map(async client => {
    let count = 0;
    for (; !isOver; count++, answers++) await client.call('system.health', {});
    return count;
  });
  // A client's patience is ten seconds: each leader may answer somebody before it dies.
  const killed = new Set<number>();
  while (killed.size < 20) {
    const before = answers;
    await until('another daemon leads and has answered', () => {
      const pid = readDaemonRecord(home.places)?.pid;
      return pid !== undefined && !killed.has(pid) && answers > before;
    });
    const { pid } = readDaemonRecord(home.places)!;
    killed.add(pid);
    process.kill(pid, 'SIGKILL');
  }
  await clients[0]!.call('system.health', {});
  isOver = true;
  for (const count of await Promise.all(loops)) assert.ok(count > 0);
  const leaders = home.log().filter(({ msg }) => msg === 'daemon.started');
  // Each began after the one before was killed, or else it would not be in the row of the killed.
  assert.equal(new Set(leaders.map(({ pid }) => pid)).size, leaders.length);
  for (const { pid } of leaders.slice(0, -1)) assert.ok(killed.has(pid as number), `${pid} led beside another`);
});

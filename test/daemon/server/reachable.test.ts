import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { leaderOf } from '../../../client/leader.ts';
import { type DaemonRecord, readDaemonRecord } from '../../../client/paths.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { freeze } from '../../fault/frozen.ts';
import { callerIn, type Home, impatient, startDaemon, svc, temporaryHome, until } from '../../support/daemon.ts';
import { request, wire } from '../../support/rpc-wire.ts';

const losses: readonly { readonly what: string; readonly lose: (home: Home, record: DaemonRecord) => void }[] = [
  { what: 'its socket', lose: (_, { socket }) => rmSync(socket) },
  { what: 'daemon.json', lose: ({ places }) => rmSync(places.daemonFile) },
  // The daemon mends it while it is being removed.
  { what: 'the runtime folder', lose: ({ places }) => rmSync(places.runtime, { recursive: true, maxRetries: 10 }) },
  {
    what: 'its socket to another file',
    lose: (_, { socket }) => {
      rmSync(socket);
      writeFileSync(socket, '', { mode: 0o600 });
    },
  },
  { what: 'the closed mode of daemon.json', lose: ({ places }) => chmodSync(places.daemonFile, 0o666) },
];
for (const { what, lose } of losses) {
  test(`a daemon that lost ${what} can be found again, and lets no connection go (P3)`, async context => {
    const { home, record, connect } = await startDaemon(context);
    // It announces itself once more when the HTTP listener is open, and would mend the loss by chance.
    await until('HTTP listens', () => readDaemonRecord(home.places)?.url);
    const standing = wire(await connect());
    lose(home, record);
    await until('it is where its record says', () => {
      try {
        const now = readDaemonRecord(home.places);
        return (
          now?.pid === record.pid &&
          existsSync(now.socket) &&
          (now.socket === record.socket) === !/socket|folder/.test(what)
        );
      } catch {
        return false;
      }
    });
    const caller = callerIn(home);
    context.after(() => caller.close());
    const { pid, socketPath } = await caller.call('daemon.status', {});
    assert.deepEqual([pid, socketPath], [record.pid, readDaemonRecord(home.places)?.socket]);
    assert.ok((await standing.ask(request(1, 'system.health', {}))).result, 'the old connection');
    await until('the log tells of it', () => home.log().some(({ msg }) => msg === 'daemon.moved'));
  });
}

test('whoever starts no daemon waits for the one that mends its way, and stops it', async context => {
  const { home, record, ended } = await startDaemon(context);
  for (const path of [record.socket, home.places.daemonFile]) rmSync(path);
  const { code, stdout } = await svc(home, ['daemon', 'stop']);
  assert.deepEqual([code, stdout], [0, `daemon stopped (pid ${record.pid})\n`]);
  assert.equal(await ended, 0);
});

test('a leader that can’t mend its way is named with its process', async context => {
  const { home, record } = await startDaemon(context);
  await freeze(context, record.pid);
  for (const path of [record.socket, home.places.daemonFile]) rmSync(path);
  const caller = callerIn(impatient(home, 2));
  context.after(() => caller.close());
  await assert.rejects(
    caller.call('daemon.status', {}),
    (error: unknown) =>
      error instanceof Fault && error.reason === 'busy' && error.message.includes(`pid ${record.pid}`),
  );
});

test('where the system lists no locks, the leader is known by its record or by its socket', async context => {
  const { home, record } = await startDaemon(context);
  const leader = () => leaderOf(home.places, join(home.path, 'none'));
  assert.equal(leader(), record.pid);
  rmSync(home.places.daemonFile);
  assert.equal(leader(), record.pid);
  assert.equal(leaderOf(home.places), record.pid);
});

test('sockets of dead daemons are removed at a start, those of the living stay (P2, P3)', async context => {
  const home = temporaryHome(context);
  const first = await startDaemon(context, home);
  first.process.kill('SIGKILL');
  await first.ended;
  assert.ok(existsSync(first.record.socket), 'what is killed leaves its socket');
  const pathOf = (pid: number, name: string) => join(home.places.runtime, `svc-${pid}-${name}.sock`);
  // As from another container: the number means nothing here, and yet somebody listens.
  const others = [pathOf(first.record.pid, 'feed'), pathOf(process.pid, 'beef')];
  for (const path of others) {
    const server = createServer(socket => socket.destroy()).listen(path);
    context.after(() => server.close());
    await once(server, 'listening');
  }
  await startDaemon(context, home);
  await until('the dead socket is gone', () => !existsSync(first.record.socket));
  for (const path of others) assert.ok(existsSync(path), path);
});

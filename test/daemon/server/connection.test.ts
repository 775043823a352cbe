import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { patienceMs, until } from '../../support/daemon.ts';
import { type RpcReply, request, wire } from '../../support/rpc-wire.ts';
import { withoutRights } from '../../support/without-rights.ts';
import { echoingDoor, search } from './echoing-door.ts';

test('cancelling answers at once, and once', async context => {
  const { open, seen, server } = await echoingDoor(context);
  const line = await open();
  line.send(search('long', 'stubborn'), { jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 'long' } });
  const reply = (await line.next()) as RpcReply;
  assert.deepEqual([reply.id, reply.error?.code], ['long', -32800]);
  assert.equal(seen[0]?.abort.signal.aborted, true);
  assert.equal((await line.ask(search('after'))).id, 'after');
  assert.equal(server.inFlight(), 0);
});

test('an id that is in flight is not taken twice; 1 and "1" are two ids', async context => {
  const { open, release, seen } = await echoingDoor(context);
  const line = await open();
  line.send(search(1, 'wait'), search('1', 'wait'), search(1));
  const refused = (await line.next()) as RpcReply;
  assert.deepEqual([refused.id, refused.error?.code], [null, -32600]);
  await until('two wait', () => seen.length === 2);
  release();
  assert.deepEqual(
    [(await line.next()) as RpcReply, (await line.next()) as RpcReply].map(({ id }) => id),
    [1, '1'],
  );
});

test('a number that is not told apart from the next is no id, and the sender is told what is', async context => {
  const { open, seen } = await echoingDoor(context);
  const line = await open();
  const asking = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"symbols.search","params":{"q":"a"}}`;
  const ids = ['12345678901234567890', '-9007199254740992', '9007199254740993', '1e999', '1e16', '1.5', '1e-9'];
  line.raw(ids.map(id => `${asking(id)}\n`).join(''));
  line.raw(`[${asking('9007199254740992')},${asking('9007199254740993')}]\n`);
  const told: RpcReply[] = [];
  while (told.length < ids.length + 2) told.push(...[(await line.next())!].flat());
  for (const { id, error } of told) {
    assert.deepEqual([id, error?.code], [null, -32600]);
    assert.match(
      error!.message,
      /^id must be a whole number from -9007199254740991 to 9007199254740991: send any other/,
    );
  }
  assert.equal(seen.length, 0);
  for (const id of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0, '12345678901234567890', '1.5']) {
    assert.equal((await line.ask(search(id))).id, id);
  }
});

test('the 65th request in flight, the 129th connection and the fifth of four subscriptions are told −32005', async context => {
  const { open, release, seen } = await echoingDoor(context, { connections: 2 });
  const [line, other] = [await open(), await open()];
  line.send(...Array.from({ length: 65 }, (_, id) => search(id, 'wait')));
  const refused = (await line.next()) as RpcReply;
  assert.deepEqual([refused.id, refused.error?.code], [64, -32005]);
  assert.equal(seen.length, 64);
  assert.deepEqual(
    (await (await open()).rest()).map(({ error }) => error?.code),
    [-32005],
  );
  for (let number = 0; number < 4; number++) {
    assert.ok('result' in (await other.ask(request(number, 'events.subscribe', { subscription: `s${number}` }))));
  }
  assert.equal((await other.ask(request(4, 'events.subscribe', {}))).error?.code, -32005);
  assert.equal((await other.ask(request(5, 'events.subscribe', { subscription: 's1' }))).error?.code, -32602);
  release();
});

test('events reach subscribers until they say enough', async context => {
  const { open, hub } = await echoingDoor(context);
  const line = await open();
  const { result } = await line.ask(request(1, 'events.subscribe', { types: ['watch.recrawl'] }));
  const { subscription } = result as { subscription: string };
  hub.observe({ kind: 'daemon.draining', cause: 'not asked for', exitCode: 0 });
  hub.observe({ kind: 'watch.recrawl', repo: 'r', reason: 'overflow' });
  const event = (await line.next()) as RpcReply;
  assert.equal(event.method, 'events.event');
  assert.deepEqual(event.params, {
    subscription,
    event: { id: 2, type: 'watch.recrawl', body: { repo: 'r', reason: 'overflow', freshInstance: true } },
  });
  await line.ask(request(2, 'events.unsubscribe', { subscription }));
  assert.equal(hub.subscriberCount(), 0);
});

test('progress is told under the token', async context => {
  const { open } = await echoingDoor(context);
  const line = await open();
  line.send(request(1, 'symbols.search', { q: 'progress', workDoneToken: 'p' }));
  const progress = (await line.next()) as RpcReply;
  assert.deepEqual(
    [progress.method, progress.params],
    ['$/progress', { token: 'p', value: { message: 'half', fraction: 0.5 } }],
  );
  assert.equal(((await line.next()) as RpcReply).id, 1);
});

test('a request id that can be one is one; what is meta does not reach the operation', async context => {
  const { open, seen } = await echoingDoor(context);
  const line = await open();
  await line.ask(request('my-id', 'symbols.search', { q: 'a', deadlineMs: 50, directory: '/x' }));
  await line.ask(search(2));
  const [first, second] = seen;
  assert.deepEqual(
    [first?.requestId, first?.deadlineMs, first?.directory, first?.input],
    ['my-id', 50, '/x', { q: 'a' }],
  );
  assert.match(second!.requestId, /^[0-9a-f-]{36}$/);
});

test('a client that goes away cancels its work', async context => {
  const { open, seen, server } = await echoingDoor(context);
  const line = await open();
  line.send(search(1, 'wait'));
  await until('it waits', () => seen.length === 1);
  line.socket.destroy();
  await until('it was cancelled', () => seen[0]!.abort.signal.aborted && server.connections() === 0);
});

test('whoever comes to say what is to end with a connection that has ended is heard at once', async context => {
  const { open, seen, server } = await echoingDoor(context);
  const line = await open();
  line.send(search(1, 'stubborn'));
  await until('it is at work', () => seen.length === 1);
  const ended: string[] = [];
  seen[0]!.connection!.onClose(() => ended.push('in time'));
  line.socket.destroy();
  await until('the connection has gone', () => server.connections() === 0);
  assert.deepEqual(ended, ['in time']);
  seen[0]!.connection!.onClose(() => ended.push('late'));
  assert.deepEqual(ended, ['in time', 'late']);
});

test('a reader that does not read is cut', { timeout: patienceMs }, async context => {
  const { open, server } = await echoingDoor(context, { backlogBytes: 3_000_000 });
  const line = await open();
  line.socket.pause();
  line.send(...Array.from({ length: 20 }, (_, id) => search(id, 'large')));
  await until('the daemon cuts it', () => server.connections() === 0);
});

test('a batch whose answers together are more than may lie unread ends its connection, and the rest of it is not begun', async context => {
  const { open, server, seen } = await echoingDoor(context, { backlogBytes: 3_000_000 });
  const line = await open();
  const batch = Array.from({ length: 200 }, (_, id) => search(id, 'large'));
  line.raw(`${JSON.stringify(batch)}\n`);
  await until('the daemon cuts it', () => server.connections() === 0);
  assert.ok(seen.length < 100, `${seen.length} were begun`);
});

test('what was asked before a message that is none is answered, what came behind is not', async context => {
  const { open, seen, release, server } = await echoingDoor(context);
  const ends: readonly (readonly [last: Buffer, code: number])[] = [
    [Buffer.from('garbage\n'), -32700],
    [Buffer.from([0x22, 0xff, 0x22, 0x0a]), -32700],
    [Buffer.from(`${'x'.repeat(100_001)}\n`), -32003],
  ];
  for (const [last, code] of ends) {
    const line = await open();
    const before = seen.length;
    const asked = [search(1, 'wait'), search(2)].map(one => `${JSON.stringify(one)}\n`).join('');
    line.raw(Buffer.concat([Buffer.from(asked), last, Buffer.from(`${JSON.stringify(search(3))}\n`)]));
    const first = [await line.next(), await line.next()].flatMap(one => one ?? []);
    line.send(search(4));
    release();
    const told = [...first, ...(await line.rest())].map(({ id, error, result }) => [id, error?.code ?? result]);
    assert.deepEqual(
      new Map(told as [unknown, unknown][]),
      new Map<unknown, unknown>([
        [2, 2],
        [null, code],
        [1, 'wait'],
      ]),
    );
    await until('it is closed', () => server.connections() === 0);
    assert.equal(seen.length, before + 2);
  }
});

test('a frame that never ends is cut', { timeout: patienceMs }, async context => {
  const { open } = await echoingDoor(context, { halfOpenMs: 30 });
  const line = await open();
  line.raw('{"jsonrpc":');
  assert.deepEqual(await line.rest(), []);
});

test('while the daemon leaves, what comes is told −32007, and what ran too when time is up', async context => {
  const { open, server, seen } = await echoingDoor(context);
  const line = await open();
  line.send(search('long', 'wait'));
  await until('it runs', () => seen.length === 1);
  server.drain();
  const refused = (await line.ask(search('late'))).error;
  assert.deepEqual([refused?.code, refused?.data?.['details']], [-32007, null]);
  await assert.rejects(async () => {
    const socket = connect(server.path);
    await once(socket, 'connect');
  });
  server.close();
  assert.deepEqual(
    (await line.rest()).map(({ id, error, method }) => [id ?? method, error?.code, error?.data?.['details']]),
    [
      ['long', -32007, { begun: true }],
      ['$/leaving', undefined, undefined],
    ],
  );
});

test('whoever waits at the old name when the socket moves is taken first, however many they are', async context => {
  const { server } = await echoingDoor(context);
  const { path } = server;
  const waiting = Array.from({ length: 40 }, () => wire(connect(path)));
  context.after(() => {
    for (const { socket } of waiting) socket.destroy();
  });
  await server.move();
  assert.notEqual(server.path, path);
  for (const line of waiting) assert.equal((await line.ask(search(1, 'here'))).result, 'here');
});

test('a socket whose folder keeps its server out can’t be reached, until it lets it in again', async context => {
  const { server } = await echoingDoor(context);
  const reach = (mode: number) => {
    chmodSync(dirname(server.path), mode);
    return withoutRights(() => server.isReachable());
  };
  assert.deepEqual([reach(0o755), reach(0o600), reach(0o755)], [true, false, true]);
});

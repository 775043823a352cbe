import assert from 'node:assert/strict';
import { chmodSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { openConnection } from '../../client/connection.ts';
import type { Places } from '../../client/paths.ts';
import type { Progress } from '../../client/protocol/caller.ts';
import { Fault, faultBody } from '../../client/protocol/faults.ts';
import { until } from '../support/daemon.ts';
import { callerTo, fault, health } from './caller-to.ts';
import { type Line, openPeer, placesIn, type Script, silence, temporaryHome } from './peer.ts';

test('a call shakes hands once, and its answer survives being torn into single bytes', async t => {
  const places = placesIn(temporaryHome(t));
  const peer = await openPeer(t, {
    places,
    pieceBytes: 1,
    script: method => (method === 'system.health' ? { ...health, status: 'Grüße → 🚀' } : undefined),
  });
  const caller = callerTo(t, places);
  const answers = await Promise.all([caller.call('system.health', {}), caller.call('system.health', {})]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['Grüße → 🚀', 'Grüße → 🚀'],
  );
  assert.deepEqual(peer.methods, ['initialize', 'system.health', 'system.health']);
});

test('a client that was closed calls nobody, and opens nothing that would keep its process alive', async t => {
  const places = placesIn(temporaryHome(t));
  const peer = await openPeer(t, { places, script: method => (method === 'system.health' ? health : undefined) });
  const caller = callerTo(t, places);
  const opening = caller.call('system.health', {});
  await caller.close();
  await assert.rejects(opening, { reason: 'unreachable', message: 'This client was closed' });
  await assert.rejects(caller.call('system.health', {}), { reason: 'unreachable' });
  assert.ok(!peer.methods.includes('system.health'));
});

test('who subscribes again and again on one connection leaves nothing behind, and hears what it asked for alone', async t => {
  const places = placesIn(temporaryHome(t));
  const lines: Line[] = [];
  const peer = await openPeer(t, {
    places,
    script(method, params, line) {
      if (method === 'events.subscribe') return { subscription: `s${lines.push(line)}` };
      return method === 'events.unsubscribe' ? params : method === 'system.health' ? health : undefined;
    },
  });
  const caller = callerTo(t, places);
  const heard: string[] = [];
  const ended: number[] = [];
  const subscribe = (number: number) =>
    caller.subscribe(
      ({ type }) => heard.push(`${number} ${type}`),
      () => ended.push(number),
    );
  const stops = [await subscribe(1), await subscribe(2), await subscribe(3)];
  const tell = async (type: string): Promise<void> => {
    for (const number of [1, 2, 3]) {
      lines[0]!.notify('events.event', { subscription: `s${number}`, event: { type } });
    }
    await caller.call('system.health', {});
  };
  await tell('first');
  stops[1]!();
  stops[1]!();
  await tell('second');
  assert.deepEqual(heard, ['1 first', '2 first', '3 first', '1 second', '3 second']);
  stops[0]!();
  await caller.call('system.health', {});
  lines[0]!.hangUp();
  await until('it has ended', () => ended.length > 0);
  assert.deepEqual(ended, [3]);
  stops[2]!();
  assert.equal(peer.methods.filter(method => method === 'events.unsubscribe').length, 2);
});

test('a connection forgets who listens no more, and calls those alone who do', async t => {
  const places = placesIn(temporaryHome(t));
  const peer = await openPeer(t, {
    places,
    script(method, _params, line) {
      line.notify('told', {});
      return method === 'system.health' ? health : undefined;
    },
  });
  const connection = await openConnection(peer.socket, places.uid);
  const [heard, ended]: [string[], string[]] = [[], []];
  const ways = ['a', 'b'].map(name => [
    connection.onNotification(() => heard.push(name)),
    connection.onEnd(() => ended.push(name)),
  ]);
  for (const stop of ways[0]!) stop();
  await connection.request('system.health', {});
  await connection.close();
  assert.deepEqual([heard, ended], [['b'], ['b']]);
});

test('a fault arrives as it was thrown: reason, code, exit and body', async t => {
  const places = placesIn(temporaryHome(t));
  const thrown = new Fault('symbolGone', 'parse was renamed', {
    details: { replacedBy: 'svc:a:sym:0' },
    suggestedFixes: [{ type: 'run-command', command: 'svc search parse', safe: true, description: 'Find it' }],
    drilldowns: [{ label: 'search', query: '/search?q=parse' }],
  });
  await openPeer(t, {
    places,
    script: method => {
      if (method === 'symbols.get') throw thrown;
    },
  });
  await assert.rejects(callerTo(t, places).call('symbols.get', { id: 'parse' }), (error: unknown) => {
    assert.ok(fault('symbolGone', /renamed/)(error));
    assert.deepEqual(faultBody(error as Fault), faultBody(thrown));
    return true;
  });
});

test('progress is told to the call that asked for it; cancelling and running out of time end the call on the server too', async t => {
  const places = placesIn(temporaryHome(t));
  const cancelled: unknown[] = [];
  const script: Script = (method, params, { id, notify }) => {
    if (method === '$/cancelRequest') cancelled.push(params['id']);
    if (method !== 'indexing.index') return undefined;
    assert.equal(params['workDoneToken'], id);
    notify('$/progress', { token: id, value: { message: 'parsing', fraction: 0.5 } });
    notify('$/progress', { token: 'another', value: { message: 'not ours' } });
    return silence;
  };
  await openPeer(t, { places, script });
  const caller = callerTo(t, places);
  const controller = new AbortController();
  const seen: Progress[] = [];
  const call = caller.call(
    'indexing.index',
    { language: 'auto' },
    {
      signal: controller.signal,
      requestId: 'mine',
      onProgress: progress => {
        seen.push(progress);
        controller.abort();
      },
    },
  );
  await assert.rejects(call, fault('cancelled'));
  assert.deepEqual(seen, [{ message: 'parsing', fraction: 0.5 }]);
  const late = caller.call(
    'indexing.index',
    { language: 'auto' },
    { requestId: 'late', timeoutMs: 30, onProgress: () => {} },
  );
  await assert.rejects(late, fault('timeout'));
  await caller.server();
  await caller.close();
  assert.deepEqual(cancelled.slice(0, 1), ['mine']);
});

test('events come until nobody listens', async t => {
  const places = placesIn(temporaryHome(t));
  let publish = (_id: number) => {};
  await openPeer(t, {
    places,
    script: (method, _params, { notify }) => {
      publish = id => notify('events.event', { subscription: 's', event: { id, type: 'x', body: {} } });
      return method === 'events.subscribe' ? { subscription: 's' } : method === 'system.health' ? health : undefined;
    },
  });
  const caller = callerTo(t, places);
  const seen: number[] = [];
  const stop = await caller.subscribe(({ id }) => seen.push(id));
  publish(1);
  await caller.call('system.health', {});
  stop();
  publish(2);
  await caller.call('system.health', {});
  assert.deepEqual(seen, [1]);
});

test('nothing is sent to a socket or folder that others could have made (P5)', async t => {
  const places = placesIn(temporaryHome(t));
  const peer = await openPeer(t, { places, script: () => health });
  const folder = dirname(peer.socket);
  const cases: readonly (readonly [string, () => void, Places])[] = [
    ['open socket', () => chmodSync(peer.socket, 0o666), places],
    ['open folder', () => chmodSync(folder, 0o755), places],
  ];
  for (const [name, spoil, from] of cases) {
    spoil();
    // The record is read first: its folder is checked with the socket, its own mode is right.
    await assert.rejects(callerTo(t, from).call('system.health', {}), fault('unsafeOwner'), name);
    chmodSync(peer.socket, 0o600);
    chmodSync(folder, 0o700);
  }
  const stranger = { ...places, uid: places.uid + 1 };
  const env = { SVC_SOCKET: peer.socket };
  await assert.rejects(
    callerTo(t, stranger, { env }).call('system.health', {}),
    fault('unsafeOwner', /is no socket that is yours alone$/),
  );
  assert.equal(peer.received(), '');
});

test('a wrong SVC_SOCKET is told as that, with no advice to remove what lies there', async t => {
  const places = placesIn(temporaryHome(t));
  const table: readonly (readonly [string, Fault['reason'], RegExp])[] = [
    ['relative', 'invalidParameter', /^SVC_SOCKET must be an absolute path$/],
    ['/no/such/socket', 'unreachable', /^No daemon answers at SVC_SOCKET \(\/no\/such\/socket\)$/],
    ['/etc/passwd/a/b', 'unreachable', /^No daemon answers at SVC_SOCKET/],
    ['/etc/passwd/a', 'unsafeOwner', /^SVC_SOCKET \(\/etc\/passwd\/a\) is no socket that is yours alone$/],
    ['/etc/passwd', 'unsafeOwner', /^SVC_SOCKET \(\/etc\/passwd\) is no socket that is yours alone$/],
  ];
  for (const [socket, reason, message] of table) {
    const caller = callerTo(t, places, { env: { SVC_SOCKET: socket } });
    await assert.rejects(caller.call('system.health', {}), fault(reason, message), socket);
  }
});

test('a daemon that takes the call and never answers is busy, and keeps its socket (P2)', async t => {
  const places = placesIn(temporaryHome(t));
  const peer = await openPeer(t, { places, script: () => silence });
  const { ino } = statSync(peer.socket);
  const caller = callerTo(t, places, {
    env: { SVC_PATIENCE_SECONDS: '0.05' },
    start: { kind: 'command', argv: ['false'] },
  });
  await assert.rejects(caller.call('system.health', {}), fault('busy', new RegExp(`busy \\(pid ${process.pid}\\)`)));
  assert.equal(statSync(peer.socket).ino, ino);
});

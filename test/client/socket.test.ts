import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Places } from '../../client/paths.ts';
import type { Progress } from '../../client/protocol/caller.ts';
import { cutOff, Fault, faultBody } from '../../client/protocol/faults.ts';
import { isNewer, type SocketOptions, socketCaller } from '../../client/socket.ts';
import { openPeer, placesIn, type Script, silence, temporaryHome, writeRecord } from './peer.ts';

const health = { status: 'ok', timestamp: '2026-01-01T00:00:00Z', version: '0.1.0' };
const idle = { jobs: { queued: 0, running: 0 }, listeners: [] };

function callerTo(test: TestContext, places: Places, changes: Partial<SocketOptions> = {}) {
  const caller = socketCaller({
    places,
    env: {},
    client: 'test',
    version: '0.1.0',
    start: { kind: 'never' },
    isRepeatable: name => name !== 'daemon.removeRepo',
    ...changes,
  });
  test.after(() => caller.close());
  return caller;
}

function fault(reason: Fault['reason'], pattern = /./) {
  return (error: unknown) => {
    assert.ok(error instanceof Fault, String(error));
    assert.equal(error.reason, reason);
    assert.match(error.message, pattern);
    return true;
  };
}

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

test('nothing is sent to a socket or folder that others could have made', async t => {
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

test('a daemon that takes the call and never answers is busy, and keeps its socket', async t => {
  const places = placesIn(temporaryHome(t));
  const peer = await openPeer(t, { places, script: () => silence });
  const { ino } = statSync(peer.socket);
  const caller = callerTo(t, places, { handshakeMs: 50, start: { kind: 'command', argv: ['false'] } });
  await assert.rejects(caller.call('system.health', {}), fault('busy', new RegExp(`busy \\(pid ${process.pid}\\)`)));
  assert.equal(statSync(peer.socket).ino, ino);
});

test('a call passes from a leaving daemon to its successor', async t => {
  const places = placesIn(temporaryHome(t));
  await openPeer(t, {
    places,
    name: 'old.sock',
    script: async method => {
      if (method !== 'system.health') return undefined;
      await openPeer(t, { places, name: 'new.sock', script: next => (next === 'system.health' ? health : undefined) });
      throw new Fault('shuttingDown', 'The daemon is stopping');
    },
  });
  assert.deepEqual(await callerTo(t, places).call('system.health', {}), health);
});

test('an answer that was long in the making and is lost with its daemon is asked of the next one', async t => {
  const places = placesIn(temporaryHome(t));
  const { now } = performance;
  await openPeer(t, {
    places,
    name: 'old.sock',
    script: async method => {
      if (method !== 'system.health') return undefined;
      t.mock.method(performance, 'now', () => now.call(performance) + 60_000);
      await openPeer(t, { places, name: 'new.sock', script: next => (next === 'system.health' ? health : undefined) });
      throw cutOff();
    },
  });
  assert.deepEqual(await callerTo(t, places).call('system.health', {}), health);
});

test('where none is started, the successor of a daemon that left is waited for: in the middle of a call, or asked for', async t => {
  const places = placesIn(temporaryHome(t));
  const next = (name: string) =>
    openPeer(t, { places, name, script: method => (method === 'system.health' ? health : undefined) });
  const leaving = await openPeer(t, {
    places,
    name: 'leaving.sock',
    script: async method => {
      if (method !== 'system.health') return undefined;
      rmSync(places.daemonFile);
      setTimeout(() => next('second.sock'), 100);
      throw new Fault('shuttingDown', 'The daemon is stopping');
    },
  });
  const caller = callerTo(t, places);
  assert.deepEqual(await caller.call('system.health', {}), health);
  assert.equal(leaving.methods.filter(method => method === 'system.health').length, 1);

  rmSync(places.daemonFile);
  setTimeout(() => next('third.sock'), 100);
  assert.equal(await caller.hasSuccessor(), true);
  rmSync(places.daemonFile);
  assert.equal(await callerTo(t, places).hasSuccessor(), false, 'nobody left');
});

test('a daemon that left is followed by one start: one that fails is not made again', async t => {
  const home = temporaryHome(t);
  const places = placesIn(home);
  const log = join(home, 'starts');
  await openPeer(t, {
    places,
    script: method => {
      if (method !== 'system.health') return undefined;
      throw new Fault('shuttingDown', 'The daemon is stopping');
    },
  });
  const argv = ['sh', '-c', `echo >> ${log}; exit 1`];
  await assert.rejects(
    callerTo(t, places, { start: { kind: 'command', argv } }).call('system.health', {}),
    fault('unreachable', /did not start/),
  );
  assert.equal(readFileSync(log, 'utf8'), '\n', 'one start');
});

test('a call whose daemon dies is asked again if it only reads', async t => {
  const places = placesIn(temporaryHome(t));
  let deaths = 0;
  await openPeer(t, {
    places,
    name: 'dying.sock',
    script: async (method, _params, { hangUp }) => {
      if (method === 'initialize') return undefined;
      deaths++;
      await openPeer(t, {
        places,
        name: `next-${deaths}.sock`,
        script: next => (next === method ? health : undefined),
      });
      hangUp();
      return silence;
    },
  });
  assert.deepEqual(await callerTo(t, places).call('system.health', {}), health);
  writeRecord(places, { socket: join(places.runtime, 'dying.sock') });
  await assert.rejects(callerTo(t, places).call('daemon.removeRepo', { id: 'a' }), fault('unreachable', /not known/));
  assert.equal(deaths, 2);
});

test('a call that a daemon said goodbye to is asked of the next one, whatever it does', async t => {
  const places = placesIn(temporaryHome(t));
  const removed = { id: 'a' };
  await openPeer(t, {
    places,
    name: 'leaving.sock',
    script: async (method, _params, { notify, hangUp }) => {
      if (method === 'initialize') return undefined;
      await openPeer(t, { places, name: 'next.sock', script: next => (next === method ? removed : undefined) });
      notify('$/leaving', {});
      // Its own bytes are on their way first.
      setImmediate(hangUp);
      return silence;
    },
  });
  assert.deepEqual(await callerTo(t, places).call('daemon.removeRepo', { id: 'a' }), removed);
});

test('a call that a leaving daemon had begun and could not finish is asked again if it only reads', async t => {
  const places = placesIn(temporaryHome(t));
  const asked: string[] = [];
  const answering = (name: string, ends: () => unknown) =>
    openPeer(t, {
      places,
      name,
      script: async method => {
        if (method === 'initialize') return undefined;
        asked.push(`${name} ${method}`);
        return ends();
      },
    });
  for (const operation of ['system.health', 'daemon.removeRepo'] as const) {
    await answering(`${operation}.old`, async () => {
      await answering(`${operation}.new`, () => health);
      throw cutOff();
    });
    const call = (callerTo(t, places).call as (name: string, input: object) => Promise<unknown>)(operation, {
      id: 'a',
    });
    if (operation === 'system.health') assert.deepEqual(await call, health);
    else await assert.rejects(call, fault('unreachable', /not known/));
  }
  assert.deepEqual(asked, [
    'system.health.old system.health',
    'system.health.new system.health',
    'daemon.removeRepo.old daemon.removeRepo',
  ]);
});

test('versions: the same major goes, a newer client replaces an idle daemon, an older one is told', async t => {
  const table = [
    { client: '0.1.0', daemon: '0.9.0', jobs: 0, ends: 'answered' },
    { client: '0.9.0', daemon: '0.1.0', jobs: 0, ends: 'replaced' },
    { client: '0.9.0', daemon: '0.1.0', jobs: 1, ends: 'answered' },
    { client: '1.0.0', daemon: '0.1.0', jobs: 0, ends: 'replaced' },
    { client: '1.0.0', daemon: '0.1.0', jobs: 1, ends: 'refused' },
    { client: '0.1.0', daemon: '1.0.0', jobs: 0, ends: 'refused' },
  ];
  for (const { client, daemon, jobs, ends } of table) {
    const places = placesIn(temporaryHome(t));
    const label = `${client} against ${daemon} with ${jobs} jobs`;
    const next: Script = method => (method === 'system.health' ? { ...health, status: 'successor' } : undefined);
    await openPeer(t, {
      places,
      name: 'first.sock',
      version: daemon,
      script: async method => {
        if (method === 'initialize' && client.split('.')[0] !== daemon.split('.')[0]) {
          throw new Fault('incompatibleVersion', 'another major version');
        }
        if (method === 'daemon.status') return { ...idle, jobs: { queued: 0, running: jobs } };
        if (method === 'daemon.stop') {
          await openPeer(t, { places, name: 'second.sock', version: client, script: next });
          return { status: 'stopping', pid: 1, timestamp: health.timestamp };
        }
        return method === 'system.health' ? health : undefined;
      },
    });
    const notices: string[] = [];
    const start = { kind: 'command', argv: ['false'] } as const;
    const caller = callerTo(t, places, { version: client, start, onNotice: line => notices.push(line) });
    if (ends === 'refused') {
      await assert.rejects(
        caller.call('system.health', {}),
        fault('incompatibleVersion', new RegExp(`${client}.*${daemon}`)),
        label,
      );
    } else {
      const { status } = await caller.call('system.health', {});
      assert.equal(status, ends === 'replaced' ? 'successor' : 'ok', label);
    }
    assert.equal(notices.length, ends === 'replaced' ? 1 : 0, label);
  }
});

test('of many clients that find no daemon one starts it, and all are answered', async t => {
  const home = temporaryHome(t);
  const places = placesIn(home);
  const log = join(home, 'starts');
  writeFileSync(log, '');
  const argv = [process.execPath, join(import.meta.dirname, 'small-daemon.js'), home, log];
  const callers = Array.from({ length: 8 }, () => callerTo(t, places, { start: { kind: 'command', argv } }));
  const answers = await Promise.all(callers.map(caller => caller.call('system.health', {})));
  const [pid, ...others] = readFileSync(log, 'utf8').trim().split('\n');
  t.after(() => process.kill(Number(pid)));
  assert.deepEqual(others, [], 'one start');
  assert.ok(answers.every(({ status }) => status === pid));
  assert.ok(!existsSync(places.startLockFile));
});

test('a daemon that gives up is reported with its words and the place of its log', async t => {
  const places = placesIn(temporaryHome(t));
  const script = 'console.error("config.toml: http.port is no number"); process.exit(78)';
  const argv = [process.execPath, '-e', script];
  await assert.rejects(
    callerTo(t, places, { start: { kind: 'command', argv } }).call('system.health', {}),
    fault('misconfigured', /http\.port is no number\nIts log: .*svc\.log/),
  );
  assert.ok(!existsSync(places.startLockFile), 'the lock is given back');
});

test('a start that finds another daemon leading, which then leaves, or that somebody kills, is made again', async t => {
  for (const ending of ['exit 0', 'kill -9 $$']) {
    const home = temporaryHome(t);
    const places = placesIn(home);
    const log = join(home, 'starts');
    const second = join(home, 'second');
    writeFileSync(log, '');
    const daemon = `${process.execPath} ${join(import.meta.dirname, 'small-daemon.js')} ${home} ${log}`;
    const script = `test -e ${second} && exec ${daemon}; touch ${second}; ${ending}`;
    const start = { kind: 'command', argv: ['sh', '-c', script] } as const;
    const { status } = await callerTo(t, places, { start }).call('system.health', {});
    process.kill(Number(status));
    assert.equal(readFileSync(log, 'utf8'), `${status}\n`, ending);
  }
});

test('a start lock whose holder died is taken over', async t => {
  const places = placesIn(temporaryHome(t));
  // No process has this number: Linux ends at 2^22.
  writeFileSync(places.startLockFile, '99999999');
  const argv = [process.execPath, '-e', 'process.exit(3)'];
  await assert.rejects(
    callerTo(t, places, { start: { kind: 'command', argv } }).call('system.health', {}),
    fault('unreachable', /ended with code 3/),
  );
});

test('versions are ordered by number, not by letter', () => {
  assert.ok(isNewer('0.10.0', '0.9.9'));
  assert.ok(isNewer('2.0.0', '1.99.99'));
  assert.ok(!isNewer('1.0.0', '1.0.0'));
  assert.ok(!isNewer('0.1.0', '0.1.1'));
});

import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTicksOf } from '../../client/paths.ts';
import { cutOff, Fault } from '../../client/protocol/faults.ts';
import { isNewer } from '../../client/versions.ts';
import { callerTo, fault, health } from './caller-to.ts';
import { openPeer, placesIn, type Script, silence, temporaryHome, writeRecord } from './peer.ts';

test('a call passes from a leaving daemon to its successor (P3)', async t => {
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

test('where none is started, a successor whose start has begun is waited for longer than somebody to begin with it', async t => {
  const places = placesIn(temporaryHome(t));
  const script: Script = method => (method === 'system.health' ? health : undefined);
  await openPeer(t, { places, name: 'leaving.sock', script });
  const caller = callerTo(t, places, { env: { SVC_PATIENCE_SECONDS: '86400' } });
  await caller.call('system.health', {});
  writeFileSync(places.startLockFile, `${process.pid} ${startTicksOf(process.pid)}`);
  rmSync(places.daemonFile);
  const { now } = performance;
  const sinceMs = now.call(performance);
  // A minute for each tenth of a second.
  t.mock.method(performance, 'now', () => sinceMs + (now.call(performance) - sinceMs) * 600);
  setTimeout(() => openPeer(t, { places, name: 'next.sock', script }), 100);
  assert.equal(await caller.hasSuccessor(), true);
});

test('a daemon that left is followed by one start: one that fails is not made again (P3)', async t => {
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

test('a call whose daemon dies is asked again if it only reads (P1)', async t => {
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

test('a call whose writing fails, for the daemon has gone by then, is asked of the next one, whatever it does', async t => {
  const places = placesIn(temporaryHome(t));
  const removed = { id: 'a' };
  let leave = () => {};
  await openPeer(t, {
    places,
    name: 'gone.sock',
    script: (method, _params, { hangUp }) => {
      leave = hangUp;
      return method === 'system.health' ? health : undefined;
    },
  });
  const caller = callerTo(t, places);
  await caller.call('system.health', {});
  await openPeer(t, { places, name: 'next.sock', script: method => (method.endsWith('Repo') ? removed : undefined) });
  // Between the two nothing is read, so that the end is not known yet.
  leave();
  assert.deepEqual(await caller.call('daemon.removeRepo', { id: 'a' }), removed);
});

test('a call that a daemon said goodbye to is asked of the next one, whatever it does (P9)', async t => {
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

const idle = { jobs: { queued: 0, running: 0 }, listeners: [] };

test('versions: the same major goes, a newer client replaces an idle daemon, an older one is told (P6)', async t => {
  const table = [
    { client: '0.1.0', daemon: '0.9.0', jobs: 0, ends: 'answered' },
    { client: '0.9.0', daemon: '0.1.0', jobs: 0, ends: 'replaced' },
    { client: '0.9.0', daemon: '0.1.0', jobs: 1, ends: 'answered' },
    { client: '1.0.0', daemon: '0.1.0', jobs: 0, ends: 'replaced' },
    { client: '1.0.0', daemon: '0.1.0', jobs: 1, ends: 'refused' },
    { client: '0.9.0', daemon: '0.1.0', jobs: 0, uploads: 1, ends: 'answered' },
    { client: '1.0.0', daemon: '0.1.0', jobs: 0, uploads: 1, ends: 'refused' },
    { client: '0.9.0', daemon: '0.1.0', jobs: 0, uploads: 0, ends: 'replaced' },
    { client: '0.1.0', daemon: '1.0.0', jobs: 0, ends: 'refused' },
  ];
  for (const { client, daemon, jobs, uploads, ends } of table) {
    const places = placesIn(temporaryHome(t));
    const label = `${client} against ${daemon} with ${jobs} jobs and ${uploads} uploads`;
    const next: Script = method => (method === 'system.health' ? { ...health, status: 'successor' } : undefined);
    await openPeer(t, {
      places,
      name: 'first.sock',
      version: daemon,
      script: async method => {
        if (method === 'initialize' && client.split('.')[0] !== daemon.split('.')[0]) {
          throw new Fault('incompatibleVersion', 'another major version');
        }
        if (method === 'daemon.status') return { ...idle, jobs: { queued: 0, running: jobs }, uploads };
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

test('versions are ordered by number, not by letter (P6)', () => {
  assert.ok(isNewer('0.10.0', '0.9.9'));
  assert.ok(isNewer('2.0.0', '1.99.99'));
  assert.ok(!isNewer('1.0.0', '1.0.0'));
  assert.ok(!isNewer('0.1.0', '0.1.1'));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { Fault } from '../../../client/protocol/faults.ts';
import { type Calls, openPort, PortClosed, RemoteError, Transferred } from '../../../daemon/workers/port.ts';
import { until } from '../../support/daemon.ts';

type Served = {
  readonly double: (n: number) => number;
  readonly refuse: (how: 'fault' | 'error') => never;
  readonly buffer: (size: number) => Uint8Array;
  readonly wait: (name: string) => string;
  readonly note: (text: string) => void;
};

function connect(window?: number) {
  const { port1, port2 } = new MessageChannel();
  const heard: string[] = [];
  const aborted: string[] = [];
  const gates = new Map<string, () => void>();
  const server = openPort<Served, Calls>(port1, {
    double: n => n * 2,
    refuse: how => {
      if (how === 'fault') throw new Fault('indexStale', 'stale', { details: { reason: 'cookie_lost' } });
      throw new TypeError('broken');
    },
    buffer: size => {
      const bytes = new Uint8Array(size).fill(7);
      return new Transferred(bytes, [bytes.buffer]);
    },
    wait: (name, { signal }) =>
      new Promise((resolve, reject) => {
        heard.push(name);
        gates.set(name, () => resolve(name));
        signal.addEventListener('abort', () => {
          aborted.push(name);
          reject(signal.reason);
        });
      }),
    note: text => {
      heard.push(text);
    },
  });
  const client = openPort<Calls, Served>(port2, {}, window === undefined ? {} : { window });
  return { server, client, heard, aborted, gates };
}

test('calls are answered, notes arrive, buffers move', async t => {
  const { client, heard } = connect();
  t.after(() => client.close());
  assert.equal(await client.ask('double', 21), 42);
  client.tell('note', 'hello');
  const bytes = await client.ask('buffer', 1000);
  assert.deepEqual([bytes.length, bytes[999]], [1000, 7]);
  assert.deepEqual(heard, ['hello']);
  const mine = new ArrayBuffer(8);
  await client.ask('double', 1, { transfer: [mine] });
  assert.equal(mine.byteLength, 0, 'the buffer was moved, not copied');
});

test('a Fault crosses intact, anything else as RemoteError', async t => {
  const { client } = connect();
  t.after(() => client.close());
  await assert.rejects(client.ask('refuse', 'fault'), (thrown: unknown) => {
    assert.ok(thrown instanceof Fault);
    assert.equal(thrown.reason, 'indexStale');
    assert.deepEqual(thrown.extras.details, { reason: 'cookie_lost' });
    return true;
  });
  await assert.rejects(client.ask('refuse', 'error'), (thrown: unknown) => {
    assert.ok(thrown instanceof RemoteError);
    assert.equal(thrown.message, 'broken');
    return true;
  });
  await assert.rejects(client.ask('nothing' as 'double', 1), RemoteError);
});

test('abort rejects at once and reaches the other side; a late answer is dropped', async t => {
  const { client, aborted } = connect();
  t.after(() => client.close());
  const stop = new AbortController();
  const asked = client.ask('wait', 'a', { signal: stop.signal });
  const reason = new Error('no longer needed');
  stop.abort(reason);
  await assert.rejects(asked, reason);
  assert.equal(client.pending, 0);
  await client.ask('double', 1);
  assert.deepEqual(aborted, ['a']);
});

test('abort that waits for the answer gives what the other side says', async t => {
  const { client } = connect();
  t.after(() => client.close());
  const stop = new AbortController();
  const asked = client.ask('wait', 'a', { signal: stop.signal, settles: 'answered' });
  stop.abort(new Error('mine'));
  await assert.rejects(asked, (thrown: unknown) => thrown instanceof Fault && thrown.reason === 'cancelled');
});

test('at most the window is in flight; those held back can be aborted unsent', async t => {
  const { client, heard, gates } = connect(2);
  t.after(() => client.close());
  const stop = new AbortController();
  const a = client.ask('wait', 'a');
  const b = client.ask('wait', 'b');
  const c = client.ask('wait', 'c', { signal: stop.signal });
  const d = client.ask('wait', 'd');
  await until('the first two are heard', () => heard.length >= 2);
  await client.ask('double', 1, { signal: AbortSignal.timeout(50) }).catch(() => {});
  assert.deepEqual(heard, ['a', 'b']);
  stop.abort(new Error('never mind'));
  await assert.rejects(c, /never mind/);
  gates.get('a')?.();
  assert.equal(await a, 'a');
  gates.get('b')?.();
  assert.equal(await b, 'b');
  assert.equal(await Promise.race([d, client.ask('double', 4)]), 8);
  assert.deepEqual(heard, ['a', 'b', 'd']);
});

test('when one end closes, whoever waits is told, and so is the work', async () => {
  const { client, server, aborted } = connect();
  const asked = client.ask('wait', 'a');
  await client.ask('double', 1);
  server.close();
  await assert.rejects(asked, PortClosed);
  await assert.rejects(client.ask('double', 1), PortClosed);
  assert.deepEqual(aborted, ['a']);
});

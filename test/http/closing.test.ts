import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { Reply } from '../../client/protocol/caller.ts';
import { patienceMs } from '../support/daemon.ts';
import { openListener, sendRequest, tableDaemon, token } from './listener.ts';

const document: Reply = { kind: 'document', body: '{"late":true}' };

/** A daemon whose `jobs.list` is answered when the test says so. */
function slowDaemon() {
  const asked = deferred<void>();
  const answer = deferred<Reply>();
  const daemon = tableDaemon({
    'jobs.list': () => {
      asked.resolve();
      return answer.promise;
    },
  });
  return { daemon, asked: asked.promise, answer: () => answer.resolve(document) };
}

test('closing lets an active request finish and refuses new connections', { timeout: patienceMs }, async t => {
  const { daemon, asked, answer } = slowDaemon();
  const listener = await openListener(t, daemon);
  const active = sendRequest(listener, 'GET', '/jobs', { Connection: 'keep-alive' });
  await asked;
  const closed = listener.close(5_000);
  await assert.rejects(sendRequest(listener, 'GET', '/health'), { code: 'ECONNREFUSED' });
  answer();
  const finished = await active;
  assert.equal(finished.status, 200);
  assert.equal(finished.headers['connection'], 'close');
  await closed;
});

test('a body on its way when closing begins is told of until its request is asked, or its client gone', {
  timeout: patienceMs,
}, async t => {
  const told: string[] = [];
  let gone = (): void => {};
  const daemon = tableDaemon({
    'indexing.index': () => {
      told.push('asked');
      return document;
    },
  });
  const onArriving = () => {
    told.push('arriving');
    return () => {
      told.push('arrived');
      gone();
    };
  };
  const listener = await openListener(t, daemon, { onArriving });
  const [one, other] = [connect(listener.port, '127.0.0.1'), connect(listener.port, '127.0.0.1')];
  for (const socket of [one, other]) {
    const headers = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nExpect: 100-continue`;
    socket.write(`POST /index HTTP/1.1\r\nHost: localhost\r\n${headers}\r\nContent-Length: 2\r\n\r\n`);
    await once(socket, 'data');
  }
  const closed = listener.close(60_000);
  one.write('{}');
  const [answer] = (await once(one, 'data')) as [Buffer];
  assert.match(String(answer), /^HTTP\/1\.1 200 /);
  assert.deepEqual(told.slice(0, 4), ['arriving', 'arriving', 'asked', 'arrived']);
  await once(one, 'close');
  const left = new Promise<void>(resolve => {
    gone = resolve;
  });
  other.destroy();
  await left;
  await closed;
});

test('at the deadline what still runs is told so and cut', { timeout: patienceMs }, async t => {
  const { daemon, asked } = slowDaemon();
  const listener = await openListener(t, daemon);
  const halfSent = connect(listener.port, '127.0.0.1');
  halfSent.write('GET /health HTTP/1.1\r\nHost: loc');
  await once(halfSent, 'connect');
  const cut = once(halfSent, 'close');
  const active = sendRequest(listener, 'GET', '/jobs');
  await asked;
  await listener.close(50);
  const told = await active;
  assert.equal(told.status, 503);
  const { code, details } = JSON.parse(told.body) as { code: string; details: unknown };
  assert.deepEqual([code, details], ['BACKEND_UNAVAILABLE', { begun: true }]);
  assert.equal(daemon.requests[0]?.abort.signal.aborted, true);
  await cut;
});

test('the deadline finds each that still runs, in whatever order others ended', { timeout: patienceMs }, async t => {
  const waiting = new Map<string, (reply: Reply) => void>();
  const allAsked = deferred<void>();
  const daemon = tableDaemon({
    'jobs.list': ({ requestId }) =>
      new Promise(resolve => {
        waiting.set(requestId, resolve);
        if (waiting.size === 6) allAsked.resolve();
      }),
  });
  const listener = await openListener(t, daemon);
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const answers = new Map(names.map(name => [name, sendRequest(listener, 'GET', '/jobs', { 'X-Request-ID': name })]));
  await allAsked.promise;
  for (const name of ['c', 'f', 'a']) {
    waiting.get(name)!(document);
    assert.equal((await answers.get(name)!).status, 200);
  }
  await listener.close(50);
  for (const name of ['b', 'd', 'e']) assert.equal((await answers.get(name)!).status, 503, name);
  assert.deepEqual(listener.answered.map(({ requestId }) => requestId).sort(), names);
});

test('an idle connection does not hold a closing listener', { timeout: patienceMs }, async t => {
  const listener = await openListener(t, tableDaemon());
  const idle = connect(listener.port, '127.0.0.1');
  idle.write(`GET /jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await once(idle, 'data');
  const cut = once(idle, 'close');
  await listener.close(60_000);
  await cut;
});

function deferred<Value>() {
  let resolve!: (value: Value) => void;
  const promise = new Promise<Value>(settle => {
    resolve = settle;
  });
  return { promise, resolve };
}

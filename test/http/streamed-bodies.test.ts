import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Fault } from '../../client/protocol/faults.ts';
import { patienceMs } from '../support/daemon.ts';
import { codeOf } from './index-door.ts';
import { failingWith, openListener, type Row, sendRaw, sendRequest, tableDaemon, token } from './listener.ts';

/** Reads the body and says how much there was. */
const reading: Row = async (_, input) => {
  const bytes = await buffer(input['body'] as Readable);
  return {
    kind: 'document',
    body: JSON.stringify({
      ...{ bytes: bytes.length, length: input['length'] },
      ...{ commit: input['commit'], encoding: input['encoding'] },
    }),
  };
};
const uploadPath = '/index/repos/acme/x/upload';
const octets = { 'Content-Type': 'application/octet-stream' };
const commit = 'a'.repeat(40);

test('an upload’s body is handed on as it is, its headers are fields', async t => {
  const listener = await openListener(t, tableDaemon({ 'indexServer.upload': reading }));
  const body = 'x'.repeat(3 * 1024 * 1024);
  const headers = { ...octets, 'X-SVC-Commit': commit, 'Content-Encoding': 'gzip' };
  const answer = await sendRequest(listener, 'POST', uploadPath, headers, body);
  const told = { bytes: body.length, length: body.length, commit, encoding: 'gzip' };
  assert.deepEqual([answer.status, JSON.parse(answer.body)], [200, told]);
  const typed = { 'Content-Type': 'Application/Octet-Stream; v=1' };
  assert.equal((await sendRequest(listener, 'POST', uploadPath, typed, 'x')).status, 200);
  assert.equal((await sendRequest(listener, 'POST', uploadPath, octets)).status, 200, 'an empty one is the handler’s');
  const chunked = `5\r\nhello\r\n0\r\n\r\n`;
  const inChunks = { ...octets, 'Transfer-Encoding': 'chunked', 'Content-Length': undefined };
  const came = await sendRequest(listener, 'POST', uploadPath, inChunks, chunked);
  assert.deepEqual(JSON.parse(came.body), { bytes: 5 }, 'whose length nobody says');
});

test('what is wrong with an upload’s headers is named by the header', async t => {
  const daemon = tableDaemon({ 'indexServer.upload': reading });
  const listener = await openListener(t, daemon);
  const refusals: readonly (readonly [string, string, number, string, RegExp])[] = [
    ['', 'Content-Type: application/json', 415, 'unsupported_media_type', /application\/octet-stream/],
    ['', 'Content-Type: application/octet-streams', 415, 'unsupported_media_type', /application\/octet-stream/],
    ['', 'X-Nothing: 1', 415, 'unsupported_media_type', /application\/octet-stream/],
    ['', 'X-SVC-Commit: HEAD', 400, 'invalid_parameter', /"X-SVC-Commit: must be the full hash/],
    [
      '',
      `X-SVC-Commit: ${commit}\r\nX-SVC-Commit: ${commit}`,
      400,
      'invalid_parameter',
      /"X-SVC-Commit: is given more than once/,
    ],
    [`?commit=${commit}`, 'A: b', 400, 'invalid_parameter', /commit: belongs in the header X-SVC-Commit/],
    ['?body=x', 'A: b', 400, 'invalid_parameter', /body: belongs in the body/],
  ];
  for (const [query, header, status, code, says] of refusals) {
    const type = status === 415 ? '' : 'Content-Type: application/octet-stream\r\n';
    const head = `POST ${uploadPath}${query} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${type}${header}\r\n`;
    const answer = await sendRaw(listener.port, `${head}Content-Length: 3\r\n\r\nabc`);
    assert.deepEqual([answer.status, codeOf(answer)], [status, code], header);
    assert.match(answer.body, says);
  }
  assert.deepEqual(daemon.requests, []);
});

test('who is refused in the middle of a body is told, and the connection ends', { timeout: patienceMs }, async t => {
  const leaving: Row = async (_, input) => {
    for await (const _chunk of input['body'] as Readable) throw new Fault('tooLarge', 'Too large');
    throw new Error('nothing came');
  };
  const refusing = failingWith(new Fault('insufficientScope', 'No'));
  for (const [row, code] of [
    [leaving, 'payload_too_large'],
    [refusing, 'insufficient_scope'],
  ] as const) {
    const listener = await openListener(t, tableDaemon({ 'indexServer.upload': row }), { limits: { lingerMs: 50 } });
    const socket = connect(listener.port, '127.0.0.1');
    let received = '';
    socket.on('data', chunk => {
      received += chunk.toString();
    });
    socket.on('error', () => {});
    socket.write(
      `POST ${uploadPath} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000000000\r\n\r\n${'x'.repeat(100_000)}`,
    );
    // It goes on sending, as one does who looks for answers at the end.
    const more = setInterval(() => socket.write('x'.repeat(100_000)), 5);
    await once(socket, 'close');
    clearInterval(more);
    assert.equal(listener.answered.length, 1);
    assert.match(received, new RegExp(`^HTTP/1.1 4\\d\\d [\\s\\S]*\r\nConnection: close\r\n[\\s\\S]*"${code}"`, 'i'));
  }
});

test('who asks first is told to go on when somebody reads, and not where nobody does', async t => {
  const row: Row = (request, input) =>
    input['encoding'] === 'none' ? failingWith(new Fault('configRepo', 'No'))(request, input) : reading(request, input);
  const listener = await openListener(t, tableDaemon({ 'indexServer.upload': row }), { limits: { lingerMs: 50 } });
  const ask = async (path: string, type: string, more: string, body: string): Promise<string> => {
    const socket = connect(listener.port, '127.0.0.1');
    let received = '';
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\n${more}Content-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    );
    socket.on('data', chunk => {
      received += chunk.toString();
      if (received === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body);
    });
    await once(socket, 'close');
    return received;
  };
  const type = 'application/octet-stream';
  assert.match(await ask(uploadPath, type, '', 'hello'), /^HTTP\/1.1 100 [\s\S]*HTTP\/1.1 200 [\s\S]*"bytes":5/);
  assert.match(await ask(uploadPath, type, 'Content-Encoding: none\r\n', 'hello'), /^HTTP\/1.1 403 [\s\S]*config_repo/);
  const json = await ask('/index/repos/x/symbols:batchGet', 'application/json', '', '{"ids":["a"]}');
  assert.match(json, /^HTTP\/1.1 100 [\s\S]*HTTP\/1.1 200 /);
});

test('a body that stops is cut: one that is handed on when nothing comes, any other when its time is over', {
  timeout: patienceMs,
}, async t => {
  const limits = { silentBodyMs: 150, requestTimeoutMs: 150, lingerMs: 20 };
  let failure: unknown;
  const row: Row = async (request, input) => {
    try {
      return await reading(request, input);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const daemon = tableDaemon({ 'indexServer.upload': row });
  const listener = await openListener(t, daemon, { limits });
  const head = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n`;
  const silent = await sendRaw(listener.port, `${head(uploadPath, 'application/octet-stream')}abc`);
  assert.deepEqual([silent.status, codeOf(silent)], [408, 'request_timeout']);
  assert.ok(failure instanceof Fault && failure.reason === 'requestTimeout');
  assert.equal(daemon.requests[0]?.abort.signal.aborted, true);

  const slow = await sendRaw(listener.port, `${head('/index/repos/x/symbols:batchGet', 'application/json')}{"ids"`);
  assert.deepEqual([slow.status, codeOf(slow)], [408, 'request_timeout']);
  assert.equal((await sendRaw(listener.port, `${head('/index', 'application/json')}{`)).status, 408);
  assert.deepEqual(
    listener.answered.filter(({ status }) => status === 408).map(({ fault }) => fault),
    ['requestTimeout', 'requestTimeout', 'requestTimeout'],
  );

  // Ten times as long as either limit, and never silent for as long.
  const socket = connect(listener.port, '127.0.0.1');
  socket.write(head(uploadPath, 'application/octet-stream'));
  let sent = 0;
  const drip = setInterval(() => {
    socket.write('xx');
    sent += 2;
    if (sent === 100) clearInterval(drip);
  }, 30);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  clearInterval(drip);
  assert.match(answer.toString(), /^HTTP\/1.1 200 [\s\S]*"bytes":100/);
  socket.destroy();
});

test('a client that goes away in the middle fails whoever reads', { timeout: patienceMs }, async t => {
  let failure: unknown;
  const row: Row = (request, input) =>
    Promise.resolve(reading(request, input)).catch((error: unknown) => {
      failure = error;
      throw error;
    });
  const daemon = tableDaemon({ 'indexServer.upload': row });
  const listener = await openListener(t, daemon);
  const socket = connect(listener.port, '127.0.0.1');
  socket.write(
    `POST ${uploadPath} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/octet-stream\r\nContent-Length: 100\r\n\r\nabc`,
  );
  while (daemon.requests.length === 0) await setImmediate();
  socket.destroy();
  while (!listener.answered.some(({ status }) => status === 499) || failure === undefined) await setImmediate();
  assert.match(String(failure), /went away/);
  const uploaded = listener.answered.filter(({ operation }) => operation === 'indexServer.upload');
  assert.deepEqual([uploaded[0]?.status, daemon.requests[0]?.abort.signal.aborted], [499, true]);
});

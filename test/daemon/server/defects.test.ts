import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { until } from '../../support/daemon.ts';
import { type RpcReply, request } from '../../support/rpc-wire.ts';
import { echoingDoor, search } from './echoing-door.ts';

const answered: readonly {
  readonly name: string;
  readonly send: unknown;
  readonly code: number;
  readonly id?: unknown;
  readonly says?: RegExp;
}[] = [
  { name: 'an empty batch', send: [], code: -32600 },
  { name: 'an empty object', send: {}, code: -32600 },
  { name: 'another version', send: { jsonrpc: '1.0', id: 1, method: 'x' }, code: -32600, id: 1 },
  { name: 'an object as id', send: { jsonrpc: '2.0', id: {}, method: 'x' }, code: -32600 },
  { name: 'a list as id', send: { jsonrpc: '2.0', id: [], method: 'x' }, code: -32600 },
  { name: 'a boolean as id', send: { jsonrpc: '2.0', id: true, method: 'x' }, code: -32600 },
  { name: 'a number as method', send: { jsonrpc: '2.0', id: 1, method: 1 }, code: -32600, id: 1 },
  { name: 'no method', send: { jsonrpc: '2.0', id: 1 }, code: -32600, id: 1 },
  { name: 'a number as method, without an id', send: { jsonrpc: '2.0', method: 1 }, code: -32600 },
  { name: 'no method, and no id', send: { jsonrpc: '2.0', params: {} }, code: -32600 },
  { name: 'a request by the id null', send: { jsonrpc: '2.0', id: null, method: 'none' }, code: -32601 },
  { name: 'a batch of 1001', send: Array.from({ length: 1001 }, (_, id) => search(id)), code: -32600 },
  { name: 'rpc.x', send: request(1, 'rpc.x'), code: -32601, id: 1 },
  { name: '__proto__', send: request(1, '__proto__'), code: -32601, id: 1 },
  { name: 'constructor', send: request(1, 'constructor'), code: -32601, id: 1 },
  { name: 'toString', send: request(1, 'toString'), code: -32601, id: 1 },
  { name: 'no name', send: request(1, ''), code: -32601, id: 1 },
  { name: 'the wrong case', send: request(1, 'System.Health'), code: -32601, id: 1, says: /mean system\.health\?/ },
  { name: 'a near miss', send: request(1, 'symbols.serch'), code: -32601, id: 1, says: /mean symbols\.search\?/ },
  {
    name: 'a name near none',
    send: request(1, 'textDocument/definition'),
    code: -32601,
    says: /"events\.subscribe"/,
    id: 1,
  },
  { name: 'a name of 10 kB', send: request(1, 'x'.repeat(10_000)), code: -32601, id: 1 },
  { name: 'params by position', send: request(1, 'system.health', [1]), code: -32602, id: 1 },
  { name: 'params that are text', send: request(1, 'system.health', 'x'), code: -32602, id: 1 },
  {
    name: 'JSON that is too deep',
    send: search(1, JSON.parse('['.repeat(100) + ']'.repeat(100))),
    code: -32602,
    id: 1,
  },
  { name: 'deadline 0', send: request(1, 'system.health', { deadlineMs: 0 }), code: -32602, id: 1 },
  { name: 'deadline 2^53', send: request(1, 'system.health', { deadlineMs: 2 ** 53 }), code: -32602, id: 1 },
  {
    name: 'a progress token that is a list',
    send: request(1, 'system.health', { workDoneToken: [] }),
    code: -32602,
    id: 1,
  },
  {
    name: 'a subscription with an unknown field',
    send: request(1, 'events.subscribe', { typ: [] }),
    code: -32602,
    id: 1,
  },
  {
    name: 'an unknown subscription',
    send: request(1, 'events.unsubscribe', { subscription: 'x' }),
    code: -32004,
    id: 1,
  },
  { name: 'a fault', send: search(1, 'fault'), code: -32004, id: 1 },
  { name: 'a crash', send: search(1, 'crash'), code: -32603, id: 1 },
];

test('each defect has its code, and the connection lives on', async context => {
  const { open } = await echoingDoor(context);
  const line = await open();
  for (const { name, send, code, id = null, says } of answered) {
    const reply = await line.ask(send);
    assert.equal(reply.error?.code, code, name);
    assert.equal(reply.id, id, name);
    if (says !== undefined) assert.match(JSON.stringify(reply.error), says, name);
    assert.ok(!JSON.stringify(reply).includes('/secret'), name);
  }
  assert.equal((await line.ask(search('last'))).result, 'last');
});

test('a field that comes twice is told by its path, whichever would count', async context => {
  const { open } = await echoingDoor(context);
  const line = await open();
  line.raw('{"jsonrpc":"2.0","id":1,"method":"symbols.search","params":{"q":"a","q":"b"}}\n');
  const reply = (await line.next()) as RpcReply;
  assert.equal(reply.error?.code, -32602);
  assert.match(JSON.stringify(reply.error), /"params\.q"/);
});

test('a fault brings the public body with its reason', async context => {
  const { open } = await echoingDoor(context);
  const { error } = await (await open()).ask(search(1, 'fault'));
  assert.deepEqual(
    [error?.data?.['code'], error?.data?.['reason'], error?.data?.['retryAfterSeconds']],
    ['SYMBOL_NOT_FOUND', 'symbolNotFound', 3],
  );
});

const closing: readonly {
  readonly name: string;
  readonly bytes: string | Buffer;
  readonly code: number | undefined;
}[] = [
  { name: 'a line that is no JSON', bytes: '{nonsense\n', code: -32700 },
  { name: 'words', bytes: 'hello\n', code: -32700 },
  { name: 'invalid UTF-8', bytes: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d, 0x0a]), code: -32700 },
  { name: 'binary', bytes: Buffer.from([0, 1, 2, 3]), code: -32700 },
  { name: 'an HTTP request', bytes: 'POST / HTTP/1.1\r\n\r\n', code: -32700 },
  { name: 'a TLS hello', bytes: Buffer.from([0x16, 3, 1]), code: -32700 },
  { name: 'a frame over the limit', bytes: `{"a":"${'x'.repeat(100_000)}"}\n`, code: -32003 },
];
for (const { name, bytes, code } of closing) {
  test(`${name} is told ${code}, and the connection closes`, async context => {
    const { open } = await echoingDoor(context);
    const line = await open();
    line.raw(bytes);
    const replies = await line.rest();
    assert.deepEqual(
      replies.map(({ error, id }) => [error?.code, id]),
      [[code, null]],
    );
  });
}

const badHeaders = [
  'Content-Length: -1',
  'Content-Length: 1e9',
  'Content-Length: 0x10',
  'Content-Length: 2\r\nContent-Length: 2',
  'Content-Type: application/vscode-jsonrpc',
  `Content-Length: ${2 ** 53}`,
  'Content-Length: 100001',
  `Content-Length: 2\r\nX: ${'x'.repeat(100_000)}`,
];
for (const header of badHeaders) {
  test(`a frame with ${header.slice(0, 60).replace('\r\n', ', ')} is told −32003, and the connection closes`, async context => {
    const { open, seen } = await echoingDoor(context);
    const { socket } = await open();
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    const closed = once(socket, 'close');
    socket.write(`${header}\r\n\r\n{}`);
    await closed;
    const [, length, body = ''] = /^Content-Length: (\d+)\r\n\r\n(.*)$/s.exec(text) ?? [];
    assert.equal(Buffer.byteLength(body), Number(length), text);
    const { id, error } = JSON.parse(body) as RpcReply;
    assert.deepEqual([id, error?.code, seen.length], [null, -32003, 0]);
  });
}

test('one bad message in a good frame leaves the connection open', async context => {
  const { open } = await echoingDoor(context);
  const { socket } = await open();
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const good = JSON.stringify(search(7));
  socket.write(`Content-Length: 3\r\n\r\n{x}Content-Length: ${good.length}\r\nContent-Type: x\r\n\r\n${good}`);
  await until('both replies', () => text.includes('"id":7'));
  assert.match(text, /^Content-Length: \d+\r\n\r\n\{"jsonrpc":"2.0","id":null,"error":\{"code":-32700/);
  assert.match(text, /Content-Length: 35\r\n\r\n\{"jsonrpc":"2.0","id":7,"result":7\}$/);
});

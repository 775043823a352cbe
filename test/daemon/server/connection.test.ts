import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Reply } from '../../../client/protocol/caller.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { systemClock } from '../../../daemon/clock.ts';
import type { Dispatcher, DispatchRequest } from '../../../daemon/server/dispatch.ts';
import { createEventHub, type EventHub } from '../../../daemon/server/event-hub.ts';
import { createMethods } from '../../../daemon/server/methods.ts';
import { openSocketServer, type SocketServer } from '../../../daemon/server/socket-server.ts';
import { until } from '../../support/daemon.ts';
import { type Cleanup, temporaryFolder } from '../../support/repository.ts';
import { type RpcReply, request, type Wire, wire } from '../../support/rpc-wire.ts';
import { randomFrom } from '../../support/synthetic.ts';

/** A door that echoes, waits or throws, as the query `q` says: what is behind the connection is not in question here. */
interface Bench {
  readonly server: SocketServer;
  readonly hub: EventHub;
  readonly seen: DispatchRequest[];
  /** Answers all that wait. */
  release(): void;
  open(): Promise<Wire>;
}

async function bench(
  context: Cleanup,
  limits: Partial<{ connections: number; backlogBytes: number; halfOpenMs: number }> = {},
): Promise<Bench> {
  const seen: DispatchRequest[] = [];
  const waiting: (() => void)[] = [];
  const hub = createEventHub();
  const document = (value: unknown): Reply => ({ kind: 'document', body: JSON.stringify(value) });
  const dispatcher: Dispatcher = {
    subscribe: hub.subscribe,
    inFlight: () => waiting.length,
    async dispatch(asked) {
      seen.push(asked);
      const q = String(asked.input['q']);
      if (q === 'wait') {
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          asked.abort.signal.addEventListener('abort', () => reject(new Fault('cancelled', 'gone')));
        });
      }
      if (q === 'fault') throw new Fault('symbolNotFound', 'no such symbol', { retryAfterSeconds: 3 });
      if (q === 'crash') throw new Error('/secret');
      if (q === 'progress') asked.onProgress?.({ message: 'half', fraction: 0.5 });
      if (q === 'large') return document('x'.repeat(1_000_000));
      return document(asked.input['q'] ?? null);
    },
  };
  const server = await openSocketServer({
    newPath: () => join(temporaryFolder(context).root, 's'),
    maxConnections: () => limits.connections ?? 128,
    methods: createMethods(dispatcher),
    subscribe: hub.subscribe,
    clock: systemClock,
    observe: () => {},
    limits: () => ({
      frameBytes: 100_000,
      backlogBytes: limits.backlogBytes ?? 16 * 1024 * 1024,
      jsonDepth: 64,
      requestsInFlight: 64,
      batchRequests: 1000,
      subscriptions: 4,
      halfOpenMs: limits.halfOpenMs ?? 60_000,
    }),
  });
  context.after(() => server.close());
  return {
    server,
    hub,
    seen,
    release: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
    async open() {
      const socket = connect(server.path);
      await once(socket, 'connect');
      context.after(() => socket.destroy());
      return wire(socket);
    },
  };
}

const search = (id: string | number, q: unknown = id) => request(id, 'symbols.search', { q });

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
  const { open } = await bench(context);
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

test('a fault brings the public body with its reason', async context => {
  const { open } = await bench(context);
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
    const { open } = await bench(context);
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
    const { open, seen } = await bench(context);
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
  const { open } = await bench(context);
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

const notice = (q: unknown) => ({ jsonrpc: '2.0', method: 'symbols.search', params: { q } });
const framings = {
  lines: (text: string) => `${text}\n`,
  headers: (text: string) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
};
for (const [framing, framed] of Object.entries(framings)) {
  test(`a notification is carried out and never answered, alone or in a batch (${framing})`, async context => {
    const { open, seen } = await bench(context);
    const { socket } = await open();
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    const messages = [
      notice('alone'),
      notice('fault'),
      notice('crash'),
      { jsonrpc: '2.0', method: 'symbols.search', params: [1] },
      { jsonrpc: '2.0', method: 'symbols.search', params: { workDoneToken: [] } },
      { jsonrpc: '2.0', method: 'events.unsubscribe', params: {} },
      { jsonrpc: '2.0', method: 'no.such' },
      [notice('only'), notice('notices')],
      [notice('beside'), search('one'), { jsonrpc: '2.0', method: 'exit' }],
    ];
    socket.write(messages.map(message => framed(JSON.stringify(message))).join(''));
    await until('the batch is answered', () => text.includes('"one"'));
    socket.write(framed(JSON.stringify(search('end'))));
    await until('the end is answered', () => text.includes('"end"'));
    assert.equal(
      text,
      [[{ jsonrpc: '2.0', id: 'one', result: 'one' }], { jsonrpc: '2.0', id: 'end', result: 'end' }]
        .map(reply => framed(JSON.stringify(reply)))
        .join(''),
    );
    assert.deepEqual(
      seen.map(({ input }) => input['q']),
      ['alone', 'fault', 'crash', 'only', 'notices', 'beside', 'one', 'end'],
    );
  });
}

test('what is no request gets no reply and has no effect', async context => {
  const { open, seen } = await bench(context);
  const line = await open();
  line.raw('\n \n\r\n');
  line.send(
    { jsonrpc: '2.0', method: 'no.such' },
    { jsonrpc: '2.0', method: 'exit' },
    { jsonrpc: '2.0', id: 5, result: 1 },
    { jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 'nobody' } },
    { jsonrpc: '2.0', method: '$/setTrace', params: {} },
    [{ jsonrpc: '2.0', method: 'exit' }],
  );
  assert.equal((await line.ask(search('end'))).id, 'end');
  assert.equal(seen.length, 1);
});

test('a truncated frame and an end: no reply', async context => {
  const { open } = await bench(context);
  const line = await open();
  line.raw('{"jsonrpc"');
  line.socket.end();
  assert.deepEqual(await line.rest(), []);
});

test('a client that has said all it had to still gets its answers', async context => {
  const { open, release, seen } = await bench(context);
  const line = await open();
  line.send(search(1, 'wait'), search(2));
  line.socket.end();
  await until('both have arrived', () => seen.length === 2);
  release();
  assert.deepEqual((await line.rest()).map(({ id }) => id).sort(), [1, 2]);
});

test('a batch answers as one list, with what is due', async context => {
  const { open } = await bench(context);
  const line = await open();
  line.send([search(1), { jsonrpc: '2.0', method: 'exit' }, 5, search(2, 'fault'), request('x', 'none')]);
  const replies = (await line.next()) as RpcReply[];
  const told = replies.map(({ id, error }) => [id, error?.code ?? 'ok']).sort();
  assert.deepEqual(
    told,
    [
      [1, 'ok'],
      [2, -32004],
      [null, -32600],
      ['x', -32601],
    ].sort(),
  );
  line.send([search(3)]);
  assert.equal(((await line.next()) as RpcReply[]).length, 1, 'a batch of one is a list of one');
  line.send(Array.from({ length: 1000 }, (_, id) => search(id)));
  assert.equal(((await line.next()) as RpcReply[]).length, 1000);
});

test('cancelling answers at once, and once', async context => {
  const { open, seen, server } = await bench(context);
  const line = await open();
  line.send(search('long', 'wait'), { jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 'long' } });
  const reply = (await line.next()) as RpcReply;
  assert.deepEqual([reply.id, reply.error?.code], ['long', -32800]);
  assert.equal(seen[0]?.abort.signal.aborted, true);
  assert.equal((await line.ask(search('after'))).id, 'after');
  assert.equal(server.inFlight(), 0);
});

test('an id that is in flight is not taken twice; 1 and "1" are two ids', async context => {
  const { open, release, seen } = await bench(context);
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

test('the 65th request in flight, the 129th connection and the fifth of four subscriptions are told −32005', async context => {
  const { open, release, seen } = await bench(context, { connections: 2 });
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
  const { open, hub } = await bench(context);
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
  const { open } = await bench(context);
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
  const { open, seen } = await bench(context);
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
  const { open, seen, server } = await bench(context);
  const line = await open();
  line.send(search(1, 'wait'));
  await until('it waits', () => seen.length === 1);
  line.socket.destroy();
  await until('it was cancelled', () => seen[0]!.abort.signal.aborted && server.connections() === 0);
});

test('a reader that does not read is cut', async context => {
  const { open, server } = await bench(context, { backlogBytes: 3_000_000 });
  const line = await open();
  line.socket.pause();
  line.send(...Array.from({ length: 20 }, (_, id) => search(id, 'large')));
  await until('the daemon cuts it', () => server.connections() === 0);
});

test('a frame that never ends is cut', async context => {
  const { open } = await bench(context, { halfOpenMs: 30 });
  const line = await open();
  line.raw('{"jsonrpc":');
  assert.deepEqual(await line.rest(), []);
});

test('while the daemon leaves, what comes is told −32007, and what ran too when time is up', async context => {
  const { open, server, seen } = await bench(context);
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

/** What one step of the stream below sends, and the replies that are due for it: id, and the code of an error or `ok`. */
interface Step {
  readonly sent: readonly unknown[];
  readonly due: readonly (readonly [id: string | number | null, outcome: number | 'ok'])[];
}

function randomStep(id: number, random: () => number): Step {
  const choice = random();
  const cancel = { jsonrpc: '2.0', method: '$/cancelRequest', params: { id } };
  if (choice < 0.5) return { sent: [search(id)], due: [[id, 'ok']] };
  if (choice < 0.6) return { sent: [search(id, 'fault')], due: [[id, -32004]] };
  if (choice < 0.65) return { sent: [request(id, 'no.such')], due: [[id, -32601]] };
  if (choice < 0.7) return { sent: [notice('unheard'), cancel], due: [] };
  if (choice < 0.75) return { sent: [{ jsonrpc: '1.0', id, method: 'x' }], due: [[id, -32600]] };
  if (choice < 0.85) {
    const batch = [search(`${id}`), notice('in a batch'), search(id, 'fault')];
    return {
      sent: [batch],
      due: [
        [`${id}`, 'ok'],
        [id, -32004],
      ],
    };
  }
  if (choice < 0.95) return { sent: [search(id, 'wait'), cancel], due: [[id, -32800]] };
  return {
    sent: [search(id, 'wait'), search(id), cancel],
    due: [
      [null, -32600],
      [id, -32800],
    ],
  };
}

for (const [framing, framed] of Object.entries(framings)) {
  test(`a thousand pipelined steps, however split, get each reply once: batches, duplicates, cancels (${framing})`, async context => {
    const { open } = await bench(context);
    for (let seed = 1; seed <= 3; seed++) {
      const random = randomFrom(seed);
      const { socket } = await open();
      const steps = Array.from({ length: 1000 }, (_, id) => randomStep(id, random));
      const bytes = Buffer.from(steps.flatMap(({ sent }) => sent.map(one => framed(JSON.stringify(one)))).join(''));
      const due = steps.flatMap(one => one.due);
      const text: string[] = [];
      socket.on('data', (chunk: Buffer) => text.push(chunk.toString()));
      for (let at = 0; at < bytes.length; ) {
        const length = 1 + Math.floor(random() ** 4 * 65_536);
        socket.write(bytes.subarray(at, at + length));
        at += length;
        await new Promise(resolve => setImmediate(resolve));
      }
      const told = () => {
        const messages = text
          .join('')
          .split(/Content-Length: \d+\r\n\r\n|\n/)
          .filter(one => one !== '');
        return messages.flatMap(one => JSON.parse(one) as RpcReply | RpcReply[]);
      };
      await until('all are there', () => text.join('').match(/"jsonrpc"/g)?.length === due.length);
      const outcomes = told().map(({ id = null, error }) => JSON.stringify([id, error?.code ?? 'ok']));
      assert.deepEqual(outcomes.sort(), due.map(one => JSON.stringify(one)).sort());
      for (const { id, result } of told()) if (result !== undefined) assert.equal(result, id);
      socket.destroy();
    }
  });
}

test('whoever waits at the old name when the socket moves is taken first, however many they are', async context => {
  const { server } = await bench(context);
  const { path } = server;
  const waiting = Array.from({ length: 40 }, () => wire(connect(path)));
  context.after(() => {
    for (const { socket } of waiting) socket.destroy();
  });
  await server.move();
  assert.notEqual(server.path, path);
  for (const line of waiting) assert.equal((await line.ask(search(1, 'here'))).result, 'here');
});

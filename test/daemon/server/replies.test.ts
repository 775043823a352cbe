import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/daemon.ts';
import { type RpcReply, request } from '../../support/rpc-wire.ts';
import { randomFrom } from '../../support/synthetic.ts';
import { echoingDoor, search } from './echoing-door.ts';

const notice = (q: unknown) => ({ jsonrpc: '2.0', method: 'symbols.search', params: { q } });
const framings = {
  lines: (text: string) => `${text}\n`,
  headers: (text: string) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
};

for (const [framing, framed] of Object.entries(framings)) {
  test(`a notification is carried out and never answered, alone or in a batch (${framing})`, async context => {
    const { open, seen } = await echoingDoor(context);
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
  const { open, seen } = await echoingDoor(context);
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
  const { open } = await echoingDoor(context);
  const line = await open();
  line.raw('{"jsonrpc"');
  line.socket.end();
  assert.deepEqual(await line.rest(), []);
});

test('a client that has said all it had to still gets its answers', async context => {
  const { open, release, seen } = await echoingDoor(context);
  const line = await open();
  line.send(search(1, 'wait'), search(2));
  line.socket.end();
  await until('both have arrived', () => seen.length === 2);
  release();
  assert.deepEqual((await line.rest()).map(({ id }) => id).sort(), [1, 2]);
});

test('a batch answers as one list, with what is due', async context => {
  const { open } = await echoingDoor(context);
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
    const { open } = await echoingDoor(context);
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

import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { RpcReply } from '../../support/rpc-wire.ts';

/** What is written to the socket, and what must come of it. */
export interface WireCase {
  readonly what: string;
  readonly bytes: Buffer;
  /** Codes of the errors that are told, `ok` for a result, in order. */
  readonly told: readonly (number | 'ok')[];
  /** Whether the daemon ends the conversation; where not, the next question is answered. */
  readonly ends: 'closes' | 'stays' | 'is ended by us';
}

const mib = 1024 * 1024;
const line = (text: string): Buffer => Buffer.from(`${text}\n`);
const framed = (body: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`), Buffer.from(body)]);
const ask = (more: object): Buffer => line(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'jobs.list', ...more }));
const named = (method: string): Buffer => ask({ method });

/** Whoever speaks something else is told so, and left. */
const strangers: readonly (readonly [what: string, bytes: string | Buffer])[] = [
  ['words', 'hello\n'],
  ['words in brackets', '{hello}\n'],
  ['JSON with single quotes', "{'jsonrpc':'2.0'}\n"],
  ['JSON with a comma too many', '{"jsonrpc":"2.0",}\n'],
  ['JSON that ends early', '{"jsonrpc":"2.0"\n'],
  ['an id that is NaN', '{"jsonrpc":"2.0","id":NaN,"method":"jobs.list"}\n'],
  ['a text that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d, 0x0a])],
  ['half of a character', Buffer.from([0x7b, 0x22, 0xe2, 0x82, 0x22, 0x3a, 0x31, 0x7d, 0x0a])],
  ['a mark of byte order', Buffer.from('\ufeff{"jsonrpc":"2.0","id":1,"method":"jobs.list"}\n')],
  ['UTF-16', Buffer.from('{"jsonrpc":"2.0"}\n', 'utf16le')],
  ['zeros', Buffer.alloc(64)],
  ['bytes of every kind', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
  ['an HTTP request', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ['an HTTP request with a body', 'POST /index HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a TLS hello', Buffer.from('16030100c8010000c40303', 'hex')],
  ['a greeting of SSH', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['an ELF file', Buffer.from('7f454c460201010000000000', 'hex')],
];

/** A frame that is too large, or whose length can't be told: where the next one begins nobody knows. */
const misframed: readonly (readonly [what: string, bytes: string | Buffer])[] = [
  ['a line of a byte too many', Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(16 * mib - 4, 'x'), line('"}')])],
  ['65 MB without an end', Buffer.concat([Buffer.from('{'), Buffer.alloc(65_000_000, ' ')])],
  ['an announced byte too many', `Content-Length: ${16 * mib + 1}\r\n\r\n`],
  ['2^53 bytes', 'Content-Length: 9007199254740992\r\n\r\n'],
  ['more digits than a number has', `Content-Length: ${'9'.repeat(400)}\r\n\r\n`],
  ['a negative length', 'Content-Length: -1\r\n\r\n{}'],
  ['a length with a sign', 'Content-Length: +2\r\n\r\n{}'],
  ['a length with an exponent', 'Content-Length: 1e9\r\n\r\n'],
  ['a hexadecimal length', 'Content-Length: 0x10\r\n\r\n'],
  ['a fraction', 'Content-Length: 2.0\r\n\r\n{}'],
  ['a length of nothing', 'Content-Length: \r\n\r\n{}'],
  ['two numbers', 'Content-Length: 2, 2\r\n\r\n{}'],
  ['a length twice', 'Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}'],
  ['two lengths', 'Content-Length: 2\r\ncontent-length: 20\r\n\r\n{}'],
  ['no length', 'Content-Type: application/json\r\n\r\n{}'],
  ['a header without a colon', 'Content-Length 2\r\n\r\n{}'],
  ['a header without an end', `Content-Length: 2\r\nX: ${'x'.repeat(5000)}`],
  [
    'more values than are read',
    line(`{"jsonrpc":"2.0","id":1,"method":"jobs.list","params":[${'0,'.repeat(50_001)}0]}`),
  ],
];

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}0${'}'.repeat(levels)}`;

/** What is JSON and no request, and what is one for nobody. */
const messages: readonly (readonly [what: string, bytes: Buffer, told: readonly (number | 'ok')[]])[] = [
  ['a list of nothing', line('[]'), [-32600]],
  ['a list of what is no request', line('[1]'), [-32600]],
  ['an object of nothing', line('{}'), [-32600]],
  ['a list in a list', line('[[]]'), [-32600]],
  ['another version', ask({ jsonrpc: '1.0' }), [-32600]],
  ['a version that is a number', ask({ jsonrpc: 2 }), [-32600]],
  ['no version', line('{"id":1,"method":"jobs.list"}'), [-32600]],
  ['an id that is an object', ask({ id: {} }), [-32600]],
  ['an id that is a list', ask({ id: [1] }), [-32600]],
  ['an id that is true', ask({ id: true }), [-32600]],
  ['an id beyond all bounds', line('{"jsonrpc":"2.0","id":1e999,"method":"jobs.list"}'), [-32600]],
  ['a method that is a number', ask({ method: 7 }), [-32600]],
  ['a method that is nothing', ask({ method: null }), [-32600]],
  ['no method', line('{"jsonrpc":"2.0","id":1}'), [-32600]],
  ['1,001 at once', line(JSON.stringify(Array(1001).fill({ jsonrpc: '2.0', id: 1, method: 'jobs.list' }))), [-32600]],
  ['an id that is in flight', Buffer.concat([waiting(), ask({ id: 1 })]), [-32600, 'ok']],
  ['a name of the protocol’s own', named('rpc.discover'), [-32601]],
  ['__proto__', named('__proto__'), [-32601]],
  ['constructor', named('constructor'), [-32601]],
  ['toString', named('toString'), [-32601]],
  ['a name of nothing', named(''), [-32601]],
  ['a name in other letters', named('Jobs.List'), [-32601]],
  ['a name with a space behind it', named('jobs.list '), [-32601]],
  ['a group alone', named('jobs'), [-32601]],
  ['a name with a NUL', named('jobs.list\0'), [-32601]],
  ['a name of 10 kB', named('x'.repeat(10_000)), [-32601]],
  ['a cancellation with an id of its own', ask({ method: '$/cancelRequest', params: { id: 9 } }), [-32601]],
  ['fields in a row', ask({ params: ['queued'] }), [-32602]],
  ['fields as a text', ask({ params: 'queued' }), [-32602]],
  ['fields as a number', ask({ params: 0 }), [-32602]],
  ['a field twice', line('{"jsonrpc":"2.0","id":1,"method":"jobs.list","params":{"limit":1,"limit":2}}'), [-32602]],
  ['a thousand filters, one in the other', ask({ params: JSON.parse(deep(1000)) as object }), [-32602]],
  ['65 brackets', line(`{"jsonrpc":"2.0","id":1,"method":"jobs.list","params":${deep(64)}}`), [-32602]],
  ['a million brackets', line(`{"jsonrpc":"2.0","id":1,"method":"jobs.list","params":${'['.repeat(1e6)}`), [-32602]],
  ['no fields at all', ask({ params: null }), ['ok']],
  ['a name that nobody has, as a notice', line('{"jsonrpc":"2.0","method":"no.such"}'), []],
  ['a question without an id', line('{"jsonrpc":"2.0","method":"jobs.list"}'), []],
  ['exit', line('{"jsonrpc":"2.0","method":"exit"}'), []],
  ['an answer', line('{"jsonrpc":"2.0","id":1,"result":0}'), []],
  ['a refusal', line('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}'), []],
  ['blank lines', Buffer.from('\n \r\n\t\n\r\n'), []],
  ['a cancellation of what nobody asked', line('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":9}}'), []],
  ['a cancellation of an object', line('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}'), []],
  ['a cancelled wait', Buffer.concat([waiting(), cancel(1)]), [-32800]],
  ['a cancelled wait, twice', Buffer.concat([waiting(), cancel(1), cancel(1)]), [-32800]],
];

/** In a frame that says how long it is, a bad message is that one alone. */
const inFrames: readonly (readonly [what: string, bytes: Buffer, told: readonly (number | 'ok')[]])[] = [
  ['a framed message that is no JSON', framed('{"jsonrpc":'), [-32700]],
  ['framed words', framed('hello'), [-32700]],
  ['an empty frame', framed(''), [-32700]],
  ['a frame with an id that is NaN', framed('{"jsonrpc":"2.0","id":NaN,"method":"jobs.list"}'), [-32700]],
  ['a framed number', framed('7'), [-32600]],
  ['two framed messages, one of them good', Buffer.concat([framed('{'), framed(ask({}))]), [-32700, 'ok']],
];

/** Who breaks off in the midst gets no reply. */
const brokenOff: readonly (readonly [what: string, bytes: string])[] = [
  ['half of a line', '{"jsonrpc":"2.0","id":1,"meth'],
  ['half of a frame', 'Content-Length: 100\r\n\r\n{"jsonrpc":'],
  ['half of a header', 'Content-Len'],
  ['nothing', ''],
];

export const wireCases: readonly WireCase[] = [
  ...strangers.map(([what, bytes]) => ({ what, bytes: Buffer.from(bytes), told: [-32700], ends: 'closes' as const })),
  ...misframed.map(([what, bytes]) => ({ what, bytes: Buffer.from(bytes), told: [-32003], ends: 'closes' as const })),
  ...[...messages, ...inFrames].map(([what, bytes, told]) => ({ what, bytes, told, ends: 'stays' as const })),
  ...brokenOff.map(([what, bytes]) => ({
    ...{ what, bytes: Buffer.from(bytes), told: [] },
    ends: 'is ended by us' as const,
  })),
];

/** A question that is answered when the next snapshot is there, or never. */
function waiting(): Buffer {
  return ask({ method: 'indexing.index', params: { force: true } });
}

function cancel(id: number): Buffer {
  return line(JSON.stringify({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id } }));
}

/** Speaks it, and tells what came back, and whether the daemon went on listening. */
export async function heard(socket: Socket, { bytes, told, ends }: WireCase) {
  let text = '';
  let isClosed = false;
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  socket.on('error', () => {});
  const closed = new Promise<void>(resolve => {
    socket.once('close', () => {
      isClosed = true;
      resolve();
    });
  });
  socket.write(bytes);
  if (ends === 'is ended by us') socket.end();
  if (ends === 'stays') {
    const isFramed = bytes.toString('latin1', 0, 1) === 'C';
    const last = { jsonrpc: '2.0', id: 'last', method: 'jobs.list', params: { limit: 1 } };
    // What came before is answered first, so that the last answer is the last.
    while (!isClosed && repliesIn(text).length < told.length)
      await Promise.race([once(socket, 'data').catch(() => {}), closed]);
    if (!isClosed) socket.write(isFramed ? framed(JSON.stringify(last)) : line(JSON.stringify(last)));
    while (!isClosed && !text.includes('"last"')) await Promise.race([once(socket, 'data').catch(() => {}), closed]);
    socket.destroy();
  } else await closed;
  const replies = repliesIn(text).filter(({ id }) => id !== 'last');
  return {
    told: replies.map(({ error }) => error?.code ?? 'ok'),
    ends: ends === 'stays' && !text.includes('"last"') ? 'closes' : ends,
    replies,
  };
}

function repliesIn(text: string): readonly RpcReply[] {
  const messages = text.split(/Content-Length: \d+\r\n\r\n|\n/).filter(one => one !== '');
  return messages.flatMap(one => JSON.parse(one) as RpcReply | RpcReply[]);
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Breach, createFrameReader, type Framing, frame } from '../../../daemon/server/framing.ts';
import { parseJson } from '../../../daemon/server/json.ts';
import { randomFrom } from '../../support/synthetic.ts';

const maxFrameBytes = 1000;

interface Heard {
  readonly messages: string[];
  readonly breaches: Breach[];
  readonly framing: () => Framing;
}

function hear(chunks: Iterable<Buffer>): Heard {
  const messages: string[] = [];
  const breaches: Breach[] = [];
  const reader = createFrameReader({
    maxFrameBytes,
    onMessage: bytes => messages.push(bytes.toString()),
    onBreach: breach => breaches.push(breach),
  });
  for (const chunk of chunks) reader.push(chunk);
  return { messages, breaches, framing: () => reader.framing() };
}

const sent = Array.from({ length: 60 }, (_, number) => JSON.stringify({ id: number, text: 'ä\n'.repeat(number) }));

for (const framing of ['lines', 'headers'] as const) {
  test(`messages arrive whole and in order however their bytes are split (${framing})`, () => {
    const bytes = Buffer.concat(sent.flatMap(message => frame(framing, [message]).map(part => Buffer.from(part))));
    for (let seed = 1; seed <= 40; seed++) {
      const heard = hear(splits(bytes, randomFrom(seed), seed < 4 ? 1 : 400));
      assert.deepEqual(heard.messages, sent, `seed ${seed}`);
      assert.deepEqual(heard.breaches, []);
      assert.equal(heard.framing(), framing);
    }
  });
}

test('blank lines are nothing', () => {
  const heard = hear([Buffer.from('\n \r\n\t\n{"a":1}\r\n\n\n{"b":2}\n   \n')]);
  assert.deepEqual(
    heard.messages.map(message => message.trim()),
    ['{"a":1}', '{"b":2}'],
  );
});

const breaches: readonly { readonly name: string; readonly bytes: string | Buffer; readonly breach: Breach }[] = [
  { name: 'an HTTP request', bytes: 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', breach: 'not_json_rpc' },
  { name: 'a TLS hello', bytes: Buffer.from([0x16, 0x03, 0x01, 0x02]), breach: 'not_json_rpc' },
  { name: 'plain words', bytes: 'hello\n', breach: 'not_json_rpc' },
  { name: 'a negative length', bytes: 'Content-Length: -1\r\n\r\n', breach: 'bad_header' },
  { name: 'an exponent', bytes: 'Content-Length: 1e9\r\n\r\n', breach: 'bad_header' },
  { name: 'a hexadecimal length', bytes: 'Content-Length: 0x10\r\n\r\n', breach: 'bad_header' },
  { name: 'two lengths', bytes: 'Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}', breach: 'bad_header' },
  { name: 'no length', bytes: 'Content-Type: x\r\n\r\n', breach: 'bad_header' },
  { name: '2^53', bytes: 'Content-Length: 9007199254740992\r\n\r\n', breach: 'too_large' },
  { name: 'one byte too many announced', bytes: `Content-Length: ${maxFrameBytes + 1}\r\n\r\n`, breach: 'too_large' },
  { name: 'an endless header', bytes: `Content-Length: 2\r\nX: ${'x'.repeat(5000)}`, breach: 'too_large' },
  { name: 'a line without an end', bytes: `{${' '.repeat(maxFrameBytes + 1)}`, breach: 'too_large' },
  { name: 'a line that is too long', bytes: `{"a":"${'x'.repeat(maxFrameBytes)}"}\n`, breach: 'too_large' },
];
for (const { name, bytes, breach } of breaches) {
  test(`${name} ends the conversation, once`, () => {
    const heard = hear([Buffer.from(bytes), Buffer.from('{"late":1}\n')]);
    assert.deepEqual(heard.breaches, [breach]);
    assert.deepEqual(heard.messages, []);
  });
}

test('the longest frame passes', () => {
  const message = `{"a":"${'x'.repeat(maxFrameBytes - 8)}"}`;
  assert.equal(message.length, maxFrameBytes);
  for (const framing of ['lines', 'headers'] as const) {
    const heard = hear(frame(framing, [message]).map(part => Buffer.from(part)));
    assert.deepEqual(heard.messages, [message]);
  }
});

test('JSON is read with its bounds kept', () => {
  const parse = (text: string | Buffer) => parseJson(Buffer.from(text), { jsonDepth: 4, jsonValues: 3000 });
  assert.deepEqual(parse('{"a":1}'), { kind: 'value', value: { a: 1 } });
  assert.deepEqual(parse('[[[[[]]]]]'), { kind: 'too_deep', value: [[[[[]]]]] });
  assert.deepEqual(parse('['.repeat(100_000)), { kind: 'too_deep', value: undefined });
  assert.equal(parse(`[${'1,'.repeat(2998)}1]`).kind, 'value');
  assert.equal(parse(`[${'1,'.repeat(2999)}1]`).kind, 'too_many');
  assert.equal(parse(`["${'1,'.repeat(3001)}"]`).kind, 'value');
  assert.equal(parse('{').kind, 'not_json');
  assert.equal(parse('NaN').kind, 'not_json');
  assert.equal(parse(Buffer.from([0x22, 0xff, 0x22])).kind, 'not_utf8');
});

function* splits(bytes: Buffer, random: () => number, longest: number): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + Math.floor(random() * longest);
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceLines } from '../../../daemon/store/source-lines.ts';

const mark = Buffer.from([0xef, 0xbb, 0xbf]);
const texts: readonly Buffer[] = [
  ...['', '\n', 'a', 'a\nb', 'a\r\nb\r\n', '\r\n\r\nx', 'a\rb\n\r', 'é\n𝒳 = 1\n'].map(text => Buffer.from(text)),
  Buffer.concat([mark, Buffer.from('a\nb')]),
  Buffer.concat([Buffer.from('a\n'), mark, Buffer.from('b\n')]),
  mark,
  Buffer.from([0x61, 0xe2, 0x82, 0x0a, 0x82, 0xff, 0x0a, 0xf0, 0x9d]),
];

test('lines of bytes are those of the text, in whatever order they are asked for', () => {
  for (const bytes of texts) {
    const lines = new TextDecoder().decode(bytes).split('\n');
    const expected = lines.map((line, at) => (at < lines.length - 1 ? line.replace(/\r$/, '') : line));
    const line = sourceLines(bytes);
    const places = [...expected.keys(), lines.length, lines.length + 1];
    for (const asked of [places, places.toReversed()]) {
      const read = (ask: (line: number) => string) => asked.map(at => ask(at));
      const whole = asked.map(at => expected[at] ?? '');
      assert.deepEqual(read(line), whole);
      assert.deepEqual(read(sourceLines(bytes)), whole);
    }
  }
});

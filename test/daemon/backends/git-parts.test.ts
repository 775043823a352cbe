import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readParts } from '../../../daemon/backends/git-parts.ts';

test('parts are the same in whatever pieces they come', () => {
  const text = Buffer.concat([
    Buffer.from('a\0\0näme\u2028\n\0'),
    Buffer.of(0xff, 0xc3, 0, 0xe2, 0x82, 0),
    Buffer.from('z\0'),
  ]);
  const whole = ['a', '', 'näme\u2028\n', '\ufffd\ufffd', '\ufffd', 'z'];
  for (let size = 1; size <= text.length; size++) {
    const parts: string[] = [];
    const reader = readParts('\0', part => parts.push(part));
    for (let at = 0; at < text.length; at += size) reader.take(text.subarray(at, at + size));
    reader.end();
    assert.deepEqual(parts, whole, `pieces of ${size}`);
  }
});

test('a part that was cut off, or has no end, is refused', () => {
  const cut = readParts('\n', () => {});
  cut.take(Buffer.from('one\ntw'));
  assert.throws(() => cut.end(), { name: 'GitFailed', reason: 'failed' });
  const endless = readParts('\n', () => {});
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  assert.throws(
    () => {
      for (let count = 0; count < 100; count++) endless.take(chunk);
    },
    { name: 'GitFailed', reason: 'failed' },
  );
});

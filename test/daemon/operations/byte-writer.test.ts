import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteWriter } from '../../../daemon/operations/symbols/byte-writer.ts';

test('what is written is there in order, as UTF-8, time and again', () => {
  const writer = new ByteWriter();
  const pieces = [
    '',
    'a',
    'größe',
    '名前'.repeat(20),
    'x'.repeat(31),
    'é'.repeat(32),
    '🚀',
    'y'.repeat(2_000_000),
    '"',
  ];
  for (let round = 0; round < 3; round++) {
    for (const piece of pieces) {
      writer.text(piece);
      writer.bytes(Buffer.from(`<${piece}>`));
    }
    const taken = writer.taken();
    assert.equal(Buffer.from(taken).toString(), pieces.map(piece => `${piece}<${piece}>`).join(''));
    // It can move to another thread without what others hold.
    assert.equal(taken.byteLength, taken.buffer.byteLength);
  }
  assert.equal(writer.taken().length, 0);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteStrings, longestBytes } from '../../../../daemon/extract/scip/byte-strings.ts';
import { scratchMemory } from './scip-text.ts';

function add(strings: ByteStrings, key: number, bytes: Uint8Array): number {
  const inside = Buffer.concat([Buffer.from('xxx'), bytes, Buffer.from('yyy')]);
  const view = new DataView(inside.buffer, inside.byteOffset, inside.byteLength);
  return strings.add(key, view, 3, 3 + bytes.length);
}

test('numbers each pair once, of whatever length and however many', () => {
  const strings = new ByteStrings(scratchMemory());
  const texts = [
    '',
    'a',
    'ab',
    'abc',
    'abcd',
    'abcde',
    'größe',
    'x'.repeat(longestBytes - 1),
    'x'.repeat(longestBytes),
  ];
  for (let number = 0; number < 50_000; number++) texts.push(`some name ${number}`);
  for (let pass = 0; pass < 2; pass++) {
    for (const [number, text] of texts.entries()) assert.equal(add(strings, 7, Buffer.from(text)), number);
  }
  assert.equal(add(strings, 8, Buffer.from('abc')), texts.length);
  assert.equal(strings.count, texts.length + 1);
  for (const number of [0, 1, 6, 7, 8, 9, 49_999]) assert.equal(strings.text(number), texts[number]);
  assert.deepEqual([strings.keyOf(3), strings.keyOf(texts.length)], [7, 8]);
  assert.ok(strings.byteLength > 1_000_000 && strings.byteLength < 3_000_000);
});

test('gives up on strings that were made to have one hash', () => {
  const strings = new ByteStrings(scratchMemory());
  const bytes = Buffer.alloc(8);
  const numbers = new Set<number>();
  for (let word = 0; word < 20_000 && !numbers.has(-1); word++) {
    // The second word takes back what the first did.
    bytes.writeInt32LE(word);
    const stirred = Math.imul((8 << 5) ^ word, 0x9e3779b1);
    bytes.writeInt32LE((stirred << 5) | (stirred >>> 27), 4);
    numbers.add(add(strings, 0, bytes));
  }
  assert.ok(numbers.has(-1));
  assert.ok(numbers.size > 1000 && numbers.size < 5000, String(numbers.size));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Words } from '../../../daemon/extract/words.ts';

test('a text between two places is what the source has there, whichever texts came before', () => {
  const source = 'größe = größe + 😀 größer; '.repeat(200) + Array.from({ length: 3000 }, (_, i) => `name${i % 1700}`);
  const words = new Words(source);
  for (let round = 0; round < 2; round++) {
    for (let start = 0; start < source.length; start += 3) {
      const end = Math.min(source.length, start + (start % 60));
      assert.equal(words.at(start, end), source.slice(start, end));
    }
  }
});

test('texts that are kept under one number are told apart, however many there are', () => {
  // Of Java's numbers for texts, which are made the same way, those of "Aa" and "BB" are equal.
  const all = Array.from({ length: 4096 }, (_, i) =>
    i.toString(2).padStart(12, '0').replaceAll('0', 'Aa').replaceAll('1', 'BB'),
  );
  const words = new Words(all.join(''));
  for (let round = 0; round < 2; round++) {
    all.forEach((word, i) => {
      assert.equal(words.at(24 * i, 24 * (i + 1)), word);
    });
  }
});

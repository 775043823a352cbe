import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NumberSet } from '../../../daemon/model/number-set.ts';

test('a set of numbers has each once, ascending, wherever in a word it lies and however late', () => {
  const set = new NumberSet();
  const numbers = [0, 31, 32, 63, 8191, 8192, 1_000_000];
  for (const number of [...numbers, ...numbers].reverse()) set.add(number);
  assert.deepEqual([...set], numbers);
  assert.equal(set.size, numbers.length);
  for (const number of numbers) assert.ok(set.has(number) && !set.has(number + 2), String(number));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extentOf } from '../../../client/protocol/json-signs.ts';

const extent = (text: string) => extentOf(Buffer.from(text), { depth: 100, values: 1000 });

test('depth and values are counted by signs outside strings alone', () => {
  assert.deepEqual(extent('{"a":[1,[2]]}'), { depth: 3, values: 5 });
  assert.deepEqual(extent('{"[[[[\\"[[,,,":1}'), { depth: 1, values: 2 });
});

test('counting stops where either is too much', () => {
  assert.equal(extent('['.repeat(5000)).depth, 101);
  assert.equal(extent(`[${'1,'.repeat(5000)}1]`).values, 1001);
});

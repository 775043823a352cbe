import assert from 'node:assert/strict';
import { test } from 'node:test';
import { depthOf } from '../../../client/protocol/json-signs.ts';

test('depth counts brackets outside strings alone', () => {
  const depth = (text: string) => depthOf(Buffer.from(text), 100);
  assert.equal(depth('{"a":[1,[2]]}'), 3);
  assert.equal(depth('{"[[[[\\"[[":1}'), 1);
  assert.equal(depth('['.repeat(5000)), 101);
});

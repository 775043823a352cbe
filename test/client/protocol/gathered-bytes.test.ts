import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatheredBytes } from '../../../client/protocol/gathered-bytes.ts';

const pieces = ['one', '', ' and two', ' and more than both'].map(text => Buffer.from(text));
const all = Buffer.concat(pieces);

for (const [what, toldBytes] of [
  ['told before', all.length],
  ['not told', 0],
  ['told too small', 4],
  ['told too large', 1000],
] as const) {
  test(`bytes whose number is ${what} are put together as they came`, () => {
    const gathered = new GatheredBytes(toldBytes, bytes => new ArrayBuffer(bytes));
    for (const piece of pieces) gathered.add(piece);
    assert.equal(gathered.length, all.length);
    assert.ok(all.equals(gathered.whole()));
  });
}

test('bytes whose number is told lie in memory that is taken once, and none is taken before the first', () => {
  const taken: number[] = [];
  const gathered = new GatheredBytes(all.length, bytes => {
    taken.push(bytes);
    return new SharedArrayBuffer(bytes);
  });
  assert.deepEqual(taken, [0]);
  for (const piece of pieces) gathered.add(piece);
  assert.deepEqual(taken, [0, all.length]);
  assert.equal(gathered.whole().buffer.byteLength, all.length);
});

test('bytes whose number is not told take memory a few times, not once for each piece', () => {
  let times = 0;
  const gathered = new GatheredBytes(0, bytes => {
    times++;
    return new ArrayBuffer(bytes);
  });
  for (let at = 0; at < 1000; at++) gathered.add(Buffer.from([at & 255]));
  assert.ok(times < 15, `${times} times`);
  assert.deepEqual([...gathered.whole().subarray(254, 258)], [254, 255, 0, 1]);
});
